//! Three tokens, one a role: what each may do, and what it is told of the rest.

use crate::common;
use rolima_core::RobotId;

use common::live::{Run, Seen, Viewer, connect, get, options, try_connect, wait_until};
use rolima_run::live::Action;
use rolima_serve::robotone::ForPrograms;
use rolima_serve::web::{Far, ROLES, Role, Tokens};
use rolima_serve::{Backend, BlockPlace, Relay, Server, ServerHandle, ServerOptions};
use rolima_wire::pb::{self, client_message::Kind as Asked, control, server_message::Kind};
use std::net::SocketAddr;

fn tokens() -> Tokens {
    Tokens::random().expect("tokens")
}

/// A server on this machine whose tokens are needed all the same.
fn closed(run: &Run, drive_robots: Option<&[&str]>) -> ServerHandle {
    let drive_robots = drive_robots.map(|all| all.iter().map(|name| (*name).to_owned()).collect());
    run.serve(ServerOptions { tokens: Some(tokens()), drive_robots, ..options() })
}

fn with_role(server: &ServerHandle, role: Role) -> Viewer {
    let token = server.tokens().expect("tokens").of(role);
    try_connect(server.address(), &format!("/ws?token={token}"), &[]).expect("a WebSocket")
}

fn welcome(viewer: &mut Viewer) -> pb::Welcome {
    viewer.until(|kind| match kind {
        Kind::Welcome(welcome) => Some(welcome),
        _ => None,
    })
}

/// What is refused next: words, and the role that it needs.
fn refusal(viewer: &mut Viewer) -> (String, pb::Role) {
    viewer.until(|kind| match kind {
        Kind::Notice(notice) => Some((notice.text.clone(), notice.needs())),
        Kind::MapAnswer(map) => Some((map.error.clone(), map.needs())),
        _ => None,
    })
}

/// One message of every kind that the schema has, by its name.
fn every_message() -> Vec<(&'static str, Asked)> {
    let control = |kind| Asked::Control(pb::Control { kind: Some(kind) });
    let drive = pb::Drive { left: 1.0, right: 1.0, ..Default::default() };
    let to_start = pb::time_travel::Kind::SeekS(0.0);
    let ghost = Some(pb::change_ghosts::Kind::Add("run.mcap".to_owned()));
    vec![
        ("NewName", Asked::NewName(pb::NewName { name: "Ana".to_owned() })),
        ("Pong", Asked::Pong(pb::Pong::default())),
        ("Watch", Asked::Watch(pb::Watch { bodies: vec![0], pictures: false, world: false })),
        ("WatchGoals", Asked::WatchGoals(pb::WatchGoals { on: true })),
        ("WatchChannels", Asked::WatchChannels(pb::WatchChannels::default())),
        ("WatchProfile", Asked::WatchProfile(pb::WatchProfile { on: true })),
        ("WatchTimeline", Asked::WatchTimeline(pb::WatchTimeline { on: true })),
        ("AskSeries", Asked::AskSeries(pb::AskSeries::default())),
        ("Claim", Asked::Claim(pb::Claim::default())),
        ("Drive", Asked::Drive(drive)),
        ("Actuate", Asked::Actuate(pb::Actuate::default())),
        ("DriveTeam", Asked::DriveTeam(pb::DriveTeam { drives: vec![drive] })),
        ("SetGoal", Asked::SetGoal(pb::SetGoal::default())),
        ("Control.play", control(control::Kind::Play(true))),
        ("Control.pause", control(control::Kind::Pause(true))),
        ("Control.step", control(control::Kind::Step(1))),
        ("Control.speed", control(control::Kind::Speed(1.0))),
        ("Control.reset", control(control::Kind::Reset(true))),
        ("Control.seed", control(control::Kind::Seed(3))),
        ("Control.load", control(control::Kind::Load("playground".to_owned()))),
        ("LoadMap", Asked::LoadMap(pb::LoadMap { data: "R 0 0".into(), ..Default::default() })),
        ("Place", Asked::Place(pb::Place::default())),
        ("Push", Asked::Push(pb::Push::default())),
        ("Grab", Asked::Grab(pb::Grab::default())),
        ("LetGo", Asked::LetGo(pb::LetGo::default())),
        ("Sigma", Asked::Sigma(pb::Sigma::default())),
        ("ForPrograms", Asked::ForPrograms(pb::ForPrograms::default())),
        ("Join", Asked::Join(pb::Join { period: 1 })),
        ("Answer", Asked::Answer(pb::Answer::default())),
        ("TimeTravel", Asked::TimeTravel(pb::TimeTravel { kind: Some(to_start) })),
        ("Record", Asked::Record(pb::Record { kind: Some(pb::record::Kind::Start(true)) })),
        ("ChangeGhosts", Asked::ChangeGhosts(pb::ChangeGhosts { kind: ghost, shift_s: 0.0 })),
    ]
}

