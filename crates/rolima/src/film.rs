//! `rolima film`: films of scenes, logs and recordings, without a display.

use crate::cli::SceneArguments;
use crate::record::tell_version;
use crate::run::stop_on_signals;
use crate::scene;
use anyhow::{Context, Result};
use clap::Args;
use rolima_console::failure::{Usage, say, tell};
use rolima_console::numbers::{count, seconds, whole};
use rolima_console::progress::ProgressLine;
use rolima_console::score::{by_team, shown};
use rolima_console::text::counted;
use rolima_film::{Encode, Film, FilmError, FilmView, Overlays, Reel, shoot};
use rolima_record::{Playback, Recording};
use rolima_run::live::log::{Difference, LogInput, LogReader, Replay};
use rolima_run::live::{Session, Simulation};
use rolima_run::steps_for;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// How long films of scenes are, s.
const DURATION_S: f64 = 10.0;
/// Width and height of pictures that no camera says, pixels.
const SIZE: [u32; 2] = [640, 480];

#[derive(Debug, Args)]
pub(crate) struct FilmArguments {
    /// A scene file, a built-in scene or robot, a log, a saved run or a recording
    #[arg(value_name = "SCENE|FILE", required_unless_present = "maze", conflicts_with = "maze")]
    scene: Option<String>,

    /// Instead of a scene, a maze drawn in a paint program or a text map
    #[arg(long, value_name = "FILE")]
    maze: Option<PathBuf>,

    /// Change a variable or any key of the scene, as `rolima run` does; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,

    /// Through which camera: `top`, `chase` or `chase:ROBOT` from behind, `robot:ROBOT` for what it sees, or a
    /// camera of the scene by its name
    #[arg(long, value_name = "CAMERA", default_value = "top")]
    camera: String,

    /// Width and height of the pictures, pixels [default: 640x480, or those of the scene's camera]
    #[arg(long, value_name = "WxH", value_parser = size)]
    size: Option<[u32; 2]>,

    /// Pictures a second
    #[arg(long, value_name = "N", value_parser = whole(1..=1000_u32), default_value_t = 30)]
    fps: u32,

    /// Simulated time that is filmed [default: 10 s of a scene, a log or a recording to its end]
    #[arg(long = "for", value_name = "SECONDS", value_parser = seconds)]
    duration_s: Option<f64>,

    /// Simulated time before the first picture
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value_t = 0.0)]
    start: f64,

    /// How many times faster than real the film shows it; less than 1 for slow motion
    #[arg(long, value_name = "N", value_parser = speed, default_value_t = 1.0)]
    speed: f64,

    /// What is shown over the pictures: some of time,score,traces, or none [default: all of it, but none
    /// through the eyes of robots and sensors]
    #[arg(long, value_name = "LIST")]
    overlay: Option<String>,

    /// Smooth edges: four samples a pixel, which takes nearly four times as long
    #[arg(long)]
    smooth: bool,

    /// Key of all random numbers of a scene [default: that of the scene]
    #[arg(long, value_name = "N", value_parser = count::<u64>)]
    seed: Option<u64>,

    /// Write the film here: .mp4, .gif or .apng
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Let ffmpeg write it, in any format that it knows by the file's name
    #[arg(long)]
    ffmpeg: bool,

    /// Write over an old film
    #[arg(long)]
    force: bool,
}

impl FilmArguments {
    /// The scene, where it is one.
    fn scene(&self) -> SceneArguments {
        let Self { scene, maze, sets, .. } = self;
        let (scene, maze, sets) = (scene.clone(), maze.clone(), sets.clone());
        SceneArguments { scene, maze, size: None, sets }
    }
}

/// Takes a width and a height, pixels.
fn size(text: &str) -> Result<[u32; 2], String> {
    let number = |text: &str| text.parse().ok().filter(|pixels| (1..=8192).contains(pixels));
    let found = text.split_once('x').and_then(|(w, h)| Some([number(w)?, number(h)?]));
    found.ok_or_else(|| "expected width x height from 1 to 8192 pixels, such as 640x480".to_owned())
}

/// Takes how many times faster.
fn speed(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.001..=1000.0).contains(number));
    number.ok_or_else(|| "expected a number from 0.001 to 1000".to_owned())
}

