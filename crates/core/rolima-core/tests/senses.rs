//! Sensors in a world: placement, rates, noise, odometry, speed controllers, snapshots.

use rolima_core::model::{
    DriverSpec, LidarSpec, Model, ObjectSpec, OdometrySpec, PartSpec, Rate, RobotSpec, SceneSpec,
    SensorKind, SensorSpec, WallSpec,
};
use rolima_core::{Command, Refusal, Volts, World};
use rolima_math::{Pose2, Vec2, cos, sin_cos, wrap_angle};
use rolima_scene::{Source, load};
use std::sync::Arc;

fn scene(text: &str) -> SceneSpec {
    let source = Source::Text { name: "test".to_owned(), text: text.to_owned() };
    load(&source, &[]).unwrap_or_else(|error| panic!("{error}")).spec
}

fn world(spec: &SceneSpec) -> World {
    World::new(Arc::new(Model::compile(spec).unwrap_or_else(|error| panic!("{error}"))))
}

/// A robot of a preset at the origin.
fn preset(name: &str, more: &str) -> SceneSpec {
    scene(&format!("[[robot]]\npreset = \"{name}\"\n{more}"))
}

fn device(world: &World, kind: &str) -> usize {
    let found = world.model().devices.iter().position(|d| d.kind.name() == kind);
    found.unwrap_or_else(|| panic!("no {kind}"))
}

fn reading(world: &World, kind: &str) -> Vec<f64> {
    world.reading(device(world, kind)).to_vec()
}

fn pose(world: &World) -> Pose2 {
    world.frame().bodies[0].pose
}

fn close(a: f64, b: f64, most: f64) {
    assert!((a - b).abs() <= most, "{a} against {b}, by more than {most}");
}

#[test]
fn commanded_speeds_are_reached_within_the_limits_and_held() {
    for (name, v, omega) in [("robot-one", 1.0, 0.5), ("pioneer-p3dx", 0.8, -1.0)] {
        let mut world = world(&preset(name, ""));
        let servo = world.model().robots[0].servo.unwrap();
        world.command(0, Command::Velocity { v, omega }).unwrap();
        let mut last = (0.0, 0.0);
        let h = world.model().step_s;
        let mut reached = 0.0;
        for _ in 0..6000 {
            world.step();
            let body = world.frame().bodies[0];
            let speed = body.pose.rotation.unrotate(body.velocity).x;
            assert!((speed - last.0).abs() <= servo.acceleration * h * 1.0001);
            assert!((body.omega - last.1).abs() <= servo.turning_acceleration * h * 1.0001);
            assert!(!body.slips, "{name} spins its wheels");
            if (speed - v).abs() > 1e-9 || (body.omega - omega).abs() > 1e-9 {
                reached = world.time_s();
            }
            last = (speed, body.omega);
        }
        let asked = (v / servo.acceleration).max(omega.abs() / servo.turning_acceleration);
        close(reached, asked, 0.01);
        close(last.0, v, 1e-9);
        close(last.1, omega, 1e-9);
    }
}

#[test]
fn wheel_speeds_are_obeyed_and_speeds_beyond_the_limits_are_cut() {
    let mut world = world(&preset("pioneer-p3dx", ""));
    world.command(0, Command::Wheels { right: 4.0, left: 2.0 }).unwrap();
    world.steps(5000);
    let body = world.frame().bodies[0];
    close(body.wheel_speeds[0], 4.0, 1e-6);
    close(body.wheel_speeds[1], 2.0, 1e-6);
    // Equations 3.4 and 3.7: v = r (wr + wl)/2, omega = r (wr - wl)/2L.
    close(body.velocity.length(), 0.0975 * 3.0, 1e-6);
    close(body.omega, 0.0975 * 2.0 / 0.381, 1e-6);
    world.command(0, Command::Velocity { v: 50.0, omega: 0.0 }).unwrap();
    world.steps(8000);
    let fastest = world.frame().bodies[0].velocity.length();
    assert!(fastest <= 1.2 + 1e-9 && fastest > 1.1, "{fastest}");
}

