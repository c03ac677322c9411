//! Claims about estimates: what gaps, noise and delay do to them.

use crate::seen;
use rolima_math::{Pose2, Stream, normal_quantile, wrap_angle};
use rolima_nav::estimate::{
    EstimateStatus, Fit, Kalman, KalmanState, LeastSquares, MOST_TURN, Noise, PoseFit,
};
use rolima_nav::{MotorVolts, NavError};
use seen::{PERIOD, blurred, drive, voltages};

#[test]
fn the_filter_is_better_than_vision_and_knows_how_good_it_is() {
    let mut random = Stream::new(1, 0, "filter");
    let step = drive().over(PERIOD).unwrap();
    let mut filter = Kalman::new(&drive(), PERIOD, Noise::default()).unwrap();
    let (mut truth, mut held) = (KalmanState::default(), MotorVolts::ZERO);
    let (mut square, mut turn_square, mut surprise, mut count) = (0.0, 0.0, 0.0, 0.0);
    for frame in 0..20_000 {
        let volts = voltages(&mut random, frame, held);
        truth = truth.after(&step, volts);
        // The model errs as the filter believes.
        let mut normal = || normal_quantile(random.between(1e-12, 1.0));
        truth.v += 0.008 * normal();
        truth.omega += 0.06 * normal();
        let seen = blurred(&mut random, truth.pose(), 0.002, 0.0175);
        filter.frame(volts, Some(seen));
        held = volts;
        if frame > 100 {
            let e = filter.state().position - truth.position;
            let turn = wrap_angle(filter.state().theta - truth.theta);
            let errors = filter.errors();
            square += e.length_squared() * 0.5;
            turn_square += turn * turn;
            surprise += (turn / errors[2]) * (turn / errors[2]);
            count += 1.0;
        }
    }
    let (position, heading) = (f64::sqrt(square / count), f64::sqrt(turn_square / count));
    println!("position {position}, heading {heading}, surprise {}", surprise / count);
    assert!(position < 0.0015 && heading < 0.012, "{position} m, {heading} rad");
    // Squared errors over predicted variances average one.
    assert!((0.7..1.3).contains(&(surprise / count)), "{}", surprise / count);
}

#[test]
fn a_gap_is_filled_with_an_error_that_grows_as_predicted_and_then_the_robot_is_lost() {
    let mut random = Stream::new(2, 0, "filter");
    let step = drive().over(PERIOD).unwrap();
    let noise = Noise { horizon: 12.0 * PERIOD, ..Noise::default() };
    let mut inside = 0;
    let trials = 400;
    for _ in 0..trials {
        let mut filter = Kalman::new(&drive(), PERIOD, noise).unwrap();
        assert_eq!(filter.estimate_status(), EstimateStatus::Lost);
        let (mut truth, mut held) = (KalmanState::default(), MotorVolts::ZERO);
        for frame in 0..72 {
            let volts = voltages(&mut random, frame, held);
            truth = truth.after(&step, volts);
            let mut normal = || normal_quantile(random.between(1e-12, 1.0));
            truth.v += noise.speed * PERIOD.sqrt() * normal();
            truth.omega += noise.turning * PERIOD.sqrt() * normal();
            let seen = (frame < 60).then(|| blurred(&mut random, truth.pose(), 0.002, 0.0175));
            filter.frame(volts, seen);
            held = volts;
        }
        assert_eq!(filter.estimate_status(), EstimateStatus::Filled(12));
        let [ex, ..] = filter.errors();
        inside += u32::from((filter.state().position.x - truth.position.x).abs() < 2.0 * ex);
        filter.frame(held, None);
        assert_eq!(filter.estimate_status(), EstimateStatus::Lost);
        // It is found again at once.
        filter.frame(held, Some(truth.pose()));
        assert_eq!(filter.estimate_status(), EstimateStatus::Seen);
        assert!((filter.state().position - truth.position).length() < 1e-9);
    }
    // Two standard errors hold 95%.
    assert!(f64::from(inside) > 0.9 * f64::from(trials), "{inside} of {trials}");
}

#[test]
fn a_blow_is_noticed_and_followed_within_a_few_frames() {
    let mut filter = Kalman::new(&drive(), PERIOD, Noise::default()).unwrap();
    for _ in 0..50 {
        filter.frame(MotorVolts::ZERO, Some(Pose2::IDENTITY));
    }
    let moved = Pose2::new(0.3, 0.1, 1.0);
    for _ in 0..4 {
        filter.frame(MotorVolts::ZERO, Some(moved));
    }
    assert!((filter.state().position - moved.position).length() < 0.01);
    for _ in 0..20 {
        filter.frame(MotorVolts::ZERO, Some(moved));
    }
    assert!(filter.state().v.abs() < 0.02 && filter.state().omega.abs() < 0.2);
}

