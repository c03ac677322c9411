//! What was saved of a simulation, then forged with a checksum that fits: refused, or taken and stepped
//! as any other.

use crate::fork::MODELS;
use rolima_agents::fuzzing::{saved_in_action, sealed};
use rolima_core::Model;
use rolima_math::Stream;
use rolima_run::live::Simulation;
use rolima_testing::samples;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Steps after what was taken.
const STEPS: u64 = 100;

/// None takes longer, whatever was forged: a good one takes some milliseconds.
const LONGEST: Duration = Duration::from_secs(20);

/// Nor asks for more memory, bytes.
const MOST_MEMORY: usize = 64 << 20;

/// What is saved of a simulation in which as much is going on as its scene permits.
fn busy(model: &Arc<Model>, steps: u64) -> Vec<u8> {
    saved_in_action(Simulation::with_seed(Arc::clone(model), 5), steps)
}

/// Numbers that nobody expects, as words.
fn strange(random: &mut Stream) -> u64 {
    const NUMBERS: [f64; 12] = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        1e308,
        -1e300,
        1e18,
        -1e9,
        1e-300,
        0.0,
        -0.0,
        1.0,
        -1.0,
    ];
    const WORDS: [u64; 8] = [u64::MAX, 1 << 63, i64::MAX as u64, 1 << 53, 1 << 32, 255, 2, 1];
    match random.next_u64() % 3 {
        0 => NUMBERS[(random.next_u64() % 12) as usize].to_bits(),
        1 => WORDS[(random.next_u64() % 8) as usize],
        _ => random.next_u64() >> (random.next_u64() % 64),
    }
}

/// Changes a few words or bytes of what was saved, of the world's part or of the agents'.
fn forge(good: &[u8], random: &mut Stream) -> Vec<u8> {
    let mut bytes = good.to_vec();
    let world = u64::from_le_bytes(good[24..32].try_into().expect("8 bytes")) as usize;
    for _ in 0..1 + random.next_u64() % 3 {
        let in_world = random.next_u64().is_multiple_of(2);
        // Of the world's part: not its head, which says of which scene it is.
        let (from, to) = if in_world { (32 + 24, 32 + world) } else { (32 + world, bytes.len()) };
        let at = from + (random.next_u64() % (to - from) as u64) as usize;
        let at = if in_world { at - at % 8 } else { at };
        match random.next_u64() % 4 {
            0 if !in_world => bytes[at] = random.next_u64() as u8,
            1 => bytes[at] ^= 1 << (random.next_u64() % 8),
            _ => {
                let word = strange(random).to_le_bytes();
                let room = (bytes.len() - at).min(8);
                bytes[at..at + room].copy_from_slice(&word[..room]);
            }
        }
    }
    sealed(bytes)
}

/// Takes forged bytes, if they are taken, and goes on.
fn go_on(model: &Arc<Model>, bytes: &[u8]) -> bool {
    let mut simulation = Simulation::new(Arc::clone(model));
    if let Err(why) = simulation.restore(bytes) {
        assert!(why.to_string().len() > 10, "{why}");
        return false;
    }
    simulation.steps(STEPS);
    let mut goals = vec![];
    simulation.publish_goals(&mut goals);
    simulation.save();
    true
}

#[test]
fn what_was_forged_with_a_fitting_checksum_is_refused_or_goes_on() {
    let cases = samples(400, 20_000);
    let mut random = Stream::new(11, 0, "forged");
    for (number, model) in MODELS.iter().enumerate() {
        let saved = [40, 700].map(|steps| busy(model, steps));
        for good in &saved {
            assert!(go_on(model, good), "what was not forged is taken");
        }
        let mut taken = 0;
        for case in 0..cases {
            let bytes = forge(&saved[case % 2], &mut random);
            let begin = Instant::now();
            let memory = rolima_testing::heap::allocations(|| {
                let went = catch_unwind(AssertUnwindSafe(|| go_on(model, &bytes)));
                match went {
                    Ok(went) => taken += usize::from(went),
                    Err(_) => panic!("scene {number}, case {case}"),
                }
            });
            let took = begin.elapsed();
            assert!(took < LONGEST, "scene {number}, case {case}: {took:?}");
            let most = memory.most_held;
            assert!(most < MOST_MEMORY, "scene {number}, case {case}: {most} bytes");
        }
        println!("scene {number}: {taken} of {cases} taken");
    }
}

/// Every word of the world's part in turn: of a step, an index, a count or a code is one that breaks what
/// relies on it.
#[test]
fn no_word_of_a_world_breaks_its_steps() {
    for (number, model) in MODELS.iter().enumerate() {
        let good = busy(model, 60);
        let world = u64::from_le_bytes(good[24..32].try_into().expect("8 bytes")) as usize;
        let mut refused = 0;
        for at in (32 + 24..32 + world).step_by(8) {
            for word in [u64::MAX, 1 << 60, f64::NAN.to_bits()] {
                let mut bytes = good.clone();
                bytes[at..at + 8].copy_from_slice(&word.to_le_bytes());
                let begin = Instant::now();
                refused += u32::from(!go_on(model, &sealed(bytes)));
                let took = begin.elapsed();
                assert!(took < LONGEST, "scene {number}, byte {at}, {word:x}: {took:?}");
            }
        }
        assert!(refused > 3, "scene {number}: its steps and codes at least");
    }
}
