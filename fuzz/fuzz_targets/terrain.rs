//! Random bytes through the readers of terrain files and expressions.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rolima_terrain::fuzz_entry(bytes));
