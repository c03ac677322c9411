//! Robots: presets and what overrides them, drive, outline, driver.

use crate::bodies::START;
use crate::files::{Chain, Wanted};
use crate::go_to;
use crate::ledger::Origin;
use crate::log::Log;
use crate::material::ROBOT_LOOK;
use crate::outline::{OUTLINE, OutlinePiece, specs};
use crate::reader::{Absent, Fields, Key, Kinds, OURS, join, keys_of, table, text};
use crate::scene::{Assembler, Site};
use crate::sensors::{CARRIED, Carried, sensor_specs};
use crate::set::put_all;
use crate::tree::{Node, Table, Value};
use crate::undercarriage::{DriveOnGround, OnDrive};
use crate::vehicle_keys::VEHICLE;
use rolima_model::{
    DriveSpec, DriverSpec, RobotSpec, ServoSpec, TractionSpec, keys, planar_drive, planar_outline,
};
use rolima_spatial::{HitchSpec, VehicleSpec};

/// Most robots of a scene.
pub const MAX_ROBOTS: usize = 200_000;

pub(crate) const ROBOT: &[Key] = &[
    START,
    keys::VELOCITY,
    keys::OMEGA,
    table("hitch", "none", "on ground: the vehicle that it hangs on, and the points"),
];

/// Keys of everything that is or makes robots.
pub(crate) const BODY: &[Key] = &[
    text("name", "what the robot is called").computed("\"robot\", \"robot-2\", ..."),
    text("team", "team or colour").or(Absent::Text(""), OURS),
    text("preset", "robot that this one is like, from the folder robots").computed("none"),
    text("include", "file with the robot that this one is like").computed("none"),
    table("variables", "none", "values for the variables of the preset or the included file"),
    table("drive", "defaults", "mass, wheels, motors"),
    table("driver", DRIVERS.absent_word(), "who commands it when no client does"),
];

/// Keys of `drive`.
pub(crate) const DRIVE: &[&[Key]] = &[
    keys_of!(DriveSpec::KEYS),
    &[table("traction", "defaults", "grip of the tyres, or \"none\" for wheels that never slip")],
];
pub(crate) const TRACTION: &[Key] = keys_of!(TractionSpec::KEYS);

#[derive(Clone, Copy)]
pub(crate) enum DriverKind {
    None,
    Constant,
    Random,
    Wander,
    Chaser,
    GoTo,
}

pub(crate) const DRIVERS: Kinds<DriverKind> = Kinds {
    absent: Some(("none", OURS)),
    common: &[],
    list: &[
        ("none", DriverKind::None, &[]),
        ("constant", DriverKind::Constant, &[&[keys::LEFT, keys::RIGHT]]),
        ("random", DriverKind::Random, &[&[keys::MAX_VOLTS, keys::DRAW_PERIOD]]),
        (
            "wander",
            DriverKind::Wander,
            &[&[keys::WANDER_SPEED, keys::WANDER_TURNING, keys::WANDER_PERIOD]],
        ),
        ("chaser", DriverKind::Chaser, &[&[keys::MAX_VOLTS, keys::PATIENCE]]),
        ("go-to", DriverKind::GoTo, &[go_to::GO_TO]),
    ],
};

/// What a robot is, wherever it stands.
pub(crate) struct RobotBody {
    pub(crate) team: String,
    pub(crate) pieces: Vec<OutlinePiece>,
    pub(crate) drive: DriveSpec,
    pub(crate) vehicle: Option<Box<VehicleSpec>>,
    /// Of robots with a drive: what they are on ground.
    pub(crate) on_ground: Option<DriveOnGround>,
    pub(crate) driver: DriverSpec,
    pub(crate) servo: Option<ServoSpec>,
    pub(crate) height: Option<f64>,
    pub(crate) sensors: Vec<Carried>,
}

