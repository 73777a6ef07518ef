//! What readers have open of a log.
#![allow(missing_docs, dead_code)]

use super::config::ReadMode;
use crate::disk::Directory;
use std::sync::Arc;
#[derive(Debug, Default)]
pub struct Slot;
impl Slot {
    pub fn retire(&self) -> bool {
        true
    }
}
#[derive(Debug, Default)]
pub struct Signal;
impl Signal {
    pub fn notify(&self) {}
}
#[derive(Debug, Default, Clone)]
pub struct Budget;
#[derive(Debug)]
pub struct Opener;
impl Opener {
    pub fn new(_: Arc<dyn Directory>, _: ReadMode, _: u64, _: usize, _: Budget) -> Self {
        Self
    }
    pub fn pinned_bytes(&self) -> u64 {
        0
    }
}
pub enum Bound {
    Tail,
}
