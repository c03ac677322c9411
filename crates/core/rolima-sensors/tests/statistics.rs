//! The errors of sensors have the mean, spread, shape and independence that they claim. Seeds are
//! fixed; the bounds are those that a right implementation exceeds once in some ten thousand.

use rolima_math::{Pose2, Stream, Vec2, sin_cos};
use rolima_model::Part;
use rolima_sensors::Truth;
use rolima_sensors::rays::{Plane, ScanScratch};
use rolima_sensors::sensors::*;

/// Probability that a standard normal variable falls below `x`: Simpson's rule on the density.
fn distribution(x: f64) -> f64 {
    let (n, h) = (400, x / 400.0);
    let density = |t: f64| rolima_math::exp(-0.5 * t * t) / (2.0 * std::f64::consts::PI).sqrt();
    let sum: f64 = (0..=n)
        .map(|i| {
            let weight = if i == 0 || i == n { 1.0 } else { f64::from(2 + 2 * (i % 2)) };
            weight * density(h * f64::from(i))
        })
        .sum();
    0.5 + sum * h / 3.0
}

/// Mean, variance and the distance to the normal distribution are within their bounds.
fn assert_normal(name: &str, errors: &[f64], sigma: f64) {
    let n = errors.len() as f64;
    let mean = errors.iter().sum::<f64>() / n;
    assert!(mean.abs() < 4.0 * sigma / n.sqrt(), "{name}: mean {mean}");
    // Chi-square of n - 1 degrees is nearly normal, with the variance 2 n.
    let chi = errors.iter().map(|e| (e - mean) * (e - mean)).sum::<f64>() / (sigma * sigma);
    assert!((chi - (n - 1.0)).abs() < 4.0 * (2.0 * n).sqrt(), "{name}: chi-square {chi} of {n}");
    // Kolmogorov and Smirnov: sqrt(n) times the largest distance exceeds 2.2 once in 8,000.
    let mut sorted: Vec<f64> = errors.iter().map(|e| e / sigma).collect();
    sorted.sort_by(f64::total_cmp);
    let mut largest = 0.0f64;
    for (i, &x) in sorted.iter().enumerate() {
        let p = distribution(x);
        largest = largest.max((p - i as f64 / n).abs()).max((p - (i + 1) as f64 / n).abs());
    }
    assert!(largest * n.sqrt() < 2.2, "{name}: {largest}");
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().min(b.len()) as f64;
    let mean = |x: &[f64]| x.iter().sum::<f64>() / x.len() as f64;
    let (ma, mb) = (mean(a), mean(b));
    let sum = |f: &dyn Fn(f64, f64) -> f64| {
        a.iter().zip(b).map(|(x, y)| f(x - ma, y - mb)).sum::<f64>() / n
    };
    sum(&|x, y| x * y) / (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt()
}

fn assert_independent(name: &str, a: &[f64], b: &[f64]) {
    let bound = 4.0 / (a.len() as f64).sqrt();
    // Of the values, of their sizes, and of each with the other's next.
    let sizes = |x: &[f64]| x.iter().map(|x| x.abs()).collect::<Vec<_>>();
    for (what, c) in [
        ("values", correlation(a, b)),
        ("sizes", correlation(&sizes(a), &sizes(b))),
        ("later values", correlation(&a[1..], &b[..b.len() - 1])),
        ("earlier values", correlation(&a[..a.len() - 1], &b[1..])),
    ] {
        assert!(c.abs() < bound, "{name}, {what}: correlation {c}");
    }
}

const N: usize = 20_000;

#[test]
fn gps_and_compass_err_as_equations_3_18_to_3_22_say() {
    let sigma = [0.3, 0.2, 2f64.to_radians()];
    let spec = GpsSpec { sigma, ..GpsSpec::default() };
    let truth = Truth { world_from_robot: Pose2::new(2.0, -1.0, 0.7), ..Truth::default() };
    let run = |seed, robot, device: &str| {
        let mut gps = Gps::new(spec, seed, robot, device);
        let mut axes = [vec![], vec![], vec![]];
        for _ in 0..N {
            let r = gps.measure(&truth);
            for (axis, e) in axes.iter_mut().zip([r.x - 2.0, r.y + 1.0, r.theta - 0.7]) {
                axis.push(e);
            }
        }
        axes
    };
    let one = run(1, 0, "gps");
    for axis in 0..3 {
        assert_normal(["x", "y", "theta"][axis], &one[axis], sigma[axis]);
    }
    assert_independent("x and y", &one[0], &one[1]);
    assert_independent("y and theta", &one[1], &one[2]);
    for lag in 1..5 {
        let c = correlation(&one[0][lag..], &one[0][..N - lag]);
        assert!(c.abs() < 4.0 / (N as f64).sqrt(), "x with x {lag} readings before: {c}");
    }
    for (name, other) in
        [("robots", run(1, 1, "gps")), ("devices", run(1, 0, "gps2")), ("seeds", run(2, 0, "gps"))]
    {
        for axis in 0..3 {
            assert_independent(name, &one[axis], &other[axis]);
        }
    }
    assert_eq!(one, run(1, 0, "gps"), "the same keys give the same noise");
}

#[test]
fn a_sigma_set_at_run_time_counts_and_shifts_no_other_axis() {
    let truth = Truth::default();
    let mut quiet = Gps::new(GpsSpec::default(), 3, 0, "gps");
    let mut noisy = quiet.clone();
    noisy.set_sigma(0, 0.5).unwrap();
    noisy.set_sigma(2, 0.1).unwrap();
    quiet.set_sigma(2, 0.1).unwrap();
    for _ in 0..100 {
        let (a, b) = (quiet.measure(&truth), noisy.measure(&truth));
        assert!(a.x == 0.0 && b.x != 0.0 && a.theta == b.theta && a.theta != 0.0);
    }
    assert!(noisy.set_sigma(1, -1.0).is_err() && noisy.set_sigma(1, f64::NAN).is_err());
    assert!(noisy.set_sigma(3, 1.0).is_err());
}

/// A wall far to the right and left of the x axis, its face at `x`.
fn wall_at(x: f64) -> Plane {
    let wall = Part::Box { pose: Pose2::new(x + 0.5, 0.0, 0.0), half: Vec2::new(0.5, 100.0) };
    Plane::new(0.45, [(&wall, 2.0)], &[])
}

#[test]
fn lidar_errs_as_equation_3_23_says_and_reads_the_limit_for_misses() {
    let plane = wall_at(3.0);
    let spec = LidarSpec { sigma: 0.1, ..LidarSpec::default() };
    let mut lidar = Lidar::new(spec, 4, 0, "lidar").unwrap();
    let view = RangeView { plane: &plane, world_from_robot: Pose2::IDENTITY, own: None };
    let (mut scratch, mut out) = (ScanScratch::default(), [0.0; 36]);
    let mut errors: Vec<Vec<f64>> = vec![vec![]; 36];
    for _ in 0..N {
        lidar.measure(view, &mut scratch, &mut out);
        for (i, &reading) in out.iter().enumerate() {
            // Reading i at the bearing 85 - 5 i degrees.
            let (_, cos) = sin_cos((85.0 - 5.0 * i as f64).to_radians());
            let truth = if cos > 0.0 { 3.0 / cos } else { f64::INFINITY };
            if truth > 8.0 {
                assert_eq!(reading, 8.0, "reading {i}");
            } else {
                errors[i].push(reading - truth);
            }
        }
    }
    // Readings 4 to 30 see the wall within 8 m, but the outer ones may touch the limit.
    for i in [6, 17, 18, 28] {
        assert_normal(&format!("reading {i}"), &errors[i], 0.1);
    }
    assert_independent("neighbours", &errors[17], &errors[18]);
    assert!(errors[2].is_empty() && errors[32].is_empty() && errors[34].is_empty());
}

#[test]
fn the_lidar_and_the_gps_of_a_robot_err_independently() {
    let plane = wall_at(3.0);
    let spec = LidarSpec { sigma: 0.1, beams: 1, first_bearing: 0.0, ..LidarSpec::default() };
    let mut lidar = Lidar::new(spec, 4, 0, "lidar").unwrap();
    let mut gps = Gps::new(GpsSpec { sigma: [0.1; 3], ..GpsSpec::default() }, 4, 0, "gps");
    let view = RangeView { plane: &plane, world_from_robot: Pose2::IDENTITY, own: None };
    let (mut a, mut b) = (vec![], vec![]);
    for _ in 0..N {
        let mut out = [0.0];
        lidar.measure(view, &mut ScanScratch::default(), &mut out);
        a.push(out[0] - 3.0);
        b.push(gps.measure(&Truth::default()).x);
    }
    assert_independent("lidar and gps", &a, &b);
}

#[test]
fn motion_errors_spread_alike_for_all_steps_and_leave_a_standing_robot_alone() {
    let spec = MotionErrorSpec { sigma_linear: 0.01, sigma_angular: 0.02 };
    // Over a second the spread is sigma sqrt(60), whatever the steps.
    for (steps, runs) in [(1000, 3_000), (60, 10_000), (10, 20_000)] {
        let mut motion = MotionError::new(spec, 5, 0, "motion");
        let (mut ways, mut turns) = (vec![], vec![]);
        for _ in 0..runs {
            let (mut way, mut turn) = (0.0, 0.0);
            for _ in 0..steps {
                let (w, t) = motion.draw(1.0 / f64::from(steps), true);
                way += w;
                turn += t;
            }
            ways.push(way);
            turns.push(turn);
        }
        assert_normal("way", &ways, 0.01 * 60f64.sqrt());
        assert_normal("turn", &turns, 0.02 * 60f64.sqrt());
        assert_independent("way and turn", &ways, &turns);
        assert_eq!(motion.draw(0.01, false), (0.0, 0.0));
    }
}

#[test]
fn imu_noise_has_the_density_and_its_bias_walks() {
    let spec = ImuSpec { gyro_walk: 0.01, accelerometer_walk: 0.0, ..ImuSpec::default() };
    let dt = 0.004;
    let mut imu = Imu::new(spec, 6, 0, "imu");
    let (mut force, mut steps) = (vec![], vec![]);
    let mut bias = 0.0;
    for i in 0..N {
        let truth = Truth { time_s: i as f64 * dt, ..Truth::default() };
        let r = imu.measure(&truth);
        if i > 0 {
            force.push(r.acceleration.y);
            steps.push(imu.state.gyro_bias - bias);
        }
        bias = imu.state.gyro_bias;
    }
    assert_normal("accelerometer", &force, spec.accelerometer_density / dt.sqrt());
    assert_normal("steps of the bias", &steps, 0.01 * dt.sqrt());
    assert_independent("noise and bias", &force, &steps);
}

#[test]
fn sonar_errs_with_its_sigma() {
    let plane = wall_at(2.0);
    let spec = SonarSpec {
        ring: vec![Pose2::IDENTITY],
        sigma: 0.05,
        height: 0.45,
        ..SonarSpec::default()
    };
    let mut sonar = Sonar::new(spec, 7, 0, "sonar").unwrap();
    let view = RangeView { plane: &plane, world_from_robot: Pose2::IDENTITY, own: None };
    let errors: Vec<f64> = (0..N)
        .map(|_| {
            let mut out = [0.0];
            sonar.measure(view, &mut out);
            out[0] - 2.0
        })
        .collect();
    assert_normal("sonar", &errors, 0.05);
}

#[test]
fn the_test_of_normality_refuses_what_is_not_normal() {
    let mut stream = Stream::new(1, 0, "other");
    let width = 12f64.sqrt();
    let uniform: Vec<f64> = (0..N).map(|_| width * (stream.uniform() - 0.5)).collect();
    assert!(std::panic::catch_unwind(|| assert_normal("uniform", &uniform, 1.0)).is_err());
    let wide: Vec<f64> = (0..N).map(|_| 1.03 * stream.normal()).collect();
    assert!(std::panic::catch_unwind(|| assert_normal("too wide", &wide, 1.0)).is_err());
}
