//! What programs of the command line share.
//!
//! | module | what |
//! |---|---|
//! | [`failure`] | errors, and the exit code of each |
//! | [`numbers`] | numbers on the command line: what is expected of each |
//! | [`progress`] | how far something is that takes long |
//! | [`score`] | goals by team, for people |
//! | [`text`] | numbers and columns for people |

pub mod failure;
pub mod numbers;
pub mod progress;
pub mod score;
pub mod text;
