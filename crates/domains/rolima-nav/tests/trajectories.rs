//! Claims about trajectories: what the robot could follow.

use crate::common;
use common::pair;
use rolima_math::{Pose2, Stream, Vec2, wrap_angle};
use rolima_nav::drive::Parameters;
use rolima_nav::path::{Cubic, Leg, LegShape, Method, Path, length, plan};
use rolima_nav::trajectory::{SpeedProfile, Trajectory, TrajectoryLimits};
use rolima_nav::{Drive, NavError};

fn drives() -> [Drive; 2] {
    let physical = Parameters { inertia: 3.3e-4, grip: 0.8 * 9.80665, ..Parameters::THESIS };
    [Parameters::THESIS.drive().expect("a drive"), physical.drive().expect("a drive")]
}

fn paths(count: usize) -> Vec<Path> {
    let mut random = Stream::new(1, 0, "pairs");
    let methods = [Method::Cubic, Method::Gentle, Method::Turn, Method::ReedsShepp(0.1)];
    let path = |i: usize| {
        let (from, to) = pair(&mut random);
        plan(from, to, methods[i % 4]).expect("distinct poses").path
    };
    (0..count).map(path).collect()
}

/// The largest of a quantity as a share of its limit, over all looks.
#[derive(Debug, Default)]
struct Shares {
    speed: f64,
    acceleration: f64,
    turning: f64,
    lateral: f64,
    grip: f64,
    /// Of paths no bend of which is sharper than 200 1/m.
    volts: f64,
    above: f64,
    looks: f64,
}

#[test]
fn speed_acceleration_turning_side_force_and_voltage_stay_within_their_limits() {
    let limits = TrajectoryLimits::default();
    let mut worst = Shares::default();
    for drive in drives() {
        let profile = SpeedProfile::new(&drive, limits).unwrap();
        let mut trajectory = Trajectory::default();
        for path in paths(2000) {
            trajectory.time(&path, &profile, 0.0, 0.0).unwrap();
            let bend = path.largest_curvature();
            let steps = 300;
            for i in 0..=steps {
                let time = trajectory.duration() * f64::from(i) / f64::from(steps);
                let m = trajectory.at(time).unwrap();
                // What the path itself asks for there, not what the profile took it for.
                let here = path.at(m.parameter).unwrap();
                let turning = if m.v == 0.0 { m.omega } else { here.curvature * m.v.abs() };
                let across = turning * m.v;
                let share = |of: &mut f64, x: f64, limit: f64| *of = of.max(x.abs() / limit);
                share(&mut worst.speed, m.v, limits.speed);
                share(&mut worst.acceleration, m.dv, limits.acceleration);
                share(&mut worst.turning, turning, limits.turning);
                share(&mut worst.lateral, across, limits.lateral);
                let along = (across * across + m.dv * m.dv).sqrt();
                share(&mut worst.grip, along, limits.grip_share * drive.grip);
                let volts = drive.feed_forward(m.v, m.omega, m.dv, m.domega);
                let volts = volts.right.abs().max(volts.left.abs());
                let allowed = limits.voltage_share * drive.supply;
                if bend < 200.0 {
                    share(&mut worst.volts, volts, allowed);
                }
                worst.looks += 1.0;
                worst.above += f64::from(u8::from(volts > 1.02 * allowed));
            }
        }
    }
    println!("{worst:?}");
    assert!(worst.speed <= 1.0 + 1e-9, "{worst:?}");
    assert!(worst.acceleration <= 1.0 + 1e-9, "{worst:?}");
    assert!(worst.lateral <= 1.0 + 1e-9 && worst.grip <= 1.0 + 1e-9, "{worst:?}");
    // A bend's very peak may lie between the points that are looked at.
    assert!(worst.turning <= 1.02, "{worst:?}");
    // Between nodes the curvature does not change evenly. What is above the share of the supply that
    // plans may use is well within the rest, which is for corrections.
    assert!(worst.volts < 1.05, "{worst:?}");
    assert!(worst.above < 2e-4 * worst.looks, "{worst:?}");
}

/// How far a robot turns along a path in all, rad.
fn turning(path: &Path) -> f64 {
    let driven = path.legs().iter().filter(|leg| !matches!(leg.shape, LegShape::Turn { .. }));
    let of_leg = |leg: &Leg| {
        let heading = |i: u32| leg.pose(f64::from(i) / 1000.0).theta();
        (0..1000).map(|i| wrap_angle(heading(i + 1) - heading(i)).abs()).sum::<f64>()
    };
    path.turning() + driven.map(of_leg).sum::<f64>()
}

/// Poses of which one is off the other's axis by anything down to nanometres: the curve that keeps
/// the criterion then has a bend of any sharpness.
fn hair_off_axis(random: &mut Stream) -> (Pose2, Pose2) {
    let (from, mut to) = pair(random);
    let off = random.between(-1.0, 1.0) * rolima_math::exp(random.between(-20.0, -2.0));
    if random.uniform() < 0.5 {
        to.position.x = from.position.x + off;
    } else {
        to.position.y = from.position.y + off;
    }
    (from, to)
}

