//! Any bytes as a `Batch`.
#![no_main]

ondisk_fuzz::target!("Batch");
