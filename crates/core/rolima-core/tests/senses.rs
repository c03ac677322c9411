//! Sensors in a world: placement, rates, noise, speed controllers, snapshots.

use crate::sense_kit;

use rolima_core::model::{
    DriverSpec, LidarSpec, Model, ObjectSpec, OdometrySpec, PartSpec, Rate, RobotSpec, SceneSpec,
    SensorKind, SensorSpec, WallSpec,
};
use rolima_core::{Command, CommandRefusal, RobotId, Volts};
use rolima_math::{Pose2, Vec2, cos, sin_cos};
use rolima_scene::{Source, load};

use sense_kit::{close, device, preset, reading, scene, world};

#[test]
fn commanded_speeds_are_reached_within_the_limits_and_held() {
    for (name, v, omega) in [("robot-one", 1.0, 0.5), ("pioneer-p3dx", 0.8, -1.0)] {
        let mut world = world(&preset(name, ""));
        let servo = world.model().robots[0].servo.unwrap();
        world.command(RobotId(0), Command::Velocity { v, omega }).unwrap();
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
    world.command(RobotId(0), Command::Wheels { right: 4.0, left: 2.0 }).unwrap();
    world.steps(5000);
    let body = world.frame().bodies[0];
    close(body.wheel_speeds[0], 4.0, 1e-6);
    close(body.wheel_speeds[1], 2.0, 1e-6);
    // Equations 3.4 and 3.7: v = r (wr + wl)/2, omega = r (wr - wl)/2L.
    close(body.velocity.length(), 0.0975 * 3.0, 1e-6);
    close(body.omega, 0.0975 * 2.0 / 0.381, 1e-6);
    world.command(RobotId(0), Command::Velocity { v: 50.0, omega: 0.0 }).unwrap();
    world.steps(8000);
    let fastest = world.frame().bodies[0].velocity.length();
    assert!(fastest <= 1.2 + 1e-9 && fastest > 1.1, "{fastest}");
}

#[test]
fn commands_beyond_a_limit_keep_their_curve_and_the_tyres_of_robot_one_hold() {
    let commands = [
        Command::Velocity { v: 20.0, omega: 2.0 },
        Command::Velocity { v: -9.0, omega: 1.0 },
        Command::Velocity { v: 1.0, omega: 30.0 },
        Command::Velocity { v: 10.0, omega: -40.0 },
        Command::Velocity { v: 4.0, omega: core::f64::consts::TAU },
        Command::Velocity { v: 1e6, omega: 1e6 },
        Command::Velocity { v: 0.0, omega: -1e3 },
        Command::Wheels { right: 60.0, left: 20.0 },
        Command::Wheels { right: -80.0, left: 80.0 },
    ];
    for command in commands {
        let mut world = world(&preset("robot-one", ""));
        let servo = world.model().robots[0].servo.unwrap();
        let [v, omega] = match command {
            Command::Velocity { v, omega } => [v, omega],
            // On wheels of 0.2 m that are 0.7 m apart.
            Command::Wheels { right, left } => [0.1 * (right + left), 0.2 / 0.7 * (right - left)],
            other => panic!("no speed: {other:?}"),
        };
        world.command(RobotId(0), command).unwrap();
        let mut before = [0.0; 2];
        for _ in 0..4000 {
            let body = world.frame().bodies[0];
            before = [body.pose.rotation.unrotate(body.velocity).x, body.omega];
            world.step();
            assert!(!world.frame().bodies[0].slips, "{command:?}");
        }
        let body = world.frame().bodies[0];
        let [speed, turning] = [body.pose.rotation.unrotate(body.velocity).x, body.omega];
        close(speed, before[0], 1e-9);
        close(turning, before[1], 1e-9);
        assert!(speed.abs() <= servo.max_speed + 1e-9, "{command:?}: {speed} m/s");
        assert!(turning.abs() <= servo.max_turning + 1e-9, "{command:?}: {turning} rad/s");
        // As fast as one of the limits permits, around the commanded curve.
        let used = (speed.abs() / servo.max_speed).max(turning.abs() / servo.max_turning);
        close(used, 1.0, 1e-9);
        close(speed * omega, turning * v, 1e-6 * v.abs().max(omega.abs()));
    }
}

#[test]
fn robots_without_a_speed_controller_refuse_speeds_and_all_refuse_nonsense() {
    let mut plain = world(&preset("minirobot", ""));
    let speeds = Command::Velocity { v: 1.0, omega: 0.0 };
    assert_eq!(plain.command(RobotId(0), speeds), Err(CommandRefusal::NoServo(RobotId(0))));
    plain.stop(RobotId(0)).unwrap();
    let mut servo = world(&preset("robot-one", ""));
    for bad in [f64::NAN, f64::INFINITY] {
        let asked = Command::Velocity { v: 0.0, omega: bad };
        assert_eq!(servo.command(RobotId(0), asked), Err(CommandRefusal::NotFinite));
        let asked = Command::Wheels { right: bad, left: 0.0 };
        assert_eq!(servo.command(RobotId(0), asked), Err(CommandRefusal::NotFinite));
    }
    // Voltages go to the motors past the controller.
    servo.command(RobotId(0), Volts { right: 6.0, left: 6.0 }).unwrap();
    servo.steps(500);
    assert_eq!(servo.frame().bodies[0].volts, [6.0, 6.0]);
    assert!(servo.frame().bodies[0].velocity.x > 0.1);
    servo.stop(RobotId(0)).unwrap();
    servo.steps(2000);
    assert!(servo.frame().bodies[0].velocity.length() < 1e-9, "it is held");
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
    let mount = Pose2::new(0.2, 0.0, 0.0);
    assert_eq!(*lidar, LidarSpec { mount, height: 0.35, ..LidarSpec::default() });
    let world = world(&spec);
    let scan = reading(&world, "lidar");
    assert_eq!(scan.len(), 36);
    // Reading i is at 85 - 5 i degrees: 17 straight ahead; 0 at 85 degrees, left; 35 at -90.
    close(scan[17], 5.0 - 0.2, 1e-9);
    close(scan[16], 4.8 / cos(5f64.to_radians()), 1e-9);
    // The ball is cut at 0.35 m, where it has a radius of sqrt(0.25 - 0.15^2).
    let radius = (0.25f64 - 0.0225).sqrt();
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
    assert_eq!(world.exposure(device(&world, "camera")).unwrap().step, 6000);
    assert!(world.exposure(gps).is_none());
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
    world.command(RobotId(0), Command::Velocity { v: 0.5, omega: 0.0 }).unwrap();
    world.steps(6000);
    // Five sectors of 36 degrees from -90 on: straight ahead is the third.
    assert_eq!(reading(&world, "bumper"), [f64::from(1u32 << 2)]);
    world.command(RobotId(0), Command::Velocity { v: -0.2, omega: 0.0 }).unwrap();
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
fn sensors_that_cannot_be_are_named() {
    let error = |more: &str| {
        let text = format!("[[robot]]\npreset = \"robot-one\"\n{more}");
        let source = Source::Text { name: "s".to_owned(), text };
        load(&source, &[]).and_then(|s| s.compile()).map(drop).unwrap_err().to_string()
    };
    for (more, parts) in [
        ("[[robot.sensor]]\nkind = \"lidar\"\nbeams = 0", &["s:5", "sensor.2.beams"][..]),
        (
            "[[robot.sensor]]\nkind = \"lidar\"\nrange = -1",
            &["s:5", "range", "a number from", "(m)"],
        ),
        ("[[robot.sensor]]\nkind = \"radar\"", &["s:4", "kind", "\"radar\"", "lidar"]),
        ("[[robot.sensor]]\nkind = \"gps\"\nsigma = 1", &["unknown key", "sigma_x"]),
        ("[[robot.sensor]]\nkind = \"camera\"\nwidth = 9000", &["s:5", "width", "4096"]),
        ("[[robot.sensor]]\nkind = \"odometry\"\nslip = 1.5", &["slip"]),
        (
            "[[robot.sensor]]\nkind = \"camera\"\nopening_deg = [180, 47]",
            &["s:5", "opening_deg", "175 (deg)"],
        ),
        ("[[robot.sensor]]\nkind = \"gps\"\nrate_hz = 1e9", &["s:5", "rate_hz", "(1/s)"]),
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
    world.command(RobotId(0), Command::Velocity { v: 1.0, omega: 0.0 }).unwrap();
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

#[test]
fn a_short_hit_is_told_by_the_bumpers_next_reading() {
    let ball = "[[ball]]\nposition = [-1.5, 0]\nvelocity = [3, 0]\nradius = 0.1\nmass = 0.4\n";
    for response in ["rigid", "equivalent-sphere"] {
        let contact = format!("[contact]\nresponse = \"{response}\"\n");
        let text = format!("{contact}[[robot]]\npreset = \"pioneer-p3dx\"\n{ball}");
        let mut world = world(&scene(&text));
        let mut told = vec![];
        for _ in 0..1500 {
            world.step();
            told.push(reading(&world, "bumper")[0] as u32);
        }
        let pressed = told.iter().fold(0, |all, now| all | now);
        // Straight behind, at 180 degrees from sector 2: the eighth of ten.
        assert_eq!(pressed, 1 << 7, "{response}");
        assert_eq!(told.last(), Some(&0), "{response}: and no longer than that");
    }
}

#[test]
fn every_camera_has_the_picture_of_its_own_time() {
    let slow = "[[robot.sensor]]\nkind = \"camera\"\nname = \"slow\"\nrate_hz = 0.5";
    let mut world = world(&preset("robot-one", slow));
    world.command(RobotId(0), Command::Velocity { v: 1.0, omega: 0.0 }).unwrap();
    world.steps(1900);
    let camera = |name: &str| {
        let found = world.model().devices.iter().position(|d| d.name == name);
        world.exposure(found.unwrap()).unwrap()
    };
    assert_eq!((camera("slow").step, camera("camera").step), (0, 1900));
    let x = |name: &str| camera(name).poses[0].position.x;
    assert!(x("slow") == 0.0 && x("camera") > 1.0);
}

#[test]
fn a_heap_of_bodies_is_refused_before_it_eats_the_memory() {
    let mut spec = preset("robot-one", "");
    let robot = spec.robots[0].clone();
    for i in 0..1000 {
        spec.robots.push(RobotSpec { name: format!("r{i}"), ..robot.clone() });
    }
    let error = Model::compile(&spec).unwrap_err().to_string();
    assert!(error.contains("bodies that start apart"), "{error}");
}
