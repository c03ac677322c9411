//! Meshes from OBJ text: `v`, `vt`, `vn`, `f` and `usemtl`. Everything else is passed over.

use crate::StageError;
use crate::paint::{Colour, Paint};
use crate::pose::{Point3, is_sane};
use crate::solid::{MOST_PARTS, Solid};

/// Corners of one face at most; more are taken for a broken file.
const MOST_FACE_CORNERS: usize = 1024;
/// Materials at most.
const MOST_MATERIALS: usize = 4096;

impl Solid {
    /// Reads a mesh, m, with its z axis up. `paint_of` says how a material named by `usemtl` looks;
    /// where it knows nothing, the name may be that of a plain colour (`red`, `dark-green`, ...), and
    /// everything else, like faces without material, gets `paint`. Faces may have any number of
    /// corners; those with normals of their own look smooth.
    ///
    /// ```
    /// use rolima_render::{Paint, Solid};
    /// let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n";
    /// let solid = Solid::from_obj(text, Paint::plain([128; 3]), |_| None)?;
    /// assert_eq!(solid.face_count(), 1);
    /// let error = Solid::from_obj("v 0 0\n", Paint::plain([0; 3]), |_| None).unwrap_err();
    /// assert_eq!(error.to_string(), "line 1: expected three finite coordinates, got `v 0 0`");
    /// # Ok::<(), rolima_render::StageError>(())
    /// ```
    pub fn from_obj(
        text: &str,
        paint: Paint,
        paint_of: impl Fn(&str) -> Option<Paint>,
    ) -> Result<Self, StageError> {
        Self::from_scaled_obj(text, [1.0; 3], paint, paint_of)
    }

    /// As [`Solid::from_obj`], with factors along the file's axes. A negative one mirrors.
    pub fn from_scaled_obj(
        text: &str,
        scale: Point3,
        paint: Paint,
        paint_of: impl Fn(&str) -> Option<Paint>,
    ) -> Result<Self, StageError> {
        let mut reader = Reader {
            scale,
            solid: Solid { paints: vec![paint], ..Solid::default() },
            materials: vec![String::new()],
            ..Reader::default()
        };
        for (index, line) in text.lines().enumerate() {
            let bad =
                |expected| StageError::Obj { line: index + 1, expected, got: shortened(line) };
            reader.line(line, &paint_of).map_err(bad)?;
        }
        reader.solid.finish()
    }
}

#[derive(Default)]
struct Reader {
    solid: Solid,
    uv: Vec<[f64; 2]>,
    normals: Vec<Point3>,
    materials: Vec<String>,
    material: u16,
    /// Factors along the file's axes.
    scale: Point3,
}

