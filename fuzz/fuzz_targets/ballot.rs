//! Any bytes as a `Ballot`.
#![no_main]

ondisk_fuzz::target!("Ballot");
