//! Worlds that are hard to load, for `rolima bench loading`.

use anyhow::Result;
use rolima_math::{Rot2, Stream};
use std::fmt::Write;

/// Something to load.
pub(super) enum Load {
    Map { name: &'static str, bytes: Vec<u8>, goals: Vec<[f64; 2]> },
    Scene(&'static str),
}

impl Load {
    fn text(text: String) -> Self {
        Self::Map { name: "map.txt", bytes: text.into_bytes(), goals: vec![] }
    }

    /// Where robots are sent afterwards, m.
    pub(super) fn goals(&self) -> &[[f64; 2]] {
        match self {
            Self::Map { goals, .. } => goals,
            Self::Scene(_) => &[],
        }
    }
}

/// All of them, by name.
pub(super) fn loads() -> Result<Vec<(&'static str, Load)>> {
    Ok(vec![
        ("nothing but a small map", Load::text("W 2 -2 2 2\nR 0 0\n".to_owned())),
        ("5,000 walls of 2,000 km", Load::text(walls_across(5_000)?)),
        ("99,000 short walls", Load::text(walls(99_000, 300.0, 1.0)?)),
        ("a maze of 300 x 300", Load::text(maze(300)?)),
        ("90,000 long walls", Load::text(walls(90_000, 300.0, 300.0)?)),
        ("the scene realistic", Load::Scene("realistic")),
        (
            "a picture of 4,096 x 4,096",
            Load::Map { name: "maze.png", bytes: picture(4096)?, goals: vec![] },
        ),
        ("32 goals and 3,721 walls", among_walls(61)?),
    ])
}

/// Walls anywhere within `extent` m, up to twice `half` m long each way, and a robot beside them.
fn walls(count: usize, extent: f64, half: f64) -> Result<String> {
    let mut random = Stream::new(1, 0, "walls");
    let beside = -(extent + half + 10.0);
    let mut text = format!("R {beside} {beside}\n");
    for _ in 0..count {
        let [x, y] = [0, 0].map(|_| random.between(-extent, extent));
        let [dx, dy] = [0.0, -half].map(|least| random.between(least, half));
        writeln!(text, "W {:.1} {:.1} {:.1} {:.1}", x - dx, y - dy, x + dx + 0.3, y + dy)?;
    }
    Ok(text)
}

/// Walls as long as the world is wide, in all directions, past a robot in its middle.
fn walls_across(count: usize) -> Result<String> {
    let mut random = Stream::new(5, 0, "walls");
    let mut text = "R 0 0\n".to_owned();
    for _ in 0..count {
        let along = Rot2::from_angle(random.between(-3.2, 3.2)).x_axis();
        let (foot, half) = (along.perp() * random.between(30.0, 450.0), along * 999_400.0);
        let (a, b) = (foot - half, foot + half);
        writeln!(text, "W {:.1} {:.1} {:.1} {:.1}", a.x, a.y, b.x, b.y)?;
    }
    Ok(text)
}

/// A maze of so many cells each way, with one way from every cell to every other.
fn maze(side: i32) -> Result<String> {
    let mut random = Stream::new(2, 0, "maze");
    let mut text = "R 1 1\n".to_owned();
    let size = 2 * side;
    writeln!(text, "W 0 0 0 {size}\nW 0 0 {size} 0")?;
    for i in 0..side {
        for k in 0..side {
            // Each cell is open to one of the two after it, and closed to the other.
            let open_right = i + 1 < side && (k + 1 == side || random.next_u64().is_multiple_of(2));
            let (x, y) = (2 * i + 2, 2 * k + 2);
            if !open_right {
                writeln!(text, "W {x} {} {x} {y}", y - 2)?;
            }
            if open_right || k + 1 == side {
                writeln!(text, "W {} {y} {x} {y}", x - 2)?;
            }
        }
    }
    Ok(text)
}

/// A drawn maze, so many pixels wide and high.
fn picture(side: u32) -> Result<Vec<u8>> {
    let mut random = Stream::new(3, 0, "picture");
    let mut ink = vec![255u8; 3 * (side * side) as usize];
    let mut fill = |xs: std::ops::Range<u32>, ys: std::ops::Range<u32>, colour: [u8; 3]| {
        for y in ys {
            for x in xs.clone() {
                let at = 3 * (y * side + x) as usize;
                ink[at..at + 3].copy_from_slice(&colour);
            }
        }
    };
    let cell = 96;
    // A robot, and a wall at every crossing of a grid.
    fill(20..60, 20..60, [255, 0, 0]);
    for i in 1..side / cell {
        for k in 1..side / cell {
            let (x, y) = (i * cell, k * cell);
            let [width, height] =
                if random.next_u64().is_multiple_of(2) { [70, 4] } else { [4, 70] };
            fill(x..x + width, y..y + height, [0; 3]);
        }
    }
    let mut bytes = vec![];
    let mut encoder = png::Encoder::new(&mut bytes, side, side);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&ink)?;
    writer.finish()?;
    Ok(bytes)
}

/// So many short walls each way, and 32 robots between them, each with a goal at the other end.
fn among_walls(side: i32) -> Result<Load> {
    let mut random = Stream::new(4, 0, "walls");
    let mut text = String::new();
    let pitch = 3;
    for i in 0..side {
        for k in 0..side {
            let (x, y) = (pitch * i, pitch * k);
            let [dx, dy] = if random.next_u64().is_multiple_of(2) { [2, 0] } else { [0, 2] };
            writeln!(text, "W {x} {y} {} {}", x + dx, y + dy)?;
        }
    }
    let mut goals = vec![];
    for robot in 0..32 {
        let place = |i: i32| f64::from(pitch * i) - 0.5 * f64::from(pitch);
        let [i, k] = [5 + robot % 8 * 7, 5 + robot / 8 * 3];
        writeln!(text, "R {} {}", place(i), place(k))?;
        goals.push([place(side - i), place(side - k)]);
    }
    Ok(Load::Map { name: "map.txt", bytes: text.into_bytes(), goals })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_have_the_walls_that_their_names_say_and_every_cell_of_a_maze_one_way_out() {
        let walls_of = |load: &Load| match load {
            Load::Map { bytes, .. } => {
                String::from_utf8_lossy(bytes).lines().filter(|line| line.starts_with('W')).count()
            }
            Load::Scene(_) => 0,
        };
        let all = loads().unwrap();
        let count = |name: &str| walls_of(&all.iter().find(|(own, _)| *own == name).unwrap().1);
        assert_eq!(count("5,000 walls of 2,000 km"), 5_000);
        assert_eq!(count("99,000 short walls"), 99_000);
        assert_eq!(count("90,000 long walls"), 90_000);
        assert_eq!(count("32 goals and 3,721 walls"), 3_721);
        // Two around, and one for every cell; the last has two.
        assert_eq!(count("a maze of 300 x 300"), 2 + 300 * 300 + 1);
        for (name, load) in &all {
            if let Load::Map { name: file, bytes, .. } = load {
                let found = rolima_map::read(file, bytes, None);
                assert!(found.is_ok(), "{name}: {:?}", found.err());
            }
        }
    }
}
