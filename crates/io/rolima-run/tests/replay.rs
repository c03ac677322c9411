//! Logs of live runs, and their replay to the same bits.

use crate::common;

use common::played::{Camera, PlayedClock};
use common::{Memory, model};
use rolima_core::{BodyId, Command, Model, RobotId, Volts};
use rolima_math::{Pose2, Stream, Vec2};
use rolima_run::Speed;
use rolima_run::live::log::{
    Bundle, Difference, Entry, HASH_EVERY, Header, LogError, LogLine, LogReader, LogWriter,
    MOST_LINE_BYTES, Replay, Replayed, fuzz_entry, replay,
};
use rolima_run::live::{
    Action, Live, Loaded, ReplayNews, Replaying, Request, RunOutcome, Session, Setup,
};
use std::io::Cursor;
use std::sync::{Arc, Mutex};

/// A scene as a run has it: its model, and the files that go into the log.
struct Logged {
    name: &'static str,
    model: Arc<Model>,
    source: Arc<Bundle>,
}

impl Logged {
    fn new(name: &'static str, sets: &[&str]) -> Self {
        Self { name, model: model(name, sets), source: common::bundle(name, sets) }
    }

    /// Of the map [`MAP`], as somebody sends it to a run.
    fn given_map() -> Self {
        let map = rolima_scene::rolima_map::parse("maze", MAP).expect("a good map");
        let mut scene = rolima_scene::load_map(&map, &[]).expect("a good scene");
        scene.set_title("maze");
        scene.bundle.set_map_text(MAP);
        let model = Arc::new(scene.compile().expect("a good model"));
        Self { name: "maze", model, source: Arc::new(scene.bundle) }
    }

    fn loaded(&self) -> Loaded {
        let mut loaded = Loaded::new(self.name, self.model.clone(), None);
        loaded.source = Some(self.source.clone());
        loaded
    }
}

fn soccer() -> Logged {
    Logged::new("soccer", &["driver=random"])
}

fn number(rng: &mut Stream, scale: f64) -> f64 {
    scale * (2.0 * (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64 - 1.0)
}

/// A text that needs every care in JSON.
const MAP: &str = "# a \"maze\"\tof José \u{1}\nW 0 0 0 4\r\nR 1 1\n";

/// Somebody who plays with everything at odd times: some of it good, some refused.
fn script(scene: &Logged, seed: u64) -> Vec<(f64, Request)> {
    let mut rng = Stream::new(seed, 0, "script");
    let others = [scene.loaded(), Logged::given_map().loaded()].map(Arc::new);
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
            2 => Request::Load(others[usize::from(index > 14)].clone()),
            3 => Request::Speed(Speed::factor(1.0 + a.x)),
            4 => Request::Step(5),
            5 | 6 => Request::Play,
            7 => Request::Pause,
            8 => Request::Action(Action::Command {
                robot: RobotId(0),
                command: Volts { right: f64::NAN, ..volts }.into(),
            }),
            9 => Request::Action(Action::Release { robot }),
            10 => Request::Action(Action::Place {
                body,
                pose: Pose2::new(a.x, a.y, number(&mut rng, 3.0)),
            }),
            11..14 => Request::Action(Action::Push { body, point: a, impulse: b }),
            14..18 => Request::Action(Action::Grab { body, own: b * 0.5, hand: a }),
            18 => Request::Action(Action::LetGo { body }),
            19 | 20 => {
                let pose = Pose2::new(a.x, a.y, number(&mut rng, 3.0));
                Request::Action(Action::Goal { robot: RobotId(index % 8), pose })
            }
            21 if index < 5 => Request::Action(Action::NoGoal { robot }),
            22..25 => Request::Action(Action::Command {
                robot,
                command: Command::Direct { actuator: index % 7, value: 10.0 * a.x },
            }),
            _ => Request::Action(Action::Command { robot, command: volts.into() }),
        };
        script.push((at_s, request));
    }
    script.push((at_s, Request::Stop));
    script
}

/// A run of a scene, and the log's text.
fn logged(scene: &Logged, seed: u64, script: Vec<(f64, Request)>) -> (RunOutcome, String) {
    let memory = Memory::default();
    let Logged { name, model, source } = scene;
    let header = Header::new(name, source.clone(), model, seed);
    let log = LogWriter::new("memory", memory.clone(), &header).expect("a thread");
    let setup = Setup { seed, log: Some(log), ..Setup::new(name, model.clone()) };
    let outcome = Live::with_clock(setup, PlayedClock::new(1e-7, script)).run();
    (outcome, memory.text())
}

/// The same of a soccer match that somebody plays with.
fn played_with(seed: u64) -> (RunOutcome, String) {
    let scene = soccer();
    logged(&scene, seed, script(&scene, seed))
}

