//! `[[tree]]`: trees. A trunk is an obstacle, a crown only to be seen.

use crate::reader::{Fields, Key, KeyKind, OURS, Range, key, keys_of};
use crate::scene::{Assembler, Site};
use crate::tree::Node;
use rolima_math::{Pose2, Rot2, Vec2};
use rolima_model::{MeshSpec, WallSpec};
use std::f64::consts::TAU;
use std::fmt::Write;
use std::sync::{Arc, OnceLock};

/// Most trees of one table.
const MOST_TREES: usize = 10_000;

rolima_model::check::keys! {
    /// How large trees are.
    #[derive(Clone, Debug)]
    pub(crate) struct TreeSize {
        /// radius of the trunk, an octagon, which is an obstacle
        trunk_radius: f64 = 0.15, "m", SIZES, OURS;
        /// height of the trunk
        trunk_height: f64 = 1.6, "m", SIZES, OURS;
        /// radius of the crown, which nothing touches and cameras see
        crown_radius: f64 = 1.2, "m", SIZES, OURS;
        /// height of the whole tree
        height: f64 = 4.0, "m", SIZES, OURS;
    }
}

/// Sizes of trees, m.
const SIZES: Range = Range::Within(0.01, 100.0);

pub(crate) const TREE: &[&[Key]] = &[
    &[key("at", "m", KeyKind::Points, "where trees of this size stand")],
    keys_of!(TreeSize::KEYS),
];

impl Assembler {
    pub(crate) fn trees(&mut self, node: &Node, path: String, site: &Site<'_>) {
        let log = &mut self.log;
        let Some(fields) = Fields::open(log, node, path, TREE) else { return };
        let mut size = TreeSize::default();
        fields.numbers(log, &mut size, TreeSize::KEYS);
        if size.height <= size.trunk_height {
            let expected = format!("above trunk_height = {} (m)", size.trunk_height);
            let got = format!("{:?}", size.height);
            log.wrong(fields.origin_of("height"), fields.key_path("height"), expected, got);
        }
        let places = fields.points(log, "at");
        if places.len() > MOST_TREES {
            let expected = format!("at most {MOST_TREES} trees");
            let got = places.len().to_string();
            return log.wrong(fields.origin_of("at"), fields.key_path("at"), expected, got);
        }
        for place in places {
            let place = site.placement.point(place);
            let corner = |i: u32| {
                place + Rot2::from_angle(TAU * f64::from(i) / 8.0).x_axis() * size.trunk_radius
            };
            let vertices: Vec<Vec2> = (0..8).map(corner).collect();
            self.add_walls(
                vec![WallSpec::Polygon { vertices, height: size.trunk_height }],
                &fields,
            );
            self.spec.meshes.push(MeshSpec {
                pose: Pose2 { position: place, rotation: Rot2::IDENTITY },
                scale: [size.crown_radius, size.crown_radius, size.height],
                name: "tree".to_owned(),
                obj: crown(size.trunk_height / size.height),
            });
        }
    }
}

/// A crown of radius 1 and height 1 whose lower end lies at `low`: three rings and a tip.
fn crown(low: f64) -> Arc<str> {
    // Most trees are alike: their crowns share one text.
    static USUAL: OnceLock<Arc<str>> = OnceLock::new();
    if low == 0.4 {
        return USUAL.get_or_init(|| crown_text(low)).clone();
    }
    crown_text(low)
}

fn crown_text(low: f64) -> Arc<str> {
    const SIDES: u32 = 10;
    let rings = [(0.55, 0.0), (1.0, 0.3), (0.62, 0.75)];
    let mut text = String::from("usemtl dark-green\n");
    let _ = writeln!(text, "v 0 0 {low:.4}");
    for (radius, share) in rings {
        for i in 0..SIDES {
            let p = Rot2::from_angle(TAU * f64::from(i) / f64::from(SIDES)).x_axis() * radius;
            let _ = writeln!(text, "v {:.4} {:.4} {:.4}", p.x, p.y, low + (1.0 - low) * share);
        }
    }
    text.push_str("v 0 0 1\n");
    let (tip, of) = (2 + 3 * SIDES, |ring: u32, i: u32| 2 + ring * SIDES + i % SIDES);
    for i in 0..SIDES {
        let _ = writeln!(text, "f 1 {} {}", of(0, i + 1), of(0, i));
        for ring in 0..2 {
            let (a, b) = (of(ring, i), of(ring, i + 1));
            let _ = writeln!(text, "f {a} {b} {} {}", of(ring + 1, i + 1), of(ring + 1, i));
        }
        let _ = writeln!(text, "f {} {} {tip}", of(2, i), of(2, i + 1));
    }
    text.into()
}
