//! Tests of films.

mod files;
mod views;
