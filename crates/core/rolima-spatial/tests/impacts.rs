//! Hits: what comes back is restitution times what came, for flat faces as for balls, with the
//! feature `bodies`.
#![cfg(feature = "bodies")]

use crate::common;

use common::*;
use rolima_math::{Quat, Vec2, Vec3, cos, sin};
use rolima_spatial::{
    BodyPart, BodyShape, BodySpec, PairContacts, PairTable, SpatialSpec, SpatialWorld, TerrainSpec,
    presets,
};

const SPEEDS: [f64; 5] = [0.5, 1.0, 2.0, 3.0, 5.0];
const RESTITUTIONS: [f64; 5] = [0.0, 0.2, 0.6, 0.9, 1.0];

/// Shares of a step's way by which the start is moved back, and outer steps.
const PHASES: [(f64, u32); 5] = [(0.01, 1), (0.35, 1), (0.8, 1), (0.2, 4), (0.6, 20)];

/// High above the ground, where nothing else touches.
const UP: f64 = 60.0;

fn contact(restitution: f64, friction: f64) -> PairContacts {
    PairContacts {
        friction: PairTable::uniform(friction),
        restitution: PairTable::uniform(restitution),
        ..PairContacts::default()
    }
}

fn turn(yaw: f64) -> Quat {
    Quat::about(Vec3::new(0.0, 0.0, 1.0), yaw)
}

fn prism() -> BodyShape {
    let outline = [(-0.2, -0.3), (0.2, -0.2), (0.2, 0.2), (-0.2, 0.3)];
    let outline = outline.map(|(x, y)| Vec2::new(x, y)).to_vec();
    BodyShape::Parts(vec![BodyPart::Prism { outline, z: [-0.1, 0.15] }])
}

