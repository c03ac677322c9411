//! Random bytes through the decoders of Robot One.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rolima_wire::robotone::fuzz_entry(bytes));
