//! Where programs may come from, and which robots they may drive.

use super::{TestServer, eventually};
use rolima_robotone::{Dialect, RobotOneError};
use rolima_serve::robotone::kinematic::{KinematicPace, KinematicSetup};
use rolima_serve::robotone::robots::Driver;
use rolima_serve::robotone::{ForPrograms, RobotOneOptions, Robots};

/// Three robots, which are called by their numbers, in real time.
fn host(options: RobotOneOptions) -> TestServer {
    let robots = (0..3).map(|index| [0.0, f64::from(index), 0.0]).collect();
    let setup = KinematicSetup { robots, pace: KinematicPace::Free(1.0), ..Default::default() };
    TestServer::with(setup, options)
}

/// Only the robots of these names are for programs.
fn only(names: &[&str]) -> (TestServer, ForPrograms) {
    let allowed = ForPrograms::named(names.iter().map(|name| (*name).to_owned()));
    let options = RobotOneOptions { for_programs: allowed.clone(), ..RobotOneOptions::any_ports() };
    (host(options), allowed)
}

fn why<T>(answer: Result<T, RobotOneError>) -> String {
    answer.err().expect("it is refused").to_string()
}

#[test]
#[cfg(target_os = "linux")]
fn programs_from_addresses_that_are_not_allowed_are_turned_away() {
    use std::io::Read;
    use std::net::TcpStream;
    use tokio::net::TcpSocket;
    let allow = Some(vec!["127.0.0.2".parse().unwrap(), "10.0.0.0/8".parse().unwrap()]);
    let host = host(RobotOneOptions { allow, ..RobotOneOptions::any_ports() });
    let address = host.address(Dialect::Thesis);
    let from = |own: &str| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let stream = runtime.block_on(async {
            let socket = TcpSocket::new_v4().unwrap();
            socket.bind(format!("{own}:0").parse().unwrap()).unwrap();
            socket.connect(address).await.unwrap()
        });
        let stream = stream.into_std().unwrap();
        stream.set_nonblocking(false).unwrap();
        stream.set_read_timeout(Some(super::DEADLINE)).unwrap();
        stream
    };
    let ends = |mut stream: TcpStream| {
        let mut byte = [0];
        matches!(stream.read(&mut byte), Ok(0) | Err(_))
    };
    assert!(ends(from("127.0.0.3")));
    assert!(ends(from("127.0.0.1")));
    eventually("it is counted", || host.server.stats().not_allowed == 2);
    assert!(host.has_told("127.0.0.3 is not allowed"));
    assert_eq!(host.server.stats().connections, 0);
    let _allowed = from("127.0.0.2");
    eventually("it is let in", || host.server.stats().clients == 1);
}

#[test]
fn only_robots_that_are_released_answer_and_the_others_say_why_not() {
    for dialect in Dialect::ALL {
        let (host, _) = only(&["1"]);
        let mut program = host.connect(dialect);
        // Programs that know of one robot have the first that they may drive.
        program.set_velocity([0.5, 0.0]).unwrap();
        assert_eq!(host.robots.driver(1), Driver::Program(1));
        assert_eq!(host.robots.driver(0), Driver::People);
        assert!(program.pose().is_ok());
        for robot in [0.0, 2.0] {
            let answer = program.set("World.Robot", robot);
            // The release's dialect has no word for a refusal; the log has.
            assert!(answer.is_err() || dialect == Dialect::Release);
            let told = format!("robot {robot} ({robot}) is not released to programs; robot 1 is");
            assert!(host.has_told(&told), "{told}");
        }
        // What was commanded still holds.
        assert_eq!(program.velocity().unwrap(), [0.5, 0.0]);
    }
}

#[test]
fn where_nothing_is_released_nothing_answers() {
    let (host, allowed) = only(&[]);
    let mut program = host.connect(Dialect::Thesis);
    why(program.set_velocity([1.0, 0.0]));
    assert!(host.has_told("robot 0 (0) is not released to programs; none is"));
    why(program.pose());
    why(program.capture());
    why(program.reset());
    assert_eq!(program.get("World.Robots").unwrap(), 3.0);
    assert_eq!(host.robots.driver(0), Driver::People);
    allowed.set("0", true, std::iter::empty());
    program.set_velocity([1.0, 0.0]).unwrap();
    assert_eq!(host.robots.driver(0), Driver::Program(1));
}

#[test]
fn a_robot_that_is_taken_back_stops_at_once_and_its_program_is_told() {
    let (host, allowed) = only(&["0", "1"]);
    let mut program = host.connect(Dialect::Thesis);
    program.set_velocity([1.0, 0.0]).unwrap();
    let velocity = || host.robots.robot(0).unwrap().velocity;
    eventually("it drives", || velocity() == [1.0, 0.0]);
    // The program says nothing, and the robot does not wait for it.
    allowed.set("0", false, std::iter::empty());
    eventually("people drive", || host.robots.driver(0) == Driver::People);
    eventually("it stands", || velocity() == [0.0; 2]);
    assert!(host.has_told("its robot is not for programs any more"));
    why(program.set_velocity([1.0, 0.0]));
    assert_eq!(velocity(), [0.0; 2]);
    // Released again, it is driven again.
    allowed.set("0", true, std::iter::empty());
    program.set_velocity([1.0, 0.0]).unwrap();
    eventually("it drives again", || velocity() == [1.0, 0.0]);
}

#[test]
fn where_some_robots_are_released_programs_do_not_change_the_world() {
    let (host, _) = only(&["0"]);
    let mut program = host.connect(Dialect::Thesis);
    let mode = program.get("World.Mode").unwrap();
    why(program.set("World.Mode", 1.0 - mode));
    assert!(host.has_told("and not change the world"));
    if mode == 1.0 {
        why(program.load_maze(b"R 0 0"));
    }
    let all = TestServer::free(1);
    let mut program = all.connect(Dialect::Thesis);
    let mode = program.get("World.Mode").unwrap();
    program.set("World.Mode", 1.0 - mode).unwrap();
}

#[test]
#[cfg(target_os = "linux")]
fn a_robot_that_is_for_one_address_is_driven_from_no_other() {
    let pair = |name: &str, from: &str| (name.to_owned(), Some(from.parse().unwrap()));
    let allowed = ForPrograms::paired([pair("0", "127.0.0.9"), pair("1", "127.0.0.1")]);
    let options = RobotOneOptions { for_programs: allowed.clone(), ..RobotOneOptions::any_ports() };
    let host = host(options);
    let mut program = host.connect(Dialect::Thesis);
    // The first one that is for it.
    program.set_velocity([0.5, 0.0]).unwrap();
    assert_eq!(host.robots.driver(1), Driver::Program(1));
    assert!(why(program.set("World.Robot", 0.0)).len() > 1);
    assert!(host.has_told("robot 0 (0) is not released to programs at 127.0.0.1; robot 1 is"));
    // Who releases it anew does not release it to others.
    allowed.set("0", false, std::iter::empty());
    allowed.set("0", true, std::iter::empty());
    why(program.set("World.Robot", 0.0));
    assert_eq!(host.robots.driver(0), Driver::People);
}