/// Films, and says what there is.
pub(crate) fn film(arguments: &FilmArguments) -> Result<()> {
    let mut take = Take::open(arguments)?;
    let model = take.session().world().model();
    let view = FilmView::find(&arguments.camera, model).map_err(refusal)?;
    let overlays = overlays(arguments, &view).map_err(refusal)?;
    let size = arguments.size.or_else(|| view.own_size(model)).unwrap_or(SIZE);
    let fps = arguments.fps;
    let duration_s = arguments.duration_s.or_else(|| take.duration_s());
    let frames = duration_s.map(|s| ((s / arguments.speed * f64::from(fps)).round() as u64).max(1));
    let reel = Reel { size, fps, pictures: frames.unwrap_or(MOST_PICTURES) };
    let mut film = Film::new(model, view, size, overlays).map_err(refusal)?;
    let mut fingerprint = model.fingerprint;
    take.advance_to(arguments.start)?;
    let file = open(arguments, &reel).map_err(refusal)?;

    let stop = stop_on_signals()?;
    let progress = ProgressLine::new(frames, "pictures");
    let mut last = Picture::default();
    let taken = shoot::<anyhow::Error>(&reel, file, |number, rgb| {
        let at_s = arguments.start + arguments.speed * number as f64 / f64::from(fps);
        if stop.load(Ordering::Relaxed) || !take.advance_to(at_s)? {
            return Ok(false);
        }
        let (world, time_s) = (take.session().world(), take.time_s());
        if world.model().fingerprint != fingerprint {
            // The run went on in another scene.
            let view = FilmView::find(&arguments.camera, world.model()).map_err(refusal)?;
            film = Film::new(world.model(), view, size, overlays).map_err(refusal)?;
            fingerprint = world.model().fingerprint;
        }
        let score = shown(&by_team(world.model(), &world.frame().scores));
        film.draw(world, time_s, score.as_deref(), rgb).map_err(refusal)?;
        progress.set(number + 1);
        last.time_s = time_s;
        Ok(true)
    })?;
    drop(progress);
    take.tell_difference();
    told(arguments, &reel, taken, frames, last.time_s)
}

/// More than a year of pictures: of what ends by itself.
const MOST_PICTURES: u64 = 1 << 30;

/// The picture that was taken last.
#[derive(Default)]
struct Picture {
    time_s: f64,
}

/// Says what there is, and why it is shorter than it was to be.
fn told(
    arguments: &FilmArguments,
    reel: &Reel,
    taken: u64,
    frames: Option<u64>,
    last_s: f64,
) -> Result<()> {
    if taken == 0 {
        let start = arguments.start;
        return Err(Usage(format!("there is nothing at {start} s: no film was made")).into());
    }
    if frames.is_some_and(|frames| taken < frames) {
        tell(&format!(
            "note: the film ends at {last_s:.3} s, as the run does or as it was stopped"
        ));
    }
    let [width, height] = reel.size;
    let pictures = counted(taken as usize, "picture");
    let long_s = taken as f64 / f64::from(reel.fps);
    let out = arguments.out.display();
    Ok(say(&format!("{out}: {pictures} of {width} x {height} pixels, {long_s:.2} s"))?)
}

/// What cannot be is a matter of usage.
fn refusal(error: FilmError) -> anyhow::Error {
    if error.is_usage() { Usage(error.to_string()).into() } else { error.into() }
}

/// What is shown over the pictures.
fn overlays(arguments: &FilmArguments, view: &FilmView) -> Result<Overlays, FilmError> {
    let chosen = match &arguments.overlay {
        Some(list) => Overlays::find(list)?,
        None if view.is_sensor() => Overlays::NONE,
        None => Overlays::ALL,
    };
    Ok(Overlays { smooth: arguments.smooth, ..chosen })
}

fn open(arguments: &FilmArguments, reel: &Reel) -> Result<Box<dyn Encode>, FilmError> {
    let (out, force) = (&arguments.out, arguments.force);
    if arguments.ffmpeg { reel.open_ffmpeg(out, force) } else { reel.open(out, force) }
}

/// What is filmed.
enum Take {
    /// A scene, from its first instant on.
    Scene(Box<Session>),
    /// A run by its log, or one that was saved.
    Log(Box<(Replay<LogInput>, Session)>),
    /// A recording, simulated again from the state that was saved before its first picture.
    Recording(Box<Playback>, f64),
}

