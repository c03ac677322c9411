//! A real live run with a server.

use super::live::{options, read_map};
use super::model;
use rolima_core::model::Model;
use rolima_record::RecordingsFolder;
use rolima_run::live::{Live, Setup, Sink, TimedRequest};
use rolima_serve::web::{SceneListed, SceneLoaded};
use rolima_serve::{
    Backend, BlockPlace, Senses, Server, ServerHandle, ServerLimits, ServerOptions, SharedProfile,
    SharedTimeline, StateWriter,
};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// A live run of a scene with a server.
pub struct Running {
    pub model: Arc<Model>,
    pub senses: Senses,
    server: Option<ServerHandle>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    pub fn start(scene: &str) -> Self {
        Self::with(Setup::new(scene, model(scene)), options(), BlockPlace::Anonymous, vec![])
    }

    /// In lock step, as fast as possible, with so many controllers. Viewers that drive are silent
    /// after 10 ms already.
    pub fn in_lock_step(scene: &str, controllers: u32) -> Self {
        Self::in_lock_step_with_seed(scene, controllers, model(scene).spec.sim.seed)
    }

    /// The same with another seed.
    pub fn in_lock_step_with_seed(scene: &str, controllers: u32, seed: u64) -> Self {
        let (lock_step, speed) = (Some(controllers), rolima_run::Speed::Max);
        let limits =
            ServerLimits { drive_silence: Duration::from_millis(10), ..ServerLimits::default() };
        let setup = Setup { seed, lock_step, speed, ..Setup::new(scene, model(scene)) };
        let options = ServerOptions { limits, ..options() };
        Self::with(setup, options, BlockPlace::Anonymous, vec![])
    }

    /// A run of this kind.
    pub fn of(setup: Setup) -> Self {
        Self::with(setup, options(), BlockPlace::Anonymous, vec![])
    }

    /// The same, which viewers may record into a folder.
    pub fn recording_into(setup: Setup, folder: &Path) -> Self {
        let folder = Some(Arc::new(RecordingsFolder::new(folder)));
        Self::with_folder(setup, options(), BlockPlace::Anonymous, vec![], folder)
    }

    /// With a block at this place, and shown to others as well.
    pub fn shown_to(scene: &str, place: BlockPlace, others: Vec<Box<dyn Sink>>) -> Self {
        Self::with(Setup::new(scene, model(scene)), options(), place, others)
    }

    fn with(
        setup: Setup,
        options: ServerOptions,
        place: BlockPlace,
        others: Vec<Box<dyn Sink>>,
    ) -> Self {
        Self::with_folder(setup, options, place, others, None)
    }

    fn with_folder(
        setup: Setup,
        options: ServerOptions,
        place: BlockPlace,
        others: Vec<Box<dyn Sink>>,
        recordings: Option<Arc<RecordingsFolder>>,
    ) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let (model, name) = (setup.model.clone(), setup.name.clone());
        let mut live = Live::new(Setup { stop: stop.clone(), ..setup });
        let writer = StateWriter::create(place, &name, &model).expect("started");
        let reader = writer.reader();
        live.add_sink(Box::new(writer));
        let (senses, sink) = Senses::new().expect("started");
        live.add_sink(Box::new(sink));
        let (profile, sink) = SharedProfile::new();
        live.add_sink(Box::new(sink));
        let (timeline, sink) = SharedTimeline::new();
        live.add_sink(Box::new(sink));
        others.into_iter().for_each(|sink| live.add_sink(sink));
        let mailbox = live.mailbox();
        let listed = |name: &str| SceneListed { name: name.to_owned(), title: String::new() };
        let backend = Backend {
            scenes: ["soccer", "maze"].map(listed).to_vec(),
            load: Arc::new(|name: &str| {
                Ok(SceneLoaded {
                    model: super::model(name),
                    map: None,
                    notes: vec![],
                    source: None,
                })
            }),
            load_map: Arc::new(read_map),
            send: Some(Arc::new(move |timed_request: TimedRequest| {
                mailbox.send_at(timed_request.at, timed_request.request)
            })),
            senses: Some(senses.clone()),
            profile: Some(profile),
            timeline: Some(timeline),
            recordings,
            ..Backend::watch_only()
        };
        let server = Some(Server::start(options, reader, backend).expect("started"));
        let thread = Some(std::thread::spawn(move || drop(live.run())));
        Self { model, senses, server, stop, thread }
    }

    pub fn address(&self) -> SocketAddr {
        self.server.as_ref().expect("it serves").address()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        drop(self.server.take());
        let _ = self.thread.take().map(JoinHandle::join);
    }
}
