//! Sensors and rays against closed forms and statistics.
//!
//! One program for all of these, as each program of its own would be compiled and linked anew.
//! Apart: `golden` (goldens, which are also built for debug).

mod rays;
mod sensors;
mod statistics;