impl Take {
    fn open(arguments: &FilmArguments) -> Result<Self> {
        let named = arguments.scene.as_deref().map(Path::new);
        match named.map(kind_of).transpose()? {
            Some(Kind::Log) => {
                no_scene(arguments)?;
                let named = named.unwrap_or(Path::new(""));
                let reader = LogReader::open(named).map_err(|error| Usage(error.to_string()))?;
                let (replay, start) = Replay::new(reader).map_err(|e| Usage(e.to_string()))?;
                let session = Session::new(start.model, start.seed);
                Ok(Self::Log(Box::new((replay, session))))
            }
            Some(Kind::Recording) => {
                no_scene(arguments)?;
                let named = named.unwrap_or(Path::new(""));
                let usage = |error: rolima_record::RecordError| Usage(error.to_string());
                let recording = Recording::open(named).map_err(usage)?;
                if let Some(damage) = recording.damage() {
                    tell(&format!("note: {damage}; what is before it is filmed"));
                }
                tell_version(&recording);
                let playback = recording.play_from(arguments.start).map_err(usage)?;
                let left_s = recording.span_s()[1] - arguments.start;
                Ok(Self::Recording(Box::new(playback), left_s.max(0.0)))
            }
            _ => {
                let model = scene::open(&arguments.scene())?.model;
                let seed = arguments.seed.unwrap_or(model.spec.sim.seed);
                Ok(Self::Scene(Box::new(Session::of(Simulation::with_seed(model, seed)))))
            }
        }
    }

    fn session(&self) -> &Session {
        match self {
            Self::Scene(session) => session,
            Self::Log(run) => &run.1,
            Self::Recording(playback, _) => playback.session(),
        }
    }

    /// Time of the run, s.
    fn time_s(&self) -> f64 {
        match self {
            Self::Recording(playback, _) => playback.time_s(),
            other => other.session().simulated_s(),
        }
    }

    /// Says where the run was not as recorded, if it was not: then the film shows what this version makes of it.
    fn tell_difference(&self) {
        let Self::Recording(playback, _) = self else { return };
        if let Some(Difference { step, same_until, .. }) = playback.difference() {
            tell(&format!(
                "note: between step {same_until} and step {step} the run went otherwise than recorded, and the film \
                 with it; `rolima replay FILE --verify` names what differs"
            ));
        }
    }

    /// How long it is by itself, s; none where only its end tells.
    fn duration_s(&self) -> Option<f64> {
        match self {
            Self::Scene(_) => Some(DURATION_S),
            Self::Log(_) => None,
            Self::Recording(_, left_s) => Some(*left_s),
        }
    }

    /// Goes on up to an instant of the run. False where it ends before.
    fn advance_to(&mut self, at_s: f64) -> Result<bool> {
        match self {
            Self::Scene(session) => {
                let until = steps_for(at_s, session.world().model().step_s);
                let steps = until.saturating_sub(session.steps_done());
                Ok(session.steps(steps) == steps)
            }
            Self::Log(run) => {
                let (replay, session) = &mut **run;
                let left_s = at_s - session.simulated_s();
                let steps = steps_for(left_s.max(0.0), session.world().model().step_s);
                let (begin, more) = (session.steps_done(), replay.advance(session, steps));
                let more = more.map_err(|error| Usage(error.to_string()))?;
                Ok(more || session.steps_done() == begin + steps)
            }
            Self::Recording(playback, _) => Ok(playback.advance_to(at_s)?),
        }
    }
}

/// What a file is, by its first bytes.
enum Kind {
    /// A scene, or no file at all: a built-in one.
    Scene,
    /// A command log, or a run that was saved.
    Log,
    /// A recording.
    Recording,
}

fn kind_of(path: &Path) -> Result<Kind> {
    const LOG: &[u8] = b"{\"rolima_log\"";
    if !path.is_file() {
        return Ok(Kind::Scene);
    }
    if Recording::is_recording(path) {
        return Ok(Kind::Recording);
    }
    let mut begin = vec![];
    let file = std::fs::File::open(path).with_context(|| path.display().to_string())?;
    file.take(LOG.len() as u64).read_to_end(&mut begin)?;
    Ok(if begin == LOG { Kind::Log } else { Kind::Scene })
}

/// A run has its scene and its seed with it.
fn no_scene(arguments: &FilmArguments) -> Result<(), Usage> {
    let given = [("--set", !arguments.sets.is_empty()), ("--seed", arguments.seed.is_some())];
    match given.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((option, _)) => {
            Err(Usage(format!("{option}: expected with scenes only; a run has its own")))
        }
    }
}
