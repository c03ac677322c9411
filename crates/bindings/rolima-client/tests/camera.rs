//! Frames are bit for bit as the camera made them, whatever the network does to them.

use crate::common::{Expected, PATIENCE, Running, connect, model, next_frame, options};
use rolima_client::{CameraClient, CameraEvent, CameraOptions, ClientError, Transport};
use rolima_link::server::{CameraLinkOptions, LinkLimits};
use rolima_math::Stream;
use rolima_run::live::Request;
use std::net::{SocketAddr, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread::JoinHandle;
use std::time::Duration;

#[test]
fn frames_by_tcp_are_those_that_each_camera_made_from_the_first_one_on() {
    for keys in [
        "",
        "imaging = \"good\"\nshadows = true\n",
        "imaging = \"competition\"\nlost = 0\nlate = 0\n",
    ] {
        let model = model(keys);
        let run = Running::start(&model, &options(), None);
        let mut clients = [0, 1].map(|camera| connect(run.address(camera), Transport::Tcp));
        let mut expected = ["overhead", "other"].map(|name| Expected::new(&model, name));
        for _ in 0..4 {
            for (client, expected) in clients.iter_mut().zip(&mut expected) {
                next_frame(client);
                assert!(client.rgb() == expected.at(client.head().step), "{keys}");
            }
        }
        let whole = keys.contains("competition");
        assert_eq!(clients.each_ref().map(|client| client.head().is_whole()), [whole, false]);
        assert_eq!(
            clients.each_ref().map(|client| client.info().name.as_str()),
            ["overhead", "other"]
        );
        assert_eq!(clients[0].size(), [160, 120]);
        let told = clients[0].info();
        assert!((told.period_s - 0.03).abs() < 1e-5 && !told.lock_step);
        assert!(clients.iter().all(|client| client.stats().without_background == 0));
    }
}

/// Passes datagrams on between a client and a link, and loses some.
struct LossyLink {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    lost: Arc<AtomicU64>,
    thread: Option<JoinHandle<()>>,
}

impl LossyLink {
    fn start(to: SocketAddr, share: f64) -> Self {
        let socket = UdpSocket::bind("127.0.0.1:0").expect("a port");
        socket.set_read_timeout(Some(Duration::from_millis(50))).expect("a time");
        let address = socket.local_addr().expect("an address");
        let (stop, lost) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let (own_stop, own_lost) = (Arc::clone(&stop), Arc::clone(&lost));
        let thread = std::thread::spawn(move || {
            let (mut random, mut client) = (Stream::new(1, 0, "loss"), None);
            let mut bytes = [0; 2048];
            while !own_stop.load(Relaxed) {
                let Ok((count, from)) = socket.recv_from(&mut bytes) else { continue };
                if from != to {
                    client = Some(from);
                } else if random.uniform() < share {
                    own_lost.fetch_add(1, Relaxed);
                    continue;
                }
                let onwards = if from == to { client } else { Some(to) };
                if let Some(onwards) = onwards {
                    let _ = socket.send_to(&bytes[..count], onwards);
                }
            }
        });
        Self { address, stop, lost, thread: Some(thread) }
    }
}

impl Drop for LossyLink {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().expect("it does not panic");
        }
    }
}

#[test]
fn by_udp_a_third_of_all_datagrams_may_be_lost_and_every_frame_that_comes_is_whole() {
    let model = model("smooth = true\n");
    let limits = LinkLimits { key_every: Duration::from_millis(100), ..LinkLimits::default() };
    let run = Running::start(&model, &CameraLinkOptions { limits, ..options() }, None);
    let lossy = LossyLink::start(run.address(0), 0.33);
    let mut client = connect(lossy.address, Transport::Udp);
    let mut expected = Expected::new(&model, "overhead");
    let mut frames = 0;
    while frames < 8 || client.stats().missed == 0 {
        next_frame(&mut client);
        assert!(client.rgb() == expected.at(client.head().step), "frame {}", client.head().number);
        frames += 1;
    }
    assert!(lossy.lost.load(Relaxed) > 0);
}

#[test]
fn who_comes_late_has_the_newest_frame_at_once_and_a_background_on_request() {
    let model = model("");
    let run = Running::start(&model, &options(), None);
    let mut first = connect(run.address(0), Transport::Tcp);
    (0..3).for_each(|_| next_frame(&mut first));
    let mut expected = Expected::new(&model, "overhead");
    let mut late = connect(run.address(0), Transport::Tcp);
    next_frame(&mut late);
    assert!(
        late.head().number >= first.head().number,
        "{} {}",
        late.head().number,
        first.head().number
    );
    assert!(late.rgb() == expected.at(late.head().step));
    assert_eq!(late.stats().missed, 0);
    let before = late.stats().bytes;
    late.want_key().expect("a link");
    let background = late.background().len() as u64;
    // The background of a textured field is most of what comes.
    while late.stats().bytes < before + background / 8 {
        next_frame(&mut late);
    }
    assert_eq!(late.stats().without_background, 0);
}

