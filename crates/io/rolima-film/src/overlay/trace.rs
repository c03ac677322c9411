//! Where bodies have been: lines over the ground, hidden by what stands before them.

use super::Paper;
use rolima_core::model::BodyKind;
use rolima_core::model::colour::{self, TeamColours};
use rolima_core::{BodyId, Model};
use rolima_math::tan;
use rolima_render::{Camera, CameraRenderer, Point3};
use std::collections::VecDeque;

/// How long traces last, s.
const LAST_S: f64 = 10.0;
/// Bodies that leave traces, at most: the first robots and balls of the scene.
const MOST: usize = 64;
/// What is faster than this was put elsewhere, and leaves a gap, m/s.
const JUMP_M_S: f64 = 15.0;
/// How far a trace may lie behind what is seen and still be shown, of its distance, and m: it lies on the
/// ground, which pictures on rough ground show with fewer faces.
const BEHIND: (f64, f64) = (0.004, 0.004);

/// Where a body was.
#[derive(Clone, Copy)]
struct Place {
    time_s: f64,
    at: Point3,
    /// Whether it got there from the place before.
    joined: bool,
}

/// The trace of a body.
struct Trace {
    body: BodyId,
    colour: [u8; 3],
    places: VecDeque<Place>,
}

/// The traces of a world.
pub(crate) struct Traces {
    traces: Vec<Trace>,
    /// How much of each pixel the trace that is drawn covers, of 256.
    cover: Vec<u16>,
    touched: Vec<usize>,
}

impl Traces {
    pub(crate) fn new(model: &Model) -> Self {
        let teams = TeamColours::of(model);
        let colour_of = |body: &rolima_core::model::BodyModel| match body.kind {
            BodyKind::Robot => Some(teams.colour(&model.robots[body.index as usize].team)),
            BodyKind::Ball => {
                let own = model.spec.balls.get(body.index as usize).and_then(|ball| ball.colour);
                Some(own.unwrap_or(colour::BALL))
            }
            BodyKind::Object | BodyKind::Wall => None,
        };
        let trace = |body: &rolima_core::model::BodyModel| {
            let colour = colour_of(body)?;
            let colour = [colour >> 16, colour >> 8, colour].map(|shade| shade as u8);
            Some(Trace { body: body.id, colour, places: VecDeque::new() })
        };
        let traces = model.bodies().filter_map(trace).take(MOST).collect();
        Self { traces, cover: vec![], touched: vec![] }
    }

    /// Notes where the bodies are now.
    pub(crate) fn note(&mut self, renderer: &CameraRenderer, time_s: f64) {
        for trace in &mut self.traces {
            let Some(pose) = renderer.pose(trace.body) else { continue };
            let [x, y, _] = pose.position;
            if !(x.is_finite() && y.is_finite()) {
                continue;
            }
            let at = [x, y, renderer.ground(x, y)];
            let joined = trace.places.back().is_some_and(|last| {
                let (dx, dy) = (x - last.at[0], y - last.at[1]);
                let far = JUMP_M_S * (time_s - last.time_s);
                dx * dx + dy * dy <= far * far
            });
            trace.places.push_back(Place { time_s, at, joined });
            while trace.places.front().is_some_and(|first| time_s - first.time_s > LAST_S) {
                trace.places.pop_front();
            }
        }
    }

    /// Draws all of them as a camera sees them, where nothing is nearer than they are.
    pub(crate) fn draw(&mut self, camera: &Camera, depth: &[f32], paper: &mut Paper<'_>) {
        self.cover.resize((paper.width * paper.height) as usize, 0);
        let eye = Eye::of(camera);
        let thick = paper.scale();
        for trace in &self.traces {
            let Some(now_s) = trace.places.back().map(|last| last.time_s) else { continue };
            let pairs = trace.places.iter().zip(trace.places.iter().skip(1));
            for (from, to) in pairs.filter(|(_, to)| to.joined) {
                let Some(line) = eye.line(from.at, to.at, paper) else { continue };
                let age = (now_s - to.time_s) / LAST_S;
                let cover = (40.0 + 190.0 * (1.0 - age)) as u16;
                line.each_pixel(thick, paper, |pixel, away| {
                    let seen = f64::from(depth[pixel]);
                    if away <= seen * (1.0 + BEHIND.0) + BEHIND.1 && cover > self.cover[pixel] {
                        if self.cover[pixel] == 0 {
                            self.touched.push(pixel);
                        }
                        self.cover[pixel] = cover;
                    }
                });
            }
            for pixel in self.touched.drain(..) {
                let cover = std::mem::take(&mut self.cover[pixel]);
                paper.lay(pixel, trace.colour, u32::from(cover));
            }
        }
    }
}

