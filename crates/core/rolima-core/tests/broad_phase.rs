//! Broad phase: no pair is missed, and no sieve changes a bit of the outcome.
//!
//! The strongest claim is that of the copies: a world that is restored from its own snapshot after
//! every step builds its lists of pairs anew each time, yet stays equal to an undisturbed one.

use crate::common;
use common::*;
use rolima_core::model::shape::centred_box;
use rolima_core::model::*;
use rolima_core::{BodyFrame, BodyId, EventKind, RobotId, Volts, World};
use rolima_math::{Pose2, Stream, Vec2};
use std::sync::Arc;

const STEPS: u64 = if cfg!(debug_assertions) { 300 } else { 2_500 };

/// A round hall: its wall is made of some hundred straight pieces, enough for the grid of walls.
fn round_hall(radius: f64) -> Vec<WallSpec> {
    vec![WallSpec::Arc {
        center: Vec2::ZERO,
        radius: radius + 0.01,
        from_angle: 0.0,
        to_angle: core::f64::consts::TAU,
        thickness: 0.02,
        height: 0.05,
    }]
}

fn random_shape(rng: &mut Stream, size: f64) -> Vec<PartSpec> {
    let bar =
        PartSpec::Box { pose: Pose2::new(0.0, 0.4 * size, 0.6), size: [1.2 * size, 0.3 * size] };
    match rng.next_u64() % 4 {
        0 => vec![PartSpec::Circle { center: Vec2::ZERO, radius: size }],
        1 => vec![PartSpec::Polygon {
            vertices: [(-0.8, -0.6), (1.0, -0.3), (0.7, 0.8)]
                .map(|(x, y)| Vec2::new(x * size, y * size))
                .into(),
        }],
        2 => vec![centred_box(size, 1.5 * size), bar],
        _ => vec![centred_box(1.6 * size, size)],
    }
}

/// Robots, balls and boxes of mixed sizes on a square grid of `side * side` places around a centre,
/// at speeds up to `speed`.
fn crowd(rng: &mut Stream, side: u32, speed: f64, center: Vec2) -> SceneSpec {
    let mut spec = SceneSpec::default();
    spec.contact.restitution = PairTable::uniform(rng.between(0.3, 0.9));
    let pitch = 0.16;
    for i in 0..side * side {
        let corner = 0.5 * f64::from(side - 1);
        let (x, y) = (f64::from(i % side) - corner, f64::from(i / side) - corner);
        let at = center + Vec2::new(x, y) * pitch;
        let pose = Pose2::new(at.x, at.y, rng.between(-3.0, 3.0));
        let velocity = Vec2::new(rng.between(-speed, speed), rng.between(-speed, speed));
        let omega = rng.between(-20.0, 20.0);
        match rng.next_u64() % 4 {
            0 => {
                let mut r = robot(&format!("r{i}"), DriveSpec::default(), pose);
                (r.velocity, r.omega) = (velocity.x, omega);
                r.driver = DriverSpec::Random { max_volts: 9.0, period_s: 0.03 };
                spec.robots.push(r);
            }
            1 => spec.balls.push(BallSpec {
                name: format!("b{i}"),
                radius: rng.between(0.005, 0.06),
                position: at,
                velocity,
                ..BallSpec::default()
            }),
            _ => {
                let size = rng.between(0.01, 0.05);
                let shape = random_shape(rng, size);
                let ground_friction = if i % 3 == 0 { 0.0 } else { 0.02 };
                let mass = rng.between(0.02, 1.0);
                let b = free_box(&format!("o{i}"), pose, velocity, omega);
                spec.objects.push(ObjectSpec { shape, ground_friction, mass, inertia: None, ..b });
            }
        }
    }
    spec
}

/// Puts a random body at a random free place, at a random speed; the same in both worlds.
fn teleport(worlds: &mut [&mut World], rng: &mut Stream, half: f64) {
    let count = worlds[0].frame().bodies.len() as u64;
    let body = worlds[0].frame().bodies[(rng.next_u64() % count) as usize].id;
    let pose =
        Pose2::new(rng.between(-half, half), rng.between(-half, half), rng.between(-3.0, 3.0));
    let velocity = Vec2::new(rng.between(-3.0, 3.0), 0.0);
    let radius = |w: &World, body: BodyId| w.model().body(body).expect("a body").radius;
    let own = radius(worlds[0], body);
    let free = worlds[0].frame().bodies.iter().all(|b| {
        let room = own + radius(worlds[0], b.id) + 0.002;
        b.id == body || (b.pose.position - pose.position).length() > room
    });
    if free {
        for world in worlds {
            assert!(world.set_motion(body, pose, velocity, 5.0));
        }
    }
}

