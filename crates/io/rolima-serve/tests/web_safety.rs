//! Who is kept out, and what a server bears.

use crate::common;

use common::live::{PATIENCE, Run, connect, get, options, raw, try_connect, wait_until};
use rolima_serve::web::{DEFAULT_PORT, Far, Role};
use rolima_serve::{BlockPlace, Listen, Relay, ServerLimits, ServerOptions};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::Duration;
use tokio_tungstenite::tungstenite::Message;

#[test]
fn pages_from_elsewhere_cannot_connect() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let server = run.serve(options());
    let address = server.address();
    let own = format!("http://{address}");
    assert!(try_connect(address, "/ws", &[("Origin", own.as_str())]).is_ok());
    for origin in ["http://evil.example", "null", "http://localhost:1", "https://127.0.0.1"] {
        let refused = try_connect(address, "/ws", &[("Origin", origin)]);
        assert_eq!(refused.err(), Some(403), "{origin}");
    }
    // A stranger's name that points at this machine.
    for path in ["/", "/ws", "/healthz", "/pictures/soccer.svg"] {
        let answer = get(address, path, "evil.example");
        assert!(answer.starts_with("HTTP/1.1 403"), "{path}: {answer}");
    }
    let answer = |head: &str| raw(address, format!("{head}Connection: close\r\n\r\n").as_bytes());
    assert!(answer("GET / HTTP/1.1\r\n").starts_with("HTTP/1.1 40"));
    let twice = "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n";
    assert!(answer(twice).starts_with("HTTP/1.1 40"));
    let post = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n";
    assert!(answer(post).starts_with("HTTP/1.1 405"));
}

#[test]
fn other_machines_need_the_token_unless_it_is_open() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let listen = Listen::At("0.0.0.0:0".parse().expect("an address"));
    let server = run.serve(ServerOptions { listen, ..options() });
    let address: SocketAddr = ([127, 0, 0, 1], server.address().port()).into();
    let token = server.tokens().expect("tokens").of(Role::Control).to_owned();
    assert_eq!(token.len(), 32);
    assert!(server.url().ends_with(&format!("/?token={token}")));
    assert_eq!(try_connect(address, "/ws", &[]).err(), Some(403));
    assert_eq!(try_connect(address, "/ws?token=0", &[]).err(), Some(403));
    assert!(try_connect(address, &format!("/ws?token={token}"), &[]).is_ok());
    // The page's address gives a cookie.
    let page = get(address, &format!("/?token={token}"), "localhost");
    let cookie = format!("rolima_token={token}");
    assert!(page.contains(&format!("{cookie}; Path=/; HttpOnly; SameSite=Strict")), "{page}");
    assert!(!get(address, "/?token=0", "localhost").contains("rolima_token"));
    assert!(try_connect(address, "/ws", &[("Cookie", cookie.as_str())]).is_ok());
    // A relay knows it too.
    let far = format!("http://{address}/?token={token}");
    let far = Far::new(&far, None).expect("an address");
    let relay = Relay::start(options(), far).expect("a relay");
    assert!(connect(relay.address()).frame().key);

    let open = run.serve(ServerOptions { listen, open: true, ..options() });
    assert_eq!(open.tokens(), None);
    let address: SocketAddr = ([127, 0, 0, 1], open.address().port()).into();
    assert!(try_connect(address, "/ws", &[]).is_ok());
}

#[test]
fn by_default_it_listens_here_only_and_takes_the_next_free_port() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    // Taken by us, or by somebody else already.
    let _taken = TcpListener::bind(("127.0.0.1", DEFAULT_PORT));
    let server = run.serve(ServerOptions::default());
    assert!(server.address().ip().is_loopback() && server.tokens().is_none());
    assert!(server.address().port() > DEFAULT_PORT);
    assert_eq!(server.was_taken(), Some(([127, 0, 0, 1], DEFAULT_PORT).into()));
    assert!(connect(server.address()).frame().key);
    // One that was asked for is not replaced.
    let listen = Listen::At(server.address());
    let again = rolima_serve::Server::start(
        ServerOptions { listen, ..options() },
        run.reader(),
        run.backend(),
    );
    assert!(again.err().expect("taken").to_string().contains("cannot listen at 127.0.0.1"));
}

