//! What robots with a `drive` have for terrain: `chassis`, `wheels` and castors beside the drive.
//!
//! It is read wherever it stands, and used in scenes with ground. What is missing is told only there.

use crate::ground::spatial;
use crate::ledger::Origin;
use crate::outline::OutlinePiece;
use crate::reader::{Absent, Fields, Key, Number, OURS, Range, join, keys_of, number, table};
use crate::scene::Assembler;
use crate::vehicle::{Says, WheelDraft};
use crate::vehicle_keys::{SUSPENSION, VEHICLE, WHEEL, WHEEL_PLACE};
use rolima_math::Vec3;
use rolima_model::undercarriage::{DRIVEN_WHEELS, height_of_cube, outline_box};
use rolima_model::{
    DriveSpec, GroundSpec, ModelError, PartSpec, Shape, Undercarriage, vehicle_of_drive,
};
use rolima_spatial::{
    ChassisSpec, HitchSpec, MOST_WHEELS, Side, SpatialModel, SuspensionSpec, TyreLaw, VehicleSpec,
    WheelSpec,
};
use std::ops::Range as Span;

/// What stands for a key of which nothing is assumed: flat floors do not ask for it.
const NEEDED: &str = "required on ground";
/// What stands for a key of a castor.
const AS_DRIVEN: &str = "that of the driven wheels";

/// Heights of the chassis of a robot with a drive.
const HEIGHTS: [Key; 2] = [
    number("center_height", "m", Range::Positive, "height of the centre of mass over flat ground")
        .computed(NEEDED),
    number("clearance", "m", Range::Positive, "height of the body's bottom over flat ground")
        .computed(NEEDED),
];

/// Parts of driven wheels that stand beside a drive.
const PARTS: [Key; 2] = [
    table("suspension", NEEDED, "spring and damper of the driven wheels, all of its keys"),
    table(
        "tyre",
        "coulomb, with the friction of drive.traction",
        "law of friction of the driven wheels: the name of its kind, or a table",
    ),
];

/// Parts of the wheels that hold the robot up.
const SUPPORT_PARTS: [&str; 4] = ["suspension", "tyre", "ball", "axle"];

/// Numbers of a chassis that stand beside a drive as well.
fn of_touching() -> impl Iterator<Item = &'static Number<ChassisSpec>> {
    let names = ["friction", "contact_stiffness", "contact_damping"];
    ChassisSpec::KEYS.iter().filter(move |number| names.contains(&number.key.name))
}

/// Numbers of the driven wheels, but for those of the drive and the width, of which nothing is assumed.
fn of_driven() -> impl Iterator<Item = &'static Number<WheelSpec>> {
    let others = ["radius", "inertia", "width"];
    WheelSpec::KEYS.iter().filter(move |number| !others.contains(&number.key.name))
}

/// The width of a wheel.
fn width() -> &'static Number<WheelSpec> {
    let width = WheelSpec::KEYS.iter().find(|number| number.key.name == "width");
    width.expect("wheels have a width")
}

/// Keys of a `chassis` beside a drive.
pub(crate) fn chassis_keys() -> Vec<Key> {
    HEIGHTS.into_iter().chain(of_touching().map(|number| number.key)).collect()
}

/// Keys of `wheels` beside a drive.
pub(crate) fn wheels_keys() -> Vec<Key> {
    let own = std::iter::once(width().key.computed(NEEDED));
    own.chain(of_driven().map(|number| number.key)).chain(PARTS).collect()
}

/// Keys of each `wheel` beside a drive.
pub(crate) fn support_keys() -> Vec<Key> {
    let place = WHEEL_PLACE.iter().map(|key| match key.name {
        "position" => key.computed(NEEDED),
        _ => *key,
    });
    let numbers = keys_of!(WheelSpec::KEYS).iter().map(|key| match key.name {
        "radius" => key.computed(NEEDED),
        "inertia" => key.computed("required on ground, but of balls"),
        "brake_torque" => key.or(Absent::Value(0.0), OURS),
        _ => key.computed(AS_DRIVEN),
    });
    let parts = WHEEL.concat().into_iter().filter(|key| SUPPORT_PARTS.contains(&key.name));
    let parts = parts.map(|key| match key.name {
        "suspension" => key.computed(AS_DRIVEN),
        "tyre" => key.computed("that of the driven wheels; required of balls, on ground"),
        _ => key,
    });
    place.chain(numbers).chain(parts).collect()
}

