//! What bodies cost: `cargo run --release --features bodies --example bodies_speed`.

mod timing;

use rolima_math::Vec3;
use rolima_spatial::{
    BodyKind, BodyShape, BodySpec, DriveVolts, Hills, SpatialModel, SpatialSpec, SpatialWorld,
    Terrain, presets,
};
use std::sync::Arc;
use timing::timed;

/// A world of `vivi` (as many as wanted, in a row) and bodies, on hills.
fn world(vehicles: u32, bodies: Vec<BodySpec>) -> SpatialWorld {
    let hills = Hills { amplitude: 0.4, wavelength: 6.0, octaves: 4, ..Hills::default() };
    let terrain = Arc::new(Terrain::new(hills.terrain().expect("hills")).expect("hills"));
    let mut spec = SpatialSpec { bodies, ..SpatialSpec::new(terrain) };
    for i in 0..vehicles {
        let mut one = presets::vivi();
        one.start.position.y = 3.0 * f64::from(i) - 6.0;
        spec.vehicles.push(one);
    }
    SpatialWorld::new(Arc::new(SpatialModel::compile(spec).expect("a good world")))
}

fn body(i: u32, shape: BodyShape, free: bool, position: Vec3) -> BodySpec {
    let kind = if free { BodyKind::Object } else { BodyKind::Wall };
    let mass = free.then_some(5.0);
    BodySpec { mass, ..BodySpec::new(format!("body-{i}"), kind, shape, position) }
}

/// Apart from one another, over the ground, from x on.
fn spread(count: u32, shape: &BodyShape, free: bool, x: f64) -> Vec<BodySpec> {
    let at = |i: u32| Vec3::new(x + 1.0 * f64::from(i % 8), f64::from(i / 8) - 3.0, 1.0);
    (0..count).map(|i| body(i, shape.clone(), free, at(i))).collect()
}

fn heap(count: u32) -> Vec<BodySpec> {
    let at = |i: u32| {
        let (column, layer) = (f64::from(i % 9), f64::from(i / 9));
        let (row, column) = ((column / 3.0).floor(), column % 3.0);
        Vec3::new(5.0 + 0.41 * column, 0.41 * row, 0.7 + 0.42 * layer)
    };
    (0..count).map(|i| body(i, BodyShape::Box([0.2; 3]), true, at(i))).collect()
}

fn main() {
    let (cube, ball, post) =
        (BodyShape::Box([0.2; 3]), BodyShape::Ball(0.2), BodyShape::Cylinder(0.1, 1.0));
    for (name, mut world, settle_s) in [
        ("one vehicle", world(1, vec![]), 0.0),
        ("four vehicles apart", world(4, vec![]), 0.0),
        ("a vehicle, 100 posts", world(1, spread(100, &post, false, 6.0)), 0.0),
        ("a vehicle, 40 sleeping boxes", world(1, spread(40, &cube, true, 8.0)), 4.0),
        ("40 falling boxes, apart", world(0, spread(40, &cube, true, 0.0)), 0.3),
        ("40 balls that roll on hills", world(0, spread(40, &ball, true, 0.0)), 1.0),
        ("a heap of 9 boxes", world(0, heap(9)), 0.3),
        ("a heap of 36 boxes", world(0, heap(36)), 0.3),
    ] {
        for vehicle in 0..world.model().vehicles.len() as u32 {
            let drive = DriveVolts { left_volts: 3.0, right_volts: 3.0, brake: 0.0 };
            assert!(world.command(vehicle, drive));
        }
        world.steps((settle_s * 1e3) as u64 + 100);
        let (steps, mut met) = (500, 0.0);
        let all = timed(|| {
            for _ in 0..steps {
                world.drive(1);
                met += timed(|| world.resolve_contacts());
            }
        });
        let awake = world.bodies().iter().filter(|b| b.velocity != Vec3::ZERO).count();
        println!(
            "{name:30} {:8.2} us a step of 1 ms, {:8.2} us of it to meet, {awake} awake",
            1e6 * all / f64::from(steps),
            1e6 * met / f64::from(steps),
        );
    }
}
