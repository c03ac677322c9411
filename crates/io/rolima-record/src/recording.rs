//! A recording that is read: what it says of itself, its scenes, and where in the file what is.

use crate::container::{Chunk, Container};
use crate::error::{RecordError, short};
use crate::input::Input;
use crate::names::{
    EVENT, FORMAT, LOG, METADATA, METADATA_END, METADATA_ORIGIN, PROFILE, SAVED, SCHEMA,
};
use crate::playback::BranchOrigin;
use crate::schema::{RecordedScene, SceneLine};
use crate::walk::Walk;
use prost::Message as _;
use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

/// A recording. Reading it takes the memory of about a second of it at a time.
///
/// Times are those of the run, s: its steps in order, resets and other scenes included; they never go back.
///
/// ```
/// use rolima_record::{Options, Recording, record};
/// # let scene = rolima_scene::load(&rolima_scene::Source::resolve("soccer")?, &[])?;
/// let mut file = vec![];
/// record("soccer", &scene, 0.5, &Options::default(), &mut file)?;
/// let recording = Recording::from_bytes("soccer.mcap", file.into())?;
/// let scene = &recording.scenes()[0];
/// let x = scene.channel("ball.ball.x").expect("it has a ball");
/// let mut samples = recording.samples(0, &[x], [0.1, 0.2])?;
/// while let Some(sample) = samples.next()? {
///     println!("{} s: {} m", sample.time_s, sample.values[0]);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Recording {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) container: Container,
    pub(crate) about: About,
    pub(crate) scenes: Vec<RecordedScene>,
    pub(crate) span_ns: [u64; 2],
}

/// A place in a recording: a chunk, and a message there.
pub(crate) type At = (usize, usize);

/// What a recording says of itself.
#[derive(Clone, Debug, PartialEq)]
pub struct About {
    /// Its name.
    pub file: String,
    /// Version of the format.
    pub format: u32,
    /// Version of the program that wrote it.
    pub rolima: String,
    /// Bytes of the file.
    pub bytes: u64,
    /// Whether it was finished, and is read by its own index.
    pub is_whole: bool,
    /// States, pictures and saved simulations that found no room while it was written; known where it
    /// was finished.
    pub lost: u64,
    /// Actions that found no room: it cannot be verified beyond the first of them.
    pub actions_lost: u64,
    /// Where the run comes from, if it is a branch of a recorded one.
    pub origin: Option<BranchOrigin>,
    /// Whether this very version of the program wrote it; others may simulate otherwise.
    pub same_version: bool,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct RunEvent {
    /// When, s of the run.
    pub time_s: f64,
    /// The step of the world during which it happened.
    pub step: u64,
    /// What, as [`rolima_core::EventKind::name`] has it.
    pub kind: String,
    /// The same for people.
    pub text: String,
    /// The robot that it is about.
    pub robot: Option<u32>,
    /// The body that it is about.
    pub body: Option<u32>,
    /// Another body.
    pub other: Option<u32>,
    /// The zone that it is about.
    pub zone: Option<u32>,
    /// Of an impact how fast the bodies approached, m/s.
    pub value: f64,
}

/// A camera's picture.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedPicture {
    /// When it was taken, s of the run.
    pub time_s: f64,
    /// Which camera's: `robot.NAME.sensor.NAME` or `sensor.NAME`.
    pub sensor: String,
    /// `png` or `jpeg`.
    pub format: String,
    /// The file's bytes.
    pub data: Vec<u8>,
}

/// A whole simulation between two steps.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedState {
    /// When, s of the run.
    pub time_s: f64,
    /// Steps of the run that were done.
    pub step: u64,
    /// Number of its scene.
    pub scene: usize,
    /// Hash of the world's state.
    pub state_hash: u64,
    /// For [`rolima_agents::Simulation::restore`].
    pub bytes: Vec<u8>,
    /// Its chunk, and its place there.
    pub(crate) at: (usize, usize),
}

