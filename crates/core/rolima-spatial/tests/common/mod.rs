//! Vehicles and grounds for tests.
#![allow(dead_code)]

use rolima_math::{Vec2, Vec3};
use rolima_spatial::{
    BodyKind, BodyShape, BodySpec, ChassisSpec, DriveVolts, LuGreSpec, Magic, MotorSpec, Shapes,
    Side, SpatialModel, SpatialSpec, SpatialWorld, Start, SuspensionSpec, Terrain, TerrainSpec,
    TyreLaw, VehicleSpec, WheelSpec,
};
use std::sync::Arc;

pub(crate) const G: f64 = 9.81;

/// A plain motor: 12 V, no losses but resistance.
pub(crate) fn motor() -> MotorSpec {
    MotorSpec {
        nominal_volts: 24.0,
        torque_constant: 0.05,
        speed_constant_rpm_v: 60.0 / (core::f64::consts::TAU * 0.05),
        resistance: 0.5,
        no_load_current: 0.0,
        gear: 15.0,
        efficiency: 1.0,
        rotor_inertia: 0.0,
        current_limit: f64::INFINITY,
    }
}

/// A symmetric vehicle of 40 kg on four wheels, without any friction at its axles.
pub(crate) fn cart() -> VehicleSpec {
    let wheel = WheelSpec {
        motor: Some(motor()),
        axle: LuGreSpec::NONE,
        suspension: SuspensionSpec { stiffness: 10e3, damping: 500.0, ..SuspensionSpec::default() },
        ..WheelSpec::default()
    };
    let wheels = [(0.25, 0.25), (0.25, -0.25), (-0.25, 0.25), (-0.25, -0.25)]
        .map(|(x, y)| WheelSpec {
            position: Vec3::new(x, y, -0.05),
            side: if y > 0.0 { Side::Left } else { Side::Right },
            ..wheel
        })
        .to_vec();
    VehicleSpec {
        name: "cart".to_owned(),
        chassis: ChassisSpec::default(),
        wheels,
        start: Start { on_ground: true, ..Start::default() },
        shapes: Shapes::default(),
        hitch: None,
        wheel_names: vec![],
    }
}

/// With this friction, per load, which tyres reach at some percent of slip and keep beyond.
pub(crate) fn with_friction(mut vehicle: VehicleSpec, mu: f64) -> VehicleSpec {
    let curve = [0.5 / mu, 1.0, mu, 0.0];
    for w in &mut vehicle.wheels {
        w.tyre = TyreLaw::Magic(Magic::direct(curve, curve));
    }
    vehicle
}

/// A plane that rises by `slope` along x.
pub(crate) fn slope(slope: f64) -> TerrainSpec {
    let corner = Vec2::new(100.0, 100.0);
    TerrainSpec::from_function(-corner, corner, 101, 101, move |x, _| slope * x)
}

pub(crate) fn world(terrain: TerrainSpec, vehicle: VehicleSpec, step_s: f64) -> SpatialWorld {
    let spec = SpatialSpec::new(Arc::new(Terrain::new(terrain).expect("a good terrain")));
    world_of(SpatialSpec { step_s, vehicles: vec![vehicle], ..spec })
}

pub(crate) fn world_of(spec: SpatialSpec) -> SpatialWorld {
    SpatialWorld::new(Arc::new(SpatialModel::compile(spec).expect("a good vehicle")))
}

pub(crate) fn drive(world: &mut SpatialWorld, left_volts: f64, right_volts: f64, brake: f64) {
    assert!(world.command(0, DriveVolts { left_volts, right_volts, brake }));
}

pub(crate) fn run(world: &mut SpatialWorld, seconds: f64) {
    world.steps((seconds / world.model().step_s).round() as u64);
}

pub(crate) fn position(world: &SpatialWorld) -> Vec3 {
    world.vehicle(0).expect("a vehicle").state.position
}

pub(crate) fn velocity(world: &SpatialWorld) -> Vec3 {
    world.vehicle(0).expect("a vehicle").state.velocity
}

pub(crate) fn near(what: &str, got: f64, expected: f64, within: f64) {
    assert!((got - expected).abs() <= within, "{what}: got {got}, expected {expected}");
}

pub(crate) fn body(name: &str, shape: BodyShape, mass: Option<f64>, position: Vec3) -> BodySpec {
    let kind = match (&shape, mass) {
        (_, None) => BodyKind::Wall,
        (BodyShape::Ball(_), _) => BodyKind::Ball,
        _ => BodyKind::Object,
    };
    BodySpec { mass, ..BodySpec::new(name, kind, shape, position) }
}

pub(crate) fn spec_of(
    terrain: TerrainSpec,
    vehicles: Vec<VehicleSpec>,
    bodies: Vec<BodySpec>,
) -> SpatialSpec {
    let terrain = Arc::new(Terrain::new(terrain).expect("a good terrain"));
    SpatialSpec { vehicles, bodies, ..SpatialSpec::new(terrain) }
}

pub(crate) fn with_bodies(terrain: TerrainSpec, bodies: Vec<BodySpec>) -> SpatialWorld {
    world_of(spec_of(terrain, vec![cart()], bodies))
}

/// A cart without motors whose chassis is ahead of its wheels.
pub(crate) fn blunt() -> VehicleSpec {
    let mut vehicle = cart();
    for w in &mut vehicle.wheels {
        w.motor = None;
        w.position.x *= 0.8;
    }
    vehicle
}
