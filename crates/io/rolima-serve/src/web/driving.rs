//! Viewers that drive robots.

use super::desk::{Book, Claim, Desk, Visitor};
use super::tick::{SceneKnown, Tick};
use rolima_core::{Command, RobotId};
use rolima_run::live::{Act, Request};
use rolima_wire::DriveAsked;
use std::time::Instant;

impl Desk {
    pub(super) fn claim(&self, body: u32, visitor: &Visitor) -> Result<(), String> {
        let tick = self.robot(body)?;
        self.check_program(body, &tick)?;
        let mut book = self.book();
        self.forget_old_scene(&mut book, Some(&tick));
        if self.is_mine(&book, body, visitor, &tick)? {
            return Ok(());
        }
        // Its built-in driver lets go; it stands until the first command.
        self.act(Act::Stop { robot: RobotId(body) })?;
        let (client, commanded) = (visitor.client, Instant::now());
        book.claims.insert(body, Claim { client, commanded, stopped: true, sent: false });
        self.tell_drivers(&book);
        Ok(())
    }

    /// A robot that a program has cannot be driven by anybody else.
    pub(super) fn check_program(&self, robot: u32, tick: &Tick) -> Result<(), String> {
        match self.backend.programs.have(robot) {
            true => Err(format!("A program drives {} (Robot One).", name_of(&tick.scene, robot))),
            false => Ok(()),
        }
    }

    /// Lets programs drive a robot, or not any more.
    pub(super) fn allow_programs(&self, robot: u32, on: bool) -> Result<(), String> {
        let tick = self.robot(robot)?;
        let none = "No programs are let in: this run has no Robot One.";
        let allowed = self.backend.for_programs.as_ref().ok_or(none)?;
        let robots = tick.scene.scene.bodies.iter().take(tick.moment.now.robots);
        allowed.set(name_of(&tick.scene, robot), on, robots.map(|robot| robot.name.as_str()));
        self.tell_drivers(&self.book());
        Ok(())
    }

    /// Whether this viewer drives a robot, or nobody does; refused if somebody else does.
    pub(super) fn is_mine(
        &self,
        book: &Book,
        body: u32,
        visitor: &Visitor,
        tick: &Tick,
    ) -> Result<bool, String> {
        let Some(claim) = book.claims.get(&body) else { return Ok(false) };
        if claim.client == visitor.client {
            return Ok(true);
        }
        let name = book.names.get(&claim.client).map_or("somebody", String::as_str);
        Err(format!("{name} drives {}.", name_of(&tick.scene, body)))
    }

    pub(super) fn give_up(&self, body: u32, visitor: &Visitor) -> Result<(), String> {
        let mut book = self.book();
        if book.claims.get(&body).is_none_or(|claim| claim.client != visitor.client) {
            return Ok(());
        }
        book.claims.remove(&body);
        book.owe(Act::Release { robot: RobotId(body) });
        self.pay(&mut book);
        self.tell_drivers(&book);
        Ok(())
    }

    /// Commands robots, all of them or none.
    pub(super) fn drive(&self, drives: Vec<DriveAsked>, visitor: &Visitor) -> Result<(), String> {
        let tick = self.tick().ok_or("There is no scene yet.")?;
        let mut book = self.book();
        self.forget_old_scene(&mut book, Some(&tick));
        for drive in &drives {
            self.robot(drive.body)?;
            check_command(&tick.scene, drive)?;
            self.check_program(drive.body, &tick)?;
            if !self.is_mine(&book, drive.body, visitor, &tick)? {
                let name = name_of(&tick.scene, drive.body);
                return Err(format!("Claim {name} before you drive it."));
            }
        }
        let commands = drives.iter().map(|drive| (RobotId(drive.body), drive.command)).collect();
        self.send(Request::Commands(commands))?;
        let now = Instant::now();
        for drive in &drives {
            if let Some(claim) = book.claims.get_mut(&drive.body) {
                // One that holds longer counts as given later.
                let commanded = now + drive.hold.saturating_sub(self.limits.drive_silence);
                *claim = Claim { commanded, stopped: false, sent: false, ..*claim };
            }
        }
        Ok(())
    }

    /// Whether a controller in lock step may command a robot: its own, or one that nobody drives.
    pub(super) fn check_answer(
        &self,
        book: &Book,
        drive: &DriveAsked,
        visitor: &Visitor,
    ) -> Result<(), String> {
        // The first turn may come before the first frame was shown; the loop knows its robots.
        let Some(tick) = self.tick() else { return Ok(()) };
        self.robot(drive.body)?;
        check_command(&tick.scene, drive)?;
        self.check_program(drive.body, &tick)?;
        self.is_mine(book, drive.body, visitor, &tick).map(drop)
    }
}

/// Whether a robot can be commanded so: speeds are for those with a speed controller, and for brakes.
fn check_command(scene: &SceneKnown, drive: &DriveAsked) -> Result<(), String> {
    let robot = scene.scene.bodies.get(drive.body as usize);
    let has_controller = robot.is_some_and(|body| body.max_speed > 0.0);
    let brakes = matches!(drive.command, Command::Velocity { v: 0.0, omega: 0.0 })
        && scene.scene.terrain.is_some();
    match drive.command {
        Command::Velocity { .. } | Command::Wheels { .. } if !has_controller && !brakes => {
            let name = name_of(scene, drive.body);
            Err(format!("{name} has no speed controller: expected VOLTS."))
        }
        _ => Ok(()),
    }
}

fn name_of(scene: &SceneKnown, body: u32) -> &str {
    scene.scene.bodies.get(body as usize).map_or("it", |body| &body.name)
}
