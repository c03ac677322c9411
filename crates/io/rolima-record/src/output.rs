//! Writing a recording: what comes from the run, as messages in chunks.

use crate::foxglove::{self, sensor_topic};
use crate::item::{Item, Poses, SampleItem, SceneItem, Shot};
use crate::layout::Layout;
use crate::names::{
    EVENT, EVENT_LOG, FORMAT, LOG, METADATA, METADATA_END, METADATA_ORIGIN, PROFILE, SAVED, SCENE,
    SCHEMA, TRANSFORMS,
};
use crate::options::{Options, PictureFormat};
use crate::pb;
use crate::pictures::PictureRenderer;
use crate::schema::{ChannelLine, SceneLine};
use mcap::records::{MessageHeader, Metadata};
use mcap::write::NoSeek;
use mcap::{McapError, WriteOptions};
use prost::Message;
use rolima_core::model::{Model, SensorKind};
use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A chunk ends after so much time of the run, ns: a recording that is cut off lacks no more.
const CHUNK_NS: u64 = 1_000_000_000;
/// Or after so many bytes, before they are compressed.
const CHUNK_BYTES: usize = 4 << 20;
/// Most bytes of text in a descriptor of a JSON object.
const ANY_JSON: &[u8] = br#"{"type":"object"}"#;
/// How hard zstd tries, its own default: with less, files of a match are a tenth larger; more takes several
/// times as long and saves next to nothing of such numbers.
pub(crate) const LEVEL: u32 = 3;

/// Impacts slower than this are not told to people, m/s.
const SLOWEST_TOLD_M_S: f64 = 0.1;

/// A recording that is being written.
pub(crate) struct Output<W: Write> {
    writer: mcap::Writer<NoSeek<BufWriter<Counted<W>>>>,
    options: Options,
    fixed: Fixed,
    scene: Option<SceneOut>,
    /// When the chunk began, and about how many bytes it has.
    chunk: (u64, usize),
    bytes: Vec<u8>,
    samples: u64,
    written: Arc<AtomicU64>,
}

/// Numbers of MCAP's channels that every recording has.
struct Fixed {
    log: u16,
    schema: u16,
    saved: u16,
    event: u16,
    event_log: u16,
    transforms: u16,
    scene: u16,
}

/// The scene that is recorded.
struct SceneOut {
    number: u32,
    model: Arc<Model>,
    layout: Layout,
    /// MCAP's channels by topic.
    topics: Vec<u16>,
    frames: Vec<String>,
    sensors: Vec<SensorOut>,
    renderer: PictureRenderer,
}

/// A sensor whose readings are told in messages of their own.
struct SensorOut {
    device: usize,
    channel: u16,
    /// What was told last.
    last: Vec<f64>,
}

impl<W: Write> Output<W> {
    /// Begins a file: what it is.
    pub(crate) fn new(output: W, options: Options) -> Result<Self, McapError> {
        let written = Arc::default();
        let counted = Counted { output, written: Arc::clone(&written) };
        let settings = WriteOptions::new()
            .profile(PROFILE)
            .library(PROFILE)
            .chunk_size(None)
            .disable_seeking(true)
            .compression(options.compressed.then_some(mcap::Compression::Zstd))
            .compression_level(LEVEL)
            .compression_threads(0);
        let output = NoSeek::new(BufWriter::with_capacity(1 << 16, counted));
        let mut writer = settings.create(output)?;
        let about = [("format", FORMAT.to_string()), ("rolima", env!("CARGO_PKG_VERSION").into())];
        writer.write_metadata(&text(METADATA, about))?;
        if let Some(origin) = &options.origin {
            let told = [
                ("file", origin.file.clone()),
                ("time_s", origin.time_s.to_string()),
                ("step", origin.step.to_string()),
                ("state_hash", format!("{:016x}", origin.state_hash)),
            ];
            writer.write_metadata(&text(METADATA_ORIGIN, told))?;
        }
        let fixed = Fixed::new(&mut writer)?;
        let (bytes, chunk) = (vec![], (0, 0));
        Ok(Self { writer, options, fixed, scene: None, chunk, bytes, samples: 0, written })
    }

