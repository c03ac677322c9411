//! Who sees a run from outside: other processes through shared memory, people on the page, and
//! programs of Robot One.

use crate::access::check_robots;
use crate::cli::{RunArguments, SceneArguments, ServeArguments};
use crate::replay::ReplayArguments;
use crate::robotone;
use anyhow::Result;
use rolima_console::failure::{Usage, tell};
use rolima_core::Model;
use rolima_run::live::history::History;
use rolima_run::live::{Holder, Live, MapSource, SharedSeats, TimedRequest};
use rolima_serve::robotone::ViewHints;
use rolima_serve::web::{Role, SceneListed, SceneLoaded, Sender};
use rolima_serve::{
    Backend, BlockPlace, PageFile, RobotOneServerHandle, Senses, Server, ServerHandle,
    ServerOptions, SharedGoals, SharedProfile, SharedTimeline, StateReader, StateWriter,
};
use std::io::IsTerminal;
use std::path::Path;
use std::sync::Arc;

/// The servers of a run; they end when this is dropped.
pub(crate) struct RunServers {
    server: Option<ServerHandle>,
    robotone: Option<RobotOneServerHandle>,
    seats: SharedSeats,
    handle: Option<RunHandle>,
    /// Tells `rolima view` where the page is.
    _page: Option<PageFile>,
}

/// A look at a run from the same process.
pub(crate) struct RunHandle {
    pub(crate) reader: StateReader,
    pub(crate) seats: SharedSeats,
}

impl RunHandle {
    /// Whether a program of Robot One drives a robot.
    pub(crate) fn has_program(&self) -> bool {
        self.seats.lock().all().any(|held| matches!(held.holder, Holder::Program(_)))
    }
}

impl RunServers {
    pub(crate) fn page(&self) -> Option<&ServerHandle> {
        self.server.as_ref()
    }

    pub(crate) fn robotone(&self) -> Option<&RobotOneServerHandle> {
        self.robotone.as_ref()
    }

    /// Who drives which robot.
    pub(crate) fn seats(&self) -> &SharedSeats {
        &self.seats
    }

    /// A look at the run, once. Whoever has one must read: from the moment at which it was looked at last
    /// it keeps the memory of all scenes.
    pub(crate) fn take_handle(&mut self) -> Option<RunHandle> {
        self.handle.take()
    }
}

/// Starts the servers that are asked for, and says where they are.
pub(crate) fn admit(
    arguments: &RunArguments,
    model: &Arc<Model>,
    live: &mut Live,
    wanted: bool,
    view_hints: ViewHints,
) -> Result<RunServers> {
    let mut servers = start_servers(arguments, model, live, wanted, view_hints)?;
    // Nobody looks here, and one that is not read keeps the memory of every scene that was loaded.
    drop(servers.take_handle());
    if let Some(server) = &servers.server {
        let (what, drives) = (&arguments.scene.name(), &arguments.drive_robots);
        announce(
            server,
            &arguments.serve,
            wanted,
            &Announced { what, most: Role::Control, drives },
        );
    }
    if let Some(robotone) = &servers.robotone {
        robotone::announce(robotone, &arguments.robotone);
    }
    Ok(servers)
}

