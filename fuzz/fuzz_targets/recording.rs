//! Bytes as a recording, and as what is in a chunk of one: an error or what can be read, never a panic.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rolima_record::fuzzing::read_any(bytes));
