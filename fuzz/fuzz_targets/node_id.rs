//! Any bytes as a `NodeId`.
#![no_main]

ondisk_fuzz::target!("NodeId");
