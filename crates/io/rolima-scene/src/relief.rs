//! Heights of the ground: files, functions, hills, and the layers over them.

use crate::error::SceneError;
use crate::files::Wanted;
use crate::ledger::Origin;
use crate::reader::{
    Absent, Fields, Key, KeyKind, Kinds, Number, OURS, Range, count, key, keys_of, number,
    number_of, point, text, word, words,
};
use crate::scene::Assembler;
use crate::tree::Node;
use rolima_math::Vec2;
use rolima_spatial::terrain::MOST_NODES;
use rolima_spatial::{Hills, Terrain, TerrainSpec};
use rolima_terrain::{Area, Expression, Join, Layer, Relief, Strip, TerrainError};
use std::sync::Arc;

/// The function of x and y.
pub(crate) const Z: Key =
    text("z", "height (m) as a function of x and y, such as \"0.1 * sin(x)\"");

/// Where a made terrain lies.
pub(crate) const AREA: &[Key] = &[
    key("size", "m", KeyKind::Numbers(2), "lengths along x and y")
        .or(Absent::List(&[100.0; 2]), OURS),
    CENTER,
];
const CENTER: Key = point("center", "m", "its middle").or(Absent::List(&[0.0; 2]), OURS);

/// How finely it is made.
pub(crate) const NODES: &[Key] = &[key(
    "nodes",
    "1",
    KeyKind::Numbers(2),
    "how many heights along x and y; 2^22 in all at most",
)
.computed("ours: 0.2 m apart, at most 1001")];

const HILL: &[Number<Hills>] = &[
    number_of!(Hills: seed, count("seed", (0, u64::MAX), "key of the hills"), OURS),
    number_of!(
        Hills: octaves,
        count(
            "octaves",
            (1, 12),
            "how many times smaller hills are laid over them, each half as wide"
        ),
        OURS
    ),
    number_of!(
        Hills: amplitude,
        number(
            "amplitude",
            "m",
            Range::Within(0.0, 1e4),
            "height of the largest hills above and below zero"
        ),
        OURS
    ),
    number_of!(
        Hills: wavelength,
        number("wavelength", "m", Range::Within(1e-2, 1e6), "distance between the largest hills"),
        OURS
    ),
    number_of!(
        Hills: roughness,
        number("roughness", "1", Range::Within(0.0, 1.0), "height of each octave against the one before"),
        OURS
    ),
    number_of!(
        Hills: clearing,
        number(
            "clearing",
            "m",
            Range::Within(0.0, 1e5),
            "radius of a level place around the origin; 0 for none"
        ),
        OURS
    ),
];
/// Procedural hills.
pub(crate) const HILLS: &[Key] = keys_of!(HILL);

/// What says what a file is where nobody does.
const BY_NAME: &str = "the file's name";
/// Files.
pub(crate) const FILE: &[Key] = &[
    text("file", "file of heights: matrix, .msh, ESRI ASCII grid, or picture (PNG, JPEG, BMP)"),
    word("format", || words(FORMATS), "what the file is").computed(BY_NAME),
    key("size", "m", KeyKind::Numbers(2), "of matrices and pictures: lengths along x and y"),
    CENTER,
    key("heights", "m", KeyKind::Numbers(2), "of pictures: heights of black and white"),
    number("fill", "m", Range::Any, "of ESRI grids: height where there are no data")
        .computed("none: an error"),
];

/// Of a rectangle: where it begins.
pub(crate) const MIN: Key = point("min", "m", "lower left corner");
/// Of a rectangle: where it ends.
pub(crate) const MAX: Key = point("max", "m", "upper right corner");
/// Where a layer holds.
const PART: &[Key] = &[MIN.computed("everywhere"), MAX.computed("everywhere")];
const STRIP: &[Key] = &[
    point("from", "m", "middle of the strip's beginning"),
    point("to", "m", "middle of the strip's end"),
    number("width", "m", Range::Positive, "full width of the strip"),
];

