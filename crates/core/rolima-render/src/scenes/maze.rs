//! A maze with cubes, balls and a few other things.

use super::robot_one;
use crate::{
    Colour, Paint, Pattern, Solid, Stage, StageBuilder, StageError, StagePose, StageShape,
};
use rolima_math::Stream;
use std::sync::Arc;

/// Distance between the middle lines of walls, m.
const PITCH: f64 = 2.5;
/// Walls as the thesis has them, m.
const THICKNESS: f64 = 0.2;
const HEIGHT: f64 = 2.0;

/// Ends of a wall on the ground, m.
type Ends = [[f64; 2]; 2];

/// Walls of a perfect maze of n x n cells: (n + 1)^2 of them, one for each closed side of a cell.
/// Found by depth-first search from the lower left corner, which is at the origin.
pub fn maze_walls(seed: u64, cells: usize, pitch: f64) -> Vec<Ends> {
    let n = cells.max(1);
    let mut random = Stream::new(seed, 0, "maze");
    // Whether the side right of, and above, each cell is open.
    let mut open = vec![[false; 2]; n * n];
    let mut known = vec![false; n * n];
    let mut path = vec![(0_usize, 0_usize)];
    known[0] = true;
    while let Some(&(x, y)) = path.last() {
        let around = [(x + 1, y), (x, y + 1), (x.wrapping_sub(1), y), (x, y.wrapping_sub(1))];
        let ways: Vec<_> = around
            .into_iter()
            .filter(|&(nx, ny)| nx < n && ny < n && !known[ny * n + nx])
            .collect();
        if ways.is_empty() {
            path.pop();
            continue;
        }
        let (nx, ny) = ways[(random.next_u64() % ways.len() as u64) as usize];
        open[ny.min(y) * n + nx.min(x)][usize::from(nx == x)] = true;
        known[ny * n + nx] = true;
        path.push((nx, ny));
    }
    let mut walls = Vec::new();
    for i in 0..=n {
        for j in 0..n {
            let at = |x: usize, y: usize| [x as f64 * pitch, y as f64 * pitch];
            let edge = i == 0 || i == n;
            if edge || !open[j * n + i - 1][0] {
                walls.push([at(i, j), at(i, j + 1)]);
            }
            if edge || !open[(i - 1) * n + j][1] {
                walls.push([at(j, i), at(j + 1, i)]);
            }
        }
    }
    walls
}

/// The first object number of the maze's walls; bodies begin at [`FIRST_BODY`].
pub(crate) const FIRST_WALL: u32 = 100;
pub(crate) const FIRST_BODY: u32 = 10;

/// A maze of n x n cells on painted concrete, and `bodies` moving things in random
/// cells of it: balls, crates, posts and robots.
pub fn maze(seed: u64, cells: usize, bodies: usize) -> Result<Stage, StageError> {
    let mut builder = StageBuilder::new();
    let floor = builder.pattern(Pattern::Concrete)?;
    let brick = builder.pattern(Pattern::Brick)?;
    let wood = builder.pattern(Pattern::Crate)?;
    builder.ground(Paint::textured(floor, 4.0).coloured([214, 206, 190]), 1);
    // Two copies to a pitch: bricks go on from wall to wall.
    let wall = Paint::textured(brick, PITCH / 2.0);
    for (i, [from, to]) in maze_walls(seed, cells, PITCH).into_iter().enumerate() {
        builder.wall(from, to, THICKNESS, HEIGHT, wall, FIRST_WALL + i as u32);
    }
    let line = Paint::plain([246, 206, 40]);
    for i in 0..cells {
        let y = (i as f64 + 0.5) * PITCH;
        builder.paint_line([0.5 * PITCH, y], [(cells as f64 - 0.5) * PITCH, y], 0.12, line, 2);
    }
    const COLOURS: [Colour; 5] =
        [[214, 40, 40], [30, 96, 214], [40, 160, 70], [240, 150, 30], [130, 60, 170]];
    for i in 0..bodies {
        let colour = COLOURS[i % 5];
        let shape = match i % 5 {
            0 | 2 => {
                let paint = Paint::plain(colour).with_second([240, 240, 236]).glossy(0.5);
                StageShape::Ball { radius: 0.35, paint }
            }
            1 => StageShape::Solid(Arc::new(Solid::cuboid([0.8; 3], Paint::textured(wood, 0.8)))),
            3 => StageShape::Solid(Arc::new(Solid::cylinder(0.3, 0.9, Paint::plain(colour)))),
            _ => StageShape::Solid(Arc::new(robot_one(Paint::plain([190, 30, 36])))),
        };
        builder.body(shape, place(seed, cells, i, 0.0), FIRST_BODY + i as u32);
    }
    Ok(builder.build())
}

/// Pose of moving body `i` at time `t`, s: in a random cell, turning or rolling slowly.
pub(crate) fn place(seed: u64, cells: usize, i: usize, t: f64) -> StagePose {
    let mut random = Stream::new(seed, i as u64, "place");
    let mut coordinate = || {
        let cell = (random.next_u64() % cells.max(1) as u64) as f64;
        (cell + 0.5 + random.between(-0.2, 0.2)) * PITCH
    };
    let (x, y) = (coordinate(), coordinate());
    let heading = random.between(-3.0, 3.0) + 0.3 * t;
    let height = [0.35, 0.4, 0.35, 0.45, 0.0][i % 5];
    match i % 5 {
        0 | 2 => StagePose::from_angles([x, y, height], heading, 0.5 * t, 0.6),
        _ => StagePose::upright(x, y, height, heading),
    }
}

/// A random place to look from, 0.5 m above the ground.
pub(crate) fn look(random: &mut Stream, cells: usize) -> StagePose {
    let mut coordinate = || {
        let cell = (random.next_u64() % cells.max(1) as u64) as f64;
        (cell + 0.5 + random.between(-0.3, 0.3)) * PITCH
    };
    let (x, y) = (coordinate(), coordinate());
    StagePose::upright(x, y, 0.5, random.between(-std::f64::consts::PI, std::f64::consts::PI))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_maze_of_16_cells_a_side_has_289_walls() {
        assert_eq!(maze_walls(1, 16, 1.0).len(), 289);
        assert_ne!(maze_walls(1, 16, 1.0), maze_walls(2, 16, 1.0));
    }
}