/// A curve that all but stands still somewhere.
fn nearly_cusped(random: &mut Stream) -> Path {
    let mut vector = || Vec2::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0));
    let (d0, d2, rest) = (vector(), vector(), vector());
    let (at, small) = (random.between(0.02, 0.98), rolima_math::exp(random.between(-25.0, -3.0)));
    let left = 1.0 - at;
    let d1 = (rest * small - d0 * (left * left) - d2 * (at * at)) * (0.5 / (at * left));
    let end = (d0 + d1 + d2) * (1.0 / 3.0);
    Path::of(Leg::forwards(LegShape::Cubic(Cubic::hermite(Vec2::ZERO, d0, end, d2))))
}

#[test]
fn no_bend_however_narrow_is_crept_along_or_turned_at_any_rate() {
    let limits = TrajectoryLimits::default();
    let mut random = Stream::new(21, 0, "narrow");
    let mut pairs: Vec<(Pose2, Pose2)> = (0..3000).map(|_| hair_off_axis(&mut random)).collect();
    let degree = 1f64.to_radians();
    for off in [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 0.0] {
        pairs.push((Pose2::IDENTITY, Pose2::new(1.0, off, 90.0 * degree)));
        pairs.push((Pose2::new(0.0, 0.0, degree), Pose2::new(off, 1.0, degree)));
    }
    let planned = pairs.iter().filter_map(|&(from, to)| plan(from, to, Method::Cubic).ok());
    let mut paths: Vec<Path> = planned.map(|found| found.path).collect();
    paths.extend((0..1000).map(|_| nearly_cusped(&mut random)));
    let mut sharp = 0;
    for drive in drives() {
        let profile = SpeedProfile::new(&drive, limits).unwrap();
        let mut trajectory = Trajectory::default();
        for path in &paths {
            sharp += u32::from(path.largest_curvature() > 1e4);
            trajectory.time(path, &profile, 0.0, 0.0).unwrap();
            let straight = path.length() / limits.speed + limits.speed / limits.acceleration;
            let most = 3.0 * (straight + turning(path) / limits.turning);
            let takes = trajectory.duration();
            assert!(takes < most, "{takes} s, not {most} s: {:?}", path.legs());
            for i in 0..=100 {
                let m = trajectory.at(takes * f64::from(i) / 100.0).unwrap();
                assert!(m.omega.abs() < 1.5 * limits.turning, "{m:?}: {:?}", path.legs());
            }
        }
    }
    assert!(sharp > 1000, "{sharp} of them are sharp");
}

#[test]
fn a_trajectory_begins_and_ends_at_rest_at_both_poses_and_never_jumps() {
    let drive = drives()[1];
    let profile = SpeedProfile::new(&drive, TrajectoryLimits::default()).unwrap();
    let mut trajectory = Trajectory::default();
    let mut gentle = 0;
    for path in paths(400) {
        trajectory.time(&path, &profile, 0.0, 0.0).unwrap();
        let is_gentle = path.largest_curvature() < 60.0;
        gentle += u32::from(is_gentle);
        let (start, end) = (trajectory.at(0.0).unwrap(), trajectory.at(1e9).unwrap());
        assert!((start.pose.position - path.pose(0.0).position).length() < 1e-9);
        assert!((end.pose.position - path.pose(path.end()).position).length() < 1e-9);
        assert_eq!((end.v, end.omega), (0.0, 0.0));
        let off = (trajectory.length() - path.length()).abs();
        assert!(off < 2e-3 * (path.length() + 0.01), "{off} of {}", path.length());
        let mut last = start;
        let dt = 0.002;
        for i in 1.. {
            let time = dt * f64::from(i);
            if time > trajectory.duration() {
                break;
            }
            let here = trajectory.at(time).unwrap();
            let moved = (here.pose.position - last.pose.position).length();
            let mean = 0.5 * (here.v.abs() + last.v.abs());
            assert!((moved - mean * dt).abs() < 2e-4, "moved {moved} at {mean}: {here:?}");
            let turned = wrap_angle(here.pose.theta() - last.pose.theta()).abs();
            assert!(turned < 0.05 || !is_gentle, "turned {turned}");
            last = here;
        }
    }
    assert!(gentle > 100, "{gentle} paths are gentle");
}

#[test]
fn a_straight_metre_takes_what_the_trapezoid_says() {
    let limits = TrajectoryLimits { speed: 0.5, acceleration: 1.0, ..TrajectoryLimits::default() };
    let profile = SpeedProfile::new(&drives()[1], limits).unwrap();
    let path = plan(Pose2::IDENTITY, Pose2::new(1.0, 0.0, 0.0), Method::Turn).unwrap().path;
    let mut trajectory = Trajectory::default();
    trajectory.time(&path, &profile, 0.0, 0.0).unwrap();
    // 0.5 s up, 0.5 s down, 0.125 m each; 0.75 m at 0.5 m/s.
    assert!((trajectory.duration() - 2.5).abs() < 0.05, "{}", trajectory.duration());
    // Already moving, it is sooner there; passing through, sooner still.
    trajectory.time(&path, &profile, 0.0, 0.5).unwrap();
    assert!(trajectory.duration() < 2.3);
    assert!((trajectory.at(10.0).unwrap().v - 0.5).abs() < 1e-9);
}

