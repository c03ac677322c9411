//! Random bytes through the map reader.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rolima_map::fuzz_entry(bytes));
