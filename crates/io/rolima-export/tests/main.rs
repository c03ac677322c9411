//! Tests of tables of recordings.

#[cfg(feature = "parquet")]
mod parquet_files;
mod recordings;
