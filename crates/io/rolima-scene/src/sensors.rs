//! `[[robot.sensor]]`: what robots carry to sense with.

use crate::ledger::Origin;
use crate::reader::{Fields, Key, table, tables};
use crate::scene::Assembler;
use crate::sensor_keys::{SENSORS, Sensor};
use crate::tree::{Node, Value};
use rolima_math::Pose2;
use rolima_model::check::Number;
use rolima_model::{
    BumperSpec, CameraSpec, EncodersSpec, GpsSpec, ImuSpec, LidarSpec, ModelError, MotionErrorSpec,
    OdometrySpec, Rate, SensorKind, SensorSpec, SonarSpec, keys,
};

/// Keys of robots for what they carry.
pub(crate) const CARRIED: &[Key] = &[
    keys::HEIGHT.computed("that of a cube, or of the chassis' top"),
    table("servo", "\"none\"", "speed controller, or \"none\" for voltages only"),
    tables("sensor", "what it senses with"),
];

/// A sensor and the table that it was read from.
pub(crate) struct Carried {
    pub(crate) spec: SensorSpec,
    path: String,
    origin: Origin,
}

/// The specs alone.
pub(crate) fn sensor_specs(carried: &[Carried]) -> Vec<SensorSpec> {
    carried.iter().map(|carried| carried.spec.clone()).collect()
}

impl Assembler {
    /// Reads the sensors of a robot.
    pub(crate) fn sensors(&mut self, robot: &Fields<'_>) -> Vec<Carried> {
        let mut out = vec![];
        for (node, path) in robot.list(&mut self.log, "sensor") {
            out.extend(self.sensor(node, path));
        }
        out
    }

    /// Remembers where the sensors of a robot were read from.
    pub(crate) fn place_sensors(&mut self, spec_key: &str, carried: &[Carried]) {
        for (i, sensor) in carried.iter().enumerate() {
            self.place(format!("{spec_key}.sensor.{i}"), &sensor.path, &sensor.origin);
        }
    }

    fn sensor(&mut self, node: &Node, path: String) -> Option<Carried> {
        let (fields, kind) = Fields::open_kind(&mut self.log, node, path, &SENSORS)?;
        let before = self.log.error_count();
        let kind = match kind {
            Sensor::Gps => SensorKind::Gps(self.gps(&fields)),
            Sensor::Odometry => SensorKind::Odometry(self.odometry(&fields)),
            Sensor::Encoders => SensorKind::Encoders(self.encoders(&fields)),
            Sensor::Imu => SensorKind::Imu(self.imu(&fields)),
            Sensor::Lidar => SensorKind::Lidar(self.lidar(&fields)),
            Sensor::Sonar => SensorKind::Sonar(self.sonar(&fields)),
            Sensor::Bumper => SensorKind::Bumper(self.bumper(&fields)),
            Sensor::Camera => SensorKind::Camera(self.camera(&fields)),
        };
        let name = fields.text_or(&mut self.log, "name", Some(kind.name().to_owned()));
        // A stand-in for a bad value is not told of as well.
        if let (Err(error), true) = (kind.check(""), self.log.error_count() == before) {
            self.tell(&fields, error);
        }
        let (path, origin) = (fields.path.clone(), fields.origin.clone());
        Some(Carried { spec: SensorSpec { name, kind }, path, origin })
    }

    /// Tells what is wrong with a sensor where its key stands.
    fn tell(&mut self, fields: &Fields<'_>, ModelError { key, expected, got }: ModelError) {
        let name = key.trim_start_matches('.');
        // The steps of a lidar may follow from other keys.
        let instead = ["field_of_view_deg", "beams"].into_iter();
        let mut names =
            std::iter::once(name).chain(instead.filter(|_| name == keys::STEP_BEARING.name));
        let found = names.find(|name| fields.get(name).is_some());
        let (key, origin) = match found {
            Some(name) => (fields.key_path(name), fields.origin_of(name)),
            None => (fields.path.clone(), fields.origin),
        };
        self.log.wrong(origin, key, expected, got);
    }

    /// Reads when a sensor reads, and the numbers of its specification.
    fn numbers<S>(&mut self, fields: &Fields<'_>, spec: &mut S, list: &[Number<S>]) -> Rate {
        let hertz = fields.number(&mut self.log, "rate_hz");
        let phase_s = fields.number(&mut self.log, keys::PHASE_S.name);
        fields.numbers(&mut self.log, spec, list);
        Rate { period_s: 1.0 / hertz.max(1e-9), phase_s }
    }

