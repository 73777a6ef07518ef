//! Any bytes as a `CounterRecord`.
#![no_main]

ondisk_fuzz::target!("CounterRecord");
