//! What each name does.

use super::robots::{
    RobotAct, RobotNow, SAME_CYCLE, Ticket, Undone, View, ViewMode, WorldChange, cycle_at,
};
use super::session::{Latched, Session};
use super::world_sensors::Camera;
use rolima_wire::robotone::{
    Asked, CYCLE_S, Dialect, Quantity, Row, Share, encode_data, encode_number,
};
use std::sync::Arc;

/// Largest number that means something to a robot, in any unit.
const MOST: f64 = 1e6;

impl Session {
    /// Does what is asked and writes the reply; an error if it cannot be done.
    pub(super) async fn answer(&mut self, asked: Asked) -> Result<(), Undone> {
        match asked {
            Asked::Get(row) => self.get(row).await,
            Asked::Set(row, value) => {
                self.set(row, value).await?;
                encode_number(self.dialect, true, value, &mut self.reply);
                Ok(())
            }
            Asked::GetOf(row, name) => self.get_of(row.quantity, name).await,
            Asked::SetOf(row, name, value) => {
                self.set_of(row.quantity, &name, value).await?;
                encode_number(self.dialect, true, value, &mut self.reply);
                Ok(())
            }
            Asked::SetData(_, data) => {
                let (bytes, share) = data.into_parts();
                let size = bytes.len() as f32;
                self.maze(WorldChange::Load(bytes), share).await?;
                encode_number(self.dialect, true, size, &mut self.reply);
                Ok(())
            }
        }
    }

    async fn get(&mut self, row: &'static Row) -> Result<(), Undone> {
        match row.quantity {
            Quantity::Camera => {
                let robot = self.looked_at()?;
                return self.picture(Camera::Robot(robot)).await;
            }
            Quantity::Lidar => return self.lidar(false),
            Quantity::Scan => return self.lidar(true),
            Quantity::LastError => {
                let why = self.last_error.clone();
                self.text(&why);
                return Ok(());
            }
            Quantity::ActuatorNames => {
                let names = self.shared.robots.actuators(self.looked_at()?).join("\n");
                self.text(&names);
                return Ok(());
            }
            Quantity::SensorNames => {
                let names = self.shared.robots.world_sensors().map_or(vec![], |s| s.names());
                self.text(&names.join("\n"));
                return Ok(());
            }
            _ => {}
        }
        let numbers = self.numbers(row.quantity).await?;
        match row.part {
            Some(part) => self.number(numbers.get(part)),
            None if numbers.is_one() => self.number(numbers.get(0)),
            None => self.floats(numbers.all()),
        }
        Ok(())
    }

    /// All numbers of a quantity.
    async fn numbers(&mut self, quantity: Quantity) -> Result<Numbers, Undone> {
        let world = self.shared.robots.world();
        Ok(match quantity {
            Quantity::Wait => Numbers::one(self.wait().await?),
            Quantity::Time => Numbers::one(world.time_s),
            Quantity::Robots => Numbers::one(world.robots.into()),
            Quantity::Robot => Numbers::one(self.selected.into()),
            Quantity::ActuatorNumber => Numbers::one(self.latched.actuator.into()),
            Quantity::WorldMode => Numbers::one(f64::from(u8::from(world.is_maze))),
            Quantity::ViewZoom => Numbers::one(self.shared.robots.view().zoom.into()),
            Quantity::ViewMode => {
                let mode = self.shared.robots.view().mode;
                let number = modes(self.dialect).iter().position(|other| *other == mode);
                Numbers::one(number.unwrap_or(0) as f64)
            }
            _ => {
                let robot = self.looked_at()?;
                let now = self.now(robot)?;
                of_robot(quantity, &now, self.commanded(robot))?
            }
        })
    }

    fn now(&self, robot: u32) -> Result<RobotNow, Undone> {
        let gone = || Undone::Refused(format!("robot {robot} is gone"));
        self.shared.robots.robot(robot).ok_or_else(gone)
    }