/// A match of so many steps that nobody touches.
fn untouched(steps: u64) -> (RunOutcome, String) {
    logged(&soccer(), 3, vec![(steps as f64 * 1e-3 + 1e-4, Request::Stop)])
}

fn reader(text: &str) -> Result<LogReader<Cursor<Vec<u8>>>, LogError> {
    LogReader::new("run.log", Cursor::new(text.as_bytes().to_vec()))
}

fn read(text: &str) -> Result<Replayed, LogError> {
    Ok(replay(reader(text)?)?.1)
}

/// How many lines there are before anything was done: the header and the files of its scene.
fn head(text: &str) -> usize {
    1 + text.lines().skip(1).take_while(|line| line.contains("\"do\":\"file\"")).count()
}

fn with_line(text: &str, at: usize, line: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.insert(at, line);
    lines.join("\n") + "\n"
}

fn assert_same(outcome: &RunOutcome, replayed: &Replayed) {
    assert_eq!(replayed.steps, outcome.session.steps_done());
    assert_eq!(replayed.state_hash, outcome.session.state_hash());
    assert_eq!((replayed.is_same(), replayed.is_whole), (Some(true), true));
    // Every so many steps, and at the end.
    assert_eq!(replayed.compared, replayed.steps / HASH_EVERY + 1);
}

#[test]
fn a_replay_ends_in_the_same_bits() {
    for seed in 1..6 {
        let (outcome, text) = played_with(seed);
        let summary = outcome.log.as_ref().unwrap().as_ref().unwrap();
        assert!(summary.lost == 0 && summary.entries > 250, "{summary:?}");
        assert!(outcome.report.refused_requests > 10, "some of it was refused");
        assert!(text.contains("\"do\":\"load\"") && text.contains("\"map\":{"), "{text}");
        assert_same(&outcome, &read(&text).unwrap());
    }
}

#[test]
fn a_replay_on_rough_ground_ends_in_the_same_bits() {
    let scene = Logged::new("hills", &["driver=random"]);
    assert!(scene.model.terrain().is_some());
    for seed in 1..3 {
        let (outcome, text) = logged(&scene, seed, script(&scene, seed));
        assert_same(&outcome, &read(&text).unwrap());
    }
}

#[test]
fn a_replay_in_pieces_is_the_same() {
    let (outcome, text) = played_with(7);
    let (mut replay, start) = Replay::new(reader(&text).unwrap()).unwrap();
    assert_eq!((start.name.as_str(), start.seed), ("soccer", 7));
    let mut session = Session::new(start.model, start.seed);
    let mut before = 0;
    while replay.advance(&mut session, 13).unwrap() {
        before += 13;
        assert_eq!(session.steps_done(), before);
    }
    assert_same(&outcome, &replay.replayed(&session));
}

/// Replays a log in a live run, with somebody at the page; returns what was told, too.
fn shown(
    text: &str,
    speed: Speed,
    script: Vec<(f64, Request)>,
) -> (RunOutcome, Vec<String>, Camera) {
    let input: rolima_run::live::log::LogInput = Box::new(Cursor::new(text.as_bytes().to_vec()));
    let reader = LogReader::new("run.log", input).expect("a log");
    let (replay, start) = Replay::new(reader).expect("a scene");
    let told = Arc::new(Mutex::new(vec![]));
    let news = told.clone();
    let tell = Box::new(move |what: ReplayNews<'_>| {
        news.lock().expect("nobody panicked").push(format!("{what:?}"));
    });
    let setup = Setup {
        seed: start.seed,
        speed,
        ends_with_world: script.is_empty(),
        replay: Some(Replaying { replay, tell }),
        ..Setup::new(&start.name, start.model)
    };
    let camera = Camera::default();
    let mut live = Live::with_clock(setup, PlayedClock::new(1e-6, script));
    live.add_sink(Box::new(camera.clone()));
    let outcome = live.run();
    let told = told.lock().expect("nobody panicked").clone();
    (outcome, told, camera)
}

#[test]
fn a_replay_with_viewers_is_the_same_at_any_speed_and_shows_every_scene() {
    let (logged, text) = played_with(12);
    let scenes = 1 + text.matches("\"do\":\"load\"").count();
    assert!(scenes > 2);
    for speed in [Speed::Max, Speed::REAL_TIME, Speed::Factor(7.0)] {
        let (outcome, told, camera) = shown(&text, speed, vec![]);
        assert_same(&logged, &outcome.replayed.unwrap().unwrap());
        assert_eq!(told, ["Over"]);
        assert_eq!(camera.0.lock().unwrap().scenes.len(), scenes);
    }
}

