//! Hands that pull bodies: they follow, they do not break anything, and refuse nonsense.

use crate::common;

use common::model;
use rolima_core::model::shape::centred_box;
use rolima_core::model::{BallFriction, BallSpec, ObjectSpec, RobotSpec, SceneSpec};
use rolima_core::{BodyFrame, BodyId, Model};
use rolima_math::{Pose2, Stream, Vec2};
use rolima_run::live::{Action, Session};
use std::sync::Arc;

fn session(spec: &SceneSpec) -> Session {
    Session::new(Arc::new(Model::compile(spec).expect("a good scene")), 1)
}

fn body(session: &Session, body: BodyId) -> BodyFrame {
    let frame = session.world().frame();
    frame.bodies.into_iter().find(|b| b.id == body).expect("a body")
}

fn one_ball(friction: BallFriction, step_s: f64) -> Session {
    let mut spec = SceneSpec::default();
    spec.sim.step_s = step_s;
    spec.balls.push(BallSpec { friction, ..BallSpec::default() });
    session(&spec)
}

fn grab(body: BodyId, own: Vec2, hand: Vec2) -> Action {
    Action::Grab { body, own, hand }
}

#[test]
fn a_held_ball_comes_to_the_hand_and_stays_without_swinging() {
    for step_s in [1e-4, 1e-3, 1e-2] {
        let mut session = one_ball(BallFriction::Viscous { beta: 0.0 }, step_s);
        assert!(session.act(&grab(BodyId(0), Vec2::ZERO, Vec2::new(1.0, 0.0))));
        let mut farthest = 0.0f64;
        for _ in 0..(2.0 / step_s) as u64 {
            session.steps(1);
            farthest = farthest.max(body(&session, BodyId(0)).pose.position.x);
        }
        let ball = body(&session, BodyId(0));
        assert!((ball.pose.position.x - 1.0).abs() < 1e-3, "step {step_s}: {ball:?}");
        assert!(farthest < 1.01, "step {step_s}: swings to {farthest} m");
        assert!(ball.velocity.length() < 1e-2);
    }
}

#[test]
fn a_ball_that_is_let_go_is_pulled_no_more() {
    let mut session = one_ball(BallFriction::Viscous { beta: 0.0 }, 1e-3);
    assert!(session.act(&grab(BodyId(0), Vec2::ZERO, Vec2::new(1.0, 0.0))));
    session.steps(100);
    assert!(
        session.act(&Action::LetGo { body: BodyId(0) })
            && !session.act(&Action::LetGo { body: BodyId(0) })
    );
    let before = body(&session, BodyId(0)).velocity;
    session.steps(100);
    assert_eq!(body(&session, BodyId(0)).velocity, before);
    assert!(before.x > 0.5, "{before:?}");
}

#[test]
fn a_robot_is_dragged_sideways_over_its_tyres_and_a_box_over_its_friction() {
    let mut spec = SceneSpec::default();
    let scene = model("soccer", &["driver=none"]);
    spec.robots.push(RobotSpec { pose: Pose2::IDENTITY, ..scene.spec.robots[0].clone() });
    spec.materials = scene.spec.materials.clone();
    spec.objects.push(ObjectSpec {
        name: "box".to_owned(),
        pose: Pose2::new(2.0, 0.0, 0.0),
        velocity: Vec2::ZERO,
        omega: 0.0,
        shape: vec![centred_box(0.1, 0.05)],
        mass: 0.5,
        inertia: None,
        ground_friction: 0.5,
        height: None,
        colour: None,
        material: None,
    });
    let mut session = session(&spec);
    for (number, x) in [(0, 0.0), (1, 2.0)] {
        let held = BodyId(number);
        let hand = Vec2::new(x, 0.5);
        assert!(session.act(&grab(held, Vec2::ZERO, hand)));
        session.steps(3000);
        let left = body(&session, held).pose.position - hand;
        assert!(left.length() < 0.05, "body {held}: {left:?}");
    }
}

#[test]
fn hands_that_jump_about_break_nothing() {
    let model = model("soccer", &["driver=random"]);
    let bodies: Vec<BodyId> = model.bodies().map(|body| body.id).collect();
    let mut session = Session::new(model, 3);
    let mut rng = Stream::new(1, 0, "hands");
    let mut number =
        |scale: f64| scale * (2.0 * (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64 - 1.0);
    for _ in 0..500 {
        for &held in &bodies {
            let own = Vec2::new(number(0.03), number(0.03));
            session.act(&grab(held, own, Vec2::new(number(5.0), number(5.0))));
        }
        session.steps(20);
        for b in session.world().frame().bodies {
            assert!(b.pose.is_finite() && !b.quarantined, "{b:?}");
            assert!(b.velocity.length() < 20.0 && b.pose.position.length() < 2.0, "{b:?}");
        }
    }
}

#[test]
fn hands_beside_a_body_or_nowhere_are_refused() {
    let mut session = one_ball(BallFriction::Viscous { beta: 0.0 }, 1e-3);
    for (number, own, hand) in [
        (1, Vec2::ZERO, Vec2::ZERO),
        (0, Vec2::new(0.1, 0.0), Vec2::ZERO),
        (0, Vec2::new(f64::NAN, 0.0), Vec2::ZERO),
        (0, Vec2::ZERO, Vec2::new(f64::NAN, 0.0)),
        (0, Vec2::ZERO, Vec2::new(f64::INFINITY, 0.0)),
        (0, Vec2::ZERO, Vec2::new(1e7, 0.0)),
    ] {
        assert!(!session.act(&grab(BodyId(number), own, hand)), "{number} {own:?} {hand:?}");
    }
    session.steps(10);
    assert_eq!(body(&session, BodyId(0)).velocity, Vec2::ZERO);
}

#[test]
fn vehicles_and_things_on_rough_ground_are_pulled_too() {
    let mut session = Session::new(model("hills", &[]), 1);
    let model = session.world().model();
    let loose = model.balls().take(1).chain(model.objects().take(1));
    let bodies: Vec<BodyId> = [BodyId(0)].into_iter().chain(loose).collect();
    for held in bodies {
        session.steps(500);
        let from = body(&session, held).pose.position;
        let hand = from + Vec2::new(-0.5, 0.6);
        assert!(session.act(&grab(held, Vec2::ZERO, hand)));
        session.steps(3000);
        let left = (body(&session, held).pose.position - hand).length();
        assert!(left < 0.15, "body {held}: {left} m from the hand");
        let up = session.world().frame().spatial.iter().all(|pose| pose.is_finite());
        assert!(up && session.act(&Action::LetGo { body: held }));
    }
}
