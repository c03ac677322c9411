//! What `rolima run --json` tells of bodies, wheels and contacts, checked by physics.

use crate::common;

use common::{code_and_stderr, good, result};
use serde_json::Value;

/// Standard gravity, m/s2: what scenes have unless they say otherwise.
const GRAVITY: f64 = 9.80665;

/// A scene of a test, as a file.
fn scene(name: &str, text: &str) -> String {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, text).expect("the file can be written");
    file.to_str().expect("a path of text").to_owned()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("not a number: {value}"))
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap_or_else(|| panic!("not a list: {value}")).iter().map(number).collect()
}

fn close(got: f64, expected: f64, most: f64) {
    assert!((got - expected).abs() <= most, "expected {expected} +- {most}, got {got}");
}

/// A parameter of a scene, by its key.
fn parameter(scene: &str, key: &str) -> f64 {
    let text = good(&["describe", scene, "--json"]);
    let described: Value = serde_json::from_str(&text).expect("JSON");
    let all = described["parameters"].as_array().expect("a list");
    let row = all.iter().find(|row| row["key"] == key);
    let shown = row.unwrap_or_else(|| panic!("{scene} has no {key}"))["value"].as_str();
    shown.and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{key}: {shown:?}"))
}

#[test]
fn wheels_that_stick_turn_as_fast_as_the_robot_rolls_and_have_no_slip() {
    let run = result(&["run", "open-loop", "--for", "3", "--set", "right=5", "--set", "left=6"]);
    let of = |key: &str| parameter("open-loop", &format!("robot.0.drive.{key}"));
    let robot = &run["robots"][0];
    let (v, omega) = (number(&robot["speed_forward"]), number(&robot["omega"]));
    let radii = [of("wheel_radius_right"), of("wheel_radius_left")];
    let lever = 0.5 * of("wheel_distance");
    let spins = numbers(&robot["wheel_speeds"]);
    close(spins[0], (v + lever * omega) / radii[0], 1e-12);
    close(spins[1], (v - lever * omega) / radii[1], 1e-12);
    assert_eq!((&robot["kind"], &robot["slips"]), (&"robot".into(), &false.into()));
    for (wheel, side) in robot["wheels"].as_array().unwrap().iter().zip(["right", "left"]) {
        assert_eq!(wheel["side"], side);
        assert_eq!(numbers(&wheel["slip_velocity"]), [0.0, 0.0]);
    }
    // Ohm's law, behind the voltage that the turning motor makes.
    assert_eq!(numbers(&robot["volts"]), [5.0, 6.0]);
    let amps = numbers(&robot["amps"]);
    close(amps[0], of("conductance_right") * (5.0 - of("motor_constant_right") * spins[0]), 1e-12);
    let wheels = of("wheel_inertia_right") * spins[0] * spins[0]
        + of("wheel_inertia_left") * spins[1] * spins[1];
    let energy = 0.5 * (of("mass") * v * v + of("inertia") * omega * omega + wheels);
    close(number(&run["kinetic_energy_j"]), energy, 1e-12);
    // The same in the world.
    let (pose, velocity) = (numbers(&robot["pose"]), numbers(&robot["velocity"]));
    close(number(&robot["heading_deg"]), pose[2].to_degrees(), 0.0);
    close(velocity[0], v * rolima_math::cos(pose[2]), 1e-12);
    close(velocity[1], v * rolima_math::sin(pose[2]), 1e-12);
    assert_eq!(number(&robot["speed_left"]), 0.0);
}

#[test]
fn wheels_that_spin_on_ice_turn_faster_than_they_roll() {
    let ice = ["--set", "robot.0.drive.traction.mu_static=0.02"];
    let ice = [&ice[..], &["--set", "robot.0.drive.traction.mu_kinetic=0.01"]].concat();
    let file = scene(
        "ice.toml",
        "[[robot]]\npreset = \"minirobot\"\ndriver = { kind = \"constant\", left = 9, right = 9 }\n",
    );
    let run = result(&[&["run", &file, "--for", "0.5"][..], &ice[..]].concat());
    let robot = &run["robots"][0];
    assert!(robot["slips"] == true && run["events"]["slip"].as_u64() > Some(0), "{robot}");
    let radius = parameter(&file, "robot.0.drive.wheel_radius_right");
    let wheel = &robot["wheels"][0];
    let (v, slip) = (number(&robot["speed_forward"]), numbers(&wheel["slip_velocity"]));
    close(slip[0], v - radius * number(&wheel["spin"]), 1e-12);
    assert!(slip[0] < -0.1, "{slip:?}");
    // Two wheels that slide carry all the weight: m dv/dt = mu m g - b v.
    let of = |key: &str| parameter(&file, &format!("robot.0.drive.{key}"));
    let decay = of("friction_linear") / of("mass");
    close(v, 0.01 * GRAVITY / decay * (1.0 - rolima_math::exp(-0.5 * decay)), 1e-3 * v);
}

