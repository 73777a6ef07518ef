//! Failures that other storage systems are known for, each a test by its name.
//!
//! Every state is built here, byte by byte or by a disk that fails at the right moment, and what is right is what the
//! specification promises: which report an open makes, which offsets remain, which bytes it sets aside, where the next
//! append goes, and that a second open has nothing left to report. One file a failure; its comment says who fails so, and
//! what holds here.

mod bench;
mod build;
mod power;
mod process;
mod ruled;

mod bound_left_high;
mod clocks;
mod debris_between_records;
mod failed_sync;
mod half_a_truncation;
mod hole_at_the_head;
mod old_sectors;
mod order_of_segments;
mod records_like_padding;
mod rename_without_sync;
mod repair_cut_short;
mod retried_appends;
mod roll_cut_short;
mod roll_without_room;
mod shortened_under_readers;
mod snapshot_kept;
mod temporaries;
mod two_writers;
mod wrong_index;
mod zeros_behind_the_data;

mod planted;
