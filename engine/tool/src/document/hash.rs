//! SHA-256, as it is printed.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

/// A hash being computed.
#[derive(Default)]
pub(super) struct Hash(Sha256);

impl Hash {
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    pub(super) fn hex(self) -> String {
        let mut shown = String::with_capacity(64);
        for byte in self.0.finalize() {
            let _ = write!(shown, "{byte:02x}");
        }
        shown
    }
}

pub(super) fn sha256(bytes: &[u8]) -> String {
    let mut hash = Hash::default();
    hash.feed(bytes);
    hash.hex()
}