#[derive(Clone, Copy)]
pub(crate) enum LayerKind {
    Ramp,
    Waves,
    Block,
    Expression,
    Hills,
    File,
}

pub(crate) const LAYERS: Kinds<LayerKind> = Kinds {
    absent: None,
    common: &[&[
        word("join", || words(JOINS), "how it joins what lies below").or(Absent::Text("add"), OURS)
    ]],
    list: &[
        (
            "ramp",
            LayerKind::Ramp,
            &[
                STRIP,
                &[key("heights", "m", KeyKind::Numbers(2), "heights at its beginning and end")],
            ],
        ),
        (
            "waves",
            LayerKind::Waves,
            &[
                STRIP,
                &[
                    number("height", "m", Range::Within(-1e3, 1e3), "from trough to crest"),
                    number("wavelength", "m", Range::Within(1e-3, 1e6), "from crest to crest"),
                ],
            ],
        ),
        (
            "block",
            LayerKind::Block,
            &[&[
                MIN,
                MAX,
                number(
                    "height",
                    "m",
                    Range::Within(-1e4, 1e4),
                    "height of its top; negative: depth of a ditch",
                ),
                number(
                    "side",
                    "m",
                    Range::NotNegative,
                    "how far its sloping sides reach beyond it",
                )
                .or(Absent::Value(0.0), OURS),
            ]],
        ),
        ("expression", LayerKind::Expression, &[&[Z], PART]),
        ("hills", LayerKind::Hills, &[HILLS, PART]),
        ("file", LayerKind::File, &[FILE]),
    ],
};

const JOINS: &[(&str, Join)] =
    &[("add", Join::Add), ("max", Join::Max), ("min", Join::Min), ("set", Join::Set)];

#[derive(Clone, Copy)]
enum Format {
    Matrix,
    Mesh,
    Esri,
    Picture,
}

const FORMATS: &[(&str, Format)] = &[
    ("matrix", Format::Matrix),
    ("msh", Format::Mesh),
    ("esri", Format::Esri),
    ("picture", Format::Picture),
];

/// Nodes of a terrain that says nothing of them: so far apart, m, and so many along a side.
const NODE_DISTANCE: f64 = 0.2;
const MOST_DEFAULT_NODES: f64 = 1001.0;

/// A layer with the table that it was read from.
pub(crate) struct LayerPlan {
    pub(crate) layer: Layer,
    pub(crate) path: String,
    pub(crate) origin: Origin,
}

/// What is wrong with a terrain, told by the key that made it.
pub(crate) trait At {
    /// As an error of a scene.
    fn at(self, key: &str, origin: &Origin) -> SceneError;
}

impl At for TerrainError {
    fn at(self, key: &str, origin: &Origin) -> SceneError {
        let (expected, got) = match self {
            Self::Text { line, column, expected, got, .. } => {
                let place = if line > 1 { format!("line {line}, ") } else { String::new() };
                (expected, format!("{got} ({place}column {column} of the text)"))
            }
            Self::File { expected, got, .. } => (expected, got),
        };
        SceneError::Value { origin: origin.clone(), key: key.to_owned(), expected, got }
    }
}

impl From<TerrainError> for SceneError {
    fn from(error: TerrainError) -> Self {
        match error {
            TerrainError::Text { file, line, column, expected, got } => Self::Syntax {
                file,
                line: u32::try_from(line).unwrap_or(u32::MAX),
                column: u32::try_from(column).unwrap_or(u32::MAX),
                message: format!("expected {expected}, got {got}"),
            }
            // It need not be a terrain at all.
            .withheld(),
            TerrainError::File { file, expected, got } => {
                Self::Io { file, message: format!("expected {expected}, got {got}") }
            }
        }
    }
}

