//! What is done to one camera's port takes nothing from the other, and nothing from those who behave.

use crate::common::{Expected, PATIENCE, Running, connect, limited, model, next_frame, options};
use rolima_client::{CameraClient, CameraOptions, ClientError, Transport};
use rolima_link::ClientMessage;
use rolima_link::messages::MAGIC;
use rolima_link::server::{CameraLinkOptions, LinkLimits};
use rolima_math::Stream;
use std::io::{Read, Write};
use std::net::{TcpStream, UdpSocket};
use std::time::Duration;

#[test]
fn a_token_opens_its_own_camera_only() {
    let model = model("");
    let token = |letter: &str| letter.repeat(20);
    let tokens =
        [("overhead", "b"), ("other", "y")].map(|(name, letter)| (name.to_owned(), token(letter)));
    let run =
        Running::start(&model, &CameraLinkOptions { tokens: tokens.into(), ..options() }, None);
    for transport in [Transport::Tcp, Transport::Udp] {
        for (camera, letter, is_right) in
            [(0, "b", true), (0, "y", false), (1, "y", true), (1, "", false)]
        {
            let options = CameraOptions {
                transport,
                token: token(letter),
                patience: PATIENCE,
                lock_step: false,
            };
            let client = CameraClient::connect(run.address(camera), &options);
            let heard = client.and_then(|mut client| client.next(PATIENCE));
            match heard {
                Ok(Some(_)) => assert!(is_right),
                Err(ClientError::Refused(why)) => {
                    assert!(!is_right && why.contains("token"), "{why}")
                }
                other => panic!("{other:?}"),
            }
        }
    }
    let short = [("other".to_owned(), "short".to_owned())];
    let options = CameraLinkOptions { tokens: short.into(), ..options() };
    let error =
        rolima_link::server::CameraLinks::open(&model, &options, None).err().expect("refused");
    assert_eq!(
        error.to_string(),
        "token of other: expected 16 to 128 letters and digits, got 5 characters"
    );
}

#[test]
fn a_client_that_stops_reading_misses_frames_and_nobody_else_does() {
    let model = model("imaging = \"competition\"\nlost = 0\nlate = 0\n");
    let limits = LinkLimits { patience: Duration::from_secs(1), ..LinkLimits::default() };
    let run = Running::start(&model, &limited(limits), None);
    let mut stalled = TcpStream::connect(run.address(0)).expect("a link");
    let hello = ClientMessage::Hello { token: String::new(), lock_step: false, cookie: 0 };
    let mut bytes = MAGIC.to_vec();
    let mut body = vec![];
    hello.write(&mut body);
    bytes.extend((body.len() as u32).to_le_bytes());
    bytes.extend(body);
    stalled.write_all(&bytes).expect("a link");
    let mut good = connect(run.address(0), Transport::Tcp);
    let mut expected = Expected::new(&model, "overhead");
    // Whole noisy frames fill what the system keeps for it; then it is given up.
    let until = std::time::Instant::now() + PATIENCE;
    while run.stats(0).missed == 0 {
        next_frame(&mut good);
        assert!(std::time::Instant::now() < until, "{:?}", run.stats(0));
    }
    assert!(good.rgb() == expected.at(good.head().step));
    drop(stalled);
}

#[test]
fn garbage_ends_a_connection_and_is_counted_and_strangers_make_way() {
    let model = model("");
    let limits = LinkLimits { strangers: 4, clients: 2, ..LinkLimits::default() };
    let run = Running::start(&model, &limited(limits), None);
    let mut good = connect(run.address(0), Transport::Tcp);
    next_frame(&mut good);
    let mut random = Stream::new(1, 0, "garbage");
    for _ in 0..20 {
        let mut stream = TcpStream::connect(run.address(0)).expect("a link");
        let garbage: Vec<u8> = (0..64).map(|_| random.next_u64() as u8).collect();
        let is_known = random.uniform() < 0.5;
        let _ = stream.write_all(if is_known { MAGIC } else { b"XXXX" });
        let _ = stream.write_all(&garbage);
        let _ = stream.set_read_timeout(Some(PATIENCE));
        // It is refused, or ended.
        let _ = stream.read(&mut [0; 64]);
    }
    run.wait_for(0, |stats| stats.bad >= 20);
    // Connections that say nothing: the oldest makes way.
    let silent: Vec<TcpStream> =
        (0..12).map(|_| TcpStream::connect(run.address(0)).expect("a link")).collect();
    run.wait_for(0, |stats| stats.refused >= 8);
    let mut second = connect(run.address(0), Transport::Tcp);
    next_frame(&mut second);
    next_frame(&mut good);
    let mut third = connect(run.address(0), Transport::Tcp);
    let error = third.next(PATIENCE).unwrap_err().to_string();
    assert_eq!(error, "the camera link refuses: too many clients");
    drop(silent);
}

