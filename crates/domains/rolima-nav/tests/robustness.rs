//! Whatever goes in: nothing panics, and voltages are numbers within the supply.

use rolima_math::{Pose2, Rot2, Stream, Vec2};
use rolima_nav::control::Provisional;
use rolima_nav::drive::Parameters;
use rolima_nav::estimate::{Fit, MOST_TURN, PoseFit, Rolling, RollingNoise};
use rolima_nav::field::{Barrier, Surroundings};
use rolima_nav::intercept::{Interception, intercept};
use rolima_nav::path::{Method, plan};
use rolima_nav::trajectory::{SpeedProfile, Trajectory, TrajectoryLimits};
use rolima_nav::{Field, Goal, MotorVolts, NavError, NavStatus, Navigator, Obstacle, Settings};

/// Numbers of which every fourth makes no sense.
fn number(random: &mut Stream) -> f64 {
    const ODD: [f64; 8] =
        [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e18, 1e-300, 0.0, 5e-324];
    if random.next_u64().is_multiple_of(4) {
        ODD[(random.next_u64() % 8) as usize]
    } else {
        random.between(-1.0, 1.0)
    }
}

fn vector(random: &mut Stream) -> Vec2 {
    Vec2::new(number(random), number(random))
}

fn pose(random: &mut Stream) -> Pose2 {
    let position = vector(random);
    // Also rotations that are none.
    let rotation = if random.next_u64().is_multiple_of(3) {
        Rot2 { c: number(random), s: number(random) }
    } else {
        Rot2::from_angle(random.between(-4.0, 4.0))
    };
    Pose2 { position, rotation }
}

#[test]
fn a_navigator_answers_any_nonsense_with_voltages() {
    let drive = Parameters { inertia: 3.3e-4, ..Parameters::THESIS }.drive().expect("a drive");
    let mut random = Stream::new(1, 0, "nonsense");
    let settings = Settings { field: Field::mirosot(), delay: 2, ..Settings::default() };
    let mut navigator = Navigator::new(&drive, settings).expect("settings");
    let mut states = [0; 2];
    for _ in 0..30_000 {
        let seen = (random.uniform() < 0.8).then(|| pose(&mut random));
        let speed = if random.uniform() < 0.7 { 0.0 } else { number(&mut random) };
        let goal = (random.uniform() < 0.9).then(|| Goal { pose: pose(&mut random), speed });
        let obstacles: [Obstacle; 3] = core::array::from_fn(|_| Obstacle {
            position: vector(&mut random),
            velocity: vector(&mut random),
            radius: number(&mut random),
        });
        let some = (random.next_u64() % 4) as usize;
        let output = navigator.frame(seen, goal, &obstacles[..some]);
        assert!(output.volts.right.abs() <= 9.0 && output.volts.left.abs() <= 9.0, "{output:?}");
        states[usize::from(output.status == NavStatus::Driving)] += 1;
        if random.uniform() < 0.1 {
            navigator
                .was_sent(MotorVolts { right: number(&mut random), left: number(&mut random) });
        }
    }
    assert!(states.iter().all(|&n| n > 1000), "{states:?}");
}

#[test]
fn goals_that_make_no_sense_are_refused_by_name() {
    let drive = Parameters::THESIS.drive().expect("a drive");
    let good = Pose2::new(0.3, 0.2, 1.0);
    for (pose, speed, error) in [
        (Pose2::new(f64::NAN, 0.0, 0.0), 0.0, NavError::NotFinite),
        (good, f64::INFINITY, NavError::NotFinite),
        (good, -0.1, NavError::NegativeSpeed),
    ] {
        let mut navigator = Navigator::new(&drive, Settings::default()).expect("settings");
        let output = navigator.frame(Some(Pose2::IDENTITY), Some(Goal { pose, speed }), &[]);
        assert_eq!((output.status, output.volts), (NavStatus::Refused(error), MotorVolts::ZERO));
    }
}

#[test]
fn a_navigator_recovers_from_nonsense() {
    let drive = Parameters { inertia: 3.3e-4, ..Parameters::THESIS }.drive().expect("a drive");
    let step = drive.over(0.03).expect("a period");
    for seed in 0..40 {
        let mut navigator = Navigator::new(&drive, Settings::default()).expect("settings");
        let mut random = Stream::new(2, seed, "nonsense");
        for _ in 0..500 {
            let goal = Goal { pose: pose(&mut random), speed: number(&mut random) };
            navigator.frame(Some(pose(&mut random)), Some(goal), &[]);
        }
        let mut state = rolima_nav::estimate::KalmanState::default();
        let goal = Goal::stop_at(Pose2::new(0.3, -0.2, 1.0));
        for _ in 0..150 {
            let output = navigator.frame(Some(state.pose()), Some(goal), &[]);
            state = state.after(&step, output.volts);
        }
        let off = (state.position - goal.pose.position).length();
        assert!(off < 0.005, "{seed}: {state:?}");
    }
}

