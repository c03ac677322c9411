//! The page's files, from inside the program, each beside its compressed form (`.gz`).

use super::encoding::Content;
use axum::body::Bytes;
use rust_embed::RustEmbed;
use std::borrow::Cow;

#[derive(RustEmbed)]
#[folder = "../../../viewer/dist"]
#[allow_missing = true]
struct Page;

/// The file at a path of the page, `index.html` at the root.
pub(crate) fn file(path: &str) -> Option<Content> {
    let path = if path.is_empty() { "index.html" } else { path };
    let Some(file) = Page::get(path) else {
        return (path == "index.html").then(|| Content {
            kind: kind(path),
            plain: Bytes::from_static(WITHOUT_PAGE.as_bytes()),
            gzip: None,
            version: Some(0),
        });
    };
    let gzip = Page::get(&format!("{path}.gz")).map(|file| bytes(file.data));
    // Names of assets change with their content.
    let version = (!path.starts_with("assets/")).then(|| {
        let hash = file.metadata.sha256_hash();
        hash.iter().take(8).fold(0, |sum, byte| (sum << 8) | u64::from(*byte))
    });
    Some(Content { kind: kind(path), plain: bytes(file.data), gzip, version })
}

/// Files inside the program are not copied for a request.
fn bytes(data: Cow<'static, [u8]>) -> Bytes {
    match data {
        Cow::Borrowed(inside) => Bytes::from_static(inside),
        Cow::Owned(read) => Bytes::from(read),
    }
}

/// Whether the program has the page inside.
pub(crate) fn is_there() -> bool {
    Page::get("index.html").is_some()
}

fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" | "webmanifest" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// What is shown where the program was built without the page.
const WITHOUT_PAGE: &str = r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Rolimã</title>
<style>
:root { color-scheme: light dark; }
body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 38rem; margin: 12vh auto; padding: 0 1.2rem; }
code { background: #8883; border-radius: .3rem; padding: .1rem .35rem; }
</style>
</head>
<body>
<h1>The simulation is running</h1>
<p>This program was built without its page. With Node installed,</p>
<p><code>cargo xtask run</code></p>
<p>builds the page and starts again. By hand: <code>npm ci</code> and <code>npm run build</code> in
<code>viewer/</code>, then build the program again.</p>
<p>Meanwhile <code>rolima run --tui</code> shows the simulation in the terminal, and programs can
connect to <code>/ws</code>.</p>
</body>
</html>
"#;
