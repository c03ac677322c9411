//! Logs of live runs, and their replay to the same bits.

use crate::common;

use common::model;
use common::played::PlayedClock;
use rolima_core::{BodyId, Model, RobotId, Volts};
use rolima_math::{Pose2, Stream, Vec2};
use rolima_run::Speed;
use rolima_run::live::log::{
    Header, LogError, LogReader, LogWriter, MOST_LINE_BYTES, Progress, Replay, Replayed,
    fuzz_entry, replay,
};
use rolima_run::live::{Act, Live, Loaded, MapSource, Outcome, Player, Request, Setup};
use std::io::Write;
use std::sync::{Arc, Mutex};

/// A file in memory.
#[derive(Clone, Default)]
struct Memory(Arc<Mutex<Vec<u8>>>);

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("nobody panicked").extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn soccer() -> Arc<Model> {
    model("soccer", &["driver=random"])
}

fn number(rng: &mut Stream, scale: f64) -> f64 {
    scale * (2.0 * (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64 - 1.0)
}

/// A text that needs every care in JSON.
const MAP: &str = "# a \"maze\"\tof José \u{1}\nW 0 0 0 4\r\nR 1 1\n";

fn given(text: &str) -> MapSource {
    MapSource { text: text.to_owned(), size: None, is_given: true }
}

/// Somebody who plays with everything at odd times: some of it good, some refused.
fn script(model: &Arc<Model>, seed: u64) -> Vec<(f64, Request)> {
    let mut rng = Stream::new(seed, 0, "script");
    let mut script = vec![];
    let mut at_s = 0.0;
    for _ in 0..400 {
        at_s += 0.02 * (1.0 + number(&mut rng, 1.0));
        let mut vector = |scale| Vec2::new(number(&mut rng, scale), number(&mut rng, scale));
        let (a, b) = (vector(0.5), vector(0.05));
        let index = (rng.next_u64() % 20) as u32;
        let (body, robot) = (BodyId(index), RobotId(index));
        let volts = Volts { right: 20.0 * a.x, left: 20.0 * a.y };
        let request = match rng.next_u64() % 26 {
            0 => Request::Reset,
            1 => Request::Seed(rng.next_u64()),
            2 => {
                let map = index.is_multiple_of(2).then(|| Arc::new(given(MAP)));
                Request::Load(Arc::new(Loaded::new("other", model.clone(), map)))
            }
            3 => Request::Speed(Speed::factor(1.0 + a.x)),
            4 => Request::Step(5),
            5 | 6 => Request::Play,
            7 => Request::Pause,
            8 => Request::Act(Act::Command {
                robot: RobotId(0),
                command: Volts { right: f64::NAN, ..volts }.into(),
            }),
            9 => Request::Act(Act::Release { robot }),
            10 => {
                Request::Act(Act::Place { body, pose: Pose2::new(a.x, a.y, number(&mut rng, 3.0)) })
            }
            11..14 => Request::Act(Act::Push { body, point: a, impulse: b }),
            14..18 => Request::Act(Act::Grab { body, own: b * 0.5, hand: a }),
            18 => Request::Act(Act::LetGo { body }),
            19 | 20 => {
                let pose = Pose2::new(a.x, a.y, number(&mut rng, 3.0));
                Request::Act(Act::Goal { robot: RobotId(index % 8), pose })
            }
            21 if index < 5 => Request::Act(Act::NoGoal { robot }),
            _ => Request::Act(Act::Command { robot, command: volts.into() }),
        };
        script.push((at_s, request));
    }
    script.push((at_s, Request::Stop));
    script
}

/// A logged run, and the log's text.
fn logged(seed: u64) -> (Outcome, String) {
    logged_in(&soccer(), seed)
}

fn logged_in(model: &Arc<Model>, seed: u64) -> (Outcome, String) {
    let memory = Memory::default();
    let header = Header::new("soccer", &["driver=random".to_owned()], model, seed);
    let log = LogWriter::new("memory", memory.clone(), &header).expect("a thread");
    let setup = Setup { seed, log: Some(log), ..Setup::new("soccer", model.clone()) };
    let outcome = Live::with_clock(setup, PlayedClock::new(1e-7, script(model, seed))).run();
    let text = String::from_utf8(memory.0.lock().expect("nobody panicked").clone()).expect("UTF-8");
    (outcome, text)
}

fn read(text: &str) -> Result<Replayed, LogError> {
    read_in(&soccer(), text)
}

fn read_in(model: &Arc<Model>, text: &str) -> Result<Replayed, LogError> {
    let reader = LogReader::new("run.log", text.as_bytes())?;
    let mut player = Player::new(model.clone(), reader.header().seed);
    replay(reader, &mut player, &mut |name, map| match (name, map) {
        ("other", None) => Ok(model.clone()),
        ("other", Some(map)) if *map == given(MAP) => Ok(model.clone()),
        _ => Err("no such scene".to_owned()),
    })
}

#[test]
fn a_replay_ends_in_the_same_bits() {
    for seed in 1..6 {
        let (outcome, text) = logged(seed);
        let summary = outcome.log.unwrap().unwrap();
        assert!(summary.lost == 0 && summary.entries > 250, "{summary:?}");
        assert!(outcome.report.refused_requests > 10, "some of it was refused");
        let replayed = read(&text).unwrap();
        assert_eq!(replayed.steps, outcome.player.steps_done());
        assert_eq!(replayed.state_hash, outcome.player.state_hash());
        assert_eq!(replayed.is_same(), Some(true));
    }
}

#[test]
fn a_replay_on_rough_ground_ends_in_the_same_bits() {
    let model = model("hills", &["driver=random"]);
    assert!(model.spatial.is_some());
    for seed in 1..3 {
        let (outcome, text) = logged_in(&model, seed);
        let replayed = read_in(&model, &text).unwrap();
        assert_eq!(replayed.steps, outcome.player.steps_done());
        assert_eq!(replayed.state_hash, outcome.player.state_hash());
        assert_eq!(replayed.is_same(), Some(true));
    }
}

#[test]
fn a_replay_in_pieces_is_the_same() {
    let (outcome, text) = logged(7);
    let reader = LogReader::new("run.log", text.as_bytes()).unwrap();
    let mut player = Player::new(soccer(), 7);
    let mut replay = Replay::new(reader, &player).unwrap();
    let mut load = |_: &str, _: Option<&MapSource>| Ok(soccer());
    let replayed = loop {
        let before = player.steps_done();
        match replay.advance(&mut player, 13, &mut load).unwrap() {
            Progress::More => assert_eq!(player.steps_done(), before + 13),
            Progress::Done(replayed) => break replayed,
        }
    };
    assert_eq!(replayed.state_hash, outcome.player.state_hash());
}

#[test]
fn a_log_that_is_cut_off_replays_up_to_its_last_whole_line() {
    let (_, text) = logged(8);
    let lines: Vec<&str> = text.lines().collect();
    let whole: String = lines[..50].iter().flat_map(|line| [*line, "\n"]).collect();
    let replayed = read(&whole).unwrap();
    let last: serde_json::Value = serde_json::from_str(lines[49]).unwrap();
    assert_eq!(Some(replayed.steps), last["step"].as_u64());
    assert_eq!(replayed.is_same(), None, "how the run ended is unknown");
    for cut in 1..lines[50].len() {
        let torn = format!("{whole}{}", &lines[50][..cut]);
        assert_eq!(read(&torn).unwrap(), replayed, "cut after {cut} bytes of a line");
    }
}

#[test]
fn a_log_that_was_tampered_with_does_not_end_in_the_same_bits() {
    // A command for no robot, or one before a reset, is not missed: of some logs the last one is.
    let tampered = (9..17).filter(|seed| {
        let (_, text) = logged(*seed);
        let line = text.lines().rfind(|line| line.contains("\"command\"")).unwrap();
        let without = text.replace(&format!("{line}\n"), "");
        read(&without).unwrap().is_same() == Some(false)
    });
    assert!(tampered.count() > 2);
}

#[test]
fn errors_name_file_line_what_was_expected_and_what_was_there() {
    let (_, text) = logged(10);
    let header = text.lines().next().unwrap().to_owned();
    let error = |text: String| read(&text).unwrap_err().to_string();
    let cases = [
        (String::new(), "run.log, line 1: expected the header of a command log, got an empty file"),
        (
            format!("{header}\nx\n"),
            "run.log, line 2: expected an entry of a command log, a JSON object, got x",
        ),
        (
            format!("{header}\n{{\"step\":5,\"do\":\"reset\"}}\n{{\"step\":4,\"do\":\"reset\"}}\n"),
            "run.log, line 3: expected a step not before 5, got step 4",
        ),
        (
            format!(
                "{header}\n{{\"step\":0,\"do\":\"load\",\"scene\":\"x\",\"model\":\"{:016}\"}}\n",
                0
            ),
            "run.log, line 2: expected the scene `x`, got no such scene",
        ),
        (
            format!(
                "{header}\n{{\"step\":0,\"do\":\"end\",\"state_hash\":\"{:016}\",\"lost\":3}}\n",
                0
            ),
            "run.log, line 2: expected a complete log, got one that lost 3 entries at the end",
        ),
        (
            format!("{header}\n{}", " ".repeat(MOST_LINE_BYTES + 1)),
            "run.log, line 2: expected a line of at most 33554432 bytes, got a longer one",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(error(text), expected);
    }
    let other = error(header.replace("\"step_s\":0.001", "\"step_s\":0.002") + "\n");
    assert_eq!(other, "run.log, line 1: expected step_s of the log, 0.002, got 0.001");
    let scene = error(header.replace("\"model\":\"", "\"model\":\"0").replacen("0\"}", "\"}", 1));
    assert!(scene.contains("line 1"), "{scene}");
    let missing = LogReader::open(std::path::Path::new("no/such.log")).err().unwrap();
    assert!(missing.to_string().starts_with("no/such.log: "), "{missing}");
}

#[test]
fn no_bytes_make_a_replay_panic() {
    let (_, text) = logged(11);
    let model = soccer();
    let mut rng = Stream::new(1, 0, "mutations");
    for _ in 0..300 {
        let mut bytes = text.as_bytes()[..2000.min(text.len())].to_vec();
        for _ in 0..1 + rng.next_u64() % 8 {
            if bytes.is_empty() {
                break;
            }
            let at = (rng.next_u64() % bytes.len() as u64) as usize;
            match rng.next_u64() % 4 {
                0 => bytes[at] = rng.next_u64() as u8,
                1 => bytes[at] = b'0' + (rng.next_u64() % 10) as u8,
                2 => drop(bytes.remove(at)),
                _ => bytes.truncate(at.max(1)),
            }
        }
        fuzz_entry(&bytes, &model);
    }
}
