//! A view that keeps its bytes alive: checked once, opened again without checks.

use core::fmt;
use core::marker::PhantomData;

use crate::error::Error;
use crate::format::{Cx, FULL, Format, TRUSTED, open_whole};

/// Bytes that were checked to be one `K`, with whatever keeps them alive.
pub struct Kept<K, B> {
    bytes: B,
    cx: Cx,
    kind: PhantomData<fn() -> K>,
}

impl<K: Format, B: AsRef<[u8]>> Kept<K, B> {
    /// Checks `bytes` as exactly one `K` of `version` and keeps them.
    ///
    /// # Errors
    /// The first check that fails.
    pub fn new(bytes: B, version: u32) -> Result<Self, Error> {
        open_whole::<K, FULL>(bytes.as_ref(), version)?;
        Ok(Self {
            bytes,
            cx: Cx::whole(version),
            kind: PhantomData,
        })
    }

    /// The view. It is found again, not checked again; bytes that changed meanwhile make it `None` at worst.
    #[must_use]
    pub fn view(&self) -> Option<K::View<'_>> {
        K::open::<(), TRUSTED>(self.bytes.as_ref(), 0, self.cx)
            .ok()
            .map(|(view, _)| view)
    }

    /// The bytes.
    pub fn into_bytes(self) -> B {
        self.bytes
    }
}

impl<K: Format, B> fmt::Debug for Kept<K, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Kept<{}>", K::KIND.name)
    }
}