/// Starts the servers that are asked for: the state block, the page if it is `wanted` or an address
/// to listen at is given, and Robot One beside the page or where it is asked for.
pub(crate) fn start_servers(
    arguments: &RunArguments,
    model: &Arc<Model>,
    live: &mut Live,
    wanted: bool,
    view_hints: ViewHints,
) -> Result<RunServers> {
    // Controllers in lock step have no other way in.
    let controlled = arguments.live.lock_step.is_some();
    let serves = wanted || controlled || arguments.serve.listen.is_some();
    let programs = robotone::wanted(&arguments.robotone, serves);
    let shares = !arguments.live.no_share;
    let block = state_block(&arguments.scene.name(), model, shares, serves)?;
    let reader = block.as_ref().map(StateWriter::reader);
    let file = block.as_ref().and_then(StateWriter::path).map(Path::to_owned);
    block.into_iter().for_each(|block| live.add_sink(Box::new(block)));
    let seats = SharedSeats::default();
    if !serves && !programs {
        return Ok(RunServers { server: None, robotone: None, seats, handle: None, _page: None });
    }
    let (senses, sink) = Senses::new()?;
    live.add_sink(Box::new(sink));
    let (goals, sink) = SharedGoals::new();
    live.add_sink(Box::new(sink));
    let (profile, sink) = SharedProfile::new();
    live.add_sink(Box::new(sink));
    let (timeline, sink) = SharedTimeline::new();
    live.add_sink(Box::new(sink));
    let for_programs = arguments.robotone.for_programs(model)?;
    let robotone = if programs {
        let told = (seats.clone(), view_hints.clone(), for_programs.clone());
        Some(robotone::start(arguments, model, live, senses.clone(), told)?)
    } else {
        None
    };
    let senses = Some(senses);
    let backend = backend(&arguments.scene, model, live);
    let handle = reader.as_ref().map(|r| RunHandle { reader: r.another(), seats: seats.clone() });
    let (goals, profile) = (Some(goals), Some(profile));
    let for_programs = robotone.is_some().then_some(for_programs);
    let seated = seats.clone();
    let backend =
        Backend { senses, goals, profile, seats: seated, for_programs, view_hints, ..backend };
    let backend = Backend {
        timeline: Some(timeline),
        recordings: Some(arguments.live.keep.folder()),
        recorded: arguments.record.record.as_ref().map(|file| file.display().to_string()),
        ..backend
    };
    let server = match reader.filter(|_| serves) {
        Some(reader) => Some(Server::start(options(arguments, model)?, reader, backend)?),
        None => None,
    };
    let _page = file.zip(server.as_ref()).and_then(|(file, server)| tell_others(&file, server));
    Ok(RunServers { server, robotone, seats, handle, _page })
}

/// Tells other processes of this user where the page is, to watch.
fn tell_others(block: &Path, server: &ServerHandle) -> Option<PageFile> {
    let url = server.url_to(Role::Watch);
    let sign = if url.contains('?') { '&' } else { '?' };
    // Without tokens everybody may do everything who does not ask for less.
    let made = PageFile::create(block, &format!("{url}{sign}role={}", Role::Watch.name()));
    made.map_err(|error| tell(&format!("note: `rolima view` shows less of this run: {error}"))).ok()
}

/// What the server of a run is told by the command line.
fn options(arguments: &RunArguments, model: &Model) -> Result<ServerOptions> {
    let names = &arguments.drive_robots;
    check_robots("--drive-robots", names, model)?;
    if !names.is_empty() && !arguments.serve.needs_token() {
        let why = "--drive-robots is for addresses with tokens: with --listen for other machines, or \
                   with --tokens; else everybody may do everything";
        return Err(Usage(why.to_owned()).into());
    }
    let drive_robots = Some(names.clone()).filter(|names| !names.is_empty());
    Ok(ServerOptions { drive_robots, ..arguments.serve.options()? })
}

/// What is said of a page.
pub(crate) struct Announced<'a> {
    /// What it shows.
    pub(crate) what: &'a str,
    /// The most that anybody may do there.
    pub(crate) most: Role,
    /// The robots that the role drive may drive; none: all.
    pub(crate) drives: &'a [String],
}

impl Announced<'_> {
    /// What a role may do.
    fn deeds(&self, role: Role) -> String {
        match role {
            Role::Watch => "sees everything".to_owned(),
            Role::Drive if self.drives.is_empty() => "drives robots and sends them, too".to_owned(),
            Role::Drive => format!("drives and sends {}, too", self.drives.join(", ")),
            Role::Control => "does everything: resets, loads, pushes, pauses".to_owned(),
        }
    }
}

