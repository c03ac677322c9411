//! Pictures of a world, with overlays.

use crate::FilmError;
use crate::overlay::{Overlays, Paper, Traces, clock, text};
use crate::view::{FilmView, Operator};
use rolima_core::{Model, World};
use rolima_render::{Camera, CameraRenderer, Pictures};

/// A film of worlds of one model: its camera, and what has been seen so far.
pub struct Film {
    renderer: CameraRenderer,
    operator: Operator,
    overlays: Overlays,
    traces: Traces,
    size: [u32; 2],
    depth: Vec<f32>,
}

impl Film {
    /// A film of worlds of a model, in pictures of a size in pixels.
    pub fn new(
        model: &Model,
        view: FilmView,
        size: [u32; 2],
        overlays: Overlays,
    ) -> Result<Self, FilmError> {
        let mut renderer = CameraRenderer::new(model)?;
        if view == FilmView::Top {
            // From where the whole field is seen, haze would hide it.
            renderer.clear_air();
        }
        let operator = Operator::new(view, size, overlays.smooth);
        let pixels = size[0] as usize * size[1] as usize;
        let depth = if overlays.traces { vec![0.0; pixels] } else { vec![] };
        Ok(Self { renderer, operator, overlays, traces: Traces::new(model), size, depth })
    }

    /// Draws a world of the model as it is now: three bytes a pixel, top row first. `time_s` is the time that
    /// is shown, `score` the score.
    pub fn draw(
        &mut self,
        world: &World,
        time_s: f64,
        score: Option<&str>,
        rgb: &mut [u8],
    ) -> Result<(), FilmError> {
        let frame = world.frame();
        let poses: Vec<_> = frame.bodies.iter().map(|body| body.pose).collect();
        self.renderer.place(&poses, &frame.spatial);
        let Some((camera, hidden)) = self.operator.camera(&self.renderer, world, time_s) else {
            rgb.fill(0);
            return Ok(());
        };
        let depth = self.overlays.traces.then_some(&mut self.depth[..]);
        let pictures = Pictures { rgb: Some(&mut *rgb), depth, objects: None };
        self.renderer.draw_from(&camera, hidden, pictures)?;
        self.overlay(&camera, time_s, score, rgb);
        Ok(())
    }

    /// What is written and drawn over a picture.
    fn overlay(&mut self, camera: &Camera, time_s: f64, score: Option<&str>, rgb: &mut [u8]) {
        let Overlays { time, score: shows_score, traces, .. } = self.overlays;
        let mut paper = Paper::new(rgb, self.size);
        if traces {
            self.traces.note(&self.renderer, time_s);
            self.traces.draw(camera, &self.depth, &mut paper);
        }
        if time {
            text(&mut paper, &clock(time_s), 0.0);
        }
        if let Some(score) = score.filter(|_| shows_score) {
            text(&mut paper, score, 0.5);
        }
    }
}
