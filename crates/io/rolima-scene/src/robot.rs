//! Robots: presets and what overrides them, drive, outline, driver.

use crate::files::{Chain, Wanted};
use crate::ledger::Origin;
use crate::log::Log;
use crate::outline::{OUTLINE, Piece, specs};
use crate::reader::{Fields, Key, Number, OURS, PAPER, Range, join, key};
use crate::scene::{Assembler, Site};
use crate::sensors::{CARRIED, Carried, sensor_specs};
use crate::set::put_all;
use crate::tree::{Node, Table, Value};
use crate::undercarriage::{Feet, OnDrive};
use crate::vehicle_keys::VEHICLE;
use rolima_model::{
    DriveSpec, DriverSpec, RobotSpec, ServoSpec, TractionSpec, twin_drive, twin_outline,
};
use rolima_spatial::{HitchSpec, VehicleSpec};

/// Most robots of a scene.
pub const MAX_ROBOTS: usize = 200_000;

const ROBOT: &[Key] = &[
    key("pose", "m, m, deg", "where it starts: [x, y, heading]"),
    key("velocity", "m/s", "its first speed along its heading"),
    key("omega_deg_s", "deg/s", "its first turning"),
    key("hitch", "-", "on ground: the vehicle that it hangs on, and the points"),
];

/// Keys of everything that is or makes robots.
pub(crate) const BODY: &[Key] = &[
    key("name", "-", "what the robot is called"),
    key("team", "-", "team or colour"),
    key("preset", "-", "robot that this one is like, from the folder robots"),
    key("include", "-", "file with the robot that this one is like"),
    key("variables", "-", "values for the variables of the preset or the included file"),
    key("drive", "-", "mass, wheels, motors"),
    key("driver", "-", "who commands it when no client does"),
];

const fn listed(
    name: &'static str,
    unit: &'static str,
    meaning: &'static str,
    range: Range,
    slot: fn(&mut DriveSpec) -> &mut f64,
) -> Number<DriveSpec> {
    Number { key: key(name, unit, meaning), range, source: PAPER, slot }
}

use Range::{NotNegative, Positive};

const DRIVE: &[Number<DriveSpec>] = &[
    listed("wheel_distance", "m", "distance between the wheels b", Positive, |d| {
        &mut d.wheel_distance
    }),
    listed("wheel_radius_right", "m", "radius of the right wheel r_d", Positive, |d| {
        &mut d.wheel_radius_right
    }),
    listed("wheel_radius_left", "m", "radius of the left wheel r_e", Positive, |d| {
        &mut d.wheel_radius_left
    }),
    listed("mass", "kg", "mass m", Positive, |d| &mut d.mass),
    Number {
        key: key("inertia", "kg m2", "moment of inertia about the vertical J"),
        range: Positive,
        source: "ours: m b^2/6 of a cube; the 2001 paper's J is 25 times too small",
        slot: |d| &mut d.inertia,
    },
    listed(
        "friction_linear",
        "N s/m",
        "viscous friction along its way beta_lin",
        NotNegative,
        |d| &mut d.friction_linear,
    ),
    listed("friction_angular", "N m s", "viscous friction of turning beta_ang", NotNegative, |d| {
        &mut d.friction_angular
    }),
    listed("wheel_inertia_right", "kg m2", "inertia of right wheel and rotor J_d", Positive, |d| {
        &mut d.wheel_inertia_right
    }),
    listed("wheel_inertia_left", "kg m2", "inertia of left wheel and rotor J_e", Positive, |d| {
        &mut d.wheel_inertia_left
    }),
    listed(
        "axle_friction_right",
        "N m s",
        "viscous friction of the right axle beta_d",
        NotNegative,
        |d| &mut d.axle_friction_right,
    ),
    listed(
        "axle_friction_left",
        "N m s",
        "viscous friction of the left axle beta_e",
        NotNegative,
        |d| &mut d.axle_friction_left,
    ),
    listed("motor_constant_right", "V s", "constant of the right motor K_d", NotNegative, |d| {
        &mut d.motor_constant_right
    }),
    listed("motor_constant_left", "V s", "constant of the left motor K_e", NotNegative, |d| {
        &mut d.motor_constant_left
    }),
    listed(
        "conductance_right",
        "S",
        "armature conductance of the right motor rho_d",
        NotNegative,
        |d| &mut d.conductance_right,
    ),
    listed(
        "conductance_left",
        "S",
        "armature conductance of the left motor rho_e",
        NotNegative,
        |d| &mut d.conductance_left,
    ),
    listed("supply", "V", "largest voltage; commands beyond it saturate", Positive, |d| {
        &mut d.supply
    }),
];

