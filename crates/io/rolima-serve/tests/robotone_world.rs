//! What programs of Robot One read of the sensors of the world, over a real socket.
#![allow(clippy::unwrap_used)] // in helpers too

use crate::common::model;
use crate::robotone_live::Running;

#[test]
fn programs_read_the_sensors_of_the_world_by_their_names() {
    let run = Running::start("watched", true);
    let mut program = run.program();
    let names = program.get_data("World.Sensor.Names").unwrap();
    assert_eq!(String::from_utf8(names).unwrap(), "overhead\nwall");
    let place = program.get_floats("World.Sensor.wall.Place").unwrap();
    assert_eq!(place, [0.0, -0.64, 0.03, std::f32::consts::FRAC_PI_2, 0.0, 0.0]);
    // In lock step the world stands still between waits: what is read is of this very instant.
    program.wait().unwrap();
    let mut world = rolima_core::World::new(model("watched"));
    let steps = (f64::from(program.get("Time").unwrap()) / world.model().step_s).round();
    world.steps(steps as u64);
    let expected: Vec<f32> = world.frame().readings[1..].iter().map(|d| *d as f32).collect();
    assert_eq!(program.get_floats("World.Sensor.wall.Read").unwrap(), expected);
    let scan = program.get_floats("World.Sensor.wall.Scan").unwrap();
    assert_eq!((scan.len(), &scan[..2]), (65, &[0.0, 0.0][..]));
    assert_eq!(scan[4..], expected);
    assert_eq!(program.get_floats("World.Sensor.overhead.Size").unwrap(), [640.0, 480.0]);
    let picture = program.get_data("World.Sensor.overhead.Capture").unwrap();
    assert_eq!(picture.len(), 3 * 640 * 480);
    let next = program.get_data("World.Sensor.overhead.Capture").unwrap();
    assert!(next.len() == picture.len() && next != picture, "the next one, as robots move");

    assert_eq!(program.get("World.Sensor.wall.Std").unwrap(), 0.005);
    program.set("World.Sensor.wall.Std", 0.5).unwrap();
    assert_eq!(program.get("World.Sensor.wall.Std").unwrap(), 0.5);
    program.get("World.Sensor.roof.Std").unwrap_err();
    let why = String::from_utf8(program.get_data("World.LastError").unwrap()).unwrap();
    assert!(why.contains("no sensor \"roof\"; its sensors: overhead, wall"), "{why}");
    program.get_floats("World.Sensor.overhead.Scan").unwrap_err();
    program.get_data("World.Sensor.wall.Capture").unwrap_err();
}