impl Assembler {
    pub(crate) fn robot(&mut self, node: &Node, path: String, site: &Site<'_>) {
        let Some(node) = self.with_preset(node, &path, &site.chain) else { return };
        let known = &[ROBOT, BODY, ROBOT_LOOK, OUTLINE, CARRIED, VEHICLE];
        let Some(fields) = Fields::open(&mut self.log, &node, path, known) else { return };
        let count = self.spec.robots.len();
        if count >= MAX_ROBOTS {
            let expected = format!("at most {MAX_ROBOTS} robots");
            return self.log.wrong(fields.origin, fields.path.clone(), expected, "more");
        }
        let name = self.name(&fields, site, "robot", count);
        let mut body = self.body(&fields, &site.chain);
        let look = self.robot_look(&fields, site);
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
            velocity: fields.number(log, "velocity"),
            omega: fields.number(log, keys::OMEGA.name),
            shape: specs(body.pieces),
            drive: body.drive,
            driver: body.driver,
            vehicle: body.vehicle,
            servo: body.servo,
            height: body.height,
            sensors: sensor_specs(&body.sensors),
            look,
        };
        self.spec.robots.push(robot);
    }

    /// Reads what a robot is: team, outline, drive and driver.
    pub(crate) fn body(&mut self, fields: &Fields<'_>, chain: &Chain<'_>) -> RobotBody {
        for name in ["preset", "include"] {
            if fields.get(name).is_some() {
                fields.text(&mut self.log, name);
            }
        }
        let team = fields.text(&mut self.log, "team");
        let vehicle = self.vehicle(fields);
        let (pieces, drive) = match &vehicle {
            Some(vehicle) => {
                self.footing.vehicle.get_or_insert_with(|| fields.path.clone());
                (
                    vec![OutlinePiece::derived(planar_outline(vehicle), fields)],
                    planar_drive(vehicle),
                )
            }
            None => (self.outline(fields, chain), self.drive(fields)),
        };
        let servo = self.servo(fields);
        let driver = self.driver(fields, drive.supply, servo);
        let otherwise = if vehicle.is_some() { "top of the chassis" } else { "that of a cube" };
        let top = vehicle.as_ref().map(|v| v.ride_height() + v.chassis.height[0]);
        let height = fields.optional_or(&mut self.log, "height", otherwise).or(top);
        let on_ground = match vehicle {
            Some(_) => None,
            None => Some(self.on_ground(fields, &drive, &pieces, height)),
        };
        let sensors = self.sensors(fields);
        RobotBody { team, pieces, drive, vehicle, on_ground, driver, servo, height, sensors }
    }

    /// Remembers what robots with a drive are on ground, until it is known whether there is any.
    pub(crate) fn note_feet(
        &mut self,
        body: &mut RobotBody,
        robots: std::ops::Range<usize>,
        fields: &Fields<'_>,
        hitch: Option<(HitchSpec, Origin)>,
    ) {
        let (path, origin) = (fields.path.clone(), fields.origin.clone());
        let on_ground = body.on_ground.take();
        let on_drive =
            on_ground.map(|on_ground| OnDrive { robots, path, origin, on_ground, hitch });
        self.footing.on_drive.extend(on_drive);
    }

    fn drive(&mut self, robot: &Fields<'_>) -> DriveSpec {
        let mut drive = DriveSpec::default();
        let node = robot.child("drive");
        let log = &mut self.log;
        let Some(fields) = Fields::open(log, &node, robot.key_path("drive"), DRIVE) else {
            return drive;
        };
        fields.numbers(log, &mut drive, DriveSpec::KEYS);
        let node = fields.child("traction");
        if node.text() == Some("none") {
            fields.text(log, "traction");
            drive.traction = None;
            return drive;
        }
        if node.table().is_none() {
            let expected = "a table, or \"none\" for wheels that never slip";
            log.wrong(&node.origin, fields.key_path("traction"), expected, node.value.got());
            return drive;
        }
        if let Some(fields) = Fields::open(log, &node, fields.key_path("traction"), &[TRACTION]) {
            let mut traction = TractionSpec::default();
            fields.numbers(log, &mut traction, TractionSpec::KEYS);
            drive.traction = Some(traction);
        }
        drive
    }

    fn driver(&mut self, robot: &Fields<'_>, supply: f64, servo: Option<ServoSpec>) -> DriverSpec {
        let log = &mut self.log;
        let node = robot.child("driver");
        let path = robot.key_path("driver");
        let Some((fields, kind)) = Fields::open_kind(log, &node, path, &DRIVERS) else {
            return DriverSpec::None;
        };
        match kind {
            DriverKind::None => DriverSpec::None,
            DriverKind::GoTo => go_to::driver(log, &fields),
            DriverKind::Constant => DriverSpec::Constant {
                left: fields.number(log, "left"),
                right: fields.number(log, "right"),
            },
            DriverKind::Random => DriverSpec::Random {
                max_volts: fields.number_or(log, "max_volts", supply),
                period_s: fields.number(log, "period_s"),
            },
            DriverKind::Wander => {
                let most = servo.unwrap_or_default();
                let turning = 0.5 * most.max_turning.to_degrees().min(120.0);
                DriverSpec::Wander {
                    speed: fields.number_or(log, "speed", most.max_speed.min(1.0)),
                    turning: fields.written_or(log, "turning_deg_s", turning).to_radians(),
                    period_s: fields.number(log, "period_s"),
                }
            }
            DriverKind::Chaser => DriverSpec::Chaser {
                max_volts: fields.number_or(log, "max_volts", supply),
                patience_s: fields.number(log, "patience_s"),
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