impl Assembler {
    pub(crate) fn layer(&mut self, node: &Node, path: String) -> Option<LayerPlan> {
        let (fields, kind) = Fields::open_kind(&mut self.log, node, path, &LAYERS)?;
        let join = fields.word(&mut self.log, "join", JOINS);
        let relief = match kind {
            LayerKind::Ramp => {
                let strip = self.strip(&fields);
                let heights = fields.array(&mut self.log, "heights");
                Relief::Ramp { strip: strip?, heights: heights? }
            }
            LayerKind::Waves => {
                let strip = self.strip(&fields);
                let log = &mut self.log;
                let height = fields.number(log, "height");
                let wavelength = fields.number(log, "wavelength");
                Relief::Waves { strip: strip?, height, wavelength }
            }
            LayerKind::Block => {
                let log = &mut self.log;
                let height = fields.number(log, "height");
                let side = fields.number(log, "side");
                Relief::Block { area: self.rectangle(&fields)?, height, side }
            }
            LayerKind::Expression => {
                let area = self.some_rectangle(&fields);
                Relief::Expression { expression: self.expression(&fields)?, area: area? }
            }
            LayerKind::Hills => {
                let hills = self.hills(&fields);
                Relief::Hills { hills, area: self.some_rectangle(&fields)? }
            }
            LayerKind::File => {
                let (spec, name) = self.terrain_file(&fields)?;
                let checked = Terrain::new(spec)
                    .map_err(|error| SceneError::Io { file: name, message: error.to_string() });
                let terrain = checked.map_err(|error| self.log.error(error)).ok()?;
                Relief::Terrain(Box::new(terrain))
            }
        };
        let (path, origin) = (fields.path.clone(), fields.origin.clone());
        Some(LayerPlan { layer: Layer { relief, join: join? }, path, origin })
    }

    fn strip(&mut self, fields: &Fields<'_>) -> Option<Strip> {
        let log = &mut self.log;
        let before = log.error_count();
        let [from, to] = ["from", "to"].map(|name| fields.point(log, name));
        let width = fields.number(log, "width");
        if (to - from).length() < 1e-6 && log.error_count() == before {
            let expected = "a point away from `from`";
            let got = format!("[{}, {}]", to.x, to.y);
            log.wrong(fields.origin_of("to"), fields.key_path("to"), expected, got);
        }
        (log.error_count() == before).then_some(Strip { from, to, width })
    }

    /// Reads `min` and `max`.
    pub(crate) fn rectangle(&mut self, fields: &Fields<'_>) -> Option<Area> {
        let log = &mut self.log;
        let before = log.error_count();
        let [min, max] = ["min", "max"].map(|name| fields.point(log, name));
        if log.error_count() == before && !(min.x < max.x && min.y < max.y) {
            let expected = "a corner right of and above min";
            let got = format!("[{}, {}]", max.x, max.y);
            log.wrong(fields.origin_of("max"), fields.key_path("max"), expected, got);
        }
        (log.error_count() == before).then_some(Area { min, max })
    }

    /// The same where both may be left out.
    fn some_rectangle(&mut self, fields: &Fields<'_>) -> Option<Option<Area>> {
        if fields.get("min").is_none() && fields.get("max").is_none() {
            return Some(None);
        }
        self.rectangle(fields).map(Some)
    }

    /// Reads `z`.
    pub(crate) fn expression(&mut self, fields: &Fields<'_>) -> Option<Expression> {
        let text = fields.text(&mut self.log, "z");
        let node = fields.get("z").filter(|node| node.text().is_some())?;
        let key = fields.key_path("z");
        let parsed = Expression::parse(&key, &text);
        parsed.map_err(|error| self.log.error(error.at(&key, &node.origin))).ok()
    }

    /// Reads the keys of hills.
    pub(crate) fn hills(&mut self, fields: &Fields<'_>) -> Hills {
        let mut hills = Hills::default();
        let log = &mut self.log;
        fields.numbers(log, &mut hills, HILL);
        hills
    }

