//! `rolima view`: the page of a run in another process or on another machine.

use crate::cli::ViewArguments;
use crate::failure::{Usage, tell};
use crate::guests::{announce, options};
use crate::run::stop_on_signals;
use anyhow::Result;
use rolima_serve::{Backend, Relay, Server, ServerHandle, StateReader, running_states};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How often to look whether the run is over.
const LOOK: Duration = Duration::from_millis(200);

/// Serves the page of a run until it is over or somebody stops this.
pub(crate) fn view(arguments: &ViewArguments) -> Result<()> {
    let stop = stop_on_signals()?;
    let (server, reader) = match &arguments.run {
        Some(address) if is_address(address) => {
            let server = Relay::start(options(&arguments.serve), address)?;
            announce(&server, &arguments.serve, true, &format!("the run at {address}"));
            (server, None)
        }
        run => {
            let path = find(run.as_deref())?;
            let (server, reader) = attach(&path, arguments)?;
            (server, Some(reader))
        }
    };
    let is_over = || reader.as_ref().is_some_and(StateReader::is_over);
    while !stop.load(Ordering::Relaxed) && !is_over() {
        std::thread::park_timeout(LOOK);
    }
    if is_over() {
        tell("the run is over");
    }
    drop(server);
    Ok(())
}

fn attach(path: &Path, arguments: &ViewArguments) -> Result<(ServerHandle, StateReader)> {
    let reader = StateReader::open(path)?;
    let what = format!("process {}, to watch", reader.writer_pid());
    let server = Server::start(options(&arguments.serve), reader.another(), Backend::watch_only())?;
    announce(&server, &arguments.serve, true, &what);
    Ok((server, reader))
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