/// A robot with its motors' voltages (left, right) on flat ground.
fn driven(name: &str, [left, right]: [f64; 2]) -> String {
    let driver = format!("driver = {{ kind = \"constant\", left = {left}, right = {right} }}");
    scene(name, &format!("[[robot]]\npreset = \"minirobot\"\n{driver}\n"))
}

/// What all wheels of a robot have together.
fn sum(robot: &Value, key: &str) -> f64 {
    robot["wheels"].as_array().expect("wheels").iter().map(|wheel| number(&wheel[key])).sum()
}

/// The last robot of a run that prints a line every millisecond, and its change of speed a second.
fn last_two(file: &str, set: &[&str], end: &str) -> (Value, f64) {
    let run = [&["run", file, "--for", end, "--json", "--every", "1"][..], set].concat();
    let text = good(&run);
    let lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let robot = |back: usize| lines[lines.len() - back]["robots"][0].clone();
    // The last line is the result of the run, at the time of the line before it or a step later.
    let speed = |robot: &Value| number(&robot["speed_forward"]);
    let steps = |back: usize| number(&lines[lines.len() - back]["time_s"]);
    let (now, before) = (robot(2), robot(3));
    let gains = (speed(&now) - speed(&before)) / (steps(2) - steps(3));
    (now, gains)
}

#[test]
fn tyres_that_stick_drive_the_mass_of_the_robot() {
    let file = driven("straight.toml", [4.0, 4.0]);
    let of = |key: &str| parameter(&file, &format!("robot.0.drive.{key}"));
    let (robot, gains) = last_two(&file, &[], "0.05");
    assert_eq!(robot["slips"], false);
    let v = number(&robot["speed_forward"]);
    let expected = of("mass") * gains + of("friction_linear") * v;
    assert!(gains > 0.5, "{robot}");
    close(sum(&robot, "force_forward"), expected, 1e-3 * expected);
    close(sum(&robot, "load"), of("mass") * GRAVITY, 1e-9);
    let most = of("traction.mu_static") * of("mass") * GRAVITY / 2.0;
    for wheel in robot["wheels"].as_array().unwrap() {
        let (x, y) = (number(&wheel["force_forward"]), number(&wheel["force_left"]));
        close(number(&wheel["grip_used"]), (x * x + y * y).sqrt() / most, 1e-12);
    }
}

#[test]
fn tyres_hold_a_robot_in_its_circle() {
    let file = driven("circle.toml", [2.0, 2.3]);
    let run = result(&["run", &file, "--for", "60"]);
    let robot = &run["robots"][0];
    assert_eq!(robot["slips"], false);
    let (v, omega) = (number(&robot["speed_forward"]), number(&robot["omega"]));
    let radius = v / omega;
    assert!(radius > 0.05 && radius < 2.0, "{robot}");
    let mass = parameter(&file, "robot.0.drive.mass");
    let across = mass * v * v / radius;
    close(sum(robot, "force_left"), across, 1e-6 * across);
    // At a constant speed, what drives it is what friction takes.
    let along = parameter(&file, "robot.0.drive.friction_linear") * v;
    close(sum(robot, "force_forward"), along, 1e-6 * along);
}

