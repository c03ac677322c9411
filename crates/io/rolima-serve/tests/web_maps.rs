//! Maps that viewers send.

use crate::common;

use common::live::{PATIENCE, Run, Seen, Viewer, connect, options, wait_until};
use rolima_scene::rolima_map;
use rolima_serve::{Backend, BlockPlace, Server, ServerLimits, ServerOptions};
use rolima_wire::map::{MOST_MAP_BYTES, MOST_MAP_MESSAGE_BYTES};
use rolima_wire::pb::{self, client_message, server_message::Kind};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Instant;
use tokio_tungstenite::tungstenite::Message;

fn send(viewer: &mut Viewer, map: pb::LoadMap) {
    viewer.say(client_message::Kind::LoadMap(map));
}

fn text(request: u32, text: &str) -> pb::LoadMap {
    pb::LoadMap {
        request,
        name: "a.txt".into(),
        data: text.to_owned().into(),
        ..pb::LoadMap::default()
    }
}

fn answer(viewer: &mut Viewer) -> pb::MapAnswer {
    viewer.until(|kind| match kind {
        Kind::MapAnswer(answer) => Some(answer),
        _ => None,
    })
}

#[test]
fn a_map_becomes_the_world_of_all_viewers_with_its_text() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let server = run.serve(options());
    let (mut ana, mut rui) = (connect(server.address()), connect(server.address()));
    ana.frame();
    rui.frame();
    send(&mut ana, text(5, "W -3 0 3 0\nR 1 1 # here\nB 2 2\nL 0 0 1 0\n"));
    let answered = answer(&mut ana);
    assert_eq!((answered.request, answered.loaded, answered.error.as_str()), (5, true, ""));
    let scene = rui.until(|kind| match kind {
        Kind::Scene(scene) => Some(scene),
        _ => None,
    });
    assert_eq!((scene.name.as_str(), scene.generation), ("a.txt", 2));
    assert_eq!((scene.walls.len(), scene.bodies.len()), (1, 2));
    assert_eq!((scene.markings[0].width, scene.markings[0].colour), (0.1, 0xf5_c4_00));
    let map = scene.map.expect("it comes from a map");
    assert_eq!((map.text.as_str(), map.width), ("W -3 0 3 0\nR 1 1\nB 2 2\nL 0 0 1 0\n", 0.0));
    // One who comes later is told, too; and a scene of another kind comes from no map.
    let mut eva = connect(server.address());
    let scene = |kind| match kind {
        Kind::Scene(scene) => Some(scene),
        _ => None,
    };
    assert!(eva.until(scene).map.is_some());
    eva.control(pb::control::Kind::Load("playground".to_owned()));
    assert!(eva.until(scene).map.is_none());
}

#[test]
fn a_bad_map_and_one_that_is_only_read_leave_the_world_alone() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let server = run.serve(options());
    let mut viewer = connect(server.address());
    viewer.frame();
    send(&mut viewer, text(1, "W 1 2 3\nR 0 two\n"));
    let answered = answer(&mut viewer);
    assert_eq!((answered.request, answered.loaded), (1, false));
    let lines: Vec<&str> = answered.error.lines().collect();
    assert!(lines[0].starts_with("a.txt:1:8: expected 4 fields") && lines.len() == 2, "{lines:?}");
    assert!(lines[1].contains("a.txt:2:5: ") && lines[1].contains("got \"two\""), "{lines:?}");

    send(&mut viewer, pb::LoadMap { only_read: true, ..text(2, "W 1 2 3 4") });
    let answered = answer(&mut viewer);
    assert_eq!((answered.loaded, answered.text.as_str()), (false, "W 1 2 3 4\n"));
    send(&mut viewer, pb::LoadMap { data: (&b"\x89PNG but no more"[..]).into(), ..text(3, "") });
    assert!(answer(&mut viewer).error.contains("a.txt: expected a whole PNG picture"));
    send(&mut viewer, pb::LoadMap { width: 3.0, height: 4.0, ..text(4, "R 1 1") });
    assert!(answer(&mut viewer).error.contains("expected no size"));
    assert!(!run.seen.lock().unwrap().iter().any(|seen| matches!(seen, Seen::Load(_))));
    assert_eq!(viewer.frame().generation, 1);
}

#[test]
fn the_largest_map_comes_through_and_what_is_larger_ends_the_connection() {
    assert_eq!(MOST_MAP_BYTES, rolima_map::MAX_PICTURE_BYTES);
    let run = Run::start("soccer", BlockPlace::Anonymous);
    // A map counts as 257 messages, and twice as many as a second's may come at once.
    let limits = ServerLimits { messages_per_second: 130, ..ServerLimits::default() };
    let server = run.serve(ServerOptions { limits, ..options() });
    let mut viewer = connect(server.address());
    viewer.frame();
    let mut data = vec![0; MOST_MAP_BYTES];
    data[..4].copy_from_slice(b"\x89PNG");
    let large = |request| pb::LoadMap { data: data.clone().into(), ..text(request, "") };
    send(&mut viewer, large(1));
    assert!(answer(&mut viewer).error.contains("expected a whole PNG picture"));
    // One after the other is more than may come in a second: dropped, and told. On a machine so
    // slow that two seconds lie between two of them, the next one is.
    let start = Instant::now();
    for request in 2.. {
        send(&mut viewer, large(request));
        let is_dropped = viewer.until(|kind| match kind {
            Kind::Notice(notice) if notice.text.contains("Too many messages") => Some(true),
            Kind::MapAnswer(answer) if answer.request == request => Some(false),
            _ => None,
        });
        if is_dropped {
            break;
        }
        assert!(start.elapsed() < PATIENCE, "none was dropped");
    }
    let longer = vec![0; MOST_MAP_MESSAGE_BYTES + 1];
    let _ = viewer.socket.send(Message::binary(longer));
    while viewer.try_next().is_some() {}
    wait_until(|| server.stats().viewers == 0);
}

