//! Bad numbers: refused when they are given, or taken out of the world with an event; never a
//! panic.

use crate::common;
use common::*;
use rolima_core::model::*;
use rolima_core::{
    BodyFrame, BodyId, CommandRefusal, EventKind, Happened, RobotId, SnapshotError, Volts, World,
};
use rolima_math::{Pose2, Rot2, Stream, Vec2};

/// A lively hall: robots that drive at random, a fast ball and a fast box bouncing about, and by
/// itself in a far hall a quiet robot, ball and box: the victims.
fn hall() -> SceneSpec {
    let mut spec = SceneSpec { walls: square_hall(0.35), ..SceneSpec::default() };
    for i in 0..3 {
        let pose = Pose2::new(0.2 * f64::from(i) - 0.2, -0.1, 0.5);
        let mut r = robot(&format!("lively-{i}"), DriveSpec::default(), pose);
        r.driver = DriverSpec::Random { max_volts: 9.0, period_s: 0.03 };
        spec.robots.push(r);
    }
    spec.balls.push(free_ball("lively-ball", Vec2::new(0.0, 0.2), Vec2::new(7.0, 3.0)));
    spec.objects.push(free_box(
        "lively-box",
        Pose2::new(0.2, 0.2, 0.4),
        Vec2::new(-4.0, 5.0),
        20.0,
    ));
    spec.robots.push(robot("victim-robot", DriveSpec::default(), Pose2::new(5.0, 0.0, 0.3)));
    spec.balls.push(BallSpec {
        name: "victim-ball".into(),
        position: Vec2::new(6.0, 1.0),
        ..Default::default()
    });
    spec.objects.push(free_box("victim-box", Pose2::new(7.0, -1.0, 0.2), Vec2::ZERO, 0.0));
    spec
}

fn victims(world: &World) -> Vec<BodyId> {
    let bodies = world.frame().bodies.iter().map(|b| b.id).collect::<Vec<_>>();
    bodies.into_iter().filter(|&s| world.model().body_name(s).starts_with("victim")).collect()
}

/// Where in a snapshot the numbers (x, y, cosine, vx, omega) of a body stand: found by setting
/// them to numbers that stand nowhere else.
fn offsets(spec: &SceneSpec, body: BodyId) -> Vec<usize> {
    let mut world = world(spec);
    let pose = Pose2::new(123.0625, 234.125, 1.2345);
    assert!(world.set_motion(body, pose, Vec2::new(31.4375, 0.0), 27.8125));
    let bytes = world.snapshot();
    [pose.position.x, pose.position.y, pose.rotation.c, 31.4375, 27.8125]
        .iter()
        .map(|number: &f64| {
            let pattern = number.to_le_bytes();
            8 * bytes.chunks(8).position(|w| w == pattern).expect("the number is in the snapshot")
        })
        .collect()
}

fn body(world: &World, body: BodyId) -> BodyFrame {
    *world.frame().bodies.iter().find(|b| b.id == body).expect("a body")
}

fn poses(world: &World) -> Vec<[u64; 4]> {
    let bits =
        |p: Pose2| [p.position.x, p.position.y, p.rotation.c, p.rotation.s].map(f64::to_bits);
    world.frame().bodies.iter().map(|b| bits(b.pose)).collect()
}

const BAD: [f64; 4] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e308];

