//! Lines of logs read back to the bit, whatever is in them.

use super::bundled::Known;
use super::line::{Read, put_end, put_entry, put_header, read_header, read_line};
use super::{Entry, Header, LoggedEnd};
use proptest::prelude::*;
use rolima_agents::{Action, Route, Target};
use rolima_core::{BodyId, Command, RobotId, Volts};
use rolima_math::{Pose2, Rot2, Vec2};
use rolima_scene::{Bundle, Root};
use std::sync::Arc;

fn any_number() -> impl Strategy<Value = f64> {
    any::<u64>().prop_map(f64::from_bits)
}

fn any_vector() -> impl Strategy<Value = Vec2> {
    (any_number(), any_number()).prop_map(|(x, y)| Vec2::new(x, y))
}

fn any_pose() -> impl Strategy<Value = Pose2> {
    (any_vector(), any_number(), any_number())
        .prop_map(|(position, c, s)| Pose2 { position, rotation: Rot2 { c, s } })
}

fn any_bundle() -> impl Strategy<Value = Bundle> {
    let root = prop_oneof![
        any::<String>().prop_map(Root::File),
        any::<String>().prop_map(Root::Text),
        any::<Option<String>>().prop_map(|folder| Root::Map { folder }),
    ];
    let content = prop_oneof![any::<Vec<u8>>(), any::<String>().prop_map(String::into_bytes)];
    let files = prop::collection::btree_map(any::<String>(), content, 0..4);
    (root, any::<Vec<String>>(), any::<Option<String>>(), files).prop_map(
        |(root, sets, title, files)| {
            let shared = |(name, bytes): (String, Vec<u8>)| (name.into(), bytes.into());
            Bundle { root, sets, title, files: files.into_iter().map(shared).collect() }
        },
    )
}

fn any_action() -> impl Strategy<Value = Action> {
    let (n, v, p, u) = (any_number, any_vector, any_pose, any::<u32>);
    let robot = || any::<u32>().prop_map(RobotId);
    let body = || any::<u32>().prop_map(BodyId);
    let command = prop_oneof![
        (n(), n()).prop_map(|(right, left)| Volts { right, left }.into()),
        (n(), n()).prop_map(|(v, omega)| Command::Velocity { v, omega }),
        (n(), n()).prop_map(|(right, left)| Command::Wheels { right, left }),
        (any::<u32>(), n()).prop_map(|(actuator, value)| Command::Direct { actuator, value }),
    ];
    prop_oneof![
        (robot(), command).prop_map(|(robot, command)| Action::Command { robot, command }),
        (u(), u(), n()).prop_map(|(device, axis, sigma)| Action::Sigma { device, axis, sigma }),
        (robot(), p()).prop_map(|(robot, pose)| Action::Believe { robot, pose }),
        (robot(), p()).prop_map(|(robot, pose)| Action::Goal { robot, pose }),
        (robot(), any_route(), any::<bool>()).prop_map(|(robot, route, append)| Action::Route {
            robot,
            route: route.into(),
            append
        }),
        robot().prop_map(|robot| Action::NoGoal { robot }),
        robot().prop_map(|robot| Action::Stop { robot }),
        robot().prop_map(|robot| Action::Release { robot }),
        (body(), p()).prop_map(|(body, pose)| Action::Place { body, pose }),
        (body(), v(), v()).prop_map(|(body, point, impulse)| Action::Push { body, point, impulse }),
        (body(), v(), v()).prop_map(|(body, own, hand)| Action::Grab { body, own, hand }),
        body().prop_map(|body| Action::LetGo { body }),
    ]
}

fn any_route() -> impl Strategy<Value = Route> {
    let x = any::<f64>;
    let target = prop_oneof![
        (x(), x(), x()).prop_map(|(x, y, c)| {
            Target::Pose(Pose2 { position: Vec2::new(x, y), rotation: Rot2 { c, s: -y } })
        }),
        (any::<u32>(), x(), x())
            .prop_map(|(ball, x, y)| Target::Ball { ball: BodyId(ball), aim: Vec2::new(x, y) }),
    ];
    (prop::collection::vec(target, 0..4), any::<bool>(), x())
        .prop_map(|(goals, repeat, wait_s)| Route { goals, repeat, wait_s })
}

fn any_entry() -> impl Strategy<Value = Entry> {
    prop_oneof![
        12 => any_action().prop_map(Entry::Action),
        1 => Just(Entry::Reset),
        1 => any::<u64>().prop_map(Entry::Seed),
        1 => any::<u64>().prop_map(Entry::Hash),
        1 => prop::collection::vec(any::<u8>(), 0..50).prop_map(|saved| Entry::Restore(saved.into())),
        2 => (any::<String>(), any::<u64>(), any_bundle()).prop_map(|(scene, model, source)| {
            Entry::Load { scene, model, source: Some(Arc::new(source)) }
        }),
    ]
}

/// The numbers of an entry by their bits; all that are none are alike.
fn bits(entry: &Entry) -> String {
    format!("{entry:?}").replace("-NaN", "NaN")
}

/// The lines that were written.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.strip_suffix(b"\n").expect("a whole line").split(|byte| *byte == b'\n')
}

fn header_of(bytes: &[u8]) -> Header {
    let mut lines = lines(bytes);
    let line = read_header(lines.next().expect("a header")).expect("a header");
    let mut known = Known::default();
    for file in lines {
        assert_eq!(read_line(file, &mut known), Ok(Read::File(0)));
    }
    line.finish(&mut known).expect("all its files")
}

