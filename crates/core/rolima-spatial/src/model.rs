//! A checked, constant model: wheels in blocks of four, one array a quantity.

use crate::actuator::{Actuator, ActuatorKind, Drivers, check_actuators};
use crate::grip::{Tyre, TyreLanes};
use crate::hitch::Hitch;
use crate::motor::{LuGre, LuGreForm, LuGreSpec};
pub(crate) use crate::rim::Rim;
use crate::spec::{
    CONTACT_EVERY, MOST_WHEELS, SLICES, SpatialSpec, SuspensionSpec, TYRE_EVERY, VehicleSpec,
    WheelSpec,
};
use crate::stability;
use crate::terrain::Terrain;
use rolima_check::{self as check, ModelError};
use rolima_math::{Hash64, Physics, Sym3, Vec3};
use std::sync::Arc;

/// Wheels of a block.
pub const LANES: usize = 4;
/// One number for each wheel of a block.
pub type Lanes = [f64; LANES];

/// Steepest contact, as the tangent of the angle on the wheel: 76 degrees. Anything steeper acts
/// as a ramp of that angle: the wheel is blocked.
pub const STEEPEST: f64 = 4.0;

/// Torque that nothing turns against, N m: the socket of a ball.
const FIXED: f64 = 1e12;

/// Constants of up to four wheels.
#[derive(Clone, Debug)]
pub(crate) struct WheelBlock {
    pub(crate) x: Lanes,
    pub(crate) y: Lanes,
    pub(crate) z: Lanes,
    pub(crate) radius: Lanes,
    pub(crate) half_width: Lanes,
    /// Difference of the rims' heights at which only one of them touches: four times the crown.
    pub(crate) lean: Lanes,
    pub(crate) per_lean: Lanes,
    pub(crate) stiffness: Lanes,
    pub(crate) damping: Lanes,
    pub(crate) linear_travel: Lanes,
    pub(crate) stop_length: Lanes,
    pub(crate) per_two_stop_lengths: Lanes,
    pub(crate) extra_stiffness: Lanes,
    /// Step times damping times wheels over mass: what the damper is weakened by, implicitly.
    pub(crate) damper_load: Lanes,
    pub(crate) inertia: Lanes,
    pub(crate) per_inertia: Lanes,
    /// Inertia that the chassis feels when the wheel is spun up.
    pub(crate) coupling: Lanes,
    pub(crate) torque_per_volt: Lanes,
    pub(crate) torque_per_speed: Lanes,
    pub(crate) most_torque: Lanes,
    pub(crate) current_per_torque: Lanes,
    /// What a gear leaves of the torque, and one over that.
    pub(crate) efficiency: Lanes,
    pub(crate) per_efficiency: Lanes,
    /// Friction in the motor, before the gear, as a torque at the axle.
    pub(crate) motor_friction: Lanes,
    /// Other friction that holds a wheel.
    pub(crate) dry_torque: Lanes,
    pub(crate) rolling: Lanes,
    pub(crate) per_relaxation: Lanes,
    pub(crate) per_side_relaxation: Lanes,
    /// Damping time over the step.
    pub(crate) bristle: Lanes,
    /// -1 for the mirrored tyres of the left side.
    pub(crate) mirror: Lanes,
    /// Numbers of the tyres' laws and of the axles' friction, wheels side by side.
    pub(crate) tyres: TyreLanes,
    pub(crate) axles: [Lanes; 8],
    /// Whether any lane has axle friction, or its continuous form.
    pub(crate) any_axle: bool,
    pub(crate) any_soft: bool,
    /// Wheels in this block.
    pub(crate) wheels: usize,
    /// Driver stages of motors that are commanded by torque or speed, if there are any.
    pub(crate) drivers: Option<Box<Drivers>>,
}

