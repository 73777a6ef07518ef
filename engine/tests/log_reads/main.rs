//! Reading a log while all sorts of things happen to it, on every kind of disk and in both modes.

mod allocations;
mod bench;
#[path = "../counting/mod.rs"]
mod counting;
mod cuts;
mod damage;
mod disk;
mod ends;
mod follow;
mod indexes;
mod limits;
mod races;
mod read_only;
mod sizes;
mod unseen;