#[test]
fn plans_and_trajectories_of_nonsense_are_refused_or_finite() {
    let drive = Parameters::THESIS.drive().expect("a drive");
    let profile = SpeedProfile::new(&drive, TrajectoryLimits::default()).expect("limits");
    let mut random = Stream::new(3, 0, "nonsense");
    let mut trajectory = Trajectory::default();
    let (mut planned, mut timed) = (0, 0);
    for i in 0..40_000 {
        let radius = number(&mut random);
        let method = match i % 8 {
            0 => Method::Cubic,
            1 => Method::Gentle,
            2 => Method::Printed,
            3 => Method::Quadratic,
            4 => Method::Turn,
            5 => Method::Bounded(radius),
            6 => Method::Dubins(radius),
            _ => Method::ReedsShepp(radius),
        };
        let Ok(found) = plan(pose(&mut random), pose(&mut random), method) else { continue };
        planned += 1;
        for k in 0..=8 {
            let at = found.path.end() * f64::from(k) / 8.0;
            let s = found.path.at(at).expect("a path has legs");
            let sum =
                s.point.x + s.point.y + s.heading.c + s.heading.s + s.curvature + s.arc_length;
            assert!(sum.is_finite(), "{method:?}: {s:?}");
        }
        if trajectory.time(&found.path, &profile, 0.0, 0.0).is_ok() {
            let m = trajectory.at(0.5 * trajectory.duration()).expect("a trajectory");
            let sum = m.pose.position.x + m.pose.position.y + m.v + m.omega + m.dv + m.domega;
            assert!(sum.is_finite() && trajectory.duration() >= 0.0, "{method:?}: {m:?}");
            timed += 1;
        }
    }
    assert!(planned > 1000 && timed > 100, "{planned} planned, {timed} timed");
}

#[test]
fn estimators_controllers_and_meetings_survive_nonsense() {
    let mut random = Stream::new(4, 0, "nonsense");
    let mut fit = PoseFit::new(Fit::default(), MOST_TURN).expect("a fit");
    let mut ball = Rolling::new(0.03, RollingNoise::default()).expect("a ball");
    let mut pids = Provisional::new(9.0).expect("a supply");
    let field = Field::mirosot();
    let (mut met, mut refused) = (0, 0);
    for _ in 0..20_000 {
        let inputs = [number(&mut random), number(&mut random)];
        let seen = (random.uniform() < 0.7).then(|| pose(&mut random));
        assert!(fit.frame(seen, inputs).is_finite());
        assert!(fit.ahead_with(&[[number(&mut random); 2]], 3).is_finite());
        for one in fit.fits() {
            assert!(one.parameters().iter().all(|x| x.is_finite()) && one.trace().is_finite());
            assert!(!one.error_after(6).is_nan());
        }
        ball.frame((random.uniform() < 0.7).then(|| vector(&mut random)));
        for (p, v) in [ball.motion(), ball.after(number(&mut random))] {
            assert!(p.is_finite() && v.is_finite(), "{ball:?}");
        }
        let volts = pids.control(pose(&mut random), pose(&mut random), number(&mut random));
        assert!(volts.right.abs() <= 9.0 && volts.left.abs() <= 9.0);
        let interception = Interception {
            aim: vector(&mut random),
            touch: number(&mut random),
            speed: 0.3,
            field,
            margin: 0.06,
            early: 0.1,
        };
        match intercept(pose(&mut random), &ball, &TrajectoryLimits::default(), &interception) {
            Ok((goal, time)) => {
                assert!(goal.pose.is_finite() && (0.0..=5.0).contains(&time), "{goal:?}, {time}");
                met += 1;
            }
            Err(error) => {
                assert!(matches!(error, NavError::NotFinite | NavError::BadLimit), "{error}");
                refused += 1;
            }
        }
        let ends = [vector(&mut random), vector(&mut random)];
        let barriers = [Barrier { ends, radius: number(&mut random) }];
        let around = Surroundings {
            field: &field,
            obstacles: &[],
            barriers: &barriers,
            radius: number(&mut random),
            pace: number(&mut random),
            detours: None,
        };
        let _ = around.clearance(vector(&mut random), number(&mut random));
    }
    assert!(met > 1000 && refused > 1000, "{met} met, {refused} refused");
}

#[test]
fn what_cannot_be_in_the_way_is_refused_by_name() {
    let drive = Parameters::THESIS.drive().expect("a drive");
    let goal = Goal::stop_at(Pose2::new(0.5, 0.2, 1.0));
    let good = Obstacle { position: Vec2::new(0.2, 0.4), velocity: Vec2::ZERO, radius: 0.05 };
    let wall = Barrier { ends: [Vec2::new(0.0, 1.0), Vec2::new(1.0, 1.0)], radius: 0.01 };
    let status = |obstacle: Obstacle, barrier: Barrier| {
        let mut navigator = Navigator::new(&drive, Settings::default()).expect("settings");
        let seen = Some(Pose2::IDENTITY);
        navigator.frame_among(seen, Some(goal), &[good, obstacle], &[wall, barrier]).status
    };
    assert_eq!(status(good, wall), NavStatus::Driving);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300] {
        let refused = NavStatus::Refused(NavError::NotFinite);
        assert_eq!(status(Obstacle { position: Vec2::new(0.0, bad), ..good }, wall), refused);
        assert_eq!(status(Obstacle { velocity: Vec2::new(bad, 0.0), ..good }, wall), refused);
        assert_eq!(status(Obstacle { radius: bad, ..good }, wall), refused);
        let end = Vec2::new(bad, 1.0);
        assert_eq!(status(good, Barrier { ends: [wall.ends[0], end], ..wall }), refused);
        assert_eq!(status(good, Barrier { radius: bad, ..wall }), refused);
    }
    let hollow = NavStatus::Refused(NavError::BadLimit);
    assert_eq!(status(Obstacle { radius: -0.1, ..good }, wall), hollow);
    assert_eq!(status(good, Barrier { radius: -0.1, ..wall }), hollow);
}
