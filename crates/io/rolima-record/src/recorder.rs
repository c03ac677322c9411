//! Recording a run beside it: what it shows goes to a thread of its own, which writes.

use crate::error::RecordError;
use crate::item::{Item, SampleItem, SceneItem, Shot};
use crate::options::Options;
use crate::output::Output;
use crate::pb::rolima;
use crate::queue::Queue;
use crate::recording::nanoseconds;
use rolima_agents::PublishedGoal;
use rolima_core::events::LOG_CAPACITY;
use rolima_core::model::{Model, SensorKind};
use rolima_core::{Channel, Event, Frame, GoalReport, Happened, Instant, Schema};
use rolima_render::Grain;
use rolima_run::live::log::{Entry, Header, LogLines, LoggedEnd};
use rolima_run::live::{
    RecordBroken, RecordNews, RecordSummary, Recorder, Session, event_in_words,
};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::{Builder, JoinHandle};

/// Frames of bodies are told so often, 1/s, at most: viewers interpolate between them.
const TRANSFORMS_HZ: f64 = 20.0;
/// Items that go over at once where the run waits for them.
const TOGETHER_BYTES: usize = 256 << 10;

/// Told at once if the recording breaks off, on the thread that writes, and the first time that something
/// finds no room, on the run's thread. Must not block.
pub type RecordAlarm = Arc<dyn Fn(RecordNews) + Send + Sync>;

/// Records a run into a file; see [`Recorder`].
///
/// A run that keeps to the clock never waits: what finds no room in a bounded queue is left out and
/// counted. A run that goes as fast as possible waits for the disk. The bytes of the file follow from the
/// run alone: from its scene, its seed and its actions.
pub struct FileRecorder {
    queue: Arc<Queue>,
    /// Who writes: a thread of its own, or whoever records.
    thread: Option<JoinHandle<Result<Written, String>>>,
    here: Option<WrittenHere>,
    file: String,
    options: Options,
    lines: LogLines,
    /// Items that are still here.
    together: (Vec<Item>, usize),
    spare: Vec<Vec<f64>>,
    scene: Watched,
    scenes: u32,
    /// Name and seed of the scene that begins.
    begins: (String, Option<u64>),
    samples: u32,
    alarm: RecordAlarm,
    lost: u64,
    actions_lost: u64,
}

/// A file that is written on the run's thread.
struct WrittenHere {
    output: Output<Box<dyn Write + Send>>,
    /// Why it has broken off.
    broken: Option<String>,
}

/// What came of a file.
struct Written {
    bytes: u64,
    samples: u64,
}

/// The scene that is recorded, and how far.
struct Watched {
    scene: Option<(Arc<Model>, Schema)>,
    /// The channels that are recorded; none: all.
    chosen: Option<Vec<usize>>,
    /// Steps of the run as it began.
    begin_step: u64,
    /// Steps between two samples, and how many there were to be.
    every: f64,
    due: u64,
    /// The step that was seen last, unless something was done since.
    seen: Option<u64>,
    /// The step at which the state was hashed last, and its hash, unless something was done since.
    hashed: Option<(u64, u64)>,
    /// Steps at which the simulation is saved, and the frames of bodies are told, next.
    save_at: u64,
    frames_at: u64,
    /// Whether a sensor has messages of its own.
    has_readings: bool,
    /// Events since it was seen last, or since something was done.
    events: usize,
    /// The exposures of cameras that were recorded last, by sensor.
    shots: Vec<(usize, Option<u64>)>,
    frame: Frame,
    goals: Vec<PublishedGoal>,
    reports: Vec<GoalReport>,
    all: Vec<f64>,
}

impl FileRecorder {
    /// Records into a new file; over an old one only if that is `forced` or nothing is in it.
    pub fn create(
        path: &Path,
        header: &Header,
        options: Options,
        forced: bool,
        alarm: RecordAlarm,
    ) -> Result<Self, RecordError> {
        let file = path.display().to_string();
        match rolima_scene::create_file(path, forced) {
            Ok(output) => Self::new(&file, output, header, options, alarm),
            Err(source) => Err(RecordError::File { file, source }),
        }
    }

    /// Records to some output; `file` is its name in errors. Where there are no threads (in WebAssembly), it
    /// is written on the run's.
    pub fn new(
        file: &str,
        output: impl Write + Send + 'static,
        header: &Header,
        options: Options,
        alarm: RecordAlarm,
    ) -> Result<Self, RecordError> {
        let has_threads = !cfg!(target_family = "wasm");
        Self::begin(file, Box::new(output), header, (options, has_threads), alarm)
    }

