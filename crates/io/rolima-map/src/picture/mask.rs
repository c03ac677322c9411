//! The pixels of an ink's strokes, without dirt.

use super::effort::{PictureEffort, TooMany};
use super::ink::{STRONG, WEAK};
use super::left_out::{PixelBox, PixelBoxes};
use super::plane::PixelPlane;
use super::runs::components;

/// The pixels of an ink's strokes, and what is too little to be one.
pub(super) struct Mask {
    pub(super) mask: PixelPlane<bool>,
    /// Dots and faint ink.
    pub(super) dots: Vec<PixelBox>,
    /// Further ones.
    pub(super) more: PixelBoxes,
}

/// Fewest pixels of a stroke: less is dirt.
const LEAST_PIXELS: usize = 4;
/// Fewest pixels of faint ink that somebody may have drawn.
const LEAST_FAINT: usize = 16;
/// Longest edge of all ink, pixels: that of 180 strokes across the largest picture.
const MOST_EDGE: usize = 1_500_000;
/// Passes over all pixels, as they are counted.
const PASSES: usize = 3;
/// Most dots of which each is looked at, whether it lies beside a stroke.
const MOST_DOTS: usize = 10_000;

/// The pixels of an ink's strokes: those that hang together and are strong enough somewhere.
/// Slivers along shapes of other colours go.
/// None where there is nothing of it.
pub(super) fn mask(
    ink: &PixelPlane<u8>,
    is_shape: impl Fn(usize) -> bool,
    effort: &PictureEffort,
) -> Result<Option<Mask>, TooMany> {
    effort.pass(PASSES, ink.data.len());
    effort.check()?;
    // Strokes have two edges. Too much of them is known before anything is spent on it.
    if edge(ink) > MOST_EDGE {
        return Err(TooMany);
    }
    let mut mask: PixelPlane<bool> = PixelPlane::new(ink.width, ink.height);
    let (mut dots, mut more) = (vec![], PixelBoxes::default());
    let is_ink = |i: usize| ink.data[i] >= WEAK;
    components(ink.width, ink.height, is_ink, |all| {
        let pixels = || all.iter().map(|i| *i as usize);
        let count = pixels().len();
        let peak = pixels().map(|i| ink.data[i]).max().unwrap_or_default();
        let is_beside = |i: &usize| {
            is_shape(*i)
                || ink.neighbours(*i).any(|n| is_shape(n) || ink.neighbours(n).any(&is_shape))
        };
        if peak < 192 && pixels().filter(is_beside).count() * 10 >= count * 9 {
            return;
        }
        if count < LEAST_PIXELS || peak < STRONG {
            if peak >= STRONG || count >= LEAST_FAINT {
                let dot = PixelBox::of(ink, all);
                if dots.len() < MOST_DOTS { dots.push(dot) } else { more.add(dot) }
            }
            return;
        }
        pixels().for_each(|i| mask.data[i] = true);
    })?;
    let is_some = !dots.is_empty() || mask.data.contains(&true);
    Ok(is_some.then_some(Mask { mask, dots, more }))
}

/// How many pixels of ink lie beside one without, to the right or below, or the other way round.
fn edge(ink: &PixelPlane<u8>) -> usize {
    let is_ink = |i: usize| ink.data[i] >= WEAK;
    let beside = (1..ink.data.len()).filter(|i| is_ink(*i) != is_ink(i - 1)).count();
    let below = (ink.width..ink.data.len()).filter(|i| is_ink(*i) != is_ink(i - ink.width)).count();
    beside.max(below)
}
