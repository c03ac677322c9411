//! Lines for the log, so many of a connection and no more.

use super::options::RobotOneLog;

/// What is told of one connection.
pub(super) struct LimitedLog {
    log: RobotOneLog,
    who: String,
    left: u64,
    untold: u64,
}

impl LimitedLog {
    pub(super) fn new(log: RobotOneLog, who: String, lines: u64) -> Self {
        Self { log, who, left: lines, untold: 0 }
    }

    /// Tells a line, unless there were too many.
    pub(super) fn tell(&mut self, what: &dyn std::fmt::Display) {
        if self.left == 0 {
            self.untold += 1;
            return;
        }
        self.left -= 1;
        let more = if self.left == 0 { " (further ones are only counted)" } else { "" };
        (self.log)(&format!("Robot One, {}: {what}{more}", self.who));
    }
}

impl Drop for LimitedLog {
    fn drop(&mut self) {
        if self.untold > 0 {
            (self.log)(&format!("Robot One, {}: {} lines more", self.who, self.untold));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    #[test]
    fn a_flood_becomes_a_count() {
        let lines = Arc::new(Mutex::new(vec![]));
        let kept = Arc::clone(&lines);
        let log: RobotOneLog = Arc::new(move |line| kept.lock().unwrap().push(line.to_owned()));
        let mut limited_log = LimitedLog::new(log, "client 1".to_owned(), 2);
        (0..1000).for_each(|index| limited_log.tell(&index));
        drop(limited_log);
        let expected = [
            "Robot One, client 1: 0",
            "Robot One, client 1: 1 (further ones are only counted)",
            "Robot One, client 1: 998 lines more",
        ];
        assert_eq!(*lines.lock().unwrap(), expected);
    }
}
