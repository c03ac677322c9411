//! Programs that read a stream: one thread that hears what a client says, one that sends what is new.

use super::lock_step::LockStepSeat;
use super::options::equal;
use super::outbox::{CameraBegun, News, Place};
use super::stats::count;
use super::{Shared, lock, mjpeg, start};
use crate::messages::{ClientMessage, MAGIC, MOST_CLIENT_BYTES, ServerMessage};
use socket2::SockRef;
use std::collections::VecDeque;
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{
    AtomicBool, AtomicUsize, Ordering::AcqRel, Ordering::Acquire, Ordering::Relaxed,
};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What the system keeps for a client that reads slowly, bytes: frames in it are old when they are read.
const SEND_BUFFER: usize = 128 * 1024;
/// How often a thread that waits looks whether it is to end.
pub(crate) const LOOK: Duration = Duration::from_millis(100);
/// Connections that end while they are taken: a rest, so that they take no core.
const REST: Duration = Duration::from_millis(5);

/// All connections of a camera, to end them.
#[derive(Default)]
struct Connections {
    next: u64,
    /// That have not said who they are, the oldest first.
    strangers: VecDeque<(u64, TcpStream)>,
    known: Vec<(u64, TcpStream)>,
}

/// Takes connections until the link ends, and then ends them all.
pub(crate) fn listen(shared: &Arc<Shared>, listener: &TcpListener) {
    let connections = Arc::new(Mutex::new(Connections::default()));
    let count_of_threads = Arc::new(AtomicUsize::new(0));
    while !shared.is_stopped() {
        let Ok((stream, _)) = listener.accept() else {
            std::thread::sleep(REST);
            continue;
        };
        if shared.is_stopped() {
            break;
        }
        let Some(number) = meet(shared, &connections, &stream) else { continue };
        let (shared, all) = (Arc::clone(shared), Arc::clone(&connections));
        let running = Arc::clone(&count_of_threads);
        running.fetch_add(1, AcqRel);
        let begun = start("link client", move || {
            // Whatever goes wrong with a connection ends that connection.
            let _ = serve(&shared, &all, number, stream);
            forget(&all, number);
            running.fetch_sub(1, AcqRel);
        });
        if begun.is_err() {
            count_of_threads.fetch_sub(1, AcqRel);
            forget(&connections, number);
        }
    }
    let all = std::mem::take(&mut *lock(&connections));
    for (_, stream) in all.strangers.into_iter().chain(all.known) {
        // What was sent last is still read.
        let _ = stream.shutdown(Shutdown::Read);
    }
    let until = Instant::now() + 10 * LOOK;
    while count_of_threads.load(Acquire) > 0 && Instant::now() < until {
        std::thread::sleep(REST);
    }
}

/// Takes note of a connection; of too many strangers the oldest goes.
fn meet(shared: &Shared, connections: &Mutex<Connections>, stream: &TcpStream) -> Option<u64> {
    let copy = stream.try_clone().ok()?;
    let socket = SockRef::from(stream);
    // Each of them only makes it better.
    let _ = socket.set_tcp_nodelay(true);
    let _ = socket.set_send_buffer_size(SEND_BUFFER);
    let _ = stream.set_write_timeout(Some(LOOK));
    let mut all = lock(connections);
    all.next += 1;
    let number = all.next;
    all.strangers.push_back((number, copy));
    if all.strangers.len() > shared.limits.strangers
        && let Some((_, oldest)) = all.strangers.pop_front()
    {
        count(&shared.stats.refused, 1);
        let _ = oldest.shutdown(Shutdown::Both);
        drop(all);
        // Whoever connects again and again takes no core.
        std::thread::sleep(REST);
    }
    Some(number)
}

fn forget(connections: &Mutex<Connections>, number: u64) {
    let mut all = lock(connections);
    all.strangers.retain(|(other, _)| *other != number);
    all.known.retain(|(other, _)| *other != number);
}

/// A stranger has said who it is. False if there is no room, or it was given up meanwhile.
fn admit(shared: &Shared, connections: &Mutex<Connections>, number: u64) -> bool {
    let mut all = lock(connections);
    let at = all.strangers.iter().position(|(other, _)| *other == number);
    let Some(stranger) = at.and_then(|at| all.strangers.remove(at)) else { return false };
    if all.known.len() >= shared.limits.clients {
        return false;
    }
    all.known.push(stranger);
    count(&shared.stats.clients, 1);
    true
}

/// Serves a connection until it ends.
fn serve(
    shared: &Arc<Shared>,
    connections: &Mutex<Connections>,
    number: u64,
    mut stream: TcpStream,
) -> std::io::Result<()> {
    stream.set_read_timeout(Some(shared.limits.patience))?;
    let mut first = [0; 4];
    stream.read_exact(&mut first)?;
    if &first == mjpeg::GET {
        let asked = mjpeg::asked(shared, &mut stream)?;
        if !asked || !admit(shared, connections, number) {
            count(&shared.stats.refused, 1);
            return mjpeg::refuse(&mut stream, asked);
        }
        return mjpeg::serve(shared, &mut stream);
    }
    if &first != MAGIC {
        count(&shared.stats.bad, 1);
        return Ok(());
    }
    let refuse = |stream: &mut TcpStream, why: &str| {
        count(&shared.stats.refused, 1);
        send(shared, stream, &ServerMessage::Refused(why.to_owned()).bytes())
    };
    let ClientMessage::Hello { token, lock_step, .. } = hear(shared, &mut stream)? else {
        return refuse(&mut stream, "expected a hello first");
    };
    if !shared.token.as_ref().is_none_or(|own| equal(own, &token)) {
        return refuse(&mut stream, "wrong token");
    }
    if !admit(shared, connections, number) {
        return refuse(&mut stream, "too many clients");
    }
    let seat = if lock_step { shared.seat.take(shared) } else { None };
    if lock_step && seat.is_none() {
        let why = "the run is not in lock step, or somebody else is this camera's program in it";
        return refuse(&mut stream, why);
    }
    // A program in a debugger says nothing for as long as it likes.
    stream.set_read_timeout(None)?;
    let client = Arc::new(Client {
        key_wanted: AtomicBool::new(false),
        gone: AtomicBool::new(false),
        lock_step,
    });
    let (own, told, mut out) = (Arc::clone(shared), Arc::clone(&client), stream.try_clone()?);
    let sender = start("link sender", move || {
        let _ = tell(&own, &told, &mut out);
        let _ = out.shutdown(Shutdown::Both);
    })?;
    let heard = listen_to(shared, &client, seat.as_ref(), &mut stream);
    client.gone.store(true, Relaxed);
    shared.outbox.ring();
    let _ = sender.join();
    heard
}

