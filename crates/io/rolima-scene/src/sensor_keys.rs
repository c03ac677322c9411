//! Which keys each kind of sensor has.

use crate::reader::{Key, key};

/// The kinds of sensors.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Gps,
    Odometry,
    Encoders,
    Imu,
    Lidar,
    Sonar,
    Bumper,
    Camera,
}

const NAME: Key = key("name", "-", "what the sensor is called; names its random stream");
const RATE_HZ: Key = key("rate_hz", "1/s", "readings a second");
const PHASE_S: Key = key("phase_s", "s", "time of the first reading");
const MOUNT: Key = key("mount", "m", "where it is on the robot: [x, y]");
const POSE: Key = key("pose", "m, m, deg", "where it is on the robot: [x, y, heading]");
const SIGMA: Key = key("sigma", "m", "standard deviation of a distance");
const RANGE: Key = key("range", "m", "farthest distance, and what nothing reads");
const HEIGHT: Key = key("height", "m", "height above the ground");
const FIRST_BEARING: Key = key("first_bearing_deg", "deg", "bearing of the first, left positive");

/// What a lidar has wherever it is.
const LIDAR: [Key; 9] = [
    NAME,
    RATE_HZ,
    PHASE_S,
    RANGE,
    SIGMA,
    key("beams", "1", "readings a scan"),
    key("field_of_view_deg", "deg", "angle over which the beams go, left first"),
    FIRST_BEARING,
    key("step_bearing_deg", "deg", "from one beam to the next, left positive"),
];

/// The same of a sonar.
const SONAR: [Key; 10] = [
    NAME,
    RATE_HZ,
    PHASE_S,
    RANGE,
    SIGMA,
    key("ring", "m, m, deg", "transducers: [[x, y, heading], ...]"),
    key("cone_deg", "deg", "full width of a cone"),
    key("rays", "1", "rays that sample a cone"),
    key("most_incidence_deg", "deg", "most oblique angle that gives an echo"),
    key("least", "m", "nearest distance that is told apart"),
];

/// The same of a camera.
const CAMERA: [Key; 10] = [
    NAME,
    RATE_HZ,
    PHASE_S,
    key("width", "1", "width of a picture, pixels"),
    key("height", "1", "height of a picture, pixels"),
    key("opening_deg", "deg", "horizontal and vertical opening: [x, y]"),
    key("near", "m", "what is nearer is not seen"),
    key("sigma", "1", "standard deviation of a pixel's brightness, of 255"),
    key("smooth", "-", "four samples a pixel: smooth edges"),
    key("shadows", "-", "shadows on the ground"),
];

/// Where a camera is on a robot.
const CAMERA_MOUNT: [Key; 4] = [
    MOUNT,
    key("mount_height", "m", "height of the lens above the ground"),
    key("heading_deg", "deg", "where it looks, left of the robot's heading"),
    key("tilt_deg", "deg", "how far it looks down"),
];

/// Where a sensor stands in the world.
const STAND: [Key; 4] = [
    key("position", "m", "where it stands: [x, y, height above the ground]"),
    key("heading_deg", "deg", "where it looks, left of x"),
    key("tilt_deg", "deg", "how far it looks down"),
    key("roll_deg", "deg", "how far its right side is lowered"),
];

/// The kinds of sensors that the world may have, each by its name, with its keys.
pub(crate) const WORLD_KINDS: &[(&str, Kind, &[Key])] = &[
    ("lidar", Kind::Lidar, &joined::<9, 4, 13>(LIDAR, STAND)),
    ("sonar", Kind::Sonar, &joined::<10, 4, 14>(SONAR, STAND)),
    ("camera", Kind::Camera, &joined::<10, 4, 14>(CAMERA, STAND)),
];

/// Two lists of keys as one.
const fn joined<const A: usize, const B: usize, const N: usize>(
    first: [Key; A],
    second: [Key; B],
) -> [Key; N] {
    let mut all = [first[0]; N];
    let mut i = 0;
    while i < N {
        all[i] = if i < A { first[i] } else { second[i - A] };
        i += 1;
    }
    all
}

/// The kinds that robots may have, each by its name, with its keys.
pub(crate) const KINDS: &[(&str, Kind, &[Key])] = &[
    (
        "gps",
        Kind::Gps,
        &[
            NAME,
            RATE_HZ,
            PHASE_S,
            MOUNT,
            key("sigma_x", "m", "standard deviation along x"),
            key("sigma_y", "m", "standard deviation along y"),
            key("sigma_theta_deg", "deg", "standard deviation of the compass"),
        ],
    ),
    (
        "odometry",
        Kind::Odometry,
        &[
            NAME,
            RATE_HZ,
            PHASE_S,
            key("sigma_linear", "m", "error of the executed way in 1/60 s"),
            key("sigma_angular_deg", "deg", "error of the executed turn in 1/60 s"),
            key("radius_factor_right", "1", "believed over true radius of the right wheel"),
            key("radius_factor_left", "1", "believed over true radius of the left wheel"),
            key("distance_factor", "1", "believed over true distance between the wheels"),
            key("slip", "1", "share of the wheels' turning that is lost on the ground"),
        ],
    ),
    (
        "encoders",
        Kind::Encoders,
        &[NAME, RATE_HZ, PHASE_S, key("ticks_per_turn", "1", "ticks a turn of the wheel")],
    ),
    (
        "imu",
        Kind::Imu,
        &[
            NAME,
            RATE_HZ,
            PHASE_S,
            POSE,
            key("accelerometer_bias", "m/s2", "first bias of the accelerometers: [x, y]"),
            key("accelerometer_density", "m/s2/sqrt(Hz)", "white noise of the accelerometers"),
            key("accelerometer_walk", "m/s2/sqrt(s)", "random walk of their biases"),
            key("accelerometer_range", "m/s2", "where they saturate"),
            key("gyro_bias_deg_s", "deg/s", "first bias of the gyroscope"),
            key("gyro_density_deg_s", "deg/s/sqrt(Hz)", "white noise of the gyroscope"),
            key("gyro_walk_deg_s", "deg/s/sqrt(s)", "random walk of its bias"),
            key("gyro_range_deg_s", "deg/s", "where it saturates"),
        ],
    ),
    ("lidar", Kind::Lidar, &joined::<9, 2, 11>(LIDAR, [POSE, HEIGHT])),
    ("sonar", Kind::Sonar, &joined::<10, 1, 11>(SONAR, [HEIGHT])),
    (
        "bumper",
        Kind::Bumper,
        &[
            NAME,
            RATE_HZ,
            PHASE_S,
            key("sectors", "1", "equal sectors side by side"),
            FIRST_BEARING,
            key("span_deg", "deg", "angle over which the sectors go"),
            key("least_force", "N", "force that closes a switch"),
        ],
    ),
    ("camera", Kind::Camera, &joined::<10, 4, 14>(CAMERA, CAMERA_MOUNT)),
];
