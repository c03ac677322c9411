//! Drawn parts of vehicles: OBJ files with the colours of their MTL files, brought into the frame of
//! the part and into the colours' own names, so that whoever draws them needs no other file.

use crate::StageError;
use crate::obj::{colour_named, index, numbers, shortened};
use crate::paint::{Colour, Paint};
use crate::pose::{Point3, StagePose, scale};
use crate::solid::Solid;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Most triangles of a drawn part: a view draws it for every vehicle that has it.
pub const MOST_PART_TRIANGLES: usize = 20_000;
/// Farthest corner of a drawn part from its origin along an axis, m.
pub const FARTHEST_PART_CORNER: f64 = 100.0;
/// Most materials of an MTL file.
const MOST_MATERIALS: usize = 4096;
/// Materials that have the colours of the robot.
const OWN: [&str; 2] = ["team", "tag"];

/// Colours of the materials of MTL files, by name.
pub type Materials = BTreeMap<String, Colour>;

/// Reads an MTL file: `newmtl` and its diffuse colour `Kd`; everything else is passed over. A
/// material without a colour is grey.
///
/// ```
/// let materials = rolima_render::read_mtl("newmtl paint\nKd 1 0.5 0\n")?;
/// assert_eq!(materials["paint"], [255, 128, 0]);
/// let error = rolima_render::read_mtl("newmtl paint\nKd 2 0 0\n").unwrap_err();
/// assert_eq!(error.to_string(), "line 2: expected three numbers from 0 to 1, got `Kd 2 0 0`");
/// # Ok::<(), rolima_render::StageError>(())
/// ```
pub fn read_mtl(text: &str) -> Result<Materials, StageError> {
    let mut materials = Materials::new();
    let mut current: Option<String> = None;
    for (at, line) in text.lines().enumerate() {
        let bad = |expected| StageError::Obj { line: at + 1, expected, got: shortened(line) };
        let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
        match words.next() {
            Some("newmtl") => {
                let name = words.next().ok_or_else(|| bad("the name of a material"))?;
                if materials.len() >= MOST_MATERIALS {
                    return Err(bad("at most 4096 materials"));
                }
                materials.insert(name.to_owned(), [140; 3]);
                current = Some(name.to_owned());
            }
            Some("Kd") => {
                let parts = numbers(words)
                    .filter(|parts: &Point3| parts.iter().all(|part| (0.0..=1.0).contains(part)));
                let parts = parts.ok_or_else(|| bad("three numbers from 0 to 1"))?;
                let name = current.as_ref().ok_or_else(|| bad("newmtl before"))?;
                let colour = parts.map(|part| (255.0 * part + 0.5) as u8);
                materials.insert(name.clone(), colour);
            }
            _ => {}
        }
    }
    Ok(materials)
}

/// Names of the MTL files that an OBJ file wants, as it says them, each on a line of its own; with
/// the numbers of the lines, from 1.
pub fn mtl_files(obj: &str) -> impl Iterator<Item = (usize, &str)> {
    obj.lines().enumerate().filter_map(|(at, line)| {
        let rest = line.trim_start().strip_prefix("mtllib")?;
        let name = rest.starts_with(char::is_whitespace).then(|| rest.trim())?;
        (!name.is_empty()).then_some((at + 1, name))
    })
}

/// A drawn part, ready.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnPart {
    /// OBJ text in the part's frame, m. Materials are called `0xrrggbb`, `team` or `tag`.
    pub obj: String,
    /// Corners of its faces, m: those that no face has are left out.
    pub corners: Vec<Point3>,
    /// Triangles.
    pub triangles: usize,
}

/// Brings an OBJ file into the frame of a part: `size` metres for one of its units, then `pose`.
/// Materials get their colours from `materials`, or from their names: plain colours, and `team` and
/// `tag` for the robot's own. Others are refused, as is what is too large.
pub fn read_part(
    obj: &str,
    materials: &Materials,
    size: f64,
    pose: &StagePose,
) -> Result<DrawnPart, StageError> {
    // Everything that cannot be a mesh is told here, with its line.
    Solid::from_obj(obj, Paint::plain([0; 3]), |_| None)?;
    let mut part = Writer { text: String::new(), vertices: vec![], normals: 0, triangles: 0 };
    for (at, line) in obj.lines().enumerate() {
        let bad = |expected| StageError::Obj { line: at + 1, expected, got: shortened(line) };
        part.line(line, materials, size, pose).map_err(bad)?;
    }
    if part.triangles == 0 {
        let (line, got) = (obj.lines().count(), "the end of the file".to_owned());
        return Err(StageError::Obj { line, expected: "a face before", got });
    }
    let used = part.vertices.into_iter().filter_map(|(vertex, used)| used.then_some(vertex));
    Ok(DrawnPart { obj: part.text, corners: used.collect(), triangles: part.triangles })
}

