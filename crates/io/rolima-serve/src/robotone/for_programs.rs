//! Which robots programs may drive.

use super::network::Network;
use std::collections::BTreeSet;
use std::net::IpAddr;
use std::sync::Arc;
use tokio::sync::watch;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Allowed {
    #[default]
    All,
    Named(BTreeSet<String>),
}

#[derive(Debug, Default)]
struct Now {
    allowed: Allowed,
    changes: u64,
}

/// Which robots programs may drive, by name, so that it outlasts other scenes; clones are the same.
///
/// Where all are allowed programs may change the world, too; else they may do nothing beyond the
/// robots that are named.
#[derive(Clone, Debug)]
pub struct ForPrograms {
    now: Arc<watch::Sender<Now>>,
    /// Robots that are only for programs from some addresses, whoever releases them.
    paired: Arc<[(String, Network)]>,
}

impl Default for ForPrograms {
    /// All of them.
    fn default() -> Self {
        Self { now: Arc::new(watch::Sender::new(Now::default())), paired: Arc::default() }
    }
}

impl ForPrograms {
    /// Only robots of these names.
    pub fn named(names: impl IntoIterator<Item = String>) -> Self {
        Self::paired(names.into_iter().map(|name| (name, None)))
    }

    /// Only robots of these names, each from anywhere or only from the addresses that stand beside its
    /// name, in as many entries as there are networks.
    pub fn paired(robots: impl IntoIterator<Item = (String, Option<Network>)>) -> Self {
        let (mut names, mut paired) = (BTreeSet::new(), vec![]);
        for (name, network) in robots {
            paired.extend(network.map(|network| (name.clone(), network)));
            names.insert(name);
        }
        let now = Now { allowed: Allowed::Named(names), changes: 0 };
        Self { now: Arc::new(watch::Sender::new(now)), paired: paired.into() }
    }

    /// Whether programs from this address may drive the robot of this name once it is released.
    pub fn is_for(&self, name: &str, address: IpAddr) -> bool {
        let mut own = self.paired.iter().filter(|(paired, _)| paired == name).peekable();
        own.peek().is_none() || own.any(|(_, network)| network.contains(address))
    }

    /// Whether programs may drive all robots, and change the world.
    pub fn is_all(&self) -> bool {
        self.now.borrow().allowed == Allowed::All
    }

    /// Whether programs may drive the robot of this name.
    pub fn may_drive(&self, name: &str) -> bool {
        match &self.now.borrow().allowed {
            Allowed::All => true,
            Allowed::Named(names) => names.contains(name),
        }
    }

    /// Lets programs drive a robot from now on, or not; `all` are the names of the robots that there
    /// are.
    pub fn set<'a>(&self, name: &str, on: bool, all: impl Iterator<Item = &'a str>) {
        self.now.send_if_modified(|now| {
            let changed = match (&mut now.allowed, on) {
                (Allowed::All, true) => false,
                (Allowed::All, false) => {
                    let others = all.filter(|other| *other != name).map(str::to_owned);
                    now.allowed = Allowed::Named(others.collect());
                    true
                }
                (Allowed::Named(names), true) => names.insert(name.to_owned()),
                (Allowed::Named(names), false) => names.remove(name),
            };
            now.changes += u64::from(changed);
            changed
        });
    }

    /// Counts the changes.
    pub fn changes(&self) -> u64 {
        self.now.borrow().changes
    }

    /// Waits until [`changes`](Self::changes) is another number than `seen`.
    pub(super) async fn changed_since(&self, seen: u64) {
        // The sender is here, so it cannot be gone.
        let _ = self.now.subscribe().wait_for(|now| now.changes != seen).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn robots_are_allowed_and_taken_back_by_name() {
        let all = ForPrograms::default();
        assert!(all.is_all() && all.may_drive("any"));
        all.set("b", true, ["a", "b", "c"].into_iter());
        assert!(all.is_all() && all.changes() == 0);
        all.set("b", false, ["a", "b", "c"].into_iter());
        assert!(!all.is_all() && all.may_drive("a") && !all.may_drive("b") && !all.may_drive("d"));
        let some = ForPrograms::named(["a".to_owned()]);
        let same = some.clone();
        some.set("b", true, std::iter::empty());
        some.set("a", false, std::iter::empty());
        some.set("a", false, std::iter::empty());
        assert!(same.may_drive("b") && !same.may_drive("a"));
        assert_eq!(same.changes(), 2);
    }

    #[test]
    fn a_robot_may_be_for_some_addresses_only_whoever_releases_it() {
        let network = |text: &str| Some(text.parse::<Network>().unwrap());
        let address = |text: &str| text.parse::<IpAddr>().unwrap();
        let some = ForPrograms::paired([
            ("a".to_owned(), network("10.0.0.7")),
            ("a".to_owned(), network("192.168.1.0/24")),
            ("b".to_owned(), None),
        ]);
        for from in ["10.0.0.7", "192.168.1.9", "::ffff:10.0.0.7"] {
            assert!(some.is_for("a", address(from)), "{from}");
        }
        some.set("a", false, std::iter::empty());
        some.set("a", true, std::iter::empty());
        assert!(some.may_drive("a") && !some.is_for("a", address("10.0.0.8")));
        assert!(some.is_for("b", address("10.0.0.8")) && some.is_for("c", address("10.0.0.8")));
        assert!(!some.is_all());
    }
}
