//! Scene files, includes, settings, and every error message.
//!
//! One program for all of these, as each program of its own would be compiled and linked anew.

mod actuators;
mod bundle;
mod combinations;
mod common;
mod drawn;
mod driving;
mod errors;
mod field;
mod go_to;
mod ground;
mod includes;
mod keys;
mod ledger;
mod maps;
mod never_panics;
mod on_ground;
mod scenes;
mod set;
mod vehicles;
mod withheld;
mod world_sensors;
