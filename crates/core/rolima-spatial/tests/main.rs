//! Vehicles and bodies on rough ground against closed forms and other integrators.
//!
//! One program for all of these, as each program of its own would be compiled and linked anew.
//! Apart: `golden`, which is also built for debug.

mod ball_places;
mod bodies;
mod bodies_robust;
mod braking;
mod common;
mod crowns;
mod flat;
mod gears;
mod ground_places;
mod heaps;
mod hit_places;
mod hitches;
mod impacts;
mod many_wheels;
mod oracles;
mod robustness;
mod rough_terrain;
mod stronge;
mod vehicle_contacts;

#[global_allocator]
static ALLOCATOR: rolima_testing::heap::Counting = rolima_testing::heap::Counting;
