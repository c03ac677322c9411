//! The page is embedded at compile time: a new one needs a new build.

fn main() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../viewer/dist");
    // Cargo runs this again and again while a watched path is missing. Where nothing can be
    // written, it does so.
    let _ = std::fs::create_dir_all(page);
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed={page}");
}
