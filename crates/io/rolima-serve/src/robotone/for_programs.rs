//! Which robots programs may drive.

use std::collections::BTreeSet;
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
pub struct ForPrograms(Arc<watch::Sender<Now>>);

impl Default for ForPrograms {
    /// All of them.
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(Now::default())))
    }
}

impl ForPrograms {
    /// Only robots of these names.
    pub fn named(names: impl IntoIterator<Item = String>) -> Self {
        let allowed = Allowed::Named(names.into_iter().collect());
        Self(Arc::new(watch::Sender::new(Now { allowed, changes: 0 })))
    }

    /// Whether programs may drive all robots, and change the world.
    pub fn is_all(&self) -> bool {
        self.0.borrow().allowed == Allowed::All
    }

    /// Whether programs may drive the robot of this name.
    pub fn may_drive(&self, name: &str) -> bool {
        match &self.0.borrow().allowed {
            Allowed::All => true,
            Allowed::Named(names) => names.contains(name),
        }
    }

    /// Lets programs drive a robot from now on, or not; `all` are the names of the robots that there
    /// are.
    pub fn set<'a>(&self, name: &str, on: bool, all: impl Iterator<Item = &'a str>) {
        self.0.send_if_modified(|now| {
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
        self.0.borrow().changes
    }

    /// Waits until [`changes`](Self::changes) is another number than `seen`.
    pub(super) async fn changed_since(&self, seen: u64) {
        // The sender is here, so it cannot be gone.
        let _ = self.0.subscribe().wait_for(|now| now.changes != seen).await;
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
}
