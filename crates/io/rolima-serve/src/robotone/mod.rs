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
//! into it, and of each program few at a time ([`RobotOneLimits::acts`]). A program that asks for
//! something and does not read the answer waits for itself.
//!
//! | module | what |
//! |---|---|
//! | [`robots`] | what the server needs of a simulator |
//! | `options` | what a server may be told |
//! | `server` | sockets, the thread, start and end |
//! | `queue` | programs that wait for a robot, one after another |
//! | `for_programs`, `permits`, `network` | which robots programs may drive; where they may come from |
//! | `session` | one connection: bytes to requests, replies to bytes |
//! | `stream` | its socket |
//! | `habits` | whether a program uses the released library |
//! | `answer` | what each name does |
//! | `world_sensors` | sensors of the world by their names; pictures of all cameras |
//! | `told` | lines for the log, so many and no more |
//! | [`live`] | the robots of a live run |
//! | [`shown`] | what programs want people to see: the view, and where robots have been |
//! | [`kinematic`] | robots in memory, for tests of programs and clients |

mod answer;
mod for_programs;
mod habits;
pub mod kinematic;
pub mod live;
mod network;
mod options;
mod permits;
mod queue;
pub mod robots;
mod server;
mod session;
pub mod shown;
mod stream;
mod told;
mod world_sensors;

pub use for_programs::ForPrograms;
pub use live::{LiveOutlet, LiveRobots, LiveRobotsSetup};
pub use network::Network;
pub use options::{Priming, RobotOneError, RobotOneLimits, RobotOneLog, RobotOneOptions};
pub use robots::Robots;
pub use rolima_wire::robotone::{Dialect, RELEASE_PORT, THESIS_PORT};
pub use server::{RobotOneHandle, RobotOneServer, RobotOneStats};
pub use shown::{Shown, Told, Warning};
