//! One line of a log as text and back.

use super::fields::{Fields, short};
use crate::live::contract::{Act, MapSource};
use rolima_core::{BodyId, Command, Model, RobotId, Volts};
use serde_json::{Value, json};
use std::sync::Arc;

/// Version of the format.
pub const FORMAT: u64 = 2;

/// What a log is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// Version of the program that wrote it.
    pub rolima: String,
    /// Name or path of the scene.
    pub scene: String,
    /// What was changed in it (`--set`).
    pub sets: Vec<String>,
    /// Key of all random numbers.
    pub seed: u64,
    /// Length of a step, s.
    pub step_s: f64,
    /// Fingerprint of the compiled scene.
    pub model: u64,
}

impl Header {
    /// The header of a log of this scene.
    pub fn new(scene: &str, sets: &[String], model: &Model, seed: u64) -> Self {
        Self {
            rolima: env!("CARGO_PKG_VERSION").to_owned(),
            scene: scene.to_owned(),
            sets: sets.to_vec(),
            seed,
            step_s: model.step_s,
            model: model.fingerprint,
        }
    }
}

/// What was done to a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// Something was done to the world.
    Act(Act),
    /// Back to the first instant, same seed.
    Reset,
    /// Back to the first instant with this seed.
    Seed(u64),
    /// Another scene.
    Load {
        /// What the scene is called.
        scene: String,
        /// Fingerprint of the compiled scene.
        model: u64,
        /// The map that the scene is, where no name finds it.
        map: Option<Arc<MapSource>>,
    },
}

/// How a logged run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// Steps of the whole run.
    pub steps: u64,
    /// Hash of the last state.
    pub state_hash: u64,
    /// Entries that could not be written in time: the log is good only up to the first of them.
    pub lost: u64,
}

/// What was wrong with a line: what was expected, and what stood there.
pub(super) type Mismatch = (String, String);

pub(super) fn header_text(header: &Header) -> String {
    json!({
        "rolima_log": FORMAT,
        "rolima": header.rolima,
        "scene": header.scene,
        "set": header.sets,
        "seed": header.seed,
        "step_s": number(header.step_s),
        "model": hex(header.model),
    })
    .to_string()
}

pub(super) fn entry_text(step: u64, entry: &Entry) -> String {
    let value = match entry {
        Entry::Reset => json!({"step": step, "do": "reset"}),
        Entry::Seed(seed) => json!({"step": step, "do": "seed", "seed": seed}),
        Entry::Load { scene, model, map } => {
            let mut load =
                json!({"step": step, "do": "load", "scene": scene, "model": hex(*model)});
            if let Some(map) = map {
                load["map"] = json!(map.text);
            }
            load
        }
        Entry::Act(act) => act_value(step, act),
    };
    value.to_string()
}

