//! Claims about trajectories: what the robot could follow.

mod common;
use common::pair;
use rolima_math::{Pose2, Stream, wrap_angle};
use rolima_nav::drive::Parameters;
use rolima_nav::path::{Method, Path, plan};
use rolima_nav::trajectory::{Limits, Profile, Trajectory};
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

#[test]
fn speed_acceleration_turning_and_voltage_stay_within_their_limits() {
    let limits = Limits::default();
    let (mut looks, mut above) = (0u32, 0u32);
    let mut worst = 0.0f64;
    for drive in drives() {
        let profile = Profile::new(&drive, limits).unwrap();
        let mut trajectory = Trajectory::default();
        for path in paths(400) {
            // Bends like a turn on the spot are passed at creeping speed; their nodes are too few to
            // say by how much.
            if path.largest_curvature() > 60.0 {
                continue;
            }
            trajectory.time(&path, &profile, 0.0, 0.0).unwrap();
            let steps = 300;
            for i in 0..=steps {
                let time = trajectory.duration() * f64::from(i) / f64::from(steps);
                let m = trajectory.at(time).unwrap();
                assert!(m.v.abs() <= limits.speed * (1.0 + 1e-9));
                assert!(m.dv.abs() <= limits.acceleration * 1.01, "{m:?}");
                assert!(m.omega.abs() <= limits.turning * 1.25, "{m:?}");
                let volts = drive.feed_forward(m.v, m.omega, m.dv, m.domega);
                let most = volts.right.abs().max(volts.left.abs());
                // Between the nodes of a sharp bend the curvature changes faster than they tell.
                if path.largest_curvature() < 25.0 {
                    worst = worst.max(most);
                }
                looks += 1;
                above += u32::from(most > limits.voltage_share * drive.supply * 1.02);
            }
        }
    }
    println!("{above} of {looks} above, worst {worst} V");
    assert!(worst < drives()[0].supply * 1.05, "{worst} V");
    assert!(f64::from(above) < 0.005 * f64::from(looks), "{above} of {looks}, worst {worst} V");
}

#[test]
fn a_trajectory_begins_and_ends_at_rest_at_both_poses_and_never_jumps() {
    let drive = drives()[1];
    let profile = Profile::new(&drive, Limits::default()).unwrap();
    let mut trajectory = Trajectory::default();
    for path in paths(400) {
        trajectory.time(&path, &profile, 0.0, 0.0).unwrap();
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
            if path.largest_curvature() < 60.0 {
                assert!(turned < 0.05, "turned {turned}");
            }
            last = here;
        }
    }
}

#[test]
fn a_straight_metre_takes_what_the_trapezoid_says() {
    let limits = Limits { speed: 0.5, acceleration: 1.0, ..Limits::default() };
    let profile = Profile::new(&drives()[1], limits).unwrap();
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
    let profile = Profile::new(&drives()[1], Limits::default()).unwrap();
    let path = plan(Pose2::IDENTITY, Pose2::new(0.1, 0.0, 0.0), Method::Cubic).unwrap().path;
    let mut trajectory = Trajectory::default();
    trajectory.time(&path, &profile, 1.0, 0.0).unwrap();
    let end = trajectory.at(trajectory.duration() - 1e-6).unwrap();
    let expected = (1.0 - 2.0 * 1.6 * 0.1f64).sqrt();
    assert!((end.v - expected).abs() < 0.02, "{} against {expected}", end.v);
}

#[test]
fn bad_limits_and_speeds_are_refused_by_name() {
    let drive = drives()[0];
    let refused = |limits: Limits| Profile::new(&drive, limits).err();
    let good = Limits::default();
    assert_eq!(refused(Limits { speed: 0.0, ..good }), Some(NavError::ZeroSpeed));
    assert_eq!(refused(Limits { speed: f64::NAN, ..good }), Some(NavError::NotFinite));
    assert_eq!(refused(Limits { acceleration: -1.0, ..good }), Some(NavError::BadLimit));
    let profile = Profile::new(&drive, good).unwrap();
    let path = plan(Pose2::IDENTITY, Pose2::new(1.0, 0.0, 0.0), Method::Cubic).unwrap().path;
    let mut trajectory = Trajectory::default();
    assert_eq!(trajectory.time(&path, &profile, f64::NAN, 0.0), Err(NavError::NotFinite));
    assert_eq!(trajectory.time(&path, &profile, 0.0, -1.0), Err(NavError::BadLimit));
    assert_eq!(Trajectory::default().at(1.0), None);
}