/// What a robot with a drive is on ground.
pub(crate) enum DriveOnGround {
    /// This vehicle, but for its name.
    Vehicle(Box<VehicleSpec>),
    /// Nothing, for want of these keys.
    Lacking(Vec<String>),
}

/// Robots with a drive, of which one has to know at the end whether the scene has ground.
pub(crate) struct OnDrive {
    /// Their numbers.
    pub(crate) robots: Span<usize>,
    pub(crate) path: String,
    pub(crate) origin: Origin,
    pub(crate) on_ground: DriveOnGround,
    /// What they hang on, and where that is said.
    pub(crate) hitch: Option<(HitchSpec, Origin)>,
}

impl Assembler {
    /// Reads what a robot with this drive and outline has for terrain; `height` is its own, if it says
    /// it.
    pub(crate) fn on_ground(
        &mut self,
        robot: &Fields<'_>,
        drive: &DriveSpec,
        pieces: &[OutlinePiece],
        height: Option<f64>,
    ) -> DriveOnGround {
        let mut lack = vec![];
        let says = VEHICLE.iter().any(|key| robot.get(key.name).is_some());
        let chassis = self.heights(robot, says, &mut lack);
        let wheel = self.driven(robot, drive, says, &mut lack);
        let (supports, support_names) = self.supports(robot, wheel, &mut lack);
        for (name, value) in [
            ("motor_constant_right", drive.motor_constant_right),
            ("motor_constant_left", drive.motor_constant_left),
            ("conductance_right", drive.conductance_right),
            ("conductance_left", drive.conductance_left),
        ] {
            if value <= 0.0 {
                lack.push(format!("drive.{name} above 0"));
            }
        }
        let parts: Vec<PartSpec> = pieces.iter().map(|piece| piece.spec.clone()).collect();
        // What is wrong with the outline is told by the model, which names the piece.
        let Ok(shape) = Shape::compile("shape", &parts) else {
            return DriveOnGround::Lacking(lack);
        };
        if !lack.is_empty() {
            return DriveOnGround::Lacking(lack);
        }
        let ([center_height, clearance], contact) = chassis;
        let mean_radius = 0.5 * (drive.wheel_radius_left + drive.wheel_radius_right);
        let under = Undercarriage {
            center_height,
            clearance,
            top: height.unwrap_or_else(|| height_of_cube(shape.radius, mean_radius)),
            outline: outline_box(&shape),
            contact,
            wheel,
            supports,
            support_names,
        };
        DriveOnGround::Vehicle(Box::new(vehicle_of_drive(drive, &under)))
    }

    /// Heights of centre of mass and bottom, and what the body touches with.
    fn heights(
        &mut self,
        robot: &Fields<'_>,
        says: bool,
        lack: &mut Vec<String>,
    ) -> ([f64; 2], [f64; 3]) {
        let mut touching = ChassisSpec::default();
        let mut heights = [0.0; 2];
        let node = robot.child("chassis");
        let path = robot.key_path("chassis");
        if let Some(fields) = Fields::open(&mut self.log, &node, path, &[&chassis_keys()]) {
            for (slot, key) in heights.iter_mut().zip(HEIGHTS) {
                match fields.get(key.name) {
                    Some(_) => *slot = fields.number(&mut self.log, key.name),
                    None => lack.push(format!("chassis.{}", key.name)),
                }
            }
            if says {
                for number in of_touching() {
                    let one = std::slice::from_ref(number);
                    fields.numbers(&mut self.log, &mut touching, one);
                }
            }
        }
        let ChassisSpec { friction, contact_stiffness, contact_damping, .. } = touching;
        (heights, [friction, contact_stiffness, contact_damping])
    }