#[test]
fn no_two_outlines_ever_overlap_by_more_than_a_millimetre() {
    let scenes = if cfg!(debug_assertions) { 4 } else { 40 };
    let mut rng = Stream::new(1, 0, "broad");
    let mut hits = 0;
    for scene in 0..scenes {
        // Some hundred wall pieces, or a few; below and above the size from which a grid is used.
        let side = [3, 4, 6, 8][scene % 4];
        let half = 0.11 * f64::from(side) + 0.12;
        let mut spec = crowd(&mut rng, side, [1.0, 4.0, 10.0][scene % 3], Vec2::ZERO);
        spec.walls = if scene % 5 < 3 { round_hall(1.42 * half) } else { square_hall(half) };
        let mut w = world(&spec);
        for step in 0..400 {
            w.step();
            if step % 60 == 30 {
                teleport(&mut [&mut w], &mut rng, half - 0.1);
            }
            let deep = deepest_overlap(&w);
            assert!(deep < 1e-3, "scene {scene}, step {step}: {deep} m deep");
        }
        let out = |b: &BodyFrame| b.pose.position.length() > 1.5 * half;
        assert!(!w.frame().bodies.iter().any(out), "scene {scene}: somebody is outside");
        hits += w.state().event_count(EventKind::Impact);
    }
    assert!(hits > 30 * scenes as u64, "{hits} hits");
}

/// Runs a world beside a copy that is restored from its own snapshot after every step.
fn run_copies(name: &str, model: &Arc<Model>, rng: &mut Stream, teleports: Option<f64>) {
    let (mut one, mut copy) = (World::new(model.clone()), World::new(model.clone()));
    for step in 0..STEPS {
        one.step();
        copy.step();
        assert_eq!(one.state_hash(), copy.state_hash(), "{name}: step {step}");
        if step % 40 == 20 && !model.robots.is_empty() {
            let robot = (rng.next_u64() % model.robots.len() as u64) as u32;
            let volts = Volts { right: rng.between(-9.0, 9.0), left: rng.between(-9.0, 9.0) };
            for world in [&mut one, &mut copy] {
                world.command(RobotId(robot), volts).expect("good volts");
            }
        }
        if let Some(half) = teleports.filter(|_| step % 50 == 25) {
            teleport(&mut [&mut one, &mut copy], rng, half);
        }
        let bytes = copy.snapshot();
        copy.restore(&bytes).expect("its own snapshot");
    }
    let hits = one.state().event_count(EventKind::Impact);
    assert!(hits > 5, "{name}: {hits} hits");
}

#[test]
fn mixed_crowds_do_not_depend_on_when_their_pairs_were_listed() {
    let mut rng = Stream::new(2, 0, "broad");
    for case in 0..8 {
        let side = [3, 5, 6, 7][case % 4];
        let half = 0.1 * f64::from(side) + 0.12;
        let mut spec = crowd(&mut rng, side, [0.5, 3.0, 10.0][case % 3], Vec2::ZERO);
        spec.walls = if case % 2 == 0 { round_hall(1.42 * half) } else { square_hall(half) };
        let model = Arc::new(Model::compile(&spec).expect("a good scene"));
        run_copies(&format!("crowd {case}"), &model, &mut rng, Some(half - 0.1));
    }
}

#[test]
fn built_in_scenes_do_not_depend_on_when_their_pairs_were_listed() {
    let mut rng = Stream::new(3, 0, "broad");
    for (scene, set) in [
        ("soccer", "driver=random"),
        ("soccer", "driver=chaser"),
        ("scrum", "title=scrum"),
        ("pile", "volts=6"),
        ("playground", "driver=random"),
        ("playground", "contact.response=equivalent-sphere"),
    ] {
        let source = rolima_scene::Source::BuiltIn(format!("{scene}.toml"));
        let spec = rolima_scene::load(&source, &[set.to_owned()]).expect("a built-in scene");
        let model = Arc::new(spec.compile().expect("a good scene"));
        run_copies(&format!("{scene} {set}"), &model, &mut rng, None);
    }
}

#[test]
fn clumped_robots_do_not_depend_on_when_their_pairs_were_listed() {
    let mut rng = Stream::new(4, 0, "broad");
    for fill in ["0.2", "0.6"] {
        let sets = ["robots=40", "layout=clump", &format!("fill={fill}")].map(str::to_owned);
        let source = rolima_scene::Source::BuiltIn("crowd.toml".to_owned());
        let spec = rolima_scene::load(&source, &sets).expect("a built-in scene");
        let model = Arc::new(spec.compile().expect("a good scene"));
        run_copies(&format!("clump {fill}"), &model, &mut rng, None);
    }
}

