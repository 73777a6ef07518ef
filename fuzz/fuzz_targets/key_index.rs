//! Any bytes as a `KeyIndex`.
#![no_main]

ondisk_fuzz::target!("KeyIndex");
