//! Robots whose drivers go to goals, and routes that robots are sent along.

use crate::common;

use common::model;
use rolima_core::{RobotId, World};
use rolima_math::{Pose2, Vec2};
use rolima_run::Batch;
use rolima_run::live::{
    Action, GoalRefusal, GoalStatus, Phase, Progress, PublishedGoal, Route, Session, Simulation,
    Target,
};
use std::sync::Arc;

const SCOUT: RobotId = RobotId(0);
const STRIKER: RobotId = RobotId(1);

fn goal_of(simulation: &Simulation, robot: RobotId) -> Option<PublishedGoal> {
    let mut goals = vec![];
    simulation.publish_goals(&mut goals);
    goals.into_iter().find(|goal| goal.robot == robot)
}

/// Which goals a robot goes for within so many seconds, one after the other.
fn goals_of(simulation: &mut Simulation, robot: RobotId, seconds: u64) -> Vec<u32> {
    let mut numbers = vec![];
    for _ in 0..seconds * 100 {
        simulation.steps(10);
        numbers.extend(goal_of(simulation, robot).map(|goal| goal.number));
        numbers.dedup();
    }
    numbers
}

#[test]
fn a_driver_goes_along_its_route_for_ever_whatever_its_vision() {
    for sets in [
        &[][..],
        &["position_sigma=0", "vision.heading_sigma_deg=0", "delay_s=0", "gap_probability=0"],
        &["position_sigma=0.005", "delay_s=0.09", "gap_probability=0.05"],
    ] {
        let mut simulation = Simulation::new(model("go-to", sets));
        let numbers = goals_of(&mut simulation, SCOUT, 30);
        assert!(numbers.len() > 5, "{sets:?}: {numbers:?}");
        assert!(numbers.windows(2).all(|pair| (pair[0] + 1) % 4 == pair[1]), "{numbers:?}");
    }
}

#[test]
fn a_ball_that_is_met_rolls_into_the_goal() {
    let mut simulation = Simulation::new(model("go-to", &[]));
    let mut phases = vec![];
    while simulation.world().state().scores.iter().sum::<u64>() == 0 {
        simulation.steps(10);
        phases.extend(goal_of(&simulation, STRIKER).map(|goal| goal.shown.phase));
        assert!(simulation.world().time_s() < 20.0, "no goal");
    }
    for phase in [Phase::Approaching, Phase::Striking] {
        assert!(phases.contains(&phase), "{phase:?}");
    }
}

#[test]
fn the_predicted_error_is_that_of_the_estimate_and_zero_for_true_poses() {
    let mut simulation = Simulation::new(model("go-to", &[]));
    let (mut square, mut predicted, mut count) = (0.0, 0.0, 0.0);
    loop {
        simulation.steps(30);
        // A kick-off puts it elsewhere while the camera still shows it here.
        if simulation.world().state().scores.iter().sum::<u64>() > 0 {
            break;
        }
        let told = goal_of(&simulation, SCOUT).expect("it goes");
        let truth = simulation.world().pose(SCOUT).expect("a robot");
        // What it made of the last frame; the robot goes on until the next.
        let speed = simulation.world().twist(SCOUT).expect("a robot").velocity.length();
        if speed < 0.05 {
            square += (told.shown.believed.position - truth.position).length_squared();
            predicted += told.shown.error_m * told.shown.error_m;
            count += 1.0;
        }
        assert_eq!(goal_of(&simulation, RobotId(2)).expect("it goes").shown.error_m, 0.0);
    }
    let ratio = f64::sqrt(square / predicted);
    assert!(count > 20.0 && (0.3..3.0).contains(&ratio), "{ratio} of {count}");
}

#[test]
fn who_takes_the_wheel_drives_until_the_robot_is_released() {
    let mut simulation = Simulation::new(model("go-to", &[]));
    simulation.steps(3_500);
    let before = goal_of(&simulation, SCOUT).expect("it goes").number;
    let command = rolima_core::Volts { right: 0.0, left: 0.0 }.into();
    assert!(simulation.act(&Action::Command { robot: SCOUT, command }));
    simulation.steps(2_000);
    assert_eq!(goal_of(&simulation, SCOUT), None);
    assert_eq!(simulation.world().frame().bodies[0].volts, [0.0, 0.0], "nobody else commands it");
    assert!(simulation.act(&Action::Release { robot: SCOUT }));
    let again = goal_of(&simulation, SCOUT).expect("it goes on");
    assert_eq!(again.number, before, "with the goal that it went for");
    simulation.reset();
    let fresh = Simulation::new(model("go-to", &[]));
    assert_eq!(goal_of(&simulation, SCOUT).expect("it goes").number, 0);
    assert_eq!(simulation.state_hash(), fresh.state_hash());
}

#[test]
fn a_robot_is_sent_along_a_route_that_may_grow_and_waits_at_each_goal() {
    let mut simulation = Simulation::new(model("navigation", &[]));
    let pose = |x: f64| Target::Pose(Pose2::new(x, 0.3, 0.0));
    let route =
        |goals: &[Target]| Arc::new(Route { goals: goals.to_vec(), repeat: false, wait_s: 0.3 });
    let send =
        |goals: &[Target], append| Action::Route { robot: SCOUT, route: route(goals), append };
    assert!(simulation.act(&send(&[pose(0.3), pose(-0.3)], false)));
    assert!(simulation.act(&send(&[pose(0.0)], true)));
    assert!(!simulation.act(&send(&[pose(9e9)], true)), "that is nowhere");
    assert_eq!(goals_of(&mut simulation, SCOUT, 10), [0, 1, 2]);
    let last = goal_of(&simulation, SCOUT).expect("it stays there");
    assert_eq!(
        (last.status, last.shown.phase),
        (GoalStatus::Going(Progress::Arrived), Phase::Holding)
    );
    // One that is there goes on where something is added.
    assert!(simulation.act(&send(&[pose(0.2)], true)));
    assert_eq!(goals_of(&mut simulation, SCOUT, 3).last(), Some(&3));
    for (goals, why) in [
        (vec![], GoalRefusal::BadRoute),
        (vec![pose(0.1); 101], GoalRefusal::BadRoute),
        (
            vec![pose(0.1), Target::Ball { ball: SCOUT.body(), aim: Vec2::ZERO }],
            GoalRefusal::NoSuchBall,
        ),
    ] {
        assert!(!simulation.act(&send(&goals, false)));
        let told = goal_of(&simulation, SCOUT).expect("the refusal is shown");
        assert_eq!(told.status, GoalStatus::Refused(why));
    }
}

#[test]
fn sessions_and_batches_let_drivers_drive_and_a_bare_world_lets_the_robot_stand() {
    let model = model("go-to", &[]);
    let mut session = Session::new(model.clone(), 5);
    session.steps(2_000);
    let mut batch = Batch::new(&model, [5]);
    batch.steps(2_000);
    assert_eq!(batch.simulations()[0].state_hash(), session.state_hash());
    let way = |world: &World| {
        let home = model.body(SCOUT).expect("a robot").home.position;
        (world.pose(SCOUT).expect("a robot").position - home).length()
    };
    assert!(way(session.world()) > 0.2);
    let mut bare = World::with_seed(model.clone(), 5);
    bare.steps(2_000);
    assert_eq!(way(&bare), 0.0);
}