    fn begin(
        file: &str,
        output: Box<dyn Write + Send>,
        header: &Header,
        (options, has_threads): (Options, bool),
        alarm: RecordAlarm,
    ) -> Result<Self, RecordError> {
        let failed = |source| RecordError::File { file: file.to_owned(), source };
        let output = Output::new(output, options.clone()).map_err(failed)?;
        let queue = Arc::new(Queue::default());
        let (thread, here) = if has_threads {
            let (queue, file, told) = (Arc::clone(&queue), file.to_owned(), Arc::clone(&alarm));
            let thread = Builder::new().name("rolima-record".to_owned());
            let spawned = thread.spawn(move || {
                let written = write(output, &queue);
                if let Err(why) = &written {
                    queue.give_up();
                    told(RecordNews::Broken(RecordBroken { file, why: why.clone() }));
                }
                written
            });
            (Some(spawned.map_err(failed)?), None)
        } else {
            (None, Some(WrittenHere { output, broken: None }))
        };
        let mut recorder = Self {
            queue,
            thread,
            here,
            file: file.to_owned(),
            options,
            lines: LogLines::default(),
            together: (vec![], 0),
            spare: vec![],
            scene: Watched::none(),
            scenes: 0,
            begins: (header.scene.clone(), Some(header.seed)),
            samples: 0,
            alarm,
            lost: 0,
            actions_lost: 0,
        };
        let text = recorder.lines.header(header).map_err(failed)?.to_vec();
        recorder.put_lines(0, &text, true);
        Ok(recorder)
    }

    /// Lines of the log, one item each.
    fn put_lines(&mut self, time_ns: u64, text: &[u8], waits: bool) {
        for line in text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            self.put(Item::Log { time_ns, text: line.to_vec() }, waits);
        }
    }

    /// Sends an item on, at once unless the run waits anyway.
    fn put(&mut self, item: Item, waits: bool) {
        self.together.1 += item.size();
        self.together.0.push(item);
        if !waits || self.together.1 >= TOGETHER_BYTES {
            self.send(waits);
        }
    }

    fn send(&mut self, waits: bool) {
        self.together.1 = 0;
        if self.here.is_some() {
            self.write_here();
            return;
        }
        let refused = self.queue.put(self.together.0.drain(..), waits);
        let first = self.lost == 0 && self.actions_lost == 0;
        // That it has broken off is told by the other thread.
        if first && !refused.is_empty() && !self.queue.is_broken() {
            (self.alarm)(RecordNews::Lost { file: self.file.clone() });
        }
        for refused in refused {
            match refused {
                Item::Log { .. } | Item::Scene(_) => self.actions_lost += 1,
                _ => self.lost += 1,
            }
        }
    }

    /// Writes what is here.
    fn write_here(&mut self) {
        let Some(here) = &mut self.here else { return };
        for item in self.together.0.drain(..) {
            if here.broken.is_none()
                && let Err(why) = here.output.put(&item)
            {
                let (file, why) = (self.file.clone(), why.to_string());
                here.broken = Some(why.clone());
                (self.alarm)(RecordNews::Broken(RecordBroken { file, why }));
            }
            if let Item::Sample(sample) = item {
                self.spare.push(sample.numbers);
            }
        }
    }

    /// The values of the channels, in a list that was used before if there is one.
    fn values(&mut self, session: &Session) -> Vec<f64> {
        if self.spare.is_empty() {
            self.queue.spare(&mut self.spare);
        }
        let mut values = self.spare.pop().unwrap_or_default();
        let Watched { scene, frame, goals, reports, all, chosen, .. } = &mut self.scene;
        let Some((_, schema)) = scene else { return values };
        let world = session.world();
        frame.fill(world.model(), world.state());
        session.publish_goals(goals);
        reports.clear();
        reports.extend(goals.iter().map(PublishedGoal::report));
        let instant = Instant { world, frame, goals: reports };
        match chosen {
            None => schema.read(instant, &mut values),
            Some(chosen) => {
                schema.read(instant, all);
                values.clear();
                values.extend(chosen.iter().map(|&channel| all[channel]));
            }
        }
        values
    }

    fn sample(&mut self, session: &Session, waits: bool) {
        let numbers = self.values(session);
        let done = session.steps_done();
        let Watched { frame, has_readings, frames_at, scene, .. } = &mut self.scene;
        let Some((model, _)) = scene else { return };
        let mut sample = SampleItem {
            scene: self.scenes.saturating_sub(1),
            time_ns: nanoseconds(session.simulated_s()),
            number: self.samples,
            channels: numbers.len(),
            numbers,
            ..SampleItem::default()
        };
        if *has_readings {
            sample.readings = frame.readings.len();
            sample.numbers.extend_from_slice(&frame.readings);
        }
        if done >= *frames_at {
            // States are not recorded at whole parts of a second: half a step is no delay.
            *frames_at = done + (1.0 / TRANSFORMS_HZ / model.step_s).floor().max(1.0) as u64;
            sample.put_poses(frame);
        }
        self.samples = self.samples.saturating_add(1);
        self.put(Item::Sample(sample), waits);
    }

    fn save(&mut self, session: &Session, waits: bool) {
        let done = session.steps_done();
        let Some((model, _)) = &self.scene.scene else { return };
        if self.options.save_s <= 0.0 || done < self.scene.save_at {
            return;
        }
        self.scene.save_at = done + steps_of(self.options.save_s, model.step_s).max(1);
        let saved = rolima::Saved {
            step: done,
            scene: self.scenes.saturating_sub(1),
            state_hash: match self.scene.hashed {
                Some((step, hash)) if step == done => hash,
                _ => session.state_hash(),
            },
            simulation: session.simulation().save(),
        };
        let time_ns = nanoseconds(session.simulated_s());
        self.put(Item::Saved { time_ns, saved }, waits);
    }

    /// Pictures that cameras have taken since.
    fn shoot(&mut self, session: &Session, waits: bool) {
        let (world, mut taken) = (session.world(), vec![]);
        let scene = self.scenes.saturating_sub(1);
        for (device, last) in &mut self.scene.shots {
            let Some(exposure) = world.exposure(*device) else { continue };
            if last.replace(exposure.step) == Some(exposure.step) {
                continue;
            }
            let noise = world.state().senses.camera_noise(*device);
            let grain = noise.map(|n| Grain { sigma: n.sigma, stream: n.stream, number: n.taken });
            let time_ns = time_of(session, exposure.step);
            let exposure = exposure.clone();
            taken.push(Shot { scene, time_ns, device: *device, exposure, grain });
        }
        taken.into_iter().for_each(|shot| self.put(Item::Shot(Box::new(shot)), waits));
    }
}

