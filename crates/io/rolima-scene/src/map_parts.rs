//! From a map's elements to the parts of a scene.

use crate::reader::OURS;
use crate::reader::Range::{NotNegative, Positive};
use rolima_map::{CELL_SIDE, Element, Map, WALL_HEIGHT, WALL_THICKNESS};
use rolima_math::{Pose2, Rot2, Vec2};
use rolima_model::{BallSpec, Course, MarkingSpec, ObjectSpec, PartSpec, WallSpec, keys};
use std::collections::BTreeMap;

/// Things of maps have the colours that stand for them in pictures: lines are yellow, balls blue,
/// cubes green.
const LINE_COLOUR: u32 = 0xf5c400;
const BALL_COLOUR: u32 = 0x2457d6;
const CUBE_COLOUR: u32 = 0x2e9e4f;

/// Source of what maps are like.
const ROBOT_ONE: &str = "Robot One";

rolima_model::check::keys! {
    /// What a map does not say of its things. Sheets without thickness and frictionless cubes may be, as
    /// in other tables.
    #[derive(Clone, Debug, PartialEq)]
    pub struct MapStyle {
        /// thickness of walls; a block is always 1 x 1 m
        wall_thickness: f64 = WALL_THICKNESS, "m", NotNegative, ROBOT_ONE;
        /// height of walls, for views and cameras
        wall_height: f64 = WALL_HEIGHT, "m", NotNegative, ROBOT_ONE;
        /// width of painted lines
        line_width: f64 = 0.1, "m", NotNegative, OURS;
        /// mass of a ball
        ball_mass: f64 = 1.0, "kg", Positive, ROBOT_ONE;
        /// mass of a cube
        cube_mass: f64 = 1.0, "kg", Positive, ROBOT_ONE;
        /// friction of cubes on the ground; 0 slides for ever
        ground_friction: f64 = keys::GROUND_FRICTION.value(), "1", NotNegative, "ours: wood on wood";
    }
}

/// A map as parts of a scene, in the map's own frame. Things have no names yet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MapParts {
    /// Walls and cells. Where ends of walls meet, they are longer by what closes the corner.
    pub walls: Vec<WallSpec>,
    /// Painted lines.
    pub markings: Vec<MarkingSpec>,
    /// Balls, at rest.
    pub balls: Vec<BallSpec>,
    /// Cubes, at rest.
    pub objects: Vec<ObjectSpec>,
    /// Where robots start.
    pub robots: Vec<Pose2>,
    /// The elements that are meshes.
    pub meshes: Vec<Element>,
}

/// A map's elements as parts of a scene.
pub fn map_parts(map: &Map, style: &MapStyle) -> MapParts {
    let mut parts = MapParts::default();
    let corners = Corners::of(map, style.wall_thickness);
    for element in &map.elements {
        match element {
            Element::Wall { from, to } => {
                let [from, to] = corners.closed(*from, *to);
                let (thickness, height) = (style.wall_thickness, style.wall_height);
                parts.walls.push(WallSpec::Segment { from, to, thickness, height });
            }
            Element::Cell { center } => {
                let half = 0.5 * CELL_SIDE;
                let corner = |x: f64, y: f64| *center + Vec2::new(x, y) * half;
                let signs = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
                let vertices = signs.into_iter().map(|(x, y)| corner(x, y)).collect();
                parts.walls.push(WallSpec::Polygon { vertices, height: style.wall_height });
            }
            Element::Line { from, to } => {
                parts.markings.push(MarkingSpec {
                    course: Course::Line { from: *from, to: *to },
                    width: Some(style.line_width),
                    colour: Some(LINE_COLOUR),
                    material: None,
                });
            }
            Element::Ball { position, diameter } => parts.balls.push(BallSpec {
                position: *position,
                radius: 0.5 * diameter,
                mass: style.ball_mass,
                colour: Some(BALL_COLOUR),
                ..BallSpec::default()
            }),
            Element::Cube { position, size, height } => parts.objects.push(ObjectSpec {
                name: "cube".to_owned(),
                pose: Pose2 { position: *position, rotation: Rot2::from_angle(0.0) },
                velocity: Vec2::ZERO,
                omega: 0.0,
                shape: vec![PartSpec::Box { pose: Pose2::new(0.0, 0.0, 0.0), size: [*size; 2] }],
                mass: style.cube_mass,
                inertia: None,
                ground_friction: style.ground_friction,
                height: Some(*height),
                colour: Some(CUBE_COLOUR),
                material: None,
            }),
            Element::Robot { position, heading } => {
                let rotation = Rot2::from_angle(*heading);
                parts.robots.push(Pose2 { position: *position, rotation });
            }
            Element::Mesh { .. } => parts.meshes.push(element.clone()),
        }
    }
    parts
}

/// Ends of walls by their place, to a millimetre.
struct Corners {
    ends: BTreeMap<(i64, i64), Vec<Vec2>>,
    thickness: f64,
}

/// A millimetre apart is together.
fn place(point: Vec2) -> (i64, i64) {
    ((point.x * 1e3).round() as i64, (point.y * 1e3).round() as i64)
}

impl Corners {
    fn of(map: &Map, thickness: f64) -> Self {
        let mut ends: BTreeMap<(i64, i64), Vec<Vec2>> = BTreeMap::new();
        for element in &map.elements {
            if let Element::Wall { from, to } = element {
                let along = (*to - *from).unit_or(Vec2::new(1.0, 0.0));
                // Each with the direction in which its wall leaves it.
                ends.entry(place(*from)).or_default().push(along);
                ends.entry(place(*to)).or_default().push(along * -1.0);
            }
        }
        Self { ends, thickness }
    }

    /// The ends of a wall's middle line so that corners have no notch: walls have flat ends.
    fn closed(&self, from: Vec2, to: Vec2) -> [Vec2; 2] {
        let along = (to - from).unit_or(Vec2::new(1.0, 0.0));
        let beyond = |point: Vec2, away: Vec2| {
            let others = self.ends.get(&place(point)).into_iter().flatten();
            let longer = others.map(|leaves| {
                // The tangent of half the turn, from its sine and cosine; a square end at most.
                let (sine, cosine) = (away.cross(*leaves).abs(), away.dot(*leaves));
                if cosine > -0.999 { (sine / (1.0 + cosine)).min(1.0) } else { 0.0 }
            });
            point + away * (0.5 * self.thickness * longer.fold(0.0, f64::max))
        };
        [beyond(from, along * -1.0), beyond(to, along)]
    }
}
