//! Checks of what things look like, and the tags of robots.

use crate::colour::TeamColours;
use crate::{
    MaterialId, MaterialSpec, Model, Part, RobotId, RobotLook, SceneSpec, TagColour, WallMaterials,
    keys,
};
use rolima_check::{ModelError, check_numbers};

/// Most materials of a scene.
pub const MOST_MATERIALS: usize = 256;
/// Most patches of a robot's tag.
pub const MOST_PATCHES: usize = 32;

/// Source of how wide lines are.
pub(crate) const MARKING_WIDTH: f64 = keys::MARKING_WIDTH.value();

/// A patch of a robot's tag, ready to be drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TagPatch {
    /// Where it lies on the lid, in the robot's frame.
    pub outline: Part,
    /// Its colour in full light, as 0xRRGGBB.
    pub colour: u32,
    /// What its colour tells.
    pub tells: TagColour,
}

/// Checks materials, and that what is made of them names ones that there are.
pub(crate) fn check(spec: &SceneSpec) -> Result<(), ModelError> {
    let count = spec.materials.len();
    if count > MOST_MATERIALS {
        let expected = format!("at most {MOST_MATERIALS} materials");
        return Err(ModelError::new("material", expected, count.to_string()));
    }
    for (i, material) in spec.materials.iter().enumerate() {
        let key = format!("material.{i}");
        check_numbers(&key, material, MaterialSpec::KEYS)?;
        if spec.materials[..i].iter().any(|other| other.name == material.name) {
            let got = format!("{:?}, which another one is called", material.name);
            return Err(ModelError::new(format!("{key}.name"), "a name of its own", got));
        }
    }
    let known = |key: String, id: Option<MaterialId>| match id {
        Some(MaterialId(id)) if id as usize >= count => {
            let expected = format!("one of {count} materials");
            Err(ModelError::new(key, expected, format!("number {id}")))
        }
        _ => Ok(()),
    };
    for (i, WallMaterials { sides, top }) in spec.wall_materials.iter().enumerate() {
        known(format!("wall.{i}.material"), *sides)?;
        known(format!("wall.{i}.top"), *top)?;
    }
    for (i, marking) in spec.markings.iter().enumerate() {
        known(format!("marking.{i}.material"), marking.material)?;
    }
    for (i, object) in spec.objects.iter().enumerate() {
        known(format!("object.{i}.material"), object.material)?;
    }
    for (i, ball) in spec.balls.iter().enumerate() {
        let key = format!("ball.{i}.material");
        known(key.clone(), ball.material)?;
        let material = ball.material.and_then(|id| spec.materials.get(id.0 as usize));
        if let Some(material) = material.filter(|material| material.texture.is_some()) {
            let got = format!("{:?}, which has one", material.name);
            return Err(ModelError::new(key, "a material without texture", got));
        }
    }
    for (i, floor) in spec.floors.iter().enumerate() {
        known(format!("floor.{i}.material"), Some(floor.material))?;
        let outline = crate::PartSpec::Polygon { vertices: floor.vertices.clone() };
        Part::compile(&format!("floor.{i}"), &outline)?;
    }
    spec.robots.iter().enumerate().try_for_each(|(i, robot)| check_look(i, &robot.look, known))
}

fn check_look(
    i: usize,
    look: &RobotLook,
    known: impl Fn(String, Option<MaterialId>) -> Result<(), ModelError>,
) -> Result<(), ModelError> {
    known(format!("robot.{i}.material"), look.body)?;
    known(format!("robot.{i}.lid"), look.lid)?;
    if let Some(player) = look.player {
        keys::PLAYER.check_count(&format!("robot.{i}"), player.into())?;
    }
    if look.tag.len() > MOST_PATCHES {
        let expected = format!("at most {MOST_PATCHES} patches");
        return Err(ModelError::new(format!("robot.{i}.tag"), expected, look.tag.len()));
    }
    look.tag.iter().enumerate().try_for_each(|(k, patch)| {
        Part::compile(&format!("robot.{i}.tag.{k}"), &patch.shape).map(|_| ())
    })
}

impl Model {
    /// A material by its number.
    pub fn material(&self, id: Option<MaterialId>) -> Option<&MaterialSpec> {
        self.spec.materials.get(id?.0 as usize)
    }

    /// Of what a wall of the scene is made, as far as the scene says it: sides and top.
    pub fn wall_materials(&self, wall: u32) -> [Option<MaterialId>; 2] {
        let known = self.spec.wall_materials.get(wall as usize).copied().unwrap_or_default();
        [known.sides, known.top.or(known.sides)]
    }

    /// The patches of a robot's tag with their colours; of one whose lid has none, nothing.
    pub fn tag(&self, robot: RobotId, colours: &TeamColours<'_>) -> Vec<TagPatch> {
        let Some(spec) = self.spec.robots.get(robot.index()) else { return vec![] };
        let patch = |patch: &crate::TagPatchSpec| {
            let colour = match patch.colour {
                TagColour::Team => colours.colour(&spec.team),
                TagColour::Player => colours.player(robot),
                TagColour::Own(colour) => colour,
            };
            // The model was compiled of it.
            let outline = Part::compile("tag", &patch.shape).ok()?;
            Some(TagPatch { outline, colour, tells: patch.colour })
        };
        spec.look.tag.iter().filter_map(patch).collect()
    }

    /// Full width of a painted line, m.
    pub fn marking_width(&self, marking: &crate::MarkingSpec) -> f64 {
        marking.width.unwrap_or(MARKING_WIDTH)
    }

    /// Colour of a painted line: its own, that of its material, or white.
    pub fn marking_colour(&self, marking: &crate::MarkingSpec) -> u32 {
        let material = self.material(marking.material).map(|material| material.colour);
        marking.colour.or(material).unwrap_or(crate::colour::MARKING)
    }

    /// Floors in the order in which they are painted.
    pub fn floors(&self) -> Vec<&crate::FloorSpec> {
        let mut floors: Vec<_> = self.spec.floors.iter().collect();
        floors.sort_by_key(|floor| floor.level);
        floors
    }
}