    async fn set(&mut self, row: &'static Row, value: f32) -> Result<(), Undone> {
        let number = f64::from(value);
        if number.abs() > MOST {
            return refused(format!("expected a number within {MOST}, got {value}"));
        }
        match row.quantity {
            Quantity::Robot => return self.select(number).await,
            Quantity::WorldMode => return self.mode(number).await,
            Quantity::MazeClear => return self.maze(WorldChange::Clear, Share::default()).await,
            Quantity::ViewMode | Quantity::ViewZoom => return self.look(row.quantity, value),
            _ => {}
        }
        let robot = self.robot().await?;
        let part = row.part.unwrap_or(0);
        match row.quantity {
            Quantity::Velocity => {
                self.latched.velocity[part] = number;
                self.tell_of_limits(robot, part);
                self.drive(robot, !self.latched.low_level).await
            }
            Quantity::Wheels => {
                self.latched.wheels[part] = number;
                self.drive(robot, self.latched.low_level).await
            }
            Quantity::ActuatorNumber => {
                let count = self.shared.robots.actuators(robot).len() as u32;
                self.latched.actuator = whole(number, count.saturating_sub(1))?;
                Ok(())
            }
            Quantity::ActuatorValue if self.latched.manual => Ok(()),
            Quantity::ActuatorValue => {
                let act = RobotAct::Actuate { actuator: self.latched.actuator, value: number };
                self.act(robot, act).await.map(|_| ())
            }
            Quantity::LowLevel => {
                self.latched.low_level = number != 0.0;
                self.drive(robot, true).await
            }
            Quantity::Manual => {
                self.latched.manual = number != 0.0;
                self.let_people_drive(robot).await?;
                self.drive(robot, true).await
            }
            Quantity::Reset => {
                self.latched = Latched { manual: self.latched.manual, ..Latched::default() };
                self.act_and_see(robot, RobotAct::Reset).await
            }
            quantity => {
                let act = changed(quantity, part, number, &self.now(robot)?)?;
                self.act_and_see(robot, act).await
            }
        }
    }

    /// Tells, once, that a commanded speed is above the robot's limit.
    fn tell_of_limits(&mut self, robot: u32, part: usize) {
        let limits = self.shared.robots.robot(robot).and_then(|now| now.limits);
        let Some(most) = limits.map(|limits| limits[part]) else { return };
        let asked = self.latched.velocity[part];
        if asked.abs() > most && !self.told_limit {
            self.told_limit = true;
            let unit = ["m/s", "rad/s"][part];
            self.told.tell(&format_args!(
                "asks for {asked} {unit}, above the robot's limit of {most} {unit}: it drives slower, \
                 around the same curve"
            ));
        }
    }

    /// Passes on what is commanded, if it is to be obeyed.
    async fn drive(&mut self, robot: u32, obeyed: bool) -> Result<(), Undone> {
        if !obeyed || self.latched.manual {
            return Ok(());
        }
        let ([linear, angular], [left, right]) = (self.latched.velocity, self.latched.wheels);
        let act = match self.latched.low_level {
            true => RobotAct::Wheels { left, right },
            false => RobotAct::Velocity { linear, angular },
        };
        self.act(robot, act).await.map(|_| ())
    }

    async fn select(&mut self, number: f64) -> Result<(), Undone> {
        let robot = whole(number, u32::MAX)?;
        self.exists(robot)?;
        if robot != self.selected {
            self.give_back().await;
            self.selected = robot;
        }
        Ok(())
    }

    fn look(&mut self, quantity: Quantity, value: f32) -> Result<(), Undone> {
        if !self.shared.for_programs.is_all() {
            self.looked_at()?;
        }
        let view = View { robot: self.selected, ..self.shared.robots.view() };
        let view = match quantity {
            Quantity::ViewZoom => View { zoom: value.clamp(0.0, 1.0), ..view },
            _ => {
                let mode = modes(self.dialect)[whole(value.into(), 2)? as usize];
                View { mode, ..view }
            }
        };
        self.shared.robots.set_view(view);
        Ok(())
    }

    async fn mode(&mut self, number: f64) -> Result<(), Undone> {
        let wants_maze = whole(number, 1)? == 1;
        if wants_maze == self.shared.robots.world().is_maze {
            return Ok(());
        }
        let change = if wants_maze { WorldChange::Maze } else { WorldChange::Realistic };
        self.change(change, Share::default()).await
    }

