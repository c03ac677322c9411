//! What navigation knows of robots without a simulator is what the presets say.

use rolima_agents::drive_of;
use rolima_nav::drive::Parameters;
use rolima_scene::{Source, load};

#[test]
fn the_robots_of_navigation_are_the_presets() {
    let thesis = Parameters::THESIS;
    for (preset, known) in [("minirobot", Parameters::MINIROBOT), ("minirobot-2001", thesis)] {
        let sets = [format!("robot={preset}")];
        let scene = load(&Source::BuiltIn("navigation.toml".to_owned()), &sets).expect("a scene");
        let model = scene.compile().expect("a good scene");
        let told = drive_of(&model.drives[0], model.spec.sim.gravity).expect("a drive");
        let own = known.drive().expect("a drive");
        let near = |a: f64, b: f64| a == b || (a - b).abs() < 1e-9 * (a.abs() + b.abs());
        for i in 0..4 {
            let (row, column) = (i / 2, i % 2);
            assert!(near(told.a[row][column], own.a[row][column]), "{preset}: A {told:?} {own:?}");
            assert!(near(told.b[row][column], own.b[row][column]), "{preset}: B {told:?} {own:?}");
        }
        assert!(near(told.supply, own.supply), "{preset}: {} V, {} V", told.supply, own.supply);
        assert!(near(told.grip, own.grip), "{preset}: {} m/s2, {} m/s2", told.grip, own.grip);
    }
}