#[test]
fn robots_without_a_speed_controller_refuse_speeds_and_all_refuse_nonsense() {
    let mut plain = world(&preset("minirobot", ""));
    let speeds = Command::Velocity { v: 1.0, omega: 0.0 };
    assert_eq!(plain.command(0, speeds), Err(Refusal::NoServo(0)));
    plain.stop(0).unwrap();
    let mut servo = world(&preset("robot-one", ""));
    for bad in [f64::NAN, f64::INFINITY] {
        let asked = Command::Velocity { v: 0.0, omega: bad };
        assert_eq!(servo.command(0, asked), Err(Refusal::NotFinite));
        let asked = Command::Wheels { right: bad, left: 0.0 };
        assert_eq!(servo.command(0, asked), Err(Refusal::NotFinite));
    }
    // Voltages go to the motors past the controller.
    servo.command(0, Volts { right: 6.0, left: 6.0 }).unwrap();
    servo.steps(500);
    assert_eq!(servo.frame().bodies[0].volts, [6.0, 6.0]);
    assert!(servo.frame().bodies[0].velocity.x > 0.1);
    servo.stop(0).unwrap();
    servo.steps(2000);
    assert!(servo.frame().bodies[0].velocity.length() < 1e-9, "it is held");
}

#[test]
fn ideal_odometry_is_the_true_pose_at_any_step() {
    for step_s in [1e-4, 1e-3, 0.02] {
        let mut spec = preset("robot-one", "pose = [1, 2, 30]");
        spec.sim.step_s = step_s;
        let SensorKind::Odometry(odometry) = &mut spec.robots[0].sensors[1].kind else { panic!() };
        odometry.rate = Rate { period_s: step_s, phase_s: 0.0 };
        let mut world = world(&spec);
        for (i, (v, omega)) in [(1.0, 0.6), (-0.5, -2.0), (0.0, 3.0), (2.0, 0.1)].iter().enumerate()
        {
            world.command(0, Command::Velocity { v: *v, omega: *omega }).unwrap();
            world.steps((1.7 / step_s) as u64 + i as u64);
        }
        world.stop(0).unwrap();
        world.steps((2.0 / step_s) as u64);
        let (truth, believed) = (pose(&world), reading(&world, "odometry"));
        // Arcs of a step are as good as exact for the step at hand.
        let most = 1e-9 + 40.0 * step_s * step_s;
        close(believed[0], truth.position.x, most);
        close(believed[1], truth.position.y, most);
        close(wrap_angle(believed[2] - truth.theta()), 0.0, 1e-9);
    }
}

/// The pose that a robot believes in after driving 10 m straight on and turning twice around.
fn believed(errors: &str) -> (Vec<f64>, Pose2) {
    let sensor = format!("[[robot.sensor]]\nkind = \"odometry\"\n{errors}");
    let mut world = world(&preset("robot-one", &sensor));
    world.command(0, Command::Velocity { v: 1.0, omega: 0.0 }).expect("taken");
    world.steps(10_000);
    world.stop(0).expect("taken");
    world.steps(2000);
    world.command(0, Command::Velocity { v: 0.0, omega: 1.0 }).expect("taken");
    world.steps(12_000);
    world.stop(0).expect("taken");
    world.steps(1000);
    (reading(&world, "odometry"), pose(&world))
}

#[test]
fn odometry_drifts_by_its_systematic_errors() {
    let (exact, truth) = believed("");
    close(exact[0], truth.position.x, 1e-6);
    let way = truth.position.x;
    let (large, truth) = believed("radius_factor_right = 1.02\nradius_factor_left = 1.02");
    close(large[0], 1.02 * way, 1e-3);
    // Larger wheels on the same axle believe in larger turns, too.
    let turned = |theta: f64| wrap_angle(theta);
    close(turned(large[2] - 1.02 * 12.0), turned(truth.theta() - 12.0), 0.02);
    let (wide, truth) = believed("distance_factor = 1.1");
    close(wide[0], way, 1e-3);
    close(turned(wide[2] - 12.0 / 1.1), turned(truth.theta() - 12.0), 0.02);
    // Wheels that lose a fifth of their turning on the ground count more way than there was.
    let (slips, _) = believed("slip = 0.2");
    close(slips[0], way / 0.8, 1e-3);
    let (uneven, _) = believed("radius_factor_right = 1.001\nradius_factor_left = 0.999");
    // A bend of 0.002 r/(r 0.7) a metre: after 10 m half of it aside.
    close(uneven[1], 0.5 * way * way * 0.002 / 0.7, 2e-3);
}

