//! Programs that take datagrams: one thread that hears what they say, one that sends what is new.
//!
//! A receiver is whoever says hello with the token and with the cookie that was sent to its address: nobody can have
//! frames sent to somebody else. It says so again every second or so; one that is silent is forgotten.

use super::options::equal;
use super::outbox::{CameraBegun, News, Place};
use super::stats::count;
use super::tcp::LOOK;
use super::{Shared, lock};
use crate::datagrams::split;
use crate::messages::{ClientMessage, MAGIC, MOST_CLIENT_BYTES, ServerMessage};
use std::hash::{BuildHasher, RandomState};
use std::net::{SocketAddr, UdpSocket};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Of the datagrams of clients so many are looked at in a while; what comes beyond stays with the system, which
/// throws it away.
const MOST_HEARD: u32 = 2_000;
const WHILE: Duration = Duration::from_millis(50);
/// So many datagrams leave together; then there is a rest in which receivers can take them.
const BURST: usize = 32;
const REST: Duration = Duration::from_micros(150);

/// Somebody who gets frames.
struct Receiver {
    address: SocketAddr,
    heard: Instant,
    /// When the background was sent last, and whether it is wanted.
    key_sent: Option<Instant>,
    key_wanted: bool,
    is_told: bool,
}

/// Who gets frames.
pub(crate) struct Receivers {
    all: Mutex<Vec<Receiver>>,
    /// What cookies are made with.
    secret: RandomState,
}

impl Receivers {
    pub(crate) fn new() -> Self {
        Self { all: Mutex::default(), secret: RandomState::new() }
    }

    /// What an address must show: it was sent there, so that whoever shows it gets what is sent there.
    fn cookie(&self, address: SocketAddr) -> u64 {
        self.secret.hash_one(address).max(1)
    }
}

/// Hears what clients say until the link ends.
pub(crate) fn receive(shared: &Arc<Shared>, socket: &UdpSocket, receivers: &Receivers) {
    // Else it would not see that it is to end.
    if socket.set_read_timeout(Some(LOOK)).is_err() {
        return;
    }
    let (mut since, mut heard) = (Instant::now(), 0);
    let mut bytes = [0; MOST_CLIENT_BYTES + 8];
    while !shared.is_stopped() {
        if since.elapsed() >= WHILE {
            (since, heard) = (Instant::now(), 0);
        }
        if heard >= MOST_HEARD {
            count(&shared.stats.flooded, 1);
            std::thread::sleep(WHILE.saturating_sub(since.elapsed()));
            continue;
        }
        let Ok((length, address)) = socket.recv_from(&mut bytes) else { continue };
        heard += 1;
        let message = bytes[..length].strip_prefix(MAGIC).map(ClientMessage::read);
        match message {
            Some(Ok(message)) => obey(shared, socket, receivers, address, message),
            _ => count(&shared.stats.bad, 1),
        }
    }
}

/// Does what somebody says.
fn obey(
    shared: &Shared,
    socket: &UdpSocket,
    receivers: &Receivers,
    address: SocketAddr,
    message: ClientMessage,
) {
    let answer = |message: ServerMessage<'_>| {
        split(&message.bytes(), 0, &mut vec![], |datagram| {
            // One that is lost is asked for again.
            let _ = socket.send_to(datagram, address);
        });
    };
    let mut all = lock(&receivers.all);
    let known = all.iter().position(|receiver| receiver.address == address);
    match (message, known) {
        (ClientMessage::Hello { token, lock_step, cookie }, _) => {
            // Answers are no longer than what they answer, so that nobody can have others flooded.
            if !shared.token.as_ref().is_none_or(|own| equal(own, &token)) {
                count(&shared.stats.refused, 1);
                return answer(ServerMessage::Refused("token".to_owned()));
            }
            if cookie != receivers.cookie(address) {
                return answer(ServerMessage::Cookie(receivers.cookie(address)));
            }
            if lock_step {
                count(&shared.stats.refused, 1);
                return answer(ServerMessage::Refused("lock step is for TCP".to_owned()));
            }
            let heard = Instant::now();
            if let Some(known) = known {
                all[known].heard = heard;
                return;
            }
            if all.len() >= shared.limits.clients {
                count(&shared.stats.refused, 1);
                return answer(ServerMessage::Refused("too many clients".to_owned()));
            }
            all.push(Receiver {
                address,
                heard,
                key_sent: None,
                key_wanted: false,
                is_told: false,
            });
            count(&shared.stats.clients, 1);
            shared.outbox.add_clients(1);
            shared.outbox.ring();
        }
        (ClientMessage::KeyWanted, Some(known)) => {
            all[known].key_wanted = true;
            shared.outbox.ring();
        }
        (ClientMessage::Bye, Some(known)) => {
            all.swap_remove(known);
            shared.outbox.add_clients(-1);
        }
        // Of somebody who has not said hello, or what only programs in lock step say.
        _ => count(&shared.stats.bad, 1),
    }
}

