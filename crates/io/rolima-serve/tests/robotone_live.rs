//! Robot One on a real live run: what programs set and read, lock step, pictures, and people who
//! cannot drive what a program has.
#![allow(clippy::unwrap_used)] // in helpers too

use crate::common;

use common::live::{connect, options, wait_until};
use common::model;
use rolima_robotone::{Dialect, Options, RobotOne, fix_angle};
use rolima_run::Speed;
use rolima_run::live::{Live, Mailbox, Request, Setup, SharedSeats};
use rolima_serve::robotone::live::{NewWorld, WorldMaker};
use rolima_serve::robotone::robots::WorldChange;
use rolima_serve::robotone::{LiveRobots, LiveRobotsSetup, ViewHints};
use rolima_serve::web::SceneLoaded;
use rolima_serve::{
    Backend, BlockPlace, RobotOneOptions, RobotOneServer, RobotOneServerHandle, Senses, Server,
    ServerHandle, SharedGoals, StateWriter,
};
use rolima_wire::pb::{self, server_message::Kind};
use std::io::Write;
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, RwLock};
use std::thread::JoinHandle;
use std::time::Duration;

/// A live run with its servers.
pub(crate) struct Running {
    pub(crate) mailbox: Mailbox,
    pub(crate) seats: SharedSeats,
    robotone: Option<RobotOneServerHandle>,
    pub(crate) web: Option<ServerHandle>,
    senses: Senses,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    pub(crate) fn start(scene: &str, in_step: bool) -> Self {
        Self::with(scene, in_step, Arc::new(make))
    }

    fn with(scene: &str, in_step: bool, make: WorldMaker) -> Self {
        Self::build(scene, in_step.then_some(1), in_step, make)
    }

    /// In lock step with clients of the live protocol, while programs drive in real time.
    pub(crate) fn with_controllers(scene: &str, controllers: u32) -> Self {
        Self::build(scene, Some(controllers), false, Arc::new(make))
    }

    fn build(scene: &str, lock_step: Option<u32>, in_step: bool, make: WorldMaker) -> Self {
        let model = model(scene);
        let speed = if lock_step.is_some() { Speed::Max } else { Speed::REAL_TIME };
        let map = (scene == "maze").then(Arc::default);
        let setup = Setup { speed, lock_step, map, ..Setup::new(scene, model.clone()) };
        let mut live = Live::new(setup);
        let writer = StateWriter::create(BlockPlace::Anonymous, scene, &model).unwrap();
        let reader = writer.reader();
        let (senses, sink) = Senses::new().unwrap();
        live.add_sink(Box::new(sink));
        let (goals, sink) = SharedGoals::new();
        live.add_sink(Box::new(sink));
        let (seats, view_hints) = (SharedSeats::default(), ViewHints::default());
        let (robots, sink) = LiveRobots::new(LiveRobotsSetup {
            mailbox: live.mailbox(),
            senses: Some(senses.clone()),
            glance: Arc::new(|change| match change {
                WorldChange::Load(bytes) if bytes.starts_with(b"too large") => {
                    Err("too large".to_owned())
                }
                _ => Ok(()),
            }),
            make,
            may_place: true,
            lock_step: in_step.then_some(model.step_s),
            seats: seats.clone(),
            view_hints: view_hints.clone(),
        });
        live.add_sink(Box::new(sink));
        // Last: what viewers see, everybody has been told.
        live.add_sink(Box::new(writer));
        let server = RobotOneServer::start(RobotOneOptions::any_ports(), Arc::new(robots));
        let mailbox = live.mailbox();
        let send = live.mailbox();
        let backend = Backend {
            send: Some(Arc::new(move |timed_request: rolima_run::live::TimedRequest| {
                send.send_at(timed_request.at, timed_request.request)
            })),
            goals: Some(goals),
            seats: seats.clone(),
            view_hints,
            ..Backend::watch_only()
        };
        let web = Some(Server::start(options(), reader, backend).unwrap());
        let thread = Some(std::thread::spawn(move || drop(live.run())));
        Self { mailbox, seats, robotone: Some(server.unwrap()), web, senses, thread }
    }

