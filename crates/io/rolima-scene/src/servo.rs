//! `[robot.servo]`: speed controllers.

use crate::reader::{Fields, Key, Number, OURS, Range, key};
use crate::scene::Assembler;
use crate::sensors::degrees;
use Range::{NotNegative, Positive};
use rolima_model::ServoSpec;

const SERVO: &[Number<ServoSpec>] = &[
    Number {
        key: key("max_speed", "m/s", "fastest speed; commands beyond it are cut"),
        range: NotNegative,
        source: OURS,
        slot: |s| &mut s.max_speed,
    },
    Number {
        key: key("acceleration", "m/s2", "largest change of speed"),
        range: Positive,
        source: OURS,
        slot: |s| &mut s.acceleration,
    },
];

const SERVO_TURNING: &[Key] = &[
    key("max_turning_deg_s", "deg/s", "fastest turning; commands beyond it are cut"),
    key("turning_acceleration_deg_s2", "deg/s2", "largest change of turning"),
];

impl Assembler {
    /// Reads the speed controller of a robot.
    pub(crate) fn servo(&mut self, robot: &Fields<'_>) -> Option<ServoSpec> {
        let node = robot.get("servo")?;
        let log = &mut self.log;
        if node.text() == Some("none") {
            robot.text(log, "servo", None);
            return None;
        }
        if node.table().is_none() {
            let expected = "a table, or \"none\" for voltages only";
            log.wrong(&node.origin, robot.key_path("servo"), expected, node.value.got());
            return None;
        }
        let known = SERVO.iter().map(|number| &number.key).chain(SERVO_TURNING);
        let fields = Fields::open(log, node, robot.key_path("servo"), known)?;
        let mut servo = ServoSpec::default();
        fields.numbers(log, &mut servo, SERVO);
        let mut turning = |name, range, default: f64| {
            fields.number(log, name, range, Some((degrees(default), OURS))).to_radians()
        };
        servo.max_turning = turning("max_turning_deg_s", NotNegative, servo.max_turning);
        let most = servo.turning_acceleration;
        servo.turning_acceleration = turning("turning_acceleration_deg_s2", Positive, most);
        Some(servo)
    }
}
