//! A photograph of the empty field, as a camera would see it: pixel by pixel where its ray meets the ground.

use crate::camera::Camera;
use crate::camera_renderer::lens_of;
use rolima_math::{Vec2, tan};
use rolima_model::{BackgroundSpec, CameraSpec};

/// Red, green and blue of each pixel. What looks beyond the photograph sees its edge.
pub(crate) fn photograph(
    spec: &CameraSpec,
    camera: &Camera,
    background: &BackgroundSpec,
) -> Vec<u8> {
    let lens = lens_of(spec);
    let mut rgb = vec![0; 3 * lens.pixels()];
    let Some(map) = background.picture_from_ground() else { return rgb };
    let (width, height) = (f64::from(lens.width), f64::from(lens.height));
    let focal =
        [0.5 * width / tan(0.5 * lens.horizontal_fov), 0.5 * height / tan(0.5 * lens.vertical_fov)];
    for (i, pixel) in rgb.chunks_exact_mut(3).enumerate() {
        let (column, row) = (i % lens.width as usize, i / lens.width as usize);
        let x = (column as f64 + 0.5 - 0.5 * width) / focal[0];
        let y = (row as f64 + 0.5 - 0.5 * height) / focal[1];
        let ray = spec.imaging.undistorted([x, y]).unwrap_or([x, y]);
        if let Some(at) = on_ground(camera, ray).and_then(|ground| map.map(ground)) {
            pixel.copy_from_slice(&sampled(background, at));
        }
    }
    rgb
}

/// Where a ray meets the ground; none where it does not.
fn on_ground(camera: &Camera, [x, y]: [f64; 2]) -> Option<Vec2> {
    let [forward, left, up] = camera.pose.axes;
    let along = |axis: usize| forward[axis] - left[axis] * x - up[axis] * y;
    let [px, py, pz] = camera.pose.position;
    let far = -pz / along(2);
    (far > 0.0 && far.is_finite()).then(|| Vec2::new(px + far * along(0), py + far * along(1)))
}

/// The mean of the four pixels around a point.
fn sampled(background: &BackgroundSpec, at: Vec2) -> [u8; 3] {
    let picture = &*background.picture;
    let place = |x: f64, size: usize| {
        let most = size.saturating_sub(1) as f64;
        let x = (x - 0.5).clamp(0.0, most);
        let first = x.floor().min((most - 1.0).max(0.0));
        (first as usize, x - first, (first + 1.0).min(most) as usize)
    };
    let (left, right_share, right) = place(at.x, picture.width);
    let (top, bottom_share, bottom) = place(at.y, picture.height);
    let byte = |column: usize, row: usize, c: usize| {
        f64::from(picture.rgb[3 * (row * picture.width + column) + c])
    };
    [0, 1, 2].map(|c| {
        let across = |row: usize| {
            byte(left, row, c) * (1.0 - right_share) + byte(right, row, c) * right_share
        };
        (across(top) * (1.0 - bottom_share) + across(bottom) * bottom_share).round() as u8
    })
}
