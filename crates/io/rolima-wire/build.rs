//! Makes Rust types of the one schema file that page and simulator share.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=proto/live.proto");
    #[cfg(feature = "live")]
    live()?;
    Ok(())
}

#[cfg(feature = "live")]
fn live() -> Result<(), Box<dyn std::error::Error>> {
    let files = protox::compile(["live.proto"], ["proto"])?;
    // Maps are large: `Bytes` saves a copy.
    prost_build::Config::new().bytes(["."]).compile_fds(files)?;
    Ok(())
}
