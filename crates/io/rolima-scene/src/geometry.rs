//! What is kept of the meshes that maps name: numbers, and nothing else that a file may say.
//!
//! Whoever watches a run gets its meshes, and a map may come from somebody else. So a map names only
//! files beside it or below, and of these only geometry goes on.

use std::path::Path;

/// Whether a path leads from a folder to something in it or below, whatever there is on the disk.
pub(crate) fn lies_below(path: &str) -> bool {
    let is_absolute = path.starts_with('/') || path.contains(':');
    !is_absolute && !path.split('/').any(|part| part == "..")
}

/// Whether a file is in a folder or below it where the links on both ways are followed. What cannot be
/// followed is not.
pub(crate) fn is_below(file: &Path, folder: &Path) -> bool {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    match (file.canonicalize(), folder.canonicalize()) {
        (Ok(file), Ok(folder)) => file.starts_with(folder),
        _ => false,
    }
}

/// The vertices, normals, texture coordinates and faces of an OBJ text, in their order. Words that are
/// no numbers are left out, and so are comments, names and everything else.
pub(crate) fn geometry_of(obj: &str) -> String {
    let mut kept = String::with_capacity(obj.len());
    for line in obj.lines() {
        let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
        let Some(kind) = words.next().filter(|kind| ["v", "vn", "vt", "f"].contains(kind)) else {
            continue;
        };
        kept.push_str(kind);
        let is_index = |word: &str| word.bytes().all(|b| b.is_ascii_digit() || b"-/".contains(&b));
        let is_number = |word: &str| word.parse::<f64>().is_ok();
        for word in
            words.take_while(|word| if kind == "f" { is_index(word) } else { is_number(word) })
        {
            kept.push(' ');
            kept.push_str(word);
        }
        kept.push('\n');
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_lead_elsewhere_are_told_apart() {
        for good in ["a.obj", "things/a.obj", "./a.obj", "a..b/c.obj", "..."] {
            assert!(lies_below(good), "{good}");
        }
        for bad in ["/etc/passwd", "../a.obj", "a/../../b.obj", "C:/a.obj", "c:a.obj", ".."] {
            assert!(!lies_below(bad), "{bad}");
        }
    }

    #[test]
    fn numbers_are_kept_and_words_are_not() {
        let obj = "# key: abc\no secret\nv 0 0 1e-3 password\nvn 0 0 1\nvt 0.5 1 # why\n\
                   usemtl token\nf 1/1/1 2//1 -1 hidden\nroot:x:0:0\n";
        assert_eq!(geometry_of(obj), "v 0 0 1e-3\nvn 0 0 1\nvt 0.5 1\nf 1/1/1 2//1 -1\n");
    }
}