#[test]
fn a_slow_map_of_one_viewer_keeps_no_other_waiting() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let gate = Arc::new((Mutex::new(false), Condvar::new()));
    let inner = run.backend();
    let (read, opened) = (inner.load_map.clone(), Arc::clone(&gate));
    let backend = Backend {
        load_map: Arc::new(move |asked| {
            if asked.name == "slow.txt" {
                let closed = opened.0.lock().unwrap();
                drop(opened.1.wait_while(closed, |open| !*open).unwrap());
            }
            read(asked)
        }),
        ..inner
    };
    let server = Server::start(options(), run.reader(), backend).expect("a server");
    let (mut ana, mut rui) = (connect(server.address()), connect(server.address()));
    ana.frame();
    rui.frame();
    send(&mut ana, pb::LoadMap { name: "slow.txt".into(), ..text(1, "R 0 0") });
    // Handled after it, so that the map is being read now, or will be before the next one.
    ana.control(pb::control::Kind::Speed(2.0));
    wait_until(|| run.seen.lock().unwrap().iter().any(|seen| matches!(seen, Seen::Speed(_))));
    // Of each viewer one is read at a time, scenes included.
    send(&mut ana, text(2, "R 0 0"));
    let answered = answer(&mut ana);
    assert_eq!((answered.request, answered.error.as_str()), (2, "Another scene is being loaded."));
    // Others are read beside it, one after the other, and become the world.
    for request in 9..12 {
        send(&mut rui, text(request, "R 0 0"));
        let answered = answer(&mut rui);
        assert_eq!((answered.request, answered.loaded), (request, true), "{}", answered.error);
    }
    *gate.0.lock().unwrap() = true;
    gate.1.notify_all();
    assert!(answer(&mut ana).loaded);
    // They become the world in the order in which they are ready.
    let loads = || {
        let load = |seen: &Seen| match seen {
            Seen::Load(name) => Some(name.clone()),
            _ => None,
        };
        run.seen.lock().unwrap().iter().filter_map(load).collect::<Vec<String>>()
    };
    wait_until(|| loads().len() == 4);
    assert_eq!(loads(), ["a.txt", "a.txt", "a.txt", "slow.txt"]);
    send(&mut ana, text(3, "R 0 0"));
    assert!(answer(&mut ana).loaded);
}

#[test]
fn who_may_only_watch_loads_no_map() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let server = Server::start(options(), run.reader(), Backend::watch_only()).expect("a server");
    let mut viewer = connect(server.address());
    viewer.frame();
    send(&mut viewer, text(1, "R 0 0"));
    assert_eq!(viewer.notice(), "This viewer can only watch.");
}

/// A picture of 60 x 40 pixels with a bar 4 px thick and a dot of three pixels, as an uncompressed BMP.
fn bar_and_dot() -> Vec<u8> {
    let is_bar = |x: usize, y: usize| (10..50).contains(&x) && (8..12).contains(&y);
    let is_dot = |x: usize, y: usize| (30..33).contains(&x) && y == 38;
    rolima_testing::bmp(60, 40, |x, y| [if is_bar(x, y) || is_dot(x, y) { 0 } else { 255 }; 3])
}

#[test]
fn what_a_picture_leaves_out_is_told_to_who_sent_it_and_to_all_who_see_its_world() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let server = run.serve(options());
    let (mut ana, mut rui) = (connect(server.address()), connect(server.address()));
    ana.frame();
    rui.frame();
    let size = (6.0, 4.0);
    let map = pb::LoadMap {
        request: 7,
        name: "bar.bmp".into(),
        data: bar_and_dot().into(),
        width: size.0,
        height: size.1,
        ..pb::LoadMap::default()
    };
    send(&mut ana, map);
    let told = ["black ink was left out: 3 px at (-1.85, -0.15) m"];
    let answered = answer(&mut ana);
    assert_eq!((answered.loaded, &answered.notes[..]), (true, &told.map(str::to_owned)[..]));
    let scene = |kind| match kind {
        Kind::Scene(scene) => Some(scene),
        _ => None,
    };
    assert_eq!(rui.until(scene).notes, told);
    // Those who come later see it, too; another scene has none.
    let mut eva = connect(server.address());
    assert_eq!(eva.until(scene).notes, told);
    eva.control(pb::control::Kind::Load("playground".to_owned()));
    assert!(eva.until(scene).notes.is_empty());
}
