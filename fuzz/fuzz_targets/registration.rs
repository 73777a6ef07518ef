//! Any bytes as a `Registration`.
#![no_main]

ondisk_fuzz::target!("Registration");
