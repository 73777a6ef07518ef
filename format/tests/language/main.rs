//! The whole space of the definition language, one little kind a feature: layout, round trip, what a short input needs,
//! what is refused and where.
#![allow(missing_docs, reason = "the kinds are cases of a test")]

#[path = "../hold/mod.rs"]
mod hold;

mod bounds;
mod entries;
mod enums;
mod fixed;
mod identity;
mod limits;
mod nested;
mod optional;
mod order;
mod sums;
mod tails;
mod varints;
mod versions;
mod whole;
mod words;
