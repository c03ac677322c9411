//! What several tests need.
#![allow(dead_code, reason = "each test file uses its own part")]

use rolima_render::{Camera, Lens, Pictures, Quality, Renderer, Stage, StagePose};

/// All three pictures of a camera.
pub(crate) struct Seen {
    pub(crate) camera: Camera,
    pub(crate) rgb: Vec<u8>,
    pub(crate) depth: Vec<f32>,
    pub(crate) objects: Vec<u32>,
}

pub(crate) fn see(stage: &Stage, camera: Camera) -> Seen {
    let pixels = camera.lens.pixels();
    let mut seen = Seen {
        camera,
        rgb: vec![0; 3 * pixels],
        depth: vec![0.0; pixels],
        objects: vec![0; pixels],
    };
    let pictures = Pictures {
        rgb: Some(&mut seen.rgb),
        depth: Some(&mut seen.depth),
        objects: Some(&mut seen.objects),
    };
    Renderer::new().draw(stage, &camera, pictures).expect("a good lens");
    seen
}

pub(crate) fn camera(pose: StagePose) -> Camera {
    Camera { lens: Lens::ROBOT_ONE, pose, quality: Quality::default() }
}

impl Seen {
    pub(crate) fn object(&self, column: usize, row: usize) -> u32 {
        self.objects[row * self.camera.lens.width as usize + column]
    }
    pub(crate) fn depth(&self, column: usize, row: usize) -> f64 {
        f64::from(self.depth[row * self.camera.lens.width as usize + column])
    }
    pub(crate) fn colour(&self, column: usize, row: usize) -> [u8; 3] {
        let at = 3 * (row * self.camera.lens.width as usize + column);
        [self.rgb[at], self.rgb[at + 1], self.rgb[at + 2]]
    }
    /// Direction of a place in the picture, in pixels, in the world, with depth 1.
    pub(crate) fn ray(&self, x: f64, y: f64) -> [f64; 3] {
        let lens = &self.camera.lens;
        let (w, h) = (f64::from(lens.width), f64::from(lens.height));
        let right = (2.0 * x / w - 1.0) * rolima_math::tan(lens.horizontal_fov / 2.0);
        let down = (2.0 * y / h - 1.0) * rolima_math::tan(lens.vertical_fov / 2.0);
        self.camera.pose.rotate([1.0, -right, -down])
    }
}
