//! Definitions where nothing can be taken for granted: the crate has another name, there is no prelude, names mean
//! something else, and every lint is an error.
#![forbid(unsafe_code)]
#![deny(warnings)]
#![deny(
    missing_docs,
    missing_debug_implementations,
    non_ascii_idents,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unreachable_pub,
    unused_import_braces,
    unused_lifetimes,
    unused_qualifications,
    unused_results
)]
#![deny(rust_2018_idioms)]
#![deny(clippy::all, clippy::pedantic)]

pub mod names;
pub mod no_prelude;
pub mod shadowed;