    async fn maze(&mut self, change: WorldChange, share: Share) -> Result<(), Undone> {
        if !self.shared.robots.world().is_maze {
            return refused("mazes are for the maze mode: set World.Mode to 1 first".to_owned());
        }
        self.change(change, share).await
    }

    /// Changes the world on a thread of its own, a few changes side by side: a program has one at a
    /// time, and they become the world in the order in which they are ready.
    ///
    /// The turn goes with the work: a program that vanishes ends its waiting, but not what was
    /// begun for it, and the next one's map stays with its program until that is done. So does the
    /// map's share of what all may hold.
    async fn change(&mut self, change: WorldChange, share: Share) -> Result<(), Undone> {
        self.may_change_world()?;
        self.shared.robots.may_change(&change)?;
        let ended = || Undone::Refused("the world could not be read".to_owned());
        let turn = Arc::clone(&self.shared.changing).acquire_owned().await.map_err(|_| ended())?;
        let robots = Arc::clone(&self.shared.robots);
        let changing = tokio::task::spawn_blocking(move || {
            let _held = (turn, share);
            let changed = robots.change_world(change);
            rolima_run::memory::give_back();
            changed
        });
        let ticket: Ticket = changing.await.map_err(|_| ended())??;
        self.until_shown(ticket).await;
        Ok(())
    }

    /// Waits for the next cycle; how much time has passed since the wait before, s.
    async fn wait(&mut self) -> Result<f64, Undone> {
        let robots = Arc::clone(&self.shared.robots);
        let start = robots.world();
        let cycle = cycle_at(start.time_s) + 1.0;
        let client = self.client;
        let until_s = (cycle - SAME_CYCLE) * CYCLE_S;
        let is_over = || {
            let world = robots.world();
            // Time goes back if the world starts over.
            let over = world.time_s >= until_s || world.time_s < start.time_s || world.ended;
            if !over {
                robots.waits(client);
            }
            over.then_some(world)
        };
        let world = self.shared.bell.until(is_over).await;
        if world.ended {
            return refused("the simulation has ended".to_owned());
        }
        let passed = world.time_s - self.waited_until_s;
        self.waited_until_s = world.time_s;
        Ok(if passed >= 0.0 { passed } else { world.time_s })
    }

    /// The newest distances, after where they were measured from if that is asked for.
    fn lidar(&mut self, with_place: bool) -> Result<(), Undone> {
        let robot = self.looked_at()?;
        let mut floats = vec![0.0; if with_place { 4 } else { 0 }];
        let Some(place) = self.shared.robots.lidar(robot, &mut floats) else {
            return refused("the robot has no lidar".to_owned());
        };
        if with_place {
            let [x, y] = place.position;
            let place = [x, y, place.first_bearing, place.step_bearing];
            floats[..4].copy_from_slice(&place.map(|number| number as f32));
        }
        self.floats(&floats);
        Ok(())
    }

    pub(super) fn number(&mut self, number: f64) {
        encode_number(self.dialect, true, number as f32, &mut self.reply);
    }

    fn text(&mut self, text: &str) {
        encode_data(self.dialect, true, text.len() as f32, text.as_bytes(), &mut self.reply);
    }

    pub(super) fn floats(&mut self, floats: &[f32]) {
        let bytes: Vec<u8> = floats.iter().flat_map(|float| float.to_le_bytes()).collect();
        encode_data(self.dialect, true, floats.len() as f32, &bytes, &mut self.reply);
    }
}

/// One to three numbers.
struct Numbers {
    numbers: [f64; 3],
    floats: [f32; 3],
    count: usize,
}

impl Numbers {
    fn one(number: f64) -> Self {
        Self::of(&[number])
    }

    fn of(some: &[f64]) -> Self {
        let mut numbers = [0.0; 3];
        numbers[..some.len()].copy_from_slice(some);
        Self { numbers, floats: numbers.map(|number| number as f32), count: some.len() }
    }

