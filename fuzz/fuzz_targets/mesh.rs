//! Random bytes through the readers of OBJ and MTL files.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rolima_render::fuzz_entry(bytes));
