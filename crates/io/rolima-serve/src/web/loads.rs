//! Scenes and maps that viewers load: some side by side, of each viewer one at a time.
//!
//! They become the world in the order in which they are ready, each between two steps, as the loop
//! takes them from its queue. So nobody waits for what somebody else's large picture takes.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Semaphore;

/// Loads that are read side by side: each takes a thread, and a picture up to 200 MB.
const READERS: usize = 3;
/// Loads that are read or wait for a reader: each may hold a map of 16 MiB.
const MOST: usize = 8;

/// What is being loaded.
pub(super) struct Loads {
    readers: Arc<Semaphore>,
    clients: Arc<Mutex<BTreeSet<u32>>>,
}

/// A load of one viewer, who may ask for the next when this is dropped.
pub(super) struct Load {
    client: u32,
    clients: Arc<Mutex<BTreeSet<u32>>>,
}

impl Drop for Load {
    fn drop(&mut self) {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.client);
    }
}

impl Default for Loads {
    fn default() -> Self {
        Self { readers: Arc::new(Semaphore::new(READERS)), clients: Arc::default() }
    }
}

impl Loads {
    /// Takes note that a viewer loads something; none if there is something of theirs on its way
    /// already, or too much of others.
    pub(super) fn begin(&self, client: u32) -> Option<Load> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = clients.len() < MOST && clients.insert(client);
        is_new.then(|| Load { client, clients: Arc::clone(&self.clients) })
    }

    /// Does the work of a load on a thread of its own, once a reader is free.
    pub(super) fn read(&self, work: impl FnOnce() + Send + 'static) {
        let readers = Arc::clone(&self.readers);
        tokio::spawn(async move {
            // Nobody closes it.
            let Ok(reader) = readers.acquire_owned().await else { return };
            tokio::task::spawn_blocking(move || {
                work();
                // What was refused has become no world whose end would do it.
                rolima_run::memory::give_back();
                drop(reader);
            });
        });
    }
}
