//! Any bytes as a `Manifest`.
#![no_main]

ondisk_fuzz::target!("Manifest");
