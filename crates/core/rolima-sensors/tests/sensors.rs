//! What sensors do besides erring: geometry, rates, counts, saturation, saving and restoring.

use rolima_math::{Pose2, Vec2};
use rolima_model::{BodyId, Part, Shape};
use rolima_sensors::rays::{Outline, Placed, Plane, ScanScratch, VerticalProfile};
use rolima_sensors::sensors::*;
use rolima_sensors::{Rate, Truth, Words};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// The wheels of the thesis's robot.
const WHEELS: WheelBase = WheelBase { radius: [0.2; 2], distance: 0.7 };

fn box_at(x: f64, y: f64, theta: f64, half: (f64, f64)) -> Part {
    Part::Box { pose: Pose2::new(x, y, theta), half: Vec2::new(half.0, half.1) }
}

#[test]
fn rates_keep_their_mean_for_steps_that_do_not_divide_the_period() {
    for (rate, step_s) in [
        (Rate::per_second(60.0), 1e-3),
        (Rate::per_second(30.0), 1e-3),
        (Rate { period_s: 0.1, phase_s: 0.037 }, 0.007),
        (Rate::per_second(10.0), 0.1),
        (Rate { period_s: 0.04, phase_s: 0.02 }, 1.0 / 60.0),
    ] {
        let steps = (3600.0f64 / step_s).round() as u64;
        let mut count = 0u64;
        let mut last = None;
        let mut gaps = (u64::MAX, 0);
        let mut next = if rate.due(0, step_s) { 0 } else { rate.next_due(0, step_s) };
        for step in 0..steps {
            assert_eq!(rate.due(step, step_s), step == next, "step {step}");
            if rate.due(step, step_s) {
                next = rate.next_due(step, step_s);
                // At the first step at or after its time.
                let late = step as f64 * step_s - rate.phase_s - count as f64 * rate.period_s;
                assert!((-1e-8..step_s).contains(&late), "{rate:?}: reading {count}: {late}");
                if let Some(last) = last {
                    gaps = (gaps.0.min(step - last), gaps.1.max(step - last));
                }
                (last, count) = (Some(step), count + 1);
            }
        }
        let expected = ((3600.0 - rate.phase_s) / rate.period_s).round() as u64;
        assert!(count.abs_diff(expected) <= 1, "{rate:?}: {count} readings, not {expected}");
        assert!(gaps.1 - gaps.0 <= 1, "{rate:?}: gaps from {} to {}", gaps.0, gaps.1);
    }
    assert!((0..100).all(|step| Rate { period_s: 1e-5, phase_s: 0.0 }.due(step, 1e-3)));
    assert!(!Rate { period_s: 1.0, phase_s: 0.5 }.due(0, 0.1));
    assert!(Rate { period_s: 0.0, phase_s: 0.0 }.check("r").is_err());
}

#[test]
fn the_default_lidar_reads_left_first_in_steps_of_five_degrees() {
    let lidar = Lidar::new(LidarSpec::default(), 1, 0, "lidar").unwrap();
    assert_eq!(lidar.fan().beams(), 36);
    for i in 0..36 {
        let degrees = lidar.fan().angle(i).to_degrees();
        assert!((degrees - (85.0 - 5.0 * i as f64)).abs() < 1e-9, "{i}: {degrees}");
    }
    // A post to the left is in the first readings.
    let post = Part::Circle { center: Vec2::new(0.0, 2.0), radius: 0.3 };
    let plane = Plane::new(0.45, [(&post, 1.0)], &[]);
    let mut lidar = lidar;
    let mut out = [0.0; 36];
    let view = RangeView { plane: &plane, world_from_robot: Pose2::IDENTITY, own: None };
    lidar.measure(view, &mut ScanScratch::default(), &mut out);
    assert!(out[0] < 2.0 && out[1..].iter().filter(|&&r| r < 8.0).count() < 3, "{out:?}");
    assert_eq!(out[20], 8.0);
}

#[test]
fn a_lidar_sees_from_its_mount_past_its_own_body_and_over_low_things() {
    let wall = box_at(5.0, 0.0, 0.0, (0.5, 10.0));
    let low = box_at(2.0, 0.0, 0.0, (0.1, 10.0));
    let shape = Shape::from_parts(vec![box_at(0.0, 0.0, 0.0, (0.5, 0.35))]);
    let outline = Outline::new(&shape, VerticalProfile::up_to(1.0));
    let mut plane = Plane::new(0.45, [(&wall, 2.0), (&low, 0.4)], &[outline]);
    let world_from_robot = Pose2::new(0.0, 1.0, 0.0);
    plane.place([Placed { body: BodyId(9), outline: 0, pose: world_from_robot }]);
    let spec = LidarSpec { mount: Pose2::new(0.25, 0.0, FRAC_PI_2), ..LidarSpec::evenly(3, PI) };
    let mut lidar = Lidar::new(spec, 1, 0, "lidar").unwrap();
    let mut out = [0.0; 3];
    let mut view = RangeView { plane: &plane, world_from_robot, own: Some(BodyId(9)) };
    lidar.measure(view, &mut ScanScratch::default(), &mut out);
    // Turned to the left by the mount: the right-most beam looks ahead.
    assert!((out[0] - 4.25).abs() < 1e-12 && out[1] == 8.0, "{out:?}");
    view.own = None;
    lidar.measure(view, &mut ScanScratch::default(), &mut out);
    assert_eq!(out, [0.0; 3], "inside a body");
}