#[test]
fn prediction_over_the_delay_is_where_the_robot_is() {
    let step = drive().over(PERIOD).unwrap();
    let mut filter = Kalman::new(&drive(), PERIOD, Noise::default()).unwrap();
    let mut random = Stream::new(3, 0, "filter");
    let mut truth = vec![KalmanState::default()];
    let mut sent = vec![MotorVolts::ZERO];
    for frame in 0..300 {
        let volts = voltages(&mut random, frame, *sent.last().unwrap());
        truth.push(truth.last().unwrap().after(&step, volts));
        sent.push(volts);
        if frame > 3 {
            let k = truth.len() - 1;
            // Vision shows what was three frames ago.
            filter.frame(sent[k - 3], Some(truth[k - 3].pose()));
            let now = filter.ahead(&sent[k - 2..=k]);
            if frame > 50 {
                assert!((now.position - truth[k].position).length() < 1e-3);
                assert!(wrap_angle(now.theta - truth[k].theta).abs() < 5e-3);
            }
        }
    }
}

#[test]
fn least_squares_find_the_parameters_of_a_linear_process() {
    let mut fit = LeastSquares::new(Fit::default()).unwrap();
    let mut random = Stream::new(4, 0, "fit");
    let (mut y, mut u) = ([0.3, 0.2], [[0.0; 2]; 2]);
    for _ in 0..300 {
        let next = 1.5 * y[0] - 0.6 * y[1] + 0.3 * u[0][0] - 0.1 * u[1][0]
            + 0.2 * u[0][1]
            + 0.05 * u[1][1];
        let inputs = [random.between(-1.0, 1.0), random.between(-1.0, 1.0)];
        fit.frame(Some(next), inputs);
        y = [next, y[0]];
        u = [inputs, u[0]];
    }
    let expected = [1.5, -0.6, 0.3, -0.1, 0.2, 0.05];
    for (got, want) in fit.parameters().iter().zip(expected) {
        assert!((got - want).abs() < 1e-3, "{got} against {want}");
    }
}

#[test]
fn a_standing_robot_does_not_blow_up_the_covariance() {
    for inputs in [true, false] {
        let mut fit = LeastSquares::new(Fit { inputs, ..Fit::default() }).unwrap();
        let first = fit.trace();
        for _ in 0..20_000 {
            fit.frame(Some(0.4), [0.0, 0.0]);
        }
        assert!(fit.trace() <= first * 1.001, "{} above {first}", fit.trace());
        assert!((fit.predicted() - 0.4).abs() < 1e-6);
    }
}

#[test]
fn a_gap_in_a_smooth_motion_is_filled_to_a_few_millimetres_then_the_robot_is_lost() {
    // An opponent: no known inputs, on a wide circle, as vision sees it.
    let fit = Fit { inputs: false, ..Fit::default() };
    let mut random = Stream::new(5, 0, "fit");
    let mut poses = PoseFit::new(fit, MOST_TURN).unwrap();
    assert_eq!(poses.estimate_status(), EstimateStatus::Lost);
    let truth = |k: u32| {
        let a = 0.02 * f64::from(k);
        Pose2::new(0.5 * rolima_math::cos(a), 0.5 * rolima_math::sin(a), a + 1.57)
    };
    for k in 0..200 {
        let seen = blurred(&mut random, truth(k), 0.0005, 0.002);
        poses.frame(Some(seen), [0.0; 2]);
    }
    assert_eq!(poses.estimate_status(), EstimateStatus::Seen);
    for k in 200..210 {
        let filled = poses.frame(None, [0.0; 2]);
        let off = (filled.position - truth(k).position).length();
        assert!(off < 0.02, "{off} after {}", k - 199);
        let turned = wrap_angle(filled.theta() - truth(k).theta()).abs();
        assert!(turned < 0.1, "{turned}");
    }
    assert!(matches!(poses.estimate_status(), EstimateStatus::Filled(10) | EstimateStatus::Lost));
    poses.frame(None, [0.0; 2]);
    assert_eq!(poses.estimate_status(), EstimateStatus::Lost);
    poses.frame(Some(truth(211)), [0.0; 2]);
    assert_eq!(poses.estimate_status(), EstimateStatus::Seen);
}

