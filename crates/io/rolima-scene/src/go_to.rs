//! Robots that go to goals by themselves, and the vision they see by.

use crate::ledger::Origin;
use crate::log::Log;
use crate::reader::{Fields, Key, OURS, Range, key};
use crate::scene::Assembler;
use crate::tree::{Node, Value};
use rolima_math::Pose2;
use rolima_model::{DriverSpec, GoalSpec, RouteSpec, VisionSpec};

/// Keys of the driver.
pub(crate) const GO_TO: &[Key] = &[
    key(
        "goals",
        "m, m, deg",
        "where it goes, one after the other: [x, y, heading], or a ball to meet",
    ),
    key("repeat", "-", "whether it goes for the first goal again after the last"),
    key("wait_s", "s", "how long it stays at each goal"),
    key("vision", "-", "by what it sees, if not by what the scene says"),
];

/// A goal, as it is told of in the ledger.
const GOAL: Key = key("goals", "m, m, deg", "a pose to stop at: [x, y, heading]");

/// Keys of a goal that is a ball.
const BALL: &[Key] =
    &[key("ball", "-", "name of a ball to meet"), key("aim", "m", "where to send it: [x, y]")];

const VISION: &[Key] = &[
    key("position_sigma", "m", "standard error of positions"),
    key("heading_sigma_deg", "deg", "standard error of headings"),
    key("delay_s", "s", "how late poses are told, rounded to frames of 30 ms"),
    key("gap_probability", "1", "probability that a gap begins in a frame"),
    key("gap_s", "s", "how long a gap lasts, rounded to frames of 30 ms"),
];

impl Assembler {
    /// The vision of the scene.
    pub(crate) fn vision(&mut self, scene: &Fields<'_>) {
        self.spec.vision = vision(&mut self.log, scene);
    }
}

/// The driver `go-to`.
pub(crate) fn driver(log: &mut Log, fields: &Fields<'_>) -> DriverSpec {
    let goals = match fields.get("goals") {
        Some(_) => fields.list(log, "goals"),
        None => {
            let expected = "a list of goals: [[x, y, heading], { ball = \"name\", aim = [x, y] }]";
            log.wrong(fields.origin, fields.key_path("goals"), expected, "nothing");
            vec![]
        }
    };
    if let Some(node) = fields.get("goals").filter(|_| goals.is_empty()) {
        log.record(fields.key_path("goals"), node.value.got(), &GOAL, node.origin.clone());
    }
    let goals = goals.into_iter().filter_map(|(node, path)| goal(log, node, path)).collect();
    let repeat = fields.flag(log, "repeat", false);
    let wait_s = fields.number(log, "wait_s", Range::NotNegative, Some((0.0, OURS)));
    let own = fields.get("vision").map(|_| vision(log, fields));
    if own.is_none() {
        let origin = Origin::Default("that of the scene");
        let key = key("vision", "-", "by what it sees");
        log.record(fields.key_path("vision"), "the scene's".to_owned(), &key, origin);
    }
    DriverSpec::GoTo { route: RouteSpec { goals, repeat, wait_s }, vision: own }
}

/// A pose, or a ball with where to send it.
fn goal(log: &mut Log, node: &Node, path: String) -> Option<GoalSpec> {
    if let Some([x, y, degrees]) = node.value.numbers() {
        log.record(path, node.value.shown(), &GOAL, node.origin.clone());
        return Some(GoalSpec::Pose(Pose2::new(x, y, degrees.to_radians())));
    }
    if !matches!(node.value, Value::Table(_)) {
        let expected = "3 finite numbers [x, y, heading] (m, m, degrees), or { ball = \"name\", aim = [x, y] }";
        log.wrong(&node.origin, path, expected, node.value.got());
        return None;
    }
    let fields = Fields::open(log, node, path, BALL)?;
    let ball = fields.text(log, "ball", None);
    Some(GoalSpec::Ball { ball, aim: fields.point(log, "aim", None) })
}

/// The table `vision`; true poses where it says nothing.
fn vision(log: &mut Log, parent: &Fields<'_>) -> VisionSpec {
    let node = parent.child("vision");
    let Some(fields) = Fields::open(log, &node, parent.key_path("vision"), VISION) else {
        return VisionSpec::TRUE;
    };
    let mut number = |name| fields.number(log, name, Range::NotNegative, Some((0.0, OURS)));
    VisionSpec {
        position_sigma: number("position_sigma"),
        heading_sigma: number("heading_sigma_deg").to_radians(),
        delay_s: number("delay_s"),
        gap_probability: number("gap_probability"),
        gap_s: number("gap_s"),
    }
}