#[test]
fn odometry_follows_an_arc_and_its_systematic_errors_are_those_of_its_beliefs() {
    // A circle of 3 m driven by true wheels, in steps of 1/60 s.
    let (radius, distance, r) = (3.0, 0.7, 0.2);
    let drive = |spec: OdometrySpec, turns: f64| {
        let mut odometry = Odometry::new(spec, WHEELS, Pose2::IDENTITY);
        let steps = 3600;
        for i in 1..=steps {
            let angle = turns * TAU * f64::from(i) / f64::from(steps);
            let wheels =
                [angle * (radius + 0.5 * distance) / r, angle * (radius - 0.5 * distance) / r];
            odometry.measure(wheels);
        }
        odometry.believed()
    };
    let exact = drive(OdometrySpec::default(), 0.25);
    assert!((exact.x - 3.0).abs() < 1e-6 && (exact.y - 3.0).abs() < 1e-6, "{exact:?}");
    assert!((exact.theta - FRAC_PI_2).abs() < 1e-9);
    let wide = drive(OdometrySpec { distance_factor: 1.1, ..Default::default() }, 0.25);
    assert!((wide.theta - FRAC_PI_2 / 1.1).abs() < 1e-9);
    let large = drive(OdometrySpec { radius_factor: [1.02; 2], ..Default::default() }, 0.25);
    assert!((large.theta - FRAC_PI_2 * 1.02).abs() < 1e-9);
    let uneven = drive(OdometrySpec { radius_factor: [1.01, 0.99], ..Default::default() }, 0.25);
    let turn = FRAC_PI_2 * (1.01 * 3.35 - 0.99 * 2.65) / 0.7;
    assert!((uneven.theta - turn).abs() < 1e-9, "{}", uneven.theta);
    let slips = drive(OdometrySpec { slip: 0.2, ..Default::default() }, 0.25);
    assert!((slips.theta - FRAC_PI_2 / 0.8).abs() < 1e-9);
    assert!(OdometrySpec { slip: 1.0, ..Default::default() }.check("o").is_err());
}

#[test]
fn encoders_count_whole_ticks_and_never_lose_one() {
    let mut encoders = Encoders::new(EncodersSpec { ticks_per_turn: 100.0, ..Default::default() });
    let at = |right: f64, left: f64| Truth { wheel_angles: [right, left], ..Truth::default() };
    assert_eq!(encoders.measure(&at(TAU * 0.0199, -TAU * 0.001)).ticks, [1, -1]);
    // A million uneven small turns: the sum of differences is the whole angle.
    let (mut angle, mut sum, mut last) = (0.0, 0, 0);
    for i in 0..1_000_000u32 {
        angle += 1e-3 * f64::from(i % 7) - 1e-3;
        let ticks = encoders.measure(&at(angle, 0.0)).ticks[0];
        sum += ticks - last;
        last = ticks;
    }
    assert_eq!(sum, (angle / TAU * 100.0).floor() as i64);
    let reading = encoders.measure(&at(angle, 0.0));
    assert!((encoders.angles(reading)[0] - angle).abs() < TAU / 100.0);
    encoders.reset(&at(angle, 3.0));
    assert_eq!(encoders.measure(&at(angle, 3.0)).ticks, [0, 0]);
}

