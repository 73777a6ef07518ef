//! Any bytes as a `StreamMarker`.
#![no_main]

ondisk_fuzz::target!("StreamMarker");