    fn gps(&mut self, fields: &Fields<'_>) -> GpsSpec {
        let mut spec = GpsSpec::default();
        spec.rate = self.numbers(fields, &mut spec, GpsSpec::KEYS);
        spec.mount = fields.point(&mut self.log, "mount");
        spec
    }

    fn odometry(&mut self, fields: &Fields<'_>) -> OdometrySpec {
        let mut spec = OdometrySpec::default();
        spec.rate = self.numbers(fields, &mut spec, OdometrySpec::KEYS);
        fields.numbers(&mut self.log, &mut spec.motion, MotionErrorSpec::KEYS);
        spec
    }

    fn encoders(&mut self, fields: &Fields<'_>) -> EncodersSpec {
        let mut spec = EncodersSpec::default();
        spec.rate = self.numbers(fields, &mut spec, EncodersSpec::KEYS);
        spec
    }

    fn imu(&mut self, fields: &Fields<'_>) -> ImuSpec {
        let mut spec = ImuSpec::default();
        spec.rate = self.numbers(fields, &mut spec, ImuSpec::KEYS);
        spec.accelerometer_bias = fields.point(&mut self.log, "accelerometer_bias");
        spec.mount = fields.pose(&mut self.log).pose();
        spec
    }

    fn lidar(&mut self, fields: &Fields<'_>) -> LidarSpec {
        let mut spec = LidarSpec::default();
        spec.rate = self.numbers(fields, &mut spec, LidarSpec::KEYS);
        let log = &mut self.log;
        let beams = fields.count(log, "beams");
        let view = fields.number(log, "field_of_view_deg");
        // As the release has them: left first, and the last one at the right end.
        let step = view / beams as f64;
        spec.beams = beams as usize;
        spec.first_bearing = fields.number_or(log, keys::FIRST_BEARING.name, 0.5 * view - step);
        spec.step_bearing = fields.number_or(log, keys::STEP_BEARING.name, -step);
        spec.mount = fields.pose(log).pose();
        spec
    }

    fn sonar(&mut self, fields: &Fields<'_>) -> SonarSpec {
        let mut spec = SonarSpec::default();
        spec.rate = self.numbers(fields, &mut spec, SonarSpec::KEYS);
        if let Some(node) = fields.get("ring") {
            spec.ring = self.ring(fields, node);
        }
        spec.rays = fields.count(&mut self.log, "rays") as usize;
        spec
    }

    fn ring(&mut self, fields: &Fields<'_>, node: &Node) -> Vec<Pose2> {
        let one = |item: &Node| {
            let [x, y, heading] = item.value.numbers()?;
            Some(Pose2::new(x, y, f64::to_radians(heading)))
        };
        let ring = match &node.value {
            Value::Array(items) => items.iter().map(one).collect::<Option<Vec<_>>>(),
            _ => None,
        };
        ring.unwrap_or_else(|| {
            let expected = "a list of transducers [[x, y, heading], ...] (m, m, degrees)";
            let path = fields.key_path("ring");
            self.log.wrong(&node.origin, path, expected, node.value.got());
            vec![]
        })
    }

    fn bumper(&mut self, fields: &Fields<'_>) -> BumperSpec {
        let mut spec = BumperSpec::default();
        spec.rate = self.numbers(fields, &mut spec, BumperSpec::KEYS);
        spec.sectors = fields.count(&mut self.log, "sectors") as u32;
        spec
    }

    fn camera(&mut self, fields: &Fields<'_>) -> CameraSpec {
        let mut spec = CameraSpec::default();
        spec.rate = self.numbers(fields, &mut spec, CameraSpec::KEYS);
        let log = &mut self.log;
        spec.pixels = ["width", "height"].map(|name| fields.count(log, name) as u32);
        let opening = fields.point(log, "opening_deg");
        spec.opening = [opening.x.to_radians(), opening.y.to_radians()];
        let place = fields.point(log, "mount");
        (spec.mount[0], spec.mount[1]) = (place.x, place.y);
        spec.smooth = fields.flag(log, "smooth");
        spec.shadows = fields.flag(log, "shadows");
        spec
    }
}