/// A robot that drives a circle, as vision sees it, and the inputs that make it do so.
fn circling(random: &mut Stream, k: u32) -> (Pose2, [f64; 2]) {
    let a = 0.05 * f64::from(k);
    let truth = Pose2::new(0.3 + 0.4 * rolima_math::cos(a), 0.4 * rolima_math::sin(a), a + 1.57);
    (blurred(random, truth, 0.002, 0.0175), [0.3, 0.4])
}

#[test]
fn one_bad_number_does_not_poison_a_fit() {
    for bad in [f64::NAN, f64::INFINITY, 1e300, -1e6] {
        let mut random = Stream::new(7, 0, "fit");
        let mut poses = PoseFit::new(Fit::default(), MOST_TURN).unwrap();
        let mut clean = poses.clone();
        for k in 0..400 {
            let (seen, inputs) = circling(&mut random, k);
            let told = match k {
                100 => Pose2::new(bad, seen.position.y, seen.theta()),
                150 => Pose2::new(seen.position.x, bad, seen.theta()),
                _ => seen,
            };
            let given = if k == 200 { [bad, inputs[1]] } else { inputs };
            poses.frame(Some(told), given);
            clean.frame((k != 100 && k != 150).then_some(seen), inputs);
            for (fit, other) in poses.fits().into_iter().zip(clean.fits()) {
                assert!(fit.parameters().iter().all(|x| x.is_finite()), "{bad} in frame {k}");
                assert!(fit.trace().is_finite(), "{bad} in frame {k}");
                // The inputs do not change, so one that is not known is as if it were.
                assert_eq!(fit.parameters(), other.parameters(), "{bad} in frame {k}");
            }
        }
        assert_eq!(poses.ahead_with(&[[bad; 2]], 3), clean.ahead(3));
        for _ in 0..3 {
            assert!(poses.frame(None, [bad; 2]).is_finite());
            assert!(poses.fits().iter().all(|fit| fit.error_after(3).is_finite()));
        }
        assert_eq!(poses.estimate_status(), EstimateStatus::Filled(3));
    }
}

#[test]
fn the_largest_numbers_that_are_taken_make_no_nan() {
    // Parameters and values at the edge of what is taken, and a model that makes no sense.
    let mut random = Stream::new(8, 0, "fit");
    for order in [1, 2, 10] {
        let mut fit = LeastSquares::new(Fit { order, ..Fit::default() }).unwrap();
        let first: Vec<f64> = (0..3 * order).map(|_| random.between(-9e5, 9e5)).collect();
        fit.start_with(&first).unwrap();
        for _ in 0..5000 {
            let y = (random.uniform() < 0.8).then(|| random.between(-9.9e5, 9.9e5));
            let value = fit.frame(y, [random.between(-9e5, 9e5), random.between(-1e-9, 1e-9)]);
            assert!(value.is_finite() && fit.trace().is_finite() && fit.predicted().is_finite());
            assert!(!fit.error_after(5).is_nan() && fit.ahead(100).is_finite());
        }
    }
}

