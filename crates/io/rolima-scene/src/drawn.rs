//! Drawn shapes of chassis and wheels: OBJ files with the colours of their MTL files.
//!
//! What is seen and what touches must not differ unseen: a drawn chassis says how large the chassis
//! is and which points of it touch, a drawn wheel must be as large as the wheel.

use crate::error::SceneError;
use crate::files::Wanted;
use crate::home::{Home, Store};
use crate::ledger::Origin;
use crate::reader::{Absent, Fields, Key, KeyKind, OURS, Range, key, number, text};
use crate::scene::Assembler;
use rolima_math::Vec3;
use rolima_render::{DrawnPart, Materials, StageError, StagePose, mtl_files, read_mtl, read_part};
use rolima_spatial::shape::{MeshShape, bounds, hull_points};
use rolima_spatial::{ChassisSpec, WheelSpec};
use std::rc::Rc;
use std::sync::Arc;

/// Most bytes of all different drawn shapes of a scene, as they go to every viewer: 4 MiB.
const MOST_BYTES: usize = 4 << 20;
/// Most MTL files of a shape.
const MOST_MTL_FILES: usize = 16;
/// How far a shape may differ from the numbers beside it, m, and as a share.
const TOLERANCE: (f64, f64) = (1e-3, 0.02);

/// The key of a chassis or a wheel that was drawn.
pub(crate) const DRAWN: Key = key(
    "mesh",
    "-",
    KeyKind::Other("file, table or \"none\""),
    "its shape: an OBJ file, or a table with file, scale, rotation, offset; \"none\"",
)
.computed("none: plain shapes");

pub(crate) const MESH: &[Key] = &[
    text("file", "OBJ file beside this one; its MTL files stand beside it"),
    number("scale", "m", Range::Positive, "metres for one unit of the file")
        .or(Absent::Value(1.0), OURS),
    key(
        "rotation",
        "deg",
        KeyKind::Numbers(3),
        "roll, pitch and yaw that turn the file's axes to x forward, y left, z up",
    )
    .or(Absent::List(&[0.0; 3]), OURS),
    key(
        "offset",
        "m",
        KeyKind::Numbers(3),
        "where the file's origin is then, from the centre of mass or the hub",
    )
    .or(Absent::List(&[0.0; 3]), OURS),
];

/// A shape that was read.
pub(crate) struct Drawn {
    pub(crate) shape: Arc<MeshShape>,
    corners: Vec<Vec3>,
    low: Vec3,
    high: Vec3,
    /// Where it was asked for.
    origin: Origin,
    path: String,
}

/// Whether a measure of a shape is that of the number beside it.
fn agrees(a: f64, b: f64, size: f64) -> bool {
    (a - b).abs() <= TOLERANCE.0.max(TOLERANCE.1 * size)
}

impl Drawn {
    /// Length, width and height as a chassis has them.
    fn sizes(&self) -> [(&'static str, [f64; 2]); 3] {
        let Self { low, high, .. } = self;
        let [l, h] = [low.array(), high.array()];
        let pair = |i: usize| [h[i], -l[i]];
        [("length", pair(0)), ("width", pair(1)), ("height", pair(2))]
    }

    /// The points that touch.
    pub(crate) fn hull(&self) -> Arc<[Vec3]> {
        hull_points(&self.corners).into()
    }
}

impl Assembler {
    /// Reads length, width and height of a chassis: those of its shape, where it was drawn. Others
    /// than those are refused.
    pub(crate) fn chassis_size(
        &mut self,
        fields: &Fields<'_>,
        chassis: &mut ChassisSpec,
        drawn: Option<&Drawn>,
    ) {
        let known =
            [("length", chassis.length), ("width", chassis.width), ("height", chassis.height)];
        let mut read = known.map(|(_, pair)| pair);
        let sizes = drawn.map_or(known, Drawn::sizes);
        for (pair, (name, size)) in read.iter_mut().zip(sizes) {
            let source = if drawn.is_some() { "its mesh" } else { OURS };
            *pair = fields.array_from(&mut self.log, name, size, source).unwrap_or(size);
            let whole = size[0] + size[1];
            let same = pair.iter().zip(size).all(|(&a, b)| agrees(a, b, whole));
            if drawn.is_some() && !same {
                let expected =
                    format!("[{:.4}, {:.4}] (m), as its mesh has it, or nothing", size[0], size[1]);
                let (origin, path) = (fields.origin_of(name), fields.key_path(name));
                self.log.wrong(origin, path, expected, format!("{pair:?}"));
            }
        }
        [chassis.length, chassis.width, chassis.height] = read;
    }

    /// Refuses a drawn wheel of another size than the wheel's.
    pub(crate) fn check_drawn_wheel(&mut self, drawn: &Drawn, wheel: &WheelSpec) {
        let squares = drawn.corners.iter().map(|p| p.x * p.x + p.z * p.z);
        let radius = squares.fold(0.0, f64::max).sqrt();
        let (origin, path) = (&drawn.origin, drawn.path.clone());
        if !agrees(radius, wheel.radius, wheel.radius) {
            let expected = format!("a wheel of radius {} m about its y axis", wheel.radius);
            return self.log.wrong(origin, path, expected, format!("{radius:.4} m"));
        }
        let width = drawn.high.y - drawn.low.y;
        if !wheel.ball && !(0.5 * wheel.width..=2.0 * wheel.width).contains(&width) {
            let expected = format!("a wheel half to twice as wide as {} m", wheel.width);
            self.log.wrong(origin, path, expected, format!("{width:.4} m"));
        }
    }