#[test]
fn an_ideal_imu_reads_the_centripetal_acceleration_and_saturates() {
    let quiet = ImuSpec {
        accelerometer_density: 0.0,
        accelerometer_walk: 0.0,
        gyro_density: 0.0,
        gyro_walk: 0.0,
        ..ImuSpec::default()
    };
    let circle = |spec: ImuSpec, radius: f64, omega: f64| {
        let mut imu = Imu::new(spec, 1, 0, "imu");
        let mut reading = ImuReading::default();
        for i in 0..50 {
            let time_s = 0.01 * f64::from(i);
            let pose = Pose2::new(0.0, 0.0, omega * time_s);
            let velocity = pose.rotation.x_axis() * (radius * omega);
            let truth =
                Truth { time_s, world_from_robot: pose, velocity, omega, ..Truth::default() };
            reading = imu.measure(&truth);
        }
        reading
    };
    let r = circle(quiet, 2.0, 1.0);
    assert!((r.omega - 1.0).abs() < 1e-9 && (r.acceleration.y - 2.0).abs() < 1e-4, "{r:?}");
    assert!(r.acceleration.x.abs() < 1e-9);
    // Ahead of the centre by half a metre there is a pull backwards besides.
    let ahead = ImuSpec { mount: Pose2::new(0.5, 0.0, 0.0), ..quiet };
    assert!((circle(ahead, 2.0, 1.0).acceleration.x + 0.5).abs() < 1e-4);
    assert!((circle(quiet, 0.0, 4.0).omega - 4.0).abs() < 1e-9);
    let fast = circle(quiet, 3.0, 100.0);
    assert_eq!(fast.omega, 250f64.to_radians());
    assert_eq!(fast.acceleration.y, 2.0 * 9.80665);
    let biased = ImuSpec { gyro_bias: 0.1, accelerometer_bias: Vec2::new(0.2, 0.0), ..quiet };
    let r = circle(biased, 0.0, 0.0);
    assert!((r.omega - 0.1).abs() < 1e-12 && (r.acceleration.x - 0.2).abs() < 1e-12);
}

#[test]
fn a_sonar_hears_the_nearest_echo_of_its_cone_and_none_from_oblique_walls() {
    let quiet = SonarSpec { sigma: 0.0, ..SonarSpec::default() };
    let hear = |parts: &[Part]| {
        let plane = Plane::new(0.2, parts.iter().map(|p| (p, 1.0)), &[]);
        let mut sonar = Sonar::new(quiet.clone(), 1, 0, "sonar").unwrap();
        let mut out = [0.0; 16];
        let view = RangeView { plane: &plane, world_from_robot: Pose2::IDENTITY, own: None };
        sonar.measure(view, &mut out);
        out
    };
    assert_eq!(hear(&[]), [5.0; 16]);
    // A wall ahead: transducers 3 and 4 look at it within 10 degrees of its normal.
    let ahead = hear(&[box_at(2.5, 0.0, 0.0, (0.5, 10.0))]);
    let along = 2.0 - 0.166;
    assert!((ahead[3] - along).abs() < 0.03 && ahead[3] == ahead[4], "{ahead:?}");
    // 90 degrees off: nothing; rear: nothing.
    assert!(ahead[0] == 5.0 && ahead[7] == 5.0 && ahead[8..].iter().all(|&d| d == 5.0));
    // Turned by 60 degrees it throws the sound away, but a post is heard.
    let oblique = hear(&[box_at(2.0, 0.0, 60f64.to_radians(), (0.01, 0.4))]);
    assert_eq!(oblique[3], 5.0, "{oblique:?}");
    let post = hear(&[Part::Circle { center: Vec2::new(1.5, 0.2), radius: 0.2 }]);
    assert!((post[3] - 1.1).abs() < 0.1, "{post:?}");
    // Very near ones read the least distance.
    assert_eq!(hear(&[box_at(0.7, 0.0, 0.0, (0.5, 1.0))])[3], 0.1);
    let angles: Vec<i64> =
        p3dx_ring().iter().map(|p| p.theta().to_degrees().round() as i64).collect();
    assert_eq!(angles[..8], [90, 50, 30, 10, -10, -30, -50, -90]);
    assert_eq!(angles[8..], [-90, -130, -150, -170, 170, 150, 130, 90]);
}

#[test]
fn a_bumper_tells_the_pressed_sides_in_the_robots_frame() {
    let bumper = Bumper::new(BumperSpec::default());
    let pose = Pose2::new(1.0, 2.0, FRAC_PI_2);
    let touch = |x: f64, y: f64, force: f64| BumperContact { normal: Vec2::new(x, y), force };
    // World +y is straight ahead: the third of five front sectors.
    assert_eq!(bumper.measure(pose, &[touch(0.0, 1.0, 5.0)]), 1 << 2);
    assert_eq!(bumper.measure(pose, &[touch(0.0, -1.0, 5.0)]), 1 << 7);
    let both = [touch(0.0, 1.0, 5.0), touch(-0.9, 0.1, 2.0), touch(0.9, 0.1, 0.5)];
    assert_eq!(bumper.measure(pose, &both), 1 << 2 | 1 << 4);
    assert_eq!(bumper.measure(pose, &[]), 0);
    let front = BumperSpec { sectors: 3, span: PI, least_force: 0.0, ..BumperSpec::default() };
    let front = Bumper::new(front);
    assert_eq!(front.sector(PI), None);
    assert_eq!(front.sector(0.0), Some(1));
    assert_eq!(front.measure(pose, &[touch(0.0, 1.0, 0.0)]), 0);
}

