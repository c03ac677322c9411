//! Vehicles: presets, keys, what makes a robot one, and what is wrong with them.

use crate::common;

use common::{check, text};
use rolima_model::{RobotSpec, planar_drive, planar_outline};
use rolima_scene::{Source, load};
use rolima_spatial::{LuGreForm, Side, TyreLaw, VehicleSpec, presets, tyre::Magic};

fn robots(scene: &str, sets: &[&str]) -> Vec<RobotSpec> {
    check(&text(scene), sets).unwrap_or_else(|error| panic!("{error}")).spec.robots
}

fn vehicle(scene: &str, sets: &[&str]) -> VehicleSpec {
    *robots(scene, sets).swap_remove(0).vehicle.expect("a vehicle")
}

fn wrong(scene: &str) -> String {
    check(&text(scene), &[]).map(|_| ()).expect_err("a mistake").to_string()
}

/// The smallest vehicle that can be written.
const CART: &str = "[[robot]]\n[robot.wheels]\nmotor = { gear = 20 }\n\
    [[robot.wheel]]\nposition = [0, 0.2, -0.05]\n[[robot.wheel]]\nposition = [0, -0.2, -0.05]\n";

#[test]
fn preset_files_are_the_engine_s_presets() {
    for name in presets::NAMES {
        let file = if name == "robot-one" { "robot-one-offroad" } else { name };
        let scene = load(&Source::preset(file), &[]).unwrap_or_else(|error| panic!("{error}"));
        let robot = &scene.spec.robots[0];
        let mut read = (**robot.vehicle.as_ref().expect("a vehicle")).clone();
        read.name = name.to_owned();
        let mut expected = presets::named(name).unwrap();
        // How they look, and what of them touches, is the files' own.
        expected.shapes = read.shapes.clone();
        if name == "robot-one" {
            // The file raises its bottom, so that it gets onto ramps.
            expected.chassis.height = [0.30, -0.05];
            expected.chassis.inertia = expected.chassis.box_inertia().map(|i| 0.7 * i);
        }
        assert_eq!(read, expected);
        assert_eq!(robot.drive, planar_drive(&read));
        assert_eq!(robot.shape, [planar_outline(&read)]);
        assert!(robot.servo.is_some() && robot.height.is_some(), "{name}");
    }
}

#[test]
fn a_vehicle_without_ground_stands_on_a_plane_and_its_preset_can_be_run_alone() {
    let scene = load(&Source::preset("rover"), &[]).unwrap();
    let ground = scene.spec.ground.as_ref().unwrap();
    assert_eq!((ground.name.as_str(), ground.fine_step_s), ("flat", 1e-3));
    assert_eq!(ground.terrain.height(3.0, -7.0), 0.0);
    assert!(load(&Source::preset("minirobot"), &[]).unwrap().spec.ground.is_none());
}

#[test]
fn what_wheels_have_in_common_is_said_once_and_a_wheel_may_differ() {
    let scene = "[[robot]]\npreset = \"skid-steer\"\n\
        wheels = { radius = 0.2, tyre = { friction_scale = 0.5 }, motor = { gear = 30 } }\n\
        wheel = [{ position = [0.3, 0.3, -0.05] }, { position = [0.3, -0.3, -0.05], width = 0.2, \
        motor = { gear = 10 }, axle = { coulomb = 2.0, form = \"continuous\", breakaway = 2.5 }, \
        tyre = { friction_scale = 0.25 } }, { position = [-0.3, 0, -0.05], motor = \"none\" }]";
    let v = vehicle(scene, &[]);
    let skid = presets::skid_steer();
    let [a, b, c] = &v.wheels[..] else { panic!("{}", v.wheels.len()) };
    assert_eq!((a.radius, b.radius, a.width, b.width), (0.2, 0.2, 0.114, 0.2));
    assert_eq!((a.side, b.side, c.side), (Side::Left, Side::Right, Side::Free));
    let gear = |w: &rolima_spatial::WheelSpec| w.motor.map(|m| (m.gear, m.current_limit));
    assert_eq!((gear(a), gear(b), gear(c)), (Some((30.0, 20.0)), Some((10.0, 20.0)), None));
    assert_eq!(a.suspension, skid.wheels[0].suspension);
    assert_eq!((b.axle.form, b.axle.breakaway), (LuGreForm::Continuous, 2.5));
    let scale = |w: &rolima_spatial::WheelSpec| match w.tyre {
        TyreLaw::Magic(m) => m.friction_scale,
        TyreLaw::Coulomb { .. } => f64::NAN,
    };
    assert_eq!((scale(a), scale(b), scale(c)), (0.5, 0.25, 0.5));
    assert_eq!(v.chassis, skid.chassis);
}

