//! What frames of overhead cameras cost, and how large they are on the wire.

use super::Outcome;
use super::measure::Spread;
use super::timer::thread_cpu_s;
use anyhow::{Context, Result, anyhow};
use rolima_client::{CameraClient, CameraEvent, CameraOptions};
use rolima_core::{Model, World};
use rolima_link::server::{CameraLinkOptions, CameraLinks, FrameMaker};
use rolima_run::live::{Live, Publication, PublishedScene, Setup, Sink};
use rolima_scene::builtin_model;
use serde_json::{Map, json};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

const CAMERAS: [&str; 2] = ["camera-blue", "camera-yellow"];
/// Frames of a minute, and bytes of a raw one.
const FRAMES: usize = 2_000;
const RAW_BYTES: f64 = 3.0 * 640.0 * 480.0;
/// Frames that are drawn before those that count.
const WARM_UP: usize = 50;
/// How long the live run is, s.
const LIVE_S: f64 = 20.0;
const PATIENCE: Duration = Duration::from_secs(20);

/// A match of three against three, all six driven at random, with a camera over each half.
fn scene() -> Result<Arc<Model>> {
    Ok(builtin_model("match", &["driver=random".to_owned()])?)
}

/// The cameras, ready to be drawn from.
fn makers(model: &Arc<Model>) -> Result<Vec<(usize, FrameMaker)>> {
    let maker = |(key, name): (u32, &str)| {
        let device = FrameMaker::device(model, name).context("a camera")?;
        Ok((device, FrameMaker::new(model, device, key)?))
    };
    (0..).zip(CAMERAS).map(maker).collect()
}

/// Quantile of some figures.
fn quantile(figures: &mut [f64], share: f64) -> f64 {
    figures.sort_by(f64::total_cmp);
    let at = (share * figures.len() as f64) as usize;
    figures.get(at.min(figures.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
}

/// Steps a world from frame to frame and makes the messages of all cameras; `each` gets those of one frame.
fn play(
    frames: usize,
    mut each: impl FnMut(usize, &[Vec<u8>; 2], f64) -> Result<()>,
) -> Result<u64> {
    let model = scene()?;
    let mut makers = makers(&model)?;
    let mut world = World::new(model.clone());
    let mut messages = [vec![], vec![]];
    for frame in 0..WARM_UP + frames {
        let device = makers[0].0;
        let due = model.devices[device].rate.next_due(world.state().step, model.step_s);
        world.steps(due - world.state().step);
        let begin_s = thread_cpu_s();
        for ((device, maker), message) in makers.iter_mut().zip(&mut messages) {
            let exposure = world.exposure(*device).context("a camera")?;
            let noise = world.state().senses.camera_noise(*device).context("a camera")?;
            message.clear();
            maker.make(exposure, &noise, message)?;
        }
        if let Some(frame) = frame.checked_sub(WARM_UP) {
            each(frame, &messages, begin_s)?;
        }
    }
    Ok(world.state_hash())
}

/// Share of a raw frame, over a minute.
pub(super) fn bytes() -> Result<Outcome> {
    let mut shares = vec![];
    let hash = play(FRAMES, |_, messages, _| {
        let length: usize = messages.iter().map(Vec::len).sum();
        shares.push(length as f64 / (2.0 * RAW_BYTES));
        Ok(())
    })?;
    let model = scene()?;
    let keys: usize = makers(&model)?.iter().map(|(_, maker)| maker.key_message().len()).sum();
    let count = shares.len() as f64;
    let mean = shares.iter().sum::<f64>() / count;
    let details = Map::from_iter([
        ("background_bytes".to_owned(), json!(keys / 2)),
        ("with_background".to_owned(), json!(mean + keys as f64 / (2.0 * RAW_BYTES * count))),
        ("p99".to_owned(), json!(quantile(&mut shares, 0.99))),
        ("bytes_a_frame".to_owned(), json!(mean * RAW_BYTES)),
        ("frames".to_owned(), json!(FRAMES)),
        ("state_hash".to_owned(), json!(rolima_console::text::hex(hash))),
    ]);
    let value = Spread { median: mean, ..Spread::of(shares) };
    Ok(Outcome { value, unit: "of a raw frame", details })
}

/// CPU time to make and send a frame of two cameras, and wall time from the frame to its last byte.
pub(super) fn cost() -> Result<Outcome> {
    let mut sockets = [0, 1].map(|_| drained());
    let mut cpu_ms = vec![];
    let hash = play(FRAMES, |_, messages, begin_s| {
        for (socket, message) in sockets.iter_mut().zip(messages) {
            let socket = socket.as_mut().map_err(|error| anyhow!("{error}"))?;
            socket.write_all(&(message.len() as u32).to_le_bytes())?;
            socket.write_all(message)?;
        }
        cpu_ms.push(1e3 * (thread_cpu_s() - begin_s));
        Ok(())
    })?;
    drop(sockets);
    let p99 = quantile(&mut cpu_ms, 0.99);
    let mut wall_ms = live()?;
    let mut echo_ms = echo()?;
    let details = Map::from_iter([
        ("cpu_p99_ms".to_owned(), json!(p99)),
        ("wall_p50_ms".to_owned(), json!(quantile(&mut wall_ms, 0.5))),
        ("wall_p99_ms".to_owned(), json!(quantile(&mut wall_ms, 0.99))),
        ("echo_p50_ms".to_owned(), json!(quantile(&mut echo_ms, 0.5))),
        ("echo_p99_ms".to_owned(), json!(quantile(&mut echo_ms, 0.99))),
        ("frames".to_owned(), json!(FRAMES)),
        ("live_frames".to_owned(), json!(wall_ms.len())),
        ("state_hash".to_owned(), json!(rolima_console::text::hex(hash))),
    ]);
    Ok(Outcome { value: Spread::of(cpu_ms), unit: "ms CPU a frame", details })
}

/// A connection whose other end reads all that comes.
fn drained() -> Result<TcpStream> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let stream = TcpStream::connect(listener.local_addr()?)?;
    stream.set_nodelay(true)?;
    let (mut other, _) = listener.accept()?;
    std::thread::spawn(move || {
        let mut room = vec![0; 1 << 16];
        while other.read(&mut room).is_ok_and(|count| count > 0) {}
    });
    Ok(stream)
}

/// When frames were published, by their numbers.
type Published = Arc<Mutex<BTreeMap<u64, Instant>>>;

/// Notes when the loop publishes a frame.
struct Watch {
    device: usize,
    last: u64,
    published: Published,
}

impl Sink for Watch {
    fn scene(&mut self, _scene: &PublishedScene<'_>) {}

    fn publication(&mut self, publication: &Publication<'_>) {
        let taken = publication.senses.camera_noise(self.device).map_or(0, |noise| noise.taken);
        if std::mem::replace(&mut self.last, taken) != taken {
            let mut published = self.published.lock().unwrap_or_else(PoisonError::into_inner);
            published.insert(taken, Instant::now());
        }
    }
}

/// Wall time from a frame's publication to its last byte, ms, of two clients of a live run.
fn live() -> Result<Vec<f64>> {
    let model = scene()?;
    let steps = Some((LIVE_S / model.step_s) as u64);
    let mut live = Live::new(Setup { steps, ..Setup::new("camera-link", model.clone()) });
    let published = Published::default();
    let device = FrameMaker::device(&model, CAMERAS[0]).context("a camera")?;
    live.add_sink(Box::new(Watch { device, last: 0, published: Arc::clone(&published) }));
    let listen = Some(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)));
    let options = CameraLinkOptions { listen, ..CameraLinkOptions::default() };
    let (links, sink) = CameraLinks::open(&model, &options, None)?;
    live.add_sink(Box::new(sink));
    let clients: Vec<_> = links.announced().map(|link| take_all(link.address)).collect();
    let running = std::thread::spawn(move || live.run());
    running.join().map_err(|_| anyhow!("the simulation broke off"))?;
    drop(links);
    let published = published.lock().unwrap_or_else(PoisonError::into_inner);
    let mut wall_ms = vec![];
    for client in clients {
        let arrived = client.join().map_err(|_| anyhow!("a client broke off"))??;
        let since = |(number, at): &(u64, Instant)| {
            Some(1e3 * at.checked_duration_since(*published.get(number)?)?.as_secs_f64())
        };
        wall_ms.extend(arrived.iter().filter_map(since));
    }
    Ok(wall_ms)
}