impl Recording {
    /// Opens a file: one that was finished by its index, another one by going over it.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let file = path.display().to_string();
        match Input::open(path) {
            Ok(input) => Self::of(file, input),
            Err(source) => Err(RecordError::File { file, source }),
        }
    }

    /// The same of bytes in memory; `file` is their name in errors.
    pub fn from_bytes(file: &str, bytes: Arc<[u8]>) -> Result<Self, RecordError> {
        Self::of(file.to_owned(), Input::Memory(bytes))
    }

    /// Whether a file begins as recordings do.
    pub fn is_recording(path: &Path) -> bool {
        let mut head = [0; mcap::MAGIC.len()];
        let read = rolima_scene::open_regular(path).and_then(|mut file| file.read_exact(&mut head));
        read.is_ok() && head == mcap::MAGIC
    }

    fn of(file: String, input: Input) -> Result<Self, RecordError> {
        let container = Container::open(file, input)?;
        let about = about(&container)?;
        let scenes = scenes(&container)?;
        // One that was begun in the middle of a run has the scene before that, at no time.
        let begin = nanoseconds(scenes[0].begin_s);
        let end = container.chunks.iter().map(|chunk| chunk.end_ns).max().unwrap_or(0);
        let mut inner = Inner { container, about, scenes, span_ns: [begin, end] };
        let ends = inner.scenes.iter().skip(1).map(|scene| scene.begin_s);
        let ends: Vec<f64> = ends.chain([seconds(end)]).collect();
        inner.scenes.iter_mut().zip(ends).for_each(|(scene, end_s)| scene.end_s = end_s);
        Ok(Self { inner: Arc::new(inner) })
    }

    /// What it says of itself.
    pub fn about(&self) -> &About {
        &self.inner.about
    }

    /// Its scenes, one at least, in the order in which they ran.
    pub fn scenes(&self) -> &[RecordedScene] {
        &self.inner.scenes
    }

    /// The first and the last time in it, s of the run.
    pub fn span_s(&self) -> [f64; 2] {
        self.inner.span_ns.map(seconds)
    }

    /// Where and why it breaks off, if it was not finished. What is before that reads.
    pub fn damage(&self) -> Option<&RecordError> {
        self.inner.container.damage.as_ref()
    }

    /// What happened in a span of time, its ends included.
    pub fn events(&self, span_s: [f64; 2]) -> EventIter {
        EventIter { walk: self.walk(EVENT, span_s) }
    }

    /// Pictures that were taken in a span of time, its ends included.
    pub fn pictures(&self, span_s: [f64; 2]) -> PictureIter {
        let topics = &self.inner.container.topics;
        let of_images = topics.iter().filter(|(_, topic)| topic.ends_with("/image"));
        let channels = of_images.map(|(id, _)| *id).collect();
        PictureIter { walk: Walk::new(self.inner.clone(), channels, span_s.map(nanoseconds)) }
    }

    /// The newest saved simulation at this time or before it.
    pub fn saved_before(&self, at_s: f64) -> Result<Option<SavedState>, RecordError> {
        let at_ns = nanoseconds(at_s);
        let Inner { container, .. } = &*self.inner;
        let channels = container.channels_of(SAVED);
        let has = |chunk: &crate::container::ChunkAt| {
            chunk.begin_ns <= at_ns && channels.iter().any(|c| chunk.channels.contains(c))
        };
        let mut content = Chunk::default();
        for (number, chunk) in container.chunks.iter().enumerate().rev().filter(|(_, c)| has(c)) {
            content.read(container, chunk)?;
            let fits = |message: &crate::container::MessageAt<'_>| {
                channels.contains(&message.channel) && message.time_ns <= at_ns
            };
            let Some(message) = content.messages().filter(fits).last() else { continue };
            let wrong = |got: String| container.at(chunk.offset, "a saved simulation", got);
            let saved = crate::pb::rolima::Saved::decode(message.data)
                .map_err(|why| wrong(why.to_string()))?;
            let scene = saved.scene as usize;
            if scene >= self.inner.scenes.len() {
                return Err(wrong(format!("one of scene {scene}, which the file does not have")));
            }
            return Ok(Some(SavedState {
                time_s: seconds(message.time_ns),
                step: saved.step,
                scene,
                state_hash: saved.state_hash,
                bytes: saved.simulation,
                at: (number, message.place),
            }));
        }
        Ok(None)
    }

    /// The step of the first simulation of a scene that was saved after this place of the file, and its
    /// place.
    pub(crate) fn saved_after(
        &self,
        after: Option<At>,
        scene: usize,
    ) -> Result<Option<(u64, At)>, RecordError> {
        let mut walk = self.walk(SAVED, [0.0, f64::INFINITY]);
        if let Some(after) = after {
            walk = walk.after(after);
        }
        while let Some((number, message)) = walk.peek()? {
            let place = (number, message.place);
            let saved = crate::pb::rolima::Saved::decode(message.data);
            let Ok(saved) = saved else {
                return Err(walk.wrong("a saved simulation", "something else".to_owned()));
            };
            if saved.scene as usize >= scene {
                return Ok((saved.scene as usize == scene).then_some((saved.step, place)));
            }
            walk.skip();
        }
        Ok(None)
    }

    /// The messages of a topic.
    pub(crate) fn walk(&self, topic: &str, span_s: [f64; 2]) -> Walk {
        let channels = self.inner.container.channels_of(topic);
        Walk::new(self.inner.clone(), channels, span_s.map(nanoseconds))
    }

    /// The lines of its log.
    pub(crate) fn lines(&self) -> Walk {
        Walk::new(self.inner.clone(), self.inner.container.channels_of(LOG), [0, u64::MAX])
    }
}

impl Container {
    /// The numbers of MCAP's channels of a topic.
    pub(crate) fn channels_of(&self, topic: &str) -> Vec<u16> {
        let of = self.topics.iter().filter(|(_, known)| *known == topic);
        of.map(|(id, _)| *id).collect()
    }
}

