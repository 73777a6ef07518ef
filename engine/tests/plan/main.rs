//! The rules of Felix section 7, row by row, over directories in memory.

mod build;

mod abandoned;
mod applied;
mod blank;
mod chain;
mod first;
mod hostile;
mod identity;
mod live;
mod mark;
#[cfg(target_os = "linux")]
mod real;
mod repair;
mod roll;
mod sidecars;
mod strictness;