#[test]
fn errors_of_the_executed_motion_move_the_robot_and_not_its_belief() {
    let errors = "[[robot.sensor]]\nkind = \"odometry\"\nsigma_linear = 0.002\n\
                  sigma_angular_deg = 0.05";
    let spec = preset("robot-one", errors);
    let model = Arc::new(Model::compile(&spec).unwrap());
    let (mut along, mut turns) = (vec![], vec![]);
    for seed in 0..200 {
        let mut world = World::with_seed(model.clone(), seed);
        world.command(0, Command::Velocity { v: 1.0, omega: 0.0 }).unwrap();
        world.steps(2000);
        let (truth, odometry) = (pose(&world), reading(&world, "odometry"));
        assert!(odometry[1].abs() < 1e-9 && odometry[2].abs() < 1e-9, "it believes in a line");
        along.push(truth.position.x - odometry[0]);
        turns.push(truth.theta());
    }
    let spread = |xs: &[f64]| {
        let mean = xs.iter().sum::<f64>() / xs.len() as f64;
        assert!(mean.abs() < 0.4 * xs.iter().map(|x| x.abs()).fold(0.0, f64::max), "{mean}");
        (xs.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / xs.len() as f64).sqrt()
    };
    // 120 cycles in 2 s: sigma sqrt(120). A sample of 200 has it to 5 %; 4 of those.
    let root = 120f64.sqrt();
    let (way, turn) = (spread(&along) / (0.002 * root), spread(&turns));
    assert!((0.8..1.2).contains(&way), "{way}");
    let turn = turn / (0.05f64.to_radians() * root);
    assert!((0.8..1.2).contains(&turn), "{turn}");
    // A robot that stands is not moved.
    let mut still = World::with_seed(model, 1);
    still.steps(1000);
    assert_eq!(pose(&still).position, Vec2::ZERO);
}

#[test]
fn errors_of_the_motion_never_carry_a_robot_through_a_wall() {
    let errors =
        "[[robot.sensor]]\nkind = \"odometry\"\nsigma_linear = 5.0\nsigma_angular_deg = 90";
    let mut spec = preset("robot-one", errors);
    let corner = |x: f64, y: f64| Vec2::new(x, y);
    let corners = [corner(-2.0, -2.0), corner(2.0, -2.0), corner(2.0, 2.0), corner(-2.0, 2.0)];
    for i in 0..4 {
        let (from, to) = (corners[i], corners[(i + 1) % 4]);
        spec.walls.push(WallSpec::Segment { from, to, thickness: 0.0, height: 1.0 });
    }
    let mut world = world(&spec);
    for i in 0..40 {
        let v = if i % 2 == 0 { 3.0 } else { -3.0 };
        world.command(0, Command::Velocity { v, omega: 1.0 }).unwrap();
        world.steps(100);
        let at = pose(&world).position;
        assert!(at.x.abs() < 2.0 && at.y.abs() < 2.0, "{at:?}");
    }
}

#[test]
fn the_lidar_sees_walls_cubes_balls_and_robots_but_not_itself() {
    // Ahead a wall's face at 5 m, left a ball, right a cube, behind nothing; lidar 0.2 m ahead.
    let text = "[[robot]]\npreset = \"robot-one\"\n\
        [[wall]]\nkind = \"segment\"\nfrom = [5.1, -9]\nto = [5.1, 9]\nthickness = 0.2\nheight = 2\n\
        [[ball]]\nposition = [0.2, 3]\nradius = 0.5\nmass = 1\n\
        [[object]]\npose = [0.2, -3, 0]\nmass = 1\nheight = 1\n\
        [[object.shape]]\nkind = \"box\"\nsize = [1, 1]\n";
    let mut spec = scene(text);
    let SensorKind::Lidar(lidar) = &mut spec.robots[0].sensors[2].kind else { panic!() };
    assert_eq!(*lidar, LidarSpec { mount: Pose2::new(0.2, 0.0, 0.0), ..LidarSpec::default() });
    let world = world(&spec);
    let scan = reading(&world, "lidar");
    assert_eq!(scan.len(), 36);
    // Reading i is at 85 - 5 i degrees: 17 straight ahead; 0 at 85 degrees, left; 35 at -90.
    close(scan[17], 5.0 - 0.2, 1e-9);
    close(scan[16], 4.8 / cos(5f64.to_radians()), 1e-9);
    // The ball is cut at 0.45 m, where it has a radius of sqrt(0.25 - 0.05^2).
    let radius = (0.25f64 - 0.0025).sqrt();
    let (s, c) = sin_cos(85f64.to_radians());
    let (along, off) = (3.0 * s, 3.0 * c);
    close(scan[0], along - (radius * radius - off * off).sqrt(), 1e-9);
    close(scan[35], 2.5, 1e-9);
    // At 60 degrees right the cube is missed: the wall at 4.8/cos is beyond 8 m.
    assert_eq!(scan[29], 8.0);

    // A low cube is under the beams, and a robot in front is seen.
    spec.objects[0] = ObjectSpec { height: Some(0.3), ..spec.objects[0].clone() };
    let other = RobotSpec {
        name: "other".into(),
        pose: Pose2::new(2.7, 0.0, 0.0),
        height: Some(0.6),
        ..spec.robots[0].clone()
    };
    spec.robots.push(other);
    let world = self::world(&spec);
    let scan = reading(&world, "lidar");
    assert_eq!(scan[35], 8.0);
    close(scan[17], 2.0, 1e-9);
}