fn act_value(step: u64, act: &Act) -> Value {
    let n = number;
    match *act {
        Act::Command { robot, command: Command::Volts(volts) } => json!({
            "step": step, "do": "command", "robot": robot.0,
            "right": n(volts.right), "left": n(volts.left),
        }),
        Act::Command { robot, command: Command::Velocity { v, omega } } => json!({
            "step": step, "do": "velocity", "robot": robot.0, "v": n(v), "omega": n(omega),
        }),
        Act::Command { robot, command: Command::Wheels { right, left } } => json!({
            "step": step, "do": "wheels", "robot": robot.0, "right": n(right), "left": n(left),
        }),
        Act::Stop { robot } => json!({"step": step, "do": "stop", "robot": robot.0}),
        Act::Sigma { device, axis, sigma } => json!({
            "step": step, "do": "sigma", "device": device, "axis": axis, "sigma": n(sigma),
        }),
        Act::Believe { robot, pose } => json!({
            "step": step, "do": "believe", "robot": robot.0,
            "x": n(pose.position.x), "y": n(pose.position.y),
            "cos": n(pose.rotation.c), "sin": n(pose.rotation.s),
        }),
        Act::Goal { robot, pose } => json!({
            "step": step, "do": "goal", "robot": robot.0,
            "x": n(pose.position.x), "y": n(pose.position.y),
            "cos": n(pose.rotation.c), "sin": n(pose.rotation.s),
        }),
        Act::NoGoal { robot } => json!({"step": step, "do": "no_goal", "robot": robot.0}),
        Act::Release { robot } => json!({"step": step, "do": "release", "robot": robot.0}),
        Act::Place { body, pose } => json!({
            "step": step, "do": "place", "body": body.0,
            "x": n(pose.position.x), "y": n(pose.position.y),
            "cos": n(pose.rotation.c), "sin": n(pose.rotation.s),
        }),
        Act::Push { body, point, impulse } => json!({
            "step": step, "do": "push", "body": body.0,
            "x": n(point.x), "y": n(point.y),
            "impulse_x": n(impulse.x), "impulse_y": n(impulse.y),
        }),
        Act::Grab { body, own, hand } => json!({
            "step": step, "do": "grab", "body": body.0,
            "own_x": n(own.x), "own_y": n(own.y), "x": n(hand.x), "y": n(hand.y),
        }),
        Act::LetGo { body } => json!({"step": step, "do": "let_go", "body": body.0}),
    }
}

pub(super) fn end_text(end: &End) -> String {
    json!({"step": end.steps, "do": "end", "state_hash": hex(end.state_hash), "lost": end.lost})
        .to_string()
}

fn number(x: f64) -> Value {
    if x.is_finite() {
        json!(x)
    } else if x.is_nan() {
        json!("nan")
    } else {
        json!(if x > 0.0 { "inf" } else { "-inf" })
    }
}

fn hex(word: u64) -> String {
    format!("{word:016x}")
}

/// What a line after the header says.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Read {
    Entry(u64, Entry),
    End(End),
}

pub(super) fn read_header(text: &[u8]) -> Result<Header, Mismatch> {
    let fields = Fields::read(text, "the header of a command log")?;
    let format = fields.whole("rolima_log")?;
    if format != FORMAT {
        return Err((format!("a log of format {FORMAT}"), format!("format {format}")));
    }
    Ok(Header {
        rolima: fields.text("rolima")?,
        scene: fields.text("scene")?,
        sets: fields.texts("set")?,
        seed: fields.whole("seed")?,
        step_s: fields.number("step_s")?,
        model: fields.hex("model")?,
    })
}

