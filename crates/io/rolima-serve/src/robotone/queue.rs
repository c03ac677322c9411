//! Programs that wait for a robot, one after another.

use super::robots::{Driver, RequestError, Robots};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How soon a hand-over is tried again.
const AGAIN: Duration = Duration::from_millis(5);

/// Programs in line for robots: whoever wants one that another program has waits for it. Who may have
/// it against others says the simulator ([`Robots::hand_over`]).
pub(super) struct ProgramQueue {
    robots: Arc<dyn Robots>,
    places: Mutex<BTreeMap<u32, Arc<Semaphore>>>,
}

/// A robot that a program has.
pub(super) struct HeldRobot {
    pub(super) robot: u32,
    _place: OwnedSemaphorePermit,
}

impl ProgramQueue {
    pub(super) fn new(robots: Arc<dyn Robots>) -> Self {
        Self { robots, places: Mutex::default() }
    }

    /// Whether another program has this robot.
    pub(super) fn is_taken(&self, robot: u32) -> bool {
        self.place(robot).available_permits() == 0
    }

    /// Takes a robot as soon as no other program has it; people cannot drive it from then on.
    pub(super) async fn take(&self, robot: u32, client: u32) -> Result<HeldRobot, RequestError> {
        let place = self.place(robot);
        // The semaphore is never closed.
        let place =
            place.acquire_owned().await.map_err(|e| RequestError::Refused(e.to_string()))?;
        self.hand_over(robot, Driver::Program(client)).await?;
        Ok(HeldRobot { robot, _place: place })
    }

    /// Gives a robot back: it stops, and people can drive it.
    pub(super) async fn give_back(&self, held: HeldRobot) {
        // If it is refused, the robot is gone.
        let _ = self.hand_over(held.robot, Driver::People).await;
    }

    /// Changes the driver; tries until the simulation has room for it.
    pub(super) async fn hand_over(&self, robot: u32, to: Driver) -> Result<(), RequestError> {
        loop {
            match self.robots.hand_over(robot, to) {
                Err(RequestError::Busy) if !self.robots.world().ended => {
                    tokio::time::sleep(AGAIN).await;
                }
                result => return result,
            }
        }
    }

    fn place(&self, robot: u32) -> Arc<Semaphore> {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(places.entry(robot).or_insert_with(|| Arc::new(Semaphore::new(1))))
    }
}
