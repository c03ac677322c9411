//! The functions of the released library: one connection a process, in the release's dialect.
//!
//! What fails gives 0. Unlike the released library, this one may be used by several threads (one
//! call at a time goes out), takes names of hosts and ports, and does not end the program when the
//! other side goes away.
//!
//! | module | what |
//! |---|---|
//! | `only` | the one connection, and the data of its last reply |
//! | `plain` | connecting, waiting, numbers and data by name |
//! | `senses` | lidar and camera |
//! | `values` | poses, velocities, errors, switches |

mod only;
mod plain;
mod senses;
mod values;
