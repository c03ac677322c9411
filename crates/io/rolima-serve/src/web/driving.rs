//! Viewers that drive robots.

use super::handler::{Client, RequestHandler};
use super::refusal::RequestRefusal;
use super::tick::{SceneKnown, Tick};
use rolima_core::{Command, RobotId};
use rolima_run::live::{Action, Holder, Purpose, Request, Seats};
use rolima_wire::{ActuateAsked, DriveAsked, Which};
use std::time::{Duration, Instant};

impl RequestHandler {
    pub(super) fn claim(&self, body: u32, client: &Client) -> Result<(), RequestRefusal> {
        let tick = self.robot(body)?;
        let mut seats = self.seats();
        let held = |held| RequestRefusal::held(held, name_of(&tick.scene, body));
        seats.check(body, client.holder()).map_err(held)?;
        if seats.get(body).is_some_and(|seat| seat.holder == client.holder()) {
            return Ok(());
        }
        // Its built-in driver lets go; it stands until the first command.
        self.act(Action::Stop { robot: RobotId(body) })?;
        seats.take(body, client.holder(), Purpose::Commands, Instant::now()).map_err(held)?;
        Ok(())
    }

    /// Lets programs drive a robot, or not any more.
    pub(super) fn allow_programs(&self, robot: u32, on: bool) -> Result<(), RequestRefusal> {
        let tick = self.robot(robot)?;
        let allowed = self.backend.for_programs.as_ref().ok_or(RequestRefusal::NoRobotOne)?;
        let robots = tick.scene.scene.bodies.iter().take(tick.publication.now.robots);
        allowed.set(name_of(&tick.scene, robot), on, robots.map(|robot| robot.name.as_str()));
        Ok(())
    }

    /// Commands robots, all of them or none.
    pub(super) fn drive(
        &self,
        drives: Vec<DriveAsked>,
        client: &Client,
    ) -> Result<(), RequestRefusal> {
        let tick = self.tick().ok_or(RequestRefusal::NoScene)?;
        let mut seats = self.seats();
        for drive in &drives {
            self.check_driver(&seats, drive.body, client, &tick)?;
            check_command(&tick.scene, drive)?;
        }
        let commands = drives.iter().map(|drive| (RobotId(drive.body), drive.command)).collect();
        self.send(Request::Commands(commands))?;
        for drive in &drives {
            self.note_commanded(&mut seats, drive.body, client, drive.hold);
        }
        Ok(())
    }

    /// Sets actuators of a robot, all of them or none.
    pub(super) fn actuate(
        &self,
        actuate: &ActuateAsked,
        client: &Client,
    ) -> Result<(), RequestRefusal> {
        let tick = self.tick().ok_or(RequestRefusal::NoScene)?;
        let mut seats = self.seats();
        let body = actuate.body;
        self.check_driver(&seats, body, client, &tick)?;
        let known = &tick.scene.scene.bodies[body as usize].actuators;
        let command = |(which, value): &(Which, f64)| {
            let found = match which {
                Which::Name(name) => known.iter().position(|a| a.name == *name),
                Which::Number(n) => Some(*n as usize).filter(|n| *n < known.len()),
            };
            let actuator = found.ok_or_else(|| RequestRefusal::NoActuator {
                robot: name_of(&tick.scene, body).to_owned(),
                asked: which.to_string(),
                known: known.iter().map(|a| a.name.as_str()).collect::<Vec<_>>().join(", "),
            })?;
            Ok((RobotId(body), Command::Direct { actuator: actuator as u32, value: *value }))
        };
        let commands =
            actuate.settings.iter().map(command).collect::<Result<_, RequestRefusal>>()?;
        self.send(Request::Commands(commands))?;
        self.note_commanded(&mut seats, body, client, actuate.hold);
        Ok(())
    }

    /// Whether a viewer may drive a robot: it is one, and the viewer holds it.
    fn check_driver(
        &self,
        seats: &Seats,
        body: u32,
        client: &Client,
        tick: &Tick,
    ) -> Result<(), RequestRefusal> {
        self.robot(body)?;
        let not_held = |why| RequestRefusal::not_held(why, name_of(&tick.scene, body));
        seats.must_hold(body, client.holder()).map_err(not_held)
    }

    /// A command was sent, of a viewer that holds the robot.
    fn note_commanded(&self, seats: &mut Seats, body: u32, client: &Client, hold: Duration) {
        // One that holds longer counts as given later.
        let at = Instant::now() + hold.saturating_sub(self.limits.drive_silence);
        // Checked before.
        let _ = seats.command(body, client.holder(), at);
    }

    /// Takes a robot for a controller in lock step that commands it: its own, or one that nobody has.
    pub(super) fn take_for_answer(
        &self,
        seats: &mut Seats,
        drive: &DriveAsked,
        client: &Client,
    ) -> Result<(), RequestRefusal> {
        // The first turn may come before the first frame was shown; the loop knows its robots.
        let Some(tick) = self.tick() else { return Ok(()) };
        self.robot(drive.body)?;
        check_command(&tick.scene, drive)?;
        let by = Holder::Controller(client.number);
        let taken = seats.take(drive.body, by, Purpose::Commands, Instant::now());
        taken.map_err(|held| RequestRefusal::held(held, name_of(&tick.scene, drive.body)))?;
        Ok(())
    }
}

/// Whether a robot can be commanded so: speeds are for those with a speed controller, and for brakes.
fn check_command(scene: &SceneKnown, drive: &DriveAsked) -> Result<(), RequestRefusal> {
    let robot = scene.scene.bodies.get(drive.body as usize);
    let has_controller = robot.is_some_and(|body| body.max_speed > 0.0);
    let brakes = matches!(drive.command, Command::Velocity { v: 0.0, omega: 0.0 })
        && scene.scene.terrain.is_some();
    match drive.command {
        Command::Velocity { .. } | Command::Wheels { .. } if !has_controller && !brakes => {
            let robot = name_of(scene, drive.body).to_owned();
            Err(RequestRefusal::NoSpeedController { robot })
        }
        _ => Ok(()),
    }
}

pub(super) fn name_of(scene: &SceneKnown, body: u32) -> &str {
    scene.scene.bodies.get(body as usize).map_or("it", |body| &body.name)
}
