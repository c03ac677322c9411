//! `--set` and variables.

use crate::common;

use common::{builtin, check, text};
use rolima_math::Vec2;
use rolima_model::{DriverSpec, Integrator, TractionSpec};
use rolima_scene::Origin;

#[test]
fn a_variable_changes_everywhere_it_stands() {
    let scene = builtin("soccer", &["driver=random"]);
    for robot in &scene.spec.robots {
        assert_eq!(robot.driver, DriverSpec::Random { max_volts: 9.0, period_s: 0.03 });
    }
    let row = scene.ledger.find("robot.3.driver.kind").unwrap();
    assert_eq!(row.value, "\"random\"");
    assert_eq!(row.origin, Origin::Set("driver=random".into()));
    assert_eq!(builtin("soccer", &["variables.driver=random"]).spec, scene.spec);
}

#[test]
fn dotted_paths_reach_values_that_the_file_does_not_write() {
    let scene = builtin(
        "soccer",
        &["sim.step_s=0.0005", "sim.integrator=rk4", "contact.friction.ball_wall=0"],
    );
    assert_eq!(scene.spec.sim.step_s, 0.0005);
    assert_eq!(scene.spec.sim.integrator, Integrator::Rk4);
    assert_eq!(scene.spec.contact.friction.ball_wall, 0.0);
    assert_eq!(
        scene.ledger.find("sim.step_s").unwrap().origin.to_string(),
        "--set sim.step_s=0.0005"
    );
}

#[test]
fn entries_of_lists_are_named_by_number_name_or_star() {
    let scene = builtin(
        "soccer",
        &[
            "robot.0.driver.kind=none",
            "robot.blue-2.pose=[0.1, 0.2, 90]",
            "robot.*.team=red",
            "robot.5.drive.mass = 0.5",
            "robot.blue-3.pose.1 = -0.4",
            "robot.*.drive.traction.mu_static=0.9",
            "robot.yellow-1.drive.traction=none",
        ],
    );
    let robots = &scene.spec.robots;
    assert_eq!(robots[0].driver, DriverSpec::None);
    assert_eq!(robots[1].pose.position, Vec2::new(0.1, 0.2));
    assert_eq!((robots[1].pose.rotation.c, robots[1].pose.rotation.s), (0.0, 1.0));
    assert!(robots.iter().all(|robot| robot.team == "red"));
    assert_eq!((robots[4].drive.mass, robots[5].drive.mass), (0.352, 0.5));
    assert_eq!(robots[2].pose.position, Vec2::new(-0.35, -0.4));
    assert_eq!(robots[0].drive.traction, Some(TractionSpec { mu_static: 0.9, mu_kinetic: 0.7 }));
    assert_eq!(robots[3].drive.traction, None);
}

#[test]
fn a_new_kind_forgets_the_keys_of_the_old_one_but_not_those_of_other_sets() {
    let sets = ["robot.0.driver.max_volts=3", "robot.0.driver.kind=random"];
    let scene = builtin("pile", &sets);
    assert_eq!(scene.spec.robots[0].driver, DriverSpec::Random { max_volts: 3.0, period_s: 0.03 });
    assert_eq!(scene.spec.robots[1].driver, DriverSpec::Constant { left: 9.0, right: 9.0 });
}

#[test]
fn later_sets_win_and_any_type_may_be_given() {
    let scene = builtin(
        "soccer",
        &["title=first", "title=\"second\"", "sim.seed=0xff", "part.0.variables.kick_off=false"],
    );
    assert_eq!(scene.spec.title, "second");
    assert_eq!(scene.spec.sim.seed, 255);
    assert!(!scene.spec.zones[0].kick_off);
}

#[test]
fn variables_stand_inside_arrays_and_only_as_whole_values() {
    let scene = text(
        "title = \"costs $5\"\n[variables]\nx = 0.25\nhow = \"viscous\"\n\
         [[ball]]\nposition = [\"$x\", 1]\nfriction = { kind = \"$how\", beta = \"$x\" }",
    );
    let scene = check(&scene, &["x=0.5"]).unwrap();
    assert_eq!(scene.spec.balls[0].position, Vec2::new(0.5, 1.0));
    assert_eq!(scene.spec.title, "costs $5");
    let friction = scene.ledger.find("ball.0.friction.kind").unwrap();
    assert_eq!(friction.origin.to_string(), "x.toml:4", "where the variable is written");
}

#[test]
fn keys_inside_included_parts_are_set_by_the_path_that_describe_prints() {
    let load = |sets: &[&str]| {
        let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
        rolima_scene::load(&rolima_scene::Source::BuiltIn("soccer.toml".into()), &sets)
    };
    let scene = load(&["part.0.wall.0.thickness=0.1", "part.0.zone.*.kick_off=false"]).unwrap();
    assert!(scene.spec.zones.iter().all(|zone| !zone.kick_off));
    let plain = load(&[]).unwrap();
    assert_ne!(scene.spec.walls[0], plain.spec.walls[0]);
    assert_eq!(scene.spec.walls[1..], plain.spec.walls[1..]);
    let row = scene.ledger.find("part.0.wall.0.thickness").unwrap();
    assert_eq!(row.origin.to_string(), "--set part.0.wall.0.thickness=0.1");
    // A mistake inside a part is told like any other.
    let error = load(&["part.0.wall.0.thicknes=0.1"]).unwrap_err().to_string();
    assert!(error.contains("--set part.0.wall.0.thicknes=0.1"), "{error}");
    assert!(error.contains("did you mean \"thickness\"?"), "{error}");
    let error = load(&["part.0.wall.999.thickness=0.1"]).unwrap_err().to_string();
    assert!(error.contains("part.0.wall.999: expected a number from 0"), "{error}");
}
