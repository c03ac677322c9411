//! `rolima view`: the page of a run in another process or on another machine.

use crate::access::trust;
use crate::cli::ViewArguments;
use crate::run::stop_on_signals;
use crate::servers::{Announced, announce};
use anyhow::{Result, anyhow, bail};
use rolima_console::failure::{Usage, tell};
use rolima_serve::shm::page_of;
use rolima_serve::web::{Far, Role};
use rolima_serve::{
    Backend, Relay, Server, ServerError, ServerHandle, StateReader, running_states,
};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often to look whether the run is over.
const LOOK: Duration = Duration::from_millis(200);
/// How often a run elsewhere is asked whether it is there.
const ASK: Duration = Duration::from_secs(2);
/// How long it has to answer that.
const ANSWER: Duration = Duration::from_secs(5);

/// Serves the page of a run until it is over or somebody stops this.
pub(crate) fn view(arguments: &ViewArguments) -> Result<()> {
    let stop = stop_on_signals()?;
    match &arguments.run {
        Some(address) if is_address(address) => relay(arguments, address, &stop),
        run => {
            let (server, reader) = attach(&find(run.as_deref())?, arguments)?;
            while !stop.load(Ordering::Relaxed) && !reader.is_over() {
                std::thread::park_timeout(LOOK);
            }
            if reader.is_over() {
                tell("the run is over");
            }
            drop(server);
            Ok(())
        }
    }
}

/// Shows a run elsewhere, as long as there is one.
fn relay(arguments: &ViewArguments, address: &str, stop: &AtomicBool) -> Result<()> {
    let refuse = |error: ServerError| anyhow!(Usage(error.to_string()));
    let trusted = arguments.tls_ca.as_deref().map(trust).transpose()?;
    let far = Far::new(address, trusted).map_err(refuse)?;
    let most = far.ask(ANSWER).map_err(refuse)?;
    let server = Relay::start(arguments.serve.options()?, far.clone())?;
    let what = &format!("the run at {address}");
    announce(&server, &arguments.serve, true, &Announced { what, most, drives: &[] });
    let mut silence = Silence::new(arguments.patience);
    let mut next = Instant::now() + ASK;
    while !stop.load(Ordering::Relaxed) {
        std::thread::park_timeout(LOOK);
        if Instant::now() < next {
            continue;
        }
        let answer = far.ask(ANSWER).map(drop);
        next = Instant::now() + ASK;
        silence.heard(answer, Instant::now())?.iter().for_each(|line| tell(line));
    }
    drop(server);
    Ok(())
}

/// For how long a run elsewhere has not answered.
struct Silence {
    since: Option<Instant>,
    patience: Duration,
}

impl Silence {
    fn new(patience: Duration) -> Self {
        Self { since: None, patience }
    }

    /// What is to be told of its answer, if anything; an error once it is given up.
    fn heard(&mut self, answer: Result<(), ServerError>, now: Instant) -> Result<Option<String>> {
        let Err(error) = answer else {
            let told = self.since.take().map(|_| "note: the run answers again".to_owned());
            return Ok(told);
        };
        let is_first = self.since.is_none();
        let since = *self.since.get_or_insert(now);
        let patience_s = self.patience.as_secs_f64();
        if now.saturating_duration_since(since) >= self.patience {
            bail!("{error}; given up after {patience_s} s");
        }
        Ok(is_first.then(|| format!("note: {error}; it is asked again for {patience_s} s")))
    }
}

fn attach(path: &Path, arguments: &ViewArguments) -> Result<(ServerHandle, StateReader)> {
    // Whatever is wrong with it, it is no run.
    let reader = StateReader::open(path).map_err(|error| Usage(error.to_string()))?;
    let what = &format!("process {}, to watch", reader.writer_pid());
    let options = arguments.serve.options()?;
    let server = match page(path, arguments)? {
        Some(far) => Relay::start(options, far)?,
        None => Server::start(options, reader.another(), Backend::watch_only())?,
    };
    announce(&server, &arguments.serve, true, &Announced { what, most: Role::Watch, drives: &[] });
    Ok((server, reader))
}

/// The page of a run on this machine, if it serves one: it has more to show than the state block, such
/// as who drives, goals, pictures and what programs leave behind.
fn page(block: &Path, arguments: &ViewArguments) -> Result<Option<Far>> {
    let Some(address) = page_of(block) else { return Ok(None) };
    let trusted = arguments.tls_ca.as_deref().map(trust).transpose()?;
    let found = Far::new(&address, trusted).and_then(|far| {
        far.ask(ANSWER)?;
        Ok(far)
    });
    let less = "shown without who drives, goals, pictures and programs";
    Ok(found.map_err(|error| tell(&format!("note: {less}: {error}"))).ok())
}

/// `HOST:PORT` or an address as `rolima run` prints it, rather than a file or process.
fn is_address(text: &str) -> bool {
    text.contains("://") || (text.contains(':') && !Path::new(text).exists())
}

/// The state block of a run: by file, by process, or the only one there is.
fn find(run: Option<&str>) -> Result<PathBuf> {
    if let Some(file) = run.filter(|run| Path::new(run).exists()) {
        return Ok(file.into());
    }
    let running = running_states()?;
    let listed = || {
        let line = |state: &rolima_serve::shm::RunningState| {
            format!("\n  {}  {}  {}", state.pid, state.scene, state.path.display())
        };
        running.iter().map(line).collect::<String>()
    };
    let found = match run {
        Some(run) => running.iter().find(|state| run.parse() == Ok(state.pid)),
        None if running.len() == 1 => running.first(),
        None => None,
    };
    let why = || match run {
        Some(run) => format!("expected a process, a file or HOST:PORT of a run, got `{run}`"),
        None if running.is_empty() => "no run to view: start one with `rolima run`".to_owned(),
        None => format!("{} runs to choose from by process:{}", running.len(), listed()),
    };
    Ok(found.ok_or_else(|| Usage(why()))?.path.clone())
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
        let given_up = silence.heard(gone(), at(63)).unwrap_err().to_string();
        assert_eq!(given_up, "no run answers at lab:1: refused; given up after 30 s");
    }
}
