//! Simulated robots driven by `rolima-nav`: what stands between the navigation library, which knows
//! no simulator, and the planar engine, which knows no goals.
//!
//! | module | what |
//! |---|---|
//! | [`vision`] | poses as a camera would tell them: noisy, late, with gaps |
//! | [`pilot`] | a navigator at a robot of a world |
//! | [`others`] | the other robots, as vision and least squares tell them |
//! | [`errand`] | a robot of any kind that is sent to a pose, among others and walls |
//! | `progress` | how it gets on, and why it may not be sent |
//! | [`effort`] | how much it may look for in a frame |
//! | `braking` | how it comes to rest when its goal is taken away |
//! | [`guide`], [`walls`] | a way among walls, where one straight piece does not do |
//! | [`tasks`] | random goals, and how well they are reached |
//! | [`soccer`] | others in the way, a rolling ball |
//! | `striker` | how a robot comes to a ball that it is to send somewhere |
//! | [`thesis`] | the thesis's own controller |
//! | [`tables`] | comparisons of estimators and of controllers |

mod braking;
pub mod effort;
pub mod errand;
pub mod guide;
mod nearest;
pub mod others;
pub mod pilot;
mod progress;
pub mod soccer;
mod striker;
pub mod tables;
pub mod tasks;
pub mod thesis;
pub mod vision;
pub mod walls;

pub use effort::{Allowance, Cost, Effort};
pub use errand::{Errand, Progress, Refusal};
pub use guide::Rooms;
pub use pilot::{Pilot, drive_of};
pub use rolima_nav::NavError;
pub use vision::{Blur, Vision};
