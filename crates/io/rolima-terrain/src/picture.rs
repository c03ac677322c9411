//! Heightmaps and friction maps out of pictures.

use crate::Area;
use crate::error::TerrainError;
use crate::text::{check_size, spec, upside_down};
use image::{ColorType, DynamicImage, ImageError, ImageReader, Limits};
use rolima_spatial::{Grid, TerrainSpec};
use std::io::Cursor;

/// Largest side of a picture, pixels.
const MOST_SIDE: u32 = 8192;

/// A grey picture as heights: black is `low`, white `high` (m); 8 or 16 bits a pixel (colours
/// are turned to grey). Pixels are nodes, the top row lies at y_max.
pub fn heightmap(
    file: &str,
    bytes: &[u8],
    area: Area,
    (low, high): (f64, f64),
) -> Result<TerrainSpec, TerrainError> {
    if !(low.is_finite() && high.is_finite()) {
        return Err(TerrainError::file(
            file,
            "finite heights of black and white",
            format!("{low} and {high}"),
        ));
    }
    let Grid { nx, ny, values } = grey(file, bytes)?;
    check_size(file, nx, ny)?;
    let values = values.iter().map(|g| low + (high - low) * g).collect();
    Ok(spec(area, Grid { nx, ny, values }))
}

/// A picture as factors on friction: black is 0, white `white`. Pixels are equal patches over the
/// terrain, the top row lies at y_max.
pub fn friction_map(file: &str, bytes: &[u8], white: f64) -> Result<Grid, TerrainError> {
    if !(0.0..=10.0).contains(&white) {
        return Err(TerrainError::file(file, "a factor of white from 0 to 10", white));
    }
    let mut grid = grey(file, bytes)?;
    grid.values.iter_mut().for_each(|f| *f *= white);
    Ok(grid)
}

/// Pixels across and down, and red, green and blue of each, rows from the top.
pub type Coloured = (usize, usize, Vec<u8>);

/// A picture in colour, in at most `most` pixels a side: larger ones are averaged.
pub fn coloured(file: &str, bytes: &[u8], most: u32) -> Result<Coloured, TerrainError> {
    let mut picture = decode(file, bytes)?;
    if picture.width().max(picture.height()) > most {
        picture = picture.thumbnail(most, most);
    }
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    Ok((width, height, picture.into_rgb8().into_raw()))
}

/// Grey from 0 to 1, bottom row first.
fn grey(file: &str, bytes: &[u8]) -> Result<Grid, TerrainError> {
    let picture = decode(file, bytes)?;
    let (nx, ny) = (picture.width() as usize, picture.height() as usize);
    let sixteen = matches!(
        picture.color(),
        ColorType::L16 | ColorType::La16 | ColorType::Rgb16 | ColorType::Rgba16
    );
    let values: Vec<f64> = if sixteen {
        picture.to_luma16().pixels().map(|p| f64::from(p.0[0]) / 65535.0).collect()
    } else {
        picture.to_luma8().pixels().map(|p| f64::from(p.0[0]) / 255.0).collect()
    };
    Ok(Grid { nx, ny, values: upside_down(&values, nx) })
}

fn decode(file: &str, bytes: &[u8]) -> Result<DynamicImage, TerrainError> {
    let expected = "a PNG, JPEG or BMP picture";
    let mut reader = ImageReader::new(Cursor::new(bytes))
        .with_guessed_format()
        .map_err(|e| TerrainError::file(file, expected, e))?;
    let mut limits = Limits::default();
    limits.max_image_width = Some(MOST_SIDE);
    limits.max_image_height = Some(MOST_SIDE);
    limits.max_alloc = Some(256 << 20);
    reader.limits(limits);
    reader.decode().map_err(|e| match e {
        ImageError::Limits(_) => {
            let most = format!("a picture of at most {MOST_SIDE} x {MOST_SIDE} pixels");
            TerrainError::file(file, most, "a larger one")
        }
        ImageError::Unsupported(_) => TerrainError::file(file, expected, "another format"),
        e => TerrainError::file(file, expected, format!("a damaged one ({e})")),
    })
}
