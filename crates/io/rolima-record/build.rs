//! Makes Rust types of the messages in recordings, and their descriptors, which each file carries.

use prost::Message as _;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=proto");
    let files = protox::compile(["foxglove.proto", "rolima.proto"], ["proto"])?;
    let out = std::path::PathBuf::from(std::env::var("OUT_DIR")?);
    // Comments and places in the source are of no use to readers of recordings.
    let mut bare = files.clone();
    bare.file.iter_mut().for_each(|file| file.source_code_info = None);
    std::fs::write(out.join("messages.bin"), bare.encode_to_vec())?;
    prost_build::Config::new().compile_fds(files)?;
    Ok(())
}
