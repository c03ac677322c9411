//! The simulator: a live world in lock step, as fast as the programs are.

use super::reach;
use rolima_robotone::{Dialect, Options, RobotOne};
use rolima_run::Speed;
use rolima_run::live::{Live, Mailbox, Request, Setup, SharedSeats};
use rolima_scene::{Source, load};
use rolima_serve::robotone::{LiveRobots, LiveRobotsSetup, ViewHints};
use rolima_serve::{RobotOneOptions, RobotOneServer, RobotOneServerHandle, Senses};
use std::process::Command;
use std::sync::Arc;
use std::thread::JoinHandle;

/// Long enough for any robot to come to rest, in cycles.
const REST_CYCLES: usize = 120;

/// A scene that runs, and the server of Robot One before it.
pub(crate) struct Simulator {
    mailbox: Mailbox,
    server: Option<RobotOneServerHandle>,
    thread: Option<JoinHandle<()>>,
}

impl Simulator {
    pub(crate) fn start(scene: &str) -> Self {
        Self::start_with(scene, &[])
    }

    /// `scene`: a built-in one, or a file; `sets`: changes of it.
    pub(crate) fn start_with(scene: &str, sets: &[String]) -> Self {
        let source = Source::resolve(scene).expect("a scene");
        let model = Arc::new(load(&source, sets).expect("a scene").compile().expect("a model"));
        let step_s = model.step_s;
        let map = (scene == "maze").then(Arc::default);
        let speed = Speed::Max;
        let mut live =
            Live::new(Setup { speed, lock_step: Some(1), map, ..Setup::new(scene, model) });
        let (senses, sink) = Senses::new().expect("pictures");
        live.add_sink(Box::new(sink));
        let (robots, sink) = LiveRobots::new(LiveRobotsSetup {
            mailbox: live.mailbox(),
            senses: Some(senses),
            glance: Arc::new(|_| Ok(())),
            make: Arc::new(|_| Err("no other world".to_owned())),
            may_place: true,
            lock_step: Some(step_s),
            seats: SharedSeats::default(),
            view_hints: ViewHints::default(),
        });
        live.add_sink(Box::new(sink));
        let server = RobotOneServer::start(RobotOneOptions::any_ports(), Arc::new(robots));
        let mailbox = live.mailbox();
        let thread = Some(std::thread::spawn(move || drop(live.run())));
        Self { mailbox, server: Some(server.expect("a server")), thread }
    }

    fn server(&self) -> &RobotOneServerHandle {
        self.server.as_ref().expect("until it is dropped")
    }

    /// Lets a program find this simulator where it would look for one.
    pub(crate) fn reach(&self, command: &mut Command) {
        reach(self.server(), command);
    }

    /// Where the robot has come to rest after its program, x and y, and how much time has passed
    /// by then, s.
    pub(crate) fn rest(&self) -> ([f64; 2], f64) {
        let dialect = Dialect::Thesis;
        let address = self.server().address(dialect).expect("it is spoken").to_string();
        let options = Options { dialect, ..Options::default() };
        let mut robot = RobotOne::connect_with(&address, options).expect("a connection");
        let time_s = f64::from(robot.get("Time").expect("a time"));
        // In lock step time passes only while somebody waits.
        for _ in 0..REST_CYCLES {
            robot.wait().expect("a cycle");
        }
        let [x, y, _] = robot.pose().expect("a pose");
        ([x.into(), y.into()], time_s)
    }

    /// Fails unless the robot has come to rest within 5 cm of the last corner of the square, after
    /// less than 60 s of the simulator's time.
    #[track_caller]
    pub(crate) fn has_driven_the_square(&self) {
        let ([x, y], time_s) = self.rest();
        let off = (x * x + (y - 10.0) * (y - 10.0)).sqrt();
        assert!(off <= 0.05, "{off} m off");
        // Four corners lie 10 m apart, at 1 m/s.
        assert!((30.0..60.0).contains(&time_s), "{time_s} s");
    }
}

impl Drop for Simulator {
    fn drop(&mut self) {
        drop(self.server.take());
        let _ = self.mailbox.send(Request::Stop);
        let _ = self.thread.take().map(JoinHandle::join);
    }
}