/// A compiled vehicle.
#[derive(Clone, Debug)]
pub struct VehicleModel {
    /// What it was made of.
    pub spec: VehicleSpec,
    pub(crate) blocks: Vec<WheelBlock>,
    pub(crate) per_mass: f64,
    /// What can be commanded: motors in the order of the wheels, then joints.
    pub actuators: Vec<Actuator>,
    /// Whether any wheel is steered.
    pub(crate) steers: bool,
    /// Whether any motor has a driver stage.
    pub(crate) has_drivers: bool,
    /// Whether its body has viscous friction.
    pub(crate) has_drag: bool,
    /// Whether it hangs on another vehicle or another one on it: these advance together.
    pub(crate) is_hitched: bool,
    /// Inertia with the wheels fixed and straight, less what spins, and its inverse.
    pub(crate) straight_inertia: Sym3,
    pub(crate) straight_inverse: Sym3,
    /// Points of the chassis that may touch the ground.
    pub(crate) hull: Vec<Vec3>,
    /// Farthest point of the hull, and of hull and wheels, m.
    pub(crate) hull_radius: f64,
    pub(crate) reach: f64,
    /// How much the touching points of the hull answer to forces at all of them, at most, 1/kg.
    pub(crate) hull_answer: f64,
}

/// A compiled world.
#[derive(Clone, Debug)]
pub struct SpatialModel {
    /// What it was made of.
    pub spec: SpatialSpec,
    /// The ground.
    pub terrain: Arc<Terrain>,
    /// Vehicles, in the order of the specification.
    pub vehicles: Vec<VehicleModel>,
    /// Hitches between vehicles.
    pub hitches: Vec<Hitch>,
    /// Step, s.
    pub step_s: f64,
    /// Steps of a control period.
    pub control_steps: u64,
    /// Hash of everything that shapes its course.
    pub fingerprint: u64,
    pub(crate) rim: Rim,
    /// Whether anything can meet.
    pub(crate) has_contacts: bool,
    /// What contact resolution needs; none where nothing can meet.
    #[cfg(feature = "bodies")]
    pub(crate) contact_state: Option<crate::bodies::CollisionModel>,
}

impl SpatialModel {
    /// Checks a specification and derives what does not change.
    pub fn compile(spec: SpatialSpec) -> Result<Self, ModelError> {
        let step_s = check::within("sim.step_s", spec.step_s, 1e-7, 1e-3)?;
        check::within("sim.control_period_s", spec.control_period_s, step_s, 1e3)?;
        let control_steps = (spec.control_period_s / step_s + 0.5) as u64;
        if (control_steps as f64 * step_s / spec.control_period_s - 1.0).abs() > 1e-6 {
            let expected = format!("a multiple of the step of {step_s} s");
            return Err(ModelError::new("sim.control_period_s", expected, spec.control_period_s));
        }
        check::within("sim.gravity", spec.gravity, 0.0, 100.0)?;
        if spec.slices.is_multiple_of(2) || SLICES.check_count("", spec.slices.into()).is_err() {
            return Err(ModelError::new("sim.slices", "an odd number from 5 to 63", spec.slices));
        }
        CONTACT_EVERY.check_count("sim", spec.contact_every.into())?;
        TYRE_EVERY.check_count("sim", spec.tyre_every.into())?;
        let mut vehicles = spec
            .vehicles
            .iter()
            .enumerate()
            .map(|(i, v)| VehicleModel::compile(&format!("vehicle.{i}"), v, step_s, spec.gravity))
            .collect::<Result<Vec<_>, _>>()?;
        let hitches = crate::hitch::compile(&spec.vehicles)?;
        for hitch in &hitches {
            for vehicle in [hitch.towing, hitch.towed] {
                vehicles[vehicle as usize].is_hitched = true;
            }
        }
        let has_contacts = crate::bodies::check_contacts(&spec)?;
        let mut hash = Hash64::default();
        spec.physics(&mut hash);
        #[cfg_attr(not(feature = "bodies"), allow(unused_mut, reason = "filled in with bodies"))]
        let mut model = Self {
            terrain: spec.terrain.clone(),
            vehicles,
            hitches,
            step_s,
            control_steps,
            fingerprint: hash.finish(),
            rim: Rim::new(spec.slices as usize),
            has_contacts,
            #[cfg(feature = "bodies")]
            contact_state: None,
            spec,
        };
        #[cfg(feature = "bodies")]
        if has_contacts {
            model.contact_state = Some(crate::bodies::CollisionModel::new(&model)?);
        }
        Ok(model)
    }
}

