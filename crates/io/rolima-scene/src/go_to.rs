//! Robots that go to goals by themselves, and the vision they see by.

use crate::ledger::Origin;
use crate::log::Log;
use crate::reader::{Fields, Key, KeyKind, flag, key, keys_of, point, table, text};
use crate::scene::Assembler;
use crate::tree::{Node, Value};
use rolima_math::Pose2;
use rolima_model::{DriverSpec, GoalSpec, RouteSpec, VisionSpec, keys};

/// Keys of the driver.
pub(crate) const GO_TO: &[Key] = &[
    GOALS,
    flag("repeat", false, "whether it goes for the first goal again after the last"),
    keys::WAIT,
    VISION_OF_ONE,
];

const GOALS: Key = key(
    "goals",
    "m, m, deg",
    KeyKind::Other("1 to 100 of [x, y, heading], or tables"),
    "where it goes, one after the other; a table is a ball to meet",
);

const VISION_OF_ONE: Key = table("vision", "that of the scene", "by what this robot sees");

/// Keys of a goal that is a ball.
pub(crate) const BALL_TO_MEET: &[Key] =
    &[text("ball", "name of a ball to meet"), point("aim", "m", "where to send it")];

/// Keys of a vision.
pub(crate) const VISION: &[Key] = keys_of!(VisionSpec::KEYS);

impl Assembler {
    /// The vision of the scene.
    pub(crate) fn vision(&mut self, scene: &Fields<'_>) {
        self.spec.vision = vision(&mut self.log, scene);
    }
}

/// The driver `go-to`.
pub(crate) fn driver(log: &mut Log, fields: &Fields<'_>) -> DriverSpec {
    let goals = match fields.get(GOALS.name) {
        Some(_) => fields.list(log, GOALS.name),
        None => {
            let expected = "a list of goals: [[x, y, heading], { ball = \"name\", aim = [x, y] }]";
            log.wrong(fields.origin, fields.key_path(GOALS.name), expected, "nothing");
            vec![]
        }
    };
    if let Some(node) = fields.get(GOALS.name).filter(|_| goals.is_empty()) {
        log.record(fields.key_path(GOALS.name), node.value.got(), &GOALS, node.origin.clone());
    }
    let goals = goals.into_iter().filter_map(|(node, path)| goal(log, node, path)).collect();
    let repeat = fields.flag(log, "repeat");
    let wait_s = fields.number(log, keys::WAIT.name);
    let own = fields.get(VISION_OF_ONE.name).map(|_| vision(log, fields));
    if own.is_none() {
        let origin = Origin::Default(VISION_OF_ONE.source);
        let path = fields.key_path(VISION_OF_ONE.name);
        log.record(path, "the scene's".to_owned(), &VISION_OF_ONE, origin);
    }
    DriverSpec::GoTo { route: RouteSpec { goals, repeat, wait_s }, vision: own }
}

/// A pose, or a ball with where to send it.
fn goal(log: &mut Log, node: &Node, path: String) -> Option<GoalSpec> {
    if let Some([x, y, degrees]) = node.value.numbers() {
        log.record(path, node.value.shown(), &GOALS, node.origin.clone());
        return Some(GoalSpec::Pose(Pose2::new(x, y, degrees.to_radians())));
    }
    if !matches!(node.value, Value::Table(_)) {
        let expected = "3 finite numbers [x, y, heading] (m, m, degrees), or { ball = \"name\", aim = [x, y] }";
        log.wrong(&node.origin, path, expected, node.value.got());
        return None;
    }
    let fields = Fields::open(log, node, path, &[BALL_TO_MEET])?;
    let ball = fields.text(log, "ball");
    Some(GoalSpec::Ball { ball, aim: fields.point(log, "aim") })
}

/// The table `vision`; true poses where it says nothing.
fn vision(log: &mut Log, parent: &Fields<'_>) -> VisionSpec {
    let node = parent.child("vision");
    let mut vision = VisionSpec::default();
    if let Some(fields) = Fields::open(log, &node, parent.key_path("vision"), &[VISION]) {
        fields.numbers(log, &mut vision, VisionSpec::KEYS);
    }
    vision
}