pub(super) fn read_line(text: &[u8]) -> Result<Read, Mismatch> {
    let f = Fields::read(text, "an entry of a command log")?;
    let step = f.whole("step")?;
    let kind = f.text("do")?;
    let act = match kind.as_str() {
        "end" => {
            let (state_hash, lost) = (f.hex("state_hash")?, f.whole("lost")?);
            return Ok(Read::End(End { steps: step, state_hash, lost }));
        }
        "reset" => return Ok(Read::Entry(step, Entry::Reset)),
        "seed" => return Ok(Read::Entry(step, Entry::Seed(f.whole("seed")?))),
        "load" => {
            let (scene, model) = (f.text("scene")?, f.hex("model")?);
            let given = |text| MapSource { text, size: None, is_given: true };
            let map = f.has("map").then(|| f.text("map")).transpose()?;
            let map = map.map(given).map(Arc::new);
            return Ok(Read::Entry(step, Entry::Load { scene, model, map }));
        }
        "command" => Act::Command {
            robot: RobotId(f.small("robot")?),
            command: Command::Volts(Volts { right: f.number("right")?, left: f.number("left")? }),
        },
        "velocity" => Act::Command {
            robot: RobotId(f.small("robot")?),
            command: Command::Velocity { v: f.number("v")?, omega: f.number("omega")? },
        },
        "wheels" => Act::Command {
            robot: RobotId(f.small("robot")?),
            command: Command::Wheels { right: f.number("right")?, left: f.number("left")? },
        },
        "stop" => Act::Stop { robot: RobotId(f.small("robot")?) },
        "sigma" => Act::Sigma {
            device: f.small("device")?,
            axis: f.small("axis")?,
            sigma: f.number("sigma")?,
        },
        "believe" => Act::Believe { robot: RobotId(f.small("robot")?), pose: f.pose()? },
        "goal" => Act::Goal { robot: RobotId(f.small("robot")?), pose: f.pose()? },
        "no_goal" => Act::NoGoal { robot: RobotId(f.small("robot")?) },
        "release" => Act::Release { robot: RobotId(f.small("robot")?) },
        "place" => Act::Place { body: BodyId(f.small("body")?), pose: f.pose()? },
        "push" => Act::Push {
            body: BodyId(f.small("body")?),
            point: f.vector("x", "y")?,
            impulse: f.vector("impulse_x", "impulse_y")?,
        },
        "grab" => Act::Grab {
            body: BodyId(f.small("body")?),
            own: f.vector("own_x", "own_y")?,
            hand: f.vector("x", "y")?,
        },
        "let_go" => Act::LetGo { body: BodyId(f.small("body")?) },
        other => {
            let known = "`do` to be command, velocity, wheels, stop, release, place, push, grab, \
                         let_go, sigma, goal, no_goal, believe, reset, seed, load or end";
            return Err((known.to_owned(), short(&format!("`{other}`"))));
        }
    };
    Ok(Read::Entry(step, Entry::Act(act)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rolima_math::{Pose2, Rot2, Vec2};

    fn any_number() -> impl Strategy<Value = f64> {
        any::<u64>().prop_map(f64::from_bits)
    }

    fn any_vector() -> impl Strategy<Value = Vec2> {
        (any_number(), any_number()).prop_map(|(x, y)| Vec2::new(x, y))
    }

    fn any_robot() -> impl Strategy<Value = RobotId> {
        any::<u32>().prop_map(RobotId)
    }

    fn any_body() -> impl Strategy<Value = BodyId> {
        any::<u32>().prop_map(BodyId)
    }

    fn any_entry() -> impl Strategy<Value = Entry> {
        let (n, v) = (any_number, any_vector);
        prop_oneof![
            (any_robot(), n(), n()).prop_map(|(robot, right, left)| {
                Entry::Act(Act::Command { robot, command: Volts { right, left }.into() })
            }),
            (any_robot(), n(), n()).prop_map(|(robot, v, omega)| {
                Entry::Act(Act::Command { robot, command: Command::Velocity { v, omega } })
            }),
            (any_robot(), n(), n()).prop_map(|(robot, right, left)| {
                Entry::Act(Act::Command { robot, command: Command::Wheels { right, left } })
            }),
            (any::<u32>(), any::<u32>(), n()).prop_map(|(device, axis, sigma)| {
                Entry::Act(Act::Sigma { device, axis, sigma })
            }),
            (any_robot(), v(), n(), n()).prop_map(|(robot, position, c, s)| {
                let pose = Pose2 { position, rotation: Rot2 { c, s } };
                Entry::Act(Act::Believe { robot, pose })
            }),
            (any_robot(), v(), n(), n()).prop_map(|(robot, position, c, s)| {
                let pose = Pose2 { position, rotation: Rot2 { c, s } };
                Entry::Act(Act::Goal { robot, pose })
            }),
            any_robot().prop_map(|robot| Entry::Act(Act::NoGoal { robot })),
            any_robot().prop_map(|robot| Entry::Act(Act::Stop { robot })),
            any_robot().prop_map(|robot| Entry::Act(Act::Release { robot })),
            (any_body(), v(), n(), n()).prop_map(|(body, position, c, s)| {
                Entry::Act(Act::Place { body, pose: Pose2 { position, rotation: Rot2 { c, s } } })
            }),
            (any_body(), v(), v()).prop_map(|(body, point, impulse)| Entry::Act(Act::Push {
                body,
                point,
                impulse
            })),
            (any_body(), v(), v()).prop_map(|(body, own, hand)| Entry::Act(Act::Grab {
                body,
                own,
                hand
            })),
            any_body().prop_map(|body| Entry::Act(Act::LetGo { body })),
            Just(Entry::Reset),
            any::<u64>().prop_map(Entry::Seed),
            (any::<String>(), any::<u64>(), any::<Option<String>>()).prop_map(
                |(scene, model, map)| {
                    let given = |text| Arc::new(MapSource { text, size: None, is_given: true });
                    Entry::Load { scene, model, map: map.map(given) }
                }
            ),
        ]
    }

    /// The numbers of an entry by their bits; all that are none are alike.
    fn bits(entry: &Entry) -> String {
        format!("{entry:?}").replace("-NaN", "NaN")
    }

    proptest! {
        #[test]
        fn every_entry_reads_back_to_the_bit(step: u64, entry in any_entry()) {
            let text = entry_text(step, &entry);
            prop_assert!(!text.contains('\n'));
            let Ok(Read::Entry(got_step, got)) = read_line(text.as_bytes()) else {
                return Err(TestCaseError::fail(text));
            };
            prop_assert_eq!(got_step, step);
            // Debug prints the shortest text that tells two numbers apart, and the sign of zero.
            prop_assert_eq!(bits(&got), bits(&entry));
        }

        #[test]
        fn header_and_end_read_back(
            scene: String, sets: Vec<String>, seed: u64, model: u64, lost: u64,
            step_s in 1e-9..1.0f64,
        ) {
            let header = Header { rolima: "1.2.3".into(), scene, sets, seed, step_s, model };
            prop_assert_eq!(read_header(header_text(&header).as_bytes()), Ok(header));
            let end = End { steps: seed, state_hash: model, lost };
            prop_assert_eq!(read_line(end_text(&end).as_bytes()), Ok(Read::End(end)));
        }

        #[test]
        fn no_bytes_make_it_panic(bytes: Vec<u8>, key in "[a-z_]{0,9}", value: u64) {
            let _ = (read_header(&bytes), read_line(&bytes));
            let text = format!("{{\"step\":1,\"do\":\"{key}\",\"body\":{value}}}");
            let _ = read_line(text.as_bytes());
        }
    }

    #[test]
    fn errors_say_what_was_expected_and_what_stood_there() {
        for (line, expected, got) in [
            ("nonsense", "an entry of a command log", "nonsense"),
            ("{\"do\":\"reset\"}", "`step` to be a whole number", "nothing"),
            ("{\"step\":1,\"do\":\"fly\"}", "believe, reset, seed", "`fly`"),
            ("{\"step\":1,\"do\":\"release\",\"robot\":-1}", "`robot` to be a number from", "-1"),
            ("{\"step\":1,\"do\":\"let_go\",\"body\":4294967296}", "`body`", "4294967296"),
            (
                "{\"step\":1,\"do\":\"load\",\"scene\":\"m\",\"model\":\"0123456789abcdef\",\"map\":3}",
                "`map` to be a text",
                "3",
            ),
            ("{\"step\":1,\"do\":\"command\",\"robot\":1,\"right\":\"x\"}", "`right`", "\"x\""),
        ] {
            let (e, g) = read_line(line.as_bytes()).unwrap_err();
            assert!(e.contains(expected) && g.contains(got), "{line}: expected {e}, got {g}");
        }
        let older = header_text(&Header {
            rolima: String::new(),
            scene: String::new(),
            sets: vec![],
            seed: 0,
            step_s: 1e-3,
            model: 0,
        })
        .replace("\"rolima_log\":2", "\"rolima_log\":1");
        assert_eq!(
            read_header(older.as_bytes()),
            Err(("a log of format 2".to_owned(), "format 1".to_owned()))
        );
    }
}