proptest! {
    #[test]
    fn every_entry_reads_back_to_the_bit(
        entries in prop::collection::vec((any::<u64>(), any_entry()), 1..6),
    ) {
        let (mut output, mut known) = (vec![], Known::default());
        for (step, entry) in &entries {
            put_entry(&mut output, *step, entry, &mut known).unwrap();
        }
        let mut known = Known::default();
        let mut left = entries.iter();
        for line in lines(&output) {
            match read_line(line, &mut known) {
                Ok(Read::File(_)) => {}
                Ok(Read::Entry(step, got)) => {
                    let (at, entry) = left.next().expect("an entry");
                    // Debug prints the shortest text that tells two numbers apart, and the sign of zero.
                    prop_assert_eq!((step, bits(&got)), (*at, bits(entry)));
                }
                other => return Err(TestCaseError::fail(format!("{other:?}"))),
            }
        }
        prop_assert_eq!(left.next(), None);
    }

    #[test]
    fn header_and_end_read_back(
        scene: String, source in any_bundle(), seed: u64, model: u64, lost: u64, step_s in 1e-9..1.0f64,
    ) {
        let source = Arc::new(source);
        let header = Header { rolima: "1.2.3".into(), scene, seed, step_s, model, source };
        let mut output = vec![];
        put_header(&mut output, &header).unwrap();
        prop_assert_eq!(header_of(&output), header);
        let (end, mut output) = (LoggedEnd { steps: seed, state_hash: model, lost }, vec![]);
        put_end(&mut output, &end).unwrap();
        output.pop();
        prop_assert_eq!(read_line(&output, &mut Known::default()), Ok(Read::End(end)));
    }

    #[test]
    fn no_bytes_make_it_panic(bytes: Vec<u8>, key in "[a-z_]{0,9}", value: u64) {
        let _ = (read_header(&bytes).is_ok(), read_line(&bytes, &mut Known::default()));
        let text = format!("{{\"step\":1,\"do\":\"{key}\",\"body\":{value}}}");
        let _ = read_line(text.as_bytes(), &mut Known::default());
    }
}

#[test]
fn a_file_that_the_scene_before_had_is_not_written_again() {
    let file = |name: &str, text: &str| (name.into(), text.as_bytes().into());
    let bundle = |files: &[(&str, &str)]| {
        let files = files.iter().map(|(name, text)| file(name, text)).collect();
        Arc::new(Bundle { root: Root::File("a".into()), sets: vec![], title: None, files })
    };
    let scenes = [
        (bundle(&[("a", "1"), ("b", "2")]), 2),
        (bundle(&[("a", "1"), ("b", "3")]), 1),
        (bundle(&[("a", "1")]), 0),
        (bundle(&[("a", "1"), ("b", "3")]), 1),
    ];
    let (mut writer, mut reader) = (Known::default(), Known::default());
    for (source, files) in scenes {
        let mut output = vec![];
        let entry = Entry::Load { scene: "s".into(), model: 1, source: Some(source) };
        put_entry(&mut output, 7, &entry, &mut writer).unwrap();
        let read: Vec<_> = lines(&output).map(|line| read_line(line, &mut reader)).collect();
        assert_eq!(read.len(), files + 1);
        assert_eq!(read.last(), Some(&Ok(Read::Entry(7, entry))));
    }
}

#[test]
fn errors_say_what_was_expected_and_what_stood_there() {
    for (line, expected, got) in [
        ("nonsense", "an entry of a command log", "nonsense"),
        ("{\"do\":\"reset\"}", "an entry", "missing field `step`"),
        ("{\"step\":1,\"do\":\"fly\"}", "an entry", "unknown variant `fly`, expected one of"),
        ("{\"step\":1,\"do\":\"release\",\"robot\":-1}", "an entry", "-1"),
        ("{\"step\":1,\"do\":\"let_go\",\"body\":4294967296}", "an entry", "4294967296"),
        ("{\"step\":1,\"do\":\"hash\",\"state_hash\":\"12\"}", "an entry", "16 hexadecimal digits"),
        (
            "{\"step\":1,\"do\":\"command\",\"robot\":1,\"right\":\"x\",\"left\":1}",
            "an entry",
            "\"nan\"",
        ),
        ("{\"step\":1,\"do\":\"file\",\"name\":\"a\"}", "`text` or `base64`", "neither"),
        ("{\"step\":1,\"do\":\"file\",\"name\":\"a\",\"base64\":\"*\"}", "`base64`", "at 0"),
        (
            "{\"step\":1,\"do\":\"load\",\"scene\":\"m\",\"model\":\"0123456789abcdef\",\
             \"root\":{\"file\":\"m\"},\"files\":[\"m\"]}",
            "the files of the scene",
            "nothing of \"m\"",
        ),
    ] {
        let (e, g) = read_line(line.as_bytes(), &mut Known::default()).unwrap_err();
        assert!(e.contains(expected) && g.contains(got), "{line}: expected {e}, got {g}");
    }
    let of = |text: &str| read_header(text.as_bytes()).err().expect("a refusal");
    let old = "{\"rolima_log\":1,\"rolima\":\"0.1.0\",\"scene\":\"soccer\",\"set\":[],\"seed\":7}";
    let (expected, got) = of(old);
    assert_eq!(expected, "a log of format 3");
    assert!(got.starts_with("format 1, written by rolima 0.1.0; logs of format 1"), "{got}");
    let (_, got) = of("{\"rolima_log\":2,\"rolima\":\"0.1.0\"}");
    assert!(got.starts_with("format 2, written by rolima 0.1.0; logs of format 2 have"), "{got}");
    assert_eq!(of("{\"rolima_log\":4}").1, "format 4, written by rolima ");
}