#[test]
fn sensors_read_at_their_rates_and_hold_in_between() {
    let mut world = world(&preset("robot-one", "[[robot.sensor]]\nkind = \"gps\"\nsigma_x = 0.5"));
    let gps = device(&world, "gps");
    let mut changes = 0;
    let mut last = world.reading(gps).to_vec();
    for _ in 0..6000 {
        world.step();
        let now = world.reading(gps).to_vec();
        changes += u64::from(now != last);
        last = now;
    }
    assert_eq!(changes, 360, "60 a second for 6 s");
    assert_eq!(reading(&world, "camera")[0], 181.0, "30 a second and one at the start");
    assert_eq!(world.exposure().step, 6000);
    world.set_sigma(gps, 0, 0.0).unwrap();
    world.steps(20);
    assert_eq!(reading(&world, "gps")[0], 0.0);
    for (axis, sigma) in [(0, -1.0), (0, f64::NAN), (3, 0.1)] {
        assert!(world.set_sigma(gps, axis, sigma).is_err());
    }
    assert!(world.set_sigma(999, 0, 0.1).is_err());
}

#[test]
fn the_bumper_tells_where_a_wall_presses_and_sonar_how_far_it_is() {
    let mut spec = preset("pioneer-p3dx", "");
    spec.walls.push(WallSpec::Segment {
        from: Vec2::new(1.0, -3.0),
        to: Vec2::new(1.0, 3.0),
        thickness: 0.0,
        height: 1.0,
    });
    let mut world = world(&spec);
    assert_eq!(reading(&world, "bumper"), [0.0]);
    let sonar = reading(&world, "sonar");
    // Transducers 3 and 4 look ahead, 10 degrees to the left and right; cones have 15 to each side.
    close(sonar[3], 1.0 - 0.166, 0.05);
    close(sonar[4], 1.0 - 0.166, 0.05);
    assert_eq!(sonar[12], 5.0, "nothing behind");
    world.command(0, Command::Velocity { v: 0.5, omega: 0.0 }).unwrap();
    world.steps(6000);
    // Five sectors of 36 degrees from -90 on: straight ahead is the third.
    assert_eq!(reading(&world, "bumper"), [f64::from(1u32 << 2)]);
    world.command(0, Command::Velocity { v: -0.2, omega: 0.0 }).unwrap();
    world.steps(3000);
    assert_eq!(reading(&world, "bumper"), [0.0]);
    let ticks = reading(&world, "encoders");
    let angle = reading(&world, "odometry")[0] / 0.0975;
    close(ticks[0] * std::f64::consts::TAU / 76_600.0, angle, 1e-3);
}

/// A scene with every sensor, noise, contacts and a drive.
fn busy() -> SceneSpec {
    let more = "[[robot.sensor]]\nkind = \"gps\"\nsigma_x = 0.3\nsigma_theta_deg = 2\n\
                [[robot.sensor]]\nkind = \"odometry\"\nsigma_linear = 0.001\nsigma_angular_deg = 0.1\n\
                [[robot.sensor]]\nkind = \"lidar\"\nsigma = 0.05\n\
                [[robot.sensor]]\nkind = \"imu\"\nrate_hz = 97\n";
    let mut spec = preset("pioneer-p3dx", more);
    spec.robots[0].driver = DriverSpec::Wander { speed: 0.5, turning: 1.0, period_s: 0.1 };
    for (from, to) in [((-2.0, -2.0), (2.0, -2.0)), ((2.0, -2.0), (2.0, 2.0))] {
        let (from, to) = (Vec2::new(from.0, from.1), Vec2::new(to.0, to.1));
        spec.walls.push(WallSpec::Segment { from, to, thickness: 0.1, height: 1.0 });
    }
    spec
}