    pub(crate) fn program(&self) -> RobotOne {
        let dialect = Dialect::Thesis;
        let address = self.robotone.as_ref().unwrap().address(dialect).unwrap();
        let read_timeout = Some(Duration::from_secs(60));
        let options = Options { dialect, read_timeout, ..Options::default() };
        RobotOne::connect_with(&address.to_string(), options).unwrap()
    }
}

/// Another world.
fn make(change: WorldChange) -> Result<NewWorld, String> {
    match change {
        WorldChange::Clear => {
            let model = model("playground");
            let map = Some(Arc::default());
            let scene = SceneLoaded { model, map, notes: vec![], source: None };
            Ok(NewWorld { name: "playground".to_owned(), scene })
        }
        _ => Err("no such world".to_owned()),
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop((self.web.take(), self.robotone.take()));
        let _ = self.mailbox.send(Request::Stop);
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

#[test]
fn what_is_set_is_what_is_got() {
    for in_step in [false, true] {
        let run = Running::start("maze", in_step);
        let mut robot = run.program();
        let near = |got: &[f32], wanted: &[f32]| {
            got.len() == wanted.len() && got.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-5)
        };
        robot.set_pose([1.0, 2.0, 0.5]).unwrap();
        assert!(near(&robot.pose().unwrap(), &[1.0, 2.0, 0.5]), "at once");
        assert!(near(&robot.odometry().unwrap(), &[1.0, 2.0, 0.5]), "teleported with it");
        robot.set_odometry([3.0, 2.0, 1.0]).unwrap();
        assert!(near(&robot.odometry().unwrap(), &[3.0, 2.0, 1.0]));
        robot.set_gps_std([0.5, 0.25, 0.125]).unwrap();
        assert_eq!(robot.gps_std().unwrap(), [0.5, 0.25, 0.125]);
        robot.set_odometry_std([0.5, 0.25]).unwrap();
        assert_eq!(robot.odometry_std().unwrap(), [0.5, 0.25]);
        robot.set("Lidar.Std", 0.5).unwrap();
        robot.wait().unwrap();
        assert_eq!(robot.get("Lidar.Std").unwrap(), 0.5, "also after a cycle");
        assert_eq!(robot.gps_std().unwrap(), [0.5, 0.25, 0.125]);
        robot.set_trace(true).unwrap();
        assert!(robot.trace().unwrap());
        robot.reset().unwrap();
        assert!(near(&robot.pose().unwrap(), &[0.0; 3]));
        let scan = robot.lidar().unwrap();
        assert_eq!((scan.readings.len(), scan.distances()), (36, &scan.readings[..]));
        // In the robot's frame: the lidar is 0.2 m ahead of its origin.
        assert!(near(&scan.points[17], &[0.2 + scan.readings[17], 0.0]), "{:?}", scan.points[17]);
        assert!(scan.points[0][1] > 0.0 && (scan.bearings[0].to_degrees() - 85.0).abs() < 1e-3);
        robot.set("World.Maze.Clear", 1.0).unwrap();
        assert!(robot.get("World.Robots").unwrap() > 1.0, "another world is there");
        assert!(robot.load_maze(b"no such world").is_err());
    }
}

#[test]
fn robots_without_a_speed_controller_or_senses_say_so() {
    let run = Running::start("soccer", false);
    let mut robot = run.program();
    assert_eq!(robot.get("World.Robots").unwrap(), 6.0);
    assert!(robot.pose().is_ok());
    assert!(robot.set_velocity([1.0, 0.0]).is_err());
    assert!(robot.lidar().is_err() && robot.gps().is_err() && robot.capture().is_err());
}

/// To a goal 3 m ahead and to the left, by pose; gives where it ended and when.
fn drive_to_the_goal(run: &Running) -> ([f32; 3], f32) {
    let mut robot = run.program();
    robot.set_odometry_std([0.001, 0.001]).unwrap();
    loop {
        let [x, y, theta] = robot.pose().unwrap();
        let (dx, dy) = (3.0 - x, 3.0 - y);
        if (dx * dx + dy * dy).sqrt() < 0.1 {
            return ([x, y, theta], robot.get("Time").unwrap());
        }
        robot.set_velocity([0.8, 2.0 * fix_angle(dy.atan2(dx) - theta)]).unwrap();
        robot.wait().unwrap();
    }
}

#[test]
fn in_lock_step_the_same_program_gives_the_same_bits() {
    let once = drive_to_the_goal(&Running::start("maze", true));
    let again = drive_to_the_goal(&Running::start("maze", true));
    assert_eq!(once, again);
    assert!(once.1 > 3.0, "{once:?}");
}

#[test]
fn in_lock_step_no_picture_is_missed() {
    let run = Running::start("road", true);
    let mut robot = run.program();
    robot.set_velocity([1.0, 0.0]).unwrap();
    robot.capture().unwrap();
    let start = robot.get("Time").unwrap();
    for _ in 0..30 {
        robot.capture().unwrap();
    }
    // Thirty a second, looked at every sixtieth.
    let passed = robot.get("Time").unwrap() - start;
    assert!((0.98..1.04).contains(&passed), "{passed} s");
}

#[test]
fn programs_and_viewers_get_the_same_picture() {
    let run = Running::start("road", true);
    let device =
        model("road").device(rolima_core::RobotId(0), |kind| kind.name() == "camera").unwrap();
    let watching = run.senses.watch(device);
    let mut robot = run.program();
    let picture = robot.capture().unwrap();
    let soon = std::time::Instant::now() + Duration::from_secs(60);
    let shown = watching.wait(soon, |_| true).unwrap();
    assert!(shown.rgb == picture.rgb);
    let middle = &picture.rgb[3 * (155 * 320 + 160)..][..3];
    assert!(middle[0].abs_diff(middle[1]) < 12, "grey ahead: {middle:?}");
    let beside = &picture.rgb[3 * (155 * 320 + 2)..][..3];
    assert!(beside[1] > beside[0] + 20, "green beside: {beside:?}");
}

#[test]
fn people_cannot_drive_what_a_program_has() {
    let run = Running::start("maze", false);
    let mut viewer = connect(run.web.as_ref().unwrap().address());
    viewer.frame();
    viewer.claim(0);
    viewer.drivers(|drivers| drivers.len() == 1 && drivers[0].client != 0);
    let mut robot = run.program();
    robot.set_velocity([0.5, 0.0]).unwrap();
    viewer.drivers(|drivers| drivers.len() == 1 && drivers[0].name == "Robot One");
    viewer.drive(0, 1.0, 1.0);
    assert!(viewer.notice().contains("A program drives "));
    viewer.claim(0);
    assert!(viewer.notice().contains("A program drives "));
    // The driver that lost its claim does not stop the robot.
    for _ in 0..40 {
        robot.wait().unwrap();
    }
    assert_eq!(robot.velocity().unwrap(), [0.5, 0.0]);
    let x = robot.pose().unwrap()[0];
    for _ in 0..20 {
        robot.wait().unwrap();
    }
    assert!(robot.pose().unwrap()[0] > x + 0.05, "it drives on");
    robot.set_manual(true).unwrap();
    viewer.drivers(<[_]>::is_empty);
    viewer.claim(0);
    viewer.drivers(|drivers| drivers.len() == 1 && drivers[0].client != 0);
    robot.set_manual(false).unwrap();
    viewer.drivers(|drivers| drivers.len() == 1 && drivers[0].name == "Robot One");
    drop(robot);
    viewer.drivers(<[_]>::is_empty);
    viewer.claim(0);
    viewer.drivers(|drivers| drivers.len() == 1);
}

/// What a viewer is told next of the view.
fn look(viewer: &mut common::live::Viewer) -> pb::Look {
    viewer.until(|kind| match kind {
        Kind::Look(look) => Some(look),
        _ => None,
    })
}

/// The next traces that are as wanted.
fn traces(
    viewer: &mut common::live::Viewer,
    wanted: impl Fn(&[pb::Trace]) -> bool,
) -> Vec<pb::Trace> {
    viewer.until(|kind| match kind {
        Kind::Traces(told) if wanted(&told.traces) => Some(told.traces),
        _ => None,
    })
}

#[test]
fn viewers_are_told_from_where_a_program_wants_them_to_look() {
    use pb::look::From;
    let run = Running::start("maze", false);
    let address = run.web.as_ref().unwrap().address();
    let mut viewer = connect(address);
    viewer.frame();
    let mut robot = run.program();
    assert_eq!(robot.get("World.Camera.Zoom").unwrap(), 0.5);
    robot.set("World.Camera.Mode", 2.0).unwrap();
    let first = look(&mut viewer);
    assert_eq!((first.from(), first.zoom, first.body), (From::FirstPerson, 0.5, 0));
    robot.set("World.Camera.Zoom", 7.0).unwrap();
    let far = look(&mut viewer);
    assert_eq!((far.from(), far.zoom), (From::FirstPerson, 1.0), "clamped");
    robot.set("World.Camera.Mode", 1.0).unwrap();
    assert_eq!(look(&mut viewer).from(), From::Top);
    assert!(robot.set("World.Camera.Mode", 3.0).is_err());
    drop(robot);
    // Who comes later is told before the first frame.
    let mut late = connect(address);
    let told = late.until(|kind| match kind {
        Kind::Look(look) => Some(Some(look)),
        Kind::Frame(_) => Some(None),
        _ => None,
    });
    assert_eq!(told.map(|look| (look.from(), look.zoom)), Some((From::Top, 1.0)));
}

#[test]
fn viewers_are_told_where_a_traced_robot_has_been() {
    let run = Running::start("maze", true);
    let address = run.web.as_ref().unwrap().address();
    let mut viewer = connect(address);
    viewer.frame();
    let mut robot = run.program();
    robot.set_odometry_std([0.01, 0.01]).unwrap();
    robot.set_trace(true).unwrap();
    traces(&mut viewer, |traces| traces.len() == 1 && traces[0].body == 0);
    robot.set_velocity([1.0, 0.0]).unwrap();
    // In lock step programs are ahead of what is shown, and traces are made of that: so that there
    // are enough points, the viewer has to have seen every one of them.
    let step_s = model("maze").step_s;
    for _ in 0..20 {
        for _ in 0..9 {
            robot.wait().unwrap();
        }
        let time_s = f64::from(robot.get("Time").unwrap()) - 1e-3;
        viewer.until(|kind| match kind {
            Kind::Frame(frame) => (frame.step as f64 * step_s > time_s).then_some(()),
            _ => None,
        });
    }
    let [x, y, _] = robot.pose().unwrap();
    let [believed, ..] = robot.odometry().unwrap();
    // A viewer that comes later gets all of the way, as it was and as the robot believes.
    let mut late = connect(address);
    let told = traces(&mut late, |_| true);
    let [way] = &told[0].true_way[..] else { panic!("{told:?}") };
    assert!(way.points.len() >= 20, "{way:?}");
    assert_eq!(way.points[..2], [0.0, 0.0]);
    let end = &way.points[way.points.len() - 2..];
    assert!((end[0] - x).abs() < 0.15 && (end[1] - y).abs() < 0.15, "{end:?} {x} {y}");
    let by_odometry = &told[0].believed[0].points;
    assert!((by_odometry[by_odometry.len() - 2] - believed).abs() < 0.15, "{by_odometry:?}");
    // A program that puts its robot elsewhere begins a new trace, and one that ends leaves it.
    robot.set_pose([4.0, 1.0, 0.0]).unwrap();
    let is_anew = |traces: &[pb::Trace]| {
        let ways = traces.first().map(|trace| &trace.true_way[..]);
        matches!(ways, Some([way]) if way.points == [4.0, 1.0])
    };
    traces(&mut viewer, is_anew);
    drop(robot);
    assert!(is_anew(&traces(&mut connect(address), |_| true)));
    let mut robot = run.program();
    assert!(robot.trace().unwrap());
    robot.set_trace(false).unwrap();
    traces(&mut viewer, <[_]>::is_empty);
}

#[test]
fn a_run_that_ends_tells_programs_that_wait() {
    let run = Running::start("maze", true);
    let mut robot = run.program();
    robot.wait().unwrap();
    // Another program has a robot and does not wait, so that the world stands still.
    let other = std::thread::spawn(move || {
        let mut robot = robot;
        robot.capture().unwrap();
        robot
    });
    let mut robot = other.join().unwrap();
    run.mailbox.send(Request::Stop).unwrap();
    wait_until(|| robot.wait().is_err());
}

/// Worlds that are made slowly: while somebody writes to the gate, and counted.
fn slow_worlds() -> (Arc<RwLock<()>>, Arc<AtomicUsize>, WorldMaker) {
    let (gate, made) = (Arc::new(RwLock::new(())), Arc::new(AtomicUsize::new(0)));
    let (closed, count) = (Arc::clone(&gate), Arc::clone(&made));
    let slowly: WorldMaker = Arc::new(move |change| {
        count.fetch_add(1, Ordering::SeqCst);
        drop(closed.read());
        make(change)
    });
    (gate, made, slowly)
}

#[test]
fn maps_of_programs_that_vanish_go_with_them() {
    let (gate, made, make) = slow_worlds();
    let run = Running::with("maze", false, make);
    let server = run.robotone.as_ref().unwrap();
    let mut honest = run.program();
    honest.wait().unwrap();
    let closed = gate.write().unwrap();
    // 12 MiB each, of which none can be made before the gate opens: 10 of them find room.
    let mut request = b"\x02\x0f\x00\x00\x00World.Maze.Load\x00\x00\xc0\x00".to_vec();
    request.resize(request.len() + (12 << 20), b'#');
    let mut vanished = vec![];
    for _ in 0..30 {
        let mut stream = TcpStream::connect(server.address(Dialect::Thesis).unwrap()).unwrap();
        stream.write_all(&request).unwrap();
        vanished.push(stream);
    }
    wait_until(|| made.load(Ordering::SeqCst) == 3 && server.stats().requests > 30);
    // Those that wait for their turn count, too.
    wait_until(|| server.stats().refused == 20 && server.stats().arriving_bytes == 120 << 20);
    drop(vanished);
    // Their sessions end, and with them what they have sent, though nothing was made yet.
    wait_until(|| server.stats().clients == 1);
    wait_until(|| server.stats().arriving_bytes == 36 << 20);
    // Time goes on meanwhile, and other requests are answered.
    let before = honest.get("Time").unwrap();
    for _ in 0..30 {
        honest.wait().unwrap();
    }
    assert!(honest.get("Time").unwrap() > before + 0.45);
    assert!(honest.load_maze(b"too large to be made").is_err(), "told at a glance");
    assert_eq!(made.load(Ordering::SeqCst), 3, "three at a time are begun");
    drop(closed);
    honest.set("World.Maze.Clear", 1.0).unwrap();
    assert!(honest.get("World.Robots").unwrap() > 1.0, "another world is there");
    // Those that were begun, and this one.
    wait_until(|| made.load(Ordering::SeqCst) == 4 && server.stats().arriving_bytes == 0);
}

#[test]
fn a_server_ends_while_a_map_is_read() {
    let (gate, made, make) = slow_worlds();
    let mut run = Running::with("maze", false, make);
    let mut robot = run.program();
    let closed = gate.write().unwrap();
    let loading = std::thread::spawn(move || robot.load_maze(b"R 0 0").is_err());
    wait_until(|| made.load(Ordering::SeqCst) == 1);
    let server = run.robotone.take();
    let ending = std::thread::spawn(move || drop(server));
    wait_until(|| ending.is_finished());
    assert!(loading.join().unwrap(), "its program is told");
    drop(closed);
}

#[test]
fn who_watches_is_told_of_a_program_whose_first_picture_may_be_cut_off() {
    let run = Running::start("maze", false);
    let mut viewer = connect(run.web.as_ref().unwrap().address());
    viewer.frame();
    let release = run.robotone.as_ref().unwrap().address(Dialect::Release).unwrap();
    let mut program = TcpStream::connect(release).unwrap();
    let name = b"Camera.Capture";
    let request = [&[0][..], &(name.len() as u32).to_le_bytes(), name, &[0; 4]].concat();
    program.write_all(&request).unwrap();
    let notice = viewer.until(|kind| match kind {
        Kind::Notice(notice) => Some(notice),
        _ => None,
    });
    assert_eq!(notice.level(), pb::notice::Level::Warning);
    assert!(notice.text.contains("--prime-receive-window"), "{}", notice.text);
    assert_eq!(notice.refusal.unwrap().code(), pb::refusal::Code::FirstPicture);
}