#[test]
fn bad_commands_are_refused_with_an_event_and_change_nothing() {
    let (mut plagued, mut copy) = (world(&hall()), world(&hall()));
    let mut rng = Stream::new(1, 0, "robustness");
    let mut refused = 0;
    for step in 0..2_000 {
        for _ in 0..3 {
            let bad = match rng.next_u64() % 6 {
                0 => f64::NAN,
                1 => f64::INFINITY,
                2 => f64::NEG_INFINITY,
                3 => 1e308,
                4 => -900.0001,
                _ => rng.between(900.001, 1e6),
            };
            let good = rng.between(-9.0, 9.0);
            let (right, left) = if rng.uniform() < 0.5 { (bad, good) } else { (good, bad) };
            let robot = (rng.next_u64() % 4) as u32;
            let why =
                plagued.command(RobotId(robot), Volts { right, left }).expect_err("a bad voltage");
            match why {
                CommandRefusal::NotFinite => assert!(!bad.is_finite()),
                CommandRefusal::Absurd(v) => assert_eq!(v, bad),
                other => panic!("robot {robot} is there, and has voltages: {other}"),
            }
            let far = 4 + (rng.next_u64() % 1_000_000) as u32;
            let why = plagued.command(RobotId(far), Volts::default());
            assert_eq!(why, Err(CommandRefusal::NoSuchRobot(RobotId(far))));
            refused += 2;
        }
        assert_eq!(plagued.state().event_count(EventKind::Refused), refused);
        let last = *plagued.log().events().last().expect("an event");
        assert_eq!((last.kind(), last.step), (EventKind::Refused, step));
        plagued.take_events();
        plagued.step();
        copy.step();
        assert_eq!(poses(&plagued), poses(&copy), "step {step}");
    }
    assert_eq!(copy.state().event_count(EventKind::Refused), 0);
}

#[test]
fn voltages_beyond_the_supply_saturate() {
    let (mut greedy, mut modest) = (world(&hall()), world(&hall()));
    for (world, volts) in [(&mut greedy, 899.0), (&mut modest, 9.0)] {
        world.command(RobotId(0), Volts { right: volts, left: -volts }).expect("not absurd");
        world.steps(300);
    }
    assert_eq!(poses(&greedy), poses(&modest));
    assert_eq!(body(&greedy, BodyId(0)).volts, [9.0, -9.0]);
}

#[test]
fn placing_and_pushing_bodies_refuses_bad_numbers_and_unknown_bodies() {
    let mut w = world(&hall());
    w.steps(100);
    let hash = w.state_hash();
    let bodies: Vec<BodyId> = w.frame().bodies.iter().map(|b| b.id).collect();
    let good = [0.1, 0.1, 0.6, 0.8, 0.1, 0.1, 1.0];
    let pose_of = |n: &[f64; 7]| Pose2 {
        position: Vec2::new(n[0], n[1]),
        rotation: Rot2 { c: n[2], s: n[3] },
    };
    let mut other = world(&hall());
    assert!(other.set_motion(bodies[0], pose_of(&good), Vec2::new(good[4], good[5]), good[6]));
    let mut rng = Stream::new(2, 0, "robustness");
    let bad = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e308, -1e12, 1e6];
    for case in 0..5_000 {
        let mut n = good;
        let field = (rng.next_u64() % 7) as usize;
        n[field] = bad[(rng.next_u64() % bad.len() as u64) as usize];
        let pose = pose_of(&n);
        let body = bodies[(rng.next_u64() % bodies.len() as u64) as usize];
        let set = w.set_motion(body, pose, Vec2::new(n[4], n[5]), n[6]);
        assert!(!set, "case {case}: {n:?}");
        if field < 4 {
            assert!(!w.place_body(body, pose), "case {case}: {n:?}");
        }
    }
    let all = bodies.len() as u32;
    for body in (all..64).chain([1 << 24, 1 << 30, u32::MAX]).map(BodyId) {
        assert!(!w.place_body(body, Pose2::IDENTITY), "body {body}");
    }
    assert_eq!(w.state_hash(), hash);
}

