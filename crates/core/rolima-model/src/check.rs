//! What the parts of a scene may be.

use crate::keys;
use crate::spec::{
    DriverSpec, GoalSpec, MOST_GOALS_OF_A_ROUTE, MOST_GOING, RobotSpec, RouteSpec, SceneSpec,
    ServoSpec, VisionSpec,
};
use rolima_check::ModelError;
pub use rolima_check::{
    Absent, Given, Held, Key, KeyKind, Number, OURS, Range, Slot, Word, at_most, check_numbers,
    colour, count, degrees, finite, flag, key, keys, keys_of, not_negative, number, number_of,
    point, pose, positive, shown, table, tables, text, within, word, words,
};
use rolima_math::Vec2;
use std::collections::BTreeMap;

/// The numbers of a driver.
pub(crate) fn check_driver(key: &str, driver: &DriverSpec) -> Result<(), ModelError> {
    match *driver {
        DriverSpec::None => Ok(()),
        DriverSpec::Constant { left, right } => {
            keys::LEFT.check(key, left)?;
            keys::RIGHT.check(key, right)
        }
        DriverSpec::Random { max_volts, period_s } => {
            keys::MAX_VOLTS.check(key, max_volts)?;
            keys::DRAW_PERIOD.check(key, period_s)
        }
        DriverSpec::Wander { speed, turning, period_s } => {
            keys::WANDER_SPEED.check(key, speed)?;
            keys::WANDER_TURNING.check(key, turning)?;
            keys::WANDER_PERIOD.check(key, period_s)
        }
        DriverSpec::Chaser { max_volts, patience_s } => {
            keys::MAX_VOLTS.check(key, max_volts)?;
            keys::PATIENCE.check(key, patience_s)
        }
        DriverSpec::GoTo { ref route, ref vision } => {
            check_route(key, route)?;
            let own = format!("{key}.vision");
            vision.iter().try_for_each(|vision| check_numbers(&own, vision, VisionSpec::KEYS))
        }
    }
}

/// The numbers of a route.
fn check_route(key: &str, route: &RouteSpec) -> Result<(), ModelError> {
    let count = route.goals.len();
    if count == 0 || count > MOST_GOALS_OF_A_ROUTE {
        let expected = format!("1 to {MOST_GOALS_OF_A_ROUTE} goals");
        return Err(ModelError::new(format!("{key}.goals"), expected, count));
    }
    for (i, goal) in route.goals.iter().enumerate() {
        let at = match goal {
            GoalSpec::Pose(pose) => pose.position,
            GoalSpec::Ball { aim, .. } => *aim,
        };
        for x in [at.x, at.y] {
            within(&format!("{key}.goals.{i}"), x, -1e6, 1e6)?;
        }
    }
    keys::WAIT.check(key, route.wait_s)
}

/// Balls that robots are to meet are there, and no more robots go than may.
pub(crate) fn check_routes(spec: &SceneSpec) -> Result<(), ModelError> {
    check_numbers("vision", &spec.vision, VisionSpec::KEYS)?;
    let mut going = 0;
    for (i, robot) in spec.robots.iter().enumerate() {
        let DriverSpec::GoTo { route, .. } = &robot.driver else { continue };
        going += 1;
        if going > MOST_GOING {
            let expected = format!("at most {MOST_GOING} robots that go to goals");
            return Err(ModelError::new(format!("robot.{i}.driver.kind"), expected, "more"));
        }
        for (j, goal) in route.goals.iter().enumerate() {
            if let GoalSpec::Ball { ball, .. } = goal
                && !spec.balls.iter().any(|known| known.name == *ball)
            {
                let key = format!("robot.{i}.driver.goals.{j}.ball");
                return Err(ModelError::new(key, "the name of a ball", format!("{ball:?}")));
            }
        }
    }
    Ok(())
}

/// The numbers of a speed controller, and that there is one where it is needed.
pub(crate) fn check_servo(key: &str, robot: &RobotSpec) -> Result<(), ModelError> {
    let Some(servo) = robot.servo else {
        if matches!(robot.driver, DriverSpec::Wander { .. }) {
            return Err(ModelError::new(key, "a speed controller, as the driver wanders", "none"));
        }
        return Ok(());
    };
    check_numbers(key, &servo, ServoSpec::KEYS)?;
    let drive = &robot.drive;
    for (side, torque) in [
        ("right", drive.motor_constant_right * drive.conductance_right),
        ("left", drive.motor_constant_left * drive.conductance_left),
    ] {
        if torque <= 0.0 {
            let expected = format!("a {side} motor that gives torque");
            return Err(ModelError::new(key, expected, "a motor constant or conductance of 0"));
        }
    }
    Ok(())
}

