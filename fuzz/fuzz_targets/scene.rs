//! Random bytes through the scene reader.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rolima_scene::fuzz_entry(bytes));
