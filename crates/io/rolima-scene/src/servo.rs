//! `[robot.servo]`: speed controllers.

use crate::reader::{Fields, Key, keys_of};
use crate::scene::Assembler;
use rolima_model::ServoSpec;

pub(crate) const SERVO: &[Key] = keys_of!(ServoSpec::KEYS);

impl Assembler {
    /// Reads the speed controller of a robot.
    pub(crate) fn servo(&mut self, robot: &Fields<'_>) -> Option<ServoSpec> {
        let node = robot.get("servo")?;
        let log = &mut self.log;
        if node.text() == Some("none") {
            robot.text(log, "servo");
            return None;
        }
        if node.table().is_none() {
            let expected = "a table, or \"none\" for voltages only";
            log.wrong(&node.origin, robot.key_path("servo"), expected, node.value.got());
            return None;
        }
        let fields = Fields::open(log, node, robot.key_path("servo"), &[SERVO])?;
        let mut servo = ServoSpec::default();
        fields.numbers(log, &mut servo, ServoSpec::KEYS);
        Some(servo)
    }
}
