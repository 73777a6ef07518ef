//! How far an exploration goes.

use ondisk_engine::disk::simulated::Model;

/// How many disks are made of what.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// What a power cut does to what was not synced.
    pub model: Model,
    /// Mixed into the seeds of all disks.
    pub seed: u64,
    /// Disks made of one moment.
    pub disks: u64,
    /// Of those, how many have their recovery cut as well.
    pub recoveries: u64,
    /// Disks made of one moment of a recovery.
    pub recovery_disks: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            model: Model::PowerCut,
            seed: 0,
            disks: 12,
            recoveries: 4,
            recovery_disks: 2,
        }
    }
}
