//! Upright rectangles around strokes: most pairs are far apart, which they tell cheaply.

use super::stroke::Stroke;
use rolima_math::Vec2;

/// A rectangle around each of some strokes.
pub(crate) struct Boxes(Vec<(Vec2, Vec2)>);

impl Boxes {
    pub(crate) fn of(strokes: &[Stroke]) -> Self {
        Self(strokes.iter().map(around).collect())
    }

    /// Stroke `i` has changed.
    pub(crate) fn set(&mut self, i: usize, stroke: &Stroke) {
        self.0[i] = around(stroke);
    }

    /// Strokes that may be within `reach` of the box of stroke `i`, itself left out.
    pub(crate) fn near(&self, i: usize, reach: f64) -> impl Iterator<Item = usize> {
        self.within(self.0[i], reach).filter(move |j| *j != i)
    }

    /// Strokes that may be within `reach` of a point.
    pub(crate) fn near_point(&self, point: Vec2, reach: f64) -> impl Iterator<Item = usize> {
        self.within((point, point), reach)
    }

    fn within(&self, (low, high): (Vec2, Vec2), reach: f64) -> impl Iterator<Item = usize> {
        let (low, high) = (low - Vec2::new(reach, reach), high + Vec2::new(reach, reach));
        let is_near = move |(a, b): &(Vec2, Vec2)| {
            a.x <= high.x && a.y <= high.y && b.x >= low.x && b.y >= low.y
        };
        let all = self.0.iter().enumerate();
        all.filter(move |(_, other)| is_near(other)).map(|(j, _)| j)
    }
}

fn around(stroke: &Stroke) -> (Vec2, Vec2) {
    let [a, b] = stroke.ends.map(|end| end.point);
    (Vec2::new(a.x.min(b.x), a.y.min(b.y)), Vec2::new(a.x.max(b.x), a.y.max(b.y)))
}
