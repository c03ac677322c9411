//! Worlds to measure and to test in, made by rule from a seed.

use rolima_math::{Pose2, Rot2, Stream, Vec2};
use rolima_model::Part;

/// Cells a side of a micromouse maze (rules of the IEEE contest).
pub const MICROMOUSE_CELLS: u32 = 16;
/// Distance between the walls' middle lines in a micromouse maze, m (the same rules).
pub const MICROMOUSE_PITCH: f64 = 0.18;
/// Thickness of the walls of a micromouse maze, m (the same rules).
pub const MICROMOUSE_THICKNESS: f64 = 0.012;

/// A maze of square cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Maze {
    /// Its walls, one for each closed side of a cell.
    pub walls: Vec<Part>,
    /// Cells a side.
    pub cells: u32,
    /// Distance between the middle lines of walls, m.
    pub pitch: f64,
    /// Thickness of the walls, m.
    pub thickness: f64,
}

impl Maze {
    /// A perfect maze, in which one way leads from each cell to each other: (n + 1)^2 walls for n
    /// cells a side, by depth-first search from the lower left corner, which is at the origin.
    pub fn perfect(seed: u64, cells: u32, pitch: f64, thickness: f64) -> Self {
        let n = cells.max(1) as usize;
        let mut random = Stream::new(seed, 0, "maze");
        // Whether the side right of, and above, each cell is open.
        let mut open = vec![[false; 2]; n * n];
        let mut known = vec![false; n * n];
        let mut path = vec![(0, 0)];
        known[0] = true;
        while let Some(&(x, y)) = path.last() {
            let mut ways = [(0, 0); 4];
            let mut count = 0;
            for (dx, dy) in [(1, 0), (0, 1), (-1, 0), (0, -1)] {
                let (nx, ny) = (x + dx, y + dy);
                let inside = (0..n as i64).contains(&nx) && (0..n as i64).contains(&ny);
                if inside && !known[(ny * n as i64 + nx) as usize] {
                    ways[count] = (nx, ny);
                    count += 1;
                }
            }
            if count == 0 {
                path.pop();
                continue;
            }
            let (nx, ny) = ways[(random.next_u64() % count as u64) as usize];
            let lower = (ny.min(y) * n as i64 + nx.min(x)) as usize;
            open[lower][usize::from(nx == x)] = true;
            known[(ny * n as i64 + nx) as usize] = true;
            path.push((nx, ny));
        }
        let mut maze = Self { walls: vec![], cells: n as u32, pitch, thickness };
        for i in 0..=n {
            for j in 0..n {
                let upright_closed = i == 0 || i == n || !open[j * n + i - 1][0];
                let level_closed = i == 0 || i == n || !open[(i - 1) * n + j][1];
                if upright_closed {
                    maze.wall(i as f64, j as f64 + 0.5, Rot2 { c: 0.0, s: 1.0 });
                }
                if level_closed {
                    maze.wall(j as f64 + 0.5, i as f64, Rot2::IDENTITY);
                }
            }
        }
        maze
    }

    /// The maze of the lidar benchmarks: a micromouse maze, 289 walls.
    pub fn micromouse(seed: u64) -> Self {
        Self::perfect(seed, MICROMOUSE_CELLS, MICROMOUSE_PITCH, MICROMOUSE_THICKNESS)
    }

    fn wall(&mut self, x: f64, y: f64, rotation: Rot2) {
        let position = Vec2::new(x * self.pitch, y * self.pitch);
        // Half a thickness longer at both ends, so that corners are closed.
        let half = Vec2::new(0.5 * (self.pitch + self.thickness), 0.5 * self.thickness);
        self.walls.push(Part::Box { pose: Pose2 { position, rotation }, half });
    }

    /// A random place in a random cell, a tenth of the pitch or more off the walls.
    pub fn free_place(&self, random: &mut Stream) -> Vec2 {
        let mut coordinate = || {
            let cell = (random.next_u64() % u64::from(self.cells)) as f64;
            (cell + 0.5 + random.between(-0.5, 0.5) * 0.8 * (1.0 - self.thickness / self.pitch))
                * self.pitch
        };
        Vec2::new(coordinate(), coordinate())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_micromouse_maze_has_289_walls_and_is_another_for_another_seed() {
        let maze = Maze::micromouse(1);
        assert_eq!(maze.walls.len(), 289);
        assert_eq!(maze, Maze::micromouse(1));
        assert_ne!(maze, Maze::micromouse(2));
        for cells in [1, 2, 5, 30] {
            let maze = Maze::perfect(3, cells, 1.0, 0.1);
            assert_eq!(maze.walls.len(), ((cells + 1) * (cells + 1)) as usize);
        }
    }
}