fn bits(bodies: &[BodyFrame]) -> Vec<[u64; 5]> {
    let of = |b: &BodyFrame| {
        let (p, v) = (b.pose, b.velocity);
        [p.position.x, p.position.y, p.rotation.s, v.x, b.omega].map(f64::to_bits)
    };
    bodies.iter().map(of).collect()
}

/// The bodies of `spec` move in the same way, bit for bit, whatever stands far away.
fn assert_blind_to(spec: &SceneSpec, far: &SceneSpec, what: &str) {
    let (mut alone, mut together) = (world(spec), world(far));
    let count = alone.frame().bodies.len();
    for step in 0..1_000 {
        alone.step();
        together.step();
        let (a, b) = (alone.frame(), together.frame());
        assert_eq!(bits(&a.bodies), bits(&b.bodies[..count]), "{what}: step {step}");
    }
    let hits = alone.state().event_count(EventKind::Impact);
    assert!(hits > 10, "{what}: {hits} hits");
}

#[test]
fn what_stands_far_away_changes_nothing_though_it_changes_grids_and_margins() {
    let mut rng = Stream::new(5, 0, "broad");
    for case in 0..6 {
        // 16 bodies are compared each with each; with those far away they go through the grid.
        let mut spec = crowd(&mut rng, 4, 3.0, Vec2::ZERO);
        spec.walls = square_hall(0.55);
        let mut many = spec.clone();
        for i in 0..40 {
            let pose = Pose2::new(50.0 + f64::from(i), -9.0 * f64::from(i % 3), 0.3);
            let far = free_box(&format!("far{i}"), pose, Vec2::ZERO, 0.0);
            // Some are larger than anything here, and so are cells and margins; the first ones
            // share a block with bodies of the crowd and must not be its largest.
            let size = if i >= 8 && i % 8 == case { 1.5 } else { 0.004 };
            many.objects.push(ObjectSpec { shape: vec![centred_box(size, size)], ..far });
        }
        assert_blind_to(&spec, &many, "bodies");
        let mut walls = spec.clone();
        for i in 0..40 {
            let x = -30.0 - f64::from(i);
            walls.walls.push(segment((x, -2.0), (x, 1000.0 * f64::from(i % 4) + 2.0), 0.01));
        }
        assert_blind_to(&spec, &walls, "walls");
    }
}

#[test]
fn crowds_a_thousand_kilometres_off_and_flying_apart_collide_as_elsewhere() {
    let mut rng = Stream::new(6, 0, "broad");
    for case in 0..10 {
        let center = [Vec2::new(6e5, -7e5), Vec2::new(-9e5, 1e3)][case % 2];
        let mut spec = crowd(&mut rng, 6, 3.0, center);
        spec.robots.truncate(4);
        let mut w = world(&spec);
        // One flies away at a speed that makes margins huge, the others go on.
        let runaway = BodyId(0);
        let off = Pose2::new(center.x, center.y + 50.0, 0.0);
        assert!(w.set_motion(runaway, off, Vec2::new(9e3, 0.0), 10.0));
        let mut deep = f64::NEG_INFINITY;
        for _ in 0..150 {
            w.step();
            deep = deep.max(deepest_overlap(&w));
        }
        assert!(deep < 1e-3, "case {case}: {deep} m deep");
        assert!(w.state().event_count(EventKind::Impact) > 0, "case {case}: not a hit");
        assert!(w.frame().bodies.iter().all(|b| b.pose.is_finite() && !b.quarantined));
    }
}

/// So many walls of 1,000 km that cells become larger than robots by far; none is missed.
#[test]
fn walls_that_are_longer_than_any_grid_stop_what_runs_into_them() {
    let mut spec = SceneSpec::default();
    spec.contact.restitution = PairTable::uniform(1.0);
    spec.contact.friction = PairTable::uniform(0.0);
    for tilt in [0.0, 1e5] {
        spec.walls.clear();
        spec.balls.clear();
        spec.walls.extend((-60..60).map(|i| {
            let y = f64::from(i);
            segment((-5e5, y - tilt), (5e5, y + tilt), 0.01)
        }));
        spec.balls.extend((-50..50).map(|i| {
            let x = 40.0 * f64::from(i);
            let at = Vec2::new(x, f64::from(i) + 0.5 + x * tilt / 5e5);
            free_ball(&format!("b{i}"), at, Vec2::new(3.0, 2.0))
        }));
        let mut w = world(&spec);
        for step in 0..STEPS {
            w.step();
            for (i, ball) in (-50..50).zip(w.frame().bodies) {
                let p = ball.pose.position;
                let above = p.y - p.x * tilt / 5e5 - f64::from(i);
                assert!((0.0..=1.0).contains(&above), "ball {i} left at step {step}: {p:?}");
            }
        }
    }
}