impl Recorder for FileRecorder {
    fn scene(&mut self, session: &Session, model: &Arc<Model>) {
        let (name, seed) = std::mem::take(&mut self.begins);
        self.scene = Watched::of(session, model, &self.options);
        let Watched { scene, chosen, .. } = &self.scene;
        let all = scene.as_ref().map(|(_, schema)| schema.channels()).unwrap_or_default();
        let channels: Vec<Channel> = match chosen {
            None => all.to_vec(),
            Some(chosen) => chosen.iter().map(|&channel| all[channel].clone()).collect(),
        };
        let item = SceneItem {
            time_ns: nanoseconds(session.simulated_s()),
            number: self.scenes,
            name,
            model: Arc::clone(model),
            seed: seed.unwrap_or_else(|| session.world().state().seed),
            rate_hz: 1.0 / (self.scene.every * model.step_s),
            begin_step: session.steps_done(),
            begin_s: session.simulated_s(),
            first_sample: self.samples,
            channels,
        };
        self.scenes += 1;
        self.put(Item::Scene(Box::new(item)), false);
    }

    fn due(&self) -> u64 {
        self.scene.due
    }

    fn see(&mut self, session: &Session, waits: bool) {
        let done = session.steps_done();
        if self.scene.seen == Some(done) {
            return;
        }
        self.scene.seen = Some(done);
        self.scene.events = 0;
        self.scene.next_after(done);
        self.save(session, waits);
        self.sample(session, waits);
        self.shoot(session, waits);
    }

    fn events(&mut self, session: &Session, waits: bool) {
        let world = session.world();
        for event in world.log().events() {
            // The world keeps no more at a time, which may be any: so the file has the same in all runs.
            if self.scene.events == LOG_CAPACITY {
                self.lost += 1;
                continue;
            }
            self.scene.events += 1;
            let time_ns = time_of(session, event.step);
            self.put(Item::Event { time_ns, event: message_of(world.model(), event) }, waits);
        }
    }