impl VehicleModel {
    fn compile(key: &str, spec: &VehicleSpec, step: f64, gravity: f64) -> Result<Self, ModelError> {
        let c = &spec.chassis;
        check::check_numbers(&format!("{key}.chassis"), c, crate::ChassisSpec::KEYS)?;
        for (name, pair) in [("length", c.length), ("width", c.width), ("height", c.height)] {
            for x in pair {
                check::within(&format!("{key}.chassis.{name}"), x, -100.0, 100.0)?;
            }
            if pair[0] + pair[1] <= 0.0 {
                let got = format!("{} and {}", pair[0], pair[1]);
                return Err(ModelError::new(
                    format!("{key}.chassis.{name}"),
                    "a positive sum",
                    got,
                ));
            }
        }
        let zz = c.inertia[2];
        for (name, drag, inertia) in
            [("drag_linear", c.drag[0], c.mass), ("drag_angular", c.drag[1], zz)]
        {
            // More than it has in a step would turn its motion round.
            check::within(&format!("{key}.chassis.{name}"), drag, 0.0, inertia / step)?;
        }
        let count = spec.wheels.len();
        if !(2..=MOST_WHEELS).contains(&count) {
            let expected = format!("2 to {MOST_WHEELS} wheels");
            return Err(ModelError::new(format!("{key}.wheels"), expected, count));
        }
        for (i, wheel) in spec.wheels.iter().enumerate() {
            check_wheel(&format!("{key}.wheels.{i}"), wheel, (c.mass, count as f64, step))?;
        }
        check_actuators(key, spec)?;
        let blocks: Vec<WheelBlock> = spec
            .wheels
            .chunks(LANES)
            .enumerate()
            .map(|(b, wheels)| {
                block(&format!("{key}.wheels"), b, wheels, (c.mass, count as f64, step))
            })
            .collect::<Result<_, _>>()?;
        let (mut spun, mut turned) = (0.0, 0.0);
        for (i, b) in blocks.iter().enumerate() {
            for l in 0..b.wheels {
                let one = b.coupling[l] * b.coupling[l] * b.per_inertia[l];
                spun += one;
                turned += if spec.wheels[i * LANES + l].steer.is_some() { one } else { 0.0 };
            }
        }
        let mut inertia = Sym3 { diagonal: c.inertia, beside: c.products };
        let bad = || {
            let expected = "a positive definite matrix, also without what the wheels spin";
            ModelError::new(format!("{key}.chassis.inertia"), expected, format!("{:?}", c.inertia))
        };
        if !c.inertia.iter().chain(&c.products).all(|x| x.abs() < 1e9) {
            return Err(bad());
        }
        inertia.diagonal[1] -= spun;
        let inverse_inertia = inertia.inverse().ok_or_else(bad)?;
        // However far the steered wheels are turned, less than all of it is taken off about x too.
        let mut least = inertia;
        least.diagonal[0] -= turned;
        least.inverse().ok_or_else(bad)?;
        spec.shapes.check(key)?;
        stability::inertia(key, spec, &inverse_inertia, step)?;
        let hull = hull(spec);
        let hull_answer = stability::hull(key, spec, &inverse_inertia, &hull, step)?;
        stability::load(key, spec, gravity)?;
        let hull_radius = hull.iter().map(|p| p.length()).fold(0.0, f64::max);
        let far = |w: &WheelSpec| w.position.length() + w.radius + w.width;
        let reach = spec.wheels.iter().map(far).fold(hull_radius, f64::max);
        let per_mass = 1.0 / c.mass;
        Ok(Self {
            spec: spec.clone(),
            per_mass,
            actuators: spec.actuators(),
            steers: spec.wheels.iter().any(|w| w.steer.is_some()),
            has_drivers: blocks.iter().any(|b| b.drivers.is_some()),
            has_drag: c.drag != [0.0; 2],
            is_hitched: false,
            blocks,
            straight_inertia: inertia,
            straight_inverse: inverse_inertia,
            hull,
            hull_radius,
            reach,
            hull_answer,
        })
    }
}