#[test]
fn tyres_that_slide_give_their_kinetic_friction_against_the_slip() {
    let file = driven("spinning.toml", [9.0, 9.0]);
    let ice = ["--set", "robot.0.drive.traction.mu_static=0.02"];
    let ice = [&ice[..], &["--set", "robot.0.drive.traction.mu_kinetic=0.01"]].concat();
    let run = result(&[&["run", &file, "--for", "0.5"][..], &ice[..]].concat());
    let robot = &run["robots"][0];
    assert_eq!(robot["slips"], true);
    for wheel in robot["wheels"].as_array().unwrap() {
        let load = number(&wheel["load"]);
        close(number(&wheel["force_forward"]), 0.01 * load, 1e-6 * load);
        close(number(&wheel["force_left"]), 0.0, 1e-4 * load);
        close(number(&wheel["grip_used"]), 1.0, 1e-6);
    }
    let (robot, gains) = last_two(&file, &ice, "0.3");
    let of = |key: &str| parameter(&file, &format!("robot.0.drive.{key}"));
    let expected = of("mass") * gains + of("friction_linear") * number(&robot["speed_forward"]);
    close(sum(&robot, "force_forward"), expected, 1e-3 * expected);
}

#[test]
fn tyres_of_a_robot_that_stands_before_a_wall_push_as_hard_as_the_wall() {
    let file = scene(
        "stands.toml",
        "[[robot]]\npreset = \"minirobot\"\n\
         driver = { kind = \"constant\", left = 5, right = 5 }\n\
         [[wall]]\nkind = \"segment\"\nfrom = [0.1, -1]\nto = [0.1, 1]\n",
    );
    let run = result(&["run", &file, "--for", "3"]);
    let contacts = run["contacts"].as_array().unwrap();
    let wall = contacts.iter().map(|c| number(&c["impulse"])).sum::<f64>() / 1e-3;
    let robot = &run["robots"][0];
    assert!(wall > 0.1 && number(&robot["speed_forward"]).abs() < 1e-3, "{run}");
    close(sum(robot, "force_forward"), wall, 0.02 * wall);
}

#[test]
fn a_pushed_box_moves_with_the_robot_and_presses_with_its_friction() {
    let file = scene(
        "push.toml",
        "[[robot]]\nname = \"one\"\npreset = \"minirobot\"\n\
         driver = { kind = \"constant\", left = 5, right = 5 }\n\
         [[object]]\nname = \"box\"\npose = [0.2, 0, 0]\nmass = 0.1\nground_friction = 0.3\n\
         shape = [{ kind = \"box\", size = [0.1, 0.1] }]\n",
    );
    let text = good(&["run", &file, "--for", "1", "--json", "--every", "10"]);
    let lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let (run, before) = (&lines[100], &lines[99]);
    let (robot, object) = (&run["robots"][0], &run["objects"][0]);
    assert_eq!((&object["name"], &object["kind"]), (&"box".into(), &"object".into()));
    let speed = |body: &Value| {
        let v = numbers(&body["velocity"]);
        (v[0] * v[0] + v[1] * v[1]).sqrt()
    };
    let v = speed(object);
    assert!(v > 0.1, "{robot}");
    close(v, speed(robot), 0.01 * v);
    // The sweeps over contacts end at 1e-5 m/s.
    close(number(&object["omega"]), number(&robot["omega"]), 1e-4);
    let gap = numbers(&object["pose"])[0] - numbers(&robot["pose"])[0];
    close(gap, 0.05 + 0.0375, 5e-4);
    let contacts = run["contacts"].as_array().unwrap();
    assert!(!contacts.is_empty());
    let force = contacts.iter().map(|c| number(&c["impulse"])).sum::<f64>() / 1e-3;
    // What friction takes, and what makes it faster.
    let gains = (v - speed(&before["objects"][0])) / 0.01;
    close(force, 0.1 * (0.3 * GRAVITY + gains), 0.02 * force);
}

