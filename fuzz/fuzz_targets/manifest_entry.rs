//! Any bytes as a `ManifestEntry`.
#![no_main]

ondisk_fuzz::target!("ManifestEntry");
