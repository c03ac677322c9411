//! `[[map]]`: mazes from text maps and from pictures.

use crate::files::{MESHES_BESIDE, Wanted};
use crate::geometry::lies_below;
use crate::home::folder_of;
use crate::map_parts::{MapStyle, map_parts};
use crate::placement::Placement;
use crate::reader::{Fields, Key, keys_of, point, pose, table, text};
use crate::scene::{Assembler, Site, numbered};
use crate::tree::{Node, Table, Value};
use rolima_map::{Element, Map, Size};
use rolima_math::Pose2;
use rolima_model::{Course, MeshSpec, SceneSpec, WallSpec};
use std::rc::Rc;

/// The robot that a map's robots are where nothing is said.
pub(crate) const DEFAULT_PRESET: &str = "robot-one";
/// The same in a scene with ground.
const GROUND_PRESET: &str = "robot-one-offroad";

pub(crate) const MAP: &[&[Key]] = &[
    &[
        text(
            "file",
            "text map, or picture in PNG, JPEG, GIF, WebP or BMP, looked for as includes are",
        ),
        point("size", "m", "real size of a picture: [width, height]; a text map has none")
            .computed("in the name, as in \"maze 40x30 m.png\"; else 40 m for the longer side"),
        pose("where the map's origin stands"),
        text("name", "what the names in the map begin with, followed by a dot").computed("none"),
        table(
            "robot",
            "preset robot-one, on ground robot-one-offroad",
            "what the map's robots are, with the keys of a robot but for its pose",
        ),
    ],
    keys_of!(MapStyle::KEYS),
];

/// The only map of a scene, if it stands at the origin and there is nothing besides.
pub(crate) fn sole_map(spec: &SceneSpec, maps: &[(Rc<Map>, Placement)]) -> Option<Map> {
    let [(map, placement)] = maps else { return None };
    let count = |kinds: &[&str]| {
        map.elements.iter().filter(|element| kinds.contains(&element.kind())).count()
    };
    let is_all = spec.zones.is_empty()
        && spec.walls.len() == count(&["wall", "cell"])
        && spec.markings.len() == count(&["line"])
        && spec.balls.len() == count(&["ball"])
        && spec.objects.len() == count(&["cube"])
        && spec.robots.len() == count(&["robot"]);
    (is_all && *placement == Placement::IDENTITY).then(|| (**map).clone())
}

impl Assembler {
    pub(crate) fn map(&mut self, node: &Node, path: String, site: &Site<'_>) {
        let Some(fields) = Fields::open(&mut self.log, node, path, MAP) else { return };
        let name = match fields.get("name") {
            Some(_) => fields.text(&mut self.log, "name") + ".",
            None => String::new(),
        };
        let at = site.placement.compose(fields.pose(&mut self.log));
        let mut style = MapStyle::default();
        fields.numbers(&mut self.log, &mut style, MapStyle::KEYS);
        let size = self.map_size(&fields);
        let file = fields.text(&mut self.log, "file");
        let Some(asked) = fields.get("file").filter(|node| node.text().is_some()) else { return };
        let key = fields.key_path("file");
        let wanted = Wanted { name: &file, is_preset: false, origin: &asked.origin, key: &key };
        let Some(map) = self.files.map(&mut self.log, &wanted, size) else { return };
        self.maps.push((Rc::clone(&map), at));
        let mut parts = map_parts(&map, &style);
        let inner = Site {
            placement: at,
            prefix: format!("{}{name}", site.prefix),
            turned_by: site.turned_by.clone(),
            chain: site.chain,
        };
        for wall in &mut parts.walls {
            match wall {
                WallSpec::Segment { from, to, .. } => {
                    (*from, *to) = (at.point(*from), at.point(*to));
                }
                WallSpec::Polygon { vertices, .. } => {
                    vertices.iter_mut().for_each(|v| *v = at.point(*v));
                }
                WallSpec::Arc { .. } => {}
            }
        }
        for marking in &mut parts.markings {
            if let Course::Line { from, to } = &mut marking.course {
                (*from, *to) = (at.point(*from), at.point(*to));
            }
        }
        let numbered =
            |kind: &str, count: usize| format!("{}{}", inner.prefix, numbered(kind, count));
        let counts = [self.spec.walls.len(), self.spec.balls.len(), self.spec.objects.len()];
        for mut ball in parts.balls {
            ball.name = numbered("ball", self.spec.balls.len());
            ball.position = at.point(ball.position);
            self.spec.balls.push(ball);
        }
        for mut cube in parts.objects {
            cube.name = numbered("cube", self.spec.objects.len());
            cube.pose = at.pose().compose(cube.pose);
            self.spec.objects.push(cube);
        }
        self.spec.walls.extend(parts.walls);
        self.spec.markings.extend(parts.markings);
        let ends = [self.spec.walls.len(), self.spec.balls.len(), self.spec.objects.len()];
        for ((kind, from), to) in ["wall", "ball", "object"].into_iter().zip(counts).zip(ends) {
            self.places.add_range(kind, from..to, &fields.path, fields.origin);
        }
        for element in parts.meshes {
            if let Element::Mesh { position, file: mesh, rotation, scale } = element {
                let pose = at.pose().compose(Pose2::new(position.x, position.y, rotation));
                // Maps that were written on Windows have its separators.
                let below = mesh.replace('\\', "/");
                if !lies_below(&below) {
                    self.log.wrong(&asked.origin, key.clone(), MESHES_BESIDE, format!("{mesh:?}"));
                    continue;
                }
                let name = format!("{}{below}", folder_of(&file));
                let wanted =
                    Wanted { name: &name, is_preset: false, origin: &asked.origin, key: &key };
                let found = self.files.mesh(&mut self.log, &wanted, &file);
                let found = found.map(|obj| MeshSpec { pose, scale, name: mesh, obj });
                self.spec.meshes.extend(found);
            }
        }
        let headings = map.elements.iter().filter_map(|element| match element {
            Element::Robot { position, heading } => {
                Some([position.x, position.y, heading.to_degrees()])
            }
            _ => None,
        });
        for (count, pose) in headings.enumerate() {
            self.map_robot(&fields, count, pose, &inner);
        }
    }

