//! Numbers in lines: matrices and regular meshes.

use crate::Area;
use crate::error::TerrainError;
use rolima_math::Vec2;
use rolima_spatial::terrain::MOST_NODES;
use rolima_spatial::{Edge, Grid, TerrainSpec};

/// A word of a text, with where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextWord<'a> {
    pub(crate) text: &'a str,
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl TextWord<'_> {
    /// As a finite number.
    pub(crate) fn number(&self, file: &str, what: &str) -> Result<f64, TerrainError> {
        match self.text.parse::<f64>() {
            Ok(x) if x.is_finite() => Ok(x),
            _ => Err(TerrainError::text(file, (self.line, self.column), what, self.text)),
        }
    }
}

/// Bytes as text, a byte-order mark taken off.
pub(crate) fn utf8<'a>(file: &str, bytes: &'a [u8]) -> Result<&'a str, TerrainError> {
    let text = core::str::from_utf8(bytes).map_err(|e| {
        TerrainError::file(file, "a text in UTF-8", format!("other bytes at {}", e.valid_up_to()))
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Words of a line, without comments.
pub(crate) fn words(line: usize, text: &str) -> impl Iterator<Item = TextWord<'_>> {
    let text = text.split(['#', '%']).next().unwrap_or("");
    let mut column = 1;
    text.split([' ', '\t', ',', ';', '\r']).filter_map(move |word| {
        let at = column;
        column += word.chars().count() + 1;
        (!word.is_empty()).then_some(TextWord { text: word, line, column: at })
    })
}

/// Lines that have words.
pub(crate) fn rows(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let numbered = text.lines().enumerate().map(|(i, line)| (i + 1, line));
    numbered.filter(|&(i, line)| words(i, line).next().is_some())
}

/// Heights in rows of equal length.
pub(crate) fn heights<'a>(
    file: &str,
    rows: impl Iterator<Item = (usize, &'a str)>,
    columns: Option<usize>,
) -> Result<(usize, usize, Vec<f64>), TerrainError> {
    let mut values = vec![];
    let (mut columns, mut count) = (columns, 0);
    for (line, text) in rows {
        let before = values.len();
        let mut last = 1;
        for word in words(line, text) {
            if values.len() == MOST_NODES {
                let expected = format!("at most {MOST_NODES} heights");
                return Err(TerrainError::text(file, (line, word.column), expected, "more"));
            }
            values.push(word.number(file, "a height in m")?);
            last = word.column;
        }
        let got = values.len() - before;
        let expected = *columns.get_or_insert(got);
        if got != expected {
            let expected = format!("{expected} heights in this line");
            return Err(TerrainError::text(file, (line, last), expected, got));
        }
        count += 1;
    }
    Ok((columns.unwrap_or(0), count, values))
}

/// What is expected of the number of nodes one way: half of the most there may be, as there are at
/// least two the other way.
pub(crate) const NODE_COUNT: &str = "a whole number from 2 to 2097152";
const MOST_ONE_WAY: f64 = (MOST_NODES / 2) as f64;
const _: () = assert!(MOST_NODES / 2 == 2_097_152, "NODE_COUNT says it");

/// A number of nodes one way, if it can be one.
pub(crate) fn node_count(number: f64) -> Option<usize> {
    let is_whole = (2.0..=MOST_ONE_WAY).contains(&number) && number.fract() == 0.0;
    is_whole.then_some(number as usize)
}

/// At least two nodes each way, or there is no surface.
pub(crate) fn check_size(file: &str, nx: usize, ny: usize) -> Result<(), TerrainError> {
    if nx >= 2 && ny >= 2 && nx.saturating_mul(ny) <= MOST_NODES {
        return Ok(());
    }
    let expected = format!("at least 2 x 2 and at most {MOST_NODES} heights");
    Err(TerrainError::file(file, expected, format!("{nx} x {ny}")))
}

/// A matrix as drawn: the first line lies at y_max, columns run along x.
pub fn matrix(file: &str, bytes: &[u8], area: Area) -> Result<TerrainSpec, TerrainError> {
    let text = utf8(file, bytes)?;
    let (nx, ny, values) = heights(file, rows(text), None)?;
    check_size(file, nx, ny)?;
    Ok(spec(area, Grid { nx, ny, values: upside_down(&values, nx) }))
}

/// A regular mesh: `nx ny x_min x_max y_min y_max`, then nx lines of ny heights; line i lies at
/// x_i, column j at y_j.
pub fn mesh(file: &str, bytes: &[u8]) -> Result<TerrainSpec, TerrainError> {
    let text = utf8(file, bytes)?;
    let mut lines = rows(text);
    let what = "nx ny x_min x_max y_min y_max";
    let (line, first) =
        lines.next().ok_or_else(|| TerrainError::text(file, (1, 1), what, "nothing"))?;
    let mut header = [0.0; 6];
    let mut at = words(line, first);
    for (i, number) in header.iter_mut().enumerate() {
        let word = at
            .next()
            .ok_or_else(|| TerrainError::text(file, (line, 1), what, format!("{i} numbers")))?;
        let whole = i < 2;
        *number = word.number(file, if whole { NODE_COUNT } else { "a coordinate in m" })?;
        if whole && node_count(*number).is_none() {
            return Err(TerrainError::text(file, (line, word.column), NODE_COUNT, word.text));
        }
    }
    if let Some(more) = at.next() {
        return Err(TerrainError::text(
            file,
            (line, more.column),
            "the end of the line",
            more.text,
        ));
    }
    let [nx, ny] = [header[0] as usize, header[1] as usize];
    check_size(file, nx, ny)?;
    let (columns, lines, values) = heights(file, lines, Some(ny))?;
    if lines != nx {
        return Err(TerrainError::file(file, format!("{nx} lines of heights"), lines));
    }
    // From line i, column j to rows along x.
    let turned = (0..ny).flat_map(|j| (0..nx).map(move |i| (i, j)));
    let values = turned.map(|(i, j)| values[i * columns + j]).collect();
    let area = Area { min: Vec2::new(header[2], header[4]), max: Vec2::new(header[3], header[5]) };
    Ok(spec(area, Grid { nx, ny, values }))
}

/// Rows in the opposite order.
pub(crate) fn upside_down(values: &[f64], nx: usize) -> Vec<f64> {
    values.chunks(nx.max(1)).rev().flatten().copied().collect()
}

pub(crate) fn spec(area: Area, heights: Grid) -> TerrainSpec {
    TerrainSpec { min: area.min, max: area.max, heights, friction: None, edge: Edge::Extended }
}
