//! What loading costs a run that goes on: deadlines that it misses while maps, scenes and goals among
//! many walls come in from the page, beside those of a bare loop at the same time.

use super::Outcome;
use super::bench_client::connect;
use super::measure::Spread;
use super::worlds_to_load::{Load, loads};
use anyhow::{Context, Result, anyhow, bail};
use prost::Message as _;
use rolima_run::live::{Deadlines, bare_loop_while};
use rolima_wire::pb::{self, client_message, control, server_message};
use serde_json::{Map, Value, json};
use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
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

/// A match in real time with its page, as a program of its own, and a bare loop beside it.
struct Match {
    process: Child,
    /// `HOST:PORT` of the page.
    address: String,
    over: Arc<AtomicBool>,
    bare: JoinHandle<[Deadlines; 2]>,
}

impl Match {
    fn start() -> Result<Self> {
        let program = std::env::current_exe().context("this program cannot be found")?;
        let mut process = Command::new(program)
            .args(["run", "soccer", "--json", "--no-share", "--no-robotone"])
            .args(["--listen", "127.0.0.1:0"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .context("a run cannot be started")?;
        let address = address_of(&mut process)?;
        let over = Arc::new(AtomicBool::new(false));
        let is_over = Arc::clone(&over);
        let bare = std::thread::spawn(move || bare_loop_while(|| !is_over.load(Ordering::Relaxed)));
        Ok(Self { process, address, over, bare })
    }

    fn connect(&self) -> Result<Viewer> {
        let socket = connect(&self.address)?;
        socket.get_ref().set_read_timeout(Some(PATIENCE))?;
        Ok(Viewer { socket, goals: 0 })
    }

    /// Most memory that the run had, MB, where the system tells it.
    fn peak_mb(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        let kib: u64 = line.trim().trim_end_matches(" kB").trim().parse().ok()?;
        Some(kib * 1024 / 1_000_000)
    }

    /// What the run tells of its deadlines at its end, and those of the bare loop beside it.
    fn end(mut self) -> Result<(Value, [Deadlines; 2])> {
        interrupt(&mut self.process)?;
        let mut said = String::new();
        if let Some(out) = &mut self.process.stdout {
            out.read_to_string(&mut said)?;
        }
        self.process.wait()?;
        self.over.store(true, Ordering::Relaxed);
        let bare = self.bare.join().map_err(|_| anyhow!("the bare loop broke off"))?;
        let last = said.lines().last().unwrap_or_default();
        let told: Value = serde_json::from_str(last).context("the run told no result")?;
        Ok((told["deadlines"].clone(), bare))
    }
}

/// Where a run says that its page is. What it says later is read, so that it is not held up.
fn address_of(process: &mut Child) -> Result<String> {
    let said = process.stderr.take().ok_or_else(|| anyhow!("it says nothing"))?;
    let mut lines = BufReader::new(said).lines();
    while let Some(line) = lines.next().transpose()? {
        if let Some((_, rest)) = line.split_once("http://") {
            std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
            return Ok(rest.split(['/', ' ']).next().unwrap_or_default().to_owned());
        }
    }
    bail!("the run told no address")
}

/// Ends a run as Ctrl-C does.
#[cfg(unix)]
fn interrupt(process: &mut Child) -> Result<()> {
    let id = rustix::process::Pid::from_child(process);
    Ok(rustix::process::kill_process(id, rustix::process::Signal::INT)?)
}

/// Here there is no way to ask a program to end.
#[cfg(not(unix))]
fn interrupt(_: &mut Child) -> Result<()> {
    bail!("needs a system with signals")
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
    let peak_mb = run.peak_mb();
    let (live, bare) = run.end()?;
    let worst = |ms: f64| (ms * 1e2).round() / 1e2;
    let live_worst_ms = live["lateness_30ms"]["max_ms"].as_f64().unwrap_or(f64::NAN);
    let missed = live["missed_30ms"].as_u64().context("the run tells missed deadlines")?;
    let mut shown = json!({
        "ready_s": (ready_s * 1e3).round() / 1e3,
        "missed_30ms": missed,
        "bare_missed_30ms": bare[1].missed(),
        "worst_ms": worst(live_worst_ms),
        "bare_worst_ms": worst(1e3 * bare[1].lateness().max),
        "missed_1ms": live["missed_1ms"],
        "bare_missed_1ms": bare[0].missed(),
        "peak_mb": peak_mb,
    });
    if let (false, Some(shown)) = (goals.is_empty(), shown.as_object_mut()) {
        shown.insert("goals".to_owned(), viewer.goals.into());
    }
    if let (Some(why), Some(shown)) = (refusal, shown.as_object_mut()) {
        shown.insert("refused".to_owned(), why.into());
    }
    Ok((shown, missed as f64 - bare[1].missed() as f64))
}