/// Says where the page is, and opens it for a person who sits in front of this machine.
pub(crate) fn announce(
    server: &ServerHandle,
    arguments: &ServeArguments,
    page: bool,
    told: &Announced<'_>,
) {
    if let Some(taken) = server.was_taken() {
        tell(&format!("note: port {} is taken", taken.port()));
    }
    let own = server.url_to(told.most);
    tell(&format!("{}: {own} (Ctrl-C ends it)", told.what));
    let url = |role| server.url_for_others(role).unwrap_or_else(|| server.url_to(role));
    if server.tokens().is_some() {
        for role in Role::ALL.into_iter().filter(|role| *role <= told.most) {
            tell(&format!("{}: {} {}", role.name(), url(role), told.deeds(role)));
        }
    } else if url(told.most) != own {
        tell(&format!("from other machines: {}", url(told.most)));
    }
    if arguments.open && !server.address().ip().is_loopback() {
        tell("note: --open: everybody who reaches this address can do everything, without a token");
    }
    if !server.has_page() {
        tell("note: built without the page; `cargo xtask run` builds it where Node is installed");
    }
    if page && !arguments.no_browser && std::io::stdout().is_terminal() && has_screen() {
        // Somebody without a browser has the address.
        let _ = open::that_detached(own);
    }
}

/// Whether a browser would find a screen.
fn has_screen() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

/// The state block of a run; none if nobody would look at it.
fn state_block(
    name: &str,
    model: &Arc<Model>,
    shares: bool,
    serves: bool,
) -> Result<Option<StateWriter>> {
    if shares {
        match StateWriter::create(BlockPlace::Runtime, name, model) {
            Ok(block) => return Ok(Some(block)),
            Err(error) => tell(&format!("note: other processes cannot see this run: {error}")),
        }
    }
    if !serves {
        return Ok(None);
    }
    Ok(Some(StateWriter::create(BlockPlace::Anonymous, name, model)?))
}

/// What stands behind the page: the built-in scenes, the one that runs, and the way to the loop.
fn backend(arguments: &SceneArguments, model: &Model, live: &Live) -> Backend {
    let world = arguments.world();
    Backend {
        send: Some(sender(live)),
        scenes: world.offered(model),
        load: world.loader(),
        load_map: world.map_loader(),
        ..Backend::watch_only()
    }
}

/// Another run beside the one that is shown, and what it is called.
pub(crate) type NamedHistory = (String, Arc<dyn History>);

/// The way to the loop.
fn sender(live: &Live) -> Sender {
    let mailbox = live.mailbox();
    Arc::new(move |TimedRequest { at, request }| mailbox.send_at(at, request))
}

/// Serves the page of a replay, where viewers have the time in their hands and nothing else, and says
/// where it is.
pub(crate) fn show_replay(
    arguments: &ReplayArguments,
    (name, model, map): (&str, &Arc<Model>, Option<Arc<MapSource>>),
    live: &mut Live,
    (view_hints, ghosts): (ViewHints, Vec<NamedHistory>),
) -> Result<RunServers> {
    let block = match state_block(name, model, true, true)? {
        Some(block) => block,
        None => StateWriter::create(BlockPlace::Anonymous, name, model)?,
    };
    let (reader, file) = (block.reader(), block.path().map(Path::to_owned));
    live.add_sink(Box::new(block));
    let (senses, sink) = Senses::new()?;
    live.add_sink(Box::new(sink));
    let (goals, sink) = SharedGoals::new();
    live.add_sink(Box::new(sink));
    let (timeline, sink) = SharedTimeline::new();
    live.add_sink(Box::new(sink));
    let listed = SceneListed { name: name.to_owned(), title: model.spec.title.clone() };
    let loaded = SceneLoaded { model: model.clone(), map, notes: vec![], source: None };
    let log = arguments.log.display().to_string();
    let (what, seats) = (format!("replay of {log}"), SharedSeats::default());
    let backend = Backend {
        scenes: vec![listed],
        load: Arc::new(move |_: &str| Ok(loaded.clone())),
        send: Some(sender(live)),
        replay_of: Some(log),
        senses: Some(senses),
        goals: Some(goals),
        seats: seats.clone(),
        view_hints,
        timeline: Some(timeline),
        recordings: Some(arguments.keep.folder()),
        ghosts,
        ..Backend::watch_only()
    };
    let server = Server::start(arguments.serve.options()?, reader, backend)?;
    let page = !arguments.headless && !arguments.json;
    let told = Announced { what: &what, most: Role::Control, drives: &[] };
    announce(&server, &arguments.serve, page, &told);
    let _page = file.and_then(|file| tell_others(&file, &server));
    Ok(RunServers { server: Some(server), robotone: None, seats, handle: None, _page })
}
