//! The camera benchmarks: a maze of 289 walls with 20 moving things, and a road over hills; 320 x
//! 240 pixels.

use super::maze::{look, maze, place};
use super::{hills, hills_terrain, road_line};
use crate::{
    Camera, DrawError, Lens, Pictures, Quality, Renderer, Stage, StageBody, StageError, StagePose,
};
use rolima_math::{Hash64, Stream};

const CELLS: usize = 16;
const BODIES: usize = 20;
/// Places that pictures are taken from, in turn.
const PLACES: usize = 64;

/// The stage of the camera benchmark and the cameras that look at it in turn: shaded and textured,
/// one sample a pixel, no shadows.
pub fn bench_scene(seed: u64) -> Result<(Stage, Vec<Camera>), StageError> {
    let mut random = Stream::new(seed, 0, "cameras");
    let quality = Quality::default();
    let camera = |pose| Camera { lens: Lens::ROBOT_ONE, pose, quality };
    let cameras = (0..PLACES).map(|_| camera(look(&mut random, CELLS))).collect();
    Ok((maze(seed, CELLS, BODIES)?, cameras))
}

/// The stage of the benchmark on rough ground and the cameras that look at it in turn: along the
/// road of [`hills`], and beside it, 0.5 m above the ground.
pub fn hills_bench_scene(seed: u64) -> Result<(Stage, Vec<Camera>), StageError> {
    let (stage, terrain, line) = (hills(seed)?, hills_terrain(seed), road_line());
    let mut random = Stream::new(seed, 0, "cameras");
    let cameras = (0..PLACES).map(|i| {
        let at = i * line.len() / PLACES;
        let (a, b) = (line[at], line[(at + 1) % line.len()]);
        let heading = rolima_math::atan2(b[1] - a[1], b[0] - a[0]);
        // Every other one stands somewhere and looks anywhere.
        let (x, y, heading) = match i % 2 {
            0 => (a[0], a[1], heading),
            _ => (a[0] + random.between(-9.0, 9.0), a[1] + 8.0, random.between(-3.0, 3.0)),
        };
        let pose = StagePose::upright(x, y, terrain.height(x, y) + 0.5, heading);
        Camera { lens: Lens::ROBOT_ONE, pose, quality: Quality::default() }
    });
    Ok((stage, cameras.collect()))
}

/// The benchmark's work, without a clock: the caller times [`CameraBench::pictures`].
#[derive(Clone, Debug)]
pub struct CameraBench {
    stage: Stage,
    cameras: Vec<Camera>,
    renderer: Renderer,
    rgb: Vec<u8>,
    seed: u64,
    /// Bodies that move between pictures.
    moving: usize,
    drawn: u64,
}

impl CameraBench {
    /// The maze with nothing drawn yet.
    pub fn new(seed: u64) -> Result<Self, StageError> {
        Ok(Self::of(bench_scene(seed)?, seed, BODIES))
    }

    /// The hills with nothing drawn yet.
    pub fn hills(seed: u64) -> Result<Self, StageError> {
        Ok(Self::of(hills_bench_scene(seed)?, seed, 0))
    }

    fn of((stage, cameras): (Stage, Vec<Camera>), seed: u64, moving: usize) -> Self {
        let rgb = vec![0; 3 * Lens::ROBOT_ONE.pixels()];
        Self { stage, cameras, renderer: Renderer::new(), rgb, seed, moving, drawn: 0 }
    }

    /// Asks for other costs a picture.
    pub fn set_quality(&mut self, quality: Quality) {
        self.cameras.iter_mut().for_each(|camera| camera.quality = quality);
    }

    /// Moves all bodies and draws, `count` times; the next camera each time.
    pub fn pictures(&mut self, count: u64) -> Result<(), DrawError> {
        for _ in 0..count {
            let t = self.drawn as f64 / 30.0;
            for i in 0..self.moving {
                self.stage.set_pose(StageBody(i), place(self.seed, CELLS, i, t));
            }
            let camera = &self.cameras[(self.drawn % PLACES as u64) as usize];
            let pictures = Pictures { rgb: Some(&mut self.rgb), ..Pictures::default() };
            self.renderer.draw(&self.stage, camera, pictures)?;
            self.drawn += 1;
        }
        Ok(())
    }

    /// Hash of the last picture.
    pub fn hash(&self) -> u64 {
        let mut hash = Hash64::default();
        self.rgb.iter().for_each(|&byte| hash.word(u64::from(byte)));
        hash.finish()
    }

    /// The last picture: 320 x 240 pixels, red, green, blue, top row first.
    pub fn rgb(&self) -> &[u8] {
        &self.rgb
    }
}
