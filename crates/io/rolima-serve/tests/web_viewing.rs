//! What viewers see.

use crate::common;

use common::live::{Run, Viewer, connect, get, options, wait_until};
use common::{Folder, model};
use rolima_serve::web::Far;
use rolima_serve::{Backend, BlockPlace, Relay, Server, ServerLimits, ServerOptions, StateReader};
use rolima_wire::pb::{self, server_message::Kind};
use std::time::Duration;

#[test]
fn messages_come_in_the_promised_order() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let server = run.serve(options());
    let mut viewer = connect(server.address());
    let Kind::Welcome(welcome) = viewer.next() else { panic!("Welcome first") };
    assert_eq!((welcome.protocol, welcome.client, welcome.may_control), (1, 1, true));
    assert_eq!(welcome.name, "guest 1");
    let Kind::Scenes(scenes) = viewer.next() else { panic!("then Scenes") };
    assert_eq!(scenes.entries[0].picture, "pictures/soccer.svg");
    let Kind::Scene(scene) = viewer.next() else { panic!("then Scene") };
    assert_eq!(scene, rolima_wire::scene::message(&model("soccer"), 1, "soccer"));
    let Kind::Drivers(drivers) = viewer.next() else { panic!("then Drivers") };
    assert!(drivers.drivers.is_empty());
    let Kind::Frame(first) = viewer.next() else { panic!("then frames") };
    assert!(first.key && first.x.len() == 7 && first.volts_left.len() == 6);
    assert!(first.status.is_some_and(|status| status.viewers == 1));
    let mut last = first.step;
    let mut told = 0;
    for _ in 0..30 {
        let frame = viewer.frame();
        assert!(frame.step >= last && frame.generation == 1);
        // Whole ones only for viewers that have skipped some, which a busy machine may cause.
        assert!(frame.key || frame.body.len() == frame.x.len());
        told += u32::from(frame.status.is_some());
        last = frame.step;
    }
    assert!(last > first.step && told > 0);
}

#[test]
fn another_scene_is_shown_to_all() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let server = run.serve(options());
    let (mut one, mut other) = (connect(server.address()), connect(server.address()));
    one.frame();
    one.control(pb::control::Kind::Load("playground".to_owned()));
    for viewer in [&mut one, &mut other] {
        let scene = viewer.until(|kind| match kind {
            Kind::Scene(scene) if scene.generation == 2 => Some(scene),
            _ => None,
        });
        assert_eq!(scene.name, "playground");
        let frame = viewer.frame();
        assert!(frame.key && frame.generation == 2);
        assert_eq!(frame.x.len(), scene.bodies.len());
    }
    one.control(pb::control::Kind::Load("../../etc/passwd".to_owned()));
    assert!(one.notice().contains("no scene"));
}

#[test]
fn pause_is_told_and_frames_stand_still() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let server = run.serve(options());
    let mut viewer = connect(server.address());
    viewer.frame();
    viewer.control(pb::control::Kind::Pause(true));
    let paused = viewer.until(|kind| match kind {
        Kind::Frame(frame) if frame.status.is_some_and(|status| status.paused) => Some(frame.step),
        _ => None,
    });
    for _ in 0..10 {
        let frame = viewer.frame();
        assert_eq!((frame.step, frame.key || frame.body.is_empty()), (paused, true));
    }
    viewer.control(pb::control::Kind::Step(5));
    viewer.until(|kind| matches!(kind, Kind::Frame(f) if f.step == paused + 5).then_some(()));
}

#[test]
fn a_viewer_in_another_process_watches_through_the_file() {
    let folder = Folder::new("watch");
    let path = folder.file("run.state");
    let run = Run::start("soccer", BlockPlace::File(path.clone()));
    let reader = StateReader::open(&path).expect("a block");
    let server = Server::start(options(), reader, Backend::watch_only()).expect("a server");
    let mut viewer = connect(server.address());
    let Kind::Welcome(welcome) = viewer.next() else { panic!("Welcome") };
    assert!(!welcome.may_control);
    assert!(viewer.frame().key);
    viewer.control(pb::control::Kind::Pause(true));
    assert!(viewer.notice().contains("only watch"));
    assert!(run.seen.lock().unwrap().is_empty());
    drop(run);
    viewer.until(|kind| match kind {
        Kind::Frame(frame) => frame.status.is_some_and(|status| status.ended).then_some(()),
        _ => None,
    });
}

#[test]
fn page_picture_and_health_are_served_with_their_headers() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let server = run.serve(options());
    let page = get(server.address(), "/", "localhost");
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("<html"), "{page}");
    let lower = page.to_lowercase();
    for header in [
        "content-security-policy: default-src 'self'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "content-type: text/html",
    ] {
        assert!(lower.contains(header), "{header} in {page}");
    }
    let is_notice = page.contains("cargo xtask run") && page.contains("npm ci");
    assert_eq!(is_notice, !server.has_page(), "how to build the page is told where there is none");
    assert!(!lower.contains("unsafe-eval") && !lower.contains("script-src"));
    for _ in 0..2 {
        let picture = get(server.address(), "/pictures/playground.svg", "localhost");
        assert!(picture.contains("image/svg+xml") && picture.contains("<svg"), "{picture}");
        assert!(picture.matches("<g transform").count() > 5);
    }
    assert!(get(server.address(), "/healthz", "localhost").ends_with("ok\n"));
    for path in ["/pictures/nothing.svg", "/pictures/soccer", "/nothing.js", "/../Cargo.toml"] {
        let answer = get(server.address(), path, "localhost");
        assert!(answer.starts_with("HTTP/1.1 40"), "{path}: {answer}");
    }
}

