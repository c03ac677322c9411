//! What loading costs a run that goes on: deadlines that it misses while maps, scenes and goals among
//! many walls come in from the page, beside those of a bare loop at the same time.

use super::Outcome;
use super::guest::connect;
use super::measure::Spread;
use super::worlds_to_load::{Load, loads};
use crate::cli::{Cli, Command, RunArguments};
use crate::guests::{self, Guests};
use crate::scene::builtin;
use anyhow::{Result, anyhow, bail};
use clap::Parser;
use prost::Message as _;
use rolima_run::live::{
    Deadlines, Live, Mailbox, Outcome as LiveOutcome, Request, Setup, bare_loop_while,
};
use rolima_serve::robotone::Shown;
use rolima_wire::pb::{self, client_message, control, server_message};
use serde_json::{Map, Value, json};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tungstenite::{Message, WebSocket};

/// A run goes on for so long after it has what was loaded.
const AFTERWARDS: Duration = Duration::from_secs(3);
/// For so long robots go for their goals.
const DRIVING: Duration = Duration::from_secs(10);
/// Who has not got what it asked for by then never will.
const PATIENCE: Duration = Duration::from_secs(120);

/// A match in real time with its page, on a thread of its own, and a bare loop beside it.
struct Match {
    mailbox: Mailbox,
    guests: Guests,
    running: JoinHandle<LiveOutcome>,
    over: Arc<AtomicBool>,
    bare: JoinHandle<[Deadlines; 2]>,
}

impl Match {
    fn start() -> Result<Self> {
        let model = builtin("soccer", &[])?;
        let mut live = Live::new(Setup::new("soccer", model.clone()));
        let mailbox = live.mailbox();
        let arguments = arguments()?;
        let guests = guests::open_doors(&arguments, &model, &mut live, false, Shown::default())?;
        let over = Arc::new(AtomicBool::new(false));
        let is_over = Arc::clone(&over);
        let running = std::thread::spawn(move || live.run());
        let bare = std::thread::spawn(move || bare_loop_while(|| !is_over.load(Ordering::Relaxed)));
        Ok(Self { mailbox, guests, running, over, bare })
    }

    fn connect(&self) -> Result<Viewer> {
        let page = self.guests.page().ok_or_else(|| anyhow!("there is no page"))?;
        let socket = connect(&page.address().to_string())?;
        socket.get_ref().set_read_timeout(Some(PATIENCE))?;
        Ok(Viewer { socket, goals: 0 })
    }

    /// Deadlines of the run and of the bare loop beside it.
    fn end(self) -> Result<[[Deadlines; 2]; 2]> {
        self.mailbox.send(Request::Stop)?;
        let live = self.running.join().map_err(|_| anyhow!("the simulation broke off"))?;
        self.over.store(true, Ordering::Relaxed);
        let bare = self.bare.join().map_err(|_| anyhow!("the bare loop broke off"))?;
        drop(self.guests);
        Ok([live.deadlines, bare])
    }
}

/// What a run with a page and nothing else would be told.
fn arguments() -> Result<RunArguments> {
    let run = [
        "rolima",
        "run",
        "soccer",
        "--headless",
        "--no-share",
        "--no-robotone",
        "--listen",
        "127.0.0.1:0",
    ];
    match Cli::try_parse_from(run)?.command {
        Command::Run(run) => Ok(run),
        _ => bail!("`run` is no run"),
    }
}

struct Viewer {
    socket: WebSocket<TcpStream>,
    /// Robots that had goals at the last look.
    goals: usize,
}

impl Viewer {
    fn say(&mut self, kind: client_message::Kind) -> Result<()> {
        let bytes = pb::ClientMessage { kind: Some(kind) }.encode_to_vec();
        Ok(self.socket.send(Message::Binary(bytes.into()))?)
    }

    fn next(&mut self) -> Result<server_message::Kind> {
        loop {
            if let Message::Binary(bytes) = self.socket.read()?
                && let Some(kind) = pb::ServerMessage::decode(&bytes[..])?.kind
            {
                return Ok(kind);
            }
        }
    }

    /// Looks on for a while.
    fn watch(&mut self, time: Duration) -> Result<()> {
        let end = Instant::now() + time;
        while Instant::now() < end {
            if let server_message::Kind::Goals(goals) = self.next()? {
                self.goals = goals.goals.len();
            }
        }
        Ok(())
    }

