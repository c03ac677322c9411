//! Which keys each kind of sensor has.

use crate::reader::{
    Absent, Key, Kind, Kinds, OURS, Range, count, flag, key, keys_of, number, point, pose, text,
};
use rolima_model::{
    BumperSpec, CameraSpec, EncodersSpec, GpsSpec, ImuSpec, LidarSpec, MOST_BEAMS,
    MOST_PICTURE_PIXELS, MotionErrorSpec, OdometrySpec, SonarSpec, keys,
};

/// The kinds of sensors.
#[derive(Clone, Copy)]
pub(crate) enum Sensor {
    Gps,
    Odometry,
    Encoders,
    Imu,
    Lidar,
    Sonar,
    Bumper,
    Camera,
}

const THESIS: &str = "Robot One thesis";
const RELEASE: &str = "Robot One release";
const P3DX: &str = "Pioneer P3-DX";

/// How often a kind of sensor reads where nobody says.
macro_rules! rate {
    ($spec:ident, $source:expr) => {
        keys::rate_hz(|| $spec::default().rate.hertz(), $source)
    };
}

const POSE: Key = pose("where it is on the robot");
const fn mount(source: &'static str) -> Key {
    point("mount", "m", "where it is on the robot").or(Absent::List(&[0.0; 2]), source)
}

/// Each kind by its name, with its keys.
pub(crate) const SENSORS: Kinds<Sensor> = Kinds {
    absent: None,
    common: &[&[
        text("name", "what the sensor is called; names its random stream").computed("its kind"),
        keys::PHASE_S,
    ]],
    list: &[
        ("gps", Sensor::Gps, &[&[rate!(GpsSpec, RELEASE), mount(THESIS)], keys_of!(GpsSpec::KEYS)]),
        (
            "odometry",
            Sensor::Odometry,
            &[
                &[rate!(OdometrySpec, RELEASE)],
                keys_of!(MotionErrorSpec::KEYS),
                keys_of!(OdometrySpec::KEYS),
            ],
        ),
        (
            "encoders",
            Sensor::Encoders,
            &[&[rate!(EncodersSpec, RELEASE)], keys_of!(EncodersSpec::KEYS)],
        ),
        (
            "imu",
            Sensor::Imu,
            &[
                &[
                    rate!(ImuSpec, OURS),
                    POSE,
                    point("accelerometer_bias", "m/s2", "first bias of the accelerometers")
                        .or(Absent::List(&[0.0; 2]), "ours: calibrated"),
                ],
                keys_of!(ImuSpec::KEYS),
            ],
        ),
        (
            "lidar",
            Sensor::Lidar,
            &[
                &[
                    rate!(LidarSpec, RELEASE),
                    POSE,
                    count("beams", (1, MOST_BEAMS as u64), "readings a scan")
                        .or(Absent::Whole(36), THESIS),
                    number(
                        "field_of_view_deg",
                        "deg",
                        Range::Positive,
                        "angle over which the beams go, left first",
                    )
                    .or(Absent::Value(180.0), THESIS),
                    keys::FIRST_BEARING,
                    keys::STEP_BEARING,
                ],
                keys_of!(LidarSpec::KEYS),
            ],
        ),
        (
            "sonar",
            Sensor::Sonar,
            &[
                &[
                    rate!(SonarSpec, P3DX),
                    key(
                        "ring",
                        "m, m, deg",
                        Kind::Other("[[x, y, heading], ...]"),
                        "transducers, 1 to 1024",
                    )
                    .computed("the P3-DX's 16"),
                    count("rays", (1, 1000), "rays that sample a cone").or(Absent::Whole(9), OURS),
                ],
                keys_of!(SonarSpec::KEYS),
            ],
        ),
        (
            "bumper",
            Sensor::Bumper,
            &[
                &[
                    rate!(BumperSpec, RELEASE),
                    count("sectors", (1, 32), "equal sectors side by side")
                        .or(Absent::Whole(10), P3DX),
                ],
                keys_of!(BumperSpec::KEYS),
            ],
        ),
        (
            "camera",
            Sensor::Camera,
            &[
                &[
                    rate!(CameraSpec, THESIS),
                    count("width", PIXELS, "width of a picture, pixels")
                        .or(Absent::Whole(320), THESIS),
                    count("height", PIXELS, "height of a picture, pixels")
                        .or(Absent::Whole(240), THESIS),
                    point(
                        "opening_deg",
                        "deg",
                        "horizontal and vertical opening, 0.01 to 175 each",
                    )
                    .or(Absent::List(&[60.0, 47.0]), THESIS),
                    mount(OURS),
                    flag("smooth", false, "four samples a pixel: smooth edges"),
                    flag("shadows", false, "shadows on the ground"),
                ],
                keys_of!(CameraSpec::KEYS),
            ],
        ),
    ],
};

const PIXELS: (u64, u64) = (1, MOST_PICTURE_PIXELS as u64);
