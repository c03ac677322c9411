//! Materials, pieces of ground that are made of them, and what robots look like.

use crate::outline::{SHAPES, ShapeKind};
use crate::placement::Placement;
use crate::reader::{
    Fields, Key, KeyKind, Kinds, colour, key, keys_of, point, quoted, tables, text,
};
use crate::scene::{Assembler, Site};
use crate::texture::{MATERIAL_TEXTURE_SIZE, TWO_COLOURED};
use crate::tree::Node;
use rolima_math::Vec2;
use rolima_model::{
    BUILT_IN_MATERIALS, FloorSpec, MaterialId, MaterialSpec, RobotLook, TagColour, TagPatchSpec,
    WallMaterials, keys,
};

/// Keys of a material.
pub(crate) const MATERIAL: &[&[Key]] = &[
    &[
        text("name", "what the material is called"),
        colour("colour", "white", "colour in full light; a texture is multiplied by it"),
        colour(
            "second_colour",
            "black of patterns, none of balls",
            "other colour of checker and stripes; of balls, on every other eighth",
        ),
        text(
            "texture",
            "what covers it: checker, stripes, brick, boards, crate, grass, sand, earth, asphalt, concrete, \
             grid, or a picture in PNG, JPEG or BMP",
        )
        .computed("none"),
        MATERIAL_TEXTURE_SIZE,
    ],
    keys_of!(MaterialSpec::KEYS),
];

/// Of a wall: of what its sides are made.
pub(crate) const WALL_SIDES: Key =
    text("material", "material of its sides").computed("as `look.walls` says");
/// Of a wall: of what its top is made.
pub(crate) const WALL_TOP: Key = text("top", "material of its top").computed("that of its sides");

/// Of other things: of what they are made.
pub(crate) const MADE_OF: Key = text("material", "material that it is made of").computed("none");

#[derive(Clone, Copy)]
pub(crate) enum FloorKind {
    Rectangle,
    Polygon,
}

pub(crate) const FLOORS: Kinds<FloorKind> = Kinds {
    absent: None,
    common: &[&[text("material", "material that it is made of"), keys::LEVEL]],
    list: &[
        (
            "rectangle",
            FloorKind::Rectangle,
            &[&[point("min", "m", "lower left corner"), point("max", "m", "upper right corner")]],
        ),
        (
            "polygon",
            FloorKind::Polygon,
            &[&[key(
                "vertices",
                "m",
                KeyKind::Points,
                "corners of a convex polygon, counter-clockwise, 3 to 8",
            )]],
        ),
    ],
};

/// What a robot looks like.
pub(crate) const ROBOT_LOOK: &[Key] = &[
    text("material", "material of its sides").computed("in the colour of its team"),
    text("lid", "material of its lid").computed("dark"),
    keys::PLAYER,
    tables("tag", "patches of colour on its lid, the last one uppermost"),
];

/// A patch of a robot's tag.
pub(crate) const TAGS: Kinds<ShapeKind> = Kinds {
    absent: None,
    common: &[&[key(
        "colour",
        "-",
        KeyKind::Other("\"team\", \"player\" or \"#rrggbb\""),
        "its colour: the team's, that of the robot's number in the team, or one of its own",
    )]],
    list: SHAPES.list,
};

const TAG_COLOURS: &[(&str, TagColour)] =
    &[("team", TagColour::Team), ("player", TagColour::Player)];

impl Assembler {
    pub(crate) fn material(&mut self, node: &Node, path: String, site: &Site<'_>) {
        let Some(fields) = Fields::open(&mut self.log, node, path, MATERIAL) else { return };
        let name = fields.text(&mut self.log, "name");
        if name.is_empty() && fields.get("name").is_some_and(|node| node.text().is_some()) {
            let (origin, key) = (fields.origin_of("name"), fields.key_path("name"));
            return self.log.wrong(origin, key, "a name", "an empty one");
        }
        let mut material = MaterialSpec { name: site.prefix.clone() + &name, ..Default::default() };
        fields.numbers(&mut self.log, &mut material, MaterialSpec::KEYS);
        let own = fields.colour(&mut self.log, "colour");
        let second = fields.colour(&mut self.log, "second_colour");
        material.colour = own.unwrap_or(material.colour);
        let two = [material.colour, second.unwrap_or(0)];
        let is_pattern_of_two = fields
            .get("texture")
            .and_then(Node::text)
            .is_some_and(|name| TWO_COLOURED.iter().any(|(known, ..)| *known == name));
        material.texture = self.texture_of_material(&fields, two);
        if is_pattern_of_two {
            // Both colours are in the picture.
            material.colour = 0xff_ffff;
        } else {
            material.second = second;
        }
        // The same file may be a part of a scene more than once.
        if self.spec.materials.contains(&material) {
            return;
        }
        let count = self.spec.materials.len();
        self.place(format!("material.{count}"), &fields.path, fields.origin);
        self.spec.materials.push(material);
    }

