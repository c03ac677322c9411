//! A world and the agents in it: what decides outside of the core's step.
//!
//! ```text
//!  acts of people and programs ──► Simulation = World + agents        no clock, no sockets
//!                                     each step: agents that are due ──see──► World ──► commands, pushes ──► step
//! ```
//!
//! A live loop, a replay, a batch and a test hold a [`Simulation`]; it is forked, saved and restored with
//! all that its agents have half done. Agents that go to goals do so by [`rolima_nav`], which knows no
//! simulator.
//!
//! ```
//! use rolima_agents::{Action, Simulation};
//! # use rolima_core::{RobotId, model::{Model, SceneSpec}};
//! # use rolima_math::Pose2;
//! # let mut simulation = Simulation::new(Model::compile(&SceneSpec::default()).expect("an empty scene").into());
//! assert!(!simulation.act(&Action::Goal { robot: RobotId(0), pose: Pose2::IDENTITY }), "there is no robot");
//! simulation.steps(100);
//! let saved = simulation.save();
//! simulation.steps(100);
//! simulation.restore(&saved)?;
//! assert_eq!(simulation.world().state().step, 100);
//! # Ok::<(), rolima_agents::RestoreError>(())
//! ```
//!
//! | module | what | reads => writes |
//! |---|---|---|
//! | [`simulation`] | a world and its agents | acts => world |
//! | [`action`] | what people and programs do to one | |
//! | [`agent`] | who decides between two steps | world => commands |
//! | `grabs` | the agent that pulls bodies by springs | grabs => pushes |
//! | `go_to` | the agent that drives robots to their goals | routes => commands |
//! | `active_goal` | a robot on its route: from goal to goal | |
//! | `saved` | a simulation as bytes | |
//! | [`published_goal`] | what is told of robots that go to goals | |
//! | [`route`] | where a robot is to go | |
//! | [`go_to_pose`] | a robot of any kind that is sent to a goal, among others and walls | |
//! | `progress` | how it gets on, and why it may not be sent | |
//! | [`effort`] | how much it may look for in a frame | |
//! | `braking` | how it comes to rest when its goal is taken away | |
//! | [`grid_planner`], [`walls`] | a way among walls, where one straight piece does not do | |
//! | `encounter`, `striker` | how a robot comes to a ball that it is to send somewhere | |
//! | `robot_vision`, [`vision`] | poses as a camera would tell them: noisy, late, with gaps | |
//! | [`others`] | the other robots, as vision and least squares tell them | |
//! | [`pilot`] | a navigator at a robot of a world, for comparisons | |
//! | [`tasks`] | random goals, and how well they are reached | |
//! | [`soccer`] | others in the way, a rolling ball | |
//! | [`thesis`] | the thesis's own controller | |
//! | [`tables`] | comparisons of estimators and of controllers | |

pub mod action;
mod active_goal;
pub mod agent;
mod braking;
pub mod effort;
mod encounter;
#[doc(hidden)]
pub mod fuzzing;
mod go_to;
pub mod go_to_pose;
mod grabs;
pub mod grid_planner;
mod nearest;
pub mod others;
pub mod pilot;
mod progress;
pub mod published_goal;
mod robot_vision;
pub mod route;
mod saved;
pub mod simulation;
pub mod soccer;
mod striker;
pub mod tables;
pub mod tasks;
pub mod thesis;
pub mod vision;
pub mod walls;

pub use action::Action;
pub use agent::{Agent, Commands, View};
pub use effort::{Allowance, Cost, Effort};
pub use go_to::MOST_GOALS;
pub use go_to_pose::{GoToPose, GoalRefusal, Phase, Progress};
pub use grid_planner::ClearanceMap;
pub use pilot::{Pilot, drive_of};
pub use published_goal::{GoalStatus, PublishedGoal};
pub use rolima_nav::NavError;
pub use route::{Route, Target};
pub use saved::RestoreError;
pub use simulation::{KeptSimulation, Simulation};
pub use vision::{Blur, Vision};