#[test]
fn contacts_name_both_sides_and_push_along_their_normals() {
    let file = scene(
        "press.toml",
        "[[robot]]\nname = \"one\"\npreset = \"minirobot\"\n\
         driver = { kind = \"constant\", left = 5, right = 5 }\n\
         [[object]]\nname = \"box\"\npose = [0.2, 0.01, 0]\nmass = 0.1\n\
         shape = [{ kind = \"box\", size = [0.1, 0.1] }]\n\
         [[wall]]\nkind = \"segment\"\nfrom = [-1, -1]\nto = [1, -1]\n\
         [[wall]]\nkind = \"segment\"\nfrom = [0.4, -1]\nto = [0.4, 1]\n",
    );
    let text = good(&["run", &file, "--for", "2", "--json", "--every", "1"]);
    let (mut robot_box, mut box_wall) = (0, 0);
    for line in text.lines() {
        let run: Value = serde_json::from_str(line).unwrap();
        for c in run["contacts"].as_array().unwrap() {
            let (between, normal) = (&c["between"], numbers(&c["normal"]));
            assert_eq!(normal.len(), 2);
            close(normal[0] * normal[0] + normal[1] * normal[1], 1.0, 1e-9);
            // Forward, as the robot pushes.
            assert!(normal[0] > 0.5, "{c}");
            assert!(c.get("height").is_none(), "{c}");
            match between[1]["kind"].as_str() {
                Some("object") => {
                    assert_eq!(
                        (&between[0]["kind"], &between[0]["name"]),
                        (&"robot".into(), &"one".into())
                    );
                    assert_eq!(between[1]["name"], "box");
                    robot_box += 1;
                }
                Some("wall") => {
                    assert_eq!(
                        (&between[0]["name"], &between[1]["number"]),
                        (&"box".into(), &1.into())
                    );
                    // The wall is 25 mm thick.
                    close(numbers(&c["point"])[0], 0.3875, 1e-3);
                    box_wall += 1;
                }
                _ => panic!("{c}"),
            }
            let (along, impulse) = (numbers(&c["friction"]), number(&c["impulse"]));
            let size = (along[0] * along[0] + along[1] * along[1]).sqrt();
            // Along the face, at most what its friction of 0.3 may give.
            close(along[0] * normal[0] + along[1] * normal[1], 0.0, 1e-12);
            assert!(size <= 0.3 * (1.0 + 1e-9) * impulse, "{c}");
        }
    }
    assert!(robot_box > 100 && box_wall > 100, "{robot_box}, {box_wall}");
}

#[test]
fn on_rough_ground_contacts_carry_weights_and_brake_what_slides() {
    let file = scene(
        "slide.toml",
        "[ground]\nkind = \"flat\"\n\
         [[object]]\nname = \"box\"\npose = [0, 0, 0]\nmass = 2\nvelocity = [1, 0]\nheight = 0.1\n\
         ground_friction = 0.3\nshape = [{ kind = \"box\", size = [0.4, 0.4] }]\n",
    );
    let run = result(&["run", &file, "--for", "0.1"]);
    let contacts = run["contacts"].as_array().unwrap();
    assert!(!contacts.is_empty());
    let mut sum = [0.0; 3];
    for c in contacts {
        assert_eq!(c["between"][0]["kind"], "ground");
        assert_eq!(
            (&c["between"][1]["kind"], &c["between"][1]["name"]),
            (&"object".into(), &"box".into())
        );
        close(number(&c["height"]), 0.0, 1e-3);
        let (normal, friction) = (numbers(&c["normal"]), numbers(&c["friction"]));
        for i in 0..3 {
            sum[i] += number(&c["impulse"]) * normal[i] + friction[i];
        }
    }
    // By the step of 1 ms they are forces: its weight, and 0.3 of it against its motion.
    close(sum[2] / 1e-3, 2.0 * GRAVITY, 0.02 * 2.0 * GRAVITY);
    close(sum[0] / 1e-3, -0.3 * 2.0 * GRAVITY, 0.02 * 2.0 * GRAVITY);
}

#[test]
fn a_ball_that_rolls_has_its_speed_as_roll() {
    let file =
        scene("roll.toml", "[[ball]]\nname = \"ball\"\nposition = [0, 0]\nvelocity = [1, 0]\n");
    let run = result(&["run", &file, "--for", "1"]);
    let ball = &run["balls"][0];
    let (velocity, roll) = (numbers(&ball["velocity"]), numbers(&ball["roll"]));
    assert!(velocity[0] > 0.1 && ball["kind"] == "ball");
    close(roll[0], velocity[0], 1e-12);
}

