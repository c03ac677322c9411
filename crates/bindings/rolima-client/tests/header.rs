//! The header says what the library has. `ROLIMA_MINT=1` writes it anew.

use std::path::Path;

#[test]
fn the_header_is_what_cbindgen_makes_of_the_library() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).expect("a config");
    let builder = cbindgen::Builder::new().with_config(config).with_src(folder.join("src/c.rs"));
    let mut made = vec![];
    builder.generate().expect("a header").write(&mut made);
    // A heading of Rust's, whose sentences stand for themselves in C.
    let made = String::from_utf8(made).expect("text").replace(" # Safety\n", "");
    let path = folder.join("include/rolima.h");
    if std::env::var_os("ROLIMA_MINT").is_some() {
        std::fs::write(&path, &made).expect("written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == made,
        "include/rolima.h is not what cbindgen makes: write it anew with ROLIMA_MINT=1 \
         cargo test --profile ci --package rolima-client header::\n{made}"
    );
}
