//! Viewers that are controllers in lock step.

use super::desk::{Desk, Visitor};
use super::viewer::Outbox;
use rolima_core::Frame;
use rolima_run::live::{Request, TurnRefusal, TurnSink};
use rolima_wire::{DriveAsked, pb};

impl Desk {
    pub(super) fn join(&self, period: u32, visitor: &mut Visitor) -> Result<(), String> {
        let turns = Box::new(TurnTo { outbox: visitor.outbox.clone() });
        let period = period.into();
        self.send(Request::Join { controller: visitor.client, period, turns })?;
        visitor.joined = true;
        visitor.outbox.is_for_controller();
        Ok(())
    }

    pub(super) fn answer(
        &self,
        step: u64,
        drives: Vec<DriveAsked>,
        visitor: &Visitor,
    ) -> Result<(), String> {
        if !visitor.joined {
            return Err("Join before you answer.".to_owned());
        }
        // The first turn may come before the first frame was shown; the loop knows its robots.
        let robots = self.tick().map_or(usize::MAX, |tick| tick.moment.now.robots);
        let book = self.book();
        let mut refused = 0;
        let mut commands = Vec::with_capacity(drives.len());
        for DriveAsked { body, command, .. } in drives {
            let others = book.claims.get(&body).is_some_and(|claim| claim.client != visitor.client);
            if others || self.backend.programs.have(body) || body as usize >= robots {
                refused += 1;
            } else {
                commands.push((body, command));
            }
        }
        drop(book);
        // The world waits for the answer, also if parts of it are refused.
        self.send(Request::Answer { controller: visitor.client, step, commands })?;
        match refused {
            0 => Ok(()),
            _ => {
                Err(format!("{refused} commands were for no robot, or for one that others drive."))
            }
        }
    }
}

/// Tells a controller in lock step that the world waits for it.
struct TurnTo {
    outbox: Outbox,
}

impl TurnSink for TurnTo {
    fn turn(&mut self, frame: &Frame) {
        self.outbox.turn(frame);
    }

    fn refused(&mut self, why: TurnRefusal) {
        self.outbox.notice(pb::notice::Level::Warning, format!("Refused: {why}."));
    }
}
