//! What is half sent, sent too often, or never sent: nobody is locked out by it, and memory is
//! bounded.

use crate::common;

use common::live::{PATIENCE, Run, Viewer, connect, get, options, raw, wait_until};
use rolima_serve::{BlockPlace, ServerHandle, ServerLimits, ServerOptions};
use rolima_wire::pb::{self, client_message, server_message::Kind};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// A frame as clients send it, masked by zeros: opcode and whether it is the last of its message.
fn frame(opcode: u8, is_final: bool, content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![opcode | if is_final { 0x80 } else { 0 }];
    match content.len() {
        length @ 0..126 => bytes.push(0x80 | length as u8),
        length => {
            bytes.push(0x80 | 127);
            bytes.extend((length as u64).to_be_bytes());
        }
    }
    bytes.extend([0; 4]);
    bytes.extend(content);
    bytes
}

const BINARY: u8 = 2;
const MORE: u8 = 0;
const PONG: u8 = 10;

/// False where the server takes no more.
fn send(viewer: &mut Viewer, bytes: &[u8]) -> bool {
    viewer.socket.get_mut().write_all(bytes).is_ok()
}

/// A server on this machine with limits of its own, and a viewer that stays.
fn serve(run: &Run, limits: ServerLimits) -> (ServerHandle, Viewer) {
    let server = run.serve(ServerOptions { limits, ..options() });
    let mut witness = connect(server.address());
    witness.frame();
    (server, witness)
}

/// The witness gets new frames.
fn goes_on(witness: &mut Viewer) {
    let step = witness.frame().step;
    wait_until(|| witness.frame().step > step);
}

#[test]
fn half_sent_maps_share_one_memory() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let limits =
        ServerLimits { half_sent_bytes: 1 << 20, silence: PATIENCE, ..ServerLimits::default() };
    let (server, mut witness) = serve(&run, limits);
    let half = vec![0; 700_000];
    // Of each viewer 64 KiB are its own.
    let held = 700_000 - (64 << 10);
    let mut first = connect(server.address());
    assert!(send(&mut first, &frame(BINARY, false, &half)));
    wait_until(|| server.stats().half_sent_bytes == held);
    let refused = |witness: &mut Viewer| {
        let mut next = connect(server.address());
        send(&mut next, &frame(BINARY, false, &half));
        send(&mut next, &frame(MORE, false, &half));
        let mut told = None;
        while let Some(kind) = next.try_next() {
            if let Kind::Notice(notice) = kind {
                told = Some(notice.text);
            }
        }
        goes_on(witness);
        told
    };
    let no_room = "Too many maps are being sent at once: try again in a while.";
    assert_eq!(refused(&mut witness).as_deref(), Some(no_room));
    // It comes back with whoever gave up, or was cut off.
    drop(first);
    wait_until(|| server.stats().half_sent_bytes == 0);
    let mut whole = connect(server.address());
    let kind = client_message::Kind::LoadMap(pb::LoadMap {
        request: 7,
        name: "a.txt".to_owned(),
        data: vec![b'#'; 900_000].into(),
        ..pb::LoadMap::default()
    });
    whole.say(kind);
    whole
        .until(|kind| matches!(kind, Kind::MapAnswer(answer) if answer.request == 7).then_some(()));
    assert_eq!(server.stats().cut_off, 1);
}

#[test]
fn pongs_between_fragments_do_not_keep_a_message_open() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let message_timeout = Duration::from_millis(200);
    let limits =
        ServerLimits { message_timeout, silence: 10 * PATIENCE, ..ServerLimits::default() };
    let (server, mut witness) = serve(&run, limits);
    let mut slow = connect(server.address());
    send(&mut slow, &frame(BINARY, false, &[1]));
    wait_until(|| {
        send(&mut slow, &frame(PONG, true, &[]));
        goes_on(&mut witness);
        server.stats().cut_off == 1
    });
    wait_until(|| server.stats().viewers == 1);
    // A message in pieces that ends in time is one like any other.
    let mut patient = connect(server.address());
    patient.frame();
    send(&mut patient, &frame(BINARY, false, &[0x7f]));
    send(&mut patient, &frame(PONG, true, &[]));
    send(&mut patient, &frame(MORE, true, &[]));
    assert!(patient.notice().contains("not a ClientMessage"));
}

