//! The C header, and clients in all languages.
//!
//! One program for all of these, as each program of its own would be compiled and linked anew.

mod clients;
mod header;