/// The text that comes out.
struct Writer {
    text: String,
    /// Vertices, and whether a face has them.
    vertices: Vec<(Point3, bool)>,
    normals: usize,
    triangles: usize,
}

impl Writer {
    /// Takes in one line of a good file, or says what was expected.
    fn line(
        &mut self,
        line: &str,
        materials: &Materials,
        size: f64,
        pose: &StagePose,
    ) -> Result<(), &'static str> {
        let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
        match words.next() {
            Some("v") => {
                let v: Point3 = numbers(words).ok_or("three finite coordinates")?;
                let v = pose.transform(scale(v, size));
                if !v.iter().all(|x| x.abs() <= FARTHEST_PART_CORNER) {
                    return Err("a corner within 100 m, scale and offset included");
                }
                self.vertices.push((v, false));
                self.triple("v", v);
            }
            Some("vn") => {
                self.normals += 1;
                let normal: Point3 = numbers(words).ok_or("a normal")?;
                self.triple("vn", pose.rotate(normal));
            }
            Some("f") => self.face(words)?,
            Some("usemtl") => {
                let name = words.next().ok_or("the name of a material")?;
                let known = materials.get(name).copied().or_else(|| colour_named(name));
                match known {
                    Some([r, g, b]) => _ = writeln!(self.text, "usemtl 0x{r:02x}{g:02x}{b:02x}"),
                    None if OWN.contains(&name) => _ = writeln!(self.text, "usemtl {name}"),
                    None => return Err("a material of its MTL files, a plain colour, team or tag"),
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn triple(&mut self, key: &str, [x, y, z]: Point3) {
        // What views draw with; more digits would only be more to send.
        let _ = writeln!(self.text, "{key} {} {} {}", x as f32, y as f32, z as f32);
    }

    fn face<'a>(&mut self, words: impl Iterator<Item = &'a str>) -> Result<(), &'static str> {
        self.text.push('f');
        let mut corners = 0;
        for word in words {
            let mut parts = word.split('/');
            let vertex = parts.next().and_then(|part| index(part, self.vertices.len()));
            let vertex = vertex.ok_or("a vertex that exists")?;
            self.vertices[vertex as usize].1 = true;
            let _ = write!(self.text, " {}", vertex + 1);
            if let Some(normal) = parts.nth(1).and_then(|part| index(part, self.normals)) {
                let _ = write!(self.text, "//{}", normal + 1);
            }
            corners += 1;
        }
        self.text.push('\n');
        self.triangles += corners - 2;
        if self.triangles > MOST_PART_TRIANGLES {
            return Err("at most 20,000 triangles in all");
        }
        Ok(())
    }
}

/// Reads bytes as an MTL and an OBJ file, for fuzzing: whatever they are, there is an error or a part
/// that reads back.
#[doc(hidden)]
pub fn fuzz_entry(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let materials = read_mtl(&text).unwrap_or_default();
    let _ = mtl_files(&text).count();
    for size in [1.0, 1e-3, f64::MAX] {
        if let Ok(part) = read_part(&text, &materials, size, &StagePose::IDENTITY) {
            let again = Solid::from_obj(&part.obj, Paint::plain([0; 3]), |_| None);
            assert!(again.is_ok(), "what was read reads back");
            let near = |x: &f64| x.abs() <= FARTHEST_PART_CORNER;
            assert!(part.corners.iter().flatten().all(near), "what was read is small");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const WEDGE: &str = "mtllib a.mtl\nmtllib  my colours.mtl \nmtllibs no\nv 0 0 0\nv 1000 0 0\nv 0 1000 0\n\
        v 0 0 1000\nv 9e3 9e3 9e3\nvn 1 0 0\nvt 0 0\nusemtl shell\nf 1/1/1 3/1/1 2/1/1\nusemtl team\nf -5 -3 -2\n\
        usemtl dark-red\nf 1 2 4\n";

    fn read(text: &str) -> Result<DrawnPart, StageError> {
        let materials =
            read_mtl("newmtl shell\nNs 10\nKd 0.2 0.4 0.6\nmap_Kd a.png\nnewmtl dull\n")?;
        let pose = StagePose { position: [0.5, 0.0, -0.25], ..StagePose::IDENTITY };
        read_part(text, &materials, 1e-3, &pose)
    }

    #[test]
    fn a_part_comes_in_metres_with_colours_of_its_own() {
        assert_eq!(mtl_files(WEDGE).collect::<Vec<_>>(), [(1, "a.mtl"), (2, "my colours.mtl")]);
        let part = read(WEDGE).unwrap();
        assert_eq!(part.triangles, 3);
        // The vertex that no face has does not make the part larger.
        assert_eq!(part.corners.len(), 4);
        assert_eq!(part.corners[1], [1.5, 0.0, -0.25]);
        let lines: Vec<&str> = part.obj.lines().collect();
        assert_eq!(lines[0], "v 0.5 0 -0.25");
        assert_eq!(
            lines[5..],
            [
                "vn 1 0 0",
                "usemtl 0x336699",
                "f 1//1 3//1 2//1",
                "usemtl team",
                "f 1 3 4",
                "usemtl 0x781815",
                "f 1 2 4"
            ]
        );
        // What comes out reads back, with its colours.
        let solid = Solid::from_obj(&part.obj, Paint::plain([9; 3]), |name| {
            (name == "team").then_some(Paint::plain([1, 2, 3]))
        });
        let paints: Vec<Colour> = solid.unwrap().paints.iter().map(|p| p.colour).collect();
        assert_eq!(paints, [[9; 3], [0x33, 0x66, 0x99], [1, 2, 3], [120, 24, 21]]);
    }

    #[test]
    fn what_is_too_large_or_unknown_is_refused_with_its_line() {
        for (text, expected) in [
            ("v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl steel\nf 1 2 3", "line 4: expected a material"),
            ("v 0 0 0\nv 1 0 0\nv 0 1e6 0\nf 1 2 3", "line 3: expected a corner within 100 m"),
            ("v 0 0 0\nv 1 0 0\nv 0 1 0\n", "line 3: expected a face"),
            ("", "line 0: expected a face"),
            ("v 0 0 0\nf 1 1 2", "line 2: expected a vertex that exists"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
        let corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
        let many = format!("{corners}{}", "f 1 2 3\n".repeat(MOST_PART_TRIANGLES + 1));
        let error = read(&many).unwrap_err().to_string();
        assert!(error.starts_with("line 20004: expected at most 20,000 triangles"), "{error}");
        for (text, expected) in [
            ("newmtl", "line 1: expected the name"),
            ("\nKd 1 1 1", "line 2: expected newmtl before"),
            ("newmtl a\nKd 1 1", "line 2: expected three numbers"),
            ("newmtl a\nKd spectral a.rfl", "line 2: expected three numbers"),
            ("newmtl a\nKd 0 nan 0", "line 2: expected three numbers"),
        ] {
            let error = read_mtl(text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
        let many: String = (0..5000).map(|i| format!("newmtl m{i}\n")).collect();
        assert!(read_mtl(&many).is_err());
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic_and_what_it_takes_reads_back(
            lines in prop::collection::vec(
                (
                    prop::sample::select(vec!["v", "vt", "vn", "f", "usemtl", "mtllib", "newmtl", "Kd"]),
                    prop::collection::vec(
                        prop::sample::select(vec![
                            "0", "1", "-1", "2", "3", "1/1", "2//1", "3/1/1", "1e300", "nan", "-0.5", "red",
                            "team", "#", "99999999999999999999", "/",
                        ]),
                        0..5,
                    ),
                ),
                0..30,
            ),
            garbage in "\\PC{0,60}",
        ) {
            let text: Vec<String> =
                lines.iter().map(|(key, words)| format!("{key} {}", words.join(" "))).collect();
            let text = format!("{}\n{garbage}", text.join("\n"));
            fuzz_entry(text.as_bytes());
        }
    }
}