#[test]
fn random_bytes_and_endless_heads_end_without_harm() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let request_timeout = Duration::from_millis(300);
    let limits = ServerLimits { request_timeout, ..ServerLimits::default() };
    let server = run.serve(ServerOptions { limits, ..options() });
    let address = server.address();
    let mut state = 1u64;
    let mut random = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as u8
    };
    for length in [1, 7, 100, 4000, 100_000] {
        let bytes: Vec<u8> = (0..length).map(|_| random()).collect();
        raw(address, &bytes);
    }
    let long = format!("GET / HTTP/1.1\r\nHost: localhost\r\nX: {}\r\n\r\n", "y".repeat(100_000));
    assert!(!raw(address, long.as_bytes()).starts_with("HTTP/1.1 200"));
    let many = format!("GET / HTTP/1.1\r\nHost: localhost\r\n{}\r\n", "X: y\r\n".repeat(500));
    assert!(!raw(address, many.as_bytes()).starts_with("HTTP/1.1 200"));
    // Heads that never end, and connections that say nothing: closed after a while.
    let slow: Vec<TcpStream> = (0..50)
        .map(|i| {
            let mut stream = TcpStream::connect(address).expect("a connection");
            if i % 2 == 0 {
                stream.write_all(b"GET / HTTP/1.1\r\nHost: local").expect("sent");
            }
            stream
        })
        .collect();
    for mut stream in slow {
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        let mut answer = vec![];
        // Ended by the server: no error by the timeout.
        match stream.read_to_end(&mut answer) {
            Ok(_) => {}
            Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset),
        }
    }
    // A busy machine may be late with a good request, too, and ask again.
    wait_until(|| get(address, "/healthz", "localhost").ends_with("ok\n"));
}

#[test]
fn random_bytes_after_the_handshake_and_long_messages_end_that_viewer_only() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let server = run.serve(options());
    let mut witness = connect(server.address());
    let mut broken = connect(server.address());
    broken.frame();
    broken.socket.get_mut().write_all(&[0xf7; 5000]).expect("sent");
    while broken.try_next().is_some() {}
    let mut long = connect(server.address());
    long.frame();
    let _ = long.socket.send(Message::binary(vec![0; 200_000]));
    while long.try_next().is_some() {}
    wait_until(|| server.stats().viewers == 1);
    let step = witness.frame().step;
    wait_until(|| witness.frame().step > step);
}

#[test]
fn two_hundred_viewers_that_vanish_leave_nothing_behind() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let server = run.serve(options());
    let mut witness = connect(server.address());
    for round in 0..4u64 {
        let viewers: Vec<_> = (0..50).map(|_| connect(server.address())).collect();
        wait_until(|| server.stats().viewers == 51);
        for (i, mut viewer) in viewers.into_iter().enumerate() {
            if i % 3 == 0 {
                viewer.claim((i % 6) as u32);
            }
            // Without a goodbye.
            drop(viewer);
        }
        wait_until(|| {
            witness.frame();
            server.stats().viewers == 1
        });
        assert_eq!(server.stats().viewers_ever, 1 + 50 * (round + 1));
    }
    let step = witness.frame().step;
    wait_until(|| witness.frame().step > step);
}

#[test]
fn a_half_open_connection_is_noticed() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    // A machine that stalls for most of this lets the lively one be silent, too.
    let limits = ServerLimits { silence: PATIENCE / 3, ..ServerLimits::default() };
    let server = run.serve(ServerOptions { limits, ..options() });
    // It reads nothing, so that it answers no question; small frames go into its buffers.
    let silent = connect(server.address());
    let mut lively = connect(server.address());
    wait_until(|| {
        lively.frame();
        server.stats().cut_off > 0
    });
    // One who answers stays, though it says nothing of its own.
    for _ in 0..100 {
        lively.frame();
    }
    wait_until(|| server.stats().viewers == 1);
    assert_eq!(server.stats().cut_off, 1);
    drop(silent);
}

#[test]
fn viewers_are_bounded() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let limits = ServerLimits { viewers: 3, ..ServerLimits::default() };
    let server = run.serve(ServerOptions { limits, ..options() });
    let three: Vec<_> = (0..3).map(|_| connect(server.address())).collect();
    assert_eq!(try_connect(server.address(), "/ws", &[]).err(), Some(503));
    drop(three);
    wait_until(|| server.stats().viewers == 0);
    assert!(try_connect(server.address(), "/ws", &[]).is_ok());
}

#[test]
fn a_server_that_ends_says_goodbye() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let server = run.serve(options());
    let address = server.address();
    let mut viewer = connect(address);
    viewer.frame();
    server.shutdown();
    while viewer.try_next().is_some() {}
    assert!(TcpStream::connect(address).is_err(), "nobody listens any more");
}
