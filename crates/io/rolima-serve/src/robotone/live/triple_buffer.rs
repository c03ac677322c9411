//! What the loop has published last, for readers that it never waits for.

use super::super::robots::{Notifier, RobotNow};
use super::layout::{Errors, RobotLayout};
use rolima_core::Frame;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Thread;

/// Of three slots one is the newest and one may be read: one is always free.
const SLOTS: usize = 3;

/// The world at one instant, as programs see it.
#[derive(Clone, Default)]
pub(super) struct Published {
    pub(super) layout: Arc<RobotLayout>,
    pub(super) generation: u32,
    pub(super) step: u64,
    pub(super) time_s: f64,
    /// All up to this mark was done.
    pub(super) done: u64,
    pub(super) ended: bool,
    pub(super) robots: Vec<RobotNow>,
    pub(super) readings: Vec<f64>,
    /// First standard deviations of the sensors of the world.
    pub(super) world_std: Vec<f64>,
    /// Steps done when cameras took their last pictures, by the scene's rates of cameras; none if
    /// that is not known of this instant.
    pub(super) exposures: Vec<u64>,
}

/// Where the loop publishes.
#[derive(Default)]
pub(super) struct TripleBuffer {
    slots: [Mutex<Published>; SLOTS],
    newest: AtomicUsize,
    /// Whether there are programs: without any, nothing is copied.
    pub(super) wanted: AtomicBool,
    /// Marks that the loop has passed.
    pub(super) marks: Arc<AtomicU64>,
    /// Which thread notifies, and whom.
    pub(super) to_notify: Mutex<Option<(Thread, Notifier)>>,
}

impl TripleBuffer {
    /// What was published last.
    pub(super) fn newest(&self) -> MutexGuard<'_, Published> {
        let newest = self.newest.load(Ordering::Acquire);
        self.slots[newest].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Publishes; on the loop's thread, so without waiting for anybody.
    pub(super) fn publish(&self, fill: impl FnOnce(&mut Published)) {
        let newest = self.newest.load(Ordering::Relaxed);
        let others = (1..SLOTS).map(|after| (newest + after) % SLOTS);
        for slot in others {
            let Ok(mut free) = self.slots[slot].try_lock() else { continue };
            fill(&mut free);
            drop(free);
            self.newest.store(slot, Ordering::Release);
            break;
        }
        // Somebody who changes whom to notify now has not begun to wait.
        if let Ok(to_notify) = self.to_notify.try_lock()
            && let Some((thread, notifier)) = &*to_notify
            && notifier.is_heard()
        {
            thread.unpark();
        }
    }
}

impl Published {
    /// Fills in what a frame shows.
    pub(super) fn show(&mut self, layout: &Arc<RobotLayout>, frame: &Frame) {
        if !Arc::ptr_eq(&self.layout, layout) {
            self.layout = Arc::clone(layout);
        }
        self.generation = layout.generation;
        self.step = frame.step;
        self.time_s = frame.time_s;
        self.readings.clone_from(&frame.readings);
        self.robots.resize(layout.robots.len(), RobotNow::default());
        for ((now, body), robot) in
            self.robots.iter_mut().zip(&frame.bodies).zip(layout.robots.iter())
        {
            let pose = body.pose;
            now.pose = [pose.position.x, pose.position.y, pose.theta()];
            now.velocity = [pose.rotation.unrotate(body.velocity).x, body.omega];
            let [right, left] = body.wheel_speeds;
            now.wheels = [left, right];
            now.limits = robot.limits;
            let read = |device: &Option<super::layout::Sensor>| -> Option<[f64; 3]> {
                let range = device.as_ref()?.range.clone();
                self.readings.get(range)?.first_chunk().copied()
            };
            now.odometry = read(&robot.odometry);
            now.gps = read(&robot.gps);
        }
    }

    /// Fills in the standard deviations.
    pub(super) fn err(&mut self, errors: &[Errors], world_std: &[f64]) {
        self.world_std.clear();
        self.world_std.extend_from_slice(world_std);
        for (now, errors) in self.robots.iter_mut().zip(errors) {
            now.gps_std = errors.gps;
            now.odometry_std = errors.odometry;
            now.lidar_std = errors.lidar;
        }
    }
}
