//! Pictures for programs of the released library, which reads a reply with one `recv`: how many of
//! them it gets cut off, on a machine that does nothing else and on one that is busy.

use super::Outcome;
use super::measure::Spread;
use anyhow::{Context, Result, bail};
use rolima_run::pool::cores;
use rolima_serve::robotone::kinematic::{Kinematic, KinematicSetup};
use rolima_serve::robotone::{Dialect, Priming, RobotOneOptions};
use rolima_serve::{RobotOneServer, RobotOneServerHandle};
use serde_json::{Map, Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Pictures that are captured, so many of a connection.
const CAPTURES: usize = 6_000;
const A_CONNECTION: usize = 20;
/// Threads that keep a busy machine so, for each core.
const BUSY_A_CORE: usize = 2;
/// Bytes of the reply with a picture, and room for one.
const PICTURE_BYTES: usize = 10 + 230_400;
const ROOM: usize = 2 << 20;
/// What the library leaves in the value of a get: whatever was there.
const GARBAGE: [u8; 4] = [0x5a, 0x01, 0x40, 0x3f];

/// A program with the habits of the released library.
struct Released {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Released {
    fn connect(server: &RobotOneServerHandle) -> Result<Self> {
        let address = server.address(Dialect::Release).context("no address")?;
        Ok(Self { stream: TcpStream::connect(address)?, buffer: vec![0; ROOM] })
    }

    /// Asks, and reads once, again while what comes begins with 0 or 1; how many bytes came.
    fn get(&mut self, name: &str) -> Result<usize> {
        let length = u32::try_from(name.len())?.to_le_bytes();
        self.stream.write_all(&[&[0], &length[..], name.as_bytes(), &GARBAGE].concat())?;
        loop {
            let count = self.stream.read(&mut self.buffer)?;
            if count == 0 {
                bail!("the server ended the connection");
            }
            if self.buffer[0] > 1 {
                return Ok(count);
            }
        }
    }

    /// Whether a picture was cut off. What is left of it is read, so that the next one can be told.
    fn is_cut(&mut self) -> Result<bool> {
        let got = self.get("Camera.Capture")?;
        if got < PICTURE_BYTES {
            let mut rest = vec![0; PICTURE_BYTES - got];
            self.stream.read_exact(&mut rest)?;
        }
        Ok(got != PICTURE_BYTES)
    }
}

/// Pictures that were cut off, the first of their connections among them.
fn cut(priming: Priming) -> Result<[usize; 2]> {
    let options = RobotOneOptions { priming, ..RobotOneOptions::any_ports() };
    let robots = Arc::new(Kinematic::new(KinematicSetup::default()));
    let server = RobotOneServer::start(options, robots)?;
    let (mut all, mut first) = (0, 0);
    for _ in 0..CAPTURES / A_CONNECTION {
        let mut program = Released::connect(&server)?;
        for name in ["Pose.X", "Pose.Y", "Pose.Theta"] {
            program.get(name)?;
        }
        for number in 0..A_CONNECTION {
            let is_cut = program.is_cut()?;
            all += usize::from(is_cut);
            first += usize::from(is_cut && number == 0);
        }
    }
    Ok([all, first])
}

/// Does something while all cores are busy.
fn busy<T>(work: impl FnOnce() -> T) -> T {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..BUSY_A_CORE * cores() {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let done = work();
        stop.store(true, Ordering::Relaxed);
        done
    })
}

/// Shares of pictures that a program of the released library gets cut off.
pub(super) fn released() -> Result<Outcome> {
    let shown = |[all, first]: [usize; 2]| -> Value {
        json!({
            "cut_off": all, "first_of_a_connection": first,
            "share": all as f64 / CAPTURES as f64,
        })
    };
    let recognised = cut(Priming::Recognised)?;
    let details = Map::from_iter([
        ("captures".to_owned(), json!(CAPTURES)),
        ("connections".to_owned(), json!(CAPTURES / A_CONNECTION)),
        ("recognised".to_owned(), shown(recognised)),
        ("never_primed".to_owned(), shown(cut(Priming::Never)?)),
        ("recognised_on_a_busy_machine".to_owned(), shown(busy(|| cut(Priming::Recognised))?)),
    ]);
    Ok(Outcome { value: Spread::of(vec![recognised[0] as f64]), unit: "cut off", details })
}
