//! What sensors read last.

use super::{Channel, Now, Walker};
use rolima_model::{Model, SensorKind};

/// The fields of a reading with their units and meanings; the last one stands for all that follow, which
/// are numbered.
fn fields(kind: &SensorKind) -> &'static [(&'static str, &'static str, &'static str)] {
    match kind {
        SensorKind::Gps(_) => &[
            ("x", "m", "position of the antenna"),
            ("y", "m", "position of the antenna"),
            ("heading", "rad", "heading of the compass"),
        ],
        SensorKind::Odometry(_) => &[
            ("x", "m", "believed position"),
            ("y", "m", "believed position"),
            ("heading", "rad", "believed heading"),
        ],
        SensorKind::Encoders(_) => {
            &[("right", "", "ticks of the right wheel"), ("left", "", "ticks of the left wheel")]
        }
        SensorKind::Imu(_) => &[
            ("acceleration.forward", "m/s2", "acceleration"),
            ("acceleration.left", "m/s2", "acceleration"),
            ("turning", "rad/s", "turning"),
        ],
        SensorKind::Lidar(_) => &[("distance", "m", "distance along a beam")],
        SensorKind::Sonar(_) => &[("distance", "m", "distance of the nearest echo")],
        SensorKind::Bumper(_) => &[("pressed", "", "sectors that were pressed, a bit each")],
        SensorKind::Camera(_) => &[("pictures", "", "pictures taken")],
    }
}

/// The sensors of a robot, in its order.
pub(super) fn walk(model: &Model, robot: usize, now: Option<Now<'_>>, walker: &mut impl Walker) {
    for device in model.devices_of(robot as u32) {
        let known = &model.devices[device];
        let fields = fields(&known.kind);
        let numbered = known.count as usize > fields.len();
        for (i, place) in known.range().enumerate() {
            let (field, unit, meaning) = fields[i.min(fields.len() - 1)];
            let channel = || {
                let number = if numbered { format!(".{i}") } else { String::new() };
                let robot = &model.robots[robot].name;
                let name = format!("robot.{robot}.sensor.{}.{field}{number}", known.name);
                Channel { name, unit, meaning }
            };
            walker.single(channel, now.map(|now| now.frame.readings[place]));
        }
    }
}
