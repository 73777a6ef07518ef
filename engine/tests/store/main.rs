//! A data directory as a store: starts, shards, incarnations, deletes, on the real disk, in memory, and on one that loses
//! power.

mod adopted;
mod crash;
mod deletes;
mod faults;
mod fixtures;
mod identity;
mod incarnations;
mod leftovers;
mod locks;
mod node;
mod real;
mod runs;
mod shards;
mod start;
mod world;