const TRACTION_KEY: &[Key] =
    &[key("traction", "-", "grip of the tyres, or \"none\" for wheels that never slip")];

const TRACTION: &[Number<TractionSpec>] = &[
    Number {
        key: key("mu_static", "1", "static friction: a wheel lets go beyond it"),
        range: Positive,
        source: "ours: rubber on a painted board",
        slot: |t| &mut t.mu_static,
    },
    Number {
        key: key("mu_kinetic", "1", "kinetic friction: what a sliding wheel gets"),
        range: Positive,
        source: "ours: rubber on a painted board",
        slot: |t| &mut t.mu_kinetic,
    },
];

#[derive(Clone, Copy)]
enum DriverKind {
    None,
    Constant,
    Random,
    Wander,
    Chaser,
}

const MAX_VOLTS: Key = key("max_volts", "V", "largest voltage it uses");

const DRIVERS: &[(&str, DriverKind, &[Key])] = &[
    ("none", DriverKind::None, &[]),
    (
        "constant",
        DriverKind::Constant,
        &[
            key("left", "V", "voltage of the left motor"),
            key("right", "V", "voltage of the right motor"),
        ],
    ),
    (
        "random",
        DriverKind::Random,
        &[MAX_VOLTS, key("period_s", "s", "time between draws of new voltages")],
    ),
    (
        "wander",
        DriverKind::Wander,
        &[
            key("speed", "m/s", "speed while there is room"),
            key("turning_deg_s", "deg/s", "turning where there is none"),
            key("period_s", "s", "time between looks"),
        ],
    ),
    (
        "chaser",
        DriverKind::Chaser,
        &[MAX_VOLTS, key("patience_s", "s", "how long it stands stuck before it backs off")],
    ),
];

/// What a robot is, wherever it stands.
pub(crate) struct Body {
    pub(crate) team: String,
    pub(crate) pieces: Vec<Piece>,
    pub(crate) drive: DriveSpec,
    pub(crate) vehicle: Option<Box<VehicleSpec>>,
    /// Of robots with a drive: what they are on ground.
    pub(crate) feet: Option<Feet>,
    pub(crate) driver: DriverSpec,
    pub(crate) servo: Option<ServoSpec>,
    pub(crate) height: Option<f64>,
    pub(crate) sensors: Vec<Carried>,
}

impl Assembler {
    pub(crate) fn robot(&mut self, node: &Node, path: String, site: &Site<'_>) {
        let Some(node) = self.with_preset(node, &path, &site.chain) else { return };
        let known = ROBOT.iter().chain(BODY).chain(OUTLINE).chain(CARRIED).chain(VEHICLE);
        let Some(fields) = Fields::open(&mut self.log, &node, path, known) else { return };
        let count = self.spec.robots.len();
        if count >= MAX_ROBOTS {
            let expected = format!("at most {MAX_ROBOTS} robots");
            return self.log.wrong(fields.origin, fields.path.clone(), expected, "more");
        }
        let name = self.name(&fields, site, "robot", count);
        let mut body = self.body(&fields, &site.chain);
        let hitch = self.hitch(&fields, site);
        if let Some(vehicle) = &mut body.vehicle {
            vehicle.name.clone_from(&name);
            vehicle.hitch = hitch.clone().map(|(hitch, _)| hitch);
        }
        self.note_feet(&mut body, count..count + 1, &fields, hitch);
        let spec_key = format!("robot.{count}");
        self.place(spec_key.clone(), &fields.path, fields.origin);
        self.place_pieces(&spec_key, &body.pieces);
        self.place_sensors(&spec_key, &body.sensors);
        let log = &mut self.log;
        let robot = RobotSpec {
            name,
            team: body.team,
            pose: site.placement.compose(fields.pose(log)).pose(),
            velocity: fields.number(log, "velocity", Range::Any, Some((0.0, OURS))),
            omega: fields.turning(log),
            shape: specs(body.pieces),
            drive: body.drive,
            driver: body.driver,
            vehicle: body.vehicle,
            servo: body.servo,
            height: body.height,
            sensors: sensor_specs(&body.sensors),
        };
        self.spec.robots.push(robot);
    }

