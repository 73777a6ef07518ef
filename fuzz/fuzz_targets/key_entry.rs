//! Any bytes as a `KeyEntry`.
#![no_main]

ondisk_fuzz::target!("KeyEntry");