/// The points that touch: those of the chassis' shape, or the corners of its box, and the middles of
/// its bottom and its lower edges.
fn hull(spec: &VehicleSpec) -> Vec<Vec3> {
    if !spec.shapes.hull.is_empty() {
        return spec.shapes.hull.to_vec();
    }
    let c = &spec.chassis;
    let (xs, ys, zs) =
        ([-c.length[1], c.length[0]], [-c.width[1], c.width[0]], [-c.height[1], c.height[0]]);
    let middle = |[a, b]: [f64; 2]| 0.5 * (a + b);
    let mut points = vec![];
    for z in zs {
        for x in xs {
            points.extend(ys.map(|y| Vec3::new(x, y, z)));
        }
    }
    points.push(Vec3::new(middle(xs), middle(ys), zs[0]));
    points.extend(xs.map(|x| Vec3::new(x, middle(ys), zs[0])));
    points.extend(ys.map(|y| Vec3::new(middle(xs), y, zs[0])));
    points
}

fn check_wheel(
    key: &str,
    w: &WheelSpec,
    (mass, count, step): (f64, f64, f64),
) -> Result<(), ModelError> {
    for x in w.position.array() {
        check::at_most(&format!("{key}.position"), ("a distance", "m"), x, 100.0)?;
    }
    check::check_numbers(key, w, WheelSpec::KEYS)?;
    check::within(&format!("{key}.crown"), w.crown, 0.0, 0.5 * w.radius)?;
    let SuspensionSpec { stiffness, linear_travel, stop_travel, stop_stiffness, .. } = w.suspension;
    let key = format!("{key}.suspension");
    check::check_numbers(&key, &w.suspension, SuspensionSpec::KEYS)?;
    check::within(&format!("{key}.stop_travel"), stop_travel, linear_travel + 1e-6, 20.0)?;
    check::within(&format!("{key}.stop_stiffness"), stop_stiffness, stiffness, 1e9)?;
    // All wheels on their stops and blocked: beyond this the explicit spring would ring.
    let stiffest = mass / (step * step * count * (1.0 + STEEPEST * STEEPEST));
    if stop_stiffness > stiffest {
        let expected = format!("at most {} N/m at this mass and step", check::shown(stiffest));
        return Err(ModelError::new(format!("{key}.stop_stiffness"), expected, stop_stiffness));
    }
    Ok(())
}

