//! Any bytes as a `Epochs`.
#![no_main]

ondisk_fuzz::target!("Epochs");
