//! Viewers in a process of their own, on real WebSockets: `rolima guest`, for benchmarks.

use crate::cli::GuestArguments;
use anyhow::{Context, Result, bail};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tungstenite::{Message, WebSocket};

/// Connects viewers, says so, and lets them read until the server is gone or nobody waits for
/// this process any more.
pub(crate) fn guest(arguments: &GuestArguments) -> Result<()> {
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
    crate::failure::say("connected")?;
    // The other side closes this pipe, at the latest when it ends.
    let mut rest = vec![];
    std::io::stdin().take(1 << 20).read_to_end(&mut rest)?;
    std::process::exit(0);
}

fn connect(address: &str) -> Result<WebSocket<TcpStream>> {
    let stream = TcpStream::connect(address).with_context(|| format!("no answer at {address}"))?;
    stream.set_nodelay(true)?;
    let (socket, _) = tungstenite::client(format!("ws://{address}/ws"), stream)
        .map_err(|error| anyhow::anyhow!("{address} takes no viewer: {error}"))?;
    Ok(socket)
}

fn read_all(mut socket: WebSocket<TcpStream>) {
    while let Ok(message) = socket.read() {
        if matches!(message, Message::Close(_)) {
            break;
        }
    }
}

/// Viewers that another process plays; they are gone when this is dropped.
pub(super) struct Guests {
    process: Child,
}

impl Guests {
    /// Starts so many viewers, of which so many never read.
    pub(super) fn start(address: &str, viewers: usize, stalled: usize) -> Result<Self> {
        let program = std::env::current_exe().context("this program cannot be found")?;
        let mut process = Command::new(program)
            .args(["guest", address, "--viewers", &viewers.to_string()])
            .args(["--stalled", &stalled.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("viewers cannot be started")?;
        let mut said = [0; 9];
        if let Some(out) = &mut process.stdout {
            out.read_exact(&mut said).context("viewers did not connect")?;
        }
        if &said != b"connected" {
            let _ = process.kill();
            bail!("viewers did not connect");
        }
        Ok(Self { process })
    }
}

impl Drop for Guests {
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
