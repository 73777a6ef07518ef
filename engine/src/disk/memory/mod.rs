//! Files in memory, for tests and for planning over bytes that lie nowhere.
//!
//! Everything that a real disk does, without a device: what is written is there at once, and a sync has nothing to do. A
//! [`MemoryFile`] may be sparse: what was never written is a hole of zeros that costs nothing, whatever the length.

mod directory;
mod file;

pub use directory::MemoryDirectory;
pub use file::MemoryFile;

#[cfg(test)]
mod tests;
