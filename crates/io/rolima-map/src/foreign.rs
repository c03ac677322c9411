//! Files that are no maps: what they are, in a few words.

/// First bytes, how far into the file they stand, and what has them.
const SIGNS: &[(usize, &[u8], &str)] = &[
    (0, b"%PDF", "a PDF file"),
    (0, b"PK\x03\x04", "a ZIP archive or an office document"),
    (0, b"II*\0", "a TIFF picture"),
    (0, b"MM\0*", "a TIFF picture"),
    (4, b"ftypavif", "an AVIF picture"),
    (4, b"ftyp", "a HEIC picture or a film"),
    (0, b"\x1f\x8b", "a gzip archive"),
    (0, b"\x7fELF", "a program"),
    (0, b"MZ", "a program"),
    (0, b"{\\rtf", "an RTF document"),
];

/// What bytes are that are neither a picture nor a text map.
pub(crate) fn foreign(bytes: &[u8]) -> &'static str {
    let has = |(at, sign, _): &&(usize, &[u8], &str)| {
        bytes.get(*at..).is_some_and(|rest| rest.starts_with(sign))
    };
    if let Some((_, _, what)) = SIGNS.iter().find(has) {
        return what;
    }
    match str::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => foreign_text(text),
        _ => "other bytes",
    }
}

fn foreign_text(text: &str) -> &'static str {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.contains("<svg") {
        "an SVG drawing, which a paint program can save as PNG"
    } else if text.starts_with('<') {
        "a page in HTML or XML"
    } else if is_scene(text) {
        "a scene, which `rolima run FILE` runs"
    } else if text.starts_with('{') {
        "a file in JSON"
    } else {
        "another text: no line of a text map begins as these do"
    }
}

/// Whether a text has a table, and most of it are heads of tables and keys with their values: programs have
/// some of the latter, too.
fn is_scene(text: &str) -> bool {
    let is_name = |name: &str| {
        let is_part = |c: char| c.is_ascii_alphanumeric() || "_-.\"".contains(c);
        !name.is_empty() && name.chars().all(is_part)
    };
    let is_head = |line: &str| {
        let inner = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let inner = inner.map(|head| {
            let list = head.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
            list.unwrap_or(head).trim()
        });
        inner.is_some_and(is_name)
    };
    let is_key = |line: &str| line.split_once('=').is_some_and(|(key, _)| is_name(key.trim()));
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let (mut heads, mut keys, mut all) = (0, 0, 0);
    for line in lines.filter(|line| !line.is_empty()) {
        all += 1;
        heads += usize::from(is_head(line));
        keys += usize::from(is_key(line));
    }
    heads > 0 && keys > 0 && 2 * (heads + keys) >= all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scene_is_told_from_programs_that_assign_values() {
        let scene = "# a match\ntitle = \"match\"\n\n[[robot]]   # blue\nname = \"a\"\npose = [\n0, 0, 0,\n]\n";
        assert!(foreign(scene.as_bytes()).starts_with("a scene"));
        for program in [
            "import math\nx = 1\ny = 2\n\nprint(x + y)\n",
            "#include <stdio.h>\nint main(void) {\n  int a = 1;\n  a = 2;\n  return a;\n}\n",
            "a = [\n[1]\n]\nfor i in a:\n    print(i)\n    f(i)\n    g(i)\n    h(i)\n",
        ] {
            assert!(foreign(program.as_bytes()).starts_with("another text"), "{program}");
        }
    }
}
