//! Any bytes as a `Replica`.
#![no_main]

ondisk_fuzz::target!("Replica");
