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
    let lines = || text.lines().map(str::trim);
    // A table's head, or a key with its value.
    let is_toml = |line: &str| {
        let is_head = line.starts_with('[') && line.ends_with(']');
        let is_key = line.split_once('=').is_some_and(|(key, _)| {
            let is_name = |c: char| c.is_ascii_alphanumeric() || "_-.\" ".contains(c);
            !key.is_empty() && key.chars().all(is_name)
        });
        is_head || is_key
    };
    if text.contains("<svg") {
        "an SVG drawing, which a paint program can save as PNG"
    } else if text.starts_with('<') {
        "a page in HTML or XML"
    } else if lines().filter(|line| is_toml(line)).count() >= 2 {
        "a scene, which `rolima run FILE` runs"
    } else if text.starts_with('{') {
        "a file in JSON"
    } else {
        "another text: no line of a text map begins as these do"
    }
}