#[test]
fn a_body_whose_velocity_breaks_is_quarantined_where_it_is_and_the_others_go_on() {
    let spec = hall();
    let clean = world(&spec);
    for victim in victims(&clean) {
        let offsets = offsets(&spec, victim);
        // At many moments, so that it also falls into steps in which others hit something.
        for moment in (0..200).step_by(7) {
            let mut copy = world(&spec);
            copy.steps(moment);
            let good = copy.snapshot();
            let last = body(&copy, victim).pose;
            copy.steps(120);
            // vx and omega.
            for offset in &offsets[3..] {
                for bad in BAD {
                    let mut bytes = good.clone();
                    bytes[*offset..offset + 8].copy_from_slice(&bad.to_le_bytes());
                    let mut w = world(&spec);
                    w.restore(&bytes).expect("the right length");
                    w.steps(120);
                    let name = format!("body {victim}, byte {offset}, {bad} at step {moment}");
                    let b = body(&w, victim);
                    assert!(b.quarantined, "{name}: {b:?}");
                    assert_eq!(b.pose, last, "{name}");
                    assert_eq!((b.velocity, b.omega), (Vec2::ZERO, 0.0), "{name}");
                    let events = w.log().events().iter();
                    let seen: Vec<_> =
                        events.filter(|e| e.kind() == EventKind::Quarantine).collect();
                    assert!(
                        seen.len() == 1 && seen[0].what == Happened::Quarantine { body: victim },
                        "{name}: {seen:?}"
                    );
                    assert_eq!(seen[0].step, moment, "{name}");
                    let others = |w: &World| {
                        let mut poses = poses(w);
                        let at = w.frame().bodies.iter().position(|b| b.id == victim);
                        poses.remove(at.expect("a body"));
                        poses
                    };
                    assert_eq!(others(&w), others(&copy), "{name}: the others");
                }
            }
        }
    }
}

#[test]
fn a_body_without_a_place_is_quarantined_and_the_others_go_on() {
    let spec = hall();
    let clean = world(&spec);
    for victim in victims(&clean) {
        for offset in &offsets(&spec, victim)[..3] {
            for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                let mut w = world(&spec);
                w.steps(40);
                let mut bytes = w.snapshot();
                bytes[*offset..offset + 8].copy_from_slice(&bad.to_le_bytes());
                w.restore(&bytes).expect("the right length");
                w.steps(400);
                for b in w.frame().bodies {
                    let name = w.model().body_name(b.id);
                    assert_eq!(b.quarantined, b.id == victim, "{name}: {b:?}");
                    assert!(
                        b.quarantined || b.pose.is_finite() && b.velocity.is_finite(),
                        "{name}"
                    );
                    let inside = b.pose.position.x.abs() < 0.36 && b.pose.position.y.abs() < 0.36;
                    assert!(inside || !name.starts_with("lively"), "{name} left the hall: {b:?}");
                }
                assert_eq!(w.state().event_count(EventKind::Quarantine), 1);
                // Somebody puts it back by hand, and it is a body like any other again.
                assert!(w.set_motion(victim, Pose2::new(3.0, 3.0, 0.0), Vec2::new(0.5, 0.0), 0.0));
                w.steps(200);
                let b = body(&w, victim);
                assert!(!b.quarantined && b.pose.position.x > 3.01, "{b:?}");
            }
        }
    }
}

#[test]
fn whatever_word_of_a_snapshot_breaks_it_is_refused_or_nothing_panics_and_healthy_bodies_stay_finite()
 {
    let spec = hall();
    let mut clean = world(&spec);
    clean.steps(120);
    let good = clean.snapshot();
    let mut rng = Stream::new(3, 0, "robustness");
    let words = [f64::NAN, f64::INFINITY, -1e308, 1e200, 1e30, 1e9, -0.0, 5e-324]
        .map(f64::to_bits)
        .into_iter()
        .chain([0, u64::MAX, 1 << 40])
        .collect::<Vec<_>>();
    let mut taken = 0;
    for case in 0..3_000 {
        let mut bytes = good.clone();
        for _ in 0..1 + rng.next_u64() % 3 {
            // After the header, step and seed.
            let at = 40 + 8 * (rng.next_u64() as usize % (good.len() / 8 - 5));
            let word = words[rng.next_u64() as usize % words.len()];
            bytes[at..at + 8].copy_from_slice(&word.to_le_bytes());
        }
        let mut w = world(&spec);
        if let Err(why) = w.restore(&bytes) {
            // Flags, names of contacts, what a step relies on.
            assert!(matches!(why, SnapshotError::Word { .. }), "case {case}: {why}");
            continue;
        }
        taken += 1;
        w.steps(30);
        for b in w.frame().bodies {
            let finite = b.pose.is_finite() && b.velocity.is_finite() && b.omega.is_finite();
            assert!(finite || b.quarantined, "case {case}: {b:?}");
        }
    }
    assert!(taken > 2_000, "{taken} were taken");
}

