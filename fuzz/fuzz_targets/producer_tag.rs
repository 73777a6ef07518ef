//! Any bytes as a `ProducerTag`.
#![no_main]

ondisk_fuzz::target!("ProducerTag");
