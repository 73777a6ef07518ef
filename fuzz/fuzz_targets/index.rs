//! Any bytes as a `Index`.
#![no_main]

ondisk_fuzz::target!("Index");
