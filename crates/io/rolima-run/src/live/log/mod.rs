//! Logs of what was done to a live run, and their replay to the same bits.
//!
//! A log is text, one JSON object a line. The first says of which scene it is, and after it stand all
//! files of the scene by content; the last says how the run ended. Between them stands what was done,
//! each with the number of steps that the run had done before it, counted over the whole run, resets and
//! other scenes included, and the hash of the state every [`HASH_EVERY`] steps:
//!
//! ```json
//! {"rolima_log":3,"rolima":"0.1.0","scene":"soccer","seed":1,"step_s":0.001,"model":"8d0c…","root":{"file":"built-in:soccer.toml"},"set":["driver=chaser"],"files":["built-in:soccer.toml"]}
//! {"step":0,"do":"file","name":"built-in:soccer.toml","text":"title = …"}
//! {"step":412,"do":"command","robot":3,"right":4.5,"left":-1.25}
//! {"step":900,"do":"reset"}
//! {"step":1000,"do":"hash","state_hash":"11c2…"}
//! {"step":1950,"do":"file","name":"given-map","text":"W 0 0 0 4\nR 1 1\n"}
//! {"step":1950,"do":"load","scene":"maze.png","model":"77aa…","root":{"map":{"folder":null}},"files":["given-map","map"]}
//! {"step":2000,"do":"end","state_hash":"5f1e…","lost":0}
//! ```
//!
//! A scene's files stand before its `load`, unless the scene before had the same. Texts are written as
//! texts, other files in base64; all of a scene are at most [`MOST_BUNDLE_BYTES`].
//!
//! A run that goes on from a saved one begins with `restore`: the simulation (`rolima_agents`) in
//! base64.
//!
//! Robots, bodies and sensors go by their numbers in the scene. Numbers are written so that they read
//! back to the same bits; those that are not finite (a command may be refused for that, which counts) as
//! `"nan"`, `"inf"` and `"-inf"`.
//!
//! | module | what |
//! |---|---|
//! | `line`, `value` | one line as text and back |
//! | `lines` | the lines in memory, for recordings |
//! | `bundled` | the files of scenes |
//! | `write` | writing beside the loop, hardly ever delaying it |
//! | `read` | reading, with errors that name file and line |
//! | `replay` | doing it again |
//! | `saved` | a run as it is: a log whose first entry is `restore`, and nothing after it |

mod bundled;
mod line;
#[cfg(test)]
mod line_tests;
mod lines;
mod read;
mod replay;
mod saved;
mod value;
mod write;

pub use bundled::MOST_BUNDLE_BYTES;
pub use line::{Entry, FORMAT, HASH_EVERY, Header, LoggedEnd};
pub use lines::LogLines;
pub use read::{LogError, LogInput, LogLine, LogReader, MOST_LINE_BYTES, is_log};
pub(crate) use replay::Due;
pub use replay::{Difference, Replay, ReplayStart, Replayed, fuzz_entry, replay};
pub use rolima_scene::{Bundle, NOT_REGULAR, open_regular};
pub use saved::{SavedRun, open_saved, save_run};
pub use write::{LogAlarm, LogBroken, LogSummary, LogWriter};
