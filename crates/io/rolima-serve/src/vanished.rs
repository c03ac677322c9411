//! When a connection is given up because the other machine is gone.
//!
//! A program may be silent for as long as it likes, but not if its machine has vanished: in lock step the
//! world would wait for it. The two are told apart by the system, which acknowledges what arrives also
//! while the program is held in a debugger. Only a long message may fill what the system takes in for a
//! program that does not read; then silence says nothing, and there is no limit until the next answer.

use socket2::{SockRef, TcpKeepalive};
use std::time::Duration;

/// Longest message that a system takes in for a program that does not read, bytes: half of the smallest
/// usual receive buffer.
pub(crate) const MOST_UNREAD_BYTES: usize = 32 * 1024;
/// How often a peer that has nothing to acknowledge is asked before it is given up.
const QUESTIONS: u32 = 3;
/// Systems ask in whole seconds.
const LEAST_PATIENCE: Duration = Duration::from_secs(2 * QUESTIONS as u64);

/// Gives a connection up whose other machine has given no sign for so long; how long that is, as it
/// cannot be arbitrarily short.
pub(crate) fn watch(socket: &SockRef<'_>, patience: Duration) -> Duration {
    let patience = patience.max(LEAST_PATIENCE);
    let questions =
        TcpKeepalive::new().with_time(patience / 2).with_interval(patience / 2 / QUESTIONS);
    #[cfg(not(windows))]
    let questions = questions.with_retries(QUESTIONS);
    // Without it connections end later.
    let _ = socket.set_tcp_keepalive(&questions);
    give_up_after(socket, Some(patience));
    patience
}

/// How long what was sent may stay without acknowledgement; none: as long as the system likes.
pub(crate) fn give_up_after(socket: &SockRef<'_>, patience: Option<Duration>) {
    #[cfg(target_os = "linux")]
    let _ = socket.set_tcp_user_timeout(Some(patience.unwrap_or_default()));
    #[cfg(not(target_os = "linux"))]
    let _ = (socket, patience);
}

/// Whether these are the options of a connection that is given up after so long.
#[cfg(all(test, target_os = "linux"))]
pub(crate) fn is_watched(socket: &SockRef<'_>, patience: Duration) -> bool {
    let asked_for = || -> std::io::Result<Duration> {
        let interval = socket.tcp_keepalive_interval()?;
        Ok(socket.tcp_keepalive_time()? + interval * socket.tcp_keepalive_retries()?)
    };
    socket.keepalive().is_ok_and(|is_on| is_on)
        && asked_for().is_ok_and(|time| time == patience)
        && socket.tcp_user_timeout().is_ok_and(|limit| limit == Some(patience))
}
