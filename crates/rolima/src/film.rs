//! `rolima film`: films of scenes, logs and recordings, without a display.

use crate::cli::SceneArguments;
use crate::record::{as_usage, tell_version};
use crate::run::stop_on_signals;
use crate::scene;
use anyhow::Result;
use clap::Args;
use rolima_console::failure::{Usage, say, tell};
use rolima_console::numbers::{count, seconds, whole};
use rolima_console::progress::ProgressLine;
use rolima_console::score::{self, by_team};
use rolima_console::text::counted;
use rolima_film::{Encode, Film, FilmError, FilmView, Overlays, Reel, shoot};
use rolima_record::AnyRun;
use rolima_run::live::log::Difference;
use rolima_run::live::{Session, Simulation};
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
    /// through the cameras of robots and sensors]
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
    let (mut run, left_s) = open_run(arguments)?;
    let model = run.session().world().model();
    let view = FilmView::find(&arguments.camera, model).map_err(refusal)?;
    let overlays = overlays(arguments, &view).map_err(refusal)?;
    let size = arguments.size.or_else(|| view.own_size(model)).unwrap_or(SIZE);
    let fps = arguments.fps;
    let duration_s = arguments.duration_s.or(left_s);
    let frames = duration_s.map(|s| ((s / arguments.speed * f64::from(fps)).round() as u64).max(1));
    let reel = Reel { size, fps, pictures: frames.unwrap_or(MOST_PICTURES) };
    let mut film = Film::new(model, view, size, overlays).map_err(refusal)?;
    let mut fingerprint = model.fingerprint;
    run.advance_to(arguments.start).map_err(as_usage)?;
    let file = open(arguments, &reel).map_err(refusal)?;

    let stop = stop_on_signals()?;
    let progress = ProgressLine::new(frames, "pictures");
    let mut last_s = 0.0;
    let pictures = shoot::<anyhow::Error>(&reel, file, |number, rgb| {
        let at_s = arguments.start + arguments.speed * number as f64 / f64::from(fps);
        if stop.load(Ordering::Relaxed) || !run.advance_to(at_s).map_err(as_usage)? {
            return Ok(false);
        }
        let (world, time_s) = (run.session().world(), run.time_s());
        if world.model().fingerprint != fingerprint {
            // The run went on in another scene.
            let view = FilmView::find(&arguments.camera, world.model()).map_err(refusal)?;
            film = Film::new(world.model(), view, size, overlays).map_err(refusal)?;
            fingerprint = world.model().fingerprint;
        }
        let score = score::text(&by_team(world.model(), &world.frame().scores));
        film.draw(world, time_s, score.as_deref(), rgb).map_err(refusal)?;
        progress.set(number + 1);
        last_s = time_s;
        Ok(true)
    })?;
    drop(progress);
    tell_difference(&run);
    report(arguments, &reel, pictures, frames, last_s)
}

/// More than a year of pictures: of what ends by itself.
const MOST_PICTURES: u64 = 1 << 30;

/// Says what there is, and why it is shorter than it was to be.
fn report(
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

/// What is filmed, and how much of it there is from the first picture on, s; none where only its end tells.
fn open_run(arguments: &FilmArguments) -> Result<(AnyRun, Option<f64>)> {
    let named = arguments.scene.as_deref().map(Path::new).filter(|path| path.is_file());
    let run =
        named.map(|file| AnyRun::open(file, arguments.start)).transpose().map_err(as_usage)?;
    let Some(run) = run.flatten() else {
        let model = scene::open(&arguments.scene())?.model;
        let seed = arguments.seed.unwrap_or(model.spec.sim.seed);
        let session = Session::of(Simulation::with_seed(model, seed));
        return Ok((AnyRun::of_scene(session), Some(DURATION_S)));
    };
    no_scene(arguments)?;
    if let Some(damage) = run.damage() {
        tell(&format!("note: {damage}; what is before it is filmed"));
    }
    if let Some(recording) = run.recording() {
        tell_version(recording);
    }
    let left_s = run.end_s().map(|end_s| (end_s - arguments.start).max(0.0));
    Ok((run, left_s))
}

/// Says where a run was not as recorded, if it was not: then the film shows what this version makes of it.
fn tell_difference(run: &AnyRun) {
    if let Some(Difference { step, same_until, .. }) = run.difference() {
        tell(&format!(
            "note: between step {same_until} and step {step} the run went otherwise than recorded, and the film with it; \
             `rolima replay` with --verify names what differs in a recording"
        ));
    }
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