    /// Reads the shape of a part: none where the table has none, or after an error.
    pub(crate) fn drawn(&mut self, part: &Fields<'_>) -> Option<Rc<Drawn>> {
        let node = part.get(DRAWN.name)?;
        let path = part.key_path(DRAWN.name);
        let (mut size, mut pose) = (1.0, StagePose::IDENTITY);
        let (file, origin) = match node.text() {
            Some("none") => {
                part.text(&mut self.log, DRAWN.name);
                return None;
            }
            Some(_) => (part.text(&mut self.log, DRAWN.name), &node.origin),
            None => {
                let fields = Fields::open(&mut self.log, node, path.clone(), &[MESH])?;
                let log = &mut self.log;
                let file = fields.text(log, "file");
                size = fields.number(log, "scale");
                let [roll, pitch, yaw] = fields.array(log, "rotation")?.map(f64::to_radians);
                let position = fields.array(log, "offset")?;
                pose = StagePose::from_angles(position, yaw, pitch, roll);
                (file, fields.get("file").map(|node| &node.origin)?)
            }
        };
        let wanted = Wanted { name: &file, is_preset: false, origin, key: &path };
        let (name, part) = self.read_drawn(&wanted, size, &pose)?;
        let corners: Vec<Vec3> = part.corners.iter().map(|&[x, y, z]| Vec3::new(x, y, z)).collect();
        let [low, high] = bounds(&corners)?;
        let shape = self.known_shape(MeshShape { name, obj: part.obj.into() }, &wanted)?;
        Some(Rc::new(Drawn { shape, corners, low, high, origin: origin.clone(), path }))
    }

    /// Reads an OBJ file and its MTL files.
    fn read_drawn(
        &mut self,
        wanted: &Wanted<'_>,
        size: f64,
        pose: &StagePose,
    ) -> Option<(String, DrawnPart)> {
        let (name, text, home) = self.files.text(&mut self.log, wanted)?;
        let mut materials = Materials::new();
        for (count, (line, file)) in mtl_files(&text).enumerate() {
            if count >= MOST_MTL_FILES {
                let expected = format!("at most {MOST_MTL_FILES} MTL files");
                self.log.wrong(wanted.origin, wanted.key, expected, "more");
                return None;
            }
            let (mtl, text) = match mtl_text(&mut self.files.store, &home, file) {
                Ok(found) => found,
                Err(got) => {
                    let line = u32::try_from(line).unwrap_or(u32::MAX);
                    let origin = Origin::File { file: name.clone(), line, column: 1 };
                    let expected = "an MTL file beside the OBJ file";
                    // The line need not be one of an OBJ file: its words are not shown.
                    let got = SceneError::Value {
                        origin,
                        key: "mtllib".to_owned(),
                        expected: expected.to_owned(),
                        got,
                    };
                    self.log.error(got.withheld());
                    return None;
                }
            };
            match read_mtl(&text) {
                Ok(read) => materials.extend(read),
                Err(error) => {
                    self.log.error(at_line(&mtl, &error));
                    return None;
                }
            }
        }
        match read_part(&text, &materials, size, pose) {
            Ok(part) => Some((name.to_string(), part)),
            Err(error) => {
                self.log.error(at_line(&name, &error));
                None
            }
        }
    }

    /// The same shape for all that look alike; none where there are too many.
    fn known_shape(&mut self, shape: MeshShape, wanted: &Wanted<'_>) -> Option<Arc<MeshShape>> {
        if let Some(known) = self.drawn_shapes.iter().find(|known| ***known == shape) {
            return Some(known.clone());
        }
        let bytes: usize = self.drawn_shapes.iter().map(|known| known.obj.len()).sum();
        if bytes + shape.obj.len() > MOST_BYTES {
            let expected = format!("drawn shapes of at most {} MiB in all", MOST_BYTES >> 20);
            self.log.wrong(wanted.origin, wanted.key, expected, "more");
            return None;
        }
        let shape = Arc::new(shape);
        self.drawn_shapes.push(shape.clone());
        Some(shape)
    }
}

/// Name and text of an MTL file beside an OBJ file; else what is there instead.
fn mtl_text(store: &mut Store, home: &Home, file: &str) -> Result<(Arc<str>, String), String> {
    let found = store.find_beside(home, file);
    let (name, home) = found.ok_or_else(|| format!("{file:?}, which is not there"))?;
    let text = store.text(&name, &home).map_err(|error| error.to_string())?;
    Ok((name, text))
}

/// What is wrong with a file, as `file:line: expected ...` where a line is.
/// The file need not be what it is taken for, and its text is not shown.
pub(crate) fn at_line(file: &str, error: &StageError) -> SceneError {
    match error {
        StageError::Obj { line, expected, got } => SceneError::Io {
            file: format!("{file}:{line}"),
            message: format!("expected {expected}, got `{got}`"),
        }
        .withheld(),
        other => SceneError::Io { file: file.to_owned(), message: other.to_string() },
    }
}
