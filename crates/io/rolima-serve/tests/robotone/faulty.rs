//! A fault of the simulator's own costs one program its connection and nobody else anything.

use super::{DEADLINE, eventually};
use rolima_robotone::{Dialect, Options, RobotOne};
use rolima_serve::robotone::kinematic::{Kinematic, KinematicPace, KinematicSetup};
use rolima_serve::robotone::robots::{
    Driver, LidarPlace, Notifier, RequestError, RobotAction, RobotNow, Shot, Ticket, Viewpoint,
    WorldChange, WorldNow,
};
use rolima_serve::robotone::{RobotOneOptions, RobotOneServer, Robots};
use std::sync::{Arc, Mutex};

/// Robots whose lidar panics.
struct Faulty(Kinematic);

impl Robots for Faulty {
    fn world(&self) -> WorldNow {
        self.0.world()
    }

    fn robot(&self, robot: u32) -> Option<RobotNow> {
        self.0.robot(robot)
    }

    fn lidar(&self, _: u32, _: &mut Vec<f32>) -> Option<LidarPlace> {
        panic!("the fault of this test")
    }

    fn shot(&self, robot: u32, had: Option<u64>) -> Shot {
        self.0.shot(robot, had)
    }

    fn act(&self, robot: u32, action: RobotAction) -> Result<Ticket, RequestError> {
        self.0.act(robot, action)
    }

    fn hand_over(&self, robot: u32, to: Driver) -> Result<(), RequestError> {
        self.0.hand_over(robot, to)
    }

    fn view(&self) -> Viewpoint {
        self.0.view()
    }

    fn set_view(&self, view: Viewpoint) {
        self.0.set_view(view);
    }

    fn change_world(&self, change: WorldChange) -> Result<Ticket, RequestError> {
        self.0.change_world(change)
    }

    fn notify(&self, notifier: Notifier) {
        self.0.notify(notifier);
    }
}

#[test]
fn a_session_that_panics_gives_back_its_robot_and_its_place() {
    let setup = KinematicSetup { pace: KinematicPace::Free(1.0), ..Default::default() };
    let robots = Arc::new(Faulty(Kinematic::new(setup)));
    let lines = Arc::new(Mutex::new(vec![]));
    let kept = Arc::clone(&lines);
    let mut options = RobotOneOptions::any_ports();
    options.log = Arc::new(move |line| kept.lock().unwrap().push(line.to_owned()));
    let server = RobotOneServer::start(options, robots.clone()).expect("a server");
    let address = server.address(Dialect::Thesis).expect("it is spoken").to_string();
    let connect = || {
        let read_timeout = Some(DEADLINE);
        let options = Options { dialect: Dialect::Thesis, read_timeout, ..Options::default() };
        RobotOne::connect_with(&address, options).expect("a connection")
    };

    let mut unlucky = connect();
    unlucky.set_velocity([1.0, 0.0]).unwrap();
    assert_eq!(robots.0.driver(0), Driver::Program(1));
    assert!(unlucky.lidar().is_err(), "the connection is closed");
    eventually("people drive", || robots.0.driver(0) == Driver::People);
    eventually("nobody is connected", || server.stats().clients == 0);
    assert_eq!(robots.robot(0).unwrap().velocity, [0.0; 2], "it was stopped");
    let told = lines.lock().unwrap().join("\n");
    assert!(told.contains("program 1") && told.contains("a fault of the server"), "{told}");

    let mut next = connect();
    next.set_velocity([2.0, 0.0]).unwrap();
    assert_eq!(robots.0.driver(0), Driver::Program(2));
}
