//! Any bytes as a `Producers`.
#![no_main]

ondisk_fuzz::target!("Producers");
