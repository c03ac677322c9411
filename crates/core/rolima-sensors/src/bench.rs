//! What the lidar benchmarks do, without a clock: the caller times [`LidarWork::single`] and
//! [`LidarWork::scans`], which return how many rays they cast and a hash of what they found.

use crate::mazes::Maze;
use crate::rays::{Fan, Outline, Placed, Plane, Ray, Scan, ScanScratch, VerticalProfile};
use core::f64::consts::TAU;
use rolima_math::{Hash64, Pose2, Rot2, Stream, Vec2};
use rolima_model::{BodyId, Part, Shape};

/// Height of the walls and of the plane in them, m; nothing moves.
const WALL_HEIGHT: f64 = 0.05;
const PLANE_HEIGHT: f64 = 0.03;

/// How far the rays go, m: farther than the maze is wide.
const RANGE: f64 = 8.0;

/// Rays that are cast between two looks at the result.
const RAYS: usize = 1 << 14;

/// Places that scans are made from.
const PLACES: usize = 1 << 8;

/// Rays and scans in a micromouse maze of 289 walls.
pub struct LidarWork {
    plane: Plane,
    rays: Vec<Ray>,
    places: Vec<Pose2>,
    scratch: ScanScratch,
    distances: Vec<f64>,
}

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Done {
    /// Rays cast.
    pub rays: u64,
    /// Mean distance, m.
    pub mean_distance: f64,
    /// Hash of all distances of a round.
    pub hash: u64,
}

impl LidarWork {
    /// The maze, random rays in it, and random places.
    pub fn new(seed: u64) -> Self {
        let maze = Maze::micromouse(seed);
        let mut random = Stream::new(seed, 0, "rays");
        let mut pose = || {
            let position = maze.free_place(&mut random);
            let rotation = Rot2::from_angle(random.between(0.0, TAU));
            Pose2 { position, rotation }
        };
        let ray = |pose: Pose2| Ray {
            origin: pose.position,
            direction: pose.rotation.rotate(Vec2::new(1.0, 0.0)),
            range: RANGE,
            skip: None,
        };
        let walls = maze.walls.iter().map(|wall| (wall, WALL_HEIGHT));
        let mut plane = Plane::new(PLANE_HEIGHT, walls, &[]);
        plane.look_out();
        Self {
            rays: (0..RAYS).map(|_| ray(pose())).collect(),
            places: (0..PLACES).map(|_| pose()).collect(),
            plane,
            scratch: ScanScratch::default(),
            distances: vec![],
        }
    }

    /// Casts all single rays, `rounds` times over.
    pub fn single(&mut self, rounds: u32) -> Done {
        self.distances.resize(RAYS, 0.0);
        for _ in 0..rounds {
            self.plane.cast_many(&self.rays, &mut self.distances);
        }
        done(u64::from(rounds) * RAYS as u64, &self.distances)
    }

    /// Scans with `beams` beams all around from every place, `rounds` times over.
    pub fn scans(&mut self, beams: usize, rounds: u32) -> Done {
        let beams = beams.clamp(1, 1 << 20);
        let Ok(fan) = Fan::new(0.0, TAU / beams as f64, beams) else {
            return done(0, &[]);
        };
        self.distances.resize(PLACES * beams, 0.0);
        for _ in 0..rounds {
            for (&pose, out) in self.places.iter().zip(self.distances.chunks_exact_mut(beams)) {
                let scan = Scan { pose, fan: &fan, range: RANGE, skip: None };
                self.plane.scan(&scan, &mut self.scratch, out);
            }
        }
        done(u64::from(rounds) * (PLACES * beams) as u64, &self.distances)
    }
}

/// Robots of [`HallWork`].
const HALL_ROBOTS: u32 = 1000;

/// Side of the hall, m.
const HALL_SIDE: f64 = 40.0;

/// A crowd of robots that all scan: in a square hall of 40 m with 100 pillars.
pub struct HallWork {
    plane: Plane,
    robots: Vec<Placed>,
    scratch: ScanScratch,
    distances: Vec<f64>,
}

impl HallWork {
    /// The hall and 1,000 robots of 0.44 x 0.38 m in it.
    pub fn new(seed: u64) -> Self {
        let half = 0.5 * HALL_SIDE;
        let wall = |x: f64, y: f64, theta: f64| Part::Box {
            pose: Pose2::new(x, y, theta),
            half: Vec2::new(half + 0.1, 0.1),
        };
        let quarter = core::f64::consts::FRAC_PI_2;
        let mut walls = vec![
            wall(0.0, half, 0.0),
            wall(0.0, -half, 0.0),
            wall(half, 0.0, quarter),
            wall(-half, 0.0, quarter),
        ];
        let mut random = Stream::new(seed, 0, "hall");
        let mut place = || {
            let most = half - 0.5;
            Vec2::new(random.between(-most, most), random.between(-most, most))
        };
        for _ in 0..100 {
            let pose = Pose2 { position: place(), rotation: Rot2::IDENTITY };
            walls.push(Part::Box { pose, half: Vec2::new(0.2, 0.2) });
        }
        let body = Part::Box { pose: Pose2::IDENTITY, half: Vec2::new(0.22, 0.19) };
        let outline = Outline::new(&Shape::from_parts(vec![body]), VerticalProfile::up_to(0.3));
        let robots = (0..HALL_ROBOTS).map(|number| {
            let rotation = Rot2::from_angle(f64::from(number));
            Placed { body: BodyId(number), outline: 0, pose: Pose2 { position: place(), rotation } }
        });
        Self {
            robots: robots.collect(),
            plane: Plane::new(0.2, walls.iter().map(|w| (w, 2.0)), &[outline]),
            scratch: ScanScratch::default(),
            distances: vec![],
        }
    }

    /// Every robot scans 180 degrees with `beams` beams of 8 m, `rounds` times over; the bodies
    /// are placed anew before each round.
    pub fn scans(&mut self, beams: usize, rounds: u32) -> Done {
        let step = core::f64::consts::PI / beams.max(1) as f64;
        let Ok(fan) = Fan::new(-core::f64::consts::FRAC_PI_2, step, beams) else {
            return done(0, &[]);
        };
        self.distances.resize(self.robots.len() * beams, 0.0);
        for _ in 0..rounds {
            self.plane.place(self.robots.iter().copied());
            for (robot, out) in self.robots.iter().zip(self.distances.chunks_exact_mut(beams)) {
                let scan =
                    Scan { pose: robot.pose, fan: &fan, range: RANGE, skip: Some(robot.body) };
                self.plane.scan(&scan, &mut self.scratch, out);
            }
        }
        done(u64::from(rounds) * self.distances.len() as u64, &self.distances)
    }
}

fn done(rays: u64, distances: &[f64]) -> Done {
    let mut hash = Hash64::default();
    distances.iter().for_each(|&d| hash.number(d));
    let mean_distance = distances.iter().sum::<f64>() / distances.len().max(1) as f64;
    Done { rays, mean_distance, hash: hash.finish() }
}
