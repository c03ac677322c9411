//! `[[robot.sensor]]` and `[[sensor]]`: what robots carry, and what stands in the world, to sense with.

use crate::ledger::Origin;
use crate::reader::{Fields, Key, KeyKind, key, table, tables, text};
use crate::scene::{Assembler, Site};
use crate::sensor_keys::{SENSORS, Sensor, WORLD_SENSORS};
use crate::tree::{Node, Value};
use rolima_math::{Pose2, Vec2};
use rolima_model::check::{Number, degrees};
use rolima_model::{
    BackgroundSpec, BumperSpec, CameraSpec, EncodersSpec, GpsSpec, GroundPicture, ImagingSpec,
    ImuSpec, LidarSpec, ModelError, MotionErrorSpec, OdometrySpec, Rate, SensorKind, SensorSpec,
    SonarSpec, WorldSensorSpec, keys,
};
use std::sync::Arc;

/// Keys of robots for what they carry.
pub(crate) const CARRIED: &[Key] = &[
    keys::HEIGHT.computed("that of a cube, or of the chassis' top"),
    table("servo", "\"none\"", "speed controller, or \"none\" for voltages only"),
    tables("sensor", "what it senses with"),
];

/// Longest side of a photograph, pixels; larger ones are averaged down to it, and corners are pixels of what is kept.
const MOST_PHOTOGRAPH_SIDE: u32 = 4096;