#[test]
fn tyres_are_laws_with_all_their_numbers() {
    let with =
        |tyre: &str| vehicle(&format!("{CART}[robot.wheels.tyre]\n{tyre}"), &[]).wheels[0].tyre;
    assert_eq!(
        with("kind = \"coulomb\"\nstatic_friction = 0.8\nsliding_friction = 0.6"),
        TyreLaw::Coulomb { static_friction: 0.8, sliding_friction: 0.6, peak_slip: 0.1 }
    );
    let (x, y) = ([0.1, 1.6, 0.9, -0.5], [0.2, 1.3, 0.8, -1.0]);
    let direct = with(
        "kind = \"direct\"\nlengthwise = [0.1, 1.6, 0.9, -0.5]\nsideways = [0.2, 1.3, 0.8, -1]",
    );
    assert_eq!(direct, TyreLaw::Magic(Magic::direct(x, y)));
    let mut own = Magic::default();
    own.lengthwise.c = 1.65;
    own.sideways.a = [-22.0, 1000.0, 1070.0, 1.8, 0.2, 0.0, -0.35, 0.7];
    own.weaken_lengthwise.shift = 0.007;
    own.friction_scale = 0.7;
    let law = "friction_scale = 0.7\nlengthwise = { c = 1.65 }\nweaken_lengthwise = { shift = 0.007 }\n\
        sideways = { a = [-22, 1000, 1070, 1.8, 0.2, 0, -0.35, 0.7] }";
    assert_eq!(with(law), TyreLaw::Magic(own));
    // Or by the name of the kind alone.
    let named = |name: &str| {
        let scene = CART.replace("gear = 20 }", &format!("gear = 20 }}\ntyre = \"{name}\""));
        vehicle(&scene, &[]).wheels[1].tyre
    };
    assert_eq!(named("magic"), TyreLaw::default());
    let plain = TyreLaw::Coulomb { static_friction: 0.9, sliding_friction: 0.7, peak_slip: 0.1 };
    assert_eq!(named("coulomb"), plain);
    let set = vehicle("[[robot]]\npreset = \"rover\"", &["robot.0.wheels.tyre=\"coulomb\""]);
    assert_eq!(set.wheels[0].tyre, plain);
}

#[test]
fn keys_that_ground_leaves_without_effect_are_refused() {
    for (keys, expected) in [
        ("[sim]\nintegrator = \"rk4\"", "x.toml:2: sim.integrator: expected no such key on ground"),
        (
            "[contact]\niterations = 9",
            "x.toml:2: contact.iterations: expected no such key on ground",
        ),
    ] {
        for ground in ["[ground]", CART] {
            let message = wrong(&format!("{keys}\n{ground}"));
            assert!(message.contains(expected), "{message}");
        }
        assert!(check(&text(keys), &[]).is_ok());
    }
}

#[test]
fn sets_reach_into_a_preset_s_vehicle() {
    let scene = "[[robot]]\npreset = \"rover\"";
    let v = vehicle(scene, &["robot.0.chassis.mass=90", "robot.0.wheels.motor.gear=50"]);
    assert_eq!((v.chassis.mass, v.wheels[5].motor.unwrap().gear), (90.0, 50.0));
    // The box's inertia grows with the mass.
    let yy = presets::rover().chassis.inertia[1];
    assert!((v.chassis.inertia[1] / yy - 90.0 / 70.0).abs() < 1e-12);
    let own = vehicle(scene, &["robot.0.chassis.inertia=[1, 2, 3]"]).chassis.inertia;
    assert_eq!(own, [1.0, 2.0, 3.0]);
}

#[test]
fn swarms_may_be_of_vehicles() {
    let scene = "[[swarm]]\nname = \"mule\"\npreset = \"skid-steer\"\ncount = 9\nfill = 0.05";
    let spec = check(&text(scene), &[]).unwrap().spec;
    assert_eq!(spec.robots.len(), 9);
    assert!(spec.ground.is_some());
    for robot in &spec.robots {
        assert_eq!(robot.vehicle.as_ref().unwrap().name, robot.name);
    }
    assert_eq!(spec.robots[8].name, "mule-9");
}

