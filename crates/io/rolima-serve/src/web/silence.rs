//! Runs elsewhere that fall silent.

use super::options::ServerError;
use std::time::{Duration, Instant};

/// For how long a run elsewhere has not answered.
pub struct Silence {
    since: Option<Instant>,
    patience: Duration,
}

impl Silence {
    /// It is given up after so long.
    pub fn new(patience: Duration) -> Self {
        Self { since: None, patience }
    }

    /// What is to be told of its answer, if anything; an error once it is given up.
    pub fn heard(
        &mut self,
        answer: Result<(), ServerError>,
        now: Instant,
    ) -> Result<Option<String>, String> {
        let Err(error) = answer else {
            return Ok(self.since.take().map(|_| "note: the run answers again".to_owned()));
        };
        let is_first = self.since.is_none();
        let since = *self.since.get_or_insert(now);
        let patience_s = self.patience.as_secs_f64();
        if now.saturating_duration_since(since) >= self.patience {
            return Err(format!("{error}; given up after {patience_s} s"));
        }
        Ok(is_first.then(|| format!("note: {error}; it is asked again for {patience_s} s")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_falls_silent_is_told_once_and_given_up_after_the_patience() {
        let gone = || {
            let (address, why) = ("lab:1".to_owned(), "refused".to_owned());
            Err(ServerError::NoRun { address, why })
        };
        let begin = Instant::now();
        let at = |seconds| begin + Duration::from_secs(seconds);
        let mut silence = Silence::new(Duration::from_secs(30));
        assert_eq!(silence.heard(Ok(()), at(0)).unwrap(), None);
        let told = silence.heard(gone(), at(2)).unwrap().unwrap();
        assert_eq!(told, "note: no run answers at lab:1: refused; it is asked again for 30 s");
        assert_eq!(silence.heard(gone(), at(31)).unwrap(), None);
        let told = silence.heard(Ok(()), at(31)).unwrap().unwrap();
        assert_eq!(told, "note: the run answers again");
        // The patience begins anew.
        assert!(silence.heard(gone(), at(33)).unwrap().is_some());
        assert_eq!(silence.heard(gone(), at(62)).unwrap(), None);
        let given_up = silence.heard(gone(), at(63)).unwrap_err();
        assert_eq!(given_up, "no run answers at lab:1: refused; given up after 30 s");
    }
}