#[test]
fn floods_of_pongs_and_of_empty_fragments_are_cut_off() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let (server, mut witness) = serve(&run, ServerLimits::default());
    for (count, part) in [(1, frame(PONG, true, &[])), (2, frame(MORE, false, &[]))] {
        let mut flood = connect(server.address());
        flood.frame();
        send(&mut flood, &frame(BINARY, false, &[]));
        let many = part.repeat(10_000);
        wait_until(|| {
            send(&mut flood, &many);
            goes_on(&mut witness);
            server.stats().cut_off == count
        });
    }
    wait_until(|| server.stats().viewers == 1);
}

#[test]
fn half_heads_and_idle_connections_lock_nobody_out() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    // So long that nobody is let in because others were given up.
    let limits = ServerLimits { request_timeout: 100 * PATIENCE, ..ServerLimits::default() };
    let (server, mut witness) = serve(&run, limits);
    let address = server.address();
    let strangers: Vec<TcpStream> = (0..420).map(|i| stranger(address, i % 2 == 0)).collect();
    for _ in 0..20 {
        assert!(get(address, "/healthz", "localhost").ends_with("ok\n"));
        connect(address).frame();
    }
    goes_on(&mut witness);
    // The first ones had to go; the last ones are still there.
    let mut first = &strangers[0];
    first.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    assert!(!matches!(first.read(&mut [0; 1]), Ok(1..)));
    let mut last = strangers.last().expect("strangers");
    last.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    last.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        .expect("sent");
    let mut answer = String::new();
    last.read_to_string(&mut answer).expect("an answer");
    assert!(answer.ends_with("ok\n"), "{answer}");
}

/// A connection with half a request, or without any.
fn stranger(address: SocketAddr, says_something: bool) -> TcpStream {
    let mut stream = TcpStream::connect(address).expect("a connection");
    if says_something {
        stream.write_all(b"GET / HTTP/1.1\r\nHost: local").expect("sent");
    }
    stream
}

#[test]
fn what_is_no_port_does_not_get_into_the_policy() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let server = run.serve(options());
    for host in ["localhost:80 wss://evil.example", "localhost:*", "127.0.0.1:1;script-src *"] {
        let answer = get(server.address(), "/", host);
        assert!(answer.starts_with("HTTP/1.1 40"), "{host}: {answer}");
        let policy = answer.lines().find(|line| line.starts_with("content-security-policy"));
        let is_clean = |policy: &str| !policy.contains("evil") && !policy.contains('*');
        assert!(policy.is_none_or(is_clean), "{host}: {policy:?}");
    }
    let answer = get(server.address(), "/", "localhost:8642");
    assert!(answer.contains("connect-src 'self' ws://localhost:8642 wss://localhost:8642;"));
}

#[test]
fn what_asks_for_no_websocket_gets_none() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let server = run.serve(options());
    assert!(get(server.address(), "/ws", "localhost").starts_with("HTTP/1.1 400"));
    let head =
        "GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: websocket\r\n";
    for wrong in ["Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="] {
        let answer = raw(server.address(), format!("{head}{wrong}\r\n\r\n").as_bytes());
        assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
    }
    wait_until(|| server.stats().viewers == 0);
}

#[test]
fn a_map_that_is_dropped_because_of_the_rate_gets_an_answer() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let limits = ServerLimits { messages_per_second: 20, ..ServerLimits::default() };
    let (_server, mut viewer) = serve(&run, limits);
    let map = |request| pb::LoadMap {
        request,
        name: "a.txt".to_owned(),
        data: vec![b'x'; 1000].into(),
        only_read: true,
        ..pb::LoadMap::default()
    };
    // In one piece, as in a flood; none is lost without a word.
    for request in 1..=60 {
        viewer.write(client_message::Kind::LoadMap(map(request)));
    }
    viewer.socket.flush().expect("sent");
    let mut answers = vec![];
    while answers.len() < 60 {
        answers.push(viewer.until(|kind| match kind {
            Kind::MapAnswer(answer) => Some(answer),
            _ => None,
        }));
    }
    let dropped = answers.iter().filter(|answer| answer.error.contains("Too many")).count();
    assert!(dropped > 0 && dropped < 60, "{dropped}");
    let mut requests: Vec<u32> = answers.iter().map(|answer| answer.request).collect();
    requests.sort_unstable();
    assert_eq!(requests, (1..=60).collect::<Vec<_>>());
}