#[test]
fn commands_that_wait_survive_a_snapshot() {
    let spec = hall();
    let mut one = world(&spec);
    one.steps(77);
    one.command(RobotId(1), Volts { right: 9.0, left: 8.0 }).expect("good volts");
    one.command(RobotId(3), Volts { right: -4.0, left: 4.0 }).expect("good volts");
    let mut other = world(&spec);
    other.command(RobotId(0), Volts { right: 1.0, left: 1.0 }).expect("good volts");
    other.restore(&one.snapshot()).expect("the same scene");
    for _ in 0..200 {
        one.step();
        other.step();
        assert_eq!(one.state_hash(), other.state_hash());
    }
    let [right, left] = body(&other, victims(&other)[0]).volts;
    assert_eq!((right, left), (-4.0, 4.0), "the command was carried out");
    // A restored world goes back to its drivers when its clients let go.
    one.release(RobotId(3));
    other.release(RobotId(3));
    one.steps(50);
    other.steps(50);
    assert_eq!(one.state_hash(), other.state_hash());
    assert_eq!(body(&other, victims(&other)[0]).volts, [0.0, 0.0]);
}

/// A robot that turns in place beside a wall. Over neighbouring first headings, its corner comes to the
/// wall at every instant of a step, the last one included, which leaves its tyres no time to act.
#[test]
fn a_hit_at_any_instant_of_a_step_leaves_a_robot_in_the_world() {
    for case in 0..4_000 {
        let mut spec = SceneSpec::default();
        spec.walls.push(segment((0.5, -1.0), (0.5, 1.0), 0.0));
        let heading = -0.2 + 0.015 * f64::from(case) / 4_000.0;
        let mut r = robot("r", DriveSpec::default(), Pose2::new(0.45, 0.0, heading));
        r.omega = 15.0;
        spec.robots.push(r);
        let mut w = world(&spec);
        w.steps(25);
        assert_eq!(w.state().event_count(EventKind::Quarantine), 0, "heading {heading}");
    }
}

#[test]
fn without_gravity_tyres_give_nothing_and_a_robot_keeps_its_way() {
    let mut rng = Stream::new(11, 0, "weightless");
    for case in 0..100 {
        let mut spec = SceneSpec::default();
        spec.sim.gravity = 0.0;
        let mut r = robot("r", DriveSpec::default(), Pose2::new(0.0, 0.0, rng.between(-3.0, 3.0)));
        r.velocity = rng.between(-2.0, 2.0);
        r.omega = rng.between(-9.0, 9.0);
        r.driver = constant(rng.between(-9.0, 9.0), rng.between(-9.0, 9.0));
        let heading = r.pose.rotation.x_axis() * r.velocity;
        let drag = r.drive.friction_linear / r.drive.mass;
        spec.robots.push(r);
        let mut w = world(&spec);
        w.steps(200);
        assert_eq!(w.state().event_count(EventKind::Quarantine), 0, "case {case}");
        let way = (1.0 - rolima_math::exp(-0.2 * drag)) / drag;
        let off = (w.frame().bodies[0].pose.position - heading * way).length();
        assert!(off < 1e-3 * heading.length().max(0.1), "case {case}: {off} m off its way");
    }
}
