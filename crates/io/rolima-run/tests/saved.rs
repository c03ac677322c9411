//! What was saved of a simulation goes on bit-equal in a fresh one, whatever was half done; other bytes
//! are refused with a reason.

use crate::common;
use crate::fork::{Happens, MODELS, any_happening};
use proptest::prelude::*;
use rolima_agents::fuzzing::sealed;
use rolima_core::RobotId;
use rolima_run::Speed;
use rolima_run::live::log::{LogReader, LogWriter, replay, save_run};
use rolima_run::live::{Action, Live, RestoreError, Session, Setup, Simulation};

/// Does it, and returns what can be seen of it: hashes of all states on the way, which commands are a
/// part of, and what agents tell of themselves.
fn happen(simulation: &mut Simulation, what: &Happens) -> (Vec<u64>, String) {
    let mut hashes = vec![];
    match what {
        Happens::Action(action) => hashes.push(u64::from(simulation.act(action))),
        Happens::Steps(count) => {
            for _ in 0..*count {
                simulation.steps(1);
                hashes.push(simulation.state_hash());
            }
        }
        Happens::Reset => simulation.reset(),
        Happens::Seed(seed) => simulation.reset_with_seed(*seed),
    }
    hashes.push(simulation.state_hash());
    (hashes, told(simulation))
}

fn told(simulation: &Simulation) -> String {
    let mut goals = vec![];
    simulation.publish_goals(&mut goals);
    format!("{goals:?}")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn what_was_saved_goes_on_bit_equal_in_a_fresh_simulation(
        scene in 0..4usize,
        seeds: [u64; 2],
        before in prop::collection::vec(any_happening(), 0..24),
        after in prop::collection::vec(any_happening(), 1..12),
        others in prop::collection::vec(any_happening(), 0..4),
    ) {
        let model = &MODELS[scene];
        let mut run = Simulation::with_seed(model.clone(), seeds[0]);
        before.iter().for_each(|what| drop(happen(&mut run, what)));
        let bytes = run.save();
        // One in which something else was going on.
        let mut restored = Simulation::with_seed(model.clone(), seeds[1]);
        others.iter().for_each(|what| drop(happen(&mut restored, what)));
        restored.restore(&bytes).expect("what was just saved");
        prop_assert_eq!(told(&restored), told(&run));
        prop_assert!(restored.save() == bytes, "saved again it is the same");
        for what in &after {
            prop_assert_eq!(happen(&mut restored, what), happen(&mut run, what), "after {:?}", what);
        }
    }

    #[test]
    fn damaged_bytes_are_refused_and_change_nothing(
        cut in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        flip in 1..=255u8,
    ) {
        let (good, mut simulation) = busy();
        let hash = simulation.state_hash();
        prop_assert!(simulation.restore(&good[..cut.index(good.len())]).is_err());
        let mut bad = good.clone();
        bad[at.index(good.len())] ^= flip;
        let why = simulation.restore(&bad).expect_err("a byte is another");
        prop_assert!(!why.to_string().is_empty());
        prop_assert!(simulation.restore(&[&good[..], &[flip]].concat()).is_err());
        prop_assert_eq!(simulation.state_hash(), hash);
    }

    /// Bytes whose checksum was made to fit are refused or taken, but nothing breaks.
    #[test]
    fn whatever_the_bytes_are_there_is_an_answer(
        at in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        noise in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        let (mut bytes, mut simulation) = busy();
        let world = 32 + u64::from_le_bytes(bytes[24..32].try_into().expect("8 bytes")) as usize;
        for (at, value) in at {
            let agents = bytes.len() - world;
            bytes[world + at.index(agents)] = value;
        }
        simulation.restore(&sealed(bytes)).ok();
        simulation.restore(&sealed([b"rolimsim".to_vec(), noise.clone()].concat())).ok();
        prop_assert!(simulation.restore(&noise).is_err());
    }
}

/// A simulation in which robots go somewhere, and what is saved of it.
fn busy() -> (Vec<u8>, Simulation) {
    let mut simulation = Simulation::new(MODELS[3].clone());
    simulation.steps(333);
    (simulation.save(), simulation)
}

#[test]
fn bytes_of_other_scenes_and_other_things_are_told_from_good_ones() {
    let (bytes, mut own) = busy();
    let mut other = Simulation::new(MODELS[0].clone());
    let error = |result: Result<(), RestoreError>| result.expect_err("refused").to_string();
    assert!(error(other.restore(&bytes)).starts_with("snapshot of another scene: expected finger"));
    assert!(error(own.restore(b"")).contains("expected a saved simulation"));
    assert!(error(own.restore(&own.world().snapshot())).contains("expected a saved simulation"));
    let mut newer = bytes.clone();
    newer[8] = 9;
    assert!(error(own.restore(&newer)).contains("got format 9"));
    assert!(error(own.restore(&bytes[..20])).contains("cut off"));
    let mut damaged = bytes.clone();
    damaged[100] ^= 1;
    assert!(error(own.restore(&damaged)).contains("its checksum does not fit"));
    own.steps(10);
    own.restore(&bytes).expect("its own");
    assert_eq!(own.world().state().step, 333);
}

#[test]
fn a_run_that_goes_on_from_a_saved_one_is_logged_and_replayed() {
    let model = MODELS[3].clone();
    let header = common::header("go-to", &[], &model);
    let mut run = Session::new(model.clone(), 7);
    run.steps(2_345);
    let mut file = vec![];
    save_run(&mut file, &header, &run).expect("memory can be written");
    // It is a log by itself, of which the end is where it goes on.
    let reader = LogReader::new("saved", &file[..]).expect("a log");
    let (mut again, replayed) = replay(reader).expect("all of it");
    assert_eq!((replayed.is_same(), again.state_hash()), (Some(true), run.state_hash()));
    run.steps(1_500);
    again.steps(1_500);
    assert_eq!(again.state_hash(), run.state_hash());

    let (mut simulation, saved) = (Simulation::new(model.clone()), run.simulation().save());
    simulation.restore(&saved).expect("what was just saved");
    let memory = common::Memory::default();
    let log = LogWriter::new("memory", memory.clone(), &header).expect("memory can be written");
    let live = Live::new(Setup {
        from: Some((simulation, saved.into())),
        actions: vec![Action::NoGoal { robot: RobotId(0) }],
        speed: Speed::Max,
        steps: Some(1_700),
        log: Some(log),
        ..Setup::new("go-to", model)
    });
    let outcome = live.run();
    outcome.log.expect("a log").expect("all of it was written");
    assert!(run.act(&Action::NoGoal { robot: RobotId(0) }));
    run.steps(1_700);
    assert_eq!(outcome.session.state_hash(), run.state_hash());
    assert_eq!(outcome.session.steps_done(), 1_700, "its own steps");
    let text = memory.text();
    let (_, replayed) =
        replay(LogReader::new("memory", text.as_bytes()).expect("a log")).expect("all");
    assert_eq!(replayed.is_same(), Some(true));
    assert_eq!(replayed.state_hash, run.state_hash());
    // Of another scene it cannot be.
    let other = text.replacen("\"base64\":\"cm9saW1zaW0C", "\"base64\":\"cm9saW1zaW0D", 1);
    assert_ne!(other, text);
    let error = replay(LogReader::new("forged", other.as_bytes()).expect("a log")).err();
    let error = error.expect("of no known format").to_string();
    assert!(error.starts_with("forged, line ") && error.contains("got format 3"), "{error}");
}
