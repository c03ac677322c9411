//! Vehicles: chassis and wheels of robots that drive on ground.

use crate::drawn::{DRAWN, Drawn};
use crate::ground::spatial;
use crate::reader::{Fields, Held, Number, OURS};
use crate::scene::Assembler;
use crate::tree::{Node, Value};
use crate::vehicle_keys::{
    ACTUATORS, AXLE, CHASSIS, CURVE, JOINTS, MOTOR, SUSPENSION, TYRES, TyreKind, VEHICLE,
    WEAKENING, WHEEL, WHEEL_PLACE,
};
use rolima_math::Vec3;
use rolima_model::{GroundSpec, ModelError, undriven_side};
use rolima_spatial::{
    ActuatorSpec, ChassisSpec, Curve, LuGreSpec, MOST_WHEELS, Magic, MotorSpec, Shapes, Side,
    SpatialModel, Start, SteerSpec, SuspensionSpec, Terrain, TerrainSpec, TyreLaw, VehicleSpec,
    Weakening, WheelSpec,
};
use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

/// Whether a table of `[wheels]` is read, which says everything, or one of a `[[wheel]]`, which
/// says what differs.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Says {
    All,
    Difference,
}

/// A wheel while it is read.
#[derive(Clone)]
pub(crate) struct WheelDraft {
    pub(crate) wheel: WheelSpec,
    /// Which command drives it, if somebody said so.
    pub(crate) side: Option<Side>,
    /// How it was drawn.
    pub(crate) drawn: Option<Rc<Drawn>>,
}

