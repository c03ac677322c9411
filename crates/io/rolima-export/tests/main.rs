//! Tests of tables of recordings.

#[cfg(feature = "parquet")]
mod parquet_files;
mod recordings;

#[global_allocator]
static ALLOCATOR: rolima_testing::heap::Counting = rolima_testing::heap::Counting;