#[test]
fn a_sensor_restored_from_its_words_goes_on_bit_for_bit() {
    let truth = Truth { time_s: 0.5, omega: 1.0, ..Truth::default() };
    let mut imu = Imu::new(ImuSpec::default(), 1, 2, "imu");
    imu.measure(&truth);
    let saved = imu.state.save();
    let (before, hash) = (imu.state, imu.state.hash());
    let later = Truth { time_s: 0.6, ..truth };
    let reading = imu.measure(&later);
    assert_ne!(imu.state.hash(), hash);
    let mut other = Imu::new(ImuSpec::default(), 9, 9, "imu");
    assert!(other.state.restore(&saved) && other.state == before && other.state.hash() == hash);
    assert_eq!(other.measure(&later), reading);
    assert!(!other.state.restore(&saved[1..]));
    // Every sensor's words are all of its state.
    fn whole<S: Words + Clone + PartialEq + std::fmt::Debug>(mut from: S, to: &S) {
        assert!(from != *to && from.restore(&to.save()) && from == *to);
    }
    let gps = |seed, sigma| {
        Gps::new(GpsSpec { sigma: [sigma; 3], ..Default::default() }, seed, 0, "g").state
    };
    whole(gps(1, 0.1), &gps(2, 0.2));
    let motion = |seed, sigma| {
        let spec = MotionErrorSpec { sigma_linear: sigma, sigma_angular: 2.0 * sigma };
        MotionError::new(spec, seed, 0, "m").state
    };
    whole(motion(1, 0.1), &motion(2, 0.3));
    let lidar = |seed, sigma| {
        Lidar::new(LidarSpec { sigma, ..Default::default() }, seed, 0, "l").unwrap().state
    };
    whole(lidar(1, 0.1), &lidar(2, 0.2));
    let sonar = |seed, sigma| {
        Sonar::new(SonarSpec { sigma, ..Default::default() }, seed, 0, "s").unwrap().state
    };
    whole(sonar(1, 0.1), &sonar(2, 0.2));
    let odometry = |x: f64| {
        let mut o = Odometry::new(OdometrySpec::default(), WHEELS, Pose2::new(x, 2.0 * x, 0.3 * x));
        o.measure([x, 3.0 * x]);
        o.state
    };
    whole(odometry(1.0), &odometry(2.0));
    whole(EncodersState { zero: [1.0, 2.0] }, &EncodersState { zero: [3.0, 4.0] });
}

#[test]
fn bad_numbers_are_refused_with_key_expected_and_got() {
    let message = |r: Result<(), rolima_model::ModelError>| r.unwrap_err().to_string();
    let lidar = LidarSpec { sigma: -0.1, ..Default::default() };
    assert_eq!(
        message(lidar.check("robot.0.lidar")),
        "robot.0.lidar.sigma: expected zero or a positive number, got -0.1"
    );
    let lidar = LidarSpec { beams: 0, ..Default::default() };
    assert_eq!(
        message(lidar.check("l")),
        "l.beams: expected a whole number from 1 to 1048576, got 0"
    );
    let lidar = LidarSpec { beams: 100, ..Default::default() };
    assert!(message(lidar.check("l")).starts_with("l.step_bearing_deg: expected steps"));
    let gps = GpsSpec { sigma: [0.0, 0.0, f64::NAN], ..Default::default() };
    assert!(message(gps.check("g")).starts_with("g.sigma_theta_deg: expected"));
    let sonar = SonarSpec { rays: 0, ..Default::default() };
    assert!(
        message(sonar.check("s")).starts_with("s.rays: expected a whole number from 1 to 1000")
    );
    let imu = ImuSpec { gyro_range: 0.0, ..Default::default() };
    assert!(message(imu.check("i")).starts_with("i.gyro_range"));
    let encoders = EncodersSpec { ticks_per_turn: 0.0, ..Default::default() };
    assert!(message(encoders.check("e")).starts_with("e.ticks_per_turn"));
    let bumper = BumperSpec { sectors: 33, ..Default::default() };
    assert!(message(bumper.check("b")).starts_with("b.sectors"));
    let motion = MotionErrorSpec { sigma_linear: f64::INFINITY, sigma_angular: 0.0 };
    assert!(message(motion.check("m")).starts_with("m.sigma_linear"));
    for ok in [
        GpsSpec::default().check("x"),
        LidarSpec::default().check("x"),
        SonarSpec::default().check("x"),
        ImuSpec::default().check("x"),
        EncodersSpec::default().check("x"),
        BumperSpec::default().check("x"),
        OdometrySpec::default().check("x"),
        LidarSpec::evenly(1080, TAU).check("x"),
        LidarSpec::evenly(1, 1.0).check("x"),
    ] {
        ok.unwrap();
    }
}