#[test]
fn what_a_role_may_not_ask_is_refused_with_the_role_that_it_needs_and_changes_nothing() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let server = closed(&run, None);
    let all = every_message();
    assert_eq!(all.len(), ROLES.len());
    for role in [Role::Watch, Role::Drive] {
        for (name, message) in &all {
            let needs = ROLES.iter().find(|(listed, _)| listed == name).expect("listed").1;
            if needs <= role {
                continue;
            }
            // One each: refusals are few a second.
            let mut viewer = with_role(&server, role);
            viewer.frame();
            viewer.say(message.clone());
            let (text, needed) = refusal(&mut viewer);
            assert_eq!(needed, needs.into(), "{name}: {text}");
            let expected = format!(
                "{name} needs the role {}: this address is to {}.",
                needs.name(),
                role.name()
            );
            assert_eq!(text, expected);
        }
    }
    assert_eq!(*run.seen.lock().expect("not poisoned"), [], "nothing reached the loop");
}

#[test]
fn each_role_may_do_what_it_is_for() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let server = closed(&run, None);
    let mut watcher = with_role(&server, Role::Watch);
    let told = welcome(&mut watcher);
    assert!(told.role() == pb::Role::Watch && !told.may_control);
    assert!(watcher.frame().key);
    let mut driver = with_role(&server, Role::Drive);
    let told = welcome(&mut driver);
    assert!(told.role() == pb::Role::Drive && told.may_control && told.drive_robots.is_empty());
    driver.frame();
    driver.claim(1);
    watcher.drivers(|drivers| drivers.iter().any(|driver| driver.body == 1));
    driver.drive(1, 2.0, 2.0);
    run.wait_for(|seen| matches!(seen, Seen::Commands(all) if all[0].0 == RobotId(1)));
    driver.say(Asked::SetGoal(pb::SetGoal { body: 2, ..Default::default() }));
    run.wait_for(|seen| matches!(seen, Seen::Action(Action::Goal { robot: RobotId(2), .. })));
    let mut master = with_role(&server, Role::Control);
    assert_eq!(welcome(&mut master).role(), pb::Role::Control);
    master.control(control::Kind::Reset(true));
    run.wait_for(|seen| *seen == Seen::Reset);
    // Claims are for the drivers, whatever their role.
    master.claim(1);
    assert!(refusal(&mut master).0.contains("drives blue-2"));
}

#[test]
fn the_role_drive_may_be_for_some_robots_only() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let server = closed(&run, Some(&["blue-2", "yellow-1"]));
    let drive = |body| pb::Drive { body, ..Default::default() };
    let forbidden = [
        Asked::Claim(pb::Claim { body: 0, release: false }),
        Asked::Drive(drive(0)),
        Asked::DriveTeam(pb::DriveTeam { drives: vec![drive(1), drive(0)] }),
        Asked::SetGoal(pb::SetGoal { body: 0, ..Default::default() }),
        Asked::SetGoal(pb::SetGoal { body: 0, cancel: true, ..Default::default() }),
    ];
    for message in forbidden {
        let mut driver = with_role(&server, Role::Drive);
        assert_eq!(welcome(&mut driver).drive_robots, ["blue-2", "yellow-1"]);
        driver.frame();
        driver.say(message);
        let (text, needed) = refusal(&mut driver);
        assert_eq!(text, "blue-1 is not for this address, which drives blue-2, yellow-1.");
        assert_eq!(needed, pb::Role::Control);
    }
    assert_eq!(*run.seen.lock().expect("not poisoned"), []);
    let mut driver = with_role(&server, Role::Drive);
    driver.frame();
    driver.claim(1);
    run.wait_for(|seen| *seen == Seen::Action(Action::Stop { robot: RobotId(1) }));
    // Another scene has other names.
    let mut master = with_role(&server, Role::Control);
    assert!(welcome(&mut master).drive_robots.is_empty());
    master.frame();
    master.claim(0);
    run.wait_for(|seen| *seen == Seen::Action(Action::Stop { robot: RobotId(0) }));
}

#[test]
fn the_controller_of_a_lock_step_needs_the_role_control() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let server = closed(&run, None);
    let mut driver = with_role(&server, Role::Drive);
    driver.frame();
    driver.say(Asked::Join(pb::Join { period: 10 }));
    assert_eq!(refusal(&mut driver).1, pb::Role::Control);
    // It stays a viewer, with frames.
    driver.frame();
    let mut master = with_role(&server, Role::Control);
    master.say(Asked::Join(pb::Join { period: 10 }));
    run.wait_for(|seen| matches!(seen, Seen::Join(_, 10)));
}

#[test]
fn http_needs_a_token_of_any_role_and_says_which_it_is() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let server = closed(&run, None);
    let address = server.address();
    for role in Role::ALL {
        let token = server.tokens().expect("tokens").of(role);
        let access = get(address, &format!("/access?token={token}"), "localhost");
        assert!(access.starts_with("HTTP/1.1 204"), "{access}");
        assert!(access.contains(&format!("rolima-role: {}\r\n", role.name())), "{access}");
        let picture = get(address, &format!("/pictures/soccer.svg?token={token}"), "localhost");
        assert!(picture.starts_with("HTTP/1.1 200"), "{picture}");
        assert!(server.url_to(role).ends_with(&format!("/?token={token}")));
    }
    for path in ["/access", "/ws", "/pictures/soccer.svg", "/access?token=0", "/access?role=watch"]
    {
        assert!(get(address, path, "localhost").starts_with("HTTP/1.1 403"), "{path}");
    }
    // The page itself tells nothing about the run.
    assert!(get(address, "/", "localhost").starts_with("HTTP/1.1 200"));
}

