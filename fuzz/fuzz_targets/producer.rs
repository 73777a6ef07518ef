//! Any bytes as a `Producer`.
#![no_main]

ondisk_fuzz::target!("Producer");
