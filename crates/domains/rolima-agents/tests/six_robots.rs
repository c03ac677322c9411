//! Six robots that all have goals of their own, on one field, each an obstacle to the others.

use rolima_agents::pilot::{Pilot, steps_of_frame};
use rolima_agents::tasks::{field_settings, out_of_the_way};
use rolima_agents::vision::TASK_BLUR;
use rolima_core::{RobotId, World};
use rolima_math::{Pose2, Stream};
use rolima_nav::{Field, Goal, NavStatus};
use rolima_scene::{Source, load};
use std::sync::Arc;

/// A goal that is near no other one.
fn fresh_goal(random: &mut Stream, goals: &[Pose2]) -> Pose2 {
    let field = Field::mirosot();
    loop {
        let (x, y) = (random.between(-0.65, 0.65), random.between(-0.55, 0.55));
        let pose = Pose2::new(x, y, random.between(-3.1, 3.1));
        let apart = |goal: &Pose2| (goal.position - pose.position).length() > 0.2;
        if field.clearance(pose.position) > 0.08 && goals.iter().all(apart) {
            return pose;
        }
    }
}

#[test]
fn all_keep_reaching_their_goals_and_hardly_touch() {
    let sets = ["driver=none".to_owned()];
    let scene = load(&Source::BuiltIn("soccer.toml".to_owned()), &sets).expect("a built-in scene");
    let model = Arc::new(scene.compile().expect("a good scene"));
    for seed in 0..3 {
        let mut world = World::with_seed(model.clone(), seed);
        out_of_the_way(&mut world);
        let mut random = Stream::new(seed, 0, "goals");
        let mut pilots: Vec<Pilot> = (0..6)
            .map(|robot| {
                let robot_vision = Stream::new(seed, u64::from(robot), "vision");
                Pilot::new(&world, RobotId(robot), field_settings(), TASK_BLUR, robot_vision)
                    .expect("a pilot")
            })
            .collect();
        let mut goals = vec![];
        for _ in 0..6 {
            let goal = fresh_goal(&mut random, &goals);
            goals.push(goal);
        }
        let mut reached = [0; 6];
        let mut touching = 0;
        let steps = steps_of_frame(&world);
        // A minute.
        for _ in 0..2000 {
            for robot in 0..6 {
                let output = pilots[robot].frame(&mut world, Some(Goal::stop_at(goals[robot])));
                if output.status == NavStatus::Arrived {
                    reached[robot] += 1;
                    goals[robot] = fresh_goal(&mut random, &goals);
                }
            }
            for _ in 0..steps {
                world.step();
                touching += u32::from(world.contact_count() > 0);
            }
        }
        println!("seed {seed}: {reached:?} reached, touching in {touching} ms of 60,000");
        assert!(reached.iter().all(|&n| n >= 12), "{reached:?}");
        assert!(touching < 1200, "{touching} ms");
    }
}
