//! Random bytes through the reader and the replay of command logs.
#![no_main]

use rolima_core::model::shape::centred_box;
use rolima_core::model::{BallSpec, DriveSpec, DriverSpec, Model, RobotLook, RobotSpec, SceneSpec};
use rolima_math::Pose2;
use std::sync::{Arc, LazyLock};

/// A robot and a ball.
static MODEL: LazyLock<Arc<Model>> = LazyLock::new(|| {
    let robot = RobotSpec {
        name: "robot".to_owned(),
        team: String::new(),
        pose: Pose2::new(0.2, 0.0, 0.0),
        velocity: 0.0,
        omega: 0.0,
        shape: vec![centred_box(0.075, 0.075)],
        drive: DriveSpec::default(),
        driver: DriverSpec::None,
        vehicle: None,
        servo: None,
        sensors: vec![],
        look: RobotLook::default(),
        height: None,
    };
    let scene =
        SceneSpec { robots: vec![robot], balls: vec![BallSpec::default()], ..SceneSpec::default() };
    Arc::new(Model::compile(&scene).expect("a good scene"))
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rolima_run::live::log::fuzz_entry(bytes, &MODEL));