fn block(
    key: &str,
    index: usize,
    wheels: &[WheelSpec],
    (mass, count, step): (f64, f64, f64),
) -> Result<WheelBlock, ModelError> {
    let zero = [0.0; LANES];
    let law = wheels.first().map(|w| w.tyre).unwrap_or_default();
    let tyres = TyreLanes::of(&Tyre::new(&format!("{key}.{}.tyre", index * LANES), &law)?);
    // Lanes without a wheel: no spring, so no force; the rest must only not divide by zero.
    let mut b = WheelBlock {
        radius: [1.0; LANES],
        half_width: [1.0; LANES],
        lean: [1.0; LANES],
        per_lean: [1.0; LANES],
        stop_length: [1.0; LANES],
        inertia: [1.0; LANES],
        per_inertia: [1.0; LANES],
        most_torque: [1.0; LANES],
        per_relaxation: [1.0; LANES],
        per_side_relaxation: [1.0; LANES],
        mirror: [1.0; LANES],
        axles: LuGre::new(&LuGreSpec::NONE).numbers().map(|x| [x; LANES]),
        tyres,
        wheels: wheels.len(),
        drivers: Drivers::new(wheels, (mass, count, step)).map(Box::new),
        x: zero,
        y: zero,
        z: zero,
        stiffness: zero,
        damping: zero,
        linear_travel: zero,
        per_two_stop_lengths: zero,
        extra_stiffness: zero,
        damper_load: zero,
        coupling: zero,
        torque_per_volt: zero,
        torque_per_speed: zero,
        current_per_torque: zero,
        efficiency: [1.0; LANES],
        per_efficiency: [1.0; LANES],
        motor_friction: zero,
        dry_torque: zero,
        rolling: zero,
        bristle: zero,
        any_axle: false,
        any_soft: false,
    };
    for (l, w) in wheels.iter().enumerate() {
        let key = format!("{key}.{}", index * LANES + l);
        [b.x[l], b.y[l], b.z[l]] = w.position.array();
        b.radius[l] = w.radius;
        b.half_width[l] = 0.5 * w.width;
        b.lean[l] = 4.0 * w.crown.max(1e-7);
        b.per_lean[l] = 1.0 / b.lean[l];
        let s = &w.suspension;
        (b.stiffness[l], b.damping[l]) = (s.stiffness, s.damping);
        b.linear_travel[l] = s.linear_travel;
        b.stop_length[l] = s.stop_travel - s.linear_travel;
        b.per_two_stop_lengths[l] = 0.5 / b.stop_length[l];
        b.extra_stiffness[l] = s.stop_stiffness - s.stiffness;
        b.damper_load[l] = step * s.damping * count / mass;
        b.inertia[l] = w.inertia;
        b.coupling[l] = if w.ball { 0.0 } else { w.inertia };
        b.most_torque[l] = f64::MAX;
        if let Some(m) = &w.motor {
            m.check(&format!("{key}.motor"))?;
            let at_axle = m.gear * m.torque_constant;
            b.inertia[l] += m.gear * m.gear * m.rotor_inertia;
            b.coupling[l] += m.gear * m.rotor_inertia;
            b.torque_per_volt[l] = at_axle / m.resistance;
            b.torque_per_speed[l] = at_axle * m.gear * m.voltage_constant() / m.resistance;
            b.most_torque[l] = (at_axle * m.current_limit).min(f64::MAX);
            b.current_per_torque[l] = 1.0 / at_axle.max(1e-12);
            (b.efficiency[l], b.per_efficiency[l]) = (m.efficiency, 1.0 / m.efficiency);
            b.motor_friction[l] = at_axle * m.no_load_current;
            if w.actuator.kind != ActuatorKind::Voltage {
                // Its driver stage gives a torque in the place of the voltage.
                (b.torque_per_volt[l], b.torque_per_speed[l]) = (1.0, 0.0);
            }
            if w.actuator.kind == ActuatorKind::Torque {
                // It makes up for what motor and gear lose.
                b.most_torque[l] = (b.most_torque[l] * m.efficiency).min(f64::MAX);
                b.current_per_torque[l] *= b.per_efficiency[l];
                (b.efficiency[l], b.per_efficiency[l], b.motor_friction[l]) = (1.0, 1.0, 0.0);
            }
        }
        if w.ball {
            b.dry_torque[l] = FIXED;
        }
        b.per_inertia[l] = 1.0 / b.inertia[l];
        b.rolling[l] = w.rolling_resistance * w.radius;
        b.per_relaxation[l] = 1.0 / w.relaxation;
        b.per_side_relaxation[l] = 1.0 / w.side_relaxation;
        b.bristle[l] = w.bristle_damping_s / step;
        b.mirror[l] = if w.is_mirrored() { -1.0 } else { 1.0 };
        w.axle.check(&format!("{key}.axle"))?;
        for (lanes, x) in b.axles.iter_mut().zip(LuGre::new(&w.axle).numbers()) {
            lanes[l] = x;
        }
        b.any_axle |= w.axle.breakaway > 0.0 || w.axle.viscous > 0.0;
        b.any_soft |= w.axle.form == LuGreForm::Continuous;
        b.tyres.put(l, &Tyre::new(&format!("{key}.tyre"), &w.tyre)?);
    }
    Ok(b)
}
