//! A live match for minutes, with viewers that come and go and attacks at a low rate.
//!
//! What is done to it, and the bounds, are in `crates/rolima/tests/soak`: the soak is a test of the
//! program, whose short form is run with all others.

use anyhow::Result;

use crate::command::{cargo, command_line, succeed};
use crate::test::PROFILE;

/// Tells the test how long to go on.
const MINUTES: &str = "ROLIMA_SOAK_MINUTES";

pub(super) fn soak(minutes: u32) -> Result<()> {
    // The whole workspace is named, as a package alone would be built again with other features; no
    // other crate has a test of that name.
    let mut test = cargo(&["test", "--workspace", "--profile", PROFILE, "--test", "tests", "--"]);
    test.args(["--ignored", "--exact", "soak::the_long_soak", "--nocapture"]);
    println!("$ {MINUTES}={minutes} {}", command_line(&test));
    succeed(test.env(MINUTES, minutes.to_string()))
}
