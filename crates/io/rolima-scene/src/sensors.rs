//! `[[robot.sensor]]` and `[[sensor]]`: what robots carry, and what stands in the world, to sense with.

use crate::ledger::Origin;
use crate::reader::{Fields, Key, OURS, Range, key};
use crate::scene::{Assembler, Site};
use crate::sensor_keys::{KINDS, Kind, WORLD_KINDS};
use crate::tree::{Node, Value};
use Range::{Any, NotNegative, Positive};
use rolima_math::{Pose2, Vec2};
use rolima_model::{
    BumperSpec, CameraSpec, EncodersSpec, GpsSpec, ImuSpec, LidarSpec, MOST_BEAMS,
    MOST_PICTURE_PIXELS, ModelError, OdometrySpec, Rate, SensorKind, SensorSpec, SonarSpec,
    WorldSensorSpec, p3dx_ring,
};
use std::f64::consts::PI;

const THESIS: &str = "Robot One thesis";
const RELEASE: &str = "Robot One release";
const P3DX: &str = "Pioneer P3-DX";
const MPU: &str = "MPU-6050";

/// Keys of robots for what they carry.
pub(crate) const CARRIED: &[Key] = &[
    key("height", "m", "height, for views, cameras and rays"),
    key("servo", "-", "speed controller, or \"none\" for voltages only"),
    key("sensor", "-", "what it senses with"),
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

/// Degrees for people: without the last digits that come from going to and fro.
pub(crate) fn degrees(radians: f64) -> f64 {
    (radians.to_degrees() * 1e9).round() / 1e9
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
        let (fields, kind) = Fields::open_kind(&mut self.log, node, path, KINDS, None)?;
        let default_name = KINDS.iter().find(|known| known.1 as u8 == kind as u8)?.0;
        let name = Some((default_name.to_owned(), "its kind"));
        let name = fields.text(&mut self.log, "name", name);
        let mut kind = self.of_kind(&fields, kind);
        self.mount(&fields, &mut kind);
        if let Err(error) = kind.check("") {
            self.tell(&fields, &error);
        }
        let (path, origin) = (fields.path.clone(), fields.origin.clone());
        Some(Carried { spec: SensorSpec { name, kind }, path, origin })
    }

    /// Reads a sensor of the world.
    pub(crate) fn world_sensor(&mut self, node: &Node, path: String, site: &Site<'_>) {
        let opened = Fields::open_kind(&mut self.log, node, path, WORLD_KINDS, None);
        let Some((fields, kind)) = opened else { return };
        let mut kind = self.of_kind(&fields, kind);
        stand(&mut kind);
        let count = self.spec.sensors.len();
        let alike = self.spec.sensors.iter().filter(|s| s.kind.name() == kind.name()).count();
        let name = self.name(&fields, site, kind.name(), alike);
        let position = fields.array(&mut self.log, "position", None).unwrap_or_default();
        let [heading, tilt, roll] = ["heading_deg", "tilt_deg", "roll_deg"]
            .map(|name| self.turned(&fields, name, Any, (0.0, OURS)));
        let own = WorldSensorSpec { name, kind, position, heading, tilt, roll };
        if let Err(error) = own.check("") {
            self.tell(&fields, &error);
        }
        let [x, y, above] = position;
        let place = site.placement.point(Vec2::new(x, y));
        let turned = (site.placement.degrees + degrees(heading)) % 360.0;
        let heading = if site.placement.degrees == 0.0 { heading } else { turned.to_radians() };
        self.place(format!("sensor.{count}"), &fields.path, fields.origin);
        let position = [place.x, place.y, above];
        self.spec.sensors.push(WorldSensorSpec { position, heading, ..own });
    }

    /// Reads what a sensor is, apart from where it is.
    fn of_kind(&mut self, fields: &Fields<'_>, kind: Kind) -> SensorKind {
        match kind {
            Kind::Gps => SensorKind::Gps(self.gps(fields)),
            Kind::Odometry => SensorKind::Odometry(self.odometry(fields)),
            Kind::Encoders => SensorKind::Encoders(self.encoders(fields)),
            Kind::Imu => SensorKind::Imu(self.imu(fields)),
            Kind::Lidar => SensorKind::Lidar(self.lidar(fields)),
            Kind::Sonar => SensorKind::Sonar(self.sonar(fields)),
            Kind::Bumper => SensorKind::Bumper(self.bumper(fields)),
            Kind::Camera => SensorKind::Camera(self.camera(fields)),
        }
    }

    /// Reads where a sensor that may stand in the world is on a robot.
    fn mount(&mut self, fields: &Fields<'_>, kind: &mut SensorKind) {
        match kind {
            SensorKind::Lidar(lidar) => {
                lidar.mount = fields.pose(&mut self.log).pose();
                lidar.height = self.plain(fields, "height", NotNegative, (lidar.height, OURS));
            }
            SensorKind::Sonar(sonar) => {
                if fields.get("ring").is_none() {
                    sonar.ring = p3dx_ring();
                }
                sonar.height = self.plain(fields, "height", NotNegative, (sonar.height, OURS));
            }
            SensorKind::Camera(camera) => {
                let [x, y, above] = camera.mount;
                let place = fields.point(&mut self.log, "mount", Some((Vec2::new(x, y), OURS)));
                let above = (above, "ours: above the lidar");
                let above = self.plain(fields, "mount_height", NotNegative, above);
                camera.mount = [place.x, place.y, above];
                camera.heading = self.turned(fields, "heading_deg", Any, (camera.heading, OURS));
                camera.tilt = self.turned(fields, "tilt_deg", Any, (camera.tilt, OURS));
            }
            _ => {}
        }
    }

    /// Tells what is wrong with a sensor by the key of the file that it comes from.
    fn tell(&mut self, fields: &Fields<'_>, error: &ModelError) {
        let name = error.key.trim_start_matches('.');
        let last = name.rsplit('.').next().unwrap_or(name);
        let candidates: &[&str] = match last {
            "period_s" => &["rate_hz"],
            "opening_x" | "opening_y" => &["opening_deg"],
            "step_bearing" => &["step_bearing_deg", "field_of_view_deg", "beams"],
            "first_bearing" => &["first_bearing_deg"],
            "x" | "y" | "z" => &["mount", "pose", "accelerometer_bias", "position"],
            "mount" => &["pose", "mount"],
            _ => &[],
        };
        let in_degrees = format!("{last}_deg");
        let per_second = format!("{last}_deg_s");
        let own = [last, &in_degrees, &per_second];
        let found = candidates.iter().chain(&own).find(|key| fields.get(key).is_some());
        let (key, origin) = match found {
            Some(key) => (fields.key_path(key), fields.origin_of(key)),
            None => (fields.path.clone(), fields.origin),
        };
        let radians = found.is_some_and(|key| key.contains("_deg"));
        let unit = if radians { " (rad)" } else { "" };
        let expected = match last {
            "period_s" => format!("a period of {}", error.expected.replace("a number ", "")),
            _ => format!("{}{unit}", error.expected),
        };
        self.log.wrong(origin, key, expected, format!("{}{unit}", error.got));
    }

    fn rate(&mut self, fields: &Fields<'_>, default: Rate, source: &'static str) -> Rate {
        let hertz = (1e9 / default.period_s).round() / 1e9;
        let hertz = self.plain(fields, "rate_hz", Positive, (hertz, source));
        let phase_s = self.plain(fields, "phase_s", NotNegative, (default.phase_s, OURS));
        Rate { period_s: 1.0 / hertz.max(1e-9), phase_s }
    }

    fn plain(
        &mut self,
        fields: &Fields<'_>,
        name: &str,
        range: Range,
        default: (f64, &'static str),
    ) -> f64 {
        fields.number(&mut self.log, name, range, Some(default))
    }

    /// A number in degrees, in radians; the default is in radians, too.
    fn turned(
        &mut self,
        fields: &Fields<'_>,
        name: &str,
        range: Range,
        default: (f64, &'static str),
    ) -> f64 {
        self.plain(fields, name, range, (degrees(default.0), default.1)).to_radians()
    }

    fn gps(&mut self, fields: &Fields<'_>) -> GpsSpec {
        let d = GpsSpec::default();
        GpsSpec {
            sigma: [
                self.plain(fields, "sigma_x", NotNegative, (d.sigma[0], RELEASE)),
                self.plain(fields, "sigma_y", NotNegative, (d.sigma[1], RELEASE)),
                self.turned(fields, "sigma_theta_deg", NotNegative, (d.sigma[2], RELEASE)),
            ],
            mount: fields.point(&mut self.log, "mount", Some((d.mount, THESIS))),
            rate: self.rate(fields, d.rate, RELEASE),
        }
    }

    fn odometry(&mut self, fields: &Fields<'_>) -> OdometrySpec {
        let mut spec = OdometrySpec::default();
        let factor =
            |assembler: &mut Self, name| assembler.plain(fields, name, Positive, (1.0, "no error"));
        spec.radius_factor =
            ["radius_factor_right", "radius_factor_left"].map(|name| factor(self, name));
        spec.distance_factor = factor(self, "distance_factor");
        spec.slip = self.plain(fields, "slip", NotNegative, (spec.slip, "no error"));
        let none = (0.0, RELEASE);
        spec.motion.sigma_linear = self.plain(fields, "sigma_linear", NotNegative, none);
        spec.motion.sigma_angular = self.turned(fields, "sigma_angular_deg", NotNegative, none);
        spec.rate = self.rate(fields, spec.rate, RELEASE);
        spec
    }

    fn encoders(&mut self, fields: &Fields<'_>) -> EncodersSpec {
        let d = EncodersSpec::default();
        let ticks = (d.ticks_per_turn, P3DX);
        EncodersSpec {
            ticks_per_turn: self.plain(fields, "ticks_per_turn", Positive, ticks),
            rate: self.rate(fields, d.rate, RELEASE),
        }
    }

    fn imu(&mut self, fields: &Fields<'_>) -> ImuSpec {
        let d = ImuSpec::default();
        let bias = Some((Vec2::ZERO, "ours: calibrated"));
        let density = (d.accelerometer_density, MPU);
        ImuSpec {
            accelerometer_bias: fields.point(&mut self.log, "accelerometer_bias", bias),
            accelerometer_density: self.plain(
                fields,
                "accelerometer_density",
                NotNegative,
                density,
            ),
            accelerometer_walk: self.plain(
                fields,
                "accelerometer_walk",
                NotNegative,
                (d.accelerometer_walk, OURS),
            ),
            accelerometer_range: self.plain(
                fields,
                "accelerometer_range",
                Positive,
                (d.accelerometer_range, MPU),
            ),
            gyro_bias: self.turned(fields, "gyro_bias_deg_s", Any, (0.0, "ours: calibrated")),
            gyro_density: self.turned(
                fields,
                "gyro_density_deg_s",
                NotNegative,
                (d.gyro_density, MPU),
            ),
            gyro_walk: self.turned(fields, "gyro_walk_deg_s", NotNegative, (d.gyro_walk, OURS)),
            gyro_range: self.turned(fields, "gyro_range_deg_s", Positive, (d.gyro_range, MPU)),
            mount: fields.pose(&mut self.log).pose(),
            rate: self.rate(fields, d.rate, OURS),
        }
    }

    fn lidar(&mut self, fields: &Fields<'_>) -> LidarSpec {
        let d = LidarSpec::default();
        let default_beams = Some((d.beams as u64, THESIS));
        let beams = fields.count(&mut self.log, "beams", 1..=MOST_BEAMS as u64, default_beams);
        let view = self.turned(fields, "field_of_view_deg", Positive, (PI, THESIS));
        // As the release has them: left first, and the last one at the right end.
        let step = view / beams as f64;
        let first = (0.5 * view - step, "released order: left first");
        LidarSpec {
            beams: beams as usize,
            first_bearing: self.turned(fields, "first_bearing_deg", Any, first),
            step_bearing: self.turned(
                fields,
                "step_bearing_deg",
                Any,
                (-step, "released order: left first"),
            ),
            range: self.plain(fields, "range", Positive, (d.range, THESIS)),
            sigma: self.plain(fields, "sigma", NotNegative, (d.sigma, RELEASE)),
            rate: self.rate(fields, d.rate, RELEASE),
            ..d
        }
    }

    fn sonar(&mut self, fields: &Fields<'_>) -> SonarSpec {
        let d = SonarSpec::default();
        let ring = match fields.get("ring") {
            None => vec![Pose2::IDENTITY],
            Some(node) => self.ring(fields, node),
        };
        SonarSpec {
            ring,
            cone: self.turned(fields, "cone_deg", NotNegative, (d.cone, P3DX)),
            rays: fields.count(&mut self.log, "rays", 1..=1000, Some((d.rays as u64, OURS)))
                as usize,
            most_incidence: self.turned(
                fields,
                "most_incidence_deg",
                NotNegative,
                (d.most_incidence, OURS),
            ),
            range: self.plain(fields, "range", Positive, (d.range, P3DX)),
            least: self.plain(fields, "least", NotNegative, (d.least, P3DX)),
            sigma: self.plain(fields, "sigma", NotNegative, (d.sigma, OURS)),
            rate: self.rate(fields, d.rate, P3DX),
            height: d.height,
        }
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
        let d = BumperSpec::default();
        let sectors = Some((u64::from(d.sectors), P3DX));
        BumperSpec {
            sectors: fields.count(&mut self.log, "sectors", 1..=32, sectors) as u32,
            first_bearing: self.turned(fields, "first_bearing_deg", Any, (d.first_bearing, OURS)),
            span: self.turned(fields, "span_deg", Positive, (d.span, OURS)),
            least_force: self.plain(fields, "least_force", NotNegative, (d.least_force, OURS)),
            rate: self.rate(fields, d.rate, RELEASE),
        }
    }

    fn camera(&mut self, fields: &Fields<'_>) -> CameraSpec {
        let d = CameraSpec::default();
        let [width, height] = ["width", "height"].map(|name| {
            let default = d.pixels[usize::from(name == "height")];
            let most = u64::from(MOST_PICTURE_PIXELS);
            let default = Some((u64::from(default), THESIS));
            fields.count(&mut self.log, name, 1..=most, default) as u32
        });
        let opening = Vec2::new(degrees(d.opening[0]), degrees(d.opening[1]));
        let opening = fields.point(&mut self.log, "opening_deg", Some((opening, THESIS)));
        CameraSpec {
            pixels: [width, height],
            opening: [opening.x.to_radians(), opening.y.to_radians()],
            near: self.plain(fields, "near", Positive, (d.near, OURS)),
            sigma: self.plain(fields, "sigma", NotNegative, (d.sigma, THESIS)),
            smooth: fields.flag(&mut self.log, "smooth", d.smooth),
            shadows: fields.flag(&mut self.log, "shadows", d.shadows),
            rate: self.rate(fields, d.rate, THESIS),
            ..d
        }
    }
}

/// Puts a sensor of the world at the origin of the frame that stands in it.
fn stand(kind: &mut SensorKind) {
    match kind {
        SensorKind::Lidar(lidar) => lidar.height = 0.0,
        SensorKind::Sonar(sonar) => sonar.height = 0.0,
        SensorKind::Camera(camera) => camera.mount = [0.0; 3],
        _ => {}
    }
}
