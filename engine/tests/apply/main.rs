//! Plans applied for real, and sidecars stored: over every fixture, on both disks, and with a failure at every operation.

mod faulty;
mod fixtures;
mod guarded;
mod sidecars;
