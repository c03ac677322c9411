//! Logs of what was done to a live run, and their replay to the same bits.
//!
//! A log is text, one JSON object a line. The first says of which scene it is, the last how the
//! run ended; between them stands what was done, each with the number of steps that the run had
//! done before it, counted over the whole run, resets and other scenes included:
//!
//! ```json
//! {"rolima_log":2,"rolima":"0.1.0","scene":"soccer","set":["driver=chaser"],"seed":1,"step_s":0.001,"model":"8d0c…"}
//! {"step":412,"do":"command","robot":3,"right":4.5,"left":-1.25}
//! {"step":900,"do":"reset"}
//! {"step":950,"do":"load","scene":"maze.png","model":"77aa…","map":"W 0 0 0 4\nR 1 1\n"}
//! {"step":2000,"do":"end","state_hash":"5f1e…","lost":0}
//! ```
//!
//! A map that somebody sent stands in the log as its text, as no name finds it.
//!
//! Numbers are written so that they read back to the same bits; those that are not finite (a
//! command may be refused for that, which counts) as `"nan"`, `"inf"` and `"-inf"`.
//!
//! | module | what |
//! |---|---|
//! | `line`, `fields` | one line as text and back |
//! | `write` | writing beside the loop, hardly ever delaying it |
//! | `read` | reading, with errors that name file and line |
//! | `replay` | doing it again |

mod fields;
mod line;
mod read;
mod replay;
mod write;

pub use line::{End, Entry, FORMAT, Header};
pub use read::{Line, LogError, LogReader, MOST_LINE_BYTES};
pub use replay::{Progress, Replay, ReplayLoader, Replayed, fuzz_entry, replay};
pub use write::{LogAlarm, LogBroken, LogSummary, LogWriter};