/// What is only the name of its kind, as a table.
fn table_of(part: Cow<'_, Node>) -> Cow<'_, Node> {
    if part.text().is_none() {
        return part;
    }
    let part = part.into_owned();
    let origin = part.origin.clone();
    let value = Value::Table([("kind".to_owned(), part)].into());
    Cow::Owned(Node { value, origin })
}

/// Whether a table of wheels has a motor.
fn says_motor(wheels: &Node) -> bool {
    let motor = wheels.table().and_then(|table| table.get("motor"));
    motor.is_some_and(|motor| motor.text() != Some("none"))
}

impl Assembler {
    /// Reads chassis and wheels, if the robot has them and no drive.
    pub(crate) fn vehicle(&mut self, robot: &Fields<'_>) -> Option<Box<VehicleSpec>> {
        let says = VEHICLE.iter().any(|key| robot.get(key.name).is_some());
        if !says || robot.get("drive").is_some() {
            return None;
        }
        for (name, instead) in [
            ("shape", "no shape, as a vehicle's outline is that of its chassis and wheels"),
            ("part", "no part, as a vehicle's outline is that of its chassis and wheels"),
        ] {
            if let Some(node) = robot.get(name) {
                self.log.wrong(&node.origin, robot.key_path(name), instead, node.value.got());
            }
        }
        let before = self.log.error_count();
        let mut shapes = Shapes::default();
        let chassis = self.chassis(robot, &mut shapes);
        let (wheels, wheel_names) = self.wheels(robot, &mut shapes);
        let vehicle = VehicleSpec {
            name: String::new(),
            chassis,
            wheels,
            wheel_names,
            start: Start { on_ground: true, ..Start::default() },
            shapes,
            hitch: None,
        };
        if self.log.error_count() == before {
            self.check_vehicle(robot, &vehicle);
        }
        Some(Box::new(vehicle))
    }

    fn chassis(&mut self, robot: &Fields<'_>, shapes: &mut Shapes) -> ChassisSpec {
        let mut chassis = ChassisSpec::default();
        let node = robot.child("chassis");
        let path = robot.key_path("chassis");
        let opened = Fields::open(&mut self.log, &node, path, CHASSIS);
        let Some(fields) = opened else { return chassis };
        fields.numbers(&mut self.log, &mut chassis, ChassisSpec::KEYS);
        let drawn = self.drawn(&fields);
        self.chassis_size(&fields, &mut chassis, drawn.as_deref());
        if let Some(drawn) = &drawn {
            (shapes.chassis, shapes.hull) = (Some(drawn.shape.clone()), drawn.hull());
        }
        let log = &mut self.log;
        let given = fields.get("inertia");
        let mut computed = chassis.box_inertia();
        if given.is_none() {
            let factors = fields.array(log, "inertia_factors");
            for (inertia, factor) in computed.iter_mut().zip(factors.unwrap_or([1.0; 3])) {
                *inertia *= factor;
            }
        }
        chassis.inertia = fields.array_or(log, "inertia", computed).unwrap_or(computed);
        chassis
    }

    /// The wheels and their names.
    fn wheels(&mut self, robot: &Fields<'_>, shapes: &mut Shapes) -> (Vec<WheelSpec>, Vec<String>) {
        let mut common = WheelDraft { wheel: WheelSpec::default(), side: None, drawn: None };
        let node = robot.child("wheels");
        let list = robot.list(&mut self.log, "wheel");
        if !std::iter::once(&*node).chain(list.iter().map(|(node, _)| *node)).any(says_motor) {
            // Nobody brakes a cart, unless its wheels say so.
            common.wheel.brake_torque = 0.0;
        }
        let opened = Fields::open(&mut self.log, &node, robot.key_path("wheels"), WHEEL);
        if let Some(fields) = opened {
            self.wheel(&fields, &mut common, Says::All);
        }
        if !(2..=MOST_WHEELS).contains(&list.len()) {
            let expected = format!("2 to {MOST_WHEELS} wheels, written [[robot.wheel]]");
            let got = list.len().to_string();
            self.log.wrong(robot.origin_of("wheel"), robot.key_path("wheel"), expected, got);
        }
        let (mut wheels, mut names) = (vec![], vec![]);
        for (node, path) in list.into_iter().take(MOST_WHEELS) {
            let known = &[WHEEL[0], WHEEL[1], WHEEL_PLACE];
            let Some(fields) = Fields::open(&mut self.log, node, path, known) else { continue };
            let mut own = common.clone();
            let named = fields.get("name").is_some();
            let name = named.then(|| fields.text(&mut self.log, "name"));
            names.push(name.unwrap_or_default());
            let position = fields.array(&mut self.log, "position");
            own.wheel.position = position.map_or(Vec3::ZERO, |[x, y, z]| Vec3::new(x, y, z));
            self.wheel(&fields, &mut own, Says::Difference);
            if own.wheel.ball {
                // Nothing turns a ball: a motor that all wheels have is not its own.
                if let (Some(node), Some(_)) = (fields.get("motor"), own.wheel.motor) {
                    let (path, got) = (fields.key_path("motor"), node.value.got());
                    self.log.wrong(&node.origin, path, "no motor, as nothing turns a ball", got);
                }
                own.wheel.motor = None;
            }
            if own.wheel.motor.is_none() && fields.get("actuator").is_none() {
                // Nor is how the motors are commanded.
                own.wheel.actuator = ActuatorSpec::default();
            }
            own.wheel.side = own.side.unwrap_or(match own.wheel.position.y {
                _ if own.wheel.motor.is_none() => Side::Free,
                y if y > 0.0 => Side::Left,
                y if y < 0.0 => Side::Right,
                _ => Side::Free,
            });
            if let Some(drawn) = &own.drawn {
                self.check_drawn_wheel(drawn, &own.wheel);
            }
            wheels.push(own.wheel);
            shapes.wheels.push(own.drawn.map(|drawn| drawn.shape.clone()));
        }
        if shapes.wheels.iter().all(Option::is_none) {
            shapes.wheels.clear();
        }
        if names.iter().all(String::is_empty) {
            names.clear();
        }
        (wheels, names)
    }

    pub(crate) fn wheel(&mut self, fields: &Fields<'_>, draft: &mut WheelDraft, says: Says) {
        let wheel = &mut draft.wheel;
        self.some_numbers(fields, wheel, WheelSpec::KEYS, says);
        if fields.get("side").is_some() {
            let side = draft.side.insert(Side::default());
            fields.fill(&mut self.log, "side", side.slot());
        }
        if fields.get("ball").is_some() {
            wheel.ball = fields.flag(&mut self.log, "ball");
        }
        if says == Says::All || fields.get("suspension").is_some() {
            self.suspension(fields, &mut wheel.suspension, says);
        }
        if fields.get("motor").is_some() {
            wheel.motor = self.motor(fields, wheel.motor, says);
        }
        if fields.get("actuator").is_some() {
            wheel.actuator = self.actuator(fields, wheel.actuator);
        }
        if fields.get("joint").is_some() {
            wheel.steer = self.joint(fields);
        }
        if fields.get("axle").is_some() {
            wheel.axle = self.axle(fields, wheel.axle, says);
        }
        if says == Says::All || fields.get("tyre").is_some() {
            wheel.tyre = self.tyre(fields, wheel.tyre, says);
        }
        if fields.get(DRAWN.name).is_some() {
            draft.drawn = self.drawn(fields);
        }
    }

    fn some_numbers<S>(
        &mut self,
        fields: &Fields<'_>,
        target: &mut S,
        list: &[Number<S>],
        says: Says,
    ) {
        match says {
            Says::All => fields.numbers(&mut self.log, target, list),
            Says::Difference => fields.numbers_given(&mut self.log, target, list),
        }
    }

    fn suspension(&mut self, wheel: &Fields<'_>, spring: &mut SuspensionSpec, says: Says) {
        let node = wheel.child("suspension");
        let path = wheel.key_path("suspension");
        if let Some(fields) = Fields::open(&mut self.log, &node, path, &[SUSPENSION]) {
            self.some_numbers(&fields, spring, SuspensionSpec::KEYS, says);
        }
    }

    /// Whether a key that may be `"none"` says so.
    fn says_none(&mut self, fields: &Fields<'_>, name: &str) -> bool {
        let none = fields.get(name).and_then(Node::text) == Some("none");
        if none {
            fields.text(&mut self.log, name);
        }
        none
    }

    fn motor(
        &mut self,
        wheel: &Fields<'_>,
        below: Option<MotorSpec>,
        says: Says,
    ) -> Option<MotorSpec> {
        if self.says_none(wheel, "motor") {
            return None;
        }
        // What differs can only differ from something.
        let says = if below.is_some() { says } else { Says::All };
        let mut motor = below.unwrap_or(MotorSpec::MAGMOTOR_S28_150);
        let node = wheel.child("motor");
        let fields = Fields::open(&mut self.log, &node, wheel.key_path("motor"), MOTOR)?;
        self.some_numbers(&fields, &mut motor, MotorSpec::KEYS, says);
        if says == Says::All || fields.get("current_limit").is_some() {
            let limit = fields.optional(&mut self.log, "current_limit");
            motor.current_limit = limit.unwrap_or(f64::INFINITY);
        }
        Some(motor)
    }

    fn actuator(&mut self, wheel: &Fields<'_>, below: ActuatorSpec) -> ActuatorSpec {
        let node = table_of(wheel.child("actuator"));
        let path = wheel.key_path("actuator");
        let default = Some((below.kind.name(), OURS));
        let opened = Fields::open_kind_or(&mut self.log, &node, path, &ACTUATORS, default);
        let Some((fields, kind)) = opened else { return below };
        let limit = fields.optional(&mut self.log, "limit");
        ActuatorSpec { kind, limit }
    }

    fn joint(&mut self, wheel: &Fields<'_>) -> Option<SteerSpec> {
        if self.says_none(wheel, "joint") {
            return None;
        }
        let node = table_of(wheel.child("joint"));
        let path = wheel.key_path("joint");
        let (fields, ()) = Fields::open_kind(&mut self.log, &node, path, &JOINTS)?;
        let mut joint = SteerSpec::default();
        fields.numbers(&mut self.log, &mut joint, SteerSpec::KEYS);
        Some(joint)
    }

    fn axle(&mut self, wheel: &Fields<'_>, below: LuGreSpec, says: Says) -> LuGreSpec {
        if self.says_none(wheel, "axle") {
            return LuGreSpec::NONE;
        }
        let node = wheel.child("axle");
        let opened = Fields::open(&mut self.log, &node, wheel.key_path("axle"), AXLE);
        let Some(fields) = opened else { return below };
        if says == Says::Difference && below != LuGreSpec::NONE {
            let mut friction = below;
            fields.numbers_given(&mut self.log, &mut friction, LuGreSpec::KEYS);
            if fields.get("form").is_some() {
                fields.fill(&mut self.log, "form", friction.form.slot());
            }
            return friction;
        }
        let log = &mut self.log;
        let first = LuGreSpec::COULOMB.key.name;
        let mut friction = LuGreSpec::geared(fields.number(log, first));
        let others = LuGreSpec::KEYS.iter().filter(|number| number.key.name != first);
        for number in others {
            fields.fill(log, number.key.name, (number.slot)(&mut friction));
        }
        fields.fill(log, "form", friction.form.slot());
        friction
    }

    pub(crate) fn tyre(&mut self, wheel: &Fields<'_>, below: TyreLaw, says: Says) -> TyreLaw {
        let node = table_of(wheel.child("tyre"));
        let own_kind = node.table().is_some_and(|table| table.contains_key("kind"));
        // Another kind has other keys: nothing of the law below is left.
        let (below, says) = if own_kind { (TyreLaw::default(), Says::All) } else { (below, says) };
        let kind = TYRES.word_of(match below {
            TyreLaw::Coulomb { .. } => TyreKind::Coulomb,
            TyreLaw::Magic(_) => TyreKind::Magic,
        });
        let path = wheel.key_path("tyre");
        let opened = Fields::open_kind_or(&mut self.log, &node, path, &TYRES, Some((kind, OURS)));
        let Some((fields, kind)) = opened else { return below };
        if kind == TyreKind::Coulomb {
            return self.coulomb(&fields, below, says);
        }
        let mut law = match below {
            TyreLaw::Magic(law) => law,
            TyreLaw::Coulomb { .. } => Magic::default(),
        };
        if kind == TyreKind::Direct {
            let along = fields.array(&mut self.log, "lengthwise");
            let across = fields.array(&mut self.log, "sideways");
            if let (Some(along), Some(across)) = (along, across) {
                law = Magic::direct(along, across);
            }
        } else {
            self.curve(&fields, "lengthwise", &mut law.lengthwise, says);
            self.curve(&fields, "sideways", &mut law.sideways, says);
        }
        self.some_numbers(&fields, &mut law, Magic::KEYS, says);
        for (name, weakening) in [
            ("weaken_lengthwise", &mut law.weaken_lengthwise),
            ("weaken_sideways", &mut law.weaken_sideways),
        ] {
            if says == Says::Difference && fields.get(name).is_none() {
                continue;
            }
            let node = fields.child(name);
            let path = fields.key_path(name);
            if let Some(inner) = Fields::open(&mut self.log, &node, path, &[WEAKENING]) {
                self.some_numbers(&inner, weakening, Weakening::KEYS, says);
            }
        }
        TyreLaw::Magic(law)
    }

    /// Coulomb's law; what differs, differs from the law below.
    fn coulomb(&mut self, fields: &Fields<'_>, below: TyreLaw, says: Says) -> TyreLaw {
        let keys = [TyreLaw::STATIC_FRICTION, TyreLaw::SLIDING_FRICTION, TyreLaw::PEAK_SLIP];
        let mut numbers = match below {
            TyreLaw::Coulomb { static_friction, sliding_friction, peak_slip } => {
                [static_friction, sliding_friction, peak_slip]
            }
            TyreLaw::Magic(_) => keys.map(|key| key.value()),
        };
        for (key, number) in keys.iter().zip(&mut numbers) {
            if says == Says::All || fields.get(key.name).is_some() {
                *number = fields.number_or(&mut self.log, key.name, *number);
            }
        }
        let [static_friction, sliding_friction, peak_slip] = numbers;
        TyreLaw::Coulomb { static_friction, sliding_friction, peak_slip }
    }

    fn curve(&mut self, tyre: &Fields<'_>, name: &str, curve: &mut Curve, says: Says) {
        if says == Says::Difference && tyre.get(name).is_none() {
            return;
        }
        let node = tyre.child(name);
        let opened = Fields::open(&mut self.log, &node, tyre.key_path(name), CURVE);
        let Some(fields) = opened else { return };
        if says == Says::All || fields.get("a").is_some() {
            curve.a = fields.array_or(&mut self.log, "a", curve.a).unwrap_or(curve.a);
        }
        self.some_numbers(&fields, curve, Curve::KEYS, says);
    }

    /// What only the whole vehicle tells, by the keys of the file.
    fn check_vehicle(&mut self, robot: &Fields<'_>, vehicle: &VehicleSpec) {
        if let Some(side) = undriven_side(vehicle) {
            let expected = match vehicle.is_passive() {
                true => format!("a wheel, not a ball, on the {side} side"),
                false => {
                    format!("a wheel, not a ball, with a motor that the {side} command drives")
                }
            };
            let path = robot.key_path("wheel");
            return self.log.wrong(robot.origin_of("wheel"), path, expected, "none");
        }
        let step = self.spec.sim.step_s;
        let ground = self.spec.ground.clone().unwrap_or_else(|| {
            let plane = Terrain::new(TerrainSpec::flat(1.0)).expect("a plane is a good terrain");
            let fine_step_s = if step > 0.0 { step.min(1e-3) } else { 1e-3 };
            let ground = GroundSpec::new("flat", Arc::new(plane));
            GroundSpec { fine_step_s, control_period_s: fine_step_s, ..ground }
        });
        let mut spec = spatial(&ground, self.spec.sim.gravity);
        spec.vehicles = vec![vehicle.clone()];
        let Err(ModelError { key, expected, got }) = SpatialModel::compile(spec) else { return };
        let Some(rest) = key.strip_prefix("vehicle.0.") else { return };
        let own = rest.replacen("wheels.", "wheel.", 1);
        // `wheel.3.radius` may have been said for all wheels, as `wheels.radius`.
        let common = own.strip_prefix("wheel.").and_then(|own| own.split_once('.'));
        let common = common.map(|(_, name)| format!("wheels.{name}"));
        let paths = [Some(own.clone()), common].into_iter().flatten();
        let paths: Vec<String> = paths.map(|path| robot.key_path(&path)).collect();
        let name = own.split('.').next().unwrap_or_default();
        self.tell_at(&paths, robot.origin_of(name), expected, got);
    }
}