    /// Counts the bytes that go to the system.
    pub(crate) fn counted(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.written)
    }

    /// Writes what there is, without an end.
    pub(crate) fn cut_off(&mut self) -> Result<(), McapError> {
        self.end_chunk()
    }

    /// How often the state was written.
    pub(crate) fn samples(&self) -> u64 {
        self.samples
    }

    /// Writes what comes from the run.
    pub(crate) fn put(&mut self, item: &Item) -> Result<(), McapError> {
        match item {
            Item::Log { time_ns, text } => self.message(self.fixed.log, 0, *time_ns, text),
            Item::Scene(scene) => self.scene(scene),
            Item::Sample(sample) => self.sample(sample),
            Item::Event { time_ns, event } => self.event(*time_ns, event),
            Item::Saved { time_ns, saved } => {
                // Who begins there needs this chunk and no other.
                self.end_chunk()?;
                let data = saved.encode_to_vec();
                self.message(self.fixed.saved, 0, *time_ns, &data)
            }
            Item::Shot(shot) => self.shot(shot),
        }
    }

    /// Writes what ends a file.
    pub(crate) fn finish(&mut self, lost: u64, actions_lost: u64) -> Result<(), McapError> {
        let told = [
            ("samples", self.samples.to_string()),
            ("lost", lost.to_string()),
            ("actions_lost", actions_lost.to_string()),
        ];
        self.writer.write_metadata(&text(METADATA_END, told))?;
        self.writer.finish()?;
        Ok(())
    }

    /// Hands the file back, for its last bytes to be written.
    pub(crate) fn into_inner(self) -> io::Result<()> {
        let mut buffered = self.writer.into_inner().into_inner();
        buffered.flush()
    }

    fn message(
        &mut self,
        channel_id: u16,
        sequence: u32,
        time_ns: u64,
        data: &[u8],
    ) -> Result<(), McapError> {
        if self.chunk.1 == 0 {
            self.chunk.0 = time_ns;
        }
        self.chunk.1 += data.len() + 32;
        let header =
            MessageHeader { channel_id, sequence, log_time: time_ns, publish_time: time_ns };
        self.writer.write_to_known_channel(&header, data)
    }

    fn end_chunk(&mut self) -> Result<(), McapError> {
        if self.chunk.1 > 0 {
            self.chunk.1 = 0;
            self.writer.flush()?;
        }
        Ok(())
    }

    /// Another scene: its channels, and what it looks like.
    fn scene(&mut self, scene: &SceneItem) -> Result<(), McapError> {
        let double = self.options.double;
        let layout = Layout::new(&scene.channels, double);
        let none = BTreeMap::new();
        let mut shapes = vec![];
        for shape in &layout.shapes {
            let name = &shape.name;
            // Scenes of one file may have other messages of one name.
            shapes.push(self.writer.add_schema(name, "protobuf", &shape.descriptor)?);
        }
        let mut topics = vec![];
        for topic in &layout.topics {
            let shape = shapes[topic.shape];
            topics.push(self.writer.add_channel(shape, &topic.name, "protobuf", &none)?);
        }
        let line = SceneLine {
            scene: scene.number as usize,
            name: scene.name.clone(),
            title: scene.model.spec.title.clone(),
            seed: scene.seed,
            step_s: scene.model.step_s,
            model: format!("{:016x}", scene.model.fingerprint),
            rate_hz: scene.rate_hz,
            double,
            begin_step: scene.begin_step,
            begin_s: scene.begin_s,
            first_sample: scene.first_sample,
            topics: layout.topics.iter().map(|topic| topic.name.clone()).collect(),
            channels: ChannelLine::of(&scene.channels, &layout),
        };
        let line = serde_json::to_vec(&line).map_err(|why| McapError::Io(why.into()))?;
        self.message(self.fixed.schema, 0, scene.time_ns, &line)?;
        let update = foxglove::scene_update(&scene.model, &scene.name, scene.time_ns);
        self.message(self.fixed.scene, 0, scene.time_ns, &update.encode_to_vec())?;
        let model = Arc::clone(&scene.model);
        let sensors = self.sensors(&model)?;
        let bodies = model.body_count();
        let frames = (0..bodies).map(|body| foxglove::frame_of(&model, body)).collect();
        let renderer = self.renderer(&model)?;
        let number = scene.number;
        self.scene = Some(SceneOut { number, model, layout, topics, frames, sensors, renderer });
        Ok(())
    }

    /// The sensors that have messages of their own.
    fn sensors(&mut self, model: &Model) -> Result<Vec<SensorOut>, McapError> {
        let mut sensors = vec![];
        for (device, known) in model.devices.iter().enumerate() {
            let (schema, what) = match known.kind {
                SensorKind::Lidar(_) => ("foxglove.LaserScan", "scan"),
                SensorKind::Gps(_) => ("foxglove.LocationFix", "fix"),
                SensorKind::Odometry(_) => ("foxglove.PoseInFrame", "pose"),
                _ => continue,
            };
            let topic = format!("{}/{what}", sensor_topic(model, known));
            let channel = channel(&mut self.writer, &topic, schema)?;
            sensors.push(SensorOut { device, channel, last: vec![] });
        }
        Ok(sensors)
    }

    /// Who draws pictures, with the channels that they go to.
    fn renderer(&mut self, model: &Model) -> Result<PictureRenderer, McapError> {
        let mut channels = BTreeMap::new();
        if self.options.pictures.is_some() {
            for (device, known) in model.devices.iter().enumerate() {
                if matches!(known.kind, SensorKind::Camera(_)) {
                    let topic = format!("{}/image", sensor_topic(model, known));
                    let id = channel(&mut self.writer, &topic, "foxglove.CompressedImage")?;
                    channels.insert(device, id);
                }
            }
        }
        Ok(PictureRenderer::new(channels))
    }

    /// The state at one instant.
    fn sample(&mut self, sample: &SampleItem) -> Result<(), McapError> {
        // One whose scene found no room is of no use.
        let scene = self.scene.take_if(|scene| scene.number == sample.scene);
        let Some(mut scene) = scene else { return Ok(()) };
        let written = self.sample_of(sample, &mut scene);
        self.scene = Some(scene);
        self.samples += 1;
        written
    }

    fn sample_of(&mut self, sample: &SampleItem, scene: &mut SceneOut) -> Result<(), McapError> {
        let SampleItem { time_ns, number, .. } = *sample;
        if self.chunk.1 > CHUNK_BYTES || time_ns.saturating_sub(self.chunk.0) >= CHUNK_NS {
            self.end_chunk()?;
        }
        let double = self.options.double;
        let mut bytes = std::mem::take(&mut self.bytes);
        for (topic, &channel) in scene.layout.topics.iter().zip(&scene.topics) {
            topic.encode(&sample.values, double, &mut bytes);
            self.message(channel, number, time_ns, &bytes)?;
        }
        if let Some(poses) = &sample.poses {
            let moved = match poses {
                Poses::Plane(poses) => {
                    let poses = poses.iter().map(|&pose| foxglove::upright(pose, 0.0));
                    foxglove::transforms(&scene.frames, poses, time_ns, double)
                }
                Poses::Space(poses) => {
                    foxglove::transforms(&scene.frames, poses.iter().copied(), time_ns, double)
                }
            };
            bytes.clear();
            moved.encode(&mut bytes).map_err(|why| McapError::Io(io::Error::other(why)))?;
            self.message(self.fixed.transforms, number, time_ns, &bytes)?;
        }
        self.bytes = bytes;
        for sensor in &mut scene.sensors {
            let device = &scene.model.devices[sensor.device];
            let reading = sample.readings.get(device.range()).unwrap_or_default();
            let is_same = sensor.last.len() == reading.len()
                && sensor.last.iter().zip(reading).all(|(a, b)| a.to_bits() == b.to_bits());
            if is_same || reading.iter().any(|x| !x.is_finite()) {
                continue;
            }
            sensor.last.clear();
            sensor.last.extend_from_slice(reading);
            let of = (&*scene.model, device);
            let data = match (&device.kind, reading) {
                (SensorKind::Lidar(lidar), _) => {
                    foxglove::scan(of, lidar, reading, time_ns).encode_to_vec()
                }
                (SensorKind::Gps(_), &[x, y, ..]) => {
                    foxglove::location(of, [x, y], time_ns).encode_to_vec()
                }
                (SensorKind::Odometry(_), &[x, y, heading, ..]) => {
                    foxglove::believed([x, y, heading], time_ns).encode_to_vec()
                }
                _ => continue,
            };
            self.message(sensor.channel, number, time_ns, &data)?;
        }
        Ok(())
    }

    fn event(&mut self, time_ns: u64, event: &pb::rolima::Event) -> Result<(), McapError> {
        let data = event.encode_to_vec();
        self.message(self.fixed.event, 0, time_ns, &data)?;
        use pb::foxglove::log::Level;
        let level = match event.kind.as_str() {
            "refused" | "quarantine" | "rolled_over" | "left_terrain" => Level::Warning,
            // Many times a second: nobody reads that.
            "slip" | "energy_cap" => return Ok(()),
            "impact" if event.value < SLOWEST_TOLD_M_S => return Ok(()),
            _ => Level::Info,
        };
        let log = pb::foxglove::Log {
            timestamp: foxglove::timestamp(time_ns),
            level: level.into(),
            message: event.text.clone(),
            name: event.kind.clone(),
            ..pb::foxglove::Log::default()
        };
        self.message(self.fixed.event_log, 0, time_ns, &log.encode_to_vec())
    }

    /// A picture that a camera has taken.
    fn shot(&mut self, shot: &Shot) -> Result<(), McapError> {
        let Some(format) = self.options.pictures else { return Ok(()) };
        let scene = self.scene.take_if(|scene| scene.number == shot.scene);
        let Some(mut scene) = scene else { return Ok(()) };
        let drawn = scene.renderer.draw(&scene.model, shot, format);
        let device = &scene.model.devices[shot.device];
        let frame = sensor_topic(&scene.model, device);
        self.scene = Some(scene);
        let (channel, data) = drawn.map_err(|why| McapError::Io(io::Error::other(why)))?;
        let image = pb::foxglove::CompressedImage {
            timestamp: foxglove::timestamp(shot.time_ns),
            data,
            format: format.name().to_owned(),
            frame_id: frame.trim_start_matches('/').to_owned(),
        };
        self.message(channel, 0, shot.time_ns, &image.encode_to_vec())
    }
}