/// What a file says of itself, if it is a recording of a format that is known.
fn about(container: &Container) -> Result<About, RecordError> {
    let not = |expected: &str, got: String| {
        let (file, expected) = (container.file.clone(), expected.to_owned());
        RecordError::Not { file, expected, got }
    };
    if container.profile != PROFILE {
        let by = short(&container.library);
        return Err(not("a recording by rolima", format!("an MCAP file by \"{by}\"")));
    }
    let Some(told) = container.metadata.get(METADATA) else {
        return Err(not("what a recording says of itself", "nothing: it breaks off".to_owned()));
    };
    let text = |key: &str| told.get(key).map(String::as_str).unwrap_or_default();
    let (format, rolima) = (text("format"), text("rolima").to_owned());
    if format != FORMAT.to_string() {
        let got = format!("format \"{}\", written by rolima {}", short(format), short(&rolima));
        return Err(not(&format!("a recording of format {FORMAT}"), got));
    }
    let end = container.metadata.get(METADATA_END);
    let count = |key: &str| end.and_then(|end| end.get(key)?.parse().ok()).unwrap_or(0);
    Ok(About {
        file: container.file.clone(),
        format: FORMAT,
        same_version: rolima == env!("CARGO_PKG_VERSION"),
        rolima,
        bytes: container.input.len(),
        is_whole: container.damage.is_none() && end.is_some(),
        lost: count("lost"),
        actions_lost: count("actions_lost"),
        origin: container.metadata.get(METADATA_ORIGIN).and_then(origin),
    })
}

/// Where a run comes from, if what the file says of it makes sense.
fn origin(told: &BTreeMap<String, String>) -> Option<BranchOrigin> {
    Some(BranchOrigin {
        file: told.get("file")?.clone(),
        time_s: told.get("time_s")?.parse().ok()?,
        step: told.get("step")?.parse().ok()?,
        state_hash: u64::from_str_radix(told.get("state_hash")?, 16).ok()?,
    })
}

/// The scenes that a file has.
fn scenes(container: &Container) -> Result<Vec<RecordedScene>, RecordError> {
    let channels = container.channels_of(SCHEMA);
    let mut scenes: Vec<RecordedScene> = vec![];
    let mut content = Chunk::default();
    let has = |chunk: &&crate::container::ChunkAt| {
        channels.iter().any(|channel| chunk.channels.contains(channel))
    };
    for chunk in container.chunks.iter().filter(has) {
        content.read(container, chunk)?;
        for message in content.messages().filter(|m| channels.contains(&m.channel)) {
            let at = |(expected, got): (String, String)| container.at(chunk.offset, &expected, got);
            let line: SceneLine = serde_json::from_slice(message.data)
                .map_err(|why| at(("a scene of a recording".to_owned(), why.to_string())))?;
            let scene = line.scene().map_err(at)?;
            if scene.number != scenes.len() {
                let expected = format!("scene {}", scenes.len());
                return Err(at((expected, format!("scene {}", scene.number))));
            }
            scenes.push(scene);
        }
    }
    if scenes.is_empty() {
        let (file, got) = (container.file.clone(), "none: it breaks off".to_owned());
        return Err(RecordError::Not {
            file,
            expected: "a scene in the recording".to_owned(),
            got,
        });
    }
    Ok(scenes)
}

/// What happened; see [`Recording::events`].
pub struct EventIter {
    walk: Walk,
}

impl Iterator for EventIter {
    type Item = Result<RunEvent, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        let decoded = match self.walk.next() {
            Ok(None) => return None,
            Ok(Some(message)) => {
                let event = crate::pb::rolima::Event::decode(message.data);
                event.map(|event| (message.time_ns, event)).map_err(|why| why.to_string())
            }
            Err(error) => return Some(Err(error)),
        };
        Some(match decoded {
            Ok((time_ns, event)) => Ok(RunEvent {
                time_s: seconds(time_ns),
                step: event.step,
                kind: event.kind,
                text: event.text,
                robot: event.robot,
                body: event.body,
                other: event.other,
                zone: event.zone,
                value: event.value,
            }),
            Err(why) => Err(self.walk.wrong("an event", why)),
        })
    }
}

/// Pictures; see [`Recording::pictures`].
pub struct PictureIter {
    walk: Walk,
}

impl Iterator for PictureIter {
    type Item = Result<RecordedPicture, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        let decoded = match self.walk.next() {
            Ok(None) => return None,
            Ok(Some(message)) => {
                let image = crate::pb::foxglove::CompressedImage::decode(message.data);
                let found = image.map(|image| (message.time_ns, message.channel, image));
                found.map_err(|why| why.to_string())
            }
            Err(error) => return Some(Err(error)),
        };
        Some(match decoded {
            Ok((time_ns, channel, image)) => {
                let topic = self.walk.topic(channel);
                let name = topic.strip_suffix("/image").unwrap_or(topic);
                let sensor = name.trim_start_matches('/').replace('/', ".");
                Ok(RecordedPicture {
                    time_s: seconds(time_ns),
                    sensor,
                    format: image.format,
                    data: image.data,
                })
            }
            Err(why) => Err(self.walk.wrong("a picture", why)),
        })
    }
}

/// Seconds of nanoseconds.
pub(crate) fn seconds(ns: u64) -> f64 {
    ns as f64 / 1e9
}

/// Nanoseconds of seconds, the nearest; casts saturate.
pub(crate) fn nanoseconds(s: f64) -> u64 {
    (s * 1e9).round() as u64
}
