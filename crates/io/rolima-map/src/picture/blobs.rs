//! Filled shapes: robots, balls, cubes.

use super::effort::{PictureEffort, TooMany};
use super::ink::{InkColour, Inks};
use super::left_out::{PixelBox, PixelBoxes};
use super::runs::components;
use rolima_math::{Rot2, Vec2, atan2};

/// Fewest pixels of a shape: less is dirt.
const LEAST_PIXELS: usize = 6;
/// How many directions are looked at for a tip.
const DIRECTIONS: usize = 72;

/// A filled shape in pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blob {
    pub(crate) colour: InkColour,
    pub(crate) center: Vec2,
    /// Square pixels.
    pub(crate) area: f64,
    /// Where a shape with one tip, such as an arrow head, points to: a direction in the picture.
    pub(crate) tip: Option<Vec2>,
}

/// All filled shapes, from the top, up to one more than `most`. What is too small to be one goes to
/// `specks`.
pub(crate) fn blobs(
    inks: &Inks,
    most: usize,
    specks: &mut PixelBoxes,
    effort: &PictureEffort,
) -> Result<Vec<Blob>, TooMany> {
    let (width, height) = (inks.colour.width, inks.colour.height);
    let mut found = vec![];
    // Pixels that belong to a shape already.
    let coloured = inks.colour.data.iter();
    let mut taken: Vec<bool> = coloured.map(|colour| *colour != InkColour::None).collect();
    for colour in [InkColour::Red, InkColour::Blue, InkColour::Green] {
        effort.pass(1, width * height);
        let is_in = |i: usize| inks.colour.data[i] == colour;
        components(width, height, is_in, |pixels| {
            if pixels.len() < LEAST_PIXELS {
                specks.add(PixelBox::of(&inks.colour, pixels));
            } else if found.len() <= most {
                effort.look_around(pixels.len());
                found.push(blob(inks, colour, pixels, &mut taken));
            }
        })?;
        effort.check()?;
    }
    Ok(found)
}

fn blob(inks: &Inks, colour: InkColour, pixels: &[u32], taken: &mut [bool]) -> Blob {
    let full = full_strength(inks, pixels);
    // The edge fades out over two pixels at most, JPEG's smear included.
    let mut faded: Vec<u32> = vec![];
    let mut fade = |pixel: u32, faded: &mut Vec<u32>| {
        for i in inks.tinge.neighbours(pixel as usize) {
            if inks.tinge.data[i] == colour && !std::mem::replace(&mut taken[i], true) {
                faded.push(i as u32);
            }
        }
    };
    pixels.iter().for_each(|pixel| fade(*pixel, &mut faded));
    (0..faded.len()).for_each(|k| fade(faded[k], &mut faded));
    let all = || pixels.iter().chain(&faded);
    let weighted = || {
        let weight = |i: u32| (f64::from(inks.chroma.data[i as usize]) / full).min(1.0);
        all().map(move |i| (inks.colour.center(*i as usize), weight(*i)))
    };
    let (mut area, mut sum) = (0.0, Vec2::ZERO);
    for (point, weight) in weighted() {
        area += weight;
        sum += point * weight;
    }
    let center = sum * (1.0 / area);
    let tip = tip(weighted, center, area);
    Blob { colour, center, area, tip }
}

/// Full colour: what most of a shape has. A pixel with half of it is half in.
fn full_strength(inks: &Inks, pixels: &[u32]) -> f64 {
    let mut counts = [0_usize; 256];
    pixels.iter().for_each(|i| counts[usize::from(inks.chroma.data[*i as usize])] += 1);
    let mut below = 0;
    let full = counts.iter().position(|count| {
        below += count;
        below > pixels.len() * 3 / 4
    });
    full.unwrap_or(usize::from(u8::MAX)) as f64
}

/// The direction of the one tip of a shape; none for discs, squares and other shapes without one.
fn tip<I: Iterator<Item = (Vec2, f64)>>(
    weighted: impl Fn() -> I,
    center: Vec2,
    area: f64,
) -> Option<Vec2> {
    if area < 40.0 {
        return None; // too few pixels to have a form
    }
    let direction =
        |k: usize| Rot2::from_angle(core::f64::consts::TAU * k as f64 / DIRECTIONS as f64).x_axis();
    // Of each run of pixels in a row the first and the last reach farthest.
    let mut rows: Vec<[Vec2; 2]> = vec![];
    for (point, _) in weighted().filter(|(_, weight)| *weight >= 0.5) {
        match rows.last_mut() {
            Some([_, last]) if last.y == point.y && last.x <= point.x => *last = point,
            _ => rows.push([point; 2]),
        }
    }
    let solid: Vec<Vec2> = rows.into_iter().flatten().map(|point| point - center).collect();
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
    let (mut difference, mut product) = (0.0, 0.0);
    for (point, weight) in weighted() {
        let p = point - center;
        difference += weight * (p.x * p.x - p.y * p.y);
        product += weight * (p.x * p.y);
    }
    let angle = 0.5 * atan2(2.0 * product, difference);
    let axis = Rot2::from_angle(angle).x_axis();
    let forward = axis.dot(direction(far));
    (forward.abs() > 0.9).then(|| axis * forward.signum())
}
