//! What robots that go to goals may spend.

use super::*;
use rolima_math::Pose2;
use std::sync::Arc;

/// Most ways around others that one robot looks at in a frame: two that brake and two that do
/// not, of one obstacle or of pairs of eight, on both sides, of three kinds each; and the places of all
/// these, of which eight count as one.
const MOST_OF_ONE: usize = PLACES * 3 + PLACES / 8;
const PLACES: usize = 4 * (6 + 4 * 8 * 8 + 1);

/// 32 robots shoulder to shoulder, each sent to where another one stands.
fn crowd() -> (World, Vec<Pose2>) {
    let place = |i: u32| (0.13 * f64::from(i % 8), 0.13 * f64::from(i / 8));
    let mut text = "title = \"crowd\"\n".to_owned();
    for robot in 0..MOST_GOALS as u32 {
        let (x, y) = place(robot);
        text += &format!(
            "[[robot]]\nname = \"r{robot}\"\npreset = \"minirobot\"\npose = [{x}, {y}, 0]\n"
        );
    }
    let source = rolima_scene::Source::Text { name: "crowd".to_owned(), text };
    let model = rolima_scene::load(&source, &[]).expect("a scene").compile().expect("a model");
    let goal = |robot: u32| {
        let (x, y) = place(MOST_GOALS as u32 - 1 - robot);
        Pose2::new(x, y, 0.0)
    };
    (World::new(Arc::new(model)), (0..MOST_GOALS as u32).map(goal).collect())
}

/// 32 robots between 3,721 short walls, each sent to the other end.
fn maze() -> (World, Vec<Pose2>) {
    let (text, ends) = rolima_testing::among_walls(61, MOST_GOALS as u32, 7);
    let goals = ends.into_iter().map(|[x, y]| Pose2::new(x, y, 0.0)).collect();
    let source = rolima_scene::Source::Text { name: "walls".to_owned(), text };
    let model = rolima_scene::load(&source, &[]).expect("a scene").compile().expect("a model");
    (World::new(Arc::new(model)), goals)
}

/// What robots that are sent spend in 100 frames, and at most in one.
fn spent_in_100_frames(
    (mut world, poses): (World, Vec<Pose2>),
    of: fn(Cost) -> usize,
) -> (usize, usize) {
    let (mut goals, mut commands) = (GoTo::default(), Commands::default());
    for (robot, pose) in (0..).zip(poses) {
        assert!(goals.send(&world, RobotId(robot), Route::to(pose)), "{robot}");
    }
    let frame = steps_of_frame(&world);
    let (mut all, mut most, mut own) = (0, 0, 0);
    for step in 0..100 * frame {
        if goals.due() <= step {
            goals.act(&View { world: &world }, &mut commands);
            commands.carry_out(&mut world);
            own += of(goals.cost());
        }
        if (step + 1) % frame == 0 {
            (all, most, own) = (all + own, most.max(own), 0);
        }
        world.step();
    }
    println!("{} a frame, {most} at most", all / 100);
    (all, most)
}

#[test]
fn robots_that_block_one_another_look_for_no_more_than_a_frame_may_take() {
    let (all, most) = spent_in_100_frames(crowd(), |cost| cost.detours);
    assert!(most <= 2000 + MOST_OF_ONE, "{most} in one frame");
    assert!(all <= 101 * 2000 + MOST_OF_ONE, "{all} in 100 frames");
    // They do want more than that: else this would show nothing.
    assert!(all > 50 * 2000, "{all} in 100 frames");
}

#[test]
fn robots_among_3721_walls_search_for_no_more_than_a_frame_may_take() {
    let (all, most) = spent_in_100_frames(maze(), |cost| cost.search);
    // The last portion of a search may be a frame's more than what was left.
    assert!(most <= 2 * 1000, "{most} in one frame");
    assert!(all <= 102 * 1000, "{all} in 100 frames");
    // They do search all the time: else this would show nothing.
    assert!(all > 50 * 1000, "{all} in 100 frames");
}