    /// The material that a key names: of the part that the thing is in, of what includes that, or one that
    /// every scene has.
    pub(crate) fn made_of(
        &mut self,
        fields: &Fields<'_>,
        name: &str,
        site: &Site<'_>,
    ) -> Option<MaterialId> {
        let node = fields.get(name);
        // A key that may be left out stands for nothing then.
        let is_required = |fields: &Fields<'_>| {
            let known = fields.known.iter().find(|key| key.name == name);
            known.is_some_and(|key| matches!(key.absent, crate::reader::Absent::Required))
        };
        if node.is_none() && !is_required(fields) {
            return None;
        }
        let wanted = fields.text(&mut self.log, name);
        node?.text()?;
        let mut prefix = site.prefix.as_str();
        loop {
            let full = format!("{prefix}{wanted}");
            if let Some(known) = self.spec.materials.iter().position(|m| m.name == full) {
                return Some(MaterialId(known as u32));
            }
            if prefix.is_empty() {
                break;
            }
            let outer = prefix.trim_end_matches('.').rfind('.').map_or(0, |dot| dot + 1);
            prefix = &prefix[..outer];
        }
        if let Some(material) = MaterialSpec::built_in(&wanted) {
            self.spec.materials.push(material);
            return Some(MaterialId(self.spec.materials.len() as u32 - 1));
        }
        let own = self.spec.materials.iter().map(|material| material.name.as_str());
        let built_in = BUILT_IN_MATERIALS.iter().map(|(known, ..)| *known);
        let mut names: Vec<&str> = own.chain(built_in).collect();
        names.dedup();
        let expected = format!("a material: one of {}", quoted(names.iter().copied()));
        let got = format!("{wanted:?}{}", crate::error::suggestion(&wanted, names));
        self.log.wrong(fields.origin_of(name), fields.key_path(name), expected, got);
        None
    }

    pub(crate) fn floor(&mut self, node: &Node, path: String, site: &Site<'_>) {
        let Some((fields, kind)) = Fields::open_kind(&mut self.log, node, path, &FLOORS) else {
            return;
        };
        let at = site.placement;
        let vertices = match kind {
            FloorKind::Rectangle => {
                let [min, max] = ["min", "max"].map(|name| fields.point(&mut self.log, name));
                if !(min.x < max.x && min.y < max.y) {
                    let got = fields.get("max").map(|node| node.value.got()).unwrap_or_default();
                    let expected = "a corner right of and above min";
                    self.log.wrong(fields.origin_of("max"), fields.key_path("max"), expected, got);
                }
                vec![min, Vec2::new(max.x, min.y), max, Vec2::new(min.x, max.y)]
            }
            FloorKind::Polygon => fields.points(&mut self.log, "vertices"),
        };
        let vertices = vertices.into_iter().map(|v| at.point(v)).collect();
        let level = fields.count(&mut self.log, "level") as u32;
        let Some(material) = self.made_of(&fields, "material", site) else { return };
        let count = self.spec.floors.len();
        self.place(format!("floor.{count}"), &fields.path, fields.origin);
        self.spec.floors.push(FloorSpec { vertices, material, level });
    }

    /// Of what the walls are made that were read from a table: those from `first` on.
    pub(crate) fn wall_materials(&mut self, first: usize, fields: &Fields<'_>, site: &Site<'_>) {
        let sides = self.made_of(fields, WALL_SIDES.name, site);
        let top = self.made_of(fields, WALL_TOP.name, site);
        let made_of = WallMaterials { sides, top };
        if made_of != WallMaterials::default() {
            let all = &mut self.spec.wall_materials;
            all.resize(first, WallMaterials::default());
            all.resize(self.spec.walls.len(), made_of);
        }
    }

    /// Reads what a robot looks like.
    pub(crate) fn robot_look(&mut self, fields: &Fields<'_>, site: &Site<'_>) -> RobotLook {
        let body = self.made_of(fields, "material", site);
        let lid = self.made_of(fields, "lid", site);
        let player = fields.get("player").map(|_| fields.count(&mut self.log, "player") as u32);
        let mut tag = vec![];
        for (node, path) in fields.list(&mut self.log, "tag") {
            let opened = Fields::open_kind(&mut self.log, node, path, &TAGS);
            let Some((fields, kind)) = opened else { continue };
            let shape = self.shape(&fields, kind, Placement::IDENTITY);
            let colour =
                fields.word_or_colour(&mut self.log, "colour", TAG_COLOURS, TagColour::Own);
            tag.extend(colour.map(|colour| TagPatchSpec { shape, colour }));
        }
        RobotLook { body, lid, tag, player }
    }
}
