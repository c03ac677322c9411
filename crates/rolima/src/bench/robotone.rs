//! How long a program of Robot One waits for an answer, beside a bare TCP echo, and what many
//! programs cost the simulation.

use super::Outcome;
use super::live::{bare_loop, figures};
use super::measure::Spread;
use anyhow::{Result, anyhow};
use rolima_robotone::{Dialect, Options, RobotOne};
use rolima_run::Speed;
use rolima_run::live::{
    Deadlines, Live, Mailbox, Outcome as LiveOutcome, Request, Schedule, Setup,
};
use rolima_scene::load_map;
use rolima_serve::robotone::{LiveRobots, LiveRobotsSetup, Programs, RobotOneOptions, Shown};
use rolima_serve::{RobotOneHandle, RobotOneServer, Senses};
use serde_json::{Map, Value, json};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Echo and simulator take turns: so many times, so many questions each.
const ROUNDS: usize = 9;
const QUESTIONS: usize = 4000;
const PICTURES: usize = 12;
/// Bytes of a question and of the replies with a number and with a picture.
const QUESTION_BYTES: usize = 15;
const NUMBER_BYTES: usize = 6;
const PICTURE_BYTES: usize = 10 + 230_400;
/// Programs that ask as fast as they can, for so long.
const PROGRAMS: usize = 16;
const POLLED_S: f64 = 4.0;
/// Longer than from one picture to the next.
const NEXT_PICTURE: Duration = Duration::from_millis(45);

/// A hall with sixteen robots in real time, on a thread of its own.
struct Hall {
    mailbox: Mailbox,
    server: RobotOneHandle,
    running: JoinHandle<(Vec<String>, LiveOutcome)>,
}

impl Hall {
    fn start() -> Result<Self> {
        let robots = (0..PROGRAMS).map(|i| format!("R {} {}\n", 4 * (i % 4), 4 * (i / 4)));
        let map = format!("W -3 -3 15 -3\nW 15 -3 15 15\n{}", robots.collect::<String>());
        let found = rolima_map::read("hall", map.as_bytes(), None);
        let found = found.map_err(rolima_scene::SceneError::from)?;
        let model = Arc::new(load_map(&found.map, &[])?.compile()?);
        let speed = Speed::REAL_TIME;
        let mut live = Live::new(Setup { speed, ..Setup::new("hall", model) });
        let (senses, outlet) = Senses::new()?;
        live.add_outlet(Box::new(outlet));
        let (robots, outlet) = LiveRobots::new(LiveRobotsSetup {
            mailbox: live.mailbox(),
            senses: Some(senses),
            make: Arc::new(|_| Err("not here".to_owned())),
            lock_step: None,
            programs: Programs::default(),
            shown: Shown::default(),
        });
        live.add_outlet(Box::new(outlet));
        let server = RobotOneServer::start(RobotOneOptions::any_ports(), Arc::new(robots))?;
        let mailbox = live.mailbox();
        let schedule = Schedule { realtime: true, pin: None };
        let running = std::thread::spawn(move || (schedule.apply(), live.run()));
        Ok(Self { mailbox, server, running })
    }

    fn connect(&self, robot: usize) -> Result<RobotOne> {
        let dialect = Dialect::Release;
        let address = self.server.address(dialect).ok_or_else(|| anyhow!("no address"))?;
        let options = Options { dialect, ..Options::default() };
        let mut program = RobotOne::connect_with(&address.to_string(), options)?;
        program.select(robot as u32)?;
        Ok(program)
    }

    fn end(self) -> Result<(Vec<String>, LiveOutcome, u64)> {
        self.mailbox.send(Request::Stop)?;
        let (notes, outcome) =
            self.running.join().map_err(|_| anyhow!("the simulation broke off"))?;
        Ok((notes, outcome, self.server.stats().requests))
    }
}

/// A server that answers every question with so many bytes.
fn echo(answer_bytes: usize) -> Result<TcpStream> {
    let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))?;
    let address = listener.local_addr()?;
    std::thread::spawn(move || -> std::io::Result<()> {
        let (mut stream, _) = listener.accept()?;
        stream.set_nodelay(true)?;
        let answer = vec![0; answer_bytes];
        let mut question = [0; 64];
        while stream.read(&mut question)? > 0 {
            stream.write_all(&answer)?;
        }
        Ok(())
    });
    let stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// Times of a call, us.
fn times(count: usize, mut call: impl FnMut() -> Result<()>) -> Result<Vec<f64>> {
    let time = |_| {
        let begin = Instant::now();
        call()?;
        Ok(begin.elapsed().as_secs_f64() * 1e6)
    };
    (0..count).map(time).collect()
}

/// The time that so much of all took at most, us.
fn quantile(times: &mut [f64], share: f64) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get((times.len() as f64 * share) as usize).copied().unwrap_or(f64::NAN)
}

fn shown(times: &mut [f64]) -> Value {
    json!({ "p50_us": quantile(times, 0.5), "p99_us": quantile(times, 0.99) })
}