    /// Reads `size`, `center` and `nodes`. A terrain that is `plain` needs no more than its corners.
    pub(crate) fn area_and_nodes(
        &mut self,
        fields: &Fields<'_>,
        plain: bool,
    ) -> Option<(Area, (usize, usize))> {
        let area = self.area(fields)?;
        let size = area.max - area.min;
        let enough = |size: f64| {
            if plain {
                2.0
            } else {
                (size / NODE_DISTANCE).ceil().clamp(1.0, MOST_DEFAULT_NODES - 1.0) + 1.0
            }
        };
        let enough = [enough(size.x), enough(size.y)];
        let nodes = fields.array_or(&mut self.log, "nodes", enough)?;
        let good = nodes.iter().all(|n| n.fract() == 0.0 && (2.0..=MOST_NODES as f64).contains(n));
        if !good || nodes[0] * nodes[1] > MOST_NODES as f64 {
            let expected =
                format!("two whole numbers from 2, with a product of at most {MOST_NODES}");
            let got = format!("[{}, {}]", nodes[0], nodes[1]);
            self.log.wrong(fields.origin_of("nodes"), fields.key_path("nodes"), expected, got);
            return None;
        }
        Some((area, (nodes[0] as usize, nodes[1] as usize)))
    }

    /// Reads `size` and `center`.
    fn area(&mut self, fields: &Fields<'_>) -> Option<Area> {
        let log = &mut self.log;
        let center = fields.point(log, "center");
        let size = fields.array::<2>(log, "size")?;
        if !size.iter().all(|x| (1e-3..=1e6).contains(x)) {
            let expected = "two lengths from 0.001 to 1e6 (m)";
            let got = format!("[{}, {}]", size[0], size[1]);
            log.wrong(fields.origin_of("size"), fields.key_path("size"), expected, got);
            return None;
        }
        let half = Vec2::new(0.5 * size[0], 0.5 * size[1]);
        Some(Area { min: center - half, max: center + half })
    }

    /// Reads a terrain file: what is in it, and its name.
    pub(crate) fn terrain_file(&mut self, fields: &Fields<'_>) -> Option<(TerrainSpec, String)> {
        let asked = fields.get("file").and_then(Node::text).unwrap_or_default().to_lowercase();
        let default = match asked.rsplit('.').next().unwrap_or_default() {
            "msh" => "msh",
            "asc" | "grd" => "esri",
            "png" | "jpg" | "jpeg" | "bmp" => "picture",
            _ => "matrix",
        };
        let format = fields.word_or(&mut self.log, "format", FORMATS, Some((default, BY_NAME)));
        let read = self.terrain_bytes(fields, "file");
        let format = format?;
        let needs = |name: &str| match (format, name) {
            (Format::Matrix, "size" | "center") => true,
            (Format::Picture, name) => name != "fill",
            (Format::Esri, "fill") => true,
            _ => false,
        };
        for name in ["size", "center", "heights", "fill"] {
            if let (Some(node), false) = (fields.get(name), needs(name)) {
                let expected = "no such key with this format";
                self.log.wrong(&node.origin, fields.key_path(name), expected, node.value.got());
            }
        }
        let (name, bytes) = read?;
        let spec = match format {
            Format::Matrix => rolima_terrain::matrix(&name, &bytes, self.area(fields)?),
            Format::Mesh => rolima_terrain::mesh(&name, &bytes),
            Format::Esri => {
                let fill = fields.optional(&mut self.log, "fill");
                rolima_terrain::esri(&name, &bytes, fill)
            }
            Format::Picture => {
                let area = self.area(fields);
                let [low, high] = fields.array(&mut self.log, "heights")?;
                rolima_terrain::heightmap(&name, &bytes, area?, (low, high))
            }
        };
        let spec = spec.map_err(|error| self.log.error(error.into())).ok()?;
        Some((spec, name))
    }

    /// The bytes of the file that a key names, and its name.
    pub(crate) fn terrain_bytes(
        &mut self,
        fields: &Fields<'_>,
        name: &str,
    ) -> Option<(String, Arc<[u8]>)> {
        let file = fields.text(&mut self.log, name);
        let asked = fields.get(name).filter(|node| node.text().is_some())?;
        let key = fields.key_path(name);
        let wanted = Wanted { name: &file, is_preset: false, origin: &asked.origin, key: &key };
        self.files.bytes(&mut self.log, &wanted)
    }
}