fn relay_to(server: &ServerHandle, role: Role, options: ServerOptions) -> ServerHandle {
    let far = Far::new(&server.url_to(role), None).expect("an address");
    assert_eq!(far.ask(common::live::PATIENCE).expect("it answers"), role);
    Relay::start(options, far).expect("a relay")
}

#[test]
fn a_relay_hands_on_no_more_than_it_has() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let server = closed(&run, Some(&["blue-2"]));
    for role in Role::ALL {
        let relay = relay_to(&server, role, options());
        let mut viewer = connect(relay.address());
        let told = welcome(&mut viewer);
        assert_eq!(told.role(), role.into());
        assert_eq!(told.drive_robots.is_empty(), role != Role::Drive);
        viewer.frame();
        viewer.control(control::Kind::Reset(true));
        if role < Role::Control {
            assert_eq!(refusal(&mut viewer).1, pb::Role::Control);
            assert!(!run.has_seen(&Seen::Reset));
        } else {
            run.wait_for(|seen| *seen == Seen::Reset);
        }
    }
}

#[test]
fn a_relay_with_tokens_of_its_own_keeps_its_viewers_to_their_roles() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let server = closed(&run, None);
    let own = ServerOptions { tokens: Some(tokens()), ..options() };
    let relay = relay_to(&server, Role::Control, own);
    for role in Role::ALL {
        let mut viewer = with_role(&relay, role);
        assert_eq!(welcome(&mut viewer).role(), role.into());
        let token = relay.tokens().expect("tokens").of(role);
        let access = get(relay.address(), &format!("/access?token={token}"), "localhost");
        assert!(access.contains(&format!("rolima-role: {}\r\n", role.name())), "{access}");
    }
    let mut watcher = with_role(&relay, Role::Watch);
    watcher.frame();
    watcher.control(control::Kind::Pause(true));
    assert_eq!(refusal(&mut watcher).1, pb::Role::Control);
    assert!(!run.has_seen(&Seen::Pause));
    // A token of the simulator is none of the relay's.
    let far = server.tokens().expect("tokens").of(Role::Control);
    assert_eq!(try_connect(relay.address(), &format!("/ws?token={far}"), &[]).err(), Some(403));
}

#[test]
fn without_tokens_everybody_controls_and_may_ask_for_less() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let server = run.serve(options());
    let address: SocketAddr = server.address();
    assert_eq!(welcome(&mut connect(address)).role(), pb::Role::Control);
    let mut watcher = try_connect(address, "/ws?role=watch", &[]).expect("a WebSocket");
    assert_eq!(welcome(&mut watcher).role(), pb::Role::Watch);
    watcher.control(control::Kind::Reset(true));
    assert_eq!(refusal(&mut watcher).1, pb::Role::Control);
    // Where there is no way to the simulation, everybody watches.
    let server = Server::start(options(), run.reader(), Backend::watch_only()).expect("a server");
    let told = welcome(&mut connect(server.address()));
    assert!(told.role() == pb::Role::Watch && !told.may_control);
}

#[test]
fn control_lets_programs_drive_robots_and_everybody_is_told() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let for_programs = ForPrograms::named(["blue-2".to_owned()]);
    let backend = Backend { for_programs: Some(for_programs.clone()), ..run.backend() };
    let server = Server::start(options(), run.reader(), backend).expect("a server");
    let mut viewer = connect(server.address());
    let mut told = |wanted: &[u32]| {
        viewer.until(|kind| match kind {
            Kind::Drivers(all) if all.for_programs == wanted => Some(all),
            _ => None,
        })
    };
    let first = told(&[1]);
    assert!(first.programs_come && !first.all_for_programs);
    let mut master = connect(server.address());
    master.frame();
    master.say(Asked::ForPrograms(pb::ForPrograms { body: 4, on: true }));
    told(&[1, 4]);
    assert!(for_programs.may_drive("yellow-2"));
    master.say(Asked::ForPrograms(pb::ForPrograms { body: 1, on: false }));
    told(&[4]);
    master.say(Asked::ForPrograms(pb::ForPrograms { body: 600, on: true }));
    assert_eq!(refusal(&mut master), ("Body 600 is no robot.".to_owned(), pb::Role::Watch));
    // Without Robot One there is nothing to allow.
    let server = run.serve(options());
    let mut viewer = connect(server.address());
    assert!(!viewer.until(|kind| match kind {
        Kind::Drivers(all) => Some(all.programs_come),
        _ => None,
    }));
    viewer.frame();
    viewer.say(Asked::ForPrograms(pb::ForPrograms { body: 1, on: true }));
    assert!(refusal(&mut viewer).0.contains("no Robot One"));
    wait_until(|| !for_programs.may_drive("blue-2"));
}
