//! No call of the navigation library touches the heap: seen by an allocator that counts.

use crate::common;
use common::pair;
use rolima_math::{Pose2, Stream, Vec2};
use rolima_nav::bench::{LoopWork, PlanWork};
use rolima_nav::control::Provisional;
use rolima_nav::drive::Parameters;
use rolima_nav::estimate::{Fit, KalmanState, MOST_TURN, PoseFit, Rolling, RollingNoise};
use rolima_nav::intercept::{Interception, intercept};
use rolima_nav::navigator::MOST_DELAY;
use rolima_nav::path::{Method, plan};
use rolima_nav::trajectory::{TrajectoryLimits, references};
use rolima_nav::{Barrier, Field, Goal, NavStatus, Navigator, Obstacle, Settings};
use rolima_testing::heap;

fn allocations(work: impl FnOnce()) -> u64 {
    heap::allocations(work).count
}

#[test]
fn the_counter_counts() {
    assert!(allocations(|| drop(std::hint::black_box(Box::new(1)))) > 0);
}

#[test]
fn planning_by_any_method_does_not_allocate() {
    let mut random = Stream::new(1, 0, "pairs");
    let count = allocations(|| {
        for i in 0..2000 {
            let (from, to) = pair(&mut random);
            for method in [
                Method::Cubic,
                Method::Gentle,
                Method::Printed,
                Method::Quadratic,
                Method::Turn,
                Method::Bounded(0.1),
                Method::Dubins(0.1),
                Method::ReedsShepp(0.1),
            ] {
                let found = plan(from, to, method).expect("a plan");
                assert!(found.path.length().is_finite());
                if i % 40 == 0 {
                    let all = references(&found.path, 0.5, 0.033).expect("references");
                    assert!(all.map(|sample| sample.arc_length).sum::<f64>().is_finite());
                }
            }
        }
    });
    assert_eq!(count, 0);
}

#[test]
fn a_ball_is_followed_and_met_without_the_heap() {
    let mut ball = Rolling::new(0.03, RollingNoise::default()).expect("a ball");
    let interception = Interception {
        aim: Vec2::new(0.75, 0.0),
        touch: 0.054,
        speed: 0.3,
        field: Field::mirosot(),
        margin: 0.06,
        early: 0.1,
    };
    let mut met = 0;
    let count = allocations(|| {
        for frame in 0..300 {
            let place = Vec2::new(-0.5 + 0.003 * f64::from(frame), 0.1);
            ball.frame((frame % 50 < 45).then_some(place));
            let robot = Pose2::new(-0.5, -0.4, 0.02 * f64::from(frame));
            met += i32::from(
                intercept(robot, &ball, &TrajectoryLimits::default(), &interception).is_ok(),
            );
        }
    });
    assert_eq!((count, met), (0, 300));
}

#[test]
fn going_around_others_and_walls_does_not_allocate() {
    let drive = Parameters { inertia: 3.3e-4, ..Parameters::THESIS }.drive().expect("a drive");
    let settings = Settings { field: Field::mirosot(), ..Settings::default() };
    let step = drive.over(settings.period).expect("a period");
    let mut navigator = Navigator::new(&drive, settings).expect("settings");
    let barriers = [
        Barrier { ends: [Vec2::new(0.2, -0.65), Vec2::new(0.2, 0.05)], radius: 0.01 },
        Barrier { ends: [Vec2::new(-0.3, 0.65), Vec2::new(-0.3, 0.3)], radius: 0.0 },
    ];
    let mut state = KalmanState::default();
    let (mut around, mut arrived) = (0, 0);
    let count = allocations(|| {
        for frame in 0..600 {
            let side = if frame / 150 % 2 == 0 { 1.0 } else { -1.0 };
            let goal = Goal::stop_at(Pose2::new(0.55 * side, -0.3 * side, 0.5));
            let to_and_fro = Vec2::new(-0.1 * side, 0.15);
            let obstacles = [
                Obstacle { position: Vec2::new(0.25, 0.15), velocity: Vec2::ZERO, radius: 0.05 },
                Obstacle { position: to_and_fro, velocity: Vec2::new(0.0, 0.1), radius: 0.05 },
            ];
            let seen = Some(state.pose());
            let output = navigator.frame_among(seen, Some(goal), &obstacles, &barriers);
            around += i32::from(navigator.path().is_some_and(|path| path.legs().len() > 1));
            arrived += i32::from(output.status == NavStatus::Arrived);
            state = state.after(&step, output.volts);
        }
    });
    assert_eq!(count, 0);
    assert!(around > 50 && arrived > 50, "{around} frames around, {arrived} there");
}

#[test]
fn benchmarks_allocate_only_when_they_are_made() {
    let plans = PlanWork::new(1);
    let mut frames = LoopWork::new(1, true).expect("a loop");
    assert_eq!(allocations(|| assert!(plans.plans(1).0 > 0)), 0);
    assert_eq!(allocations(|| assert!(frames.frames(200).is_ok())), 0);
}

#[test]
fn the_whole_loop_does_not_allocate_at_30_ms_or_at_1_khz() {
    let drive = Parameters { inertia: 3.3e-4, ..Parameters::THESIS }.drive().expect("a drive");
    for (period, delay) in [(0.03, 0), (0.03, 1), (0.001, 30), (0.001, MOST_DELAY)] {
        let step = drive.over(period).expect("a period");
        let settings = Settings { period, delay, ..Settings::default() };
        let mut navigator = Navigator::new(&drive, settings).expect("settings");
        let mut fit = PoseFit::new(Fit::default(), MOST_TURN).expect("a fit");
        let mut pids = Provisional::new(9.0).expect("a supply");
        let obstacles =
            [Obstacle { position: Vec2::new(0.25, 0.25), velocity: Vec2::ZERO, radius: 0.05 }];
        // What was, the newest last: vision tells what is `delay` frames old.
        let mut row = [KalmanState::default(); MOST_DELAY + 1];
        let count = allocations(|| {
            for frame in 0..(12.0 / period) as u32 {
                let time = f64::from(frame) * period;
                let goal = Pose2::new(0.5, 0.5, (time / 3.0).trunc() - 1.0);
                let then = row[MOST_DELAY - delay].pose();
                let seen = (frame % 9 != 0).then_some(then);
                let output = navigator.frame(seen, Some(Goal::stop_at(goal)), &obstacles);
                let next = row[MOST_DELAY].after(&step, output.volts);
                row.rotate_left(1);
                row[MOST_DELAY] = next;
                fit.frame(seen, [output.volts.left / 9.0, output.volts.right / 9.0]);
                assert!(fit.ahead_with(&[[0.1; 2]], delay as u32).is_finite());
                std::hint::black_box((
                    fit.estimate_status(),
                    fit.fits().map(|fit| fit.error_after(6)),
                ));
                pids.control(next.pose(), goal, period);
            }
        });
        assert_eq!(count, 0);
        let off = (row[MOST_DELAY].position - Vec2::new(0.5, 0.5)).length();
        assert!(off < 0.02, "{off} m at {period} s, {delay} late");
    }
}