    fn note(&mut self, session: &Session, entry: &Entry, waits: bool) {
        self.scene.events = 0;
        match entry {
            Entry::Hash(hash) => self.scene.hashed = Some((session.steps_done(), *hash)),
            _ => (self.scene.seen, self.scene.hashed) = (None, None),
        }
        if let Entry::Load { scene, .. } = entry {
            self.begins = (scene.clone(), None);
        }
        // Without what is missing, what comes after it would say something else.
        if self.actions_lost > 0 {
            self.actions_lost += u64::from(!matches!(entry, Entry::Hash(_)));
            return;
        }
        match self.lines.entry(session.steps_done(), entry) {
            Ok(text) => {
                let text = text.to_vec();
                self.put_lines(nanoseconds(session.simulated_s()), &text, waits);
            }
            // A scene without its files.
            Err(_) => self.actions_lost += 1,
        }
    }

    fn finish(mut self: Box<Self>, session: &Session) -> Result<RecordSummary, RecordBroken> {
        let end = LoggedEnd {
            steps: session.steps_done(),
            state_hash: session.state_hash(),
            lost: self.actions_lost,
        };
        if let Ok(text) = self.lines.end(&end) {
            let text = text.to_vec();
            self.put_lines(nanoseconds(session.simulated_s()), &text, true);
        }
        self.send(true);
        self.queue.end(self.lost, self.actions_lost);
        let result = match (self.here.take(), self.thread.take().map(JoinHandle::join)) {
            (Some(WrittenHere { broken: Some(why), .. }), _) => Err(why),
            (Some(here), _) => end_file(here.output, Some((self.lost, self.actions_lost))),
            (None, Some(Ok(result))) => result,
            (None, _) => Err("the thread that writes is gone".to_owned()),
        };
        let file = std::mem::take(&mut self.file);
        match result {
            Ok(Written { bytes, samples }) => Ok(RecordSummary {
                bytes,
                samples,
                lost: self.lost,
                actions_lost: self.actions_lost,
            }),
            Err(why) => Err(RecordBroken { file, why }),
        }
    }
}

impl Drop for FileRecorder {
    /// A run that ends without finishing its recording leaves it cut off, after what it has sent.
    fn drop(&mut self) {
        if let Some(here) = self.here.take() {
            // Nobody is left who could be told what is wrong with it.
            let _ = end_file(here.output, None);
        }
        self.queue.close();
    }
}

impl Watched {
    /// Before the first scene.
    fn none() -> Self {
        Self {
            scene: None,
            chosen: None,
            begin_step: 0,
            every: 1.0,
            due: 0,
            seen: None,
            hashed: None,
            save_at: 0,
            frames_at: 0,
            has_readings: false,
            events: 0,
            shots: vec![],
            frame: Frame::default(),
            goals: vec![],
            reports: vec![],
            all: vec![],
        }
    }

    fn of(session: &Session, model: &Arc<Model>, options: &Options) -> Self {
        let schema = Schema::new(model);
        let chosen = options.channels.as_deref().map(|patterns| schema.find(patterns));
        let is_camera = |&device: &usize| {
            options.pictures.is_some()
                && matches!(model.devices[device].kind, SensorKind::Camera(_))
        };
        let cameras = (0..model.devices.len()).filter(is_camera);
        let done = session.steps_done();
        Self {
            has_readings: model.devices.iter().any(|d| crate::foxglove::has_messages(&d.kind)),
            shots: cameras.map(|device| (device, None)).collect(),
            scene: Some((Arc::clone(model), schema)),
            chosen,
            begin_step: done,
            every: (1.0 / (options.rate_hz * model.step_s)).max(1.0),
            due: done,
            save_at: done,
            frames_at: done,
            ..Self::none()
        }
    }

    /// When it is due next, after so many steps of the run.
    fn next_after(&mut self, done: u64) {
        let since = (done - self.begin_step) as f64;
        let mut count = (since / self.every).floor();
        let at = |count: f64| self.begin_step + (count * self.every).round() as u64;
        while at(count) <= done {
            count += 1.0;
        }
        self.due = at(count);
    }
}

