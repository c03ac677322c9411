//! Robots that go to goals, and the vision they see by, as scenes say them.

use rolima_math::{Pose2, Vec2};
use rolima_model::{DriverSpec, GoalSpec, RouteSpec, VisionSpec};
use rolima_scene::{Source, load};

const BALL: &str = "[[ball]]\nname = \"b\"\nposition = [1, 0]\n";

fn text(driver: &str) -> Source {
    let robot = "[[robot]]\nname = \"r\"\npreset = \"minirobot\"\n";
    let text = format!("title = \"t\"\n{BALL}{robot}driver = {{ kind = \"go-to\", {driver} }}\n");
    Source::Text { name: "t.toml".to_owned(), text }
}

#[test]
fn a_route_has_poses_and_balls_and_its_robot_a_vision_of_its_own() {
    let source = text(
        "goals = [[1, 2, 90], { ball = \"b\", aim = [3, 4] }], repeat = true, wait_s = 0.5, \
         vision = { position_sigma = 0.01, heading_sigma_deg = 180, delay_s = 0.06 }",
    );
    let scene = load(&source, &[]).expect("a good scene");
    scene.compile().expect("a good model");
    let goals = vec![
        GoalSpec::Pose(Pose2::new(1.0, 2.0, 90f64.to_radians())),
        GoalSpec::Ball { ball: "b".to_owned(), aim: Vec2::new(3.0, 4.0) },
    ];
    let heading_sigma = 180f64.to_radians();
    let vision =
        VisionSpec { position_sigma: 0.01, heading_sigma, delay_s: 0.06, ..VisionSpec::default() };
    let route = RouteSpec { goals, repeat: true, wait_s: 0.5 };
    let expected = DriverSpec::GoTo { route, vision: Some(vision) };
    assert_eq!(scene.spec.robots[0].driver, expected);
    assert_eq!(scene.spec.vision, VisionSpec::default());
}

#[test]
fn errors_name_the_goal_that_is_wrong() {
    for (driver, words) in [
        ("", &["driver.goals", "a list of goals"][..]),
        ("goals = []", &["driver.goals", "1 to 100 goals", "got 0"]),
        ("goals = [[1, 2]]", &["driver.goals.0", "[x, y, heading]"]),
        ("goals = [[0, 0, 0], { ball = \"b\" }]", &["driver.goals.1.aim"]),
        (
            "goals = [{ ball = \"c\", aim = [0, 0] }]",
            &["driver.goals.0.ball", "name of a ball", "\"c\""],
        ),
        ("goals = [[1e9, 0, 0]]", &["driver.goals.0", "1000000"]),
        ("goals = [[0, 0, 0]], wait_s = -1", &["driver.wait_s"]),
        ("goals = [[0, 0, 0]], vision = { delay = 1 }", &["driver.vision.delay", "delay_s"]),
        ("goals = [[0, 0, 0]], vision = { delay_s = 2 }", &["driver.vision.delay_s"]),
        ("goals = [[0, 0, 0]], speed = 1", &["driver.speed", "wait_s"]),
    ] {
        let error = match load(&text(driver), &[]) {
            Ok(scene) => scene.compile().expect_err(driver).to_string(),
            Err(error) => error.to_string(),
        };
        assert!(error.contains("t.toml:8"), "{driver}: {error}");
        for word in words {
            assert!(error.contains(word), "{driver}: {word:?} is not in {error}");
        }
    }
}