#[test]
fn a_first_speed_that_cannot_be_braked_is_braked_as_hard_as_allowed() {
    let profile = SpeedProfile::new(&drives()[1], TrajectoryLimits::default()).unwrap();
    let path = plan(Pose2::IDENTITY, Pose2::new(0.1, 0.0, 0.0), Method::Cubic).unwrap().path;
    let mut trajectory = Trajectory::default();
    trajectory.time(&path, &profile, 1.0, 0.0).unwrap();
    let end = trajectory.at(trajectory.duration() - 1e-6).unwrap();
    let expected = (1.0 - 2.0 * 1.6 * 0.1f64).sqrt();
    assert!((end.v - expected).abs() < 0.02, "{} against {expected}", end.v);
}

#[test]
fn a_plan_that_goes_on_too_fast_or_turns_too_suddenly_is_not_smooth() {
    let profile = SpeedProfile::new(&drives()[1], TrajectoryLimits::default()).unwrap();
    let to = Pose2::new(0.3, 0.3, 1.5);
    let path = plan(Pose2::IDENTITY, to, Method::Cubic).unwrap().path;
    let mut trajectory = Trajectory::default();
    let mut is_smooth = |v: f64, omega: f64| {
        trajectory.time_turning(&path, &profile, v, omega, 0.0).unwrap();
        trajectory.is_smooth()
    };
    let bend = path.at(0.0).unwrap().curvature;
    assert!(is_smooth(0.0, 0.0) && is_smooth(0.5, 0.5 * bend));
    assert!(!is_smooth(0.5, 0.5 * bend + 1.6), "a jump of the turning");
    assert!(!is_smooth(1.15, 1.15 * bend), "0.45 m are too short for 1.15 m/s");
}

#[test]
fn bad_limits_and_speeds_are_refused_by_name() {
    let drive = drives()[0];
    let refused = |limits: TrajectoryLimits| SpeedProfile::new(&drive, limits).err();
    let good = TrajectoryLimits::default();
    assert_eq!(refused(TrajectoryLimits { speed: 0.0, ..good }), Some(NavError::ZeroSpeed));
    assert_eq!(refused(TrajectoryLimits { speed: f64::NAN, ..good }), Some(NavError::NotFinite));
    assert_eq!(refused(TrajectoryLimits { acceleration: -1.0, ..good }), Some(NavError::BadLimit));
    // More than the whole supply or grip there is not.
    assert_eq!(refused(TrajectoryLimits { voltage_share: 1.01, ..good }), Some(NavError::BadLimit));
    assert_eq!(refused(TrajectoryLimits { grip_share: 1.01, ..good }), Some(NavError::BadLimit));
    assert_eq!(refused(TrajectoryLimits { voltage_share: 1.0, grip_share: 1.0, ..good }), None);
    let profile = SpeedProfile::new(&drive, good).unwrap();
    let path = plan(Pose2::IDENTITY, Pose2::new(1.0, 0.0, 0.0), Method::Cubic).unwrap().path;
    let mut trajectory = Trajectory::default();
    assert_eq!(trajectory.time(&path, &profile, f64::NAN, 0.0), Err(NavError::NotFinite));
    assert_eq!(trajectory.time(&path, &profile, 0.0, -1.0), Err(NavError::NegativeSpeed));
    assert_eq!(Trajectory::default().at(1.0), None);
}

#[test]
fn a_turn_on_the_spot_goes_on_from_rest_and_from_turning_its_own_way() {
    let profile = SpeedProfile::new(&drives()[1], TrajectoryLimits::default()).unwrap();
    let path = plan(Pose2::IDENTITY, Pose2::new(0.0, 0.5, 0.0), Method::Turn).unwrap().path;
    let mut trajectory = Trajectory::default();
    for (speed, rate, smooth) in
        [(0.0, 0.0, true), (0.0, 5.0, true), (0.0, -5.0, false), (0.5, 0.0, false)]
    {
        trajectory.time_turning(&path, &profile, speed, rate, 0.0).unwrap();
        assert_eq!(trajectory.is_smooth(), smooth, "{speed} m/s, {rate} rad/s");
    }
}

#[test]
fn a_length_that_is_no_number_is_the_start_of_any_leg_and_path() {
    for path in paths(40) {
        for way in [f64::NAN, f64::NEG_INFINITY, -1.0] {
            for leg in path.legs() {
                let turns = matches!(leg.shape, LegShape::Turn { .. });
                assert_eq!(leg.parameter_at(way), if turns { 1.0 } else { 0.0 }, "{way}: {leg:?}");
                if let LegShape::Cubic(curve) = leg.shape {
                    assert_eq!(length::parameter_at(&curve, 0.25, way), 0.25);
                }
            }
            let (at, start) = (path.pose(path.parameter_at(way)), path.pose(0.0));
            assert!((at.position - start.position).length() < 1e-12, "{way}: {at:?}");
        }
        assert_eq!(path.parameter_at(f64::INFINITY), path.end());
    }
}
