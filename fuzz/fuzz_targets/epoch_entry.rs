//! Any bytes as a `EpochEntry`.
#![no_main]

ondisk_fuzz::target!("EpochEntry");