    /// What the two driven wheels have beside what the drive says.
    fn driven(
        &mut self,
        robot: &Fields<'_>,
        drive: &DriveSpec,
        says: bool,
        lack: &mut Vec<String>,
    ) -> WheelSpec {
        let mut wheel = WheelSpec::default();
        let traction = drive.traction.map(|traction| TyreLaw::Coulomb {
            static_friction: traction.mu_static,
            sliding_friction: traction.mu_kinetic,
            peak_slip: 0.1,
        });
        wheel.tyre = traction.unwrap_or_default();
        let node = robot.child("wheels");
        let path = robot.key_path("wheels");
        let opened = Fields::open(&mut self.log, &node, path, &[&wheels_keys()]);
        let Some(fields) = opened else { return wheel };
        if fields.get("width").is_none() {
            lack.push("wheels.width".to_owned());
        }
        fields.numbers_given(&mut self.log, &mut wheel, std::slice::from_ref(width()));
        if says {
            for number in of_driven() {
                fields.numbers(&mut self.log, &mut wheel, std::slice::from_ref(number));
            }
        }
        wheel.suspension = self.whole_suspension(&fields, lack);
        let tyre = fields.get("tyre");
        let has_kind =
            tyre.is_some_and(|node| node.table().is_none_or(|table| table.contains_key("kind")));
        if traction.is_none() && !has_kind {
            lack.push("drive.traction, or wheels.tyre.kind".to_owned());
        } else if tyre.is_some() {
            wheel.tyre = self.tyre(&fields, wheel.tyre, Says::Difference);
        }
        wheel
    }

    /// Spring and damper of the driven wheels, of which nothing is assumed.
    fn whole_suspension(&mut self, wheels: &Fields<'_>, lack: &mut Vec<String>) -> SuspensionSpec {
        let mut spring = SuspensionSpec::default();
        let node = wheels.child("suspension");
        let path = wheels.key_path("suspension");
        let opened = Fields::open(&mut self.log, &node, path, &[SUSPENSION]);
        let Some(fields) = opened else { return spring };
        let missing = SUSPENSION.iter().filter(|key| fields.get(key.name).is_none());
        lack.extend(missing.map(|key| format!("wheels.suspension.{}", key.name)));
        fields.numbers_given(&mut self.log, &mut spring, SuspensionSpec::KEYS);
        spring
    }

    /// Castors and other wheels without motors, and their names.
    fn supports(
        &mut self,
        robot: &Fields<'_>,
        driven: WheelSpec,
        lack: &mut Vec<String>,
    ) -> (Vec<WheelSpec>, Vec<String>) {
        let list = robot.list(&mut self.log, "wheel");
        if list.is_empty() {
            lack.push("wheel (castors, or other wheels that hold it up)".to_owned());
        }
        let most = MOST_WHEELS - DRIVEN_WHEELS;
        if list.len() > most {
            let expected = format!("at most {most} wheels beside those of the drive");
            let got = list.len().to_string();
            self.log.wrong(robot.origin_of("wheel"), robot.key_path("wheel"), expected, got);
        }
        let (mut wheels, mut names) = (vec![], vec![]);
        for (i, (node, path)) in list.into_iter().take(most).enumerate() {
            let opened = Fields::open(&mut self.log, node, path, &[&support_keys()]);
            let Some(fields) = opened else { continue };
            let named = fields.get("name").is_some();
            let name = named.then(|| fields.text(&mut self.log, "name"));
            names.push(name.unwrap_or_default());
            // Nobody brakes it, unless it says so.
            let wheel = WheelSpec { side: Side::Free, brake_torque: 0.0, ..driven };
            let mut own = WheelDraft { wheel, side: None, drawn: None };
            if fields.get("position").is_some() {
                let position = fields.array(&mut self.log, "position");
                own.wheel.position = position.map_or(Vec3::ZERO, |[x, y, z]| Vec3::new(x, y, z));
            }
            self.wheel(&fields, &mut own, Says::Difference);
            let mut needed = vec!["position", "radius"];
            // A ball does not spin, and slides by a friction of its own.
            needed.push(if own.wheel.ball { "tyre" } else { "inertia" });
            let missing = needed.into_iter().filter(|name| fields.get(name).is_none());
            lack.extend(missing.map(|name| format!("wheel.{i}.{name}")));
            wheels.push(own.wheel);
        }
        (wheels, names)
    }

