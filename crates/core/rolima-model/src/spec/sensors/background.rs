//! A photograph of the empty field, in place of the drawn one.

use crate::ModelError;
use crate::spec::GroundPicture;
use rolima_math::Vec2;
use std::sync::Arc;

/// Least area that three corners may have, as a share of the square over their longest side: less is a line.
const LEAST_AREA: f64 = 1e-6;

/// A photograph of the empty field, and where four points of the flat ground are in it.
#[derive(Clone, Debug, PartialEq)]
pub struct BackgroundSpec {
    /// What it is called in messages: its file.
    pub name: String,
    /// The photograph.
    pub picture: Arc<GroundPicture>,
    /// Four points in it, pixels from its upper left corner, right and down.
    pub corners: [Vec2; 4],
    /// The same four points on the ground, m.
    pub at: [Vec2; 4],
}

/// A map of a plane to another one that keeps lines straight: rows of a matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Homography([f64; 9]);

impl BackgroundSpec {
    /// Checks the corners. `key` is the path for errors.
    pub fn check(&self, key: &str) -> Result<(), ModelError> {
        for (name, points) in [("corners", &self.corners), ("at", &self.at)] {
            if !is_in_general(points) {
                let expected = "four points of which no three are in a line";
                let got = points.map(|p| format!("[{}, {}]", p.x, p.y)).join(", ");
                return Err(ModelError::new(format!("{key}.{name}"), expected, got));
            }
        }
        match self.picture_from_ground() {
            Some(_) => Ok(()),
            None => Err(ModelError::new(
                format!("{key}.corners"),
                "corners in the order of `at`",
                "others",
            )),
        }
    }

    /// From points of the ground, m, to pixels of the photograph; none where the corners fit to nothing.
    pub fn picture_from_ground(&self) -> Option<Homography> {
        Homography::between(&self.at, &self.corners)
    }
}

fn is_in_general(points: &[Vec2; 4]) -> bool {
    let triples = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]];
    triples.into_iter().all(|[a, b, c]| {
        let (u, v) = (points[b] - points[a], points[c] - points[a]);
        let long = u.length_squared().max(v.length_squared());
        long.is_finite() && u.cross(v).abs() > LEAST_AREA * long && long > 0.0
    })
}

impl Homography {
    /// The one that maps four points to four others.
    pub fn between(from: &[Vec2; 4], to: &[Vec2; 4]) -> Option<Self> {
        // u (g x + h y + 1) = a x + b y + c, and v likewise: eight equations for a to h.
        let mut rows = [[0.0; 9]; 8];
        for (i, (p, q)) in from.iter().zip(to).enumerate() {
            rows[2 * i] = [p.x, p.y, 1.0, 0.0, 0.0, 0.0, -q.x * p.x, -q.x * p.y, q.x];
            rows[2 * i + 1] = [0.0, 0.0, 0.0, p.x, p.y, 1.0, -q.y * p.x, -q.y * p.y, q.y];
        }
        for column in 0..8 {
            let larger =
                |a: &usize, b: &usize| rows[*a][column].abs().total_cmp(&rows[*b][column].abs());
            let pivot = (column..8).max_by(larger)?;
            rows.swap(column, pivot);
            let first = rows[column];
            if first[column].abs() < 1e-12 {
                return None;
            }
            for (i, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != column) {
                debug_assert!(i < 8);
                let share = row[column] / first[column];
                row.iter_mut().zip(first).for_each(|(x, y)| *x -= share * y);
            }
        }
        let mut matrix = [1.0; 9];
        for (i, x) in matrix[..8].iter_mut().enumerate() {
            *x = rows[i][8] / rows[i][i];
        }
        Some(Self(matrix))
    }

    /// Where a point is mapped to; none at the horizon and beyond.
    pub fn map(&self, p: Vec2) -> Option<Vec2> {
        let [a, b, c, d, e, f, g, h, i] = self.0;
        let w = g * p.x + h * p.y + i;
        let mapped = Vec2::new((a * p.x + b * p.y + c) / w, (d * p.x + e * p.y + f) / w);
        (w > 1e-9 && mapped.is_finite()).then_some(mapped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_corners_go_where_they_belong_and_lines_stay_straight() {
        let from = [[-0.75, -0.65], [0.75, -0.65], [0.75, 0.65], [-0.75, 0.65]]
            .map(|[x, y]| Vec2::new(x, y));
        let to = [[80.0, 420.0], [590.0, 440.0], [540.0, 60.0], [110.0, 40.0]]
            .map(|[x, y]| Vec2::new(x, y));
        let map = Homography::between(&from, &to).expect("a map");
        for (p, q) in from.into_iter().zip(to) {
            assert!((map.map(p).expect("near") - q).length() < 1e-9);
        }
        let [a, b, c] =
            [0.0, 0.3, 1.0].map(|t| map.map(from[0] * (1.0 - t) + from[2] * t).expect("near"));
        assert!((b - a).cross(c - a).abs() < 1e-6);
        let line = [from[0], from[1], (from[0] + from[1]) * 0.5, from[2]];
        let picture = Arc::new(GroundPicture { width: 1, height: 1, rgb: vec![0; 3] });
        let spec = BackgroundSpec { name: "a.png".to_owned(), picture, corners: to, at: line };
        let error = spec.check("sensor.0.background").unwrap_err().to_string();
        assert!(
            error.starts_with("sensor.0.background.at: expected four points of which no three"),
            "{error}"
        );
    }
}
