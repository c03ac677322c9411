//! The server of Robot One: programs that drive robots over a plain TCP connection.
//!
//! ```text
//!  program ──request──► session: decoder ─► answer ──reply──► program
//!                                            │  ▲
//!                   queue: who comes next    │  │ newest values; never through the loop
//!                                            ▼  │
//!                          acts ──────────► Robots (a live run, or robots in memory)
//! ```
//!
//! All connections live on one thread, so that however many programs ask as fast as they can, they
//! take one core and no more. Values are read from what the simulator has published; only acts go
//! into it, and of each program few at a time ([`RobotOneLimits::actions`]). A program that asks
//! for something and does not read the answer waits for itself.
//!
//! | module | what |
//! |---|---|
//! | [`robots`] | what the server needs of a simulator |
//! | `options` | what a server may be told |
//! | `server` | sockets, the thread, start and end |
//! | `queue` | programs that wait for a robot, one after another |
//! | `for_programs`, `permits`, `network` | which robots programs may drive; where they may come from |
//! | `session` | one connection: bytes to requests, replies to bytes |
//! | `stream`, `unpaced` | its socket |
//! | `habits` | whether a program uses the released library |
//! | `answer` | what each name does |
//! | `world_sensors` | sensors of the world by their names; pictures of all cameras |
//! | `limited_log` | lines for the log, so many and no more |
//! | [`live`] | the robots of a live run |
//! | [`graded`] | programs that are graded: whether their robot gets to a goal in time |
//! | [`view_hints`] | what programs want people to see: the view, and where robots have been |
//! | [`kinematic`] | robots in memory, for tests of programs and clients |

mod answer;
mod for_programs;
pub mod graded;
mod habits;
pub mod kinematic;
mod limited_log;
pub mod live;
mod network;
mod options;
mod permits;
mod queue;
pub mod robots;
mod server;
mod session;
mod stream;
mod unpaced;
pub mod view_hints;
mod world_sensors;

pub use for_programs::ForPrograms;
pub use live::{LiveRobots, LiveRobotsSetup, LiveSink};
pub use network::Network;
pub use options::{Priming, RobotOneLimits, RobotOneLog, RobotOneOptions, RobotOneServerError};
pub use robots::Robots;
pub use rolima_wire::robotone::{Dialect, RELEASE_PORT, THESIS_PORT};
pub use server::{RobotOneServer, RobotOneServerHandle, RobotOneStats};
pub use view_hints::{Notice, ViewHints, Warning};
