//! Any bytes as a `OpenBatch`.
#![no_main]

ondisk_fuzz::target!("OpenBatch");
