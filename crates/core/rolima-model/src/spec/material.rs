//! What surfaces look like: materials, what is made of them, and the tags of robots. Nothing of it
//! touches anything: cameras and views alone see it.

use super::{GroundTexture, PartSpec};
use rolima_check::Range::Within;
use rolima_check::{OURS, keys};
use rolima_math::Vec2;

/// Number of a material in [`SceneSpec::materials`](super::SceneSpec::materials).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MaterialId(pub u32);

keys! {
    /// How a surface looks, to cameras and views alike.
    #[derive(Clone, Debug, PartialEq)]
    pub struct MaterialSpec {
        /// Its name, unique among the materials.
        name: String = String::new();
        /// Colour in full light, as 0xRRGGBB. A texture is multiplied by it.
        colour: u32 = 0xff_ffff;
        /// A second colour as 0xRRGGBB, of balls: on every other eighth, so that one sees them roll.
        second: Option<u32> = None;
        /// What covers it, copy beside copy. Default none.
        texture: Option<GroundTexture> = None;
        /// 1 is matt; the lower, the more it mirrors the sun. Paint on rough ground is always matt
        roughness: f64 = 1.0, "1", Within(0.0, 1.0), OURS;
        /// share of its light that is its own, whatever shines on it
        light: f64 = 0.0, "1", Within(0.0, 1.0), OURS;
    }
}

impl MaterialSpec {
    /// One colour, 0xRRGGBB.
    pub fn plain(name: &str, colour: u32, roughness: f64) -> Self {
        Self { name: name.to_owned(), colour, roughness, ..Self::default() }
    }

    /// A material that every scene has: name, colour and roughness are in [`BUILT_IN_MATERIALS`].
    pub fn built_in(name: &str) -> Option<Self> {
        let known = BUILT_IN_MATERIALS.iter().find(|(known, ..)| *known == name);
        known.map(|&(name, colour, roughness)| Self::plain(name, colour, roughness))
    }
}

/// Materials that every scene has, unless it says otherwise: name, colour, roughness. Black and white
/// are those of paint, neither of them perfectly so.
pub const BUILT_IN_MATERIALS: [(&str, u32, f64); 7] = [
    ("matt-black", 0x15_16_18, 1.0),
    ("black", 0x1e_20_24, 0.7),
    ("dark-grey", 0x45_49_50, 0.8),
    ("grey", 0x80_84_8a, 1.0),
    ("white", 0xf0_f2_f4, 1.0),
    ("aluminium", 0xa8_ad_b3, 0.5),
    ("orange", 0xff_6a_00, 0.5),
];

/// Of what a wall is made, as far as the scene says it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WallMaterials {
    /// Its sides, and its top where nothing else is said.
    pub sides: Option<MaterialId>,
    /// Its top.
    pub top: Option<MaterialId>,
}

/// A piece of flat or rough ground that is made of something else, as if painted.
#[derive(Clone, Debug, PartialEq)]
pub struct FloorSpec {
    /// Corners of a convex polygon, counter-clockwise, m: 3 to 8 of them.
    pub vertices: Vec<Vec2>,
    /// Of what it is made.
    pub material: MaterialId,
    /// Higher ones cover lower ones; of one level later ones cover earlier ones.
    pub level: u32,
}

/// What a robot looks like, as far as the scene says it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RobotLook {
    /// Its sides.
    pub body: Option<MaterialId>,
    /// Its lid, on which its tag is.
    pub lid: Option<MaterialId>,
    /// Patches of colour on its lid, the last one uppermost. Vision knows it by them.
    pub tag: Vec<TagPatchSpec>,
    /// Its number in its team, from 1, which its second colour goes by; none: its place among the
    /// robots of its team.
    pub player: Option<u32>,
}

/// A patch of a robot's tag.
#[derive(Clone, Debug, PartialEq)]
pub struct TagPatchSpec {
    /// Where it lies, in the robot's frame.
    pub shape: PartSpec,
    /// Its colour.
    pub colour: TagColour,
}

/// The colour of a patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagColour {
    /// That of the robot's team.
    Team,
    /// That of its number in the team.
    Player,
    /// This, as 0xRRGGBB.
    Own(u32),
}
