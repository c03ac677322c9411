//! The servers on real sockets, and the state block read by other processes.
//!
//! One program for all of these, as each program of its own would be compiled and linked anew.

mod common;
mod robotone;
mod robotone_live;
mod robotone_world;
mod shared_memory;
mod shared_memory_sealed;
mod shared_memory_spatial;
mod swapped;
mod web_actuators;
mod web_channels;
mod web_control;
mod web_files;
mod web_goals;
mod web_intake;
mod web_lock_step;
mod web_maps;
mod web_roles;
mod web_safety;
mod web_senses;
mod web_timeline;
mod web_tls;
mod web_viewing;
mod who_drives;

#[global_allocator]
static ALLOCATOR: rolima_testing::heap::Counting = rolima_testing::heap::Counting;
