//! What the fuzz targets do with their bytes.

pub mod drive;
pub mod saved;
pub mod world;