/// Every thing has a name, and no two the same.
pub(crate) fn check_names(spec: &SceneSpec) -> Result<(), ModelError> {
    let robots = spec.robots.iter().enumerate().map(|(i, r)| (format!("robot.{i}.name"), &r.name));
    let balls = spec.balls.iter().enumerate().map(|(i, b)| (format!("ball.{i}.name"), &b.name));
    let objects =
        spec.objects.iter().enumerate().map(|(i, o)| (format!("object.{i}.name"), &o.name));
    let mut seen = std::collections::BTreeSet::new();
    let zones = spec.zones.iter().enumerate().map(|(i, z)| (format!("zone.{i}.name"), &z.name));
    for (key, name) in robots.chain(balls).chain(objects).chain(zones) {
        if name.is_empty() || !seen.insert(name) {
            return Err(ModelError::new(key, "a name of its own", format!("{name:?}")));
        }
    }
    Ok(())
}

/// Pairs that may start upon one another: so many in any scene, and so many more for each body.
const MOST_CROWDED: (usize, usize) = (100_000, 40);

/// Bodies do not start in heaps: every pair that touches costs memory and time, and a heap of n
/// has n^2/2 of them. Counted by cells, each body against those of its own size and larger ones,
/// so that few large bodies over many small ones are seen, too.
pub(crate) fn check_crowding(bodies: &[(Vec2, f64)]) -> Result<(), ModelError> {
    // By powers of two of the radius: how many bodies of this size each cell holds.
    let size = |radius: f64| (radius.to_bits() >> 52) as i32 - 1022;
    let cell = |at: Vec2, size: i32| {
        // Two to the power of the size, and twice that to each side.
        let side = 4.0 * f64::from_bits(((size + 1023) as u64) << 52);
        ((at.x / side).floor() as i64, (at.y / side).floor() as i64)
    };
    let mut sizes: BTreeMap<i32, BTreeMap<(i64, i64), usize>> = BTreeMap::new();
    for (at, radius) in bodies {
        let cells = sizes.entry(size(*radius)).or_default();
        *cells.entry(cell(*at, size(*radius))).or_default() += 1;
    }
    let mut pairs = 0usize;
    for (at, radius) in bodies {
        let own = size(*radius);
        for (&other, cells) in sizes.range(own..) {
            let there = cells.get(&cell(*at, other)).copied().unwrap_or(0);
            // Those of its own size are met twice.
            pairs = pairs.saturating_add(if other == own { (there - 1) / 2 } else { there });
        }
    }
    let most = MOST_CROWDED.0 + MOST_CROWDED.1 * bodies.len();
    if pairs <= most {
        return Ok(());
    }
    let expected = format!("bodies that start apart: at most {most} pairs near one another");
    Err(ModelError::new("scene", expected, format!("some {pairs}")))
}

/// Zones are not turned inside out.
pub(crate) fn check_zones(spec: &SceneSpec) -> Result<(), ModelError> {
    for (i, zone) in spec.zones.iter().enumerate() {
        if !(zone.min.x < zone.max.x && zone.min.y < zone.max.y) {
            let got = format!("[{}, {}]", shown(zone.max.x), shown(zone.max.y));
            return Err(ModelError::new(
                format!("zone.{i}.max"),
                "a corner right of and above min",
                got,
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_an_exponent_rather_than_rows_of_zeros() {
        for (x, expected) in [
            (0.0, "0"),
            (-1.5, "-1.5"),
            (1e-6, "0.000001"),
            (1e-7, "1e-7"),
            (1e15, "1000000000000000"),
            (-1e300, "-1e300"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(shown(x), expected);
        }
    }

    #[test]
    fn heaps_are_seen_whatever_lies_beside_and_below_them() {
        let heap = |count: usize, radius: f64| vec![(Vec2::new(0.3, 0.4), radius); count];
        let spread = |count: usize, radius: f64| {
            let at = |i: usize| Vec2::new((i % 300) as f64, (i / 300) as f64) * (3.0 * radius);
            (0..count).map(|i| (at(i), radius)).collect::<Vec<_>>()
        };
        assert!(check_crowding(&spread(90_000, 0.05)).is_ok());
        assert!(check_crowding(&heap(300, 0.5)).is_ok());
        assert!(check_crowding(&heap(1000, 0.5)).is_err());
        // Among many small ones, that would hide them in a mean.
        assert!(check_crowding(&[spread(90_000, 0.001), heap(5000, 1.0)].concat()).is_err());
        // Few large ones over many small ones.
        assert!(check_crowding(&[spread(90_000, 0.001), heap(400, 200.0)].concat()).is_err());
        assert!(check_crowding(&[]).is_ok());
    }

    #[test]
    fn what_is_too_large_is_told_so() {
        let message = |result: Result<f64, ModelError>| result.unwrap_err().to_string();
        assert_eq!(
            message(positive("m", 1e300)),
            "m: expected a number above 0 and below 1e12, got 1e300"
        );
        assert_eq!(message(positive("m", 0.0)), "m: expected a positive number, got 0");
        assert_eq!(
            message(not_negative("m", 1e12)),
            "m: expected a number from 0 to below 1e12, got 1000000000000"
        );
        assert_eq!(
            message(at_most("v", ("a speed", "m/s"), f64::NAN, 1e4)),
            "v: expected a speed of at most 10000 m/s, got NaN m/s"
        );
    }
}