#[test]
fn the_wheels_of_a_vehicle_carry_its_weight() {
    let run = result(&["run", "flat", "--for", "3"]);
    for (number_of, robot) in run["robots"].as_array().unwrap().iter().enumerate() {
        let wheels = robot["wheels"].as_array().unwrap();
        let sum = |key: &str| wheels.iter().map(|wheel| number(&wheel[key])).sum::<f64>();
        let of = if robot["name"] == "robot-one" { "drive" } else { "chassis" };
        let weight = GRAVITY * parameter("flat", &format!("robot.{number_of}.{of}.mass"));
        close(sum("load"), weight, 0.02 * weight);
        close(sum("suspension_force"), weight, 0.02 * weight);
        assert!(wheels.iter().all(|wheel| number(&wheel["compression"]) > 0.0), "{robot}");
    }
    // A crate that lies on the plane: all six ways to move.
    let object = &run["objects"][0];
    close(number(&object["height"]), 0.0, 5e-3);
    assert_eq!(numbers(&object["orientation"]).len(), 4);
    for key in ["velocity_in_space", "omega_in_space"] {
        assert!(numbers(&object[key]).iter().all(|x| x.abs() < 1e-2), "{object}");
    }
}

#[test]
fn a_vehicle_that_climbs_tells_the_slip_and_the_forces_of_its_wheels() {
    let file = scene(
        "climb.toml",
        "[ground]\nkind = \"expression\"\nz = \"0.1 * x\"\nsize = [200, 20]\n\
         [[robot]]\npreset = \"skid-steer\"\n\
         driver = { kind = \"constant\", left = 20, right = 20 }\n",
    );
    let run = result(&["run", &file, "--for", "10"]);
    let robot = &run["robots"][0];
    let wheels = robot["wheels"].as_array().unwrap();
    let sum = |key: &str| wheels.iter().map(|wheel| number(&wheel[key])).sum::<f64>();
    // At a constant speed by now: the tyres hold against what pulls down the slope.
    let weight = GRAVITY * parameter(&file, "robot.0.chassis.mass");
    let (sin, cos) = (0.1 / 1.01f64.sqrt(), 1.0 / 1.01f64.sqrt());
    close(sum("load"), weight * cos, 0.02 * weight);
    close(sum("force_forward"), weight * sin, 0.02 * weight * sin);
    for wheel in wheels {
        // A wheel that drives turns a little faster than it rolls.
        let (slip, ratio) = (numbers(&wheel["slip_velocity"]), number(&wheel["slip_ratio"]));
        let rolls = 0.165 * number(&wheel["spin"]);
        assert!(ratio > 0.0 && ratio < 0.1 && number(&wheel["current"]) > 0.0, "{wheel}");
        close(-slip[0] / rolls, ratio, 0.05 * ratio);
        close(number(&wheel["slip_angle"]), 0.0, 1e-3);
    }
    let (space, level) = (numbers(&robot["velocity_in_space"]), numbers(&robot["velocity"]));
    close(space[2], 0.1 * level[0], 1e-3 * level[0]);
}

#[test]
fn tyres_of_a_vehicle_on_a_slope_tell_what_they_give_where_and_how_much_of_their_friction_that_is()
{
    let wheel = |x: f64, y: f64| format!("[[robot.wheel]]\nposition = [{x}, {y}, -0.05]\n");
    let wheels: String =
        [(0.3, 0.25), (0.3, -0.25), (-0.3, 0.25), (-0.3, -0.25)].map(|(x, y)| wheel(x, y)).concat();
    let tyre = "tyre = { kind = \"coulomb\", static_friction = 0.5, sliding_friction = 0.4 }";
    let file = scene(
        "parked.toml",
        &format!(
            "[ground]\nkind = \"expression\"\nz = \"0.1 * x\"\nsize = [100, 20]\n\
             [[robot]]\nname = \"cart\"\n[robot.chassis]\nmass = 30\n\
             [robot.wheels]\nradius = 0.15\nmotor = {{ gear = 40 }}\n{tyre}\n{wheels}"
        ),
    );
    let run = result(&["run", &file, "--for", "3"]);
    let robot = &run["robots"][0];
    let cos = 1.0 / 1.01f64.sqrt();
    // It is braked, as nobody drives it.
    close(sum(robot, "force_forward"), 30.0 * GRAVITY * 0.1 * cos, 0.02 * 30.0 * GRAVITY * 0.1);
    close(sum(robot, "load"), 30.0 * GRAVITY * cos, 0.02 * 30.0 * GRAVITY);
    for wheel in robot["wheels"].as_array().unwrap() {
        let [along, across, load] =
            ["force_forward", "force_left", "load"].map(|key| number(&wheel[key]));
        let share = (along * along + across * across).sqrt() / (0.5 * load);
        close(number(&wheel["grip_used"]), share, 1e-9);
        assert!(share > 0.1 && share < 0.4, "{wheel}");
        assert_eq!((&wheel["slips"], &wheel["in_air"]), (&false.into(), &false.into()));
        let (at, normal) = (numbers(&wheel["contact"]), numbers(&wheel["normal"]));
        close(number(&wheel["contact_height"]), 0.1 * at[0], 1e-3);
        close(normal[2], cos, 1e-9);
        close(normal[0], -0.1 * cos, 1e-9);
        assert!(numbers(&wheel["speed"]).iter().all(|v| v.abs() < 1e-3), "{wheel}");
    }
    close(number(&robot["acceleration_up"]), 0.0, 1e-2);
    assert_eq!(robot["left_terrain"], false);
}

