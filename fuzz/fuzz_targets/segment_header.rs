//! Any bytes as a `SegmentHeader`.
#![no_main]

ondisk_fuzz::target!("SegmentHeader");
