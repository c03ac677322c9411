//! Replies to programs of this machine leave unpaced.
//!
//! Some congestion controls, such as BBR, which many systems have as their usual one, spread the packets of a
//! reply over time, by how fast they take the network to be. A program that reads with one `recv` then finds the
//! first of them alone. Within a machine there is no network to be spared, and Reno, which every Linux has, does
//! not pace. It is chosen where the socket listens: a connection that has begun to be paced stays so.

use std::net::{IpAddr, TcpListener};
use tokio::net::TcpStream;

/// What a system paces with as a rule; none where that cannot be told or chosen.
#[derive(Clone, Debug, Default)]
pub(super) struct UsualCongestionControl(#[cfg(target_os = "linux")] Option<Vec<u8>>);

#[cfg(target_os = "linux")]
const UNPACED: &[u8] = b"reno";

impl UsualCongestionControl {
    /// Lets connections of a socket begin without pacing.
    #[cfg(target_os = "linux")]
    pub(super) fn replaced(listener: &TcpListener) -> Self {
        let socket = socket2::SockRef::from(listener);
        let usual = socket.tcp_congestion().ok();
        // Without it, pictures are cut off more often.
        Self(usual.filter(|_| socket.set_tcp_congestion(UNPACED).is_ok()))
    }

    /// Gives the usual one back to a connection that comes from another machine.
    #[cfg(target_os = "linux")]
    pub(super) fn restore(&self, stream: &TcpStream, from: IpAddr) {
        if let Some(usual) = self.0.as_ref().filter(|_| !from.to_canonical().is_loopback()) {
            // One that is not allowed to be chosen was there all the same: then it stays unpaced.
            let _ = socket2::SockRef::from(stream).set_tcp_congestion(usual);
        }
    }

    /// It cannot be chosen here.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn replaced(_: &TcpListener) -> Self {
        Self()
    }

    /// It was not replaced.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn restore(&self, _: &TcpStream, _: IpAddr) {}
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use socket2::SockRef;
    use std::net::Ipv4Addr;

    fn of(name: &[u8]) -> &[u8] {
        name.split(|byte| *byte == 0).next().unwrap_or_default()
    }

    #[test]
    fn programs_of_this_machine_are_served_without_pacing_and_others_as_usual() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
            let address = listener.local_addr().unwrap();
            let before = SockRef::from(&listener).tcp_congestion().unwrap();
            let usual = UsualCongestionControl::replaced(&listener);
            listener.set_nonblocking(true).unwrap();
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            for from in [[127, 0, 0, 1], [192, 168, 1, 7]] {
                let _there = TcpStream::connect(address).await.unwrap();
                let here = listener.accept().await.unwrap().0;
                let name = || SockRef::from(&here).tcp_congestion().unwrap();
                assert_eq!(of(&name()), UNPACED, "from the beginning");
                usual.restore(&here, IpAddr::from(from));
                let expected = if from[0] == 127 { UNPACED } else { of(&before) };
                assert_eq!(of(&name()), expected, "{from:?}");
            }
        });
    }
}
