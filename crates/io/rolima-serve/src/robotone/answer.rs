//! What each name does.

use super::robots::{
    RequestError, RobotAction, RobotNow, SAME_CYCLE, Ticket, ViewMode, Viewpoint, WorldChange,
    cycle_at,
};
use super::session::{Latched, ProgramSession};
use super::world_sensors::Camera;
use rolima_wire::robotone::{
    Asked, CYCLE_S, Dialect, NameRow, RobotOneQuantity, Share, encode_data, encode_number,
};
use std::sync::Arc;

/// Largest number that means something to a robot, in any unit.
const MOST: f64 = 1e6;

impl ProgramSession {
    /// Does what is asked and writes the reply; an error if it cannot be done.
    pub(super) async fn answer(&mut self, asked: Asked) -> Result<(), RequestError> {
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

    async fn get(&mut self, row: &'static NameRow) -> Result<(), RequestError> {
        match row.quantity {
            RobotOneQuantity::Camera => {
                let robot = self.looked_at()?;
                return self.picture(Camera::Robot(robot)).await;
            }
            RobotOneQuantity::Lidar => return self.lidar(false),
            RobotOneQuantity::Scan => return self.lidar(true),
            RobotOneQuantity::LastError => {
                let why = self.last_error.clone();
                self.text(&why);
                return Ok(());
            }
            RobotOneQuantity::ActuatorNames => {
                let names = self.shared.robots.actuators(self.looked_at()?).join("\n");
                self.text(&names);
                return Ok(());
            }
            RobotOneQuantity::SensorNames => {
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
    async fn numbers(&mut self, quantity: RobotOneQuantity) -> Result<Numbers, RequestError> {
        let world = self.shared.robots.world();
        Ok(match quantity {
            RobotOneQuantity::Wait => Numbers::one(self.wait().await?),
            RobotOneQuantity::Time => Numbers::one(world.time_s),
            RobotOneQuantity::Robots => Numbers::one(world.robots.into()),
            RobotOneQuantity::Robot => Numbers::one(self.selected.into()),
            RobotOneQuantity::ActuatorNumber => Numbers::one(self.latched.actuator.into()),
            RobotOneQuantity::WorldMode => Numbers::one(f64::from(u8::from(world.is_maze))),
            RobotOneQuantity::ViewZoom => Numbers::one(self.shared.robots.view().zoom.into()),
            RobotOneQuantity::ViewMode => {
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

    fn now(&self, robot: u32) -> Result<RobotNow, RequestError> {
        let gone = || RequestError::Refused(format!("robot {robot} is gone"));
        self.shared.robots.robot(robot).ok_or_else(gone)
    }

    async fn set(&mut self, row: &'static NameRow, value: f32) -> Result<(), RequestError> {
        let number = f64::from(value);
        if number.abs() > MOST {
            return refused(format!("expected a number within {MOST}, got {value}"));
        }
        match row.quantity {
            RobotOneQuantity::Robot => return self.select(number).await,
            RobotOneQuantity::WorldMode => return self.mode(number).await,
            RobotOneQuantity::MazeClear => {
                return self.maze(WorldChange::Clear, Share::default()).await;
            }
            RobotOneQuantity::ViewMode | RobotOneQuantity::ViewZoom => {
                return self.look(row.quantity, value);
            }
            _ => {}
        }
        let robot = self.robot().await?;
        let part = row.part.unwrap_or(0);
        match row.quantity {
            RobotOneQuantity::Velocity => {
                self.latched.velocity[part] = number;
                self.tell_of_limits(robot, part);
                self.drive(robot, !self.latched.low_level).await
            }
            RobotOneQuantity::Wheels => {
                self.latched.wheels[part] = number;
                self.drive(robot, self.latched.low_level).await
            }
            RobotOneQuantity::ActuatorNumber => {
                let count = self.shared.robots.actuators(robot).len() as u32;
                self.latched.actuator = whole(number, count.saturating_sub(1))?;
                Ok(())
            }
            RobotOneQuantity::ActuatorValue if self.latched.manual => Ok(()),
            RobotOneQuantity::ActuatorValue => {
                let action =
                    RobotAction::Actuate { actuator: self.latched.actuator, value: number };
                self.act(robot, action).await.map(|_| ())
            }
            RobotOneQuantity::LowLevel => {
                self.latched.low_level = number != 0.0;
                self.drive(robot, true).await
            }
            RobotOneQuantity::Manual => {
                self.latched.manual = number != 0.0;
                self.let_people_drive(robot).await?;
                self.drive(robot, true).await
            }
            RobotOneQuantity::Reset => {
                self.latched = Latched { manual: self.latched.manual, ..Latched::default() };
                self.act_and_see(robot, RobotAction::Reset).await
            }
            quantity => {
                let action = changed(quantity, part, number, &self.now(robot)?)?;
                self.act_and_see(robot, action).await
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
            self.limited_log.tell(&format_args!(
                "asks for {asked} {unit}, above the robot's limit of {most} {unit}: it drives slower, \
                 around the same curve"
            ));
        }
    }

    /// Passes on what is commanded, if it is to be obeyed.
    async fn drive(&mut self, robot: u32, obeyed: bool) -> Result<(), RequestError> {
        if !obeyed || self.latched.manual {
            return Ok(());
        }
        let ([linear, angular], [left, right]) = (self.latched.velocity, self.latched.wheels);
        let action = match self.latched.low_level {
            true => RobotAction::Wheels { left, right },
            false => RobotAction::Velocity { linear, angular },
        };
        self.act(robot, action).await.map(|_| ())
    }

    async fn select(&mut self, number: f64) -> Result<(), RequestError> {
        let robot = whole(number, u32::MAX)?;
        self.exists(robot)?;
        if robot != self.selected {
            self.give_back().await;
            self.selected = robot;
        }
        Ok(())
    }

    fn look(&mut self, quantity: RobotOneQuantity, value: f32) -> Result<(), RequestError> {
        if !self.shared.for_programs.is_all() {
            self.looked_at()?;
        }
        let view = Viewpoint { robot: self.selected, ..self.shared.robots.view() };
        let view = match quantity {
            RobotOneQuantity::ViewZoom => Viewpoint { zoom: value.clamp(0.0, 1.0), ..view },
            _ => {
                let mode = modes(self.dialect)[whole(value.into(), 2)? as usize];
                Viewpoint { mode, ..view }
            }
        };
        self.shared.robots.set_view(view);
        Ok(())
    }

    async fn mode(&mut self, number: f64) -> Result<(), RequestError> {
        let wants_maze = whole(number, 1)? == 1;
        if wants_maze == self.shared.robots.world().is_maze {
            return Ok(());
        }
        let change = if wants_maze { WorldChange::Maze } else { WorldChange::Realistic };
        self.change(change, Share::default()).await
    }

    async fn maze(&mut self, change: WorldChange, share: Share) -> Result<(), RequestError> {
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
    async fn change(&mut self, change: WorldChange, share: Share) -> Result<(), RequestError> {
        self.may_change_world()?;
        self.shared.robots.may_change(&change)?;
        let ended = || RequestError::Refused("the world could not be read".to_owned());
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
    async fn wait(&mut self) -> Result<f64, RequestError> {
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
        let world = self.shared.notifier.until(is_over).await;
        if world.ended {
            return refused("the simulation has ended".to_owned());
        }
        let passed = world.time_s - self.waited_until_s;
        self.waited_until_s = world.time_s;
        Ok(if passed >= 0.0 { passed } else { world.time_s })
    }

    /// The newest distances, after where they were measured from if that is asked for.
    fn lidar(&mut self, with_place: bool) -> Result<(), RequestError> {
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

fn refused<T>(why: String) -> Result<T, RequestError> {
    Err(RequestError::Refused(why))
}

/// What a quantity of a robot is now.
///
/// Of velocity and wheels, what the program commands is told as commanded, the rest as it is; none:
/// it commands nothing, as the robot is not its own.
fn of_robot(
    quantity: RobotOneQuantity,
    now: &RobotNow,
    commanded: Option<Latched>,
) -> Result<Numbers, RequestError> {
    let latched = commanded.unwrap_or_default();
    let lacks = |what| RequestError::Refused(format!("the robot has no {what}"));
    let flag = |flag| Numbers::one(f64::from(u8::from(flag)));
    Ok(match quantity {
        RobotOneQuantity::Pose => Numbers::of(&now.pose),
        RobotOneQuantity::Velocity
            if commanded.is_none() || latched.low_level || latched.manual =>
        {
            Numbers::of(&now.velocity)
        }
        RobotOneQuantity::Velocity => Numbers::of(&latched.velocity),
        RobotOneQuantity::Wheels if latched.low_level && !latched.manual => {
            Numbers::of(&latched.wheels)
        }
        RobotOneQuantity::Wheels => Numbers::of(&now.wheels),
        RobotOneQuantity::Limits => {
            Numbers::of(&now.limits.ok_or_else(|| lacks("speed controller"))?)
        }
        RobotOneQuantity::LowLevel => flag(latched.low_level),
        RobotOneQuantity::Manual => flag(latched.manual),
        RobotOneQuantity::Odometry => Numbers::of(&now.odometry.ok_or_else(|| lacks("odometry"))?),
        RobotOneQuantity::OdometryStd => Numbers::of(&now.odometry_std),
        RobotOneQuantity::Gps => Numbers::of(&now.gps.ok_or_else(|| lacks("GPS"))?),
        RobotOneQuantity::GpsStd => Numbers::of(&now.gps_std),
        RobotOneQuantity::LidarStd => Numbers::one(now.lidar_std),
        RobotOneQuantity::Trace => flag(now.trace),
        other => return refused(format!("{other:?} is no number of a robot")),
    })
}

/// The act that changes one number of a quantity.
fn changed(
    quantity: RobotOneQuantity,
    part: usize,
    number: f64,
    now: &RobotNow,
) -> Result<RobotAction, RequestError> {
    let is_std = matches!(
        quantity,
        RobotOneQuantity::OdometryStd | RobotOneQuantity::GpsStd | RobotOneQuantity::LidarStd
    );
    if is_std && number < 0.0 {
        return refused(format!("expected a standard deviation from 0 up, got {number}"));
    }
    let lacks = || RequestError::Refused("the robot has no odometry".to_owned());
    Ok(match quantity {
        RobotOneQuantity::Pose => RobotAction::Place(with(now.pose, part, number)),
        RobotOneQuantity::Odometry => {
            RobotAction::Believe(with(now.odometry.ok_or_else(lacks)?, part, number))
        }
        RobotOneQuantity::OdometryStd => {
            RobotAction::OdometryStd(with(now.odometry_std, part, number))
        }
        RobotOneQuantity::GpsStd => RobotAction::GpsStd(with(now.gps_std, part, number)),
        RobotOneQuantity::LidarStd => RobotAction::LidarStd(number),
        RobotOneQuantity::Trace => RobotAction::Trace(number != 0.0),
        other => return refused(format!("{other:?} cannot be set")),
    })
}

fn with<const N: usize>(mut numbers: [f64; N], part: usize, number: f64) -> [f64; N] {
    numbers[part] = number;
    numbers
}

/// A whole number from 0 to this.
fn whole(number: f64, most: u32) -> Result<u32, RequestError> {
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