#[test]
fn forged_and_replayed_datagrams_send_nobody_frames_and_a_flood_harms_no_other_camera() {
    let model = model("");
    let run = Running::start(&model, &options(), None);
    let mut expected = Expected::new(&model, "other");
    let mut good = connect(run.address(0), Transport::Udp);
    let mut other = connect(run.address(1), Transport::Udp);
    next_frame(&mut good);
    next_frame(&mut other);
    let attacker = UdpSocket::bind("127.0.0.1:0").expect("a port");
    attacker.connect(run.address(0)).expect("a link");
    attacker.set_read_timeout(Some(Duration::from_millis(300))).expect("a time");
    // A hello with a cookie that is another address's: it gets its own cookie, and no frame.
    let hello = ClientMessage::Hello { token: String::new(), lock_step: false, cookie: 77 };
    attacker.send(&hello.datagram()).expect("sent");
    let mut bytes = [0; 2048];
    let count = attacker.recv(&mut bytes).expect("a cookie");
    assert!(count <= hello.datagram().len() + 16, "answers are not longer than questions: {count}");
    assert!(attacker.recv(&mut bytes).is_err(), "and then nothing");
    // What only known receivers may say, and what is no message.
    let mut random = Stream::new(2, 0, "flood");
    let kinds = [ClientMessage::KeyWanted, ClientMessage::Bye, ClientMessage::Done { step: 1 }];
    let count = rolima_testing::samples(20_000, 400_000);
    for i in 0..count {
        let mut datagram = kinds[i % 3].datagram();
        if i % 2 == 0 {
            let at = (random.next_u64() % datagram.len() as u64) as usize;
            datagram[at] = random.next_u64() as u8;
        }
        let _ = attacker.send(&datagram);
        if i % 5_000 == 0 {
            next_frame(&mut other);
            assert!(other.rgb() == expected.at(other.head().step));
        }
    }
    assert_eq!(other.stats().missed, 0, "no frame of the other camera is missing");
    let stats = run.wait_for(0, |stats| stats.bad > 1_000);
    assert_eq!(run.stats(1).bad, 0, "{stats:?}");
    next_frame(&mut good);
}

#[test]
fn mjpeg_viewers_get_pictures_and_need_the_token() {
    let model = model("");
    let tokens = [("overhead".to_owned(), "t".repeat(16))];
    let run =
        Running::start(&model, &CameraLinkOptions { tokens: tokens.into(), ..options() }, None);
    let ask = |query: &str| {
        let mut stream = TcpStream::connect(run.address(0)).expect("a link");
        write!(stream, "GET /camera.mjpg{query} HTTP/1.1\r\nHost: x\r\n\r\n").expect("a link");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time");
        let mut bytes = vec![];
        let mut room = [0; 4096];
        // Two whole pictures, or the end.
        while bytes.windows(2).filter(|two| *two == [0xFF, 0xD9]).count() < 2 {
            match stream.read(&mut room) {
                Ok(0) | Err(_) => break,
                Ok(count) => bytes.extend_from_slice(&room[..count]),
            }
        }
        bytes
    };
    assert!(ask("").starts_with(b"HTTP/1.1 403"));
    let stream = ask(&format!("?token={}", "t".repeat(16)));
    let head = String::from_utf8_lossy(&stream[..200]).into_owned();
    assert!(
        head.starts_with("HTTP/1.1 200 OK") && head.contains("multipart/x-mixed-replace"),
        "{head}"
    );
    let first = stream.windows(2).position(|two| two == [0xFF, 0xD8]).expect("a picture");
    let length = head.split("Content-Length: ").nth(1).and_then(|rest| rest.split('\r').next());
    let length: usize = length.expect("a length").parse().expect("a number");
    assert_eq!(stream[first + length - 2..first + length], [0xFF, 0xD9], "a whole picture");
}
