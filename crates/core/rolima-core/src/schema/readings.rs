//! What sensors read last.

use super::{ANY, Channel, Instant, POSITIVE, ROUND, Walker};
use rolima_model::{Model, Mount, SensorKind};

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

/// What values a reading can have: distances and counts have none below zero, directions end at a half turn.
fn range(kind: &SensorKind, unit: &str) -> [f64; 2] {
    match kind {
        SensorKind::Lidar(_) | SensorKind::Sonar(_) => POSITIVE,
        SensorKind::Bumper(_) | SensorKind::Camera(_) => POSITIVE,
        SensorKind::Gps(_) | SensorKind::Odometry(_) if unit == "rad" => ROUND,
        _ => ANY,
    }
}

/// The sensors of a robot or of the world, in their order.
pub(super) fn walk(
    model: &Model,
    mount: Mount,
    now: Option<Instant<'_>>,
    walker: &mut impl Walker,
) {
    for device in model.devices_of(mount) {
        let known = &model.devices[device];
        if walker.is_full() {
            return;
        }
        let fields = fields(&known.kind);
        for (i, place) in known.range().enumerate() {
            let (_, unit, meaning) = fields[i.min(fields.len() - 1)];
            let channel = || {
                let name = sensor_channel(model, device, i);
                Channel { name, unit, meaning, range: range(&known.kind, unit) }
            };
            let value = now.and_then(|now| now.frame.readings.get(place).copied());
            walker.single(channel, value);
        }
    }
}

/// The channel of a number of a sensor's reading; the others of the reading follow it in the schema.
pub fn sensor_channel(model: &Model, device: usize, i: usize) -> String {
    let known = &model.devices[device];
    let fields = fields(&known.kind);
    let field = fields[i.min(fields.len() - 1)].0;
    let number = if known.count as usize > fields.len() { format!(".{i}") } else { String::new() };
    let of_robot = match known.mount {
        Mount::Robot(_) => format!("robot.{}.", model.mount_name(known.mount)),
        Mount::World => String::new(),
    };
    format!("{of_robot}sensor.{}.{field}{number}", known.name)
}
