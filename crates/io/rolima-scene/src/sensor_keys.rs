//! Which keys each kind of sensor has.

use crate::reader::{
    Absent, Given, Key, KeyKind, Kinds, OURS, Range, key, keys_of, number, point, pose, table, text,
};
use rolima_model::{
    BumperSpec, CameraSpec, EncodersSpec, GpsSpec, ImagingSpec, ImuSpec, LidarSpec,
    MotionErrorSpec, OdometrySpec, SonarSpec, WorldSensorSpec, keys,
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
        keys::rate_hz(|| Given::Number($spec::default().rate.hertz()), $source)
    };
}

const POSE: Key = pose("where it is on the robot");
/// Of a camera, beside the height of its lens.
const MOUNT: Key =
    point("mount", "m", "where it is on the robot").or(Absent::List(&[0.0; 2]), OURS);

/// What a lidar has wherever it is, besides the numbers of its specification.
const LIDAR: &[Key] = &[
    rate!(LidarSpec, RELEASE),
    number(
        "field_of_view_deg",
        "deg",
        Range::Positive,
        "angle over which the beams go, left first",
    )
    .or(Absent::Own(|| Given::Number(LidarSpec::default().field_of_view())), THESIS),
    keys::FIRST_BEARING,
    keys::STEP_BEARING,
];

/// The same of a sonar.
const SONAR: &[Key] = &[rate!(SonarSpec, P3DX)];

const fn ring(otherwise: &'static str) -> Key {
    key("ring", "m, m, deg", KeyKind::Other("[[x, y, heading], ...]"), "transducers, 1 to 1024")
        .computed(otherwise)
}

/// The same of a camera.
const CAMERA: &[Key] = &[rate!(CameraSpec, THESIS)];

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
        (
            "camera",
            Sensor::Camera,
            &[
                CAMERA,
                keys_of!(CameraSpec::KEYS),
                keys_of!(CameraSpec::PRESET),
                keys_of!(ImagingSpec::KEYS),
                &[table(
                    "background",
                    "the field as it is drawn",
                    "a photograph of the empty field, for the camera link",
                )],
            ],
        ),
    ],
};

/// The kinds that robots may have, each by its name, with its keys.
pub(crate) const SENSORS: Kinds<Sensor> = Kinds {
    absent: None,
    common: &[&[name("its kind"), keys::PHASE_S]],
    list: &[
        ("gps", Sensor::Gps, &[&[rate!(GpsSpec, RELEASE)], keys_of!(GpsSpec::KEYS)]),
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
        ("imu", Sensor::Imu, &[&[rate!(ImuSpec, OURS), POSE], keys_of!(ImuSpec::KEYS)]),
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
        ("bumper", Sensor::Bumper, &[&[rate!(BumperSpec, RELEASE)], keys_of!(BumperSpec::KEYS)]),
        (
            "camera",
            Sensor::Camera,
            &[
                CAMERA,
                keys_of!(CameraSpec::KEYS),
                &[MOUNT],
                keys_of!(CameraSpec::PLACE),
                keys_of!(CameraSpec::PRESET),
                keys_of!(ImagingSpec::KEYS),
            ],
        ),
    ],
};
