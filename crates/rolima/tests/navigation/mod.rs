//! `rolima plan` and `rolima reproduce` on the command line.

mod pictures;
mod plans;
mod refusals;
mod report;
