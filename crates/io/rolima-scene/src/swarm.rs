//! Swarms: many robots of one kind in a square hall.

use crate::material::ROBOT_LOOK;
use crate::outline::{OUTLINE, specs};
use crate::reader::{Absent, Fields, Key, OURS, Range, count, flag, number, word, words};
use crate::robot::{BODY, MAX_ROBOTS};
use crate::scene::{Assembler, Site};
use crate::sensors::{CARRIED, sensor_specs};
use crate::tree::Node;
use crate::vehicle_keys::VEHICLE;
use crate::walls::enclosure;
use rolima_math::{Pose2, Rot2, Stream, Vec2};
use rolima_model::{RobotSpec, Shape, keys};
use rolima_spatial::VehicleSpec;
use std::f64::consts::PI;

pub(crate) const SWARM: &[Key] = &[
    count("count", (1, MAX_ROBOTS as u64), "how many robots"),
    number("fill", "1", Range::Positive, "share of the hall's area that robots' outlines cover")
        .or(Absent::Value(0.1), OURS),
    flag("walled", true, "whether the hall has walls"),
    Key { name: "wall_thickness", ..keys::THICKNESS },
    Key { name: "wall_height", ..keys::WALL_HEIGHT },
    word(
        "layout",
        || words(LAYOUTS),
        "grid: spread over the hall with random headings; clump: close together, all alike",
    )
    .or(Absent::Text("grid"), OURS),
    number("pitch", "m", Range::NotNegative, "distance of neighbours in a clump")
        .computed("ours: 2 % wider than the outline"),
    count("seed", (0, u64::MAX), "key of the random headings in a grid; apart from sim.seed")
        .or(Absent::Whole(1), OURS),
];

#[derive(Clone, Copy, PartialEq)]
enum Layout {
    Grid,
    Clump,
}

const LAYOUTS: &[(&str, Layout)] = &[("grid", Layout::Grid), ("clump", Layout::Clump)];

/// How much wider than the outline the default pitch of a clump is.
const CLUMP_GAP: f64 = 1.02;

/// What is needed of an outline to lay robots out.
struct Extent {
    area: f64,
    /// Diameter of the circle around the origin that holds it.
    diameter: f64,
    /// Distance at which neighbours with the same heading do not touch.
    pitch: f64,
}

impl Assembler {
    pub(crate) fn swarm(&mut self, node: &Node, path: String, site: &Site<'_>) {
        let Some(node) = self.with_preset(node, &path, &site.chain) else { return };
        let known = &[SWARM, BODY, ROBOT_LOOK, OUTLINE, CARRIED, VEHICLE];
        let Some(fields) = Fields::open(&mut self.log, &node, path, known) else { return };
        let mut body = self.body(&fields, &site.chain);
        let look = self.robot_look(&fields, site);
        let prefix = self.name(&fields, site, "robot", 0);
        let log = &mut self.log;
        let left = MAX_ROBOTS.saturating_sub(self.spec.robots.len()) as u64;
        let count = fields.count_or(log, "count", None, left);
        let fill = fields.number(log, "fill");
        let walled = fields.flag(log, "walled");
        let [thickness, height] =
            ["wall_thickness", "wall_height"].map(|name| fields.number(log, name));
        let layout = fields.word(log, "layout", LAYOUTS);
        let seed = fields.count(log, "seed");

        let first = self.spec.robots.len();
        self.note_feet(&mut body, first..first + count as usize, &fields, None);
        self.places.add_range("robot", first..first + count as usize, &fields.path, fields.origin);
        let pieces = body.pieces;
        self.place_pieces(&format!("robot.{first}"), &pieces);
        self.place_sensors(&format!("robot.{first}"), &body.sensors);
        let sensors = sensor_specs(&body.sensors);
        let shape = specs(pieces);
        // What is wrong with the outline is told by the model, which names the piece.
        let extent = Shape::compile("shape", &shape).map(|compiled| extent(&compiled));
        let extent = extent.unwrap_or(Extent { area: 1.0, diameter: 0.0, pitch: 0.0 });
        let clump_pitch = fields.number_or(&mut self.log, "pitch", CLUMP_GAP * extent.pitch);

        let columns = (count as f64).sqrt().ceil().max(1.0);
        let mut side = (count as f64 * extent.area / fill).sqrt();
        let pitch = match layout {
            Some(Layout::Clump) => {
                self.check_pitch(&fields, clump_pitch, extent.pitch);
                side = side.max(columns * clump_pitch);
                clump_pitch
            }
            _ => {
                self.check_fill(&fields, fill, side / columns, extent.diameter);
                side / columns
            }
        };
        if !side.is_finite() {
            return;
        }
        if walled {
            let corner = Vec2::new(0.5 * side, 0.5 * side);
            let walls = enclosure(-corner, corner, thickness, height, site.placement);
            self.add_walls(walls, &fields);
        }
        let mut headings = Stream::new(seed, first as u64, "swarm");
        for i in 0..count {
            let (row, column) = (i / columns as u64, i % columns as u64);
            let at = |k: u64| (k as f64 + 0.5 - 0.5 * columns) * pitch;
            let rotation = match layout {
                Some(Layout::Grid) => Rot2::from_angle(headings.between(-PI, PI)),
                _ => Rot2::IDENTITY,
            };
            let pose = Pose2 { position: Vec2::new(at(column), at(row)), rotation };
            self.spec.robots.push(RobotSpec {
                name: format!("{prefix}-{}", i + 1),
                team: body.team.clone(),
                pose: site.placement.pose().compose(pose),
                velocity: 0.0,
                omega: 0.0,
                shape: shape.clone(),
                drive: body.drive.clone(),
                driver: body.driver.clone(),
                vehicle: body.vehicle.clone().map(|vehicle| {
                    Box::new(VehicleSpec { name: format!("{prefix}-{}", i + 1), ..*vehicle })
                }),
                servo: body.servo,
                height: body.height,
                sensors: sensors.clone(),
                look: look.clone(),
            });
        }
    }

    /// Robots with random headings must not overlap at the start.
    fn check_fill(&mut self, fields: &Fields<'_>, fill: f64, pitch: f64, diameter: f64) {
        if pitch < diameter {
            let most = fill * (pitch / diameter) * (pitch / diameter);
            let expected = format!("at most {most:.3}, so that no two of these robots touch");
            let key = fields.key_path("fill");
            self.log.wrong(fields.origin_of("fill"), key, expected, format!("{fill:?}"));
        }
    }

    fn check_pitch(&mut self, fields: &Fields<'_>, pitch: f64, least: f64) {
        if pitch < least {
            let expected = format!("at least {least:?} m, so that no two of these robots touch");
            let key = fields.key_path("pitch");
            self.log.wrong(fields.origin_of("pitch"), key, expected, format!("{pitch:?}"));
        }
    }
}

fn extent(shape: &Shape) -> Extent {
    let mut min = Vec2::new(f64::INFINITY, f64::INFINITY);
    let mut max = -min;
    for part in &shape.parts {
        let (low, high) = part.bounding_box();
        min = Vec2::new(min.x.min(low.x), min.y.min(low.y));
        max = Vec2::new(max.x.max(high.x), max.y.max(high.y));
    }
    let size = max - min;
    Extent { area: shape.area(), diameter: 2.0 * shape.radius, pitch: size.x.max(size.y) }
}
