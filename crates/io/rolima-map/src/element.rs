//! What a map is made of.

use rolima_math::Vec2;
use std::fmt;

/// Height of walls, m (Robot One).
pub const WALL_HEIGHT: f64 = 2.0;
/// Thickness of walls between two points, m (Robot One).
pub const WALL_THICKNESS: f64 = 0.2;
/// Side of a wall of one cell, m (Robot One).
pub const CELL_SIDE: f64 = 1.0;
/// Diameter of a ball whose size is left out, m (Robot One).
pub const DEFAULT_BALL_DIAMETER: f64 = 1.0;
/// Side of a cube whose size is left out, m (Robot One).
pub const DEFAULT_CUBE_SIZE: f64 = 1.0;

/// Most elements of a map: some hundred times those of a large maze.
pub const MAX_ELEMENTS: usize = 100_000;
/// Largest coordinate and size, m: what a scene may have.
pub const FARTHEST: f64 = 1e6;

/// One thing of a map.
#[derive(Clone, Debug, PartialEq)]
pub enum Element {
    /// Where a robot starts.
    Robot {
        /// Its centre, m.
        position: Vec2,
        /// Its heading, rad, counter-clockwise from x.
        heading: f64,
    },
    /// A straight wall, [`WALL_THICKNESS`] thick and [`WALL_HEIGHT`] high.
    Wall {
        /// One end of its middle line, m.
        from: Vec2,
        /// The other end, m.
        to: Vec2,
    },
    /// A solid block, [`CELL_SIDE`] long and wide and [`WALL_HEIGHT`] high.
    Cell {
        /// Its centre, m.
        center: Vec2,
    },
    /// A line painted on the ground.
    Line {
        /// One end, m.
        from: Vec2,
        /// The other end, m.
        to: Vec2,
    },
    /// A ball.
    Ball {
        /// Its centre, m.
        position: Vec2,
        /// Diameter, m.
        diameter: f64,
    },
    /// A loose box with a square base.
    Cube {
        /// Its centre, m.
        position: Vec2,
        /// Side of its base, m.
        size: f64,
        /// Height, m.
        height: f64,
    },
    /// A thing whose form stands in an OBJ file. It is kept, not opened, by this crate.
    Mesh {
        /// Where its origin stands, m.
        position: Vec2,
        /// Name of the file as it was written.
        file: String,
        /// Turn about the vertical, rad.
        rotation: f64,
        /// Factors along its own axes.
        scale: [f64; 3],
    },
}

/// The elements of a map, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map {
    /// The elements.
    pub elements: Vec<Element>,
}

impl Map {
    /// How many there are of each kind, with the kind's name: `[(289, "wall"), ...]`.
    pub fn counts(&self) -> Vec<(usize, &'static str)> {
        const KINDS: [&str; 7] = ["robot", "wall", "cell", "line", "ball", "cube", "mesh"];
        let count = |kind| self.elements.iter().filter(|e| e.kind() == kind).count();
        KINDS.into_iter().map(|kind| (count(kind), kind)).filter(|(n, _)| *n > 0).collect()
    }

    /// Corners of the smallest upright rectangle around everything, m; none if the map is empty.
    pub fn bounds(&self) -> Option<(Vec2, Vec2)> {
        let mut bounds: Option<(Vec2, Vec2)> = None;
        for (point, margin) in self.elements.iter().flat_map(Element::extent) {
            let (low, high) = bounds.unwrap_or((point, point));
            bounds = Some((
                Vec2::new(low.x.min(point.x - margin), low.y.min(point.y - margin)),
                Vec2::new(high.x.max(point.x + margin), high.y.max(point.y + margin)),
            ));
        }
        bounds
    }
}

impl Element {
    /// The name of its kind: `robot`, `wall`, `cell`, `line`, `ball`, `cube`, `mesh`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Robot { .. } => "robot",
            Self::Wall { .. } => "wall",
            Self::Cell { .. } => "cell",
            Self::Line { .. } => "line",
            Self::Ball { .. } => "ball",
            Self::Cube { .. } => "cube",
            Self::Mesh { .. } => "mesh",
        }
    }

    /// Points of it, each with how far it reaches around.
    fn extent(&self) -> Vec<(Vec2, f64)> {
        match *self {
            Self::Robot { position, .. } | Self::Mesh { position, .. } => vec![(position, 0.5)],
            Self::Wall { from, to } => {
                vec![(from, 0.5 * WALL_THICKNESS), (to, 0.5 * WALL_THICKNESS)]
            }
            Self::Line { from, to } => vec![(from, 0.0), (to, 0.0)],
            Self::Cell { center } => vec![(center, 0.5 * CELL_SIDE)],
            Self::Ball { position, diameter } => vec![(position, 0.5 * diameter)],
            Self::Cube { position, size, .. } => vec![(position, 0.5 * size)],
        }
    }
}

/// The text map: one element a line, what is default left out.
impl fmt::Display for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.elements.iter().try_for_each(|element| writeln!(f, "{element}"))
    }
}

/// One line of a text map.
impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (letter, file, mut numbers) = match self {
            Self::Robot { position, heading } => {
                ("R", None, vec![position.x, position.y, *heading])
            }
            Self::Wall { from, to } => ("W", None, vec![from.x, from.y, to.x, to.y]),
            Self::Cell { center } => ("W", None, vec![center.x, center.y]),
            Self::Line { from, to } => ("L", None, vec![from.x, from.y, to.x, to.y]),
            Self::Ball { position, diameter } => {
                ("B", None, vec![position.x, position.y, *diameter])
            }
            Self::Cube { position, size, height } => {
                ("C", None, vec![position.x, position.y, *size, *height])
            }
            Self::Mesh { position, file, rotation, scale } => {
                let [x, y, z] = *scale;
                ("O", Some(file), vec![position.x, position.y, *rotation, x, y, z])
            }
        };
        // Trailing defaults go, so that a map looks as a person would have written it.
        match self {
            Self::Robot { heading: 0.0, .. } => numbers.truncate(2),
            Self::Ball { diameter: DEFAULT_BALL_DIAMETER, .. } => numbers.truncate(2),
            Self::Cube { size, height, .. } if size == height => {
                numbers.truncate(if *size == DEFAULT_CUBE_SIZE { 2 } else { 3 });
            }
            Self::Mesh { rotation, scale: [x, y, z], .. } if x == y && y == z => {
                let kept = if *x != 1.0 { 4 } else { 2 + usize::from(*rotation != 0.0) };
                numbers.truncate(kept);
            }
            _ => {}
        }
        f.write_str(letter)?;
        for (i, x) in numbers.into_iter().enumerate() {
            if let (2, Some(file)) = (i, file) {
                write!(f, " {file}")?;
            }
            write!(f, " {}", shortest(x))?;
        }
        if let (true, Some(file)) = (is_short_mesh(self), file) {
            write!(f, " {file}")?;
        }
        Ok(())
    }
}

/// Whether no number follows the file's name.
fn is_short_mesh(element: &Element) -> bool {
    matches!(element, Element::Mesh { rotation, scale, .. } if *rotation == 0.0 && *scale == [1.0; 3])
}

/// The fewest digits that read back as the same number: `20`, `0.1`, `1e-7`.
pub(crate) fn shortest(x: f64) -> String {
    let text = format!("{:?}", x + 0.0); // no -0
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}
