//! Filled shapes: robots, balls, cubes.

use super::ink::{Colour, Inks};
use super::left_out::Places;
use super::plane::components;
use rolima_math::{Rot2, Vec2, atan2};

/// Fewest pixels of a shape: less is dirt.
const LEAST_PIXELS: usize = 6;
/// How many directions are looked at for a tip.
const DIRECTIONS: usize = 72;

/// A filled shape in pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blob {
    pub(crate) colour: Colour,
    pub(crate) center: Vec2,
    /// Square pixels.
    pub(crate) area: f64,
    /// Where a shape with one tip, such as an arrow head, points to: a direction in the picture.
    pub(crate) tip: Option<Vec2>,
}

/// All filled shapes, from the top, up to one more than `most`. What is too small to be one goes to
/// `specks`.
pub(crate) fn blobs(inks: &Inks, most: usize, specks: &mut Places) -> Vec<Blob> {
    let (width, height) = (inks.colour.width, inks.colour.height);
    let mut found = vec![];
    // Pixels that belong to a shape already.
    let coloured = inks.colour.data.iter();
    let mut taken: Vec<bool> = coloured.map(|colour| *colour != Colour::None).collect();
    for colour in [Colour::Red, Colour::Blue, Colour::Green] {
        let is_in = |i: usize| inks.colour.data[i] == colour;
        components(width, height, is_in, |pixels| {
            if pixels.len() < LEAST_PIXELS {
                specks.add(inks.colour.center(pixels[0] as usize), pixels.len());
            } else if found.len() <= most {
                found.push(blob(inks, colour, pixels, &mut taken));
            }
        });
    }
    found
}

fn blob(inks: &Inks, colour: Colour, pixels: &[u32], taken: &mut [bool]) -> Blob {
    // Full colour is what most of the shape has; a pixel with half of it is half in.
    let mut strengths: Vec<u8> = pixels.iter().map(|i| inks.chroma.data[*i as usize]).collect();
    strengths.sort_unstable();
    let full = f64::from(strengths[strengths.len() * 3 / 4]);
    let mut area = 0.0;
    let mut sum = Vec2::ZERO;
    // The edge fades out over two pixels at most, JPEG's smear included.
    let mut all: Vec<usize> = pixels.iter().map(|i| *i as usize).collect();
    let mut first = 0;
    for _ in 0..2 {
        let last = all.len();
        for k in first..last {
            for i in inks.tinge.neighbours(all[k]) {
                if inks.tinge.data[i] == colour && !std::mem::replace(&mut taken[i], true) {
                    all.push(i);
                }
            }
        }
        first = last;
    }
    let weighted: Vec<(Vec2, f64)> = all
        .iter()
        .map(|i| (inks.colour.center(*i), (f64::from(inks.chroma.data[*i]) / full).min(1.0)))
        .collect();
    for (point, weight) in &weighted {
        area += weight;
        sum += *point * *weight;
    }
    let center = sum * (1.0 / area);
    let tip = tip(&weighted, center, area);
    Blob { colour, center, area, tip }
}

/// The direction of the one tip of a shape; none for discs, squares and other shapes without one.
fn tip(weighted: &[(Vec2, f64)], center: Vec2, area: f64) -> Option<Vec2> {
    if area < 40.0 {
        return None; // too few pixels to have a form
    }
    let direction =
        |k: usize| Rot2::from_angle(core::f64::consts::TAU * k as f64 / DIRECTIONS as f64).x_axis();
    let solid: Vec<Vec2> =
        weighted.iter().filter(|(_, weight)| *weight >= 0.5).map(|(p, _)| *p - center).collect();
    let reach: Vec<f64> = (0..DIRECTIONS)
        .map(|k| {
            let u = direction(k);
            solid.iter().map(|p| p.dot(u)).fold(0.0, f64::max) + 0.5
        })
        .collect();
    let far = (0..DIRECTIONS).max_by(|a, b| reach[*a].total_cmp(&reach[*b]))?;
    let opposite = reach[(far + DIRECTIONS / 2) % DIRECTIONS];
    let apart = |k: usize| {
        let d = k.abs_diff(far);
        d.min(DIRECTIONS - d) * 360 / DIRECTIONS
    };
    let second = (0..DIRECTIONS).filter(|k| apart(*k) > 60).map(|k| reach[k]).fold(0.0, f64::max);
    // Of a triangle, two thirds of the height lie before the centre and one behind.
    if reach[far] < 1.5 * opposite || reach[far] < 1.1 * second {
        return None;
    }
    // The long axis of the shape is truer than the pixel that happens to be the tip.
    let moment = |f: &dyn Fn(Vec2) -> f64| -> f64 {
        weighted.iter().map(|(p, weight)| weight * f(*p - center)).sum()
    };
    let difference = moment(&|p| p.x * p.x - p.y * p.y);
    let angle = 0.5 * atan2(2.0 * moment(&|p| p.x * p.y), difference);
    let axis = Rot2::from_angle(angle).x_axis();
    let forward = axis.dot(direction(far));
    (forward.abs() > 0.9).then(|| axis * forward.signum())
}
