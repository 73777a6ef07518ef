//! Arbitrary values of every kind, written and read.
#![no_main]

ondisk_fuzz::libfuzzer_sys::fuzz_target!(|input: &[u8]| ondisk_fuzz::round_trip(input));
