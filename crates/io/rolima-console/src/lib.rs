//! What programs of the command line share.
//!
//! | module | what |
//! |---|---|
//! | [`channels`] | channels that are asked for by their names |
//! | [`contents`] | what is in a scene and what a robot is, in a few lines |
//! | [`failure`] | errors, and the exit code of each |
//! | [`files`] | files that are written: new ones, old ones by `--force` only |
//! | [`numbers`] | numbers on the command line: what is expected of each |
//! | [`progress`] | how far something is that takes long |
//! | [`score`] | goals by team, for people |
//! | [`summary`] | what a run prints when it ends |
//! | [`text`] | numbers and columns for people |

pub mod channels;
pub mod contents;
pub mod failure;
pub mod files;
pub mod numbers;
pub mod progress;
pub mod score;
pub mod summary;
pub mod text;
