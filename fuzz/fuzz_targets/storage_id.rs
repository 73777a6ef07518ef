//! Any bytes as a `StorageId`.
#![no_main]

ondisk_fuzz::target!("StorageId");
