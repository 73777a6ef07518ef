//! Repairs: what is damaged becomes sound or stays as it is, and nothing that is cut is lost.

mod fixtures;
mod losses;
mod refusals;
mod roots;
