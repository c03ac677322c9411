//! How many viewers there are: bounded, and one address has half of the places at most.

use super::server::Shared;
use super::stats::Stats;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How many viewers there are, by address.
#[derive(Default)]
pub(crate) struct Crowd {
    counts: Mutex<BTreeMap<IpAddr, usize>>,
}

impl Crowd {
    fn counts(&self) -> MutexGuard<'_, BTreeMap<IpAddr, usize>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts one in, unless there are `most` already, or half of that from another machine.
    pub(crate) fn enter(&self, address: IpAddr, most: usize) -> bool {
        let mut counts = self.counts();
        let from_one = counts.get(&address).copied().unwrap_or(0);
        let most_from_one = if address.is_loopback() { most } else { most.div_ceil(2) };
        let has_room = counts.values().sum::<usize>() < most && from_one < most_from_one;
        if has_room {
            counts.insert(address, from_one + 1);
        }
        has_room
    }

    pub(crate) fn leave(&self, address: IpAddr) {
        let mut counts = self.counts();
        if let Some(count) = counts.get_mut(&address) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&address);
            }
        }
    }
}

/// Counts a viewer as long as it lives.
pub(crate) struct Counted {
    shared: Arc<Shared>,
    address: IpAddr,
    /// Given before the handshake is answered, so that numbers follow the order of connecting.
    client: u32,
}

impl Counted {
    /// None if there are too many already, in all or from this address.
    pub(crate) fn enter(shared: &Arc<Shared>, address: IpAddr) -> Option<Self> {
        shared.crowd.enter(address, shared.limits.viewers).then_some(())?;
        Stats::add(&shared.stats.viewers, 1);
        Stats::add(&shared.stats.viewers_ever, 1);
        let client = shared.next_client.fetch_add(1, Relaxed);
        Some(Self { shared: Arc::clone(shared), address, client })
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// The viewer's number.
    pub(crate) fn client(&self) -> u32 {
        self.client
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.shared.crowd.leave(self.address);
        self.shared.stats.viewers.fetch_sub(1, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn there(n: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, n])
    }

    #[test]
    fn one_address_has_half_of_the_viewers_at_most() {
        let crowd = Crowd::default();
        assert_eq!((0..10).filter(|_| crowd.enter(there(1), 8)).count(), 4);
        assert_eq!((0..10).filter(|_| crowd.enter(HERE, 8)).count(), 4);
        assert!(!crowd.enter(there(2), 8));
        crowd.leave(there(1));
        assert!(!crowd.enter(there(2), 4) && crowd.enter(there(2), 8));
        (0..4).for_each(|_| crowd.leave(HERE));
        (0..3).for_each(|_| crowd.leave(there(1)));
        crowd.leave(there(2));
        assert_eq!((0..10).filter(|_| crowd.enter(HERE, 8)).count(), 8);
    }
}
