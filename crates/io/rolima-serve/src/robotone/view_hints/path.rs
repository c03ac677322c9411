//! Where a robot has been.

/// Points of a line that are kept.
const MOST: usize = 2048;
/// A robot that has gone farther than this between two looks, m, plus what its speed allows, was
/// put elsewhere.
const JUMP_M: f64 = 0.03;
const JUMP_FACTOR: f64 = 2.5;
/// Stands between two pieces of a line.
const GAP: [f32; 2] = [f32::NAN; 2];

fn is_gap(point: &[f32; 2]) -> bool {
    point[0].is_nan()
}

/// A line that goes on for ever in bounded memory: where it gets long, it gets coarser.
#[derive(Debug)]
pub(super) struct Polyline {
    points: Vec<[f32; 2]>,
    /// The shortest piece at first and now, m.
    first_least: f64,
    least: f64,
}

impl Polyline {
    /// A line whose pieces are at least so long, m.
    pub(super) fn new(least: f64) -> Self {
        // At once, as points are added where nothing may be allocated.
        Self { points: Vec::with_capacity(MOST), first_least: least, least }
    }

    /// Begins anew.
    pub(super) fn clear(&mut self) {
        self.points.clear();
        self.least = self.first_least;
    }

    /// Goes on to a point; not from the one before where there is a gap between them.
    fn go_on(&mut self, [x, y]: [f64; 2], gap: bool) {
        let point = [x as f32, y as f32];
        if let Some(last) = self.points.last() {
            let [dx, dy] = [x - f64::from(last[0]), y - f64::from(last[1])];
            if !gap && dx * dx + dy * dy < self.least * self.least {
                return;
            }
            if gap {
                self.points.push(GAP);
            }
        }
        self.points.push(point);
        // Room for a gap and a point is always left.
        if self.points.len() + 2 > MOST {
            self.coarsen();
        }
    }

    /// Leaves out every second point; if that does not help, the older half.
    fn coarsen(&mut self) {
        self.least *= 2.0;
        let mut keeps = false;
        self.points.retain(|point| {
            // The first after a gap is kept.
            keeps = !keeps && !is_gap(point);
            keeps || is_gap(point)
        });
        if self.points.len() > MOST / 4 * 3 {
            self.points.drain(..MOST / 2);
        }
    }

    /// Its pieces, as x and y in turn.
    pub(super) fn pieces(&self) -> impl Iterator<Item = Vec<f32>> {
        let pieces = self.points.split(is_gap).filter(|piece| !piece.is_empty());
        pieces.map(|piece| piece.iter().flatten().copied().collect())
    }
}

/// A robot as a path needs it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spot {
    pub(super) time_s: f64,
    /// Where it is, m.
    pub(super) at: [f64; 2],
    /// Where it believes to be, m.
    pub(super) believed: Option<[f64; 2]>,
    /// How fast it is, m/s.
    pub(super) speed: f64,
}

/// Where a robot has been, and where it believes to have been.
#[derive(Debug)]
pub(super) struct RobotPath {
    pub(super) robot: u32,
    /// It begins anew where this mark is passed.
    pub(super) anew_at: Option<u64>,
    pub(super) true_path: Polyline,
    pub(super) believed: Polyline,
    last: Option<Spot>,
}

impl RobotPath {
    /// A path of pieces of at least so many metres.
    pub(super) fn new(robot: u32, least: f64) -> Self {
        let (true_path, believed) = (Polyline::new(least), Polyline::new(least));
        Self { robot, anew_at: None, true_path, believed, last: None }
    }

    /// Begins anew.
    pub(super) fn clear(&mut self) {
        self.true_path.clear();
        self.believed.clear();
        self.last = None;
    }

    /// Takes note of where the robot is; true if the path began anew, as time did.
    pub(super) fn take(&mut self, spot: Spot) -> bool {
        let is_anew = self.last.is_some_and(|last| spot.time_s < last.time_s);
        if is_anew {
            self.clear();
        }
        let jumps = |from: [f64; 2], to: [f64; 2], last: &Spot| {
            let room = JUMP_FACTOR * spot.speed.max(last.speed) * (spot.time_s - last.time_s);
            let [dx, dy] = [to[0] - from[0], to[1] - from[1]];
            dx * dx + dy * dy > (JUMP_M + room) * (JUMP_M + room)
        };
        let last = self.last.replace(spot);
        let gap = last.is_some_and(|last| jumps(last.at, spot.at, &last));
        self.true_path.go_on(spot.at, gap);
        if let Some(now) = spot.believed {
            let before = last.and_then(|last| Some((last.believed?, last)));
            let gap = before.is_some_and(|(from, last)| jumps(from, now, &last));
            self.believed.go_on(now, gap);
        }
        is_anew
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(time_s: f64, x: f64, speed: f64) -> Spot {
        Spot { time_s, at: [x, 0.0], believed: Some([0.0, x]), speed }
    }

    #[test]
    fn a_path_has_a_point_for_every_so_much_of_the_way() {
        let mut path = RobotPath::new(0, 0.1);
        for i in 0..=1000 {
            assert!(!path.take(spot(f64::from(i) * 1e-3, f64::from(i) * 1e-3, 1.0)));
        }
        let true_paths: Vec<Vec<f32>> = path.true_path.pieces().collect();
        assert!(
            true_paths.len() == 1 && (10..=11).contains(&(true_paths[0].len() / 2)),
            "{true_paths:?}"
        );
        let believed: Vec<Vec<f32>> = path.believed.pieces().collect();
        assert_eq!(believed[0][3], true_paths[0][2], "believed along y");
    }

    #[test]
    fn no_line_leads_to_where_a_robot_was_put() {
        let mut path = RobotPath::new(0, 0.1);
        path.take(spot(0.0, 0.0, 1.0));
        path.take(spot(0.2, 0.2, 1.0));
        path.take(spot(0.201, 5.0, 1.0));
        path.take(spot(0.401, 5.2, 1.0));
        let true_paths: Vec<Vec<f32>> = path.true_path.pieces().collect();
        assert_eq!(true_paths, [vec![0.0, 0.0, 0.2, 0.0], vec![5.0, 0.0, 5.2, 0.0]]);
        assert!(path.take(spot(0.0, 1.0, 0.0)), "time began anew");
        assert_eq!(path.true_path.pieces().collect::<Vec<_>>(), [vec![1.0, 0.0]]);
    }

    #[test]
    fn a_long_path_gets_coarser_and_keeps_its_beginning() {
        let mut path = RobotPath::new(0, 0.1);
        let room = path.true_path.points.capacity();
        for i in 0..100_000 {
            path.take(spot(f64::from(i), f64::from(i), 1.0));
            assert!(path.true_path.points.len() <= MOST);
        }
        assert_eq!(path.true_path.points.capacity(), room, "nothing was allocated");
        let true_path = path.true_path.pieces().next().expect("a piece");
        assert!(
            true_path[0] == 0.0
                && true_path[true_path.len() - 2] > 99_000.0
                && true_path.len() > MOST / 4
        );
    }

    #[test]
    fn a_path_of_jumps_alone_is_bounded_too() {
        let mut path = RobotPath::new(0, 0.1);
        for i in 0..100_000 {
            path.take(spot(f64::from(i) * 1e-3, f64::from(i % 7) * 10.0, 0.0));
            assert!(path.true_path.points.len() <= MOST);
        }
    }
}
