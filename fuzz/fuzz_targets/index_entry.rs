//! Any bytes as a `IndexEntry`.
#![no_main]

ondisk_fuzz::target!("IndexEntry");
