//! Whole programs.

use super::TestServer;
use rolima_robotone::{Dialect, RobotOne, RobotOneError, fix_angle};

/// The PID controller of the thesis (equations 4.2 to 4.5), to the corners of a square of 10 m.
fn pid_square(robot: &mut RobotOne) -> Result<f32, RobotOneError> {
    let (vmax, error) = (1.0, 0.05);
    let (k_rho, kp, ki, kd) = (1.0, 1.0, 0.01, 0.01);
    let (mut sum, mut last) = (0.0, 0.0);
    let goals = [[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]];
    robot.set_pose([0.0, 0.0, 0.0])?;
    for (index, [x, y]) in goals.into_iter().enumerate() {
        loop {
            let pose = robot.pose()?;
            let (dx, dy) = (x - pose[0], y - pose[1]);
            let rho = (dx * dx + dy * dy).sqrt();
            if rho <= error {
                break;
            }
            let alpha = fix_angle(dy.atan2(dx) - pose[2]);
            let v = if index < goals.len() - 1 { vmax } else { f32::min(k_rho * rho, vmax) };
            let w = kp * alpha + ki * sum + kd * (alpha - last);
            last = alpha;
            sum += alpha;
            robot.set_velocity([v, w])?;
            robot.wait()?;
        }
    }
    robot.get("Time")
}

#[test]
fn the_pid_controller_drives_around_the_square_in_under_60_seconds() {
    for dialect in Dialect::ALL {
        let host = TestServer::new();
        let mut robot = host.connect(dialect);
        let time_s = pid_square(&mut robot).unwrap();
        drop(robot);
        let time_limit = 30.0..60.0;
        assert!(time_limit.contains(&time_s), "{time_s} s");
        super::eventually("it has stopped", || {
            use rolima_serve::robotone::Robots;
            let now = host.robots.robot(0).unwrap();
            let [x, y, _] = now.pose;
            let off = (x * x + (y - 10.0) * (y - 10.0)).sqrt();
            now.velocity == [0.0; 2] && off < 0.05
        });
        assert!(host.robots.distances()[0] > 29.0);
    }
}
