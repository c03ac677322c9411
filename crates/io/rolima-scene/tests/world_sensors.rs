//! `[[sensor]]`: what stands in the world to sense with.

use crate::common;

use common::{builtin, check, text};
use rolima_model::{Mount, SensorKind};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_6};

#[test]
fn a_sensor_of_the_world_has_its_place_its_angles_and_the_keys_of_its_kind() {
    let scene = "[[sensor]]\nkind = \"lidar\"\nname = \"corner\"\nposition = [1, -2, 0.5]\n\
                 heading_deg = 90\ntilt_deg = 30\nroll_deg = -30\nbeams = 10\nrate_hz = 5\n\
                 [[sensor]]\nkind = \"camera\"\nposition = [0, 0, 3]\ntilt_deg = 90\nwidth = 64\n\
                 [[sensor]]\nkind = \"camera\"\nposition = [1, 0, 3]\n\
                 [[sensor]]\nkind = \"sonar\"\nposition = [2, 0, 0.2]\n";
    let read = check(&text(scene), &["sensor.0.position=[4, 5, 6]"]).unwrap();
    let [lidar, camera, second, sonar] = &read.spec.sensors[..] else { panic!("four") };
    assert_eq!((lidar.name.as_str(), lidar.position), ("corner", [4.0, 5.0, 6.0]));
    let angles = [lidar.heading - FRAC_PI_2, lidar.tilt - FRAC_PI_6, lidar.roll + FRAC_PI_6];
    assert!(angles.iter().all(|off| off.abs() < 1e-12));
    let SensorKind::Lidar(spec) = &lidar.kind else { panic!("a lidar") };
    assert_eq!((spec.beams, spec.height, spec.rate.period_s), (10, 0.0, 0.2));
    assert_eq!((camera.name.as_str(), second.name.as_str()), ("camera", "camera-2"));
    let SensorKind::Camera(spec) = &camera.kind else { panic!("a camera") };
    assert_eq!((spec.pixels, spec.mount), ([64, 240], [0.0; 3]));
    let SensorKind::Sonar(spec) = &sonar.kind else { panic!("a sonar") };
    assert_eq!(spec.ring.len(), 1, "one transducer, that looks ahead");
    let rows = read.ledger.rows();
    let row = rows.iter().find(|row| row.key == "sensor.0.tilt_deg").expect("described");
    assert_eq!((row.value.as_str(), row.unit), ("30", "deg"));
    let model = read.compile().unwrap();
    assert_eq!(model.devices_of(Mount::World), 0..4);
}

#[test]
fn parts_bring_their_sensors_to_where_they_stand() {
    let folder = rolima_testing::Folder::new("sensors");
    let part = "[[sensor]]\nkind = \"lidar\"\nposition = [1, 0, 0.5]\nheading_deg = 100\n";
    std::fs::write(folder.join("part.toml"), part).unwrap();
    let scene = "[[part]]\ninclude = \"part.toml\"\npose = [5, 6, 90]\nname = \"a\"\n\
                 [[part]]\ninclude = \"part.toml\"\npose = [0, 0, 270]\nname = \"b\"\n";
    std::fs::write(folder.join("x.toml"), scene).unwrap();
    let source = rolima_scene::Source::File(folder.join("x.toml"));
    let sensors = check(&source, &[]).unwrap().spec.sensors;
    assert_eq!((sensors[0].name.as_str(), sensors[0].position), ("a.lidar", [5.0, 7.0, 0.5]));
    assert_eq!((sensors[1].name.as_str(), sensors[1].position), ("b.lidar-2", [0.0, -1.0, 0.5]));
    assert!((sensors[0].heading - 190f64.to_radians()).abs() < 1e-12);
    assert!((sensors[1].heading - 10f64.to_radians()).abs() < 1e-12, "a turn less");
}

#[test]
fn what_cannot_be_is_told_with_file_line_and_key() {
    let begin = "[[sensor]]\nkind = \"camera\"\nposition = [0, 0, 1]\n";
    for (scene, expected) in [
        (
            "[[sensor]]\nkind = \"odometry\"\nposition = [0, 0, 1]".to_owned(),
            "x.toml:2: sensor.0.kind: expected one of \"lidar\", \"sonar\", \"camera\", got \"odometry\"",
        ),
        (
            "[[sensor]]\nkind = \"lidar\"".to_owned(),
            "x.toml:1: sensor.0.position: expected 3 finite numbers (m), got nothing",
        ),
        (format!("{begin}height = 0.5"), "x.toml:4: sensor.0.height: expected a whole number"),
        (format!("{begin}mount_height = 0.5"), "x.toml:4: sensor.0.mount_height: expected one of"),
        (format!("{begin}tilt_deg = 91"), "x.toml:4: sensor.0.tilt_deg: expected"),
        (
            "[[sensor]]\nkind = \"lidar\"\nposition = [0, 0, -1]".to_owned(),
            "x.toml:3: sensor.0.position: expected",
        ),
        (
            format!("{begin}name = \"a\"\n{begin}name = \"a\""),
            "x.toml:8: sensor.1.name: expected a name of its own",
        ),
    ] {
        let message = check(&text(&scene), &[]).unwrap_err().to_string();
        assert!(message.contains(expected), "{scene}: {message}");
    }
}

#[test]
fn the_scene_watched_has_a_camera_and_a_lidar_that_no_robot_carries() {
    let model = builtin("watched", &[]).compile().unwrap();
    let names = model.devices.iter().map(|device| (device.mount, device.name.as_str()));
    assert_eq!(names.collect::<Vec<_>>(), [(Mount::World, "overhead"), (Mount::World, "wall")]);
}
