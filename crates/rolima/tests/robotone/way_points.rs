//! A program of the thesis's kind at the limits of the robot: PID control to way-points.

use super::{address_of, connect, start};
use rolima_robotone::{Dialect, RobotOne, RobotOneError, fix_angle};
use rolima_testing::samples;

/// The corners of section 4.1 of the thesis, m.
const WAY_POINTS: [[f32; 2]; 4] = [[10.0, 0.0], [10.0, 10.0], [0.0, 10.0], [0.0, 0.0]];
/// Its controller, with gains for a robot of 4 m/s: what it asks for is beyond the limits at corners.
const VMAX: f32 = 6.0;
const KRHO: f32 = 2.0;
const KP: f32 = 8.0;
const KI: f32 = 0.01;
const KD: f32 = 0.01;
/// How near is near enough, m, and when it has failed, s: on ideal kinematics with the robot's limits it
/// takes 13 to 16 s; where tyres slip or curves are cut, 30 s or for ever.
const NEAR: f32 = 0.05;
const MOST_S: f32 = 25.0;

/// Drives to all way-points; the time that it took, s, or none if that was too long.
fn drive(robot: &mut RobotOne) -> Result<Option<f32>, RobotOneError> {
    let (mut time_s, mut sum, mut last) = (0.0, 0.0, 0.0);
    for [goal_x, goal_y] in WAY_POINTS {
        loop {
            let [x, y, theta] = robot.pose()?;
            let (dx, dy) = (goal_x - x, goal_y - y);
            let rho = dx.hypot(dy);
            if rho < NEAR {
                break;
            }
            let alpha = fix_angle(dy.atan2(dx) - theta);
            sum += alpha;
            let v = (KRHO * rho).min(VMAX);
            robot.set_velocity([v, KP * alpha + KI * sum + KD * (alpha - last)])?;
            last = alpha;
            time_s += robot.wait()?;
            if time_s > MOST_S {
                return Ok(None);
            }
        }
    }
    Ok(Some(time_s))
}

#[test]
fn a_pid_program_finishes_whatever_the_seed() {
    for seed in 1..=samples(3, 20) {
        let seed = seed.to_string();
        let run = ["run", "maze", "--headless", "--robotone-step", "--seed", &seed];
        let run = [&run[..], &["--robotone-listen", "127.0.0.1:0"]].concat();
        let (_running, said) = start(&run, "programs: ");
        let address = address_of(said.last().expect("a line"), "thesis");
        let mut robot = connect(&address, Dialect::Thesis);
        // The scene's own errors of motion, and errors that differ by the seed.
        for errors in [None, Some([0.002, 0.002])] {
            robot.reset().expect("a start");
            if let Some(errors) = errors {
                robot.set_odometry_std(errors).expect("errors");
            }
            let time_s = drive(&mut robot).expect("a connection");
            assert!(time_s.is_some(), "seed {seed}, errors {errors:?}: not within {MOST_S} s");
        }
    }
}
