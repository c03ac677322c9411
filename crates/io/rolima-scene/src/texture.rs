//! `texture` of `[ground]`: a pattern by name, or a picture, and its real size.

use crate::reader::{Fields, Key, Range, number};
use crate::scene::Assembler;
use rolima_model::{GroundPicture, GroundTexture};
use rolima_render::{Pattern, TEXTURE_SIDE};
use std::sync::Arc;

/// Patterns by name, and how many metres one copy has where the scene does not say.
const PATTERNS: [(&str, Pattern, f64); 9] = [
    ("grass", Pattern::Grass, 3.0),
    ("sand", Pattern::Sand, 2.0),
    ("earth", Pattern::Earth, 2.5),
    ("asphalt", Pattern::Asphalt, 3.0),
    ("concrete", Pattern::Concrete, 4.0),
    ("grid", Pattern::Grid, 1.0),
    ("brick", Pattern::Brick, 1.25),
    ("boards", Pattern::Boards, 1.0),
    ("crate", Pattern::Crate, 1.0),
];

/// Patterns of two colours, of materials only: which of them a copy has, column by column in each row, and
/// how many metres it has where the scene does not say.
pub(crate) const TWO_COLOURED: [(&str, &[&[usize]], f64); 2] =
    [("checker", &[&[0, 1], &[1, 0]], 0.1), ("stripes", &[&[0], &[1]], 0.1)];

/// Most pixels along a side of a picture that is kept; larger ones are averaged.
const MOST_SIDE: u32 = 1024;
/// Real size of a copy.
pub(crate) const TEXTURE_SIZE: Key = number(
    "texture_size",
    "m",
    Range::Within(0.01, 10_000.0),
    "real size of one copy along x; its height follows from the picture",
)
.computed("of the patterns 3, 2, 2.5, 3, 4, 1, 1.25, 1, 1; of pictures required");
/// Real size of a copy on a material.
pub(crate) const MATERIAL_TEXTURE_SIZE: Key = TEXTURE_SIZE
    .computed("that of the ground's patterns, 0.1 of checker and stripes; of pictures required");

impl Assembler {
    /// What covers a material of two colours.
    pub(crate) fn texture_of_material(
        &mut self,
        fields: &Fields<'_>,
        colours: [u32; 2],
    ) -> Option<GroundTexture> {
        let name = fields.get("texture").and_then(|node| node.text());
        let found = TWO_COLOURED.iter().find(|(known, ..)| Some(*known) == name);
        let Some((name, rows, usual)) = found else {
            return self.texture_or(fields, &TWO_COLOURED.map(|(name, ..)| name));
        };
        fields.text(&mut self.log, "texture");
        let size = fields.number_or(&mut self.log, "texture_size", *usual);
        let bytes = |colour: u32| [16, 8, 0].map(|shift| (colour >> shift) as u8);
        let rgb = rows.iter().copied().flatten().flat_map(|i| bytes(colours[*i])).collect();
        let (width, height) = (rows[0].len(), rows.len());
        let picture = Arc::new(GroundPicture { width, height, rgb });
        Some(GroundTexture { name: (*name).to_owned(), picture, size: [size; 2] })
    }

    /// What covers the ground.
    pub(crate) fn texture(&mut self, fields: &Fields<'_>) -> Option<GroundTexture> {
        self.texture_or(fields, &[])
    }

    /// A pattern or a picture; messages tell of other words, too.
    fn texture_or(&mut self, fields: &Fields<'_>, others: &[&str]) -> Option<GroundTexture> {
        let Some(node) = fields.get("texture") else {
            if let Some(node) = fields.get("texture_size") {
                let expected = "no such key without a texture";
                let key = fields.key_path("texture_size");
                self.log.wrong(&node.origin, key, expected, node.value.got());
            }
            return None;
        };
        let name = fields.text(&mut self.log, "texture");
        node.text()?;
        if let Some((_, pattern, usual)) = PATTERNS.iter().find(|known| known.0 == name) {
            let size = fields.number_or(&mut self.log, "texture_size", *usual);
            let picture = Arc::new(pixels(*pattern));
            return Some(GroundTexture { name, picture, size: [size; 2] });
        }
        if !name.contains('.') {
            let names = PATTERNS.iter().map(|known| known.0);
            let names: Vec<&str> = others.iter().copied().chain(names).collect();
            let expected = format!("{} or a picture in PNG, JPEG or BMP", names.join(", "));
            let key = fields.key_path("texture");
            self.log.wrong(&node.origin, key, expected, format!("{name:?}"));
            return None;
        }
        // A picture does not say how large it is.
        let size = fields.number(&mut self.log, "texture_size");
        let (file, bytes) = self.terrain_bytes(fields, "texture")?;
        match rolima_terrain::coloured(&file, &bytes, MOST_SIDE) {
            Ok((width, height, rgb)) => {
                let size = [size, size * height as f64 / width as f64];
                let picture = Arc::new(GroundPicture { width, height, rgb });
                Some(GroundTexture { name, picture, size })
            }
            Err(error) => {
                self.log.error(error.into());
                None
            }
        }
    }
}

/// A pattern, pixel by pixel.
fn pixels(pattern: Pattern) -> GroundPicture {
    let texture = pattern.texture();
    let all = (0..TEXTURE_SIDE * TEXTURE_SIDE).map(|at| (at % TEXTURE_SIDE, at / TEXTURE_SIDE));
    let rgb = all.flat_map(|(x, y)| texture.pixel(x, y)).collect();
    GroundPicture { width: TEXTURE_SIDE, height: TEXTURE_SIDE, rgb }
}
