//! Straight runs through points by least squares, and as few of them as will do.

use super::effort::PictureEffort;
use rolima_math::Vec2;

/// How far points may lie from the line through them, pixels: at most, and by root mean square.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slack {
    pub(crate) farthest: f64,
    pub(crate) mean: f64,
}

/// Points `first` to `last` of a way, and the straight line through them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) first: usize,
    pub(crate) last: usize,
    /// The mean of the points.
    pub(crate) point: Vec2,
    pub(crate) along: Vec2,
    ends: [Vec2; 2],
}

impl Run {
    /// The run through some of `points`, by least squares.
    pub(crate) fn of(points: &[Vec2], first: usize, last: usize) -> Self {
        let part = &points[first..=last];
        let n = part.len() as f64;
        let mean = part.iter().fold(Vec2::ZERO, |sum, p| sum + *p) * (1.0 / n);
        let chord = (part[part.len() - 1] - part[0]).unit_or(Vec2::new(1.0, 0.0));
        let (mut spread, mut lean) = (0.0, 0.0);
        for point in part {
            let from = *point - mean;
            spread += from.dot(chord) * from.dot(chord);
            lean += from.dot(chord) * chord.cross(from);
        }
        let slope = if spread > 0.5 { lean / spread } else { 0.0 };
        let along = (chord + chord.perp() * slope).unit_or(chord);
        Self { first, last, point: mean, along, ends: [part[0], part[part.len() - 1]] }
    }

    pub(crate) fn length(&self) -> f64 {
        (self.ends[1] - self.ends[0]).length()
    }

    /// The point of the line that is nearest to one.
    pub(crate) fn nearest(&self, to: Vec2) -> Vec2 {
        self.point + self.along * (to - self.point).dot(self.along)
    }

    /// How far points are from the line: at most, and by root mean square.
    fn misses(&self, points: &[Vec2]) -> (f64, f64) {
        let part = &points[self.first..=self.last];
        let away = |p: &Vec2| self.along.cross(*p - self.point).abs();
        let most = part.iter().map(away).fold(0.0, f64::max);
        let squares: f64 = part.iter().map(|p| away(p) * away(p)).sum();
        (most, (squares / part.len() as f64).sqrt())
    }
}

/// Makes one run of two neighbours while a single line does for both, the best pair first.
pub(crate) fn merged(
    points: &[Vec2],
    mut runs: Vec<Run>,
    half: f64,
    slack: Slack,
    effort: &PictureEffort,
) -> Vec<Run> {
    // The middle of a wide stroke wavers more.
    let (farthest, mean) = (slack.farthest + 0.05 * half, slack.mean + 0.02 * half);
    let union = |a: &Run, b: &Run| {
        effort.spend((b.last - a.first) as u64 / 16 + 1);
        let both = Run::of(points, a.first, b.last);
        let (most, rms) = both.misses(points);
        (most <= farthest && rms <= mean).then_some((both, rms))
    };
    let mut unions: Vec<Option<(Run, f64)>> =
        runs.windows(2).map(|pair| union(&pair[0], &pair[1])).collect();
    while !effort.is_spent() {
        let possible = unions.iter().enumerate().filter_map(|(k, u)| Some((k, (*u)?)));
        let best = possible.min_by(|(_, a), (_, b)| a.1.total_cmp(&b.1));
        let Some((k, (both, _))) = best else { break };
        effort.spend(unions.len() as u64 / 16);
        runs[k] = both;
        runs.remove(k + 1);
        unions.remove(k);
        if k > 0 {
            unions[k - 1] = union(&runs[k - 1], &runs[k]);
        }
        if k + 1 < runs.len() {
            unions[k] = union(&runs[k], &runs[k + 1]);
        }
    }
    runs
}

/// Where one run becomes the next, which begins at `cut`: the crossing of their lines if that is
/// near.
pub(crate) fn corner(before: &Run, after: &Run, cut: Vec2, half: f64) -> Vec2 {
    let sine = before.along.cross(after.along);
    let between = (before.nearest(cut) + after.nearest(cut)) * 0.5;
    if sine.abs() < 0.1 {
        return between;
    }
    let crossing =
        before.point + before.along * ((after.point - before.point).cross(after.along) / sine);
    if (crossing - cut).length() <= half + 2.0 { crossing } else { between }
}
