//! The program itself: outputs, exit codes, live runs with clients and viewers.
//!
//! One program for all of these, as each program of its own would be compiled and linked anew.

#[cfg(unix)]
mod access;
mod camera_link;
mod common;
mod compare;
mod csv;
mod documents;
mod export;
mod film;
mod first_use;
mod interrupted;
mod live;
mod logs;
mod logs_live;
mod map;
mod navigation;
mod picture;
mod quantities;
mod recordings;
mod robotone;
mod run;
mod scenes;
mod soak;
mod soccer_client;