impl Reader {
    /// Takes in one line, or says what was expected.
    fn line(
        &mut self,
        line: &str,
        paint_of: &impl Fn(&str) -> Option<Paint>,
    ) -> Result<(), &'static str> {
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split_whitespace();
        let room = |count: usize| if count < MOST_PARTS { Ok(()) } else { Err("fewer elements") };
        match words.next() {
            Some("v") => {
                room(self.solid.vertices.len())?;
                let v = numbers(words).map(|v: Point3| [0, 1, 2].map(|i| v[i] * self.scale[i]));
                let v = v.filter(|&v| is_sane(v));
                self.solid.vertices.push(v.ok_or("three finite coordinates")?);
            }
            Some("vt") => {
                room(self.uv.len())?;
                let [u, v] = numbers(words).filter(is_small).ok_or("two texture coordinates")?;
                // Rows of pictures count downwards.
                self.uv.push([u, -v]);
            }
            Some("vn") => {
                room(self.normals.len())?;
                let normal: Point3 = numbers(words).filter(is_small).ok_or("a normal")?;
                // Stretched sideways, a slope gets flatter: normals scale the other way.
                let [x, y, z] = self.scale;
                let stretched = [normal[0] * y * z, normal[1] * z * x, normal[2] * x * y];
                self.normals.push(if self.mirrors() { stretched.map(|n| -n) } else { stretched });
            }
            Some("f") => {
                room(self.solid.faces.len())?;
                self.face(words)?;
            }
            Some("usemtl") => {
                let name = words.next().ok_or("the name of a material")?;
                self.use_material(name, paint_of)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether outside becomes inside by the factors.
    fn mirrors(&self) -> bool {
        self.scale.iter().filter(|factor| **factor < 0.0).count() % 2 == 1
    }

    fn face<'a>(&mut self, words: impl Iterator<Item = &'a str>) -> Result<(), &'static str> {
        let (mut corners, mut uv, mut normals) = (Vec::new(), Vec::new(), Vec::new());
        for word in words {
            if corners.len() >= MOST_FACE_CORNERS {
                return Err("at most 1024 corners");
            }
            let mut parts = word.split('/');
            let vertex = parts.next().unwrap_or_default();
            corners.push(index(vertex, self.solid.vertices.len()).ok_or("a vertex that exists")?);
            if let Some(part) = parts.next().filter(|part| !part.is_empty()) {
                let at = index(part, self.uv.len()).ok_or("a texture coordinate that exists")?;
                uv.push(self.uv[at as usize]);
            }
            if let Some(part) = parts.next().filter(|part| !part.is_empty()) {
                let at = index(part, self.normals.len()).ok_or("a normal that exists")?;
                normals.push(self.normals[at as usize]);
            }
            if parts.next().is_some() {
                return Err("corners like 1, 1/2, 1//3 or 1/2/3");
            }
        }
        let n = corners.len();
        if n < 3 {
            return Err("at least three corners");
        }
        if self.mirrors() {
            corners.reverse();
            uv.reverse();
            normals.reverse();
        }
        let whole = |count: usize| count == n;
        let uv = Some(&uv[..]).filter(|uv| whole(uv.len()));
        if !whole(normals.len()) {
            self.solid.add_face(&corners, self.material, uv, None);
            return Ok(());
        }
        // Smooth faces go as triangles, each with the normals of its corners.
        for i in 1..n - 1 {
            let pick = [0, i, i + 1];
            let uv = uv.map(|uv| pick.map(|k| uv[k]));
            let uv = uv.as_ref().map(|uv| &uv[..]);
            let normals = Some(pick.map(|k| crate::pose::unit_or(normals[k], [0.0, 0.0, 1.0])));
            self.solid.add_face(&pick.map(|k| corners[k]), self.material, uv, normals);
        }
        Ok(())
    }

    fn use_material(
        &mut self,
        name: &str,
        paint_of: &impl Fn(&str) -> Option<Paint>,
    ) -> Result<(), &'static str> {
        if let Some(known) = self.materials.iter().position(|known| known == name) {
            self.material = known as u16;
            return Ok(());
        }
        if self.materials.len() >= MOST_MATERIALS {
            return Err("at most 4095 materials");
        }
        let paint = paint_of(name).or_else(|| colour_named(name).map(Paint::plain));
        self.material = self.materials.len() as u16;
        self.materials.push(name.to_owned());
        self.solid.paints.push(paint.unwrap_or(self.solid.paints[0]));
        Ok(())
    }
}

fn is_small<const N: usize>(values: &[f64; N]) -> bool {
    values.iter().all(|x| x.abs() <= 1e6)
}

/// The first N numbers of a line; further words, such as weights, do not count.
pub(crate) fn numbers<'a, const N: usize>(
    mut words: impl Iterator<Item = &'a str>,
) -> Option<[f64; N]> {
    let mut out = [0.0; N];
    for x in &mut out {
        *x = words.next()?.parse().ok()?;
    }
    Some(out)
}

/// An index of a list: counted from 1, or backwards from -1.
pub(crate) fn index(word: &str, count: usize) -> Option<u32> {
    let number: i64 = word.parse().ok()?;
    let at = if number > 0 { number - 1 } else { count as i64 + number };
    let good = number != 0 && (0..count as i64).contains(&at);
    good.then_some(at as u32)
}

pub(crate) fn shortened(line: &str) -> String {
    let mut text: String = line.chars().take(60).collect();
    if text.len() < line.len() {
        text.push_str("...");
    }
    text
}

