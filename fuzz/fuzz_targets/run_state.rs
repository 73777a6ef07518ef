//! Any bytes as a `RunState`.
#![no_main]

ondisk_fuzz::target!("RunState");