#[test]
fn a_relay_shows_the_same_and_passes_controls_on() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let server = run.serve(options());
    let relay = Relay::start(options(), Far::new(&server.url(), None).expect("an address"))
        .expect("a relay");
    let mut viewer = connect(relay.address());
    assert!(matches!(viewer.next(), Kind::Welcome(_)));
    assert!(viewer.frame().key);
    // Whole ones only for viewers that have skipped some, which a busy machine may cause.
    viewer.until(|kind| matches!(kind, Kind::Frame(frame) if !frame.key).then_some(()));
    viewer.control(pb::control::Kind::Seed(77));
    viewer.until(|kind| match kind {
        Kind::Frame(frame) => frame.status.filter(|status| status.seed == 77),
        _ => None,
    });
    let picture = get(relay.address(), "/pictures/soccer.svg", "localhost");
    assert!(picture.contains("<svg"), "{picture}");
    drop(server);
    while viewer.try_next().is_some() {}
    wait_until(|| relay.stats().viewers == 0);
    // The other side is gone: the connection is refused at once.
    let mut late = connect(relay.address());
    assert!(late.try_next().is_none());
}

#[test]
fn frames_are_encoded_at_most_twice_for_any_number_of_viewers() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let server = run.serve(options());
    let mut viewers: Vec<_> = (0..20).map(|_| connect(server.address())).collect();
    for _ in 0..20 {
        for viewer in &mut viewers {
            viewer.frame();
        }
    }
    // A frame counts when it is sent, which may be after it was seen.
    wait_until(|| server.stats().frames_sent >= 400);
    let stats = server.stats();
    assert_eq!(stats.viewers, 20);
    assert!(stats.encodings <= 2 * stats.ticks, "{stats:?}");
    assert!(stats.encoding > Duration::ZERO && stats.bytes_sent > 10_000, "{stats:?}");
}

#[test]
fn a_viewer_that_stops_reading_is_cut_off_and_others_do_not_notice() {
    // Large frames fill its buffers soon.
    let run = Run::start("crowd", BlockPlace::Anonymous);
    // A machine that stalls for so long lets the lively one stop reading, too.
    let write_timeout = Duration::from_secs(5);
    let limits = ServerLimits { write_timeout, ..ServerLimits::default() };
    let server = run.serve(ServerOptions { limits, ..options() });
    let stalled = connect(server.address());
    let mut lively = connect(server.address());
    wait_until(|| {
        lively.frame();
        server.stats().cut_off > 0
    });
    wait_until(|| server.stats().viewers == 1);
    assert_eq!(server.stats().cut_off, 1);
    let step = lively.frame().step;
    lively.until(|kind| matches!(kind, Kind::Frame(frame) if frame.step > step).then_some(()));
    drop(stalled);
}

/// Reads on until the run stands still after a step; events told and events counted as dropped.
fn read_to_pause(viewer: &mut Viewer, step: u64) -> (u64, u64) {
    let (mut told, mut dropped) = (0, 0);
    wait_until(|| {
        let frame = viewer.frame();
        told += frame.events.len() as u64;
        dropped += u64::from(frame.events_dropped);
        frame.step > step && frame.status.is_some_and(|status| status.paused)
    });
    (told, dropped)
}

#[test]
fn a_viewer_that_skips_frames_misses_no_event() {
    let run = Run::start("crowd", BlockPlace::Anonymous);
    let server = run.serve(options());
    let mut quick = connect(server.address());
    wait_until(|| quick.frame().step > 0);
    quick.control(pb::control::Kind::Pause(true));
    read_to_pause(&mut quick, 0);
    let mut slow = connect(server.address());
    let first = slow.frame();
    assert!(first.key);
    quick.control(pb::control::Kind::Play(true));
    let (mut told, mut dropped) = (0, 0);
    let start = server.stats();
    // The slow one rests until many frames were made that were sent to nobody,
    // and something has happened in them: a busy machine simulates little in 40 frames.
    wait_until(|| {
        let frame = quick.frame();
        told += frame.events.len() as u64;
        dropped += u64::from(frame.events_dropped);
        let stats = server.stats();
        let made = 2 * (stats.ticks - start.ticks);
        let done = stats.frames_sent + stats.frames_dropped - start.frames_sent;
        told > 0 && made >= done + 40
    });
    quick.control(pb::control::Kind::Pause(true));
    let rest = read_to_pause(&mut quick, first.step);
    let at_once = (told + rest.0, dropped + rest.1);
    let late = read_to_pause(&mut slow, first.step);
    assert!(server.stats().frames_dropped >= 20, "it has skipped some");
    assert_eq!(late.0 + late.1, at_once.0 + at_once.1, "{late:?} {at_once:?}");
}