#[test]
fn first_parameters_are_numbers_and_as_many_as_there_are() {
    let mut fit = LeastSquares::new(Fit::default()).unwrap();
    let before = fit.parameters().to_vec();
    for bad in [f64::NAN, f64::NEG_INFINITY, 1e300] {
        let start = fit.start_with(&[1.0, bad, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(start, Err(NavError::NotFinite));
    }
    assert_eq!(fit.start_with(&[1.0]), Err(NavError::BadLimit));
    assert_eq!(fit.start_with(&[1.0; 7]), Err(NavError::BadLimit));
    assert_eq!(fit.parameters(), before);
    fit.start_with(&[0.5, 0.4, 0.3, 0.2, 0.1, 0.0]).unwrap();
    assert_eq!(fit.parameters(), [0.5, 0.4, 0.3, 0.2, 0.1, 0.0]);
}

#[test]
fn what_is_not_seen_at_first_leaves_no_trace() {
    for inputs in [true, false] {
        let fit = Fit { inputs, ..Fit::default() };
        let [mut late, mut at_once] = [(); 2].map(|()| LeastSquares::new(fit).unwrap());
        let mut random = Stream::new(9, 0, "fit");
        for _ in 0..3 {
            assert_eq!(late.frame(None, [0.0; 2]), 0.0);
            assert_eq!(late.estimate_status(), EstimateStatus::Lost);
        }
        for _ in 0..10 {
            let seen = 1.0 + random.between(-0.002, 0.002);
            late.frame(Some(seen), [0.0; 2]);
            at_once.frame(Some(seen), [0.0; 2]);
        }
        assert_eq!(late.parameters(), at_once.parameters());
        assert_eq!(late.error_after(5), at_once.error_after(5));
        assert!(late.error_after(5) < 0.02, "{}", late.error_after(5));
        // An early gap is filled, not lost.
        for gap in 1..=5 {
            let filled = late.frame(None, [0.0; 2]);
            assert!((filled - 1.0).abs() < 0.02, "{filled} after {gap}");
            assert_eq!(late.estimate_status(), EstimateStatus::Filled(gap));
        }
    }
}

#[test]
fn what_filled_a_gap_that_was_too_long_is_not_learnt_from() {
    let fit = Fit { inputs: false, ..Fit::default() };
    let mut fit = LeastSquares::new(fit).unwrap();
    for k in 0..100 {
        fit.frame(Some(0.01 * f64::from(k)), [0.0; 2]);
    }
    let before = fit.parameters().to_vec();
    for _ in 0..1000 {
        fit.frame(None, [0.0; 2]);
    }
    assert_eq!(fit.estimate_status(), EstimateStatus::Lost);
    // Taken by hand, ten metres from where it would have gone, and set going again.
    for k in 0..4 {
        fit.frame(Some(0.01 * f64::from(k)), [0.0; 2]);
    }
    for (a, b) in fit.parameters().iter().zip(before) {
        assert!((a - b).abs() < 0.01, "{a} after, {b} before");
    }
    assert!((fit.predicted() - 0.04).abs() < 1e-3, "{}", fit.predicted());
}

#[test]
fn a_robot_that_spins_for_days_is_still_seen() {
    let fit = Fit { inputs: false, ..Fit::default() };
    let mut poses = PoseFit::new(fit, MOST_TURN).unwrap();
    for k in 0..340_000 {
        poses.frame(Some(Pose2::new(0.1, 0.2, 3.0 * f64::from(k))), [0.0; 2]);
        assert_eq!(poses.estimate_status(), EstimateStatus::Seen, "frame {k}");
    }
    assert!(wrap_angle(poses.ahead(1).theta() - 3.0 * 340_000.0).abs() < 1e-3);
}

#[test]
fn nonsense_is_taken_as_not_seen_and_bad_settings_are_refused() {
    let mut filter = Kalman::new(&drive(), PERIOD, Noise::default()).unwrap();
    let mut poses = PoseFit::new(Fit::default(), MOST_TURN).unwrap();
    filter.frame(MotorVolts::ZERO, Some(Pose2::IDENTITY));
    for _ in 0..3 {
        poses.frame(Some(Pose2::IDENTITY), [0.0; 2]);
    }
    let nonsense = Pose2::new(f64::NAN, 0.0, 0.0);
    filter.frame(MotorVolts::ZERO, Some(nonsense));
    assert_eq!(filter.estimate_status(), EstimateStatus::Filled(1));
    assert!(poses.frame(Some(nonsense), [0.0; 2]).is_finite());
    assert_eq!(poses.estimate_status(), EstimateStatus::Filled(1));
    // How one moves that was seen once, only a model can say.
    let mut once = PoseFit::new(Fit::default(), MOST_TURN).unwrap();
    once.frame(Some(Pose2::IDENTITY), [0.0; 2]);
    assert_eq!(once.estimate_status(), EstimateStatus::Seen);
    assert_eq!(once.frame(None, [0.0; 2]), Pose2::IDENTITY);
    assert_eq!(once.estimate_status(), EstimateStatus::Lost);
    filter.frame(MotorVolts { right: f64::NAN, left: 0.0 }, Some(Pose2::IDENTITY));
    assert!(filter.state().pose().is_finite());
    let bad = Noise { speed: 0.0, ..Noise::default() };
    assert_eq!(Kalman::new(&drive(), PERIOD, bad).err(), Some(NavError::BadLimit));
    assert_eq!(Kalman::new(&drive(), 0.0, Noise::default()).err(), Some(NavError::BadLimit));
    let orders = [0, 11];
    for order in orders {
        assert!(LeastSquares::new(Fit { order, ..Fit::default() }).is_err());
    }
}
