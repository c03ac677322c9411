//! Writing a recording: what comes from the run, as messages in chunks.

use crate::container_writer::{ContainerWriter, MessageHead};
use crate::foxglove::{self, TransformsPlan, sensor_topic};
use crate::item::{Item, Poses, SampleItem, SceneItem, Shot};
use crate::layout::{Layout, Shape, Topic};
use crate::names::{
    EVENT, EVENT_LOG, FORMAT, LOG, METADATA, METADATA_END, METADATA_ORIGIN, SAVED, SCENE, SCHEMA,
    TRANSFORMS,
};
use crate::options::{Options, PictureFormat};
use crate::pb;
use crate::pictures::PictureRenderer;
use crate::schema::{ChannelLine, SceneLine};
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
/// Impacts slower than this are not told to people, m/s.
const SLOWEST_TOLD_M_S: f64 = 0.1;

/// A recording that is being written.
pub(crate) struct Output<W: Write> {
    writer: ContainerWriter<BufWriter<Counted<W>>>,
    options: Options,
    fixed: Fixed,
    scene: Option<SceneOut>,
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
    transforms: TransformsPlan,
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
    pub(crate) fn new(output: W, options: Options) -> io::Result<Self> {
        let written = Arc::default();
        let counted = Counted { output, written: Arc::clone(&written) };
        let output = BufWriter::with_capacity(1 << 16, counted);
        let mut writer = ContainerWriter::new(output, options.compressed)?;
        let about = [("format", FORMAT.to_string()), ("rolima", env!("CARGO_PKG_VERSION").into())];
        writer.metadata(METADATA, &text(about))?;
        if let Some(origin) = &options.origin {
            let told = [
                ("file", origin.file.clone()),
                ("time_s", origin.time_s.to_string()),
                ("step", origin.step.to_string()),
                ("state_hash", format!("{:016x}", origin.state_hash)),
            ];
            writer.metadata(METADATA_ORIGIN, &text(told))?;
        }
        let fixed = Fixed::new(&mut writer);
        Ok(Self { writer, options, fixed, scene: None, samples: 0, written })
    }