/// On ice with one motor: that wheel spins, the other one holds.
#[test]
fn each_wheel_tells_whether_its_tyre_slides_and_where_it_touches() {
    let file = driven("one.toml", [0.0, 9.0]);
    let ice = ["--set", "robot.0.drive.traction.mu_static=0.1"];
    let ice = [&ice[..], &["--set", "robot.0.drive.traction.mu_kinetic=0.05"]].concat();
    let run = result(&[&["run", &file, "--for", "0.1"][..], &ice[..]].concat());
    let robot = &run["robots"][0];
    let [right, left] = [0, 1].map(|i| &robot["wheels"][i]);
    assert!(robot["slips"] == true && right["slips"] == true && left["slips"] == false, "{robot}");
    assert!(numbers(&right["slip_velocity"])[0] < -0.1, "{right}");
    close(numbers(&left["slip_velocity"])[0], 0.0, 1e-6);
    assert!(number(&left["grip_used"]) < 1.0, "{left}");
    close(number(&right["grip_used"]), 1.0, 1e-6);
    let pose = numbers(&robot["pose"]);
    let half = 0.5 * parameter(&file, "robot.0.drive.wheel_distance");
    for (wheel, side) in [(right, -1.0), (left, 1.0)] {
        let at = numbers(&wheel["contact"]);
        close(at[0], pose[0] - side * half * rolima_math::sin(pose[2]), 1e-12);
        close(at[1], pose[1] + side * half * rolima_math::cos(pose[2]), 1e-12);
    }
    assert_eq!([number(&right["voltage"]), number(&left["voltage"])], [9.0, 0.0]);
}

#[test]
fn a_line_for_every_interval_has_the_same_keys_and_changes_no_bit() {
    let plain = result(&["run", "soccer", "--for", "1"]);
    let text = good(&["run", "soccer", "--for", "1", "--json", "--every", "300"]);
    let lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    // At 0, 0.3, 0.6 and 0.9 s; then the result.
    let times: Vec<f64> = lines[..4].iter().map(|line| number(&line["time_s"])).collect();
    assert_eq!((lines.len(), times), (5, vec![0.0, 0.3, 0.6, 0.9]));
    for key in ["state_hash", "robots", "balls", "objects", "events", "scores", "kinetic_energy_j"]
    {
        assert!(lines[..4].iter().all(|line| line.get(key).is_some()), "{key}");
        assert_eq!(lines[4][key], plain[key], "{key}");
    }
    // Each line is the result of a run that ends there.
    let shorter = result(&["run", "soccer", "--for", "0.6"]);
    assert_eq!(lines[2]["robots"], shorter["robots"]);
    assert_eq!(lines[2]["state_hash"], shorter["state_hash"]);
}

#[test]
fn intervals_need_json_and_nobody_who_takes_part() {
    let (code, said) = code_and_stderr(&["run", "soccer", "--every", "1", "--for", "1"]);
    assert!(code == Some(2) && said.contains("--json"), "{said}");
    let lock = ["run", "soccer", "--json", "--every", "1", "--lock-step", "1"];
    let (code, said) = code_and_stderr(&lock);
    assert!(code == Some(2) && said.contains("--lock-step"), "{said}");
}
