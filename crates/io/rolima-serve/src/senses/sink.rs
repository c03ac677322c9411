//! What the live loop does for those who watch: a copy, where somebody wants one.

use super::Shared;
use rolima_core::SenseState;
use rolima_run::live::{Publication, PublishedScene, Sink};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// Publications between two looks at the standard deviations.
const SIGMAS_EVERY: u32 = 64;

/// Most axes of a sensor.
const MOST_AXES: usize = 8;

/// The standard deviations of a sensor.
pub(crate) fn sigmas_of(senses: &SenseState, device: usize) -> impl Iterator<Item = f64> + '_ {
    (0..MOST_AXES).map_while(move |axis| senses.sigma(device, axis))
}

/// The sink of a live run that pictures are made from.
pub struct SenseSink {
    shared: Arc<Shared>,
    /// Scene and steps of the exposures that the render thread got last.
    offered: Option<u32>,
    steps: Vec<u64>,
    publications: u32,
    devices: usize,
}

impl SenseSink {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Self { shared, offered: None, steps: vec![], publications: 0, devices: 0 }
    }

    fn offer(&mut self, publication: &Publication<'_>) {
        let exposures = &publication.senses.exposures;
        let asked = self.shared.asked.load(Relaxed);
        let known = self.offered == Some(publication.generation)
            && self.steps.iter().eq(exposures.iter().map(|exposure| &exposure.step));
        if exposures.is_empty() || (known && !asked) {
            return;
        }
        // Where the render thread or a watcher is at it, the next publication will do.
        let Ok(mut inbox) = self.shared.inbox.try_lock() else { return };
        let Ok(wanted) = self.shared.wanted.try_lock() else { return };
        self.shared.asked.store(false, Relaxed);
        self.offered = Some(publication.generation);
        self.steps.clear();
        self.steps.extend(exposures.iter().map(|exposure| exposure.step));
        inbox.exposures.clone_from(exposures);
        inbox.cameras.clear();
        let noise = |device: &usize| Some((*device, publication.senses.camera_noise(*device)?));
        inbox.cameras.extend(wanted.keys().filter_map(noise));
        inbox.fresh = !inbox.cameras.is_empty();
        drop(wanted);
        drop(inbox);
        self.shared.work.notify_one();
    }

    fn tell_sigmas(&mut self, publication: &Publication<'_>) {
        if !self.publications.is_multiple_of(SIGMAS_EVERY)
            || !self.shared.sigmas_wanted.load(Relaxed)
        {
            return;
        }
        let Ok(mut sigmas) = self.shared.sigmas.try_lock() else { return };
        self.shared.sigmas_wanted.store(false, Relaxed);
        sigmas.generation = publication.generation;
        sigmas.values.resize(self.devices, vec![]);
        for (device, values) in sigmas.values.iter_mut().enumerate() {
            values.clear();
            values.extend(sigmas_of(publication.senses, device));
        }
    }
}

impl Sink for SenseSink {
    fn scene(&mut self, published: &PublishedScene<'_>) {
        self.offered = None;
        self.devices = published.model.devices.len();
        let mut inbox = super::lock(&self.shared.inbox);
        inbox.generation = published.generation;
        inbox.model = Some(Arc::clone(published.model));
        inbox.fresh = false;
        self.shared.asked.store(true, Relaxed);
    }

    fn publication(&mut self, publication: &Publication<'_>) {
        self.publications = self.publications.wrapping_add(1);
        self.tell_sigmas(publication);
        if self.shared.count.load(Relaxed) > 0 {
            self.offer(publication);
        }
    }
}
