//! How long a program of Robot One waits for an answer, beside a bare TCP echo, and what many
//! programs cost the simulation.

use super::Outcome;
use super::bench_client::BenchClients;
use super::live::figures;
use super::measure::Spread;
use anyhow::{Result, anyhow};
use rolima_robotone::{Dialect, Options, RobotOne};
use rolima_run::Speed;
use rolima_run::live::{
    Deadlines, Live, Mailbox, Request, RunOutcome as LiveOutcome, Schedule, Setup, SharedSeats,
    bare_loop,
};
use rolima_run::pool::cores;
use rolima_scene::load_map;
use rolima_serve::robotone::{LiveRobots, LiveRobotsSetup, RobotOneOptions, ViewHints};
use rolima_serve::{RobotOneServer, RobotOneServerHandle, Senses};
use serde_json::{Map, Value, json};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// So many rounds of so many questions: one to the echo and one to the simulator in turn, so that
/// both meet the same hiccups of the machine.
///
/// Asker, echo and server share one core. Else the system puts each of them where it likes, and for
/// a while who must cross to another core, or share one with another program, is several times
/// slower, whichever of the two it is; that is measured too, with all questions of a round to the
/// one and then to the other, as programs ask.
const ROUNDS: usize = 108;
const QUESTIONS: usize = 400;
/// Pictures that are waited for, one after the other; cameras take thirty a second.
const PICTURES: usize = 60;
const FRAME_US: f64 = 1e6 / 30.0;
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
    server: RobotOneServerHandle,
    running: JoinHandle<(Vec<String>, LiveOutcome)>,
}

impl Hall {
    /// `pin`: the core on which its server is; else anywhere.
    fn start(pin: Option<usize>) -> Result<Self> {
        let robots = (0..PROGRAMS).map(|i| format!("R {} {}\n", 4 * (i % 4), 4 * (i / 4)));
        let map = format!("W -3 -3 15 -3\nW 15 -3 15 15\n{}", robots.collect::<String>());
        let found = rolima_map::read("hall", map.as_bytes(), None);
        let found = found.map_err(rolima_scene::SceneError::from)?;
        let model = Arc::new(load_map(&found.map, &[])?.compile()?);
        let speed = Speed::REAL_TIME;
        let mut live = Live::new(Setup { speed, ..Setup::new("hall", model) });
        let (senses, sink) = Senses::new()?;
        live.add_sink(Box::new(sink));
        let (robots, sink) = LiveRobots::new(LiveRobotsSetup {
            mailbox: live.mailbox(),
            senses: Some(senses),
            glance: Arc::new(|_| Ok(())),
            make: Arc::new(|_| Err("not here".to_owned())),
            may_place: true,
            lock_step: None,
            seats: SharedSeats::default(),
            view_hints: ViewHints::default(),
        });
        live.add_sink(Box::new(sink));
        let server =
            on_core(pin, || RobotOneServer::start(RobotOneOptions::any_ports(), Arc::new(robots)))?
                .0?;
        let mailbox = live.mailbox();
        let schedule = Schedule { realtime: true, pin: None };
        let running = std::thread::spawn(move || (schedule.apply(), live.run()));
        Ok(Self { mailbox, server, running })
    }

    fn address(&self) -> Result<String> {
        let address = self.server.address(Dialect::Release).ok_or_else(|| anyhow!("no address"))?;
        Ok(address.to_string())
    }

    fn connect(&self) -> Result<RobotOne> {
        let options = Options { dialect: Dialect::Release, ..Options::default() };
        Ok(RobotOne::connect_with(&self.address()?, options)?)
    }

    fn end(self) -> Result<(Vec<String>, LiveOutcome)> {
        self.mailbox.send(Request::Stop)?;
        self.running.join().map_err(|_| anyhow!("the simulation broke off"))
    }
}

