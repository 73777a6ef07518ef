//! Instances one behind another, each checked when it is reached.

use core::marker::PhantomData;

use crate::error::Error;
use crate::format::{FULL, Format, open_prefix};

/// Iterator over the instances at the front of some bytes. It ends behind the last byte or with the first error.
#[derive(Clone, Debug)]
pub struct Stream<'a, K> {
    bytes: &'a [u8],
    at: usize,
    version: u32,
    kind: PhantomData<fn() -> K>,
}

impl<'a, K: Format> Stream<'a, K> {
    /// The instances in `bytes`, governed by `version`.
    #[must_use]
    pub const fn new(bytes: &'a [u8], version: u32) -> Self {
        Self {
            bytes,
            at: 0,
            version,
            kind: PhantomData,
        }
    }

    /// Position of the next instance.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.at
    }
}

impl<'a, K: Format> Iterator for Stream<'a, K> {
    type Item = Result<K::View<'a>, Error>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.bytes.is_empty() {
            return None;
        }
        match open_prefix::<K, FULL>(self.bytes, self.version) {
            Ok((view, rest)) => {
                self.at += self.bytes.len() - rest.len();
                self.bytes = rest;
                Some(Ok(view))
            }
            Err(error) => {
                self.bytes = &[];
                Some(Err(error.offset_by(self.at)))
            }
        }
    }
}
