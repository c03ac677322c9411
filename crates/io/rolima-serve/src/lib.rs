//! The state block in shared memory, and the web server of a live run.
//!
//! | module | what |
//! |---|---|
//! | [`shm`] | the state block: written by the simulation, read by viewers, nobody waits |

pub mod shm;
