//! Connections that make way for others while nothing is done for them: requests of the web that are half
//! sent, strangers who say nothing, programs that have no robot. They are few, and whoever has been
//! idle longest goes for those who come, so that nobody can be locked out by them.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

struct Entry {
    address: IpAddr,
    /// When it last began to be idle, counted in changes; none while something is done for it.
    idle_since: Option<u64>,
    evicted: Arc<Notify>,
}

#[derive(Default)]
struct ClaimTable {
    entries: BTreeMap<u64, Entry>,
    /// Counts changes: the age of things, without a clock.
    changes: u64,
}

impl ClaimTable {
    fn tick(&mut self) -> u64 {
        self.changes += 1;
        self.changes
    }

    fn count(&self, address: IpAddr) -> usize {
        self.entries.values().filter(|entry| entry.address == address).count()
    }

    /// The address that has most of them; this machine's own is none of them.
    fn busiest(&self) -> Option<IpAddr> {
        let mut counts = BTreeMap::<IpAddr, usize>::new();
        for entry in self.entries.values().filter(|entry| !entry.address.is_loopback()) {
            *counts.entry(entry.address).or_default() += 1;
        }
        let most = counts.into_iter().max_by_key(|(_, count)| *count)?;
        (most.1 > 1).then_some(most.0)
    }

    /// Ends the one that has been idle longest among those that are meant.
    fn evict(&mut self, is_meant: impl Fn(&Entry) -> bool) -> bool {
        let idle = self.entries.iter().filter(|(_, entry)| is_meant(entry));
        let oldest = idle.filter_map(|(id, entry)| Some((entry.idle_since?, *id))).min();
        let Some(entry) = oldest.and_then(|(_, id)| self.entries.remove(&id)) else { return false };
        entry.evicted.notify_one();
        true
    }
}

/// All of them.
pub(crate) struct Waiting {
    /// Most of them in all, and from one other machine. On this machine all have the same address, and
    /// the age decides alone.
    most: usize,
    most_from_one: usize,
    table: Mutex<ClaimTable>,
}

impl Waiting {
    /// Nobody, of so many at most in all, and from one other machine.
    pub(crate) fn new(most: usize, most_from_one: usize) -> Self {
        Self { most, most_from_one, table: Mutex::default() }
    }

    fn table(&self) -> MutexGuard<'_, ClaimTable> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Somebody comes, and somebody idle goes where there are too many. None where nobody is idle.
    pub(crate) fn enter(self: &Arc<Self>, address: IpAddr) -> Option<Arc<ConnectionPlace>> {
        let mut table = self.table();
        if !address.is_loopback() && table.count(address) >= self.most_from_one {
            table.evict(|entry| entry.address == address).then_some(())?;
        }
        if table.entries.len() >= self.most {
            let busiest = table.busiest();
            let makes_way = busiest.is_some_and(|one| table.evict(|entry| entry.address == one))
                || table.evict(|_| true);
            makes_way.then_some(())?;
        }
        let id = table.tick();
        let evicted = Arc::new(Notify::new());
        let entry = Entry { address, idle_since: Some(id), evicted: Arc::clone(&evicted) };
        table.entries.insert(id, entry);
        Some(Arc::new(ConnectionPlace { all: Arc::clone(self), address, id, evicted }))
    }
}

/// The place of one connection, given back when it ends.
pub(crate) struct ConnectionPlace {
    all: Arc<Waiting>,
    address: IpAddr,
    id: u64,
    evicted: Arc<Notify>,
}

impl ConnectionPlace {
    /// From where it comes.
    pub(crate) fn address(&self) -> IpAddr {
        self.address
    }

    /// Something is done for it from now on, or it is idle again, from now on.
    pub(crate) fn is_served(&self, is_served: bool) {
        let mut table = self.all.table();
        let now = table.tick();
        if let Some(entry) = table.entries.get_mut(&self.id) {
            entry.idle_since = (!is_served).then_some(now);
        }
    }

    /// Waits until this one has to go.
    pub(crate) async fn evicted(&self) {
        self.evicted.notified().await;
    }
}

impl Drop for ConnectionPlace {
    fn drop(&mut self) {
        self.all.table().entries.remove(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST_WAITING: usize = 384;
    const MOST_FROM_ONE: usize = 128;

    fn all() -> Arc<Waiting> {
        Arc::new(Waiting::new(MOST_WAITING, MOST_FROM_ONE))
    }

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn there(n: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, n])
    }

    fn is_in(place: &ConnectionPlace) -> bool {
        place.all.table().entries.contains_key(&place.id)
    }

    #[test]
    fn on_this_machine_the_oldest_idle_one_goes_first() {
        let all = all();
        let enter = || all.enter(HERE).expect("a place");
        let places: Vec<_> = (0..MOST_WAITING).map(|_| enter()).collect();
        places[0].is_served(true);
        places[1].is_served(true);
        places[1].is_served(false);
        let newcomers: Vec<_> = (0..3).map(|_| enter()).collect();
        assert!(is_in(&places[0]), "it is being answered");
        assert!(is_in(&places[1]), "it has asked something lately");
        assert!(places[2..5].iter().all(|place| !is_in(place)));
        assert!(places[5..].iter().chain(&newcomers).all(|place| is_in(place)));
        drop(newcomers);
        assert_eq!(all.table().entries.len(), MOST_WAITING - 3);
    }

    #[test]
    fn one_address_cannot_take_the_places_of_others() {
        let all = all();
        let enter = |address| all.enter(address).expect("a place");
        let own = enter(HERE);
        let flood: Vec<_> = (0..500).map(|_| enter(there(1))).collect();
        assert_eq!(flood.iter().filter(|place| is_in(place)).count(), MOST_FROM_ONE);
        let others: Vec<_> = (0..300).map(|n| enter(there(2 + (n % 200) as u8))).collect();
        assert!(is_in(&own), "those who have many make way first");
        assert!(others.iter().all(|place| is_in(place)));
        assert_eq!(flood.iter().filter(|place| is_in(place)).count(), MOST_WAITING - 301);
        assert_eq!(all.table().entries.len(), MOST_WAITING);
    }

    #[test]
    fn where_all_are_being_answered_nobody_is_cut_off() {
        let all = all();
        let places: Vec<_> = (0..MOST_WAITING).map(|_| all.enter(HERE).expect("a place")).collect();
        places.iter().for_each(|place| place.is_served(true));
        assert!(all.enter(HERE).is_none());
        places[7].is_served(false);
        assert!(all.enter(HERE).is_some() && !is_in(&places[7]));
    }
}
