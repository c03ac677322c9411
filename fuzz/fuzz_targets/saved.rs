//! Saved simulations that were forged, and 100 steps of them.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    rolima_fuzz::saved::run(bytes);
});
