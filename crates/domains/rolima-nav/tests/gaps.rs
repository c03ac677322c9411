//! Claims about gaps that least squares fill: how far off they say they are, and when they give up.

use crate::seen;
use rolima_math::{Pose2, Stream, Vec2, wrap_angle};
use rolima_nav::estimate::{EstimateStatus, Fit, KalmanState, LeastSquares, MOST_TURN, PoseFit};
use rolima_nav::{MotorVolts, NavError};
use seen::{PERIOD, blurred, drive, voltages};

/// How a robot moves: the voltages that it gets in a frame, from those of the frame before.
type Motion = fn(&mut Stream, u32, MotorVolts) -> MotorVolts;

/// Over many gaps of ten frames: how often a filled value is within two predicted standard errors of
/// the truth, by coordinate and frame of the gap, and the mean squares of errors and predictions.
struct Coverage {
    inside: [[f64; 10]; 3],
    squares: [[[f64; 2]; 10]; 3],
}

fn coverage(fit: Fit, motion: Motion, frames_before: impl Fn(u32) -> u32) -> Coverage {
    const TRIALS: u32 = 300;
    let step = drive().over(PERIOD).expect("a period");
    let mut found = Coverage { inside: [[0.0; 10]; 3], squares: [[[0.0; 2]; 10]; 3] };
    for trial in 0..TRIALS {
        let mut random = Stream::new(10, u64::from(trial), "gaps");
        let mut poses = PoseFit::new(fit, MOST_TURN).expect("a fit");
        let (position, theta) = (Vec2::new(0.3, -0.2), random.between(-3.0, 3.0));
        let mut truth = KalmanState { position, theta, ..KalmanState::default() };
        let (mut held, before) = (MotorVolts::ZERO, frames_before(trial));
        for frame in 0..before + 10 {
            let seen = (frame < before).then(|| blurred(&mut random, truth.pose(), 0.002, 0.0175));
            held = motion(&mut random, frame, held);
            let filled = poses.frame(seen, [held.left / 9.0, held.right / 9.0]);
            if frame >= before {
                let gap = (frame - before) as usize;
                let miss = filled.position - truth.position;
                let errors = [miss.x, miss.y, wrap_angle(filled.theta() - truth.theta)];
                for (i, fit) in poses.fits().into_iter().enumerate() {
                    let predicted = fit.error_after(gap as u32 + 1);
                    let is_inside = errors[i].abs() < 2.0 * predicted;
                    found.inside[i][gap] += f64::from(u8::from(is_inside)) / f64::from(TRIALS);
                    found.squares[i][gap][0] += errors[i] * errors[i];
                    found.squares[i][gap][1] += predicted * predicted;
                }
            }
            truth = truth.after(&step, held);
        }
    }
    found
}

const MOTIONS: [(&str, Motion); 6] = [
    ("stands", |_, _, _| MotorVolts::ZERO),
    ("straight", |_, _, _| MotorVolts { right: 1.2, left: 1.2 }),
    ("tight circle", |_, _, _| MotorVolts { right: 2.6, left: 2.0 }),
    ("wide circle", |_, _, _| MotorVolts { right: 0.82, left: 0.78 }),
    ("slow circle", |_, _, _| MotorVolts { right: 0.5, left: 0.3 }),
    ("wanders", voltages),
];

#[test]
fn the_error_of_filled_frames_is_as_predicted() {
    let (mut shares, mut ratios) = (vec![], vec![]);
    for (order, inputs) in [(2, true), (2, false), (3, true), (3, false), (5, true)] {
        for (name, motion) in MOTIONS {
            let fit = Fit { order, inputs, ..Fit::default() };
            let found = coverage(fit, motion, |trial| 60 + trial % 200);
            for (i, coordinate) in ["x", "y", "theta"].into_iter().enumerate() {
                for gap in 0..10 {
                    let share = found.inside[i][gap];
                    let [actual, predicted] = found.squares[i][gap].map(f64::sqrt);
                    let ratio = predicted / actual;
                    let what = format!(
                        "n = {order}, inputs {inputs}, {name}, {coordinate} after {}: {share:.2} inside, \
                         predicted {ratio:.2} of actual",
                        gap + 1
                    );
                    if [0, 2, 5, 9].contains(&gap) {
                        println!("{what}");
                    }
                    // Two standard errors hold 95%. At the end of a long gap in a slow bend, whose
                    // errors were smaller before it, somewhat less; where a robot stands, and few
                    // errors are all there is to tell how small they are, more.
                    assert!(share > 0.84, "{what}");
                    assert!((0.85..2.2).contains(&ratio), "{what}");
                    shares.push(share);
                    ratios.push(ratio);
                }
            }
        }
    }
    let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
    let low = shares.iter().filter(|&&share| share < 0.9).count();
    let least = shares.iter().copied().fold(1.0, f64::min);
    println!("{} inside, at least {least}; predicted {} of actual", mean(&shares), mean(&ratios));
    assert!(20 * low < shares.len(), "{low} of {} below 0.9", shares.len());
    assert!((0.94..0.98).contains(&mean(&shares)), "{}", mean(&shares));
    assert!((1.0..1.3).contains(&mean(&ratios)), "{}", mean(&ratios));
}

#[test]
fn headings_are_given_up_by_radians_and_places_by_metres() {
    let fit = Fit { inputs: false, ..Fit::default() };
    let mut random = Stream::new(11, 0, "fit");
    let mut strict = PoseFit::new(fit, 0.1).unwrap();
    let mut patient = PoseFit::new(fit, MOST_TURN).unwrap();
    for _ in 0..100 {
        let seen = Some(blurred(&mut random, Pose2::new(0.3, 0.2, 1.0), 0.002, 0.15));
        strict.frame(seen, [0.0; 2]);
        patient.frame(seen, [0.0; 2]);
    }
    strict.frame(None, [0.0; 2]);
    patient.frame(None, [0.0; 2]);
    let [x, y, theta] = patient.fits().map(|fit| fit.error_after(1));
    assert!(x < 0.01 && y < 0.01 && (0.1..MOST_TURN).contains(&theta), "{x} {y} {theta}");
    assert_eq!(
        (strict.estimate_status(), patient.estimate_status()),
        (EstimateStatus::Lost, EstimateStatus::Filled(1))
    );
    for bad in [0.0, -1.0, f64::NAN] {
        assert_eq!(PoseFit::new(fit, bad).err(), Some(NavError::BadLimit));
    }
}

#[test]
fn the_predicted_error_grows_with_the_gap() {
    let mut fit = LeastSquares::new(Fit { inputs: false, ..Fit::default() }).unwrap();
    let mut random = Stream::new(6, 0, "fit");
    for k in 0..300 {
        fit.frame(Some(0.01 * f64::from(k) + 0.002 * random.between(-1.0, 1.0)), [0.0; 2]);
    }
    let errors: Vec<f64> = (1..=8).map(|n| fit.error_after(n)).collect();
    assert!(errors.windows(2).all(|w| w[1] >= w[0]), "{errors:?}");
    assert!(errors[0] > 0.0005 && errors[7] < 0.1, "{errors:?}");
}
