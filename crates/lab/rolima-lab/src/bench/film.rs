//! Films and tables, in wall time: drawing and encoding are on two threads.

use super::Outcome;
use super::measure::Spread;
use super::soccer::match_model;
use anyhow::{Result, ensure};
use rolima_console::score::{self, by_team};
use rolima_core::World;
use rolima_export::{Csv, Export};
use rolima_film::{Film, FilmError, FilmView, Overlays, Reel, shoot};
use rolima_record::{Options, Recording, record};
use rolima_scene::{Source, load};
use serde_json::{Map, json};
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

const RUNS: usize = 3;
const SIZE: [u32; 2] = [640, 480];
const FPS: u32 = 30;

/// Pictures/s of a match from above, with all overlays, to MP4; to GIF and APNG beside it.
pub(super) fn film() -> Result<Outcome> {
    let mut details = Map::new();
    let drawn = Spread::of((0..RUNS).map(|_| drawn()).collect::<Result<_>>()?);
    details.insert("drawn_per_s".to_owned(), json!(drawn.median));
    for (name, ending) in [("gif_per_s", "gif"), ("apng_per_s", "apng")] {
        details.insert(name.to_owned(), json!(pictures_per_s(ending, 90)?));
    }
    let rates: Result<Vec<f64>> = (0..RUNS).map(|_| pictures_per_s("mp4", 600)).collect();
    Ok(Outcome { value: Spread::of(rates?), unit: "pictures/s", details })
}

/// A film of so many pictures into a file, which is removed.
fn pictures_per_s(ending: &str, pictures: u64) -> Result<f64> {
    let path = temporary(ending);
    let reel = Reel { size: SIZE, fps: FPS, pictures };
    let begin = Instant::now();
    let file = reel.open(&path, true)?;
    let mut scene = Scene::new()?;
    let taken = shoot::<FilmError>(&reel, file, |_, rgb| scene.picture(rgb).map(|()| true));
    let took_s = begin.elapsed().as_secs_f64();
    let _ = std::fs::remove_file(path);
    ensure!(taken? == pictures, "the film is too short");
    Ok(pictures as f64 / took_s)
}

/// Pictures/s without a file.
fn drawn() -> Result<f64> {
    let pictures = 300;
    let mut scene = Scene::new()?;
    let mut rgb = vec![0; 3 * 640 * 480];
    let begin = Instant::now();
    for _ in 0..pictures {
        scene.picture(&mut rgb)?;
    }
    Ok(pictures as f64 / begin.elapsed().as_secs_f64())
}

fn temporary(ending: &str) -> PathBuf {
    std::env::temp_dir().join(format!("rolima-bench-{}.{ending}", std::process::id()))
}

/// A match, and a film of it.
struct Scene {
    world: World,
    film: Film,
    steps: u64,
}

impl Scene {
    fn new() -> Result<Self> {
        let model = match_model()?;
        let film = Film::new(&model, FilmView::Top, SIZE, Overlays::ALL)?;
        let steps = (1.0 / (f64::from(FPS) * model.step_s)).round() as u64;
        Ok(Self { world: World::new(model), film, steps })
    }

    fn picture(&mut self, rgb: &mut [u8]) -> Result<(), FilmError> {
        let score = score::text(&by_team(self.world.model(), &self.world.frame().scores));
        self.film.draw(&self.world, self.world.time_s(), score.as_deref(), rgb)?;
        self.world.steps(self.steps);
        Ok(())
    }
}

/// MB/s of CSV of a recorded match, all channels, read from memory and written to nowhere.
pub(super) fn export() -> Result<Outcome> {
    let scene = load(&Source::resolve("built-in:soccer")?, &[])?;
    let mut bytes = vec![];
    record("soccer", &scene, 30.0, &Options::default(), &mut bytes)?;
    let recorded = bytes.len();
    let recording = Recording::from_bytes("soccer.mcap", bytes.into())?;
    let channels = (0..recording.scenes()[0].channels.len()).collect();
    let export = Export { scene: 0, channels, rate_hz: None, span_s: recording.span_s() };
    let (mut rates, mut rows, mut written) = (vec![], 0, 0);
    for run in 0..=RUNS {
        let begin = Instant::now();
        let mut count = Count(0);
        let mut table = Csv::new(&mut count, &export.columns(&recording))?;
        rows = export.write(&recording, &mut table, |_| true)?;
        drop(table);
        written = count.0;
        // The first one warms up.
        if run > 0 {
            rates.push(written as f64 / 1e6 / begin.elapsed().as_secs_f64());
        }
    }
    let details = Map::from_iter([
        ("rows".to_owned(), json!(rows)),
        ("columns".to_owned(), json!(export.channels.len() + 1)),
        ("csv_bytes".to_owned(), json!(written)),
        ("recording_bytes".to_owned(), json!(recorded)),
    ]);
    Ok(Outcome { value: Spread::of(rates), unit: "MB/s", details })
}

/// Counts bytes.
struct Count(u64);

impl Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