#[test]
fn a_snapshot_holds_the_sensors_too_and_a_reset_is_a_fresh_start() {
    let spec = busy();
    let mut a = world(&spec);
    let fresh = a.state_hash();
    a.set_sigma(device(&a, "lidar"), 0, 0.2).unwrap();
    a.steps(1234);
    let bytes = a.snapshot();
    let mut b = world(&spec);
    b.restore(&bytes).unwrap();
    assert_eq!(a.frame(), b.frame());
    for world in [&mut a, &mut b] {
        world.steps(2000);
    }
    assert_eq!(a.state_hash(), b.state_hash());
    assert_eq!(a.frame().readings, b.frame().readings);
    assert_eq!(b.sigma(device(&b, "lidar"), 0), Some(0.2));
    a.reset();
    assert_eq!(a.state_hash(), fresh);
    assert_ne!(a.frame().readings, b.frame().readings);
}

#[test]
fn another_sensor_does_not_change_the_noise_of_the_others() {
    let spec = busy();
    let mut less = spec.clone();
    less.robots[0].sensors.retain(|sensor| sensor.name != "sonar" && sensor.name != "camera");
    let (mut a, mut b) = (world(&spec), world(&less));
    for _ in 0..20 {
        a.steps(100);
        b.steps(100);
        for kind in ["gps", "lidar", "imu", "odometry"] {
            assert_eq!(reading(&a, kind), reading(&b, kind), "{kind}");
        }
    }
}

#[test]
fn a_robot_believes_what_it_is_told() {
    let mut world = world(&preset("pioneer-p3dx", ""));
    world.command(0, Command::Velocity { v: 0.3, omega: 0.2 }).unwrap();
    world.steps(3000);
    assert!(world.set_odometry(0, Pose2::new(7.0, -2.0, 1.0)));
    assert_eq!(reading(&world, "odometry")[..2], [7.0, -2.0]);
    let truth = pose(&world);
    world.steps(1000);
    let (now, believed) = (pose(&world), reading(&world, "odometry"));
    let turned = believed[2] - 1.0;
    close(turned, wrap_angle(now.theta() - truth.theta()), 2e-3);
    assert!(!world.set_odometry(0, Pose2::new(f64::NAN, 0.0, 0.0)));
    assert!(!world.set_odometry(9, Pose2::IDENTITY));
}

#[test]
fn sensors_that_cannot_be_are_named() {
    let error = |more: &str| {
        let text = format!("[[robot]]\npreset = \"robot-one\"\n{more}");
        let source = Source::Text { name: "s".to_owned(), text };
        load(&source, &[]).and_then(|s| s.compile()).map(drop).unwrap_err().to_string()
    };
    for (more, parts) in [
        ("[[robot.sensor]]\nkind = \"lidar\"\nbeams = 0", &["s:5", "sensor.2.beams"][..]),
        ("[[robot.sensor]]\nkind = \"lidar\"\nrange = -1", &["s:5", "range", "positive"]),
        ("[[robot.sensor]]\nkind = \"radar\"", &["s:4", "kind", "\"radar\"", "lidar"]),
        ("[[robot.sensor]]\nkind = \"gps\"\nsigma = 1", &["unknown key", "sigma_x"]),
        ("[[robot.sensor]]\nkind = \"camera\"\nwidth = 9000", &["s:5", "width", "4096"]),
        ("[[robot.sensor]]\nkind = \"odometry\"\nslip = 1.5", &["slip"]),
        ("servo = 3", &["servo", "table"]),
        ("servo = \"none\"\ndriver = { kind = \"wander\" }", &["servo", "wanders"]),
    ] {
        let message = error(more);
        assert!(parts.iter().all(|part| message.contains(part)), "{more}: {message}");
    }
}

#[test]
fn a_step_that_does_not_divide_the_rate_keeps_the_mean() {
    let mut spec = preset("robot-one", "");
    spec.sim.step_s = 0.007;
    spec.robots[0].sensors = vec![SensorSpec {
        name: "odometry".into(),
        kind: SensorKind::Odometry(OdometrySpec {
            rate: Rate { period_s: 0.1, phase_s: 0.05 },
            ..OdometrySpec::default()
        }),
    }];
    spec.robots[0].shape = vec![PartSpec::Circle { center: Vec2::ZERO, radius: 0.3 }];
    let mut world = world(&spec);
    world.command(0, Command::Velocity { v: 1.0, omega: 0.0 }).unwrap();
    let mut counts = 0;
    let mut last = reading(&world, "odometry");
    for _ in 0..1000 {
        world.step();
        let now = reading(&world, "odometry");
        counts += u64::from(now != last);
        last = now;
    }
    // 7 s: at 0.05, 0.15, ... 6.95.
    assert_eq!(counts, 70);
}