/// Takes all frames of a camera, with the instants at which they were whole.
fn take_all(address: SocketAddr) -> std::thread::JoinHandle<Result<Vec<(u64, Instant)>>> {
    std::thread::spawn(move || {
        let mut client = CameraClient::connect(address, &CameraOptions::default())?;
        let mut arrived = vec![];
        loop {
            match client.next(PATIENCE)? {
                Some(CameraEvent::Frame) => arrived.push((client.head().number, Instant::now())),
                Some(CameraEvent::End) | None => return Ok(arrived),
                Some(_) => {}
            }
        }
    })
}

/// There and back of as many bytes as a frame has, by TCP with nothing done to them, ms.
fn echo() -> Result<Vec<f64>> {
    const BYTES: usize = 4_000;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let mut stream = TcpStream::connect(listener.local_addr()?)?;
    let (mut other, _) = listener.accept()?;
    stream.set_nodelay(true)?;
    other.set_nodelay(true)?;
    let echo = std::thread::spawn(move || -> std::io::Result<()> {
        let mut bytes = [0; BYTES];
        loop {
            other.read_exact(&mut bytes)?;
            other.write_all(&bytes)?;
        }
    });
    let (mut figures, mut bytes) = (vec![], [0; BYTES]);
    for _ in 0..300 {
        // As far apart as frames, so that both ends sleep between.
        std::thread::sleep(Duration::from_millis(10));
        let begin = Instant::now();
        stream.write_all(&bytes)?;
        stream.read_exact(&mut bytes)?;
        figures.push(1e3 * begin.elapsed().as_secs_f64());
    }
    drop(stream);
    let _ = echo.join();
    Ok(figures)
}
