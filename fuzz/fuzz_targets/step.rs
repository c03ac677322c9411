//! Random scenes and commands through the step.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    rolima_fuzz::drive::drive(bytes);
});