/// Asks an echo, and reads all of its answer.
fn ask(stream: &mut TcpStream, answer: &mut [u8]) -> Result<()> {
    stream.write_all(&[0; QUESTION_BYTES])?;
    stream.read_exact(answer)?;
    Ok(())
}

/// Round trips of a program, beside a bare echo, and the lateness with sixteen programs that poll.
pub(super) fn roundtrip() -> Result<Outcome> {
    let hall = Hall::start()?;
    let mut program = hall.connect(0)?;
    let (mut small, mut large) = (echo(NUMBER_BYTES)?, echo(PICTURE_BYTES)?);
    let (mut number, mut picture) = (vec![0; NUMBER_BYTES], vec![0; PICTURE_BYTES]);
    let (mut echoes, mut gets, mut ratios) = (vec![], vec![], vec![]);
    let (mut echoed_pictures, mut captures) = (vec![], vec![]);
    for _ in 0..ROUNDS {
        let mut bare = times(QUESTIONS, || ask(&mut small, &mut number))?;
        let mut own = times(QUESTIONS, || Ok(program.get("Pose.X").map(drop)?))?;
        ratios.push(quantile(&mut own, 0.5) / quantile(&mut bare, 0.5));
        echoes.append(&mut bare);
        gets.append(&mut own);
        for _ in 0..PICTURES {
            // So that the next one is there, and only the way is measured; for the echo the same,
            // as a machine that has rested is slower.
            std::thread::sleep(NEXT_PICTURE);
            echoed_pictures.append(&mut times(1, || ask(&mut large, &mut picture))?);
            std::thread::sleep(NEXT_PICTURE);
            captures.append(&mut times(1, || Ok(program.capture().map(drop)?))?);
        }
    }
    let mut next = times(PICTURES, || Ok(program.capture().map(drop)?))?;
    drop(program);
    let (_, alone, _) = hall.end()?;

    let (mut notes, polled, requests) = polled()?;
    let bare = std::thread::spawn(|| {
        Schedule { realtime: true, pin: None }.apply();
        bare_loop(POLLED_S)
    });
    let bare = bare.join().map_err(|_| anyhow!("the bare loop broke off"))?;
    notes.dedup();
    let ticks = |deadlines: &[Deadlines; 2]| figures(&deadlines[0]);
    let p99 = |times: &mut [f64]| quantile(times, 0.99);
    let p99_ratio = p99(&mut gets) / p99(&mut echoes);
    let picture_ratio = quantile(&mut captures, 0.5) / quantile(&mut echoed_pictures, 0.5);
    let details = Map::from_iter([
        ("get".to_owned(), shown(&mut gets)),
        ("echo".to_owned(), shown(&mut echoes)),
        ("p99_over_echo".to_owned(), json!(p99_ratio)),
        ("capture_when_ready".to_owned(), shown(&mut captures)),
        ("echo_of_a_picture".to_owned(), shown(&mut echoed_pictures)),
        ("capture_over_echo_p50".to_owned(), json!(picture_ratio)),
        ("capture_of_the_next_frame".to_owned(), shown(&mut next)),
        ("live_1ms_with_one_program".to_owned(), ticks(&alone.deadlines)),
        ("live_1ms_with_16_polling".to_owned(), ticks(&polled.deadlines)),
        ("bare_1ms".to_owned(), ticks(&bare)),
        ("requests_per_s_of_16".to_owned(), json!(requests as f64 / POLLED_S)),
        ("notes".to_owned(), json!(notes)),
    ]);
    Ok(Outcome { value: Spread::of(ratios), unit: "x echo, p50", details })
}

/// Sixteen programs on sixteen robots that ask as fast as they can.
fn polled() -> Result<(Vec<String>, LiveOutcome, u64)> {
    let hall = Hall::start()?;
    let stop = Arc::new(AtomicBool::new(false));
    let failed = Arc::new(AtomicU64::new(0));
    let programs = (0..PROGRAMS).map(|robot| hall.connect(robot)).collect::<Result<Vec<_>>>()?;
    let polling = programs.into_iter().map(|mut program| {
        let (stop, failed) = (Arc::clone(&stop), Arc::clone(&failed));
        std::thread::spawn(move || {
            while !stop.load(Ordering::Relaxed) {
                if program.pose().is_err() || program.lidar().is_err() {
                    failed.fetch_add(1, Ordering::Relaxed);
                    return;
                }
            }
        })
    });
    let polling: Vec<JoinHandle<()>> = polling.collect();
    std::thread::sleep(Duration::from_secs_f64(POLLED_S));
    stop.store(true, Ordering::Relaxed);
    for thread in polling {
        thread.join().map_err(|_| anyhow!("a program broke off"))?;
    }
    if failed.load(Ordering::Relaxed) > 0 {
        return Err(anyhow!("a program got no answer"));
    }
    hall.end()
}