    fn map_size(&mut self, fields: &Fields<'_>) -> Option<Size> {
        let node = fields.get("size")?;
        let size = fields.point(&mut self.log, "size");
        let good = Size::new(size.x, size.y);
        // What is no point at all was told by the reader.
        if good.is_none() && node.value.numbers::<2>().is_some() {
            let expected = "a positive width and height (m)";
            self.log.wrong(&node.origin, fields.key_path("size"), expected, node.value.got());
        }
        good
    }

    /// Adds the robot number `count` of a map: what the table `robot` says, at the map's pose.
    fn map_robot(&mut self, map: &Fields<'_>, count: usize, pose: [f64; 3], site: &Site<'_>) {
        let text =
            |text: &str| Node { value: Value::Text(text.to_owned()), origin: map.origin.clone() };
        let mut table = match map.get("robot") {
            None => {
                let preset =
                    if self.spec.ground.is_some() { GROUND_PRESET } else { DEFAULT_PRESET };
                Table::from([("preset".to_owned(), text(preset))])
            }
            Some(node) => match node.table() {
                Some(table) => table.clone(),
                None => {
                    let got = node.value.got();
                    return self.log.wrong(&node.origin, map.key_path("robot"), "a table", got);
                }
            },
        };
        let path = map.key_path("robot");
        if let Some(node) = table.get("pose") {
            let expected = "no pose, as it comes from the map";
            self.log.wrong(&node.origin, format!("{path}.pose"), expected, node.value.got());
        }
        if let Some(name) = table.get("name").and_then(Node::text)
            && count > 0
        {
            table.insert("name".to_owned(), text(&numbered(name, count)));
        }
        let origin = map.origin_of("file");
        let number = |x: f64| Node { value: Value::Float(x), origin: origin.clone() };
        let pose = Node { value: Value::Array(pose.map(number).into()), origin: origin.clone() };
        table.insert("pose".to_owned(), pose);
        let number = self.spec.robots.len();
        let name = match table.get("name").and_then(Node::text) {
            Some(name) => name.to_owned(),
            None => numbered("robot", number),
        };
        let mut node = Node { value: Value::Table(table), origin: map.origin_of("robot").clone() };
        if let Err(error) = self.robot_sets.put(&mut node, number, format!("{}{name}", site.prefix))
        {
            return self.log.error(error);
        }
        self.robot(&node, format!("{path}.{count}"), site);
    }
}
