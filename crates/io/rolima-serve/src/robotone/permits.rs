//! What a program may do with which robot.

use super::robots::RequestError;
use super::session::ProgramSession;

/// What is refused where only some robots are for programs.
const ONLY_ROBOTS: &str = "in this run programs may drive the robots that are released to them, and \
                           not change the world";

impl ProgramSession {
    /// Whether this program may drive a robot.
    pub(super) fn may_drive(&self, robot: u32) -> bool {
        let allowed = &self.shared.for_programs;
        // Most often all are, and then no name has to be looked for.
        allowed.is_all()
            || self
                .shared
                .robots
                .name(robot)
                .is_some_and(|name| allowed.may_drive(&name) && allowed.is_for(&name, self.address))
    }

    /// Waits until the robot that this program has is not for programs any more.
    pub(super) async fn taken_back(&self) {
        loop {
            let seen = self.shared.for_programs.changes();
            if self.seat.as_ref().is_some_and(|seat| !self.may_drive(seat.robot)) {
                return;
            }
            self.shared.for_programs.changed_since(seen).await;
        }
    }

    /// Refuses what changes the world for everybody, where programs may not drive all robots.
    pub(super) fn may_change_world(&self) -> Result<(), RequestError> {
        match self.shared.for_programs.is_all() {
            true => Ok(()),
            false => Err(RequestError::Refused(ONLY_ROBOTS.to_owned())),
        }
    }

    /// Refuses a robot that is not there, or is not for programs.
    pub(super) fn exists(&self, robot: u32) -> Result<(), RequestError> {
        let robots = self.shared.robots.world().robots;
        let why = match robots {
            robots if robot < robots && self.may_drive(robot) => return Ok(()),
            robots if robot < robots => {
                let name = self.shared.robots.name(robot).unwrap_or_default();
                let first = (0..robots).find(|robot| self.may_drive(*robot));
                let others =
                    first.map_or_else(|| "none is".to_owned(), |first| format!("robot {first} is"));
                let at = match self.shared.for_programs.is_for(&name, self.address) {
                    true => String::new(),
                    false => format!(" at {}", self.address),
                };
                format!("robot {robot} ({name}) is not released to programs{at}; {others}")
            }
            0 => {
                "there is no robot in this world: a text map has `R x y`, a drawn one something red"
                    .to_owned()
            }
            robots => format!("there is no robot {robot}: there are {robots}, from 0"),
        };
        Err(RequestError::Refused(why))
    }
}