/// A colour by its plain English name, perhaps with `dark-` or `light-` before it, or as
/// `0xrrggbb`.
pub(crate) fn colour_named(name: &str) -> Option<Colour> {
    let name = name.to_ascii_lowercase();
    if let Some(digits) = name.strip_prefix("0x").filter(|digits| digits.len() == 6) {
        let [_, r, g, b] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
        return Some([r, g, b]);
    }
    let (shade, name) = match name.split_once(['-', '_']) {
        Some(("dark", rest)) => (0.6, rest),
        Some(("light", rest)) => (1.3, rest),
        _ => (1.0, &name[..]),
    };
    let colour: [f64; 3] = match name {
        "black" => [28.0, 28.0, 30.0],
        "white" => [244.0, 244.0, 240.0],
        "grey" | "gray" => [140.0, 140.0, 144.0],
        "red" => [200.0, 40.0, 36.0],
        "green" => [46.0, 150.0, 60.0],
        "blue" => [36.0, 84.0, 200.0],
        "yellow" => [240.0, 204.0, 44.0],
        "orange" => [236.0, 134.0, 32.0],
        "brown" => [126.0, 80.0, 44.0],
        "purple" => [128.0, 60.0, 170.0],
        _ => return None,
    };
    Some(colour.map(|c| (c * shade) as u8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Result<Solid, StageError> {
        Solid::from_obj(text, Paint::plain([9, 9, 9]), |name| {
            (name == "own").then_some(Paint::plain([1, 2, 3]))
        })
    }

    const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

    #[test]
    fn quads_stay_whole_and_materials_become_paints() {
        let text = format!(
            "# a square, three times\nmtllib x.mtl\n{SQUARE}usemtl own\nf 1 2 3 4\nusemtl dark-red\n\
             f -4 -3 -2 -1\nusemtl steel\ns off\nf 1/1 2/1 3/1\nvt 0 0\nf 1 3 2 4\n"
        );
        // The texture coordinate that does not exist yet is refused.
        assert!(read(&text).unwrap_err().to_string().starts_with("line 13: expected a texture"));
        let solid = read(&text.replace("/1", "")).unwrap();
        let paints: Vec<Colour> = solid.paints.iter().map(|p| p.colour).collect();
        assert_eq!(paints, [[9, 9, 9], [1, 2, 3], [120, 24, 21], [9, 9, 9]]);
        // The last face crosses itself and goes as triangles.
        let corners: Vec<u32> = solid.faces.iter().map(|f| f.count).collect();
        assert_eq!(corners, [4, 4, 3, 3, 3]);
    }

    #[test]
    fn texture_coordinates_and_normals_arrive() {
        let text = format!("{SQUARE}vt 0 0\nvt 1 0\nvt 1 1\nvn 0 0 2\nf 1/1/1 2/2/1 3/3/1\n");
        let solid = read(&text).unwrap();
        let [(u, u0), (v, v0)] = solid.faces[0].texture;
        assert_eq!((u, u0), ([1.0, 0.0, 0.0], 0.0));
        assert_eq!((v, v0), ([0.0, -1.0, 0.0], 0.0));
        assert_eq!(solid.faces[0].smooth.as_ref().unwrap().normals, [[0.0, 0.0, 1.0]; 3]);
    }

    #[test]
    fn errors_name_the_line_and_what_was_expected() {
        for (text, expected) in [
            ("v 1 2 x", "three finite"),
            ("v 1 2 nan", "three finite"),
            ("v 1 2 1e30", "three finite"),
            ("f 1 2 3", "a vertex that exists"),
            ("vn 1", "a normal"),
            ("vt 0.5", "two texture"),
            ("usemtl", "the name"),
        ] {
            let error = read(&format!("\n{text}\n")).unwrap_err().to_string();
            assert!(error.starts_with(&format!("line 2: expected {expected}")), "{error}");
            assert!(error.ends_with(&format!("got `{text}`")), "{error}");
        }
        for face in ["f 1 2", "f 1 2 0", "f 1 2 9", "f 1 2 -9", "f 1/1/1/1 2 3", "f 1 2 3.5"] {
            let error = read(&format!("{SQUARE}{face}")).unwrap_err().to_string();
            assert!(error.starts_with("line 5: expected"), "{error}");
        }
        let long = read(&format!("v {}", "9".repeat(500))).unwrap_err().to_string();
        assert!(long.len() < 120, "{long}");
    }

    proptest! {
        #[test]
        fn garbage_never_panics(text in "([vftnso #/0-9.eE+-]|usemtl|\\PC|\n){0,200}") {
            let _ = read(&text);
        }

        #[test]
        fn words_in_any_order_never_panic(
            lines in prop::collection::vec(
                (
                    prop::sample::select(vec!["v", "vt", "vn", "f", "usemtl", "o"]),
                    prop::collection::vec(
                        prop::sample::select(vec![
                            "0", "1", "-1", "2", "3", "4", "1/1", "2//1", "3/1/1", "1e300", "1e-300",
                            "nan", "inf", "-0", "0.5", "x", "99999999999999999999", "/", "//",
                        ]),
                        0..6,
                    ),
                ),
                0..30,
            )
        ) {
            let text: Vec<String> =
                lines.iter().map(|(key, words)| format!("{key} {}", words.join(" "))).collect();
            let _ = read(&text.join("\n"));
        }
    }
}
