//! ESRI ASCII grids.

use crate::Area;
use crate::error::TerrainError;
use crate::text::{
    NODE_COUNT, check_size, heights, node_count, rows, spec, upside_down, utf8, words,
};
use rolima_math::Vec2;
use rolima_spatial::{Grid, TerrainSpec};

/// Reads an ESRI ASCII grid: `ncols`, `nrows`, `xllcorner` or `xllcenter`, `yllcorner` or
/// `yllcenter`, `cellsize`, perhaps `nodata_value`, in any order and case, then the rows from north
/// to south. Heights lie at the centres of the cells. Places without data get `fill`, and are an
/// error without it.
pub fn esri(file: &str, bytes: &[u8], fill: Option<f64>) -> Result<TerrainSpec, TerrainError> {
    let text = utf8(file, bytes)?;
    let mut header = Header::default();
    let mut lines = rows(text).peekable();
    while let Some(&(line, text)) = lines.peek() {
        let mut at = words(line, text);
        let Some(key) = at.next() else { break };
        if key.text.parse::<f64>().is_ok() {
            break;
        }
        let value = at.next().ok_or_else(|| {
            TerrainError::text(file, (line, key.column), "a key and a number", key.text)
        })?;
        let number = value.number(file, "a number")?;
        if !header.take(&key.text.to_ascii_lowercase(), number) {
            let expected = "ncols, nrows, xllcorner, yllcorner, xllcenter, yllcenter, cellsize or nodata_value";
            return Err(TerrainError::text(file, (line, key.column), expected, key.text));
        }
        lines.next();
    }
    let need = |value: Option<f64>, key: &str| {
        value.ok_or_else(|| TerrainError::file(file, format!("a line `{key}`"), "none"))
    };
    let whole = |value: f64, key: &str| {
        node_count(value)
            .ok_or_else(|| TerrainError::file(file, format!("`{key}`, {NODE_COUNT}"), value))
    };
    let nx = whole(need(header.columns, "ncols")?, "ncols")?;
    let ny = whole(need(header.rows, "nrows")?, "nrows")?;
    check_size(file, nx, ny)?;
    let cell = need(header.cell, "cellsize")?;
    if cell <= 0.0 {
        return Err(TerrainError::file(file, "a positive cellsize", cell));
    }
    let low = |corner: Option<f64>, centre: Option<f64>, key: &str| match (corner, centre) {
        (_, Some(centre)) => Ok(centre),
        (corner, None) => need(corner, key).map(|x| x + 0.5 * cell),
    };
    let min = Vec2::new(
        low(header.corner[0], header.centre[0], "xllcorner")?,
        low(header.corner[1], header.centre[1], "yllcorner")?,
    );
    let first = lines.peek().map_or(1, |(line, _)| *line);
    let (columns, count, mut values) = heights(file, lines, Some(nx))?;
    if (columns, count) != (nx, ny) {
        return Err(TerrainError::file(file, format!("{ny} rows of heights"), count));
    }
    // Absent data is -9999 where nothing is said.
    let absent = header.absent.unwrap_or(-9999.0);
    for (i, z) in values.iter_mut().enumerate().filter(|(_, z)| **z == absent) {
        *z = fill.ok_or_else(|| {
            let place = (first + i / nx, i % nx + 1);
            let expected = "a height (say what to fill in where there is none)";
            TerrainError::text(file, place, expected, "no data")
        })?;
    }
    let max = Vec2::new(min.x + cell * (nx - 1) as f64, min.y + cell * (ny - 1) as f64);
    let values = upside_down(&values, nx);
    Ok(spec(Area { min, max }, Grid { nx, ny, values }))
}

#[derive(Default)]
struct Header {
    columns: Option<f64>,
    rows: Option<f64>,
    corner: [Option<f64>; 2],
    centre: [Option<f64>; 2],
    cell: Option<f64>,
    absent: Option<f64>,
}

impl Header {
    /// Takes a line over; whether its key is known.
    fn take(&mut self, key: &str, value: f64) -> bool {
        let place = match key {
            "ncols" => &mut self.columns,
            "nrows" => &mut self.rows,
            "xllcorner" => &mut self.corner[0],
            "yllcorner" => &mut self.corner[1],
            "xllcenter" | "xllcentre" => &mut self.centre[0],
            "yllcenter" | "yllcentre" => &mut self.centre[1],
            "cellsize" => &mut self.cell,
            "nodata_value" => &mut self.absent,
            _ => return false,
        };
        *place = Some(value);
        true
    }
}
