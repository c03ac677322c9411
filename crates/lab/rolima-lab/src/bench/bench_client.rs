//! Viewers and programs in processes of their own, on real sockets: `rolima bench-client`, for
//! benchmarks.

use anyhow::{Context, Result, bail};
use clap::Args;
use rolima_console::numbers::count;
use rolima_robotone::{Dialect, Options, RobotOne};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tungstenite::{Message, WebSocket};

/// What the hidden `rolima bench-client` takes.
#[derive(Debug, Args)]
pub struct ClientArguments {
    /// HOST:PORT of a run
    address: String,

    /// How many viewers
    #[arg(long, value_parser = count::<usize>, default_value_t = 1)]
    viewers: usize,

    /// How many of them never read
    #[arg(long, value_parser = count::<usize>, default_value_t = 0)]
    stalled: usize,

    /// Instead of viewers, a program of Robot One with this robot, which asks as fast as it can
    #[arg(long, value_name = "N", value_parser = count::<u32>)]
    robot: Option<u32>,
}

/// Connects viewers, says so, and lets them read until the server is gone or nobody waits for
/// this process any more. Or connects a program, which asks for as long.
pub fn bench_client(arguments: &ClientArguments) -> Result<()> {
    if let Some(robot) = arguments.robot {
        return poll(&arguments.address, robot);
    }
    let mut threads = vec![];
    let mut stalled = vec![];
    for i in 0..arguments.viewers {
        let socket = connect(&arguments.address)?;
        if i < arguments.stalled {
            // Kept open, and never read.
            stalled.push(socket);
        } else {
            threads.push(std::thread::spawn(move || read_all(socket)));
        }
    }
    rolima_console::failure::say("connected")?;
    // The other side closes this pipe, at the latest when it ends.
    let mut rest = vec![];
    std::io::stdin().take(1 << 20).read_to_end(&mut rest)?;
    std::process::exit(0);
}

pub(super) fn connect(address: &str) -> Result<WebSocket<TcpStream>> {
    let stream = TcpStream::connect(address).with_context(|| format!("no answer at {address}"))?;
    stream.set_nodelay(true)?;
    let (socket, _) = tungstenite::client(format!("ws://{address}/ws"), stream)
        .map_err(|error| anyhow::anyhow!("{address} takes no viewer: {error}"))?;
    Ok(socket)
}

/// A program that asks for pose and lidar as fast as it can.
fn poll(address: &str, robot: u32) -> Result<()> {
    let options = Options { dialect: Dialect::Release, ..Options::default() };
    let mut program = RobotOne::connect_with(address, options)?;
    program.select(robot)?;
    program.pose()?;
    rolima_console::failure::say("connected")?;
    std::thread::spawn(move || {
        let mut rest = vec![];
        let _ = std::io::stdin().take(1 << 20).read_to_end(&mut rest);
        std::process::exit(0);
    });
    loop {
        program.pose().context("no answer")?;
        program.lidar().context("no answer")?;
    }
}

fn read_all(mut socket: WebSocket<TcpStream>) {
    while let Ok(message) = socket.read() {
        if matches!(message, Message::Close(_)) {
            break;
        }
    }
}

/// Viewers or a program that another process plays; they are gone when this is dropped.
pub(super) struct BenchClients {
    process: Child,
}

impl BenchClients {
    /// Starts so many viewers, of which so many never read.
    pub(super) fn start(address: &str, viewers: usize, stalled: usize) -> Result<Self> {
        let counts = [viewers, stalled].map(|count| count.to_string());
        Self::with(&[address, "--viewers", &counts[0], "--stalled", &counts[1]])
    }

    /// Starts a program with this robot that asks as fast as it can.
    pub(super) fn program(address: &str, robot: usize) -> Result<Self> {
        Self::with(&[address, "--robot", &robot.to_string()])
    }

    /// Whether it is still there.
    pub(super) fn lives(&mut self) -> bool {
        matches!(self.process.try_wait(), Ok(None))
    }

    fn with(arguments: &[&str]) -> Result<Self> {
        let program = std::env::current_exe().context("this program cannot be found")?;
        let mut process = Command::new(program)
            .arg("bench-client")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("clients cannot be started")?;
        let mut said = [0; 9];
        if let Some(out) = &mut process.stdout {
            out.read_exact(&mut said).context("clients did not connect")?;
        }
        if &said != b"connected" {
            let _ = process.kill();
            bail!("clients did not connect");
        }
        Ok(Self { process })
    }
}

impl Drop for BenchClients {
    fn drop(&mut self) {
        // Closing the pipe ends them.
        if let Some(mut pipe) = self.process.stdin.take() {
            let _ = pipe.flush();
        }
        let end = Instant::now() + Duration::from_secs(5);
        while Instant::now() < end {
            if !matches!(self.process.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
