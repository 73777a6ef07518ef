//! Any bytes as a `Record`.
#![no_main]

ondisk_fuzz::target!("Record");