    /// Reads what a robot is: team, outline, drive and driver.
    pub(crate) fn body(&mut self, fields: &Fields<'_>, chain: &Chain<'_>) -> Body {
        for name in ["preset", "include"] {
            if fields.get(name).is_some() {
                fields.text(&mut self.log, name, None);
            }
        }
        let team = fields.text(&mut self.log, "team", Some((String::new(), OURS)));
        let vehicle = self.vehicle(fields);
        let (pieces, drive) = match &vehicle {
            Some(vehicle) => {
                self.footing.vehicle.get_or_insert_with(|| fields.path.clone());
                (vec![Piece::derived(twin_outline(vehicle), fields)], twin_drive(vehicle))
            }
            None => (self.outline(fields, chain), self.drive(fields)),
        };
        let servo = self.servo(fields);
        let driver = self.driver(fields, drive.supply, servo);
        let otherwise = if vehicle.is_some() { "top of the chassis" } else { "that of a cube" };
        let top = vehicle.as_ref().map(|v| v.ride_height() + v.chassis.height[0]);
        let height = fields.optional(&mut self.log, "height", Positive, otherwise).or(top);
        let feet = match vehicle {
            Some(_) => None,
            None => Some(self.feet(fields, &drive, &pieces, height)),
        };
        let sensors = self.sensors(fields);
        Body { team, pieces, drive, vehicle, feet, driver, servo, height, sensors }
    }

    /// Remembers what robots with a drive are on ground, until it is known whether there is any.
    pub(crate) fn note_feet(
        &mut self,
        body: &mut Body,
        robots: std::ops::Range<usize>,
        fields: &Fields<'_>,
        hitch: Option<(HitchSpec, Origin)>,
    ) {
        let (path, origin) = (fields.path.clone(), fields.origin.clone());
        let feet = body.feet.take();
        let on_drive = feet.map(|feet| OnDrive { robots, path, origin, feet, hitch });
        self.footing.on_drive.extend(on_drive);
    }

    fn drive(&mut self, robot: &Fields<'_>) -> DriveSpec {
        let mut drive = DriveSpec::default();
        let node = robot.child("drive");
        let known = DRIVE.iter().map(|number| &number.key).chain(TRACTION_KEY);
        let log = &mut self.log;
        let Some(fields) = Fields::open(log, &node, robot.key_path("drive"), known) else {
            return drive;
        };
        fields.numbers(log, &mut drive, DRIVE);
        let node = fields.child("traction");
        if node.text() == Some("none") {
            fields.text(log, "traction", None);
            drive.traction = None;
            return drive;
        }
        if node.table().is_none() {
            let expected = "a table, or \"none\" for wheels that never slip";
            log.wrong(&node.origin, fields.key_path("traction"), expected, node.value.got());
            return drive;
        }
        let known = TRACTION.iter().map(|number| &number.key);
        if let Some(fields) = Fields::open(log, &node, fields.key_path("traction"), known) {
            let mut traction = TractionSpec::default();
            fields.numbers(log, &mut traction, TRACTION);
            drive.traction = Some(traction);
        }
        drive
    }

    fn driver(&mut self, robot: &Fields<'_>, supply: f64, servo: Option<ServoSpec>) -> DriverSpec {
        let log = &mut self.log;
        let node = robot.child("driver");
        let path = robot.key_path("driver");
        let opened = Fields::open_kind(log, &node, path, DRIVERS, Some(("none", OURS)));
        let Some((fields, kind)) = opened else { return DriverSpec::None };
        let mut number = |name, range, default| fields.number(log, name, range, default);
        let supply = Some((supply, "the drive's supply"));
        match kind {
            DriverKind::None => DriverSpec::None,
            DriverKind::Constant => DriverSpec::Constant {
                left: number("left", Range::Any, None),
                right: number("right", Range::Any, None),
            },
            DriverKind::Random => DriverSpec::Random {
                max_volts: number("max_volts", NotNegative, supply),
                period_s: number("period_s", Positive, Some((0.03, "a control system's frame"))),
            },
            DriverKind::Wander => {
                let most = servo.unwrap_or_default();
                let turning = 0.5 * most.max_turning.to_degrees().min(120.0);
                let speed = Some((most.max_speed.min(1.0), OURS));
                DriverSpec::Wander {
                    speed: number("speed", NotNegative, speed),
                    turning: number("turning_deg_s", NotNegative, Some((turning, OURS)))
                        .to_radians(),
                    period_s: number("period_s", Positive, Some((0.1, OURS))),
                }
            }
            DriverKind::Chaser => DriverSpec::Chaser {
                max_volts: number("max_volts", NotNegative, supply),
                patience_s: number("patience_s", NotNegative, Some((0.6, OURS))),
            },
        }
    }