/// Sends what is new until the link ends.
pub(crate) fn send(shared: &Arc<Shared>, socket: &UdpSocket, receivers: &Receivers) {
    let mut out = Out { shared, socket, scratch: vec![], sent: 0 };
    let mut place = Place::default();
    let mut info: Option<Arc<[u8]>> = None;
    loop {
        let wanting = || lock(&receivers.all).iter().any(|r| r.key_wanted || !r.is_told);
        let News { camera, frames, ended, .. } = shared.outbox.wait(&mut place, LOOK, wanting);
        if let Some(CameraBegun { info: [watching, _], .. }) = camera {
            info = Some(watching);
            lock(&receivers.all).iter_mut().for_each(|receiver| {
                (receiver.is_told, receiver.key_sent) = (false, None);
            });
        }
        let keys =
            if let Some(info) = &info { due(shared, receivers, info, &mut out) } else { vec![] };
        let addresses: Vec<SocketAddr> = lock(&receivers.all).iter().map(|r| r.address).collect();
        if ended || shared.is_stopped() {
            addresses.iter().for_each(|to| out.send(*to, &ServerMessage::End.bytes(), 0));
            return;
        }
        for frame in &frames {
            addresses.iter().for_each(|to| out.send(*to, &frame.body, frame.number as u32));
        }
        // After the frames, which are wanted sooner.
        if let Some(key) = shared.outbox.key() {
            let number = u32::from_le_bytes([key[1], key[2], key[3], key[4]]);
            keys.iter().for_each(|to| out.send(*to, &key, number));
        }
    }
}

/// Tells receivers of the camera who have not been told; forgets those who are silent. Returns who gets the
/// background now.
fn due(shared: &Shared, receivers: &Receivers, info: &[u8], out: &mut Out<'_>) -> Vec<SocketAddr> {
    let limits = &shared.limits;
    let (mut untold, mut keys) = (vec![], vec![]);
    let mut all = lock(&receivers.all);
    let before = all.len();
    all.retain(|receiver| receiver.heard.elapsed() < limits.silence);
    shared.outbox.add_clients(all.len() as isize - before as isize);
    for receiver in all.iter_mut() {
        if !std::mem::replace(&mut receiver.is_told, true) {
            untold.push(receiver.address);
        }
        let rest = if receiver.key_wanted { limits.key_rest } else { limits.key_every };
        if receiver.key_sent.is_none_or(|sent| sent.elapsed() >= rest) {
            (receiver.key_sent, receiver.key_wanted) = (Some(Instant::now()), false);
            // The camera goes with every background: the first may have been lost.
            keys.push(receiver.address);
        }
    }
    drop(all);
    untold.extend(&keys);
    untold.into_iter().for_each(|to| out.send(to, info, 0));
    keys
}

/// Where datagrams leave.
struct Out<'a> {
    shared: &'a Shared,
    socket: &'a UdpSocket,
    scratch: Vec<u8>,
    /// Since the last rest.
    sent: usize,
}

impl Out<'_> {
    fn send(&mut self, to: SocketAddr, body: &[u8], number: u32) {
        let Self { shared, socket, scratch, sent } = self;
        split(body, number, scratch, |datagram| {
            if socket.send_to(datagram, to).is_err() {
                count(&shared.stats.unsent, 1);
            }
            *sent += 1;
            if *sent >= BURST {
                *sent = 0;
                std::thread::sleep(REST);
            }
        });
    }
}
