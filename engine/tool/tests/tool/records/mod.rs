//! Records that come in and go out.

mod live;
mod refusals;
mod round_trips;
mod shards;
