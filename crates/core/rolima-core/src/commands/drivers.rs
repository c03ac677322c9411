//! Built-in drivers.

use super::{Command, Volts, latch};
use crate::scratch::Scratch;
use crate::state::State;
use rolima_math::{Vec2, wrap_angle};
use rolima_model::{DriverSpec, LidarSpec, Model, RobotId, SensorKind};

/// A driver that looks at moving things does so this often, s: a camera frame.
const CHASER_PERIOD_S: f64 = 0.030;

/// Lets the drivers act that are due.
pub(super) fn run(model: &Model, state: &mut State, scratch: &mut Scratch) {
    let mut next_due = u64::MAX;
    for i in 0..model.robots.len() {
        if state.drivers[i].overridden {
            continue;
        }
        if state.step >= state.drivers[i].due {
            let (command, period) = drive(model, state, i);
            state.drivers[i].due = state.step.saturating_add(period);
            latch(state, &mut scratch.commanded_now, i as u32, command);
        }
        next_due = next_due.min(state.drivers[i].due);
    }
    state.drivers_due = next_due;
}

/// What a driver commands, and after how many steps it acts again.
fn drive(model: &Model, state: &mut State, i: usize) -> (Command, u64) {
    let volts = |[right, left]: [f64; 2]| Command::Volts(Volts { right, left });
    let steps = |period_s: f64| ((period_s / model.step_s).round() as u64).max(1);
    match model.robots[i].driver {
        // A speed controller or brakes hold the robot, motors without voltage only slow it down.
        DriverSpec::None if state.control[i].is_some() => {
            (Command::Velocity { v: 0.0, omega: 0.0 }, u64::MAX)
        }
        DriverSpec::None => (volts([0.0, 0.0]), u64::MAX),
        DriverSpec::Constant { left, right } => (volts([right, left]), u64::MAX),
        DriverSpec::Random { max_volts, period_s } => {
            let stream = &mut state.drivers[i].stream;
            let right = stream.between(-max_volts, max_volts);
            let left = stream.between(-max_volts, max_volts);
            (volts([right, left]), steps(period_s))
        }
        DriverSpec::Wander { speed, turning, period_s } => {
            (wander(model, state, i, [speed, turning]), steps(period_s))
        }
        DriverSpec::Chaser { max_volts, patience_s } => {
            let period = steps(CHASER_PERIOD_S);
            let patience = (patience_s / (period as f64 * model.step_s)).ceil() as i64;
            (volts(chase(model, state, i, (max_volts, patience))), period)
        }
    }
}

/// Turns to the nearest ball and drives at it, forwards or backwards, whichever is nearer. Where it
/// has been stuck for `patience` looks it backs off in a curve, for a time that is its own random draw: a scrum
/// comes apart and the ball gets free.
fn chase(
    model: &Model,
    state: &mut State,
    i: usize,
    (max_volts, patience): (f64, i64),
) -> [f64; 2] {
    let Some(body) = model.body(RobotId(i as u32)) else { return [0.0, 0.0] };
    let engine = &state.engine;
    let (pose, twist) = (engine.pose(model, body), engine.twist(model, body));
    let mut nearest: Option<Vec2> = None;
    for ball in model.balls().filter_map(|ball| model.body(ball)) {
        let to = pose.inverse_transform(engine.pose(model, ball).position);
        if nearest.is_none_or(|n| to.length_squared() < n.length_squared()) {
            nearest = Some(to);
        }
    }
    let Some(to) = nearest else { return [0.0, 0.0] };
    let direction = to.unit_or(Vec2::new(1.0, 0.0));
    // The robot has no front: backwards is as good. Turning is damped by the rate itself.
    let forward = if direction.x < 0.0 { -1.0 } else { 1.0 };
    let limit = |x: f64| (x * max_volts).clamp(-max_volts, max_volts);
    let driver = &mut state.drivers[i];
    if driver.patience < 0 {
        driver.patience += 1;
        let bend = if driver.stream.key & 1 == 0 { 0.25 } else { -0.25 };
        return [limit(-forward * (0.6 + bend)), limit(-forward * (0.6 - bend))];
    }
    let stuck = twist.own.x.abs() < 0.02 && twist.omega.abs() < 0.3;
    driver.patience = if stuck { driver.patience.saturating_add(1) } else { 0 };
    if driver.patience > patience {
        driver.patience = -10 - (driver.stream.next_u64() % 20) as i64;
    }
    let turn = direction.y * forward - 0.03 * twist.omega;
    let drive = forward * direction.x.abs();
    [limit(0.8 * drive + 0.6 * turn), limit(0.8 * drive - 0.6 * turn)]
}

/// Half the angle that a wanderer calls ahead, rad.
const AHEAD: f64 = 0.6;

/// On while its first lidar shows room ahead, else turning to the freer side until there is room.
/// Without a lidar: random speeds.
fn wander(model: &Model, state: &mut State, i: usize, [speed, turning]: [f64; 2]) -> Command {
    let is_lidar = |kind: &SensorKind| matches!(kind, SensorKind::Lidar(_));
    let device = model.device(i as u32, is_lidar).map(|device| &model.devices[device]);
    let driver = &mut state.drivers[i];
    let Some((device, lidar)) = device.and_then(|device| match &device.kind {
        SensorKind::Lidar(lidar) => Some((device, lidar)),
        _ => None,
    }) else {
        let v = driver.stream.between(0.3 * speed, speed);
        return Command::Velocity { v, omega: driver.stream.between(-turning, turning) };
    };
    let radius = model.body(RobotId(i as u32)).map_or(0.0, |body| body.radius);
    let sides = Sides::of(lidar, &state.senses.readings[device.range()]);
    let clear = 2.0 * radius + 0.5 * speed;
    if sides.ahead >= clear {
        driver.patience = 0;
        let bend = driver.stream.between(-0.3, 0.3);
        return Command::Velocity { v: speed, omega: bend * turning };
    }
    if driver.patience == 0 {
        driver.patience = if sides.left >= sides.right { 1 } else { -1 };
    }
    Command::Velocity { v: 0.0, omega: driver.patience as f64 * turning }
}

/// What a lidar shows, by directions, m.
struct Sides {
    /// The nearest thing ahead.
    ahead: f64,
    /// Mean distances to the left and to the right.
    left: f64,
    right: f64,
}

impl Sides {
    fn of(lidar: &LidarSpec, readings: &[f64]) -> Self {
        let mut ahead = lidar.range;
        let mut sums = [(0.0, 0.0); 2];
        for (beam, &distance) in readings.iter().enumerate() {
            let bearing = lidar.first_bearing + lidar.step_bearing * beam as f64;
            let bearing = wrap_angle(bearing + lidar.mount.theta());
            if bearing.abs() <= AHEAD {
                ahead = ahead.min(distance);
            }
            let (sum, count) = &mut sums[usize::from(bearing < 0.0)];
            *sum += distance;
            *count += 1.0;
        }
        let [left, right] = sums.map(|(sum, count)| sum / f64::max(count, 1.0));
        Self { ahead, left, right }
    }
}