/// From the world to pixels.
struct Eye<'a> {
    camera: &'a Camera,
    focal: [f64; 2],
    middle: [f64; 2],
}

/// A line in a picture: pixels, and how far away its ends are, m.
struct Line {
    from: [f64; 2],
    to: [f64; 2],
    away: [f64; 2],
}

impl<'a> Eye<'a> {
    fn of(camera: &'a Camera) -> Self {
        let lens = &camera.lens;
        let middle = [0.5 * f64::from(lens.width), 0.5 * f64::from(lens.height)];
        let focal =
            [middle[0] / tan(0.5 * lens.horizontal_fov), middle[1] / tan(0.5 * lens.vertical_fov)];
        Self { camera, focal, middle }
    }

    /// Forward, to the left and up from the lens, m.
    fn see(&self, at: Point3) -> Point3 {
        let pose = &self.camera.pose;
        let d = [0, 1, 2].map(|i| at[i] - pose.position[i]);
        pose.unrotate(d)
    }

    /// The part of a line that is before the lens and within the picture.
    fn line(&self, from: Point3, to: Point3, paper: &Paper<'_>) -> Option<Line> {
        let near = self.camera.lens.near;
        let (mut a, mut b) = (self.see(from), self.see(to));
        if a[0] < near && b[0] < near {
            return None;
        }
        let cut = |outer: Point3, inner: Point3| {
            let share = (near - outer[0]) / (inner[0] - outer[0]);
            [0, 1, 2].map(|i| outer[i] + share * (inner[i] - outer[i]))
        };
        if a[0] < near {
            a = cut(a, b);
        } else if b[0] < near {
            b = cut(b, a);
        }
        let pixel = |p: Point3| {
            [
                self.middle[0] - self.focal[0] * p[1] / p[0],
                self.middle[1] - self.focal[1] * p[2] / p[0],
            ]
        };
        let line = Line { from: pixel(a), to: pixel(b), away: [a[0], b[0]] };
        line.within([paper.width as f64, paper.height as f64])
    }
}

impl Line {
    /// The part within a picture and a little beyond.
    fn within(self, size: [f64; 2]) -> Option<Self> {
        const BEYOND: f64 = 8.0;
        let (mut first, mut last) = (0.0_f64, 1.0_f64);
        for i in 0..2 {
            let (a, d) = (self.from[i], self.to[i] - self.from[i]);
            let (low, high) = (-BEYOND - a, size[i] + BEYOND - a);
            if d == 0.0 {
                if low > 0.0 || high < 0.0 {
                    return None;
                }
                continue;
            }
            let (s, t) = if d > 0.0 { (low / d, high / d) } else { (high / d, low / d) };
            (first, last) = (first.max(s), last.min(t));
        }
        if first > last || !(first + last).is_finite() {
            return None;
        }
        let at = |share: f64| [0, 1].map(|i| self.from[i] + share * (self.to[i] - self.from[i]));
        // Reciprocals of distances are straight in pictures.
        let away = |share: f64| {
            1.0 / (1.0 / self.away[0] + share * (1.0 / self.away[1] - 1.0 / self.away[0]))
        };
        Some(Self { from: at(first), to: at(last), away: [away(first), away(last)] })
    }

    /// Tells of every pixel that a line of some pixels' thickness touches, and how far away it is there.
    fn each_pixel(&self, thick: i64, paper: &Paper<'_>, mut each: impl FnMut(usize, f64)) {
        let d = [self.to[0] - self.from[0], self.to[1] - self.from[1]];
        let steps = d[0].abs().max(d[1].abs()).ceil().max(1.0);
        let mut step = 0.0;
        while step <= steps {
            let share = step / steps;
            let away =
                1.0 / (1.0 / self.away[0] + share * (1.0 / self.away[1] - 1.0 / self.away[0]));
            let [x, y] = [0, 1].map(|i| (self.from[i] + share * d[i]).floor() as i64);
            for oy in 0..thick {
                for ox in 0..thick {
                    if let Some(pixel) = paper.pixel(x + ox - thick / 2, y + oy - thick / 2) {
                        each(pixel, away);
                    }
                }
            }
            step += 1.0;
        }
    }
}
