//! The recovery plan of a directory that the input builds.
#![no_main]

ondisk_fuzz::libfuzzer_sys::fuzz_target!(|input: &[u8]| ondisk_fuzz::recovery::check(input));