/// Something of 5 kg whose foremost point or face is 0.2 m ahead of its middle.
fn shapes() -> [(&'static str, BodyShape); 5] {
    let tower = BodyPart::Prism {
        outline: [(-0.2, -0.1), (0.2, -0.1), (0.2, 0.1), (-0.2, 0.1)]
            .map(|(x, y)| Vec2::new(x, y))
            .to_vec(),
        z: [-0.4, 0.4],
    };
    [
        ("ball", BodyShape::Ball(0.2)),
        ("box", BodyShape::Box([0.2, 0.3, 0.25])),
        ("flat box", BodyShape::Box([0.2, 0.6, 0.03])),
        ("prism", prism()),
        ("tower", BodyShape::Parts(vec![tower])),
    ]
}

/// A wall across the way along `yaw`, whose face is `ahead` of the origin.
fn wall(yaw: f64, ahead: f64) -> BodySpec {
    let at = turn(yaw).rotate(Vec3::new(ahead + 0.5, 0.0, 0.0));
    let size = BodyShape::Box([0.5, 5.0, 20.0]);
    let mut wall = body("wall", size, None, at + Vec3::new(0.0, 0.0, UP));
    wall.orientation = turn(yaw);
    wall
}

/// Runs until something has touched and for 30 ms more.
fn run_through(w: &mut SpatialWorld) -> bool {
    for _ in 0..2000 {
        w.step();
        if !w.touches().is_empty() {
            w.steps(30);
            return true;
        }
    }
    false
}

/// A body that flies into a wall: how fast it comes back, as a share of how fast it came, and what
/// it turns with.
fn comes_back(
    shape: &BodyShape,
    v: f64,
    (e, friction): (f64, f64),
    (phase, outer): (f64, u32),
    yaw: f64,
) -> [f64; 2] {
    let forward = turn(yaw).rotate(Vec3::new(1.0, 0.0, 0.0));
    let back = forward * -(0.05 + phase * v * 1e-3);
    let mut flier = body("flier", shape.clone(), Some(5.0), back + Vec3::new(0.0, 0.0, UP));
    (flier.velocity, flier.orientation) = (forward * v, turn(yaw));
    let mut spec = spec_of(TerrainSpec::flat(40.0), vec![], vec![flier, wall(yaw, 0.2)]);
    (spec.contact, spec.outer_steps) = (contact(e, friction), outer);
    // Without gravity, by which it would slide down along the wall.
    spec.gravity = if friction > 0.0 { 0.0 } else { G };
    let mut w = world_of(spec);
    assert!(run_through(&mut w));
    [-w.bodies()[0].velocity.dot(forward) / v, w.bodies()[0].omega.length()]
}

#[test]
fn a_flat_face_comes_back_with_restitution_times_its_speed_and_does_not_turn() {
    for (name, shape) in &shapes() {
        for v in SPEEDS {
            for e in RESTITUTIONS {
                for (i, phase) in PHASES.into_iter().enumerate() {
                    let [share, omega] = comes_back(shape, v, (e, 0.0), phase, 0.7 * i as f64);
                    let what = format!("{name} at {v} m/s, e {e}, {phase:?}");
                    near(&what, share, e, 1e-3);
                    near(&what, omega, 0.0, 5e-3 * v);
                }
            }
        }
    }
}

/// Friction as scenes have it unless they say otherwise.
const RUBS: f64 = 0.3;

#[test]
fn friction_takes_nothing_from_a_straight_hit() {
    for (name, shape) in &shapes() {
        for v in SPEEDS {
            for e in RESTITUTIONS {
                for (i, phase) in PHASES.into_iter().enumerate() {
                    let [share, _] = comes_back(shape, v, (e, RUBS), phase, 0.7 * i as f64);
                    near(&format!("{name} at {v} m/s, e {e}, {phase:?}"), share, e, 0.02);
                }
            }
        }
    }
}

#[test]
fn a_ball_that_hits_at_an_angle_comes_back_as_asked_and_slides_as_coulomb_says() {
    for v in SPEEDS {
        for e in RESTITUTIONS {
            for aside in [0.3, 1.0, 3.0] {
                let mut flier = body("flier", BodyShape::Ball(0.2), Some(5.0), Vec3::ZERO);
                flier.position = Vec3::new(-0.25, 0.0, UP);
                flier.velocity = Vec3::new(v, aside * v, 0.0);
                let spec = spec_of(TerrainSpec::flat(40.0), vec![], vec![flier, wall(0.0, 0.2)]);
                let contact = contact(e, RUBS);
                let mut w = world_of(SpatialSpec { contact, gravity: 0.0, ..spec });
                assert!(run_through(&mut w));
                let what = format!("{v} m/s, {aside} of it aside, e {e}");
                let after = w.bodies()[0];
                near(&what, -after.velocity.x / v, e, 0.02);
                // Friction takes its share of the normal impulse, or all that slides: 2/7 of it.
                let taken = (RUBS * (1.0 + e)).min(2.0 / 7.0 * aside);
                near(&what, aside - after.velocity.y / v, taken, 0.02);
            }
        }
    }
}

#[test]
fn a_face_that_hits_a_face_parts_with_restitution_times_the_speed_of_approach() {
    for v in SPEEDS {
        for e in RESTITUTIONS {
            for (mass, (phase, outer)) in [0.5, 5.0, 500.0].into_iter().zip(PHASES) {
                let at = |x: f64| Vec3::new(x, 0.0, UP);
                let one = BodyShape::Box([0.2, 0.3, 0.25]);
                let mut one = body("one", one, Some(5.0), at(-0.25 - phase * v * 1e-3));
                one.velocity.x = v;
                let other = body("other", BodyShape::Box([0.2, 0.2, 0.3]), Some(mass), at(0.2));
                let mut spec = spec_of(TerrainSpec::flat(40.0), vec![], vec![one, other]);
                (spec.contact, spec.outer_steps) = (contact(e, 0.0), outer);
                let mut w = world_of(spec);
                assert!(run_through(&mut w));
                let [a, b] = [0, 1].map(|i: usize| w.bodies()[i].velocity.x);
                let what = format!("{v} m/s, e {e}, {mass} kg");
                near(&what, (b - a) / v, e, 1e-3);
                near(&what, (5.0 * a + mass * b) / (5.0 * v), 1.0, 1e-9);
            }
        }
    }
}

/// Wall, or loose box of 15 kg, before a vehicle whose front is `front` ahead of its middle.
fn obstacle(front: f64, mass: Option<f64>, z: f64) -> BodySpec {
    let half = if mass.is_some() { [0.3, 0.3, 0.25] } else { [0.5, 3.0, 1.0] };
    body("thing", BodyShape::Box(half), mass, Vec3::new(front + 0.1 + half[0], 0.0, z))
}

#[test]
fn a_vehicle_comes_back_from_walls_and_boxes_with_restitution_times_its_speed() {
    for v in SPEEDS {
        for e in RESTITUTIONS {
            for ((phase, outer), mass) in
                PHASES.into_iter().zip([None, None, None, Some(15.0), None])
            {
                let mut vehicle = blunt();
                vehicle.start.on_ground = false;
                vehicle.start.position = Vec3::new(-phase * v * 1e-3, 0.0, UP);
                vehicle.start.velocity.x = v;
                let front = vehicle.chassis.length[0];
                let thing = obstacle(front, mass, UP);
                let mut spec = spec_of(TerrainSpec::flat(40.0), vec![vehicle], vec![thing]);
                (spec.contact, spec.outer_steps) = (contact(e, 0.0), outer);
                let mut w = world_of(spec);
                assert!(run_through(&mut w));
                let parting = w.bodies()[0].velocity.x - velocity(&w).x;
                near(&format!("{v} m/s, e {e}, {mass:?}"), parting / v, e, 2e-3);
            }
        }
    }
}

/// Speed along x of the vehicle's point there.
fn point_speed(w: &SpatialWorld, point: Vec3) -> f64 {
    let vehicle = w.vehicle(0).expect("a vehicle");
    let state = &vehicle.state;
    let omega = state.orientation.rotate(vehicle.angular_velocity(w.model(), 0));
    (state.velocity + omega.cross(point - state.position)).x
}

/// Energy of motion of the vehicle, J: what its wheels carry of its weight is in its springs.
fn vehicle_energy(w: &SpatialWorld) -> f64 {
    w.vehicle(0).expect("a vehicle").kinetic_energy(w.model(), 0)
}

#[test]
fn a_vehicle_that_drives_into_a_wall_comes_back_as_asked_where_it_was_hit() {
    // Wheels of these are ahead of the chassis and below the centre of mass: they pitch.
    let vehicles =
        [blunt(), presets::vivi(), presets::skid_steer(), presets::rover(), presets::robot_one()];
    for mut vehicle in vehicles {
        for v in SPEEDS {
            for (e, friction) in RESTITUTIONS.into_iter().flat_map(|e| [(e, 0.0), (e, RUBS)]) {
                vehicle.start.velocity.x = v;
                let reach = vehicle.wheels.iter().map(|w| w.position.x + w.radius);
                let front = reach.fold(vehicle.chassis.length[0], f64::max) - 0.08;
                let wall = obstacle(front, None, 0.8);
                let mut spec = spec_of(TerrainSpec::flat(40.0), vec![vehicle.clone()], vec![wall]);
                spec.contact = contact(e, friction);
                let mut w = world_of(spec);
                for step in 0.. {
                    assert!(step < 500, "{} does not get there at {v} m/s", vehicle.name);
                    w.drive(1);
                    // With what its own step has made of it.
                    let own = w.clone();
                    w.resolve_contacts();
                    if let Some(touch) = w.touches().first() {
                        let came = point_speed(&own, touch.point);
                        let back = -point_speed(&w, touch.point);
                        let what = format!("{}, {v} m/s, e {e}, {friction}", vehicle.name);
                        // One that pitches is rubbed along the wall, too: see `stronge.rs`.
                        if friction == 0.0 || vehicle.name == "cart" {
                            near(&what, back / came, e, 0.02);
                        }
                        let [had, has] = [&own, &w].map(vehicle_energy);
                        assert!(has <= had * (1.0 + 1e-9), "{what}: {had} J became {has} J");
                        break;
                    }
                }
            }
        }
    }
}

#[test]
fn a_face_turns_round_once_and_not_in_the_wall() {
    for v in SPEEDS {
        for (phase, outer) in PHASES.into_iter().filter(|p| p.1 < 20) {
            let start = Vec3::new(-0.05 - phase * v * 1e-3, 0.0, UP);
            let mut flier = body("flier", BodyShape::Box([0.2, 0.3, 0.25]), Some(5.0), start);
            flier.velocity.x = v;
            let mut spec = spec_of(TerrainSpec::flat(40.0), vec![], vec![flier, wall(0.0, 0.2)]);
            (spec.contact, spec.outer_steps) = (contact(0.6, 0.0), outer);
            let mut w = world_of(spec);
            let (mut farthest, mut turned) = (f64::MIN, 0);
            for _ in 0..400 {
                let before = w.bodies()[0].velocity.x;
                w.step();
                farthest = farthest.max(w.bodies()[0].position.x);
                turned += u32::from(w.bodies()[0].velocity.x != before);
            }
            // The middle is 0.2 m behind the face.
            assert!(farthest < 1e-6, "{v} m/s, {phase}, {outer}: {farthest} m in the wall");
            assert_eq!(turned, 1, "one hit, in one step: {v} m/s, {phase}, {outer}");
        }
    }
}

/// Drops something on level ground. Height over the ground that it reaches after the first bounce,
/// as a share of the height it fell, and how long until it sleeps, s.
fn drop(shape: BodyShape, half: f64, height: f64, e: f64, outer: u32) -> [f64; 2] {
    let mut faller = body("faller", shape, Some(5.0), Vec3::new(0.3, 0.2, half + height));
    faller.restitution = e;
    let mut spec = spec_of(TerrainSpec::flat(40.0), vec![], vec![faller]);
    spec.outer_steps = outer;
    let mut w = world_of(spec);
    let (mut highest, mut bounces, mut up) = (0.0f64, 0, false);
    let mut slept = 1e9;
    for step in 0..8000 {
        w.step();
        let b = w.bodies()[0];
        bounces += u32::from(!up && b.velocity.z > 1e-3);
        up = b.velocity.z > 1e-3;
        if bounces == 1 {
            highest = highest.max(b.position.z - half);
        }
        if b.asleep {
            slept = f64::from(step) * 1e-3;
            break;
        }
    }
    [highest / height, slept]
}

#[test]
fn a_box_that_falls_flat_bounces_from_the_ground_as_high_as_a_ball() {
    for height in [0.0128, 0.05, 0.2, 1.25] {
        for e in RESTITUTIONS {
            for outer in [1, 2, 4] {
                let (flat, ball) = (BodyShape::Box([0.4, 0.3, 0.1]), BodyShape::Ball(0.1));
                for (name, shape) in [("box", flat), ("ball", ball)] {
                    let [high, slept] = drop(shape, 0.1, height, e, outer);
                    // The height goes with the square of the speed.
                    let what = format!("{name}, {height} m, e {e}, {outer}");
                    near(&what, high.sqrt(), e, 0.01);
                    assert!(e > 0.8 || slept < 8.0, "{what}: {slept}");
                }
            }
        }
    }
}

/// Kinetic energy of a box of 5 kg with these half sizes.
fn kinetic(w: &SpatialWorld, [x, y, z]: [f64; 3]) -> f64 {
    let b = w.bodies()[0];
    let own = b.orientation.unrotate(b.omega).array();
    let inertia = [y * y + z * z, x * x + z * z, x * x + y * y].map(|i| 5.0 / 3.0 * i);
    let spins: f64 = (0..3).map(|i| inertia[i] * own[i] * own[i]).sum();
    0.5 * (5.0 * b.velocity.dot(b.velocity) + spins)
}

#[test]
fn a_box_that_hits_askew_never_gains_and_keeps_what_it_has_if_nothing_is_lost() {
    let half = [0.2, 0.3, 0.25];
    for (i, lean) in [0.0, 1e-4, 1e-3, 0.01, 0.05, 0.3, 0.785].into_iter().enumerate() {
        for friction in [0.0, 0.3, 1.0] {
            for e in RESTITUTIONS {
                for v in SPEEDS {
                    let mut flier = body("flier", BodyShape::Box(half), Some(5.0), Vec3::ZERO);
                    let across = 0.9 * i as f64;
                    let axis = Vec3::new(0.0, cos(across), sin(across));
                    flier.orientation = Quat::about(axis, lean);
                    flier.position = Vec3::new(-0.25, 0.0, UP);
                    flier.velocity = Vec3::new(v, 0.3 * v * cos(across), 0.0);
                    flier.omega = Vec3::new(2.0, 0.1 * i as f64, -1.0) * (lean * v);
                    let spec = spec_of(TerrainSpec::flat(40.0), vec![], vec![flier]);
                    let mut spec = SpatialSpec { contact: contact(e, friction), ..spec };
                    spec.bodies.push(wall(0.0, 0.2));
                    let mut w = world_of(spec);
                    let energy = |w: &SpatialWorld| {
                        kinetic(w, half) + 5.0 * G * (w.bodies()[0].position.z - UP)
                    };
                    let start = energy(&w);
                    let mut old = start;
                    for _ in 0..600 {
                        w.step();
                        let new = energy(&w);
                        assert!(
                            new <= old + 1e-9 * start,
                            "{lean} {friction} {e} {v}: {old} {new}"
                        );
                        old = new;
                    }
                    let what = format!("lean {lean}, friction {friction}, e {e}, {v} m/s");
                    if e == 1.0 && friction == 0.0 {
                        near(&what, old / start, 1.0, 2e-3);
                    }
                }
            }
        }
    }
}