#[test]
fn viewers_of_a_replay_have_its_time_in_their_hands_and_nothing_else() {
    let (logged, text) = untouched(4_000);
    let command = Volts { right: 3.0, left: -3.0 };
    let meddling = [
        Request::Action(Action::Command { robot: RobotId(0), command: command.into() }),
        Request::Commands(vec![(RobotId(1), command.into())]),
        Request::Reset,
        Request::Seed(9),
        Request::Load(Arc::new(Logged::given_map().loaded())),
    ];
    let refused = meddling.len() as u64;
    let mut script: Vec<_> = meddling.into_iter().map(|request| (0.5, request)).collect();
    script.extend([
        (0.6, Request::Pause),
        (5.0, Request::Step(10)),
        (6.0, Request::Play),
        (7.0, Request::Speed(Speed::Factor(3.0))),
        (60.0, Request::Stop),
    ]);
    let (outcome, told, camera) = shown(&text, Speed::REAL_TIME, script);
    assert_eq!(outcome.report.refused_requests, refused);
    assert_same(&logged, &outcome.replayed.unwrap().unwrap());
    assert_eq!(told, ["Over"]);
    let album = camera.0.lock().unwrap();
    let at = |s: f64| &album.publications[(s * 1e3) as usize];
    assert!(at(3.0).status.paused && at(3.0).step.abs_diff(600) < 3, "{}", at(3.0).step);
    assert_eq!(at(5.5).step, at(4.5).step + 10);
    // It stands still at its end.
    assert!(at(30.0).status.paused && !at(30.0).status.ended && at(30.0).step == 4_000);
}

#[test]
fn the_first_difference_is_told_with_its_step() {
    let (_, text) = untouched(5_500);
    let after_2000 = text.lines().position(|line| line.contains("\"step\":2000")).unwrap() + 1;
    let command = r#"{"step":2345,"do":"command","robot":0,"right":6,"left":-6}"#;
    let forged = with_line(&text, after_2000, command);
    let replayed = read(&forged).unwrap();
    let Difference { step, same_until, line, logged, got } = replayed.difference.unwrap();
    assert_eq!((step, same_until), (3000, 2000));
    assert!(forged.lines().nth(line as usize - 1).unwrap().contains(&format!("{logged:016x}")));
    assert_ne!(logged, got);
    assert_eq!(replayed.is_same(), Some(false));
    // It is replayed to its end all the same.
    assert_eq!((replayed.steps, replayed.compared, replayed.is_whole), (5_500, 6, true));
    let (outcome, told, _) = shown(&forged, Speed::Max, vec![]);
    assert_eq!(outcome.replayed.unwrap().unwrap(), replayed);
    assert!(told.len() == 2 && told[0].starts_with("Differs(Difference { step: 3000"), "{told:?}");
}

