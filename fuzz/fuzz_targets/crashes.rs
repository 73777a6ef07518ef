//! The engine on a simulated disk, through the crashes and failures that the input draws.
#![no_main]

ondisk_fuzz::libfuzzer_sys::fuzz_target!(|input: &[u8]| ondisk_fuzz::crashes::check(input));
