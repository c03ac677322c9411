//! Which keys each kind of sensor has.

use crate::reader::{
    Absent, Key, Kind, Kinds, OURS, Range, count, flag, key, keys_of, number, point, pose, text,
};
use rolima_model::{
    BumperSpec, CameraSpec, EncodersSpec, GpsSpec, ImuSpec, LidarSpec, MOST_BEAMS,
    MOST_PICTURE_PIXELS, MotionErrorSpec, OdometrySpec, SonarSpec, WorldSensorSpec, keys,
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

/// What a lidar has wherever it is, besides the numbers of its specification.
const LIDAR: &[Key] = &[
    rate!(LidarSpec, RELEASE),
    count("beams", (1, MOST_BEAMS as u64), "readings a scan").or(Absent::Whole(36), THESIS),
    number(
        "field_of_view_deg",
        "deg",
        Range::Positive,
        "angle over which the beams go, left first",
    )
    .or(Absent::Value(180.0), THESIS),
    keys::FIRST_BEARING,
    keys::STEP_BEARING,
];

/// The same of a sonar.
const SONAR: &[Key] = &[
    rate!(SonarSpec, P3DX),
    count("rays", (1, 1000), "rays that sample a cone").or(Absent::Whole(9), OURS),
];

const fn ring(otherwise: &'static str) -> Key {
    key("ring", "m, m, deg", Kind::Other("[[x, y, heading], ...]"), "transducers, 1 to 1024")
        .computed(otherwise)
}

/// The same of a camera.
const CAMERA: &[Key] = &[
    rate!(CameraSpec, THESIS),
    count("width", PIXELS, "width of a picture, pixels").or(Absent::Whole(320), THESIS),
    count("height", PIXELS, "height of a picture, pixels").or(Absent::Whole(240), THESIS),
    point("opening_deg", "deg", "horizontal and vertical opening, 0.01 to 175 each")
        .or(Absent::List(&[60.0, 47.0]), THESIS),
    flag("smooth", false, "four samples a pixel: smooth edges"),
    flag("shadows", false, "shadows on the ground"),
];

const fn name(otherwise: &'static str) -> Key {
    text("name", "what the sensor is called; names its random stream").computed(otherwise)
}

/// The kinds that the world may have, each by its name, with its keys.
pub(crate) const WORLD_SENSORS: Kinds<Sensor> = Kinds {
    absent: None,
    common: &[
        &[name("its kind, numbered"), keys::PHASE_S, keys::POSITION],
        keys_of!(WorldSensorSpec::KEYS),
    ],
    list: &[
        ("lidar", Sensor::Lidar, &[LIDAR, keys_of!(LidarSpec::KEYS)]),
        (
            "sonar",
            Sensor::Sonar,
            &[SONAR, &[ring("one that looks ahead")], keys_of!(SonarSpec::KEYS)],
        ),
        ("camera", Sensor::Camera, &[CAMERA, keys_of!(CameraSpec::KEYS)]),
    ],
};

/// The kinds that robots may have, each by its name, with its keys.
pub(crate) const SENSORS: Kinds<Sensor> = Kinds {
    absent: None,
    common: &[&[name("its kind"), keys::PHASE_S]],
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
            &[LIDAR, keys_of!(LidarSpec::KEYS), &[POSE], keys_of!(LidarSpec::PLACE)],
        ),
        (
            "sonar",
            Sensor::Sonar,
            &[
                SONAR,
                &[ring("the P3-DX's 16")],
                keys_of!(SonarSpec::KEYS),
                keys_of!(SonarSpec::PLACE),
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
            &[CAMERA, keys_of!(CameraSpec::KEYS), &[mount(OURS)], keys_of!(CameraSpec::PLACE)],
        ),
    ],
};

const PIXELS: (u64, u64) = (1, MOST_PICTURE_PIXELS as u64);