/// Does something on a core, where all threads stay that it starts; notes if that is not possible.
fn on_core<T: Send>(
    pin: Option<usize>,
    work: impl FnOnce() -> T + Send,
) -> Result<(T, Vec<String>)> {
    std::thread::scope(|scope| {
        let pinned = scope.spawn(|| {
            let notes = Schedule { realtime: false, pin }.apply();
            (work(), notes)
        });
        pinned.join().map_err(|_| anyhow!("a measurement broke off"))
    })
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

/// Time of a call, us.
fn time(call: impl FnOnce() -> Result<()>) -> Result<f64> {
    let begin = Instant::now();
    call()?;
    Ok(begin.elapsed().as_secs_f64() * 1e6)
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

/// Times of round trips, us.
#[derive(Default)]
struct Trips {
    echoes: Vec<f64>,
    gets: Vec<f64>,
    /// By rounds: the gets' p50 over that of the echo.
    ratios: Vec<f64>,
    echoed_pictures: Vec<f64>,
    captures: Vec<f64>,
    /// The very first one: nobody has looked before, so the camera has nothing to show yet.
    first: f64,
    /// With the wait for the next picture.
    next: Vec<f64>,
}

impl Trips {
    fn measure(hall: &Hall, in_turn: bool) -> Result<Self> {
        let mut program = hall.connect()?;
        let (mut small, mut large) = (echo(NUMBER_BYTES)?, echo(PICTURE_BYTES)?);
        let (mut number, mut picture) = (vec![0; NUMBER_BYTES], vec![0; PICTURE_BYTES]);
        let first = time(|| Ok(program.capture().map(drop)?))?;
        let mut trips = Self { first, ..Self::default() };
        for _ in 0..ROUNDS {
            let (mut bare, mut own) = (vec![], vec![]);
            for i in 0..2 * QUESTIONS {
                if if in_turn { i % 2 == 0 } else { i < QUESTIONS } {
                    bare.push(time(|| ask(&mut small, &mut number))?);
                } else {
                    own.push(time(|| Ok(program.get("Pose.X").map(drop)?))?);
                }
            }
            trips.ratios.push(quantile(&mut own, 0.5) / quantile(&mut bare, 0.5));
            trips.echoes.append(&mut bare);
            trips.gets.append(&mut own);
            // So that the next one is there, and only the way is measured; for the echo the same,
            // as a machine that has rested is slower.
            std::thread::sleep(NEXT_PICTURE);
            trips.echoed_pictures.push(time(|| ask(&mut large, &mut picture))?);
            std::thread::sleep(NEXT_PICTURE);
            trips.captures.push(time(|| Ok(program.capture().map(drop)?))?);
        }
        for _ in 0..PICTURES {
            trips.next.push(time(|| Ok(program.capture().map(drop)?))?);
        }
        Ok(trips)
    }

    fn shown(&mut self) -> Value {
        let Self { echoes, gets, echoed_pictures, captures, first, next, .. } = self;
        let over =
            |own: &mut [f64], echo: &mut [f64], share| quantile(own, share) / quantile(echo, share);
        json!({
            "get": shown(gets),
            "echo": shown(echoes),
            "get_over_echo": { "p50": over(gets, echoes, 0.5), "p99": over(gets, echoes, 0.99) },
            "capture_when_ready": shown(captures),
            "echo_of_a_picture": shown(echoed_pictures),
            "capture_over_echo": {
                "p50": over(captures, echoed_pictures, 0.5),
                "p99": over(captures, echoed_pictures, 0.99),
            },
            "first_capture_us": first,
            "capture_of_the_next_frame": shown(next),
            "time_between_frames_us": FRAME_US,
        })
    }
}

/// Round trips of a program, beside a bare echo, and the lateness with sixteen programs that poll.
pub(super) fn roundtrip() -> Result<Outcome> {
    let core = Some(cores() - 1);
    let hall = Hall::start(core)?;
    let (trips, mut notes) = on_core(core, || Trips::measure(&hall, true))?;
    let mut trips = trips?;
    let (_, alone) = hall.end()?;
    let hall = Hall::start(None)?;
    let mut anywhere = Trips::measure(&hall, false)?;
    hall.end()?;
    let (more, polled, requests_per_s) = polled()?;
    notes.extend(more);
    let bare = std::thread::spawn(|| {
        Schedule { realtime: true, pin: None }.apply();
        bare_loop(POLLED_S)
    });
    let bare = bare.join().map_err(|_| anyhow!("the bare loop broke off"))?;
    let ticks = |deadlines: &[Deadlines; 2]| figures(&deadlines[0]);
    let details = Map::from_iter([
        ("on_one_core".to_owned(), trips.shown()),
        ("anywhere".to_owned(), anywhere.shown()),
        ("live_1ms_with_one_program".to_owned(), ticks(&alone.deadlines)),
        ("live_1ms_with_16_polling".to_owned(), ticks(&polled.deadlines)),
        ("bare_1ms".to_owned(), ticks(&bare)),
        ("requests_per_s_of_16".to_owned(), json!(requests_per_s)),
        ("notes".to_owned(), json!(notes)),
    ]);
    Ok(Outcome { value: Spread::of(trips.ratios), unit: "x echo, p50", details })
}

/// Sixteen programs on sixteen robots that ask as fast as they can, each in a process of its own;
/// what came of it, and requests a second.
fn polled() -> Result<(Vec<String>, LiveOutcome, f64)> {
    let hall = Hall::start(None)?;
    let address = hall.address()?;
    let programs = (0..PROGRAMS).map(|robot| BenchClients::program(&address, robot));
    let mut programs = programs.collect::<Result<Vec<_>>>()?;
    let (begin, before) = (Instant::now(), hall.server.stats().requests);
    std::thread::sleep(Duration::from_secs_f64(POLLED_S));
    let requests = hall.server.stats().requests - before;
    let requests_per_s = requests as f64 / begin.elapsed().as_secs_f64();
    let all_live = programs.iter_mut().all(BenchClients::lives);
    drop(programs);
    let (notes, outcome) = hall.end()?;
    if !all_live {
        return Err(anyhow!("a program got no answer"));
    }
    Ok((notes, outcome, requests_per_s))
}
