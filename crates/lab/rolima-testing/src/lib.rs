//! What tests of several crates share.
//!
//! | module | what |
//! |---|---|
//! | [`heap`] | an allocator that counts what each thread asks for and holds |
//! | [`Folder`] | a folder of a test's own, removed at its end |
//! | [`samples`], [`is_long`] | how much of its samples a test takes |
//! | [`bmp`] | a picture as somebody might send it |
//! | [`among_walls`] | a scene with many robots among many walls |

pub mod heap;

use std::path::{Path, PathBuf};

/// Set by `cargo xtask long tests`: tests take all of their samples.
const LONG: &str = "ROLIMA_LONG";

/// Whether tests are to take all of their samples, however long that lasts: in `cargo xtask long tests`.
pub fn is_long() -> bool {
    std::env::var_os(LONG).is_some_and(|value| value == "1")
}

/// How many samples a test takes: a few with every change, all of them in `cargo xtask long tests`. The few
/// are the first of all, so that what fails with every change fails there, too.
pub fn samples<T>(few: T, all: T) -> T {
    if is_long() { all } else { few }
}

/// A folder of a test's own, removed when this is dropped.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// Makes it. The name tells the tests of one process apart; processes have folders of their own.
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("rolima-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder for a test");
        Self(path)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Where a file in it is, or would be.
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl std::ops::Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A picture as an uncompressed BMP of 24 bits a pixel: the colour of each (blue, green, red), by its column and
/// its row from the top.
pub fn bmp(width: usize, height: usize, colour: impl Fn(usize, usize) -> [u8; 3]) -> Vec<u8> {
    let row = (3 * width).next_multiple_of(4);
    let mut bytes = b"BM".to_vec();
    let head = [54 + row * height, 0, 54, 40, width, height, 24 << 16 | 1, 0, row * height];
    head.iter().for_each(|word| bytes.extend((*word as u32).to_le_bytes()));
    bytes.resize(54, 0);
    // The last row first, each filled up to whole words.
    for y in (0..height).rev() {
        bytes.extend((0..width).flat_map(|x| colour(x, y)));
        bytes.resize(54 + (height - y) * row, 0);
    }
    bytes
}

/// A scene of `side` x `side` short walls, 0.4 m apart, and minirobots between them in rows of eight, `across`
/// walls apart; and a place at the other end for each of them, m.
pub fn among_walls(side: u32, robots: u32, across: u32) -> (String, Vec<[f64; 2]>) {
    let mut text = "title = \"walls\"\n".to_owned();
    for i in 0..side * side {
        let (x, y) = (f64::from(i % side) * 0.4, f64::from(i / side) * 0.4);
        let to = if i % 3 == 0 { [x + 0.2, y] } else { [x, y + 0.2] };
        text += &format!(
            "[[wall]]\nkind = \"segment\"\nfrom = [{x}, {y}]\nto = {to:?}\nthickness = 0.01\n"
        );
    }
    let place = |i: u32| f64::from(i) * 0.4 - 0.2;
    let mut ends = vec![];
    for robot in 0..robots {
        let (i, k) = (1 + robot % 8 * across, 1 + robot / 8 * 3);
        let (x, y) = (place(i), place(k));
        text += &format!(
            "[[robot]]\nname = \"r{robot}\"\npreset = \"minirobot\"\npose = [{x}, {y}, 0]\n"
        );
        ends.push([place(side - 1 - i), place(side - 1 - k)]);
    }
    (text, ends)
}
