//! Sliding tyres against Coulomb's law, integrated by itself with steps of 0.4 microseconds: ways to
//! lose grip that were picked by hand, and starts, voltages, frictions and robots at random.

use crate::common;
use common::coulomb::Coulomb;
use common::*;
use rolima_core::model::*;
use rolima_core::{BodyId, RobotId, Volts, World};
use rolima_math::{Pose2, Stream, Vec2, wrap_angle};
use rolima_testing::samples;

/// A way to lose grip: (vx, vy, omega) at first and voltages (right, left).
struct Case {
    name: String,
    drive: DriveSpec,
    v: [f64; 3],
    volts: [f64; 2],
}

/// One of the minirobot, with this friction (static, kinetic).
fn case(name: &str, v: [f64; 3], volts: [f64; 2], mu: (f64, f64)) -> Case {
    Case { name: name.to_owned(), drive: gripping(DriveSpec::default(), mu), v, volts }
}

fn gripping(drive: DriveSpec, (mu_static, mu_kinetic): (f64, f64)) -> DriveSpec {
    DriveSpec { traction: Some(TractionSpec { mu_static, mu_kinetic }), ..drive }
}

fn picked() -> [Case; 12] {
    [
        case("coasting sideways", [0.0, 1.0, 0.0], [0.0, 0.0], (0.8, 0.7)),
        case("coasting sideways, turning", [0.5, 1.0, 8.0], [0.0, 0.0], (0.8, 0.7)),
        case("spinning sideways", [0.0, 1.0, 0.0], [9.0, 9.0], (0.8, 0.7)),
        case("spinning on ice", [0.0, 0.0, 0.0], [9.0, 9.0], (0.05, 0.04)),
        case("spinning one wheel on ice", [0.0, 0.0, 0.0], [9.0, 1.0], (0.06, 0.04)),
        case("spinning round on ice", [0.3, 0.1, 0.0], [9.0, -9.0], (0.1, 0.05)),
        case("braking", [1.5, 0.0, 0.0], [-9.0, -9.0], (0.15, 0.1)),
        case("braking in a slide", [1.5, 0.4, 5.0], [-9.0, -9.0], (0.3, 0.25)),
        case("cornering", [2.0, 0.0, 10.0], [0.0, 0.0], (0.8, 0.7)),
        case("cornering under power", [2.0, 0.0, 10.0], [9.0, 6.0], (0.8, 0.7)),
        case("cornering, equal frictions", [2.5, 0.0, 6.0], [9.0, 9.0], (0.7, 0.7)),
        case("cornering backwards", [-1.8, 0.2, 12.0], [-4.0, 7.0], (0.8, 0.6)),
    ]
}

/// A robot of some kilograms on wheels of 4 cm, 20 cm apart, with 24 V.
fn larger() -> DriveSpec {
    DriveSpec {
        wheel_distance: 0.2,
        wheel_radius_right: 0.04,
        wheel_radius_left: 0.041,
        mass: 3.0,
        inertia: 0.03,
        friction_linear: 0.3,
        friction_angular: 2e-3,
        wheel_inertia_right: 8e-5,
        wheel_inertia_left: 9e-5,
        axle_friction_right: 2e-4,
        axle_friction_left: 1e-4,
        motor_constant_right: 0.12,
        motor_constant_left: 0.11,
        conductance_right: 0.15,
        conductance_left: 0.16,
        supply: 24.0,
        ..DriveSpec::default()
    }
}

/// Any start, voltages and friction: of the minirobot, of a larger robot, and of robots like
/// these with every mass and length up to 1.6 times as large or small.
fn random(number: usize) -> Case {
    let mut rng = Stream::new(number as u64, 0, "tyres");
    let base = if number.is_multiple_of(2) { DriveSpec::default() } else { larger() };
    let mut drive = base;
    if number % 4 > 1 {
        let mut scale = |x: &mut f64| *x *= rng.between(0.625, 1.6);
        scale(&mut drive.wheel_distance);
        scale(&mut drive.mass);
        scale(&mut drive.inertia);
        for both in [
            [&mut drive.wheel_radius_right, &mut drive.wheel_radius_left],
            [&mut drive.wheel_inertia_right, &mut drive.wheel_inertia_left],
            [&mut drive.motor_constant_right, &mut drive.motor_constant_left],
            [&mut drive.conductance_right, &mut drive.conductance_left],
        ] {
            both.into_iter().for_each(&mut scale);
        }
    }
    let supply = drive.supply;
    let mut any = |most: f64| rng.between(-most, most);
    // A third each starts straight ahead, and without voltage.
    let sideways = if number.is_multiple_of(3) { 0.0 } else { any(1.5) };
    let v = [any(2.5), sideways, any(12.0)];
    let on = if number % 3 == 1 { 0.0 } else { supply };
    let volts = [any(on), any(on)];
    let mu = rng.between(0.05, 1.0);
    let kinetic = mu * rng.between(0.6, 1.0);
    Case { name: format!("random {number}"), drive: gripping(drive, (mu, kinetic)), v, volts }
}

fn all() -> impl Iterator<Item = Case> {
    picked().into_iter().chain((0..samples(8, 60)).map(random))
}

/// How far a robot is from another: m, rad, m/s, rad/s, and rims of wheels m/s.
fn apart(a: &Coulomb, b: &Coulomb) -> [f64; 5] {
    let [(dx, dy), (vx, vy)] =
        [(&a.pose, &b.pose), (&a.v, &b.v)].map(|(a, b)| (a[0] - b[0], a[1] - b[1]));
    let rim = |i: usize| {
        ((a.w[i] - b.w[i]) * [a.spec.wheel_radius_right, a.spec.wheel_radius_left][i]).abs()
    };
    [
        (dx * dx + dy * dy).sqrt(),
        wrap_angle(a.pose[2] - b.pose[2]).abs(),
        (vx * vx + vy * vy).sqrt(),
        (a.v[2] - b.v[2]).abs(),
        rim(0).max(rim(1)),
    ]
}

