//! What does not move: walls, zones, markings.

use crate::material::{MADE_OF, WALL_SIDES, WALL_TOP};
use crate::placement::Placement;
use crate::reader::{Absent, Fields, Key, KeyKind, Kinds, OURS, colour, flag, key, point, text};
use crate::relief;
use crate::scene::{Assembler, Site};
use crate::tree::Node;
use rolima_math::Vec2;
use rolima_model::{Course, MarkingSpec, WallSpec, ZoneSpec, keys};

const FROM: Key = point("from", "m", "one end of the middle line");
const TO: Key = point("to", "m", "the other end");
const CENTER: Key = point("center", "m", "centre");
const MIN: Key = point("min", "m", "lower left inner corner of four walls around a rectangle");
const MAX: Key = point("max", "m", "upper right inner corner");
const ARC: &[Key] = &[CENTER, keys::ARC_RADIUS, keys::FROM_DEG, keys::TO_DEG];

#[derive(Clone, Copy)]
pub(crate) enum WallKind {
    Segment,
    Arc,
    Polygon,
    Rectangle,
}

pub(crate) const WALLS: Kinds<WallKind> = Kinds {
    absent: None,
    common: &[&[keys::WALL_HEIGHT, WALL_SIDES, WALL_TOP]],
    list: &[
        ("segment", WallKind::Segment, &[&[FROM, TO, keys::THICKNESS]]),
        ("arc", WallKind::Arc, &[ARC, &[keys::THICKNESS]]),
        ("polygon", WallKind::Polygon, &[&[VERTICES]]),
        ("rectangle", WallKind::Rectangle, &[&[MIN, MAX, keys::THICKNESS]]),
    ],
};
const VERTICES: Key = key(
    "vertices",
    "m",
    KeyKind::Points,
    "corners of a solid convex block, counter-clockwise, 3 to 8",
);

#[derive(Clone, Copy)]
pub(crate) enum MarkingKind {
    Line,
    Arc,
}

pub(crate) const MARKINGS: Kinds<MarkingKind> = Kinds {
    absent: None,
    common: &[&[
        keys::MARKING_WIDTH,
        colour("colour", "that of its material, or white", "colour"),
        MADE_OF,
    ]],
    list: &[("line", MarkingKind::Line, &[&[FROM, TO]]), ("arc", MarkingKind::Arc, &[ARC])],
};

pub(crate) const ZONE: &[Key] = &[
    text("name", "what the zone is called").computed("\"zone\", \"zone-2\", ..."),
    relief::MIN,
    relief::MAX,
    text("scores_for", "team that scores when a ball's centre enters").or(Absent::Text(""), OURS),
    flag("kick_off", false, "whether everything goes back to its first place after a score"),
];

/// A circular arc as files write it.
struct Arc {
    center: Vec2,
    radius: f64,
    from_angle: f64,
    to_angle: f64,
}

impl Assembler {
    pub(crate) fn wall(&mut self, node: &Node, path: String, site: &Site<'_>) {
        let Some((fields, kind)) = Fields::open_kind(&mut self.log, node, path, &WALLS) else {
            return;
        };
        let at = site.placement;
        let walls = match kind {
            WallKind::Segment => {
                let [from, to] = self.ends(&fields, at);
                let (thickness, height) = (self.thickness(&fields), self.height(&fields));
                vec![WallSpec::Segment { from, to, thickness, height }]
            }
            WallKind::Arc => {
                let Arc { center, radius, from_angle, to_angle } = self.arc(&fields, at);
                let (thickness, height) = (self.thickness(&fields), self.height(&fields));
                vec![WallSpec::Arc { center, radius, from_angle, to_angle, thickness, height }]
            }
            WallKind::Polygon => {
                let vertices = fields.points(&mut self.log, "vertices");
                let vertices = vertices.into_iter().map(|v| at.point(v)).collect();
                vec![WallSpec::Polygon { vertices, height: self.height(&fields) }]
            }
            WallKind::Rectangle => {
                let min = fields.point(&mut self.log, "min");
                let max = fields.point(&mut self.log, "max");
                let (thickness, height) = (self.thickness(&fields), self.height(&fields));
                if !(min.x < max.x && min.y < max.y) {
                    let got = fields.get("max").map(|node| node.value.got()).unwrap_or_default();
                    let expected = "a corner right of and above min";
                    self.log.wrong(fields.origin_of("max"), fields.key_path("max"), expected, got);
                }
                enclosure(min, max, thickness, height, at)
            }
        };
        let first = self.spec.walls.len();
        self.add_walls(walls, &fields);
        self.wall_materials(first, &fields, site);
    }