impl Fixed {
    fn new<W: Write>(writer: &mut mcap::Writer<NoSeek<W>>) -> Result<Self, McapError> {
        let none = BTreeMap::new();
        let json = |writer: &mut mcap::Writer<NoSeek<W>>, topic: &str, schema: &str| {
            let schema = writer.add_schema(schema, "jsonschema", ANY_JSON)?;
            writer.add_channel(schema, topic, "json", &none)
        };
        Ok(Self {
            log: json(writer, LOG, "rolima.Log")?,
            schema: json(writer, SCHEMA, "rolima.Schema")?,
            saved: channel(writer, SAVED, "rolima.Saved")?,
            event: channel(writer, EVENT, "rolima.Event")?,
            event_log: channel(writer, EVENT_LOG, "foxglove.Log")?,
            transforms: channel(writer, TRANSFORMS, "foxglove.FrameTransforms")?,
            scene: channel(writer, SCENE, "foxglove.SceneUpdate")?,
        })
    }
}

/// A channel with one of the messages that are the same in all recordings.
fn channel<W: Write>(
    writer: &mut mcap::Writer<NoSeek<W>>,
    topic: &str,
    schema: &str,
) -> Result<u16, McapError> {
    let schema = writer.add_schema(schema, "protobuf", pb::DESCRIPTORS)?;
    writer.add_channel(schema, topic, "protobuf", &BTreeMap::new())
}

/// A metadata record.
fn text<const N: usize>(name: &str, values: [(&str, String); N]) -> Metadata {
    let metadata = values.map(|(key, value)| (key.to_owned(), value)).into_iter().collect();
    Metadata { name: name.to_owned(), metadata }
}

/// Counts the bytes that go to the system.
struct Counted<W> {
    output: W,
    written: Arc<AtomicU64>,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.output.write(bytes)?;
        self.written.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

impl PictureFormat {
    /// As messages call it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpeg",
        }
    }
}
