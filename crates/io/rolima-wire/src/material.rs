//! What surfaces look like, and the tags of robots.

use crate::pb;
use crate::scene::{flat, outline};
use rolima_core::Model;
use rolima_core::model::{GroundPicture, MaterialId, MaterialSpec, TagColour, TagPatch};

/// Largest picture of a material that is sent, pixels along a side: what robots and walls need to be seen.
const MOST_SIDE: usize = 128;

/// The materials of a scene, in their order.
pub(crate) fn messages(model: &Model) -> Vec<pb::Material> {
    model.spec.materials.iter().map(message).collect()
}

/// How others name a material: from 1 on; 0 is none.
pub(crate) fn number(material: Option<MaterialId>) -> u32 {
    material.map_or(0, |material| material.0.saturating_add(1))
}

fn message(material: &MaterialSpec) -> pb::Material {
    let texture = material.texture.as_ref().map(|texture| {
        let (width, height, rgb) = at_most(&texture.picture, MOST_SIDE);
        let [size_x, size_y] = texture.size;
        pb::Texture { width: width as u32, height: height as u32, rgb: rgb.into(), size_x, size_y }
    });
    pb::Material {
        name: material.name.clone(),
        colour: material.colour,
        two_coloured: material.second.is_some(),
        second_colour: material.second.unwrap_or_default(),
        roughness: material.roughness as f32,
        light: material.light as f32,
        texture,
    }
}

/// A picture of at most so many pixels along a side: means of blocks of the larger one.
fn at_most(picture: &GroundPicture, most: usize) -> (usize, usize, Vec<u8>) {
    let step = picture.width.max(picture.height).div_ceil(most).max(1);
    let (width, height) = (picture.width.div_ceil(step), picture.height.div_ceil(step));
    let mut rgb = Vec::with_capacity(3 * width * height);
    for (row, column) in (0..height).flat_map(|row| (0..width).map(move |column| (row, column))) {
        let rows = row * step..((row + 1) * step).min(picture.height);
        let columns = column * step..((column + 1) * step).min(picture.width);
        let count = (rows.len() * columns.len()) as u32;
        for channel in 0..3 {
            let line =
                |y: usize| columns.clone().map(move |x| 3 * (y * picture.width + x) + channel);
            let all = rows.clone().flat_map(line).filter_map(|at| picture.rgb.get(at));
            let sum: u32 = all.map(|&byte| u32::from(byte)).sum();
            rgb.push(((sum + count / 2) / count) as u8);
        }
    }
    (width, height, rgb)
}

/// Floors in the order in which they are painted.
pub(crate) fn floors(model: &Model) -> Vec<pb::Floor> {
    let floor = |floor: &rolima_core::model::FloorSpec| pb::Floor {
        points: flat(&floor.vertices),
        material: number(Some(floor.material)),
    };
    model.floors().into_iter().map(floor).collect()
}

/// A patch of a robot's tag.
pub(crate) fn patch(patch: &TagPatch) -> pb::TagPatch {
    let tells = match patch.tells {
        TagColour::Team => "team",
        TagColour::Player => "player",
        TagColour::Own(_) => "",
    };
    let outline = Some(outline(&patch.outline));
    pb::TagPatch { outline, colour: patch.colour, tells: tells.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_pictures_are_sent_smaller_and_small_ones_as_they_are() {
        let rgb: Vec<u8> = (0..4 * 2 * 3).map(|i| 10 * i as u8).collect();
        let picture = GroundPicture { width: 4, height: 2, rgb: rgb.clone() };
        assert_eq!(at_most(&picture, 4), (4, 2, rgb));
        let (width, height, small) = at_most(&picture, 2);
        // Pixels (0, 0), (1, 0), (0, 1), (1, 1) have reds 0, 30, 120, 150.
        assert_eq!((width, height, small[0]), (2, 1, 75));
        assert_eq!(small.len(), 6);
        let odd = GroundPicture { width: 3, height: 1, rgb: vec![9; 9] };
        assert_eq!(at_most(&odd, 2), (2, 1, vec![9; 6]));
    }
}
