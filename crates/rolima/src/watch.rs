//! `rolima view`: the page of a run in another process or on another machine.

use crate::access::trust;
use crate::cli::ViewArguments;
use crate::run::stop_on_signals;
use crate::servers::{Announced, announce};
use anyhow::{Result, anyhow};
use rolima_console::failure::{Usage, tell};
use rolima_serve::shm::{FindError, find_state, page_of};
use rolima_serve::web::{Far, Role, Silence};
use rolima_serve::{Backend, Relay, Server, ServerError, ServerHandle, StateReader};
use std::path::Path;
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
            let (server, reader) = attach(&find_state(run.as_deref()).map_err(no_run)?, arguments)?;
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
        silence
            .heard(answer, Instant::now())
            .map_err(|why| anyhow!(why))?
            .iter()
            .for_each(|line| tell(line));
    }
    drop(server);
    Ok(())
}

/// No run of that name is a matter of usage.
fn no_run(error: FindError) -> anyhow::Error {
    match error {
        FindError::No(why) => Usage(why).into(),
        FindError::State(error) => error.into(),
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