impl Case {
    /// Where the reference is after each tenth of a second.
    fn reference(&self, dt: f64) -> [Coulomb; 3] {
        let mut robot = Coulomb::new(&self.drive, self.v);
        core::array::from_fn(|_| {
            for _ in 0..(0.1 / dt).round() as u32 {
                robot.step(self.volts, dt);
            }
            robot.clone()
        })
    }

    fn world(&self, step_s: f64) -> World {
        let mut spec = SceneSpec::default();
        spec.sim.step_s = step_s;
        spec.robots.push(robot("r", self.drive.clone(), Pose2::IDENTITY));
        let mut w = world(&spec);
        w.command(RobotId(0), Volts { right: self.volts[0], left: self.volts[1] })
            .expect("good volts");
        w.set_motion(BodyId(0), Pose2::IDENTITY, Vec2::new(self.v[0], self.v[1]), self.v[2]);
        w
    }

    /// The simulated robot after `seconds`.
    fn simulated(&self, step_s: f64, seconds: f64) -> Coulomb {
        let mut w = self.world(step_s);
        w.steps((seconds / step_s).round() as u64);
        let b = w.frame().bodies[0];
        let mut robot = Coulomb::new(&self.drive, [0.0; 3]);
        robot.pose = [b.pose.position.x, b.pose.position.y, b.pose.theta()];
        let own = w.twist(RobotId(0)).expect("a robot").own;
        (robot.v, robot.w) = ([own.x, own.y, b.omega], b.wheel_speeds);
        robot
    }

    /// How far the simulated robot is from the reference after `seconds`.
    fn error(&self, step_s: f64, seconds: f64, reference: &Coulomb) -> [f64; 5] {
        apart(&self.simulated(step_s, seconds), reference)
    }
}

/// Some figures with few digits.
fn short<const N: usize>(numbers: [f64; N]) -> [String; N] {
    numbers.map(|x| format!("{x:.1e}"))
}

/// The reference's step, s.
const FINE: f64 = 4e-7;

#[test]
fn sliding_robots_move_as_coulombs_law_says_over_three_tenths_of_a_second() {
    let mut worst = [0.0f64; 5];
    for case in all() {
        for (i, reference) in case.reference(FINE).iter().enumerate() {
            let seconds = 0.1 * (i as f64 + 1.0);
            let errors = case.error(1e-3, seconds, reference);
            let what = format!("{} at {seconds:.1} s: {:?}", case.name, short(errors));
            println!("{what}");
            // A millimetre is asked.
            let bounds = [3e-4, 5e-4, 3e-3, 3e-3, 2e-3];
            for ((worst, error), most) in worst.iter_mut().zip(errors).zip(bounds) {
                *worst = worst.max(error);
                assert!(error < most, "{what}: {error} where {most} is asked");
            }
        }
    }
    println!("worst: {:?}", short(worst));
}

/// What is left where tyres let go, stop or turn round: when they do is found to an eighth of a step.
const INSTANT: f64 = 5e-5;

#[test]
fn the_error_of_sliding_robots_falls_with_the_square_of_the_step() {
    let (mut sums, mut square, mut count) = ([0.0; 3], 0, 0);
    for case in all() {
        let [[.., fine], [.., coarse]] = [FINE, 2.0 * FINE].map(|dt| case.reference(dt));
        let reference = fine.beyond(&coarse);
        let errors = [1e-3, 5e-4, 2.5e-4].map(|h| case.error(h, 0.3, &reference)[0]);
        let what = format!("{}: {:?}", case.name, short(errors));
        println!("{what}");
        assert!(errors[2] < 0.1 * errors[0] + INSTANT && errors[0] < 6.0 * INSTANT, "{what}");
        count += 1;
        square += u32::from(errors[2] < 0.1 * errors[0] + 1e-7);
        for (sum, error) in sums.iter_mut().zip(errors) {
            *sum += error;
        }
        // A long step is divided, and no worse.
        let long = case.error(4e-3, 0.3, &reference)[0];
        assert!(long < 1.5 * errors[0] + INSTANT, "{what}: {long} at 4 ms");
    }
    println!("sums: {:?}, {square} of {count} fall with the square of the step", short(sums));
    assert!(3 * square > 2 * count, "{square} of {count} fall with the square of the step");
    assert!(sums[0] < 1e-5 * f64::from(count), "{sums:?}");
}

#[test]
fn wheels_that_spin_sideways_are_slowed_by_the_ground() {
    // 1 m/s sideways with 9 V on both: after 0.1 s some 0.22 m/s forward, wheels at 13 rad/s.
    let case = &picked()[2];
    let [reference, ..] = case.reference(FINE);
    assert!((reference.v[0] - 0.216).abs() < 4e-3, "{:?}", reference.v);
    assert!((reference.w[1] - 13.0).abs() < 0.5, "{:?}", reference.w);
    let mut w = case.world(1e-3);
    w.steps(100);
    let forward = w.twist(RobotId(0)).expect("a robot").own.x;
    let robot = w.frame().bodies[0];
    assert!(robot.slips);
    let wheels = robot.wheel_speeds;
    assert!((forward - reference.v[0]).abs() < 2e-3, "{forward} against {:?}", reference.v);
    for i in 0..2 {
        assert!((wheels[i] - reference.w[i]).abs() < 0.2, "{wheels:?} against {:?}", reference.w);
    }
}