/// What the two threads of a client share.
struct Client {
    key_wanted: AtomicBool,
    gone: AtomicBool,
    lock_step: bool,
}

/// Hears what a client says until it goes.
fn listen_to(
    shared: &Shared,
    client: &Client,
    seat: Option<&LockStepSeat>,
    stream: &mut TcpStream,
) -> std::io::Result<()> {
    let mut asked: Option<Instant> = None;
    loop {
        match hear(shared, stream)? {
            ClientMessage::KeyWanted => {
                if asked.is_none_or(|asked| asked.elapsed() >= shared.limits.key_rest) {
                    asked = Some(Instant::now());
                    client.key_wanted.store(true, Relaxed);
                    shared.outbox.ring();
                }
            }
            ClientMessage::Done { step } => match seat {
                Some(seat) => drop(seat.answer(step, vec![])),
                None => count(&shared.stats.bad, 1),
            },
            ClientMessage::Hello { .. } => count(&shared.stats.bad, 1),
            ClientMessage::Bye => return Ok(()),
        }
    }
}

/// Reads a client's message; what makes no sense ends the connection.
fn hear(shared: &Shared, stream: &mut TcpStream) -> std::io::Result<ClientMessage> {
    let mut length = [0; 4];
    stream.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length) as usize;
    let wrong = || {
        count(&shared.stats.bad, 1);
        std::io::Error::from(ErrorKind::InvalidData)
    };
    if length > MOST_CLIENT_BYTES {
        return Err(wrong());
    }
    let mut body = [0; MOST_CLIENT_BYTES];
    stream.read_exact(&mut body[..length])?;
    ClientMessage::read(&body[..length]).map_err(|_| wrong())
}

/// Sends a client what is new until it goes.
fn tell(shared: &Shared, client: &Client, stream: &mut TcpStream) -> std::io::Result<()> {
    shared.outbox.add_clients(1);
    let mut place = Place::default();
    let told = tell_all(shared, client, &mut place, stream);
    shared.outbox.add_clients(-1);
    if told.is_err() && !client.gone.load(Relaxed) {
        // What came while it read nothing.
        count(&shared.stats.missed, shared.outbox.delivered_since(&place));
    }
    told
}

fn tell_all(
    shared: &Shared,
    client: &Client,
    place: &mut Place,
    stream: &mut TcpStream,
) -> std::io::Result<()> {
    loop {
        let woken = || client.gone.load(Relaxed) || client.key_wanted.load(Relaxed);
        let news = shared.outbox.wait(place, LOOK, woken);
        if client.gone.load(Relaxed) && !news.ended {
            return Ok(());
        }
        let News { camera, frames, missed, turn, ended } = news;
        count(&shared.stats.missed, missed);
        let mut key_wanted = client.key_wanted.swap(false, Relaxed);
        if let Some(CameraBegun { info, key }) = camera {
            send(shared, stream, &info[usize::from(client.lock_step)])?;
            send(shared, stream, &key)?;
            key_wanted = false;
        }
        if key_wanted && let Some(key) = shared.outbox.key() {
            send(shared, stream, &key)?;
        }
        for frame in frames {
            send(shared, stream, &frame.body)?;
        }
        if let Some(turn) = turn.filter(|_| client.lock_step) {
            send(shared, stream, &ServerMessage::Turn(turn).bytes())?;
        }
        if ended {
            return send(shared, stream, &ServerMessage::End.bytes());
        }
    }
}

/// Sends a message. A client that reads nothing for too long is given up.
fn send(shared: &Shared, stream: &mut TcpStream, body: &[u8]) -> std::io::Result<()> {
    let length = (body.len() as u32).to_le_bytes();
    // Small ones in one packet.
    if body.len() <= SEND_BUFFER / 4 {
        let mut both = Vec::with_capacity(4 + body.len());
        both.extend(length);
        both.extend_from_slice(body);
        return write(shared, stream, &both);
    }
    write(shared, stream, &length)?;
    write(shared, stream, body)
}

/// Writes all of some bytes, however slowly they are read, until the link ends.
pub(crate) fn write(
    shared: &Shared,
    stream: &mut TcpStream,
    mut bytes: &[u8],
) -> std::io::Result<()> {
    let mut since = Instant::now();
    while !bytes.is_empty() {
        match stream.write(bytes) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(written) => {
                bytes = &bytes[written..];
                since = Instant::now();
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                if shared.is_stopped() || since.elapsed() > shared.limits.patience {
                    count(&shared.stats.refused, 1);
                    return Err(error);
                }
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