/// Writes what comes until there is no more.
fn write<W: Write>(mut output: Output<W>, queue: &Queue) -> Result<Written, String> {
    let mut items = vec![];
    loop {
        queue.take(&mut items);
        if items.is_empty() {
            return end_file(output, queue.ended());
        }
        items.iter().try_for_each(|item| output.put(item)).map_err(|why| why.to_string())?;
        queue.written(&mut items);
    }
}

/// Writes the end of a file. Without one the run is gone: what there is of it is kept.
fn end_file<W: Write>(mut output: Output<W>, lost: Option<(u64, u64)>) -> Result<Written, String> {
    let result = match lost {
        None => output.cut_off(),
        Some((lost, actions_lost)) => output.finish(lost, actions_lost),
    };
    let (samples, counted) = (output.samples(), output.counted());
    result.and_then(|()| output.into_inner()).map_err(|why| why.to_string())?;
    Ok(Written { bytes: counted.load(Ordering::Relaxed), samples })
}

/// The steps that closest take so long.
fn steps_of(seconds: f64, step_s: f64) -> u64 {
    (seconds / step_s).round() as u64
}

/// The time of the run, ns, at which the world had done so many steps.
fn time_of(session: &Session, step: u64) -> u64 {
    let world = session.world();
    let since = world.state().step.saturating_sub(step) as f64 * world.model().step_s;
    nanoseconds((session.simulated_s() - since).max(0.0))
}

/// An event as it is written.
fn message_of(model: &Model, event: &Event) -> rolima::Event {
    let mut message = rolima::Event {
        step: event.step,
        kind: event.kind().name().to_owned(),
        text: event_in_words(model, event),
        ..rolima::Event::default()
    };
    match event.what {
        Happened::Impact { body, other, speed } => {
            message.body = Some(body.0);
            message.other = other.map(|other| other.0);
            message.value = speed;
        }
        Happened::Goal { zone, ball } => {
            (message.zone, message.body) = (Some(zone), Some(ball.0));
        }
        Happened::Refused { robot, why } => {
            message.robot = Some(robot.0);
            message.text = format!("{}: {why}", message.text);
        }
        Happened::Slip { robot } | Happened::RolledOver { robot } | Happened::Righted { robot } => {
            message.robot = Some(robot.0)
        }
        Happened::Quarantine { body } | Happened::LeftTerrain { body } => {
            message.body = Some(body.0);
        }
        Happened::EnergyCap { times } => message.value = f64::from(times),
    }
    message
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::once::run;
    use std::io;
    use std::sync::Mutex;

    #[derive(Clone, Default)]
    struct File(Arc<Mutex<Vec<u8>>>, bool);

    impl Write for File {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let mut file = self.0.lock().expect("nobody panicked");
            // A disk with room for little.
            if self.1 && file.len() > 10_000 {
                return Err(io::Error::other("no room"));
            }
            file.extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn without_threads_the_same_bytes_are_written_and_the_same_is_told() {
        let source = rolima_scene::Source::resolve("soccer").expect("a scene");
        let scene = rolima_scene::load(&source, &[]).expect("a good one");
        let model = Arc::new(scene.compile().expect("a good one"));
        let header = Header::new("soccer", Arc::new(scene.bundle.clone()), &model, 3);
        let recorded = |has_threads: bool, is_full: bool| {
            let (file, news) = (File(Arc::default(), is_full), Arc::new(Mutex::new(vec![])));
            let told = Arc::clone(&news);
            let alarm = Arc::new(move |news| told.lock().expect("nobody panicked").push(news));
            let (output, how) = (Box::new(file.clone()), (Options::default(), has_threads));
            let recorder = FileRecorder::begin("x.mcap", output, &header, how, alarm).expect("one");
            let result = run("soccer", &model, 1.3, recorder);
            let (file, news) = (file.0.lock(), news.lock());
            (result, file.expect("nobody panicked").clone(), news.expect("nobody panicked").clone())
        };
        let (here, beside) = (recorded(false, false), recorded(true, false));
        assert!(here.0.is_ok() && here == beside);
        assert_eq!(here.0.map(|summary| summary.bytes), Ok(here.1.len() as u64));
        let (here, beside) = (recorded(false, true), recorded(true, true));
        assert_eq!((&here.0, &here.2), (&beside.0, &beside.2));
        assert_eq!((here.0.unwrap_err().why.as_str(), here.2.len()), ("no room", 1));
    }
}
