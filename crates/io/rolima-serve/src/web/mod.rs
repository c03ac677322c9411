//! The web server of a live run: page, WebSockets and their safety.
//!
//! ```text
//!  state block ──► hub, 60 times a second ──Tick──► viewer's writer ──► WebSocket
//!                                                  viewer's reader ◄──
//!  the loop  ◄──TimedRequest── handler: seats, checks ◄──┘
//! ```
//!
//! The hub copies the newest publication; a frame is encoded at most twice, as a whole and as a
//! difference, by the first viewer that needs it. A viewer that cannot follow skips ticks and gets
//! a whole frame next; the others do not notice.
//!
//! | module | what |
//! |---|---|
//! | `options` | what a server may be told |
//! | `server` | threads, start and end |
//! | `loads` | scenes and maps on their way, side by side |
//! | `line` | sockets, and when they are given up |
//! | `guard`, `tokens`, `token_file` | who may come in, and as what: host, origin, token |
//! | `roles` | what a viewer's role lets it ask |
//! | `tls` | encrypted connections |
//! | `routes`, `page`, `picture`, `encoding` | what HTTP requests get, compressed where they take it |
//! | `hub`, `tick` | publications to frames |
//! | `upgrade`, `intake`, `frames` | how requests become WebSockets, and what these may half send |
//! | `viewer`, `crowd` | one WebSocket, and how many there are |
//! | `outbox`, `view_hints` | what a viewer must not miss; what programs want it to see |
//! | `goals`, `sensor_feed` | what a viewer is told of robots' goals and senses |
//! | `channels` | what a viewer is told of quantities by name, and of where the time goes |
//! | `handler`, `driving`, `drivers`, `goal_requests`, `lock_step`, `maps`, `rate` | what viewers ask, who drives |
//! | `refusal` | why something is not done, as a code and in words |
//! | `relay`, `silence` | the page of a run on another machine, and whether it still answers |
//! | `overview`, `plan` | one page about many runs, and small pictures of their worlds |
//! | `timeline` | other instants of the run; what was there |
//! | `recordings` | recordings by viewers, by HTTP, and as ghosts |
//! | `stats` | what it costs |

mod channels;
mod crowd;
mod drivers;
mod driving;
mod encoding;
mod frames;
mod goal_requests;
mod goals;
mod guard;
mod handler;
mod hub;
mod intake;
mod line;
mod loads;
mod lock_step;
mod maps;
mod options;
mod outbox;
mod overview;
mod page;
mod picture;
mod plan;
mod rate;
mod recordings;
mod refusal;
mod relay;
mod roles;
mod routes;
mod sensor_feed;
mod server;
mod silence;
mod stats;
mod tick;
mod timeline;
mod tls;
mod token_file;
mod tokens;
mod upgrade;
mod view_hints;
mod viewer;

pub use options::{
    Backend, DEFAULT_PORT, Listen, Loader, MapLoaded, MapLoader, SceneListed, SceneLoaded, Sender,
    ServerError, ServerLimits, ServerOptions,
};
pub use overview::{Overview, OverviewPicture, OverviewState};
pub use picture::picture;
pub use plan::FloorPlan;
pub use relay::{Far, Relay};
pub use rolima_wire::role::ROLES;
pub use rolima_wire::{MapAsked, Role};
pub use server::{Server, ServerHandle};
pub use silence::Silence;
pub use stats::ViewerStats;
pub use tls::{TlsError, TlsIdentity, TlsTrust};
pub use tokens::Tokens;