#[test]
fn a_line_that_cannot_be_replayed_stops_a_replay_with_viewers_there() {
    let (_, text) = untouched(3_000);
    let broken = with_line(&text, head(&text) + 1, r#"{"step":1500,"do":"fly"}"#);
    let (outcome, told, _) = shown(&broken, Speed::Max, vec![]);
    let error = outcome.replayed.unwrap().unwrap_err().to_string();
    let at = head(&text) + 2;
    assert!(
        error.starts_with(&format!("run.log, line {at}: ")) && error.contains("fly"),
        "{error}"
    );
    assert!(told.len() == 1 && told[0].starts_with("Failed("), "{told:?}");
    // The line is read after the one before it was done.
    assert_eq!(outcome.session.steps_done(), 1000);
}

#[test]
fn a_log_is_its_scene_and_some_bytes_a_second() {
    let (_, short) = untouched(1_000);
    let (_, long) = untouched(11_000);
    let per_second = (long.len() - short.len()) / 10;
    assert!(per_second < 80, "{per_second} bytes");
    assert!(short.len() < 20_000, "{} bytes", short.len());
}

#[test]
fn a_log_that_is_cut_off_replays_up_to_its_last_whole_line() {
    let (_, text) = played_with(8);
    let lines: Vec<&str> = text.lines().collect();
    let is_command = |line: &&str| line.contains("\"do\":\"command\"");
    let end = 60 + lines[60..].iter().position(is_command).unwrap();
    let whole: String = lines[..end].iter().flat_map(|line| [*line, "\n"]).collect();
    let replayed = read(&whole).unwrap();
    let last: serde_json::Value = serde_json::from_str(lines[end - 1]).unwrap();
    assert_eq!(Some(replayed.steps), last["step"].as_u64());
    assert_eq!(replayed.is_same(), None, "how the run ended is unknown");
    assert!(replayed.is_whole);
    for cut in 1..lines[end].len() {
        let torn = format!("{whole}{}", &lines[end][..cut]);
        assert_eq!(read(&torn).unwrap(), replayed, "cut after {cut} bytes of a line");
    }
}

#[test]
fn a_log_that_was_tampered_with_does_not_end_in_the_same_bits() {
    // A command for no robot, or one before a reset, is not missed: of some logs the last one is.
    let tampered = (9..17).filter(|seed| {
        let (_, text) = played_with(*seed);
        let line = text.lines().rfind(|line| line.contains("\"command\"")).unwrap();
        let without = text.replace(&format!("{line}\n"), "");
        read(&without).unwrap().is_same() == Some(false)
    });
    assert!(tampered.count() > 2);
}

#[test]
fn errors_name_file_line_what_was_expected_and_what_was_there() {
    let (_, text) = untouched(100);
    let count = head(&text);
    let head: String = text.lines().take(count).flat_map(|line| [line, "\n"]).collect();
    let next = count + 1;
    let error = |text: String| read(&text).unwrap_err().to_string();
    let cases = [
        (
            format!("{head}{{\"step\":5,\"do\":\"reset\"}}\n{{\"step\":4,\"do\":\"reset\"}}\n"),
            format!("line {}: expected a step not before 5, got step 4", next + 1),
        ),
        (
            format!(
                "{head}{{\"step\":0,\"do\":\"end\",\"state_hash\":\"{:016}\",\"lost\":3}}\n",
                0
            ),
            format!("line {next}: expected a complete log, got one that lost 3 entries at the end"),
        ),
        (
            format!("{head}{}", " ".repeat(MOST_LINE_BYTES + 1)),
            format!("line {next}: expected a line of at most 136314880 bytes, got a longer one"),
        ),
        (
            String::new(),
            "line 1: expected the header of a command log, got an empty file".to_owned(),
        ),
        (
            head.lines().next().unwrap().to_owned() + "\n",
            "line 2: expected a file of the log's scene, got something else, or the log's end"
                .to_owned(),
        ),
        (
            head.replace("\"step_s\":0.001", "\"step_s\":0.002"),
            format!("line {count}: expected step_s of the log's scene, 0.001, got 0.002"),
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(error(text), format!("run.log, {expected}"));
    }
    let old = r#"{"rolima_log":1,"rolima":"0.1.0","scene":"soccer","set":[],"seed":7}"#;
    assert_eq!(
        error(format!("{old}\n")),
        "run.log, line 1: expected a log of format 3, got format 1, written by rolima 0.1.0; logs of \
         format 1 do not hold their scenes: the program that wrote it replays it"
    );
    // What is in a scene's files counts.
    let other = error(head.replace("[[robot]]", "[[robo]]"));
    assert!(other.contains("expected the scene `soccer`"), "{other}");
    let missing = LogReader::open(std::path::Path::new("no/such.log")).err().unwrap();
    assert!(missing.to_string().starts_with("no/such.log: "), "{missing}");
}

#[test]
fn no_bytes_make_a_replay_panic() {
    let (_, text) = played_with(11);
    let model = soccer().model;
    let mut rng = Stream::new(1, 0, "mutations");
    for round in 0..300 {
        // Within the header and the files, or in what was done.
        let from = if round % 2 == 0 { 0 } else { head(&text) };
        let spoilt = if from == 0 { 0..text.len().min(3000) } else { 0..1000 };
        let whole: String = text.lines().take(from).flat_map(|line| [line, "\n"]).collect();
        let rest = text.as_bytes()[whole.len()..].get(spoilt).unwrap_or_default();
        let mut bytes = rest.to_vec();
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
        fuzz_entry(&[whole.as_bytes(), &bytes].concat(), &model);
    }
}

#[test]
fn the_seeds_of_the_fuzzer_are_logs_of_scenes_that_can_be_read() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../fuzz/seeds/command_log");
    let mut scenes = 0;
    for seed in std::fs::read_dir(folder).unwrap() {
        let mut reader = LogReader::open(&seed.unwrap().path()).unwrap();
        reader.header().source.load().unwrap();
        scenes += 1;
        while let Some(line) = reader.read().unwrap() {
            if let LogLine::Entry(_, Entry::Load { source, .. }) = line {
                source.unwrap().load().unwrap();
                scenes += 1;
            }
        }
    }
    assert_eq!(scenes, 3);
}

#[test]
fn bytes_that_are_no_text_are_told_and_not_repeated() {
    for bytes in [&b"\x1b[31mred\n"[..], &b"\xff\xfe\x00\n"[..]] {
        let why = match LogReader::new("a.jsonl", bytes) {
            Ok(_) => panic!("it is no log"),
            Err(why) => why.to_string(),
        };
        let expected = "a.jsonl, line 1: expected the header of a command log";
        assert!(why.starts_with(expected) && why.ends_with("got bytes that are no text"), "{why}");
    }
}
