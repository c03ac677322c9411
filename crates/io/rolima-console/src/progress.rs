//! How far something is that takes long: a bar on standard error, where that is a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Times a second that a bar is drawn.
const RATE: u8 = 8;

/// How bars look that know their end, and those that do not.
const BAR: &str = "{bar:40} {human_pos} of {human_len} {msg}, {per_sec}, {eta} left";
const SPINNER: &str = "{spinner} {human_pos} {msg}, {per_sec}";

/// A bar on standard error, removed at its end; nothing where nobody looks at a terminal.
pub struct Progress(ProgressBar);

impl Progress {
    /// A bar for so many things of a kind, such as pictures; without a number one that only moves.
    pub fn new(all: Option<u64>, things: &'static str) -> Self {
        let target = ProgressDrawTarget::stderr_with_hz(RATE);
        let bar = ProgressBar::with_draw_target(all, target);
        let form = match all {
            Some(_) => BAR,
            None => SPINNER,
        };
        // One that cannot be read is drawn as indicatif does.
        if let Ok(style) = ProgressStyle::with_template(form) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_message(things);
        Self(bar)
    }

    /// So many are done.
    pub fn set(&self, done: u64) {
        self.0.set_position(done);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_forms_can_be_read() {
        for all in [Some(10), None] {
            let progress = Progress::new(all, "pictures");
            progress.set(3);
            assert_eq!(progress.0.position(), 3);
        }
        for form in [BAR, SPINNER] {
            assert!(ProgressStyle::with_template(form).is_ok());
        }
    }
}