    /// Adds walls that were read from one table.
    pub(crate) fn add_walls(&mut self, walls: Vec<WallSpec>, fields: &Fields<'_>) {
        for wall in walls {
            self.place(format!("wall.{}", self.spec.walls.len()), &fields.path, fields.origin);
            self.spec.walls.push(wall);
        }
    }

    pub(crate) fn marking(&mut self, node: &Node, path: String, site: &Site<'_>) {
        let opened = Fields::open_kind(&mut self.log, node, path, &MARKINGS);
        let Some((fields, kind)) = opened else { return };
        let course = match kind {
            MarkingKind::Line => {
                let [from, to] = self.ends(&fields, site.placement);
                Course::Line { from, to }
            }
            MarkingKind::Arc => {
                let arc = self.arc(&fields, site.placement);
                let Arc { center, radius, from_angle, to_angle } = arc;
                Course::Arc { center, radius, from_angle, to_angle }
            }
        };
        let width = Some(fields.number(&mut self.log, "width"));
        let colour = fields.colour(&mut self.log, "colour");
        let material = self.made_of(&fields, MADE_OF.name, site);
        self.spec.markings.push(MarkingSpec { course, width, colour, material });
    }

    pub(crate) fn zone(&mut self, node: &Node, path: String, site: &Site<'_>) {
        let Some(fields) = Fields::open(&mut self.log, node, path, &[ZONE]) else { return };
        let count = self.spec.zones.len();
        let name = self.name(&fields, site, "zone", count);
        let log = &mut self.log;
        if let Some((origin, key)) = &site.turned_by
            && !site.placement.is_quarter_turn()
        {
            let expected = "a heading that is a multiple of 90 degrees, as the part has zones";
            let got = format!("{:?} in all", site.placement.degrees);
            log.wrong(origin, key, expected, got);
        }
        let a = site.placement.point(fields.point(log, "min"));
        let b = site.placement.point(fields.point(log, "max"));
        // A file's min and max in the wrong order must stay wrong for the model to notice.
        let along = site.placement.direction(Vec2::new(1.0, 1.0));
        let order = |a: f64, b: f64, along: f64| if along > 0.0 { (a, b) } else { (b, a) };
        let (x, y) = (order(a.x, b.x, along.x), order(a.y, b.y, along.y));
        let scores_for = fields.text(log, "scores_for");
        let kick_off = fields.flag(log, "kick_off");
        self.place(format!("zone.{count}"), &fields.path, fields.origin);
        let (min, max) = (Vec2::new(x.0, y.0), Vec2::new(x.1, y.1));
        self.spec.zones.push(ZoneSpec { name, min, max, scores_for, kick_off });
    }

    fn ends(&mut self, fields: &Fields<'_>, at: Placement) -> [Vec2; 2] {
        ["from", "to"].map(|name| at.point(fields.point(&mut self.log, name)))
    }

    fn arc(&mut self, fields: &Fields<'_>, at: Placement) -> Arc {
        let log = &mut self.log;
        let [from_angle, to_angle] = ["from_deg", "to_deg"]
            .map(|name| (at.degrees + fields.written(log, name)).to_radians());
        let center = at.point(fields.point(log, "center"));
        Arc { center, radius: fields.number(log, "radius"), from_angle, to_angle }
    }

    fn thickness(&mut self, fields: &Fields<'_>) -> f64 {
        fields.number(&mut self.log, "thickness")
    }

    fn height(&mut self, fields: &Fields<'_>) -> f64 {
        fields.number(&mut self.log, "height")
    }
}

/// Four walls around a rectangle: their inner faces lie on it, and they overlap at the corners so
/// that no gap and no seam is left.
pub(crate) fn enclosure(
    min: Vec2,
    max: Vec2,
    thickness: f64,
    height: f64,
    at: Placement,
) -> Vec<WallSpec> {
    let half = 0.5 * thickness;
    let (left, right) = (min.x - half, max.x + half);
    let (low, high) = (min.y - half, max.y + half);
    let (far_left, far_right) = (min.x - thickness, max.x + thickness);
    let (far_low, far_high) = (min.y - thickness, max.y + thickness);
    [
        (Vec2::new(far_left, low), Vec2::new(far_right, low)),
        (Vec2::new(right, far_low), Vec2::new(right, far_high)),
        (Vec2::new(far_right, high), Vec2::new(far_left, high)),
        (Vec2::new(left, far_high), Vec2::new(left, far_low)),
    ]
    .map(|(from, to)| WallSpec::Segment {
        from: at.point(from),
        to: at.point(to),
        thickness,
        height,
    })
    .into()
}