    /// Waits until the world is another one, or for what is said against it.
    fn until_loaded(&mut self) -> Result<Option<String>> {
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            match self.next()? {
                server_message::Kind::Frame(frame) if frame.generation > 1 => return Ok(None),
                server_message::Kind::MapAnswer(answer) if !answer.error.is_empty() => {
                    return Ok(Some(answer.error));
                }
                server_message::Kind::Notice(notice)
                    if notice.level == pb::notice::Level::Error as i32 =>
                {
                    return Ok(Some(notice.text));
                }
                _ => {}
            }
        }
        bail!("it never came")
    }

    fn load(&mut self, load: &Load) -> Result<Option<String>> {
        self.say(match load {
            Load::Map { name, bytes, .. } => {
                let (name, data) = ((*name).to_owned(), bytes.clone().into());
                client_message::Kind::LoadMap(pb::LoadMap { name, data, ..Default::default() })
            }
            Load::Scene(name) => {
                let kind = Some(control::Kind::Load((*name).to_owned()));
                client_message::Kind::Control(pb::Control { kind })
            }
        })?;
        self.until_loaded()
    }

    /// Sends robots to places.
    fn send(&mut self, goals: &[[f64; 2]]) -> Result<()> {
        self.say(client_message::Kind::WatchGoals(pb::WatchGoals { on: true }))?;
        for (body, &[x, y]) in (0..).zip(goals) {
            self.say(client_message::Kind::Claim(pb::Claim { body, release: false }))?;
            let goal = pb::SetGoal { body, x, y, ..Default::default() };
            self.say(client_message::Kind::SetGoal(goal))?;
        }
        Ok(())
    }
}

/// Deadlines of a live run that loads, beside those of a bare loop at the same time.
pub(super) fn loading() -> Result<Outcome> {
    let (mut details, mut beyond) = (Map::new(), vec![]);
    for (name, load) in loads()? {
        let (shown, missed) = measure(&load)?;
        details.insert(name.to_owned(), shown);
        beyond.push(missed);
    }
    Ok(Outcome { value: Spread::of(beyond), unit: "missed beyond bare", details })
}

/// One of them: what is shown, and the deadlines of 30 ms that the run missed beyond the bare loop's.
fn measure(load: &Load) -> Result<(Value, f64)> {
    memory::forget_peak();
    let run = Match::start()?;
    let mut viewer = run.connect()?;
    viewer.watch(Duration::from_millis(500))?;
    let begin = Instant::now();
    let refusal = viewer.load(load)?;
    let ready_s = begin.elapsed().as_secs_f64();
    let goals = load.goals();
    if goals.is_empty() {
        viewer.watch(AFTERWARDS)?;
    } else {
        viewer.send(goals)?;
        viewer.watch(DRIVING)?;
    }
    let [live, bare] = run.end()?;
    let frames = (&live[1], &bare[1]);
    let ms = |deadlines: &Deadlines| (deadlines.lateness().max * 1e5).round() / 1e2;
    let mut shown = json!({
        "ready_s": (ready_s * 1e3).round() / 1e3,
        "missed_30ms": frames.0.missed(),
        "bare_missed_30ms": frames.1.missed(),
        "worst_ms": ms(frames.0),
        "bare_worst_ms": ms(frames.1),
        "missed_1ms": live[0].missed(),
        "bare_missed_1ms": bare[0].missed(),
        "peak_mb": memory::peak_mb(),
    });
    if let (false, Some(shown)) = (goals.is_empty(), shown.as_object_mut()) {
        shown.insert("goals".to_owned(), viewer.goals.into());
    }
    if let (Some(why), Some(shown)) = (refusal, shown.as_object_mut()) {
        shown.insert("refused".to_owned(), why.into());
    }
    Ok((shown, frames.0.missed() as f64 - frames.1.missed() as f64))
}

/// The largest memory of this process, where the system tells it.
mod memory {
    use std::fs;

    /// Counts the peak from now on.
    pub(super) fn forget_peak() {
        // Where it cannot be, the peak is that of all before.
        let _ = fs::write("/proc/self/clear_refs", "5");
    }

    /// Most memory in use since then, MB.
    pub(super) fn peak_mb() -> Option<u64> {
        let status = fs::read_to_string("/proc/self/status").ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        let kib: u64 = line.trim().trim_end_matches(" kB").trim().parse().ok()?;
        Some(kib * 1024 / 1_000_000)
    }
}
