//! Any bytes as a `DurableMark`.
#![no_main]

ondisk_fuzz::target!("DurableMark");