/// Keys of a photograph of the empty field.
pub(crate) const BACKGROUND: &[Key] = &[
    text("picture", "the photograph: PNG, JPEG or BMP"),
    key("corners", "1", KeyKind::Points, "four points in it, pixels from its upper left corner"),
    key("at", "m", KeyKind::Points, "the same four points on the ground"),
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
        let mut kind = self.of_kind(&fields, kind);
        self.place_on_robot(&fields, &mut kind);
        let name = fields.text_or(&mut self.log, "name", Some(kind.name().to_owned()));
        // A stand-in for a bad value is not told of as well.
        if let (Err(error), true) = (kind.check(""), self.log.error_count() == before) {
            self.tell(&fields, error);
        }
        let (path, origin) = (fields.path.clone(), fields.origin.clone());
        Some(Carried { spec: SensorSpec { name, kind }, path, origin })
    }

    /// Reads a sensor of the world.
    pub(crate) fn world_sensor(&mut self, node: &Node, path: String, site: &Site<'_>) {
        let opened = Fields::open_kind(&mut self.log, node, path, &WORLD_SENSORS);
        let Some((fields, kind)) = opened else { return };
        let before = self.log.error_count();
        let mut kind = self.of_kind(&fields, kind);
        stand(&fields, &mut kind);
        let count = self.spec.sensors.len();
        let alike = self.spec.sensors.iter().filter(|s| s.kind.name() == kind.name()).count();
        let name = self.name(&fields, site, kind.name(), alike);
        let position = fields.array(&mut self.log, keys::POSITION.name).unwrap_or_default();
        let background = self.background(&fields);
        let mut own =
            WorldSensorSpec { name, kind, position, background, ..WorldSensorSpec::default() };
        fields.numbers(&mut self.log, &mut own, WorldSensorSpec::KEYS);
        if let (Err(error), true) = (own.check(""), self.log.error_count() == before) {
            self.tell(&fields, error);
        }
        let [x, y, above] = position;
        let place = site.placement.point(Vec2::new(x, y));
        own.position = [place.x, place.y, above];
        if site.placement.degrees != 0.0 {
            let turned = (site.placement.degrees + degrees(own.heading)) % 360.0;
            own.heading = turned.to_radians();
        }
        self.place(format!("sensor.{count}"), &fields.path, fields.origin);
        self.spec.sensors.push(own);
    }

    /// Reads the photograph that stands for the empty field.
    fn background(&mut self, sensor: &Fields<'_>) -> Option<BackgroundSpec> {
        let node = sensor.get("background")?;
        let path = sensor.key_path("background");
        let fields = Fields::open(&mut self.log, node, path, &[BACKGROUND])?;
        let name = fields.get("picture").and_then(Node::text).unwrap_or_default().to_owned();
        let corners = self.four(&fields, "corners");
        let at = self.four(&fields, "at");
        let (file, bytes) = self.terrain_bytes(&fields, "picture")?;
        match rolima_terrain::coloured(&file, &bytes, MOST_PHOTOGRAPH_SIDE) {
            Ok((width, height, rgb)) => {
                let picture = Arc::new(GroundPicture { width, height, rgb });
                Some(BackgroundSpec { name, picture, corners: corners?, at: at? })
            }
            Err(error) => {
                self.log.error(error.into());
                None
            }
        }
    }

    /// Reads four points.
    fn four(&mut self, fields: &Fields<'_>, name: &str) -> Option<[Vec2; 4]> {
        let points = fields.points(&mut self.log, name);
        let count = points.len();
        let four = <[Vec2; 4]>::try_from(points).ok();
        if four.is_none() && count > 0 {
            let (path, got) = (fields.key_path(name), format!("{count} points"));
            self.log.wrong(fields.origin_of(name), path, "four points [[x, y], ...]", got);
        }
        four
    }

    /// Reads what a sensor is, apart from where it is if it may stand in the world.
    fn of_kind(&mut self, fields: &Fields<'_>, kind: Sensor) -> SensorKind {
        match kind {
            Sensor::Gps => SensorKind::Gps(self.gps(fields)),
            Sensor::Odometry => SensorKind::Odometry(self.odometry(fields)),
            Sensor::Encoders => SensorKind::Encoders(self.encoders(fields)),
            Sensor::Imu => SensorKind::Imu(self.imu(fields)),
            Sensor::Lidar => SensorKind::Lidar(self.lidar(fields)),
            Sensor::Sonar => SensorKind::Sonar(self.sonar(fields)),
            Sensor::Bumper => SensorKind::Bumper(self.bumper(fields)),
            Sensor::Camera => SensorKind::Camera(self.camera(fields)),
        }
    }

    /// Reads where a sensor that may stand in the world is on a robot.
    fn place_on_robot(&mut self, fields: &Fields<'_>, kind: &mut SensorKind) {
        let log = &mut self.log;
        match kind {
            SensorKind::Lidar(lidar) => {
                lidar.mount = fields.pose(log).pose();
                fields.numbers(log, lidar, LidarSpec::PLACE);
            }
            SensorKind::Sonar(sonar) => fields.numbers(log, sonar, SonarSpec::PLACE),
            SensorKind::Camera(camera) => {
                let place = fields.point(log, "mount");
                (camera.mount[0], camera.mount[1]) = (place.x, place.y);
                fields.numbers(log, camera, CameraSpec::PLACE);
            }
            _ => {}
        }
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
        spec.mount = fields.pose(&mut self.log).pose();
        spec
    }

    fn lidar(&mut self, fields: &Fields<'_>) -> LidarSpec {
        let mut spec = LidarSpec::default();
        spec.rate = self.numbers(fields, &mut spec, LidarSpec::KEYS);
        let log = &mut self.log;
        let view = fields.number(log, "field_of_view_deg");
        // As the release has them: left first, and the last one at the right end.
        let step = view / spec.beams as f64;
        spec.first_bearing = fields.number_or(log, keys::FIRST_BEARING.name, 0.5 * view - step);
        spec.step_bearing = fields.number_or(log, keys::STEP_BEARING.name, -step);
        spec
    }

    fn sonar(&mut self, fields: &Fields<'_>) -> SonarSpec {
        let mut spec = SonarSpec::default();
        spec.rate = self.numbers(fields, &mut spec, SonarSpec::KEYS);
        if let Some(node) = fields.get("ring") {
            spec.ring = self.ring(fields, node);
        }
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
        spec
    }

    fn camera(&mut self, fields: &Fields<'_>) -> CameraSpec {
        let mut spec = CameraSpec::default();
        fields.numbers(&mut self.log, &mut spec, CameraSpec::PRESET);
        spec = spec.with_preset();
        spec.rate = self.numbers(fields, &mut spec, CameraSpec::KEYS);
        fields.numbers(&mut self.log, &mut spec.imaging, ImagingSpec::KEYS);
        spec
    }
}

/// Puts a sensor of the world at the origin of the frame that stands in it; a sonar has one transducer
/// there if nobody says more.
fn stand(fields: &Fields<'_>, kind: &mut SensorKind) {
    match kind {
        SensorKind::Lidar(lidar) => lidar.height = 0.0,
        SensorKind::Sonar(sonar) => {
            sonar.height = 0.0;
            if fields.get("ring").is_none() {
                sonar.ring = vec![Pose2::IDENTITY];
            }
        }
        SensorKind::Camera(camera) => camera.mount = [0.0; 3],
        _ => {}
    }
}