#[test]
fn frames_are_lost_and_late_as_the_scene_says_and_the_others_come() {
    let model = model("lost = 0.3\nlate = 0.4\nlate_s = 0.02\n");
    let run = Running::start(&model, &options(), None);
    let mut client = connect(run.address(0), Transport::Tcp);
    let mut expected = Expected::new(&model, "overhead");
    while client.stats().missed < 2 || client.stats().frames < 6 {
        next_frame(&mut client);
        assert!(client.rgb() == expected.at(client.head().step));
    }
    let stats = run.wait_for(0, |stats| stats.lost > 1 && stats.late > 1);
    assert_eq!(stats.missed, 0, "nobody reads too slowly");
}

#[test]
fn another_scene_has_another_camera_and_background() {
    let (model, other) = (model(""), model("roll_deg = 5\n"));
    let run = Running::start(&model, &options(), None);
    let mut client = connect(run.address(0), Transport::Tcp);
    next_frame(&mut client);
    let before = client.background().to_vec();
    let loaded = rolima_run::live::Loaded::new("other", other.clone(), None);
    run.mailbox.send(Request::Load(Arc::new(loaded))).expect("room");
    while client.background() == before {
        next_frame(&mut client);
    }
    let mut expected = Expected::new(&other, "overhead");
    assert!(client.rgb() == expected.at(client.head().step));
}

#[test]
fn in_lock_step_the_world_waits_for_both_cameras_and_plays_the_same_twice() {
    let model = model("");
    let played = [0, 1].map(|_| {
        let run = Running::start(&model, &options(), Some(2));
        let options =
            CameraOptions { lock_step: true, patience: PATIENCE, ..CameraOptions::default() };
        let mut clients = [0, 1]
            .map(|camera| CameraClient::connect(run.address(camera), &options).expect("a link"));
        let mut expected = ["overhead", "other"].map(|name| Expected::new(&model, name));
        let mut steps = vec![];
        for round in 0..6 {
            // One of them thinks for longer each time: the world waits.
            let order = if round % 2 == 0 { [0, 1] } else { [1, 0] };
            let mut turns = vec![];
            for i in order {
                let client = &mut clients[i];
                loop {
                    match client.next(PATIENCE).expect("a link") {
                        Some(CameraEvent::Turn(turn)) => {
                            assert!(client.info().lock_step);
                            assert_eq!(turn.step, client.head().step, "the frame came before");
                            turns.push((i, turn));
                            break;
                        }
                        Some(CameraEvent::Frame) => {
                            assert!(client.rgb() == expected[i].at(client.head().step));
                        }
                        Some(CameraEvent::Camera) => {}
                        other => panic!("{other:?}"),
                    }
                }
            }
            assert_eq!(turns[0].1.step, turns[1].1.step);
            steps.push(turns[0].1.step);
            turns.into_iter().for_each(|(i, turn)| clients[i].done(turn).expect("a link"));
        }
        steps
    });
    assert_eq!(played[0], played[1]);
    assert!(played[0].windows(2).all(|two| (30..=31).contains(&(two[1] - two[0]))), "{played:?}");
}

#[test]
fn a_second_program_in_lock_step_and_one_in_a_run_that_is_not_are_refused() {
    let model = model("");
    let lock_step =
        CameraOptions { lock_step: true, patience: PATIENCE, ..CameraOptions::default() };
    let refused = |run: &Running, options: &CameraOptions| {
        let client = CameraClient::connect(run.address(0), options);
        match client.and_then(|mut client| client.next(PATIENCE)) {
            Err(ClientError::Refused(why)) => why,
            other => panic!("{other:?}"),
        }
    };
    let run = Running::start(&model, &options(), None);
    assert!(refused(&run, &lock_step).contains("not in lock step"));
    let run = Running::start(&model, &options(), Some(1));
    let mut first = CameraClient::connect(run.address(0), &lock_step).expect("a link");
    next_frame(&mut first);
    assert!(refused(&run, &lock_step).contains("somebody else"));
    let by_udp = CameraOptions { transport: Transport::Udp, ..lock_step };
    assert_eq!(refused(&run, &by_udp), "lock step is for TCP");
}
