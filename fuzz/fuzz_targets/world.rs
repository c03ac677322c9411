//! Random bytes through the readers of maps, scenes and pictures, and 100 steps of what they are.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    rolima_fuzz::world::run(bytes);
});
