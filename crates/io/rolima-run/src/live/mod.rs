//! A world that runs live: people and programs act on it and look at it while it runs.
//!
//! ```text
//!  sockets, keys ──Arrival──►  loop: wait for an arrival or the next deadline,
//!                              simulate up to that instant, apply, publish ──Moment──► Outlet
//! ```
//!
//! The loop never waits for anybody but the clock (and, in lock step, its controllers): arrivals
//! come through a bounded queue, moments go to outlets that must not block.

mod contract;

pub use contract::{
    Act, Arrival, ContactShown, FRAME_S, Lateness, Moment, Outlet, Request, SceneShown, Status,
    TICK_S, TurnSink,
};