    fn is_one(&self) -> bool {
        self.count == 1
    }

    fn get(&self, part: usize) -> f64 {
        self.numbers[part]
    }

    fn all(&self) -> &[f32] {
        &self.floats[..self.count]
    }
}

fn refused<T>(why: String) -> Result<T, Undone> {
    Err(Undone::Refused(why))
}

/// What a quantity of a robot is now.
///
/// Of velocity and wheels, what the program commands is told as commanded, the rest as it is; none:
/// it commands nothing, as the robot is not its own.
fn of_robot(
    quantity: Quantity,
    now: &RobotNow,
    commanded: Option<Latched>,
) -> Result<Numbers, Undone> {
    let latched = commanded.unwrap_or_default();
    let lacks = |what| Undone::Refused(format!("the robot has no {what}"));
    let flag = |flag| Numbers::one(f64::from(u8::from(flag)));
    Ok(match quantity {
        Quantity::Pose => Numbers::of(&now.pose),
        Quantity::Velocity if commanded.is_none() || latched.low_level || latched.manual => {
            Numbers::of(&now.velocity)
        }
        Quantity::Velocity => Numbers::of(&latched.velocity),
        Quantity::Wheels if latched.low_level && !latched.manual => Numbers::of(&latched.wheels),
        Quantity::Wheels => Numbers::of(&now.wheels),
        Quantity::Limits => Numbers::of(&now.limits.ok_or_else(|| lacks("speed controller"))?),
        Quantity::LowLevel => flag(latched.low_level),
        Quantity::Manual => flag(latched.manual),
        Quantity::Odometry => Numbers::of(&now.odometry.ok_or_else(|| lacks("odometry"))?),
        Quantity::OdometryStd => Numbers::of(&now.odometry_std),
        Quantity::Gps => Numbers::of(&now.gps.ok_or_else(|| lacks("GPS"))?),
        Quantity::GpsStd => Numbers::of(&now.gps_std),
        Quantity::LidarStd => Numbers::one(now.lidar_std),
        Quantity::Trace => flag(now.trace),
        other => return refused(format!("{other:?} is no number of a robot")),
    })
}

/// The act that changes one number of a quantity.
fn changed(
    quantity: Quantity,
    part: usize,
    number: f64,
    now: &RobotNow,
) -> Result<RobotAct, Undone> {
    let is_std = matches!(quantity, Quantity::OdometryStd | Quantity::GpsStd | Quantity::LidarStd);
    if is_std && number < 0.0 {
        return refused(format!("expected a standard deviation from 0 up, got {number}"));
    }
    let lacks = || Undone::Refused("the robot has no odometry".to_owned());
    Ok(match quantity {
        Quantity::Pose => RobotAct::Place(with(now.pose, part, number)),
        Quantity::Odometry => {
            RobotAct::Believe(with(now.odometry.ok_or_else(lacks)?, part, number))
        }
        Quantity::OdometryStd => RobotAct::OdometryStd(with(now.odometry_std, part, number)),
        Quantity::GpsStd => RobotAct::GpsStd(with(now.gps_std, part, number)),
        Quantity::LidarStd => RobotAct::LidarStd(number),
        Quantity::Trace => RobotAct::Trace(number != 0.0),
        other => return refused(format!("{other:?} cannot be set")),
    })
}

fn with<const N: usize>(mut numbers: [f64; N], part: usize, number: f64) -> [f64; N] {
    numbers[part] = number;
    numbers
}

/// A whole number from 0 to this.
fn whole(number: f64, most: u32) -> Result<u32, Undone> {
    if number.fract() == 0.0 && (0.0..=f64::from(most)).contains(&number) {
        return Ok(number as u32);
    }
    refused(format!("expected a whole number from 0 to {most}, got {number}"))
}

/// The views by their numbers.
fn modes(dialect: Dialect) -> [ViewMode; 3] {
    use ViewMode::{FirstPerson, ThirdPerson, Top};
    match dialect {
        Dialect::Release => [FirstPerson, ThirdPerson, Top],
        Dialect::Thesis => [ThirdPerson, Top, FirstPerson],
    }
}