    /// Makes robots with a drive vehicles, as the scene has ground for this `reason`; tells what they
    /// lack for it.
    pub(crate) fn put_on_ground(&mut self, on_drive: OnDrive, ground: &GroundSpec, reason: &str) {
        let OnDrive { robots, path, origin, on_ground, hitch } = on_drive;
        let vehicle = match on_ground {
            DriveOnGround::Vehicle(vehicle) => vehicle,
            DriveOnGround::Lacking(keys) => {
                let keys = keys.join(", ");
                let expected = format!("what terrain needs, as {reason}: {keys}");
                return self.log.wrong(&origin, path, expected, "a robot for flat floors");
            }
        };
        self.check_on_ground(&path, &origin, &vehicle, ground);
        for robot in self.spec.robots.get_mut(robots).unwrap_or_default() {
            let hitch = hitch.clone().map(|(hitch, _)| hitch);
            let own = VehicleSpec { name: robot.name.clone(), hitch, ..(*vehicle).clone() };
            robot.vehicle = Some(Box::new(own));
        }
    }

    /// What only the whole vehicle tells, by the keys of the file.
    fn check_on_ground(
        &mut self,
        path: &str,
        origin: &Origin,
        vehicle: &VehicleSpec,
        ground: &GroundSpec,
    ) {
        let mut spec = spatial(ground, self.spec.sim.gravity);
        spec.vehicles = vec![vehicle.clone()];
        let Err(ModelError { key, expected, got }) = SpatialModel::compile(spec) else { return };
        let Some(rest) = key.strip_prefix("vehicle.0.") else { return };
        let paths: Vec<String> = file_keys(rest).iter().map(|own| join(path, own)).collect();
        self.tell_at(&paths, origin, expected, got);
    }

    /// Tells what is wrong with a number that was written at one of these paths; if at none, the first
    /// one, by the origin of the whole.
    pub(crate) fn tell_at(
        &mut self,
        paths: &[String],
        origin: &Origin,
        expected: String,
        got: String,
    ) {
        for path in paths {
            // A coefficient `lengthwise.a3` is one of the list `lengthwise.a`.
            let list = path.trim_end_matches(|c: char| c.is_ascii_digit());
            let row = self.log.ledger.find(path).or_else(|| self.log.ledger.find(list));
            let written = row.filter(|row| !row.origin.is_default());
            if let Some(origin) = written.map(|row| row.origin.clone()) {
                return self.log.wrong(&origin, path.clone(), expected, got);
            }
        }
        let path = paths.first().cloned().unwrap_or_default();
        self.log.wrong(origin, path, expected, got);
    }
}

/// Where a number of the vehicle of a drive may stand in its file, the likeliest first:
/// `wheels.0.radius` => `drive.wheel_radius_left`.
fn file_keys(rest: &str) -> Vec<String> {
    let whole = |key: &str| vec![key.to_owned()];
    let wheel = rest.strip_prefix("wheels.").and_then(|own| own.split_once('.'));
    let wheel = wheel.and_then(|(number, name)| Some((number.parse::<usize>().ok()?, name)));
    let Some((number, name)) = wheel else {
        return match rest {
            "chassis.mass" => whole("drive.mass"),
            "chassis.inertia" => whole("drive.inertia"),
            "chassis.drag_linear" => whole("drive.friction_linear"),
            "chassis.drag_angular" => whole("drive.friction_angular"),
            "chassis.length" | "chassis.width" => whole("shape"),
            "chassis.height" => vec!["chassis.clearance".to_owned(), "height".to_owned()],
            other => whole(other),
        };
    };
    if let Some(own) = number.checked_sub(DRIVEN_WHEELS) {
        return vec![format!("wheel.{own}.{name}"), format!("wheels.{name}")];
    }
    let side = if number == 0 { "left" } else { "right" };
    match name {
        "radius" => vec![format!("drive.wheel_radius_{side}")],
        "inertia" => vec![format!("drive.wheel_inertia_{side}")],
        "position" => whole("chassis.center_height"),
        "axle.viscous" => vec![format!("drive.axle_friction_{side}")],
        "motor.nominal_volts" => whole("drive.supply"),
        "motor.resistance" => vec![format!("drive.conductance_{side}")],
        "motor.torque_constant" | "motor.speed_constant_rpm_v" => {
            vec![format!("drive.motor_constant_{side}")]
        }
        "tyre.static_friction" => {
            vec!["wheels.tyre.static_friction".to_owned(), "drive.traction.mu_static".to_owned()]
        }
        "tyre.sliding_friction" => {
            vec!["wheels.tyre.sliding_friction".to_owned(), "drive.traction.mu_kinetic".to_owned()]
        }
        other => vec![format!("wheels.{other}")],
    }
}
