//! Scene files are embedded at compile time: a new or changed one needs a new build.

fn main() {
    println!("cargo:rerun-if-changed=../../../scenes");
}