    /// Counts the bytes that go to the system.
    pub(crate) fn counted(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.written)
    }

    /// Writes what there is, without an end.
    pub(crate) fn cut_off(&mut self) -> io::Result<()> {
        self.writer.end_chunk()
    }

    /// How often the state was written.
    pub(crate) fn samples(&self) -> u64 {
        self.samples
    }

    /// Writes what comes from the run.
    pub(crate) fn put(&mut self, item: &Item) -> io::Result<()> {
        match item {
            Item::Log { time_ns, text } => {
                self.message(self.fixed.log, 0, *time_ns, text);
                Ok(())
            }
            Item::Scene(scene) => self.scene(scene),
            Item::Sample(sample) => self.sample(sample),
            Item::Event { time_ns, event } => {
                self.event(*time_ns, event);
                Ok(())
            }
            Item::Saved { time_ns, saved } => {
                // Who begins there needs this chunk and no other.
                self.writer.end_chunk()?;
                self.message(self.fixed.saved, 0, *time_ns, &saved.encode_to_vec());
                Ok(())
            }
            Item::Shot(shot) => self.shot(shot),
        }
    }

    /// Writes what ends a file.
    pub(crate) fn finish(&mut self, lost: u64, actions_lost: u64) -> io::Result<()> {
        let told = [
            ("samples", self.samples.to_string()),
            ("lost", lost.to_string()),
            ("actions_lost", actions_lost.to_string()),
        ];
        self.writer.metadata(METADATA_END, &text(told))?;
        self.writer.finish()
    }

    /// Hands the file back, for its last bytes to be written.
    pub(crate) fn into_inner(self) -> io::Result<()> {
        self.writer.into_inner().flush()
    }

    fn message(&mut self, channel: u16, sequence: u32, time_ns: u64, data: &[u8]) {
        self.writer.message(MessageHead { channel, sequence, time_ns }, data);
    }

    /// Another scene: its channels, and what it looks like.
    fn scene(&mut self, scene: &SceneItem) -> io::Result<()> {
        let double = self.options.double;
        let layout = Layout::new(&scene.channels, double);
        // Scenes of one file may have other messages of one name.
        let schema =
            |shape: &Shape| self.writer.add_schema(&shape.name, "protobuf", &shape.descriptor);
        let shapes: Vec<u16> = layout.shapes.iter().map(schema).collect();
        let channel =
            |topic: &Topic| self.writer.add_channel(shapes[topic.shape], &topic.name, "protobuf");
        let topics = layout.topics.iter().map(channel).collect();
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
        let line = serde_json::to_vec(&line)?;
        self.message(self.fixed.schema, 0, scene.time_ns, &line);
        let update = foxglove::scene_update(&scene.model, &scene.name, scene.time_ns);
        self.message(self.fixed.scene, 0, scene.time_ns, &update.encode_to_vec());
        let model = Arc::clone(&scene.model);
        let (sensors, renderer) = (self.sensors(&model), self.renderer(&model));
        let transforms = TransformsPlan::new(&model);
        let number = scene.number;
        self.scene =
            Some(SceneOut { number, model, layout, topics, transforms, sensors, renderer });
        Ok(())
    }

    /// The sensors that have messages of their own.
    fn sensors(&mut self, model: &Model) -> Vec<SensorOut> {
        let mut sensors = vec![];
        for (device, known) in model.devices.iter().enumerate() {
            let (schema, what) = match known.kind {
                SensorKind::Lidar(_) => ("foxglove.LaserScan", "scan"),
                SensorKind::Gps(_) => ("foxglove.LocationFix", "fix"),
                SensorKind::Odometry(_) => ("foxglove.PoseInFrame", "pose"),
                _ => continue,
            };
            let topic = format!("{}/{what}", sensor_topic(model, known));
            let channel = channel(&mut self.writer, &topic, schema);
            sensors.push(SensorOut { device, channel, last: vec![] });
        }
        sensors
    }

    /// Who draws pictures, with the channels that they go to.
    fn renderer(&mut self, model: &Model) -> PictureRenderer {
        let mut channels = BTreeMap::new();
        if self.options.pictures.is_some() {
            for (device, known) in model.devices.iter().enumerate() {
                if matches!(known.kind, SensorKind::Camera(_)) {
                    let topic = format!("{}/image", sensor_topic(model, known));
                    let id = channel(&mut self.writer, &topic, "foxglove.CompressedImage");
                    channels.insert(device, id);
                }
            }
        }
        PictureRenderer::new(channels)
    }

    /// The state at one instant.
    fn sample(&mut self, sample: &SampleItem) -> io::Result<()> {
        // One whose scene found no room is of no use.
        let scene = self.scene.take_if(|scene| scene.number == sample.scene);
        let Some(mut scene) = scene else { return Ok(()) };
        let written = self.sample_of(sample, &mut scene);
        self.scene = Some(scene);
        self.samples += 1;
        written
    }

    fn sample_of(&mut self, sample: &SampleItem, scene: &mut SceneOut) -> io::Result<()> {
        let SampleItem { time_ns, number: sequence, .. } = *sample;
        let begin_ns = self.writer.chunk_begin_ns().unwrap_or(time_ns);
        if self.writer.chunk_bytes() > CHUNK_BYTES || time_ns.saturating_sub(begin_ns) >= CHUNK_NS {
            self.writer.end_chunk()?;
        }
        let double = self.options.double;
        let values = sample.values();
        for (topic, &channel) in scene.layout.topics.iter().zip(&scene.topics) {
            let head = MessageHead { channel, sequence, time_ns };
            self.writer.message_with(head, |out| topic.plan.put(values, double, out));
        }
        if sample.poses != Poses::Untold {
            let head = MessageHead { channel: self.fixed.transforms, sequence, time_ns };
            let (plan, poses) = (&scene.transforms, sample.poses());
            self.writer.message_with(head, |out| plan.put(poses, time_ns, double, out));
        }
        for sensor in &mut scene.sensors {
            let device = &scene.model.devices[sensor.device];
            let reading = sample.readings().get(device.range()).unwrap_or_default();
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
            self.message(sensor.channel, sequence, time_ns, &data);
        }
        Ok(())
    }

    fn event(&mut self, time_ns: u64, event: &pb::rolima::Event) {
        self.message(self.fixed.event, 0, time_ns, &event.encode_to_vec());
        use pb::foxglove::log::Level;
        let level = match event.kind.as_str() {
            "refused" | "quarantine" | "rolled_over" | "left_terrain" => Level::Warning,
            // Many times a second: nobody reads that.
            "slip" | "energy_cap" => return,
            "impact" if event.value < SLOWEST_TOLD_M_S => return,
            _ => Level::Info,
        };
        let log = pb::foxglove::Log {
            timestamp: foxglove::timestamp(time_ns),
            level: level.into(),
            message: event.text.clone(),
            name: event.kind.clone(),
            ..pb::foxglove::Log::default()
        };
        self.message(self.fixed.event_log, 0, time_ns, &log.encode_to_vec());
    }

    /// A picture that a camera has taken.
    fn shot(&mut self, shot: &Shot) -> io::Result<()> {
        let Some(format) = self.options.pictures else { return Ok(()) };
        let scene = self.scene.take_if(|scene| scene.number == shot.scene);
        let Some(mut scene) = scene else { return Ok(()) };
        let drawn = scene.renderer.draw(&scene.model, shot, format);
        let device = &scene.model.devices[shot.device];
        let frame = sensor_topic(&scene.model, device);
        self.scene = Some(scene);
        let (channel, data) = drawn.map_err(io::Error::other)?;
        let image = pb::foxglove::CompressedImage {
            timestamp: foxglove::timestamp(shot.time_ns),
            data,
            format: format.name().to_owned(),
            frame_id: frame.trim_start_matches('/').to_owned(),
        };
        self.message(channel, 0, shot.time_ns, &image.encode_to_vec());
        Ok(())
    }
}

impl Fixed {
    fn new<W: Write>(writer: &mut ContainerWriter<W>) -> Self {
        let json = |writer: &mut ContainerWriter<W>, topic: &str, schema: &str| {
            let schema = writer.add_schema(schema, "jsonschema", ANY_JSON);
            writer.add_channel(schema, topic, "json")
        };
        Self {
            log: json(writer, LOG, "rolima.Log"),
            schema: json(writer, SCHEMA, "rolima.Schema"),
            saved: channel(writer, SAVED, "rolima.Saved"),
            event: channel(writer, EVENT, "rolima.Event"),
            event_log: channel(writer, EVENT_LOG, "foxglove.Log"),
            transforms: channel(writer, TRANSFORMS, "foxglove.FrameTransforms"),
            scene: channel(writer, SCENE, "foxglove.SceneUpdate"),
        }
    }
}

/// A channel with one of the messages that are the same in all recordings.
fn channel<W: Write>(writer: &mut ContainerWriter<W>, topic: &str, schema: &str) -> u16 {
    let schema = writer.add_schema(schema, "protobuf", pb::DESCRIPTORS);
    writer.add_channel(schema, topic, "protobuf")
}

/// What a metadata record says.
fn text<const N: usize>(values: [(&str, String); N]) -> BTreeMap<String, String> {
    values.map(|(key, value)| (key.to_owned(), value)).into_iter().collect()
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