    /// The table with what its `preset` or `include` says below its own keys.
    pub(crate) fn with_preset(
        &mut self,
        node: &Node,
        path: &str,
        chain: &Chain<'_>,
    ) -> Option<Node> {
        let own = match node.table() {
            Some(own) if own.contains_key("preset") || own.contains_key("include") => own,
            _ => return Some(node.clone()),
        };
        if let (Some(_), Some(second)) = (own.get("preset"), own.get("include")) {
            let expected = "either preset or include, not both";
            self.log.wrong(&second.origin, format!("{path}.include"), expected, second.value.got());
            return None;
        }
        let is_preset = own.contains_key("preset");
        let name = if is_preset { "preset" } else { "include" };
        let asked = own.get(name)?;
        let key = format!("{path}.{name}");
        let Some(text) = asked.text() else {
            self.log.wrong(&asked.origin, key, "a text", asked.value.got());
            return None;
        };
        let wanted = Wanted { name: text, is_preset, origin: &asked.origin, key: &key };
        let (file, tree) = self.load(&wanted, own.get("variables"), path, chain)?;
        let Value::Table(mut base) = self.with_preset(&tree, path, &chain.with(&file))?.value
        else {
            return None;
        };
        for name in ["preset", "include", "variables", "title"] {
            base.remove(name);
        }
        if own.contains_key("shape") {
            base.remove("shape");
            base.remove("part");
        }
        merge(&mut self.log, path, &mut base, own);
        Some(Node { value: Value::Table(base), origin: node.origin.clone() })
    }
}

/// Lays `own` over `base`. Tables join, parts add up, everything else is replaced; so is a table
/// that says its kind, as another kind has other keys. What a `--set` says of entries of a list of
/// the preset (`sensor.2.sigma`) goes into them.
fn merge(log: &mut Log, path: &str, base: &mut Table, own: &Table) {
    for (name, node) in own {
        let below = base.get_mut(name);
        if let (Some(below), Value::Table(above), Origin::Set(_)) =
            (below, &node.value, &node.origin)
            && matches!(below.value, Value::Array(_))
        {
            for (entry, left) in above {
                let put = put_all(below, &mut vec![entry], &join(path, name), left);
                put.unwrap_or_else(|error| log.error(error));
            }
            continue;
        }
        match (base.get_mut(name).map(|node| &mut node.value), &node.value) {
            (Some(Value::Table(below)), Value::Table(above)) if !above.contains_key("kind") => {
                merge(log, &join(path, name), below, above);
            }
            (Some(Value::Array(below)), Value::Array(above)) if name == "part" => {
                below.extend(above.iter().cloned());
            }
            (Some(Value::Array(below)), Value::Array(above)) if name == "sensor" => {
                merge_sensors(below, above);
            }
            _ => {
                base.insert(name.clone(), node.clone());
            }
        }
    }
}

/// Lays sensors over those of a preset: those of the same name join, others come after them.
fn merge_sensors(below: &mut Vec<Node>, above: &[Node]) {
    let text = |node: &Node, key: &str| node.table()?.get(key)?.text().map(str::to_owned);
    let name = |node: &Node| text(node, "name").or_else(|| text(node, "kind"));
    for node in above {
        let known =
            below.iter_mut().find(|other| name(other).is_some_and(|n| Some(n) == name(node)));
        let same_kind = |other: &Node| {
            text(node, "kind").is_none_or(|kind| text(other, "kind").is_some_and(|k| k == kind))
        };
        match (known, &node.value) {
            (Some(known), Value::Table(own)) if same_kind(known) => {
                if let Value::Table(base) = &mut known.value {
                    merge_table(base, own);
                }
            }
            (Some(known), _) => *known = node.clone(),
            (None, _) => below.push(node.clone()),
        }
    }
}

fn merge_table(base: &mut Table, own: &Table) {
    base.extend(own.iter().map(|(name, node)| (name.clone(), node.clone())));
}