#[test]
fn twelve_wheels_are_the_most_and_two_the_fewest() {
    let with = |count: usize| {
        let wheel = |i: usize| {
            let y = if i.is_multiple_of(2) { 0.5 } else { -0.5 };
            format!("[[robot.wheel]]\nposition = [{}, {y}, -0.1]\n", 0.3 * (i / 2) as f64)
        };
        let wheels: String = (0..count).map(wheel).collect();
        format!("[[robot]]\n[robot.chassis]\nmass = 200\n[robot.wheels]\nmotor = {{}}\n{wheels}")
    };
    assert_eq!(vehicle(&with(12), &[]).wheels.len(), 12);
    let many = wrong(&with(13));
    assert!(many.contains("robot.0.wheel: expected 2 to 12 wheels"), "{many}");
    assert!(wrong(&with(1)).contains("expected 2 to 12 wheels"), "{}", wrong(&with(1)));
}

#[test]
fn robots_for_flat_floors_are_refused_on_ground() {
    let message = wrong("[ground]\n[[robot]]\npreset = \"minirobot\"");
    assert_eq!(
        message,
        "x.toml:2: robot.0: expected a vehicle, as the scene has [ground]: preset \"skid-steer\", \
         \"rover\", \"vivi\", \"crawler\", \"car\" or \"robot-one-offroad\", or a chassis and wheels, got a robot for \
         flat floors"
    );
    let mixed = wrong("[[robot]]\npreset = \"rover\"\n[[robot]]\nname = \"b\"\npreset = \"disc\"");
    assert!(mixed.contains("robot.1: expected a vehicle, as robot.0 is one"), "{mixed}");
}

#[test]
fn mistakes_are_told_by_the_file_s_keys_and_lines() {
    let cases = [
        ("radius = -1", "robot.0.wheels.radius: expected a number from 0.001 to 10 (m), got -1"),
        ("radios = 1", "robot.0.wheels.radios: expected one of radius, "),
        ("radius = 50", "x.toml:12: robot.0.wheels.radius: expected a number from 0.001 to 10"),
        (
            "suspension = { stop_stiffness = 1e9 }",
            "robot.0.wheels.suspension.stop_stiffness: expected at most",
        ),
        ("suspension = { stop_travel = 0.01 }", "robot.0.wheels.suspension.stop_travel: expected"),
        (
            "tyre = { kind = \"rubber\" }",
            "robot.0.wheels.tyre.kind: expected one of \"magic\", \"direct\", \"coulomb\"",
        ),
        (
            "tyre = { lengthwise = { a = [1, 2] } }",
            "robot.0.wheels.tyre.lengthwise.a: expected 8 finite numbers",
        ),
        ("tyre = { sideways = { c = 5 } }", "robot.0.wheels.tyre.sideways.c: expected"),
        ("axle = { coulomb = 1, breakaway = 0.5 }", "robot.0.wheels.axle.breakaway: expected"),
        ("side = \"port\"", "robot.0.wheels.side: expected one of \"left\", \"right\", \"free\""),
        (
            "side = \"left\"",
            "robot.0.wheel: expected a wheel, not a ball, with a motor that the right command \
             drives, got none",
        ),
        (
            "ball = true",
            "robot.0.wheel: expected a wheel, not a ball, with a motor that the left command \
             drives, got none",
        ),
        (
            "tyre = \"rubber\"",
            "x.toml:12: robot.0.wheels.tyre.kind: expected one of \"magic\", \"direct\", \"coulomb\"",
        ),
    ];
    for (key, expected) in cases {
        let scene = format!("\n\n\n\n\n\n{CART}")
            .replace("motor = { gear = 20 }", &format!("motor = {{ gear = 20 }}\n\n\n{key}"));
        let message = wrong(&scene);
        assert!(message.contains(expected), "{key}: {message}");
    }
    let ball = format!("{CART}[[robot.wheel]]\nposition = [-0.3, 0.1, -0.05]\nball = true\n");
    assert_eq!(vehicle(&ball, &[]).wheels[2].motor, None);
    let driven = wrong(&format!("{ball}motor = {{ gear = 5 }}\n"));
    assert!(driven.contains("robot.0.wheel.2.motor: expected no motor, as nothing"), "{driven}");
    let outline = wrong(&CART.replacen("[[robot]]\n", "[[robot]]\nshape = []\ndrive = {}\n", 1));
    assert!(outline.contains("robot.0.shape: expected no shape"), "{outline}");
    assert!(outline.contains("robot.0.drive: expected no drive"), "{outline}");
}
