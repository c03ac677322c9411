//! The state block of scenes with rough ground: places in space, wheels, room that only they need.

use crate::common;

use common::{Folder, model};
use rolima_core::model::{
    DriverSpec, GroundSpec, RobotLook, RobotSpec, SceneSpec, planar_drive, planar_outline,
};
use rolima_core::{Frame, Model, SenseState, WheelFrame, World};
use rolima_math::{Pose2, Pose3, Quat, Vec3};
use rolima_run::live::{Publication, PublishedScene, RunStatus, Sink};
use rolima_serve::shm::{BlockPlace, PublicationCopy, StateReader, StateWriter};
use rolima_spatial::{Terrain, TerrainSpec, presets};
use rolima_wire::Now;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

fn rough(vehicles: usize) -> Arc<Model> {
    let vehicle = presets::named("rover").expect("a preset");
    let terrain = Terrain::new(TerrainSpec::flat(100.0)).expect("a plane");
    let robot = |i: usize| RobotSpec {
        name: format!("rover-{i}"),
        team: String::new(),
        pose: Pose2::new(3.0 * i as f64, 0.0, 0.0),
        velocity: 0.0,
        omega: 0.0,
        shape: vec![planar_outline(&vehicle)],
        drive: planar_drive(&vehicle),
        driver: DriverSpec::None,
        vehicle: Some(Box::new(vehicle.clone())),
        servo: None,
        height: Some(0.3),
        sensors: vec![],
        look: RobotLook::default(),
    };
    let spec = SceneSpec {
        ground: Some(GroundSpec::new("flat", Arc::new(terrain))),
        robots: (0..vehicles).map(robot).collect(),
        ..SceneSpec::default()
    };
    Arc::new(Model::compile(&spec).expect("a model"))
}

/// A frame whose places and wheels all differ.
fn made_up(model: &Arc<Model>) -> Frame {
    let mut frame = World::new(Arc::clone(model)).frame();
    frame.spatial = (0..frame.bodies.len())
        .map(|i| Pose3 {
            position: Vec3::new(0.0, 0.0, 0.1 + i as f64),
            rotation: Quat { w: 0.7, x: 0.1 * i as f64, y: -0.2, z: 1.0 / 3.0 },
        })
        .collect();
    let wheel = |i: usize| WheelFrame {
        steer: 0.3 - 0.1 * i as f64,
        angle: i as f64 / 7.0,
        spin: -1.5 * i as f64,
        compression: 0.01 * i as f64,
        load: 100.0 + i as f64,
    };
    frame.wheels = (0..6 * frame.bodies.len()).map(wheel).collect();
    frame
}

fn show(writer: &mut StateWriter, generation: u32, frame: &Frame) {
    writer.publication(&Publication {
        timeline: &rolima_run::live::ShownTimeline::default(),
        goals: &[],
        channels: &[],
        profile: None,
        generation,
        frame,
        senses: &SenseState::default(),
        contacts: &[],
        events: &[],
        events_dropped: 0,
        status: &RunStatus::default(),
    });
}

#[test]
fn places_and_wheels_are_read_bit_for_bit_also_from_c() {
    let folder = Folder::new("rough");
    let model = rough(3);
    let path = folder.file("rough.state");
    let mut writer = StateWriter::create(BlockPlace::File(path.clone()), "rough", &model).unwrap();
    let frame = made_up(&model);
    show(&mut writer, 1, &frame);
    let mut copy = PublicationCopy::default();
    let mut reader = StateReader::open(&path).expect("a block");
    assert!(reader.read(&mut copy).expect("readable"));
    assert_eq!(copy.now, Now::of(1, &frame), "bit for bit");
    assert_eq!((copy.now.spatial.len(), copy.now.wheels.len()), (3, 18));
    assert_eq!(reader.read_and_check().expect("readable"), Some((0, true)));

    let mut expected = String::new();
    let line = |numbers: &[f64]| {
        numbers.iter().map(|x| x.to_bits().to_string()).collect::<Vec<_>>().join(" ") + "\n"
    };
    for pose in &copy.now.spatial {
        let [w, x, y, z] = pose.rotation;
        expected += &line(&[pose.z, w, x, y, z]);
    }
    for wheel in &copy.now.wheels {
        expected += &line(&[wheel.angle, wheel.spin, wheel.raised, wheel.load, wheel.steer]);
    }
    let printed = read_in_c(&folder, &path);
    let in_c: String = printed
        .lines()
        .map(|text| {
            let number = |word: &str| word.parse::<f64>().expect("a number");
            line(&text.split(' ').map(number).collect::<Vec<_>>())
        })
        .collect();
    assert_eq!(in_c, expected);
}

fn read_in_c(folder: &Folder, block: &Path) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = folder.file("rough-reader");
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let compiled = Command::new(compiler)
        .args(["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-D_POSIX_C_SOURCE=200809L", "-I"])
        .arg(root.join("include"))
        .arg(root.join("tests/rough_reader.c"))
        .arg("-o")
        .arg(&program)
        .arg("-lm")
        .output()
        .expect("a C compiler: `cargo xtask test` installs gcc");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(program).arg(block).output().expect("the C reader");
    assert!(output.status.success(), "{:?}", output.status);
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn flat_scenes_pay_nothing_and_rough_ones_take_over() {
    let folder = Folder::new("rough-later");
    let path = folder.file("flat.state");
    let flat = model("soccer");
    let mut writer = StateWriter::create(BlockPlace::File(path.clone()), "soccer", &flat).unwrap();
    let header = |index: usize| {
        let bytes = std::fs::read(&path).expect("read");
        u64::from_le_bytes(bytes[8 * index..8 * index + 8].try_into().expect("a word"))
    };
    assert_eq!((header(18), header(19)), (0, 0), "no room for what flat scenes do not have");
    let stride = header(12);
    let mut reader = StateReader::open(&path).expect("a block");
    let mut copy = PublicationCopy::default();

    let rover = rough(1);
    writer.scene(&PublishedScene {
        generation: 2,
        name: "rough",
        model: &rover,
        map: None,
        notes: &[],
        prepared: None,
    });
    let frame = made_up(&rover);
    show(&mut writer, 2, &frame);
    assert!(reader.read(&mut copy).expect("readable"), "readers follow");
    assert_eq!(copy.now, Now::of(2, &frame));
    assert!(header(12) > stride);

    // Back on flat ground nothing is left of places and wheels.
    writer.scene(&PublishedScene {
        generation: 3,
        name: "soccer",
        model: &flat,
        map: None,
        notes: &[],
        prepared: None,
    });
    let frame = World::new(flat).frame();
    show(&mut writer, 3, &frame);
    assert!(reader.read(&mut copy).expect("readable"));
    assert!(copy.now.spatial.is_empty() && copy.now.wheels.is_empty());
    assert_eq!(copy.now, Now::of(3, &frame));
}
