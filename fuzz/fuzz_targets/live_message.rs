//! Random bytes through the decoder of the live protocol.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rolima_wire::ask::fuzz_entry(bytes));
