//! Keys of what is no plain field of a specification: of kinds, and of what may be left out.

use crate::spec::Rate;
use Range::{Any, NotNegative, Positive, Within};
use rolima_check::Absent::{Own, Value};
use rolima_check::{Absent, Given, Key, KeyKind, ModelError, OURS, Range, count, key, number};

/// Source of what fields are built of.
const RULES: &str = "MiroSot rules";

/// Of a robot: its first speed.
pub const VELOCITY: Key =
    number("velocity", "m/s", Within(-1e4, 1e4), "its first speed along its heading")
        .or(Value(0.0), OURS);
/// Of a robot or an object: its first turning.
pub const OMEGA: Key =
    number("omega_deg_s", "deg/s", Within(-5e5, 5e5), "its first turning").or(Value(0.0), OURS);

/// What heights are for.
const FOR_VIEWS: &str = "height, for views, cameras and rays";
/// Of a robot or an object: its height.
pub const HEIGHT: Key = number("height", "m", Positive, FOR_VIEWS);

/// Of an object: its mass.
pub const OBJECT_MASS: Key = number("mass", "kg", Positive, "mass");
/// Of an object: its moment of inertia.
pub const OBJECT_INERTIA: Key =
    number("inertia", "kg m2", Positive, "moment of inertia about the vertical")
        .computed("outline at uniform density");
/// Of an object: its friction on the ground.
pub const GROUND_FRICTION: Key =
    number("ground_friction", "1", NotNegative, "friction on the ground; 0 slides for ever")
        .or(Value(0.4), "ours: wood on wood");

/// Of a rolling ball: friction while it slides.
pub const MU_SLIDE: Key =
    number("mu_slide", "1", NotNegative, "friction of the sliding ball on the ground")
        .or(Value(0.2), OURS);
/// Of a rolling ball: how it slows down, between the peers' 0.076 and 0.14.
pub const DECELERATION: Key =
    number("deceleration", "m/s2", NotNegative, "deceleration while rolling").or(Value(0.1), OURS);
/// Of a ball with viscous friction.
pub const BETA: Key =
    number("beta", "N s/m", NotNegative, "friction that grows with the speed (equation 9)");

/// Of a painted line: its width.
pub const MARKING_WIDTH: Key = number("width", "m", Positive, "full width").or(Value(0.003), RULES);

/// Of a robot: its number in its team.
pub const PLAYER: Key =
    count("player", (1, 1_000_000), "number in its team, which its second colour goes by")
        .computed("place among the robots of its team");

/// Of a floor: what covers what.
pub const LEVEL: Key = count(
    "level",
    (0, 1_000_000),
    "higher ones cover lower ones; of one level later ones cover earlier ones",
)
.or(Absent::Whole(1), OURS);

/// Of a wall: its thickness.
pub const THICKNESS: Key =
    number("thickness", "m", NotNegative, "full thickness; 0 is a sheet").or(Value(0.025), RULES);
/// Of a wall: its height.
pub const WALL_HEIGHT: Key = number("height", "m", NotNegative, FOR_VIEWS).or(Value(0.05), RULES);
/// Of an arc: the radius of its middle line.
pub const ARC_RADIUS: Key = number("radius", "m", Positive, "radius of the middle line");
/// Of an arc: where it begins.
pub const FROM_DEG: Key = number("from_deg", "deg", Any, "first angle");
/// Of an arc: where it ends.
pub const TO_DEG: Key =
    number("to_deg", "deg", Any, "last angle, counter-clockwise from the first");

/// Of a driver of constant voltages: the left one.
pub const LEFT: Key = number("left", "V", Within(-1e3, 1e3), "voltage of the left motor");
/// Of a driver of constant voltages: the right one.
pub const RIGHT: Key = number("right", "V", Within(-1e3, 1e3), "voltage of the right motor");
/// Of a driver that draws or seeks: its largest voltage.
pub const MAX_VOLTS: Key = number("max_volts", "V", Within(0.0, 1e3), "largest voltage it uses")
    .computed("the drive's supply");
/// Of a driver that draws voltages.
pub const DRAW_PERIOD: Key =
    number("period_s", "s", Within(1e-6, 1e6), "time between draws of new voltages")
        .or(Value(0.03), "a control system's frame");
/// Of a driver that wanders: its speed.
pub const WANDER_SPEED: Key = number(
    "speed",
    "m/s",
    Within(0.0, 1e3),
    "speed while the first lidar shows room ahead; needs a servo",
)
.computed("1, or the servo's fastest");
/// Of a driver that wanders: its turning.
pub const WANDER_TURNING: Key =
    number("turning_deg_s", "deg/s", Within(0.0, 5e4), "turning where there is no room")
        .computed("60, or half the servo's fastest");
/// Of a driver that wanders: how often it looks.
pub const WANDER_PERIOD: Key =
    number("period_s", "s", Within(1e-6, 1e6), "time between looks").or(Value(0.1), OURS);
/// Of a driver that seeks balls: its patience.
pub const PATIENCE: Key =
    number("patience_s", "s", Within(0.0, 1e9), "how long it stands stuck before it backs off")
        .or(Value(0.6), OURS);

/// Of a driver that goes to goals: how long it stays at them.
pub const WAIT: Key =
    number("wait_s", "s", Within(0.0, 1e9), "how long it stays at each goal").or(Value(0.0), OURS);

/// Of a sensor: how often it reads, and how often where nobody says.
pub const fn rate_hz(own: fn() -> Given, source: &'static str) -> Key {
    RATE_HZ.or(Own(own), source)
}
const RATE_HZ: Key = number("rate_hz", "1/s", Within(1e-6, 1e7), "readings a second");
/// Of a sensor: when it reads first.
pub const PHASE_S: Key =
    number("phase_s", "s", Within(0.0, 1e6), "time of the first reading").or(Value(0.0), OURS);

/// Of a sensor of the world: where it stands.
pub const POSITION: Key =
    key("position", "m", KeyKind::Numbers(3), "where it stands: [x, y, height above the ground]");

/// Checks how often a sensor reads.
pub(crate) fn check_rate(key: &str, rate: Rate) -> Result<(), ModelError> {
    RATE_HZ.check(key, rate.hertz())?;
    PHASE_S.check(key, rate.phase_s)
}

/// Of a lidar: the bearing of its first beam.
pub const FIRST_BEARING: Key = number(
    "first_bearing_deg",
    "deg",
    Within(-5e4, 5e4),
    "bearing of the first beam, left positive",
)
.computed("half the field of view, less a step: left first");
/// Of a lidar: from one beam to the next.
pub const STEP_BEARING: Key =
    number("step_bearing_deg", "deg", Any, "from one beam to the next, left positive")
        .computed("the field of view over the beams, to the right");
