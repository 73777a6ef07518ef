//! Any bytes as a `CacheRecord`.
#![no_main]

ondisk_fuzz::target!("CacheRecord");
