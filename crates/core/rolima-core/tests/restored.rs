//! A world that was restored from a snapshot goes on as the one that was not, also where hits throw
//! bodies farther than anything moved by itself: what is remembered besides the state is no cause.

use crate::common;
use common::*;
use rolima_core::World;
use rolima_core::model::*;
use rolima_math::{Pose2, Rot2, Stream, Vec2};
use std::sync::Arc;

/// Spinning bars, boxes and light balls that are shot at one another.
fn shots(rng: &mut Stream) -> SceneSpec {
    let mut spec = SceneSpec { walls: square_hall(1.2), ..Default::default() };
    spec.contact.restitution = PairTable::uniform(rng.between(0.5, 1.0));
    let mut at = |i: u64| {
        let place = Vec2::new((i % 4) as f64 * 0.55 - 0.82, (i / 4) as f64 * 0.55 - 0.82);
        place + Vec2::new(rng.between(-0.1, 0.1), rng.between(-0.1, 0.1))
    };
    for i in 0..16 {
        let place = at(i);
        let aim = Rot2::from_angle((i * i) as f64).x_axis() * (0.5 + (i % 5) as f64 * 2.0);
        match i % 3 {
            0 => {
                let pose = Pose2::new(place.x, place.y, i as f64);
                let bar = free_box(&format!("bar{i}"), pose, aim * 0.3, 15.0 * (i as f64 - 6.0));
                let shape = vec![shape::centred_box(0.4, 0.02)];
                spec.objects.push(ObjectSpec { shape, ..bar });
            }
            1 => spec.balls.push(free_ball(&format!("ball{i}"), place, aim)),
            _ => {
                let pose = Pose2::new(place.x, place.y, 0.3 * i as f64);
                spec.objects.push(free_box(&format!("box{i}"), pose, aim, 5.0));
            }
        }
    }
    spec
}

/// Equal balls at equal speeds: what two of them get by a hit is most of what the list of near pairs
/// has to spare.
fn gas(rng: &mut Stream) -> SceneSpec {
    let mut spec = SceneSpec { walls: square_hall(0.6), ..Default::default() };
    spec.contact.restitution = PairTable::uniform(1.0);
    spec.contact.friction = PairTable::uniform(0.0);
    for i in 0..49 {
        let place = Vec2::new(f64::from(i % 7) * 0.16 - 0.48, f64::from(i / 7) * 0.16 - 0.48);
        let v = Rot2::from_angle(rng.between(-3.2, 3.2)).x_axis() * 9.0;
        spec.balls.push(free_ball(&format!("ball{i}"), place, v));
    }
    spec
}

#[test]
fn a_world_restored_before_any_step_takes_it_to_the_same_bits() {
    let mut rng = Stream::new(41, 0, "restored");
    for case in 0..24 {
        let scene = if case % 2 == 0 { shots(&mut rng) } else { gas(&mut rng) };
        let model = Arc::new(Model::compile(&scene).expect("a good scene"));
        let mut goes_on = World::new(Arc::clone(&model));
        let mut restored = World::new(model);
        for step in 0..250 {
            let snapshot = goes_on.snapshot();
            restored.restore(&snapshot).expect("of the same scene");
            goes_on.step();
            restored.step();
            assert_eq!(goes_on.state_hash(), restored.state_hash(), "case {case}, step {step}");
        }
    }
}

/// Robots of another mass are kept in blocks of their own, so that everything lies elsewhere.
#[test]
fn a_state_carried_over_to_other_robots_has_every_body_where_it_was() {
    let scene = |mass_of_second: f64| {
        let mut spec = SceneSpec { walls: square_hall(1.0), ..Default::default() };
        for i in 0..11_u32 {
            let mass = if i == 1 { mass_of_second } else { DriveSpec::default().mass };
            let drive = DriveSpec { mass, ..DriveSpec::default() };
            let place = Vec2::new(f64::from(i % 4) * 0.4 - 0.6, f64::from(i / 4) * 0.5 - 0.5);
            let pose = Pose2::new(place.x, place.y, f64::from(i));
            let mut robot = robot(&format!("robot{i}"), drive, pose);
            robot.driver = constant(2.0 + f64::from(i), 9.0 - f64::from(i));
            spec.robots.push(robot);
        }
        spec.balls.push(free_ball("ball", Vec2::new(0.0, 0.85), Vec2::new(1.0, 0.3)));
        Arc::new(Model::compile(&spec).expect("a good scene"))
    };
    let (usual, heavier) = (scene(DriveSpec::default().mass), scene(0.9));
    let slots = |model: &Model| model.bodies().map(|body| body.slot).collect::<Vec<_>>();
    assert_ne!(slots(&usual), slots(&heavier), "the same places: nothing is shown by this test");
    let mut world = World::new(Arc::clone(&usual));
    (0..700).for_each(|_| world.step());
    let mut carried = world.carry_over(Arc::clone(&heavier)).expect("the same bodies");
    for body in (0..usual.body_count() as u32).map(BodyId) {
        assert_eq!(carried.pose(body), world.pose(body), "{body:?}");
        assert_eq!(carried.twist(body), world.twist(body), "{body:?}");
    }
    let back = carried.carry_over(usual).expect("the same bodies");
    let mut again = world.fork();
    let mut there_and_back = back;
    for _ in 0..2 {
        again.step();
        there_and_back.step();
    }
    for body in (0..12).map(BodyId) {
        let [was, is] = [&again, &there_and_back].map(|world| world.pose(body).expect("a body"));
        let apart = (was.position - is.position).length();
        assert!(apart < 1e-6, "{body:?}: {apart} m: only warm starts of contacts may differ");
    }
    carried.step();
    assert_ne!(carried.pose(BodyId(1)), again.pose(BodyId(1)), "it is heavier");
}
