//! Forks of a run go on bit-equal, whatever was half done, and neither knows of the other.

use crate::common;

use common::model;
use proptest::prelude::*;
use rolima_core::{BodyId, Command, Model, RobotId, Volts};
use rolima_math::{Pose2, Vec2};
use rolima_run::live::{Action, Route, Session, Target};
use std::sync::{Arc, LazyLock};

/// What happens to a run.
#[derive(Clone, Debug)]
pub(crate) enum Happens {
    Action(Action),
    Steps(u64),
    Reset,
    Seed(u64),
}

pub(crate) fn any_happening() -> impl Strategy<Value = Happens> {
    let x = || -1.0..1.0f64;
    let vector = move |scale: f64| (x(), x()).prop_map(move |(x, y)| Vec2::new(x, y) * scale);
    let pose = move || (x(), x(), -3.0..3.0f64).prop_map(|(x, y, a)| Pose2::new(x, y, a));
    let robot = || (0..7u32).prop_map(RobotId);
    let body = || (0..12u32).prop_map(BodyId);
    let command = (any::<bool>(), x(), x()).prop_map(|(is_volts, a, b)| match is_volts {
        true => Volts { right: 9.0 * a, left: 9.0 * b }.into(),
        false => Command::Velocity { v: a, omega: 5.0 * b },
    });
    let action = prop_oneof![
        3 => (robot(), command).prop_map(|(robot, command)| Action::Command { robot, command }),
        4 => (robot(), pose()).prop_map(|(robot, pose)| Action::Goal { robot, pose }),
        3 => (robot(), any_route(), any::<bool>())
            .prop_map(|(robot, route, append)| Action::Route { robot, route: Arc::new(route), append }),
        1 => robot().prop_map(|robot| Action::NoGoal { robot }),
        1 => robot().prop_map(|robot| Action::Stop { robot }),
        1 => robot().prop_map(|robot| Action::Release { robot }),
        1 => (body(), pose()).prop_map(|(body, pose)| Action::Place { body, pose }),
        2 => (body(), vector(0.05), vector(0.05))
            .prop_map(|(body, point, impulse)| Action::Push { body, point, impulse }),
        3 => (body(), vector(0.02), vector(1.0))
            .prop_map(|(body, own, hand)| Action::Grab { body, own, hand }),
        1 => body().prop_map(|body| Action::LetGo { body }),
    ];
    prop_oneof![
        10 => action.prop_map(Happens::Action),
        10 => (1..120u64).prop_map(Happens::Steps),
        1 => Just(Happens::Reset),
        1 => any::<u64>().prop_map(Happens::Seed),
    ]
}

/// Poses and balls, of which some are none.
fn any_route() -> impl Strategy<Value = Route> {
    let x = || -0.8..0.8f64;
    let target = prop_oneof![
        2 => (x(), x(), -3.0..3.0f64).prop_map(|(x, y, a)| Target::Pose(Pose2::new(x, y, a))),
        1 => (0..12u32, x(), x())
            .prop_map(|(ball, x, y)| Target::Ball { ball: BodyId(ball), aim: Vec2::new(x, y) }),
    ];
    (prop::collection::vec(target, 0..4), any::<bool>(), 0.0..0.2f64)
        .prop_map(|(goals, repeat, wait_s)| Route { goals, repeat, wait_s })
}

/// Does it, and returns what can be seen of it.
fn happen(session: &mut Session, what: &Happens) -> String {
    let answer = match what {
        Happens::Action(action) => u64::from(session.act(action)),
        Happens::Steps(count) => session.steps(*count),
        Happens::Reset => {
            session.reset();
            0
        }
        Happens::Seed(seed) => {
            session.reset_with_seed(*seed);
            0
        }
    };
    seen(session) + &format!(" {answer}")
}

fn seen(session: &Session) -> String {
    let mut goals = vec![];
    session.publish_goals(&mut goals);
    let hash = session.state_hash();
    format!("{} {hash:016x} {goals:?} {:?}", session.steps_done(), session.scene())
}

/// A match, a maze with sensors, rough ground, and robots that go to goals by a camera's vision.
pub(crate) static MODELS: LazyLock<[Arc<Model>; 4]> = LazyLock::new(|| {
    [
        model("soccer", &[]),
        model("maze", &[]),
        model("hills", &["driver=random"]),
        model("go-to", &[]),
    ]
});

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn a_fork_goes_on_bit_equal_and_neither_knows_of_the_other(
        scene in 0..4usize,
        seed: u64,
        before in prop::collection::vec(any_happening(), 0..30),
        after in prop::collection::vec(any_happening(), 1..20),
        others in prop::collection::vec(any_happening(), 1..8),
    ) {
        let mut run = Session::new(MODELS[scene].clone(), seed);
        before.iter().for_each(|what| drop(happen(&mut run, what)));
        let mut fork = run.fork();
        // A third one that is done other things to changes neither.
        let mut stray = run.fork();
        prop_assert_eq!(seen(&fork), seen(&run));
        for (i, what) in after.iter().enumerate() {
            if let Some(other) = others.get(i) {
                happen(&mut stray, other);
            }
            prop_assert_eq!(happen(&mut fork, what), happen(&mut run, what), "after {:?}", what);
        }
    }
}
