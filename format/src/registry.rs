//! The list of kinds that a crate defines. Tests, fuzz targets, pages and the layout lock walk it, so that a kind cannot
//! be forgotten.

use alloc::vec::Vec;

#[cfg(feature = "arbitrary")]
use crate::arbitrary::Generated;
use crate::describe::Kind;
use crate::encode::Encode;
use crate::error::{EncodeError, Error};
use crate::format::{Cx, FULL, Format};

/// A kind in a registry, with what its type can do behind function pointers.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The description.
    pub kind: &'static Kind,
    open: fn(&[u8], Cx) -> Result<usize, Error>,
    rewrite: fn(&[u8], Cx) -> Result<Vec<u8>, Refusal>,
    #[cfg(feature = "arbitrary")]
    generate: fn(&mut arbitrary::Unstructured<'_>, u32) -> arbitrary::Result<Generated>,
}

/// Why bytes could not be read and written again.
#[derive(Clone, Copy, Debug)]
pub enum Refusal {
    /// They do not decode.
    Read(Error),
    /// What they decode to cannot be written.
    Write(EncodeError),
}

#[cfg(not(feature = "arbitrary"))]
mod bound {
    /// What a registered kind must be able to do.
    pub trait Registered: super::Encode {}
    impl<K: super::Encode> Registered for K {}
}

#[cfg(feature = "arbitrary")]
mod bound {
    /// What a registered kind must be able to do.
    pub trait Registered: super::Encode + crate::arbitrary::Generate {}
    impl<K: super::Encode + crate::arbitrary::Generate> Registered for K {}
}

pub use bound::Registered;

impl Entry {
    /// The entry of kind `K`.
    #[must_use]
    pub const fn of<K: Registered>() -> Self {
        Self {
            kind: K::KIND,
            open: open::<K>,
            rewrite: rewrite::<K>,
            #[cfg(feature = "arbitrary")]
            generate: <K as crate::arbitrary::Generate>::generate,
        }
    }

    /// Makes every check on the front of `input` under `version`, or on all of it for a whole kind, and returns the
    /// bytes that the instance takes.
    ///
    /// # Errors
    /// The first check that fails.
    pub fn open(&self, input: &[u8], version: u32) -> Result<usize, Error> {
        (self.open)(input, self.cx(version))
    }

    /// Reads the front of `input` and writes what it holds again, in the version it has.
    ///
    /// # Errors
    /// Bytes that do not decode, or a value that cannot be written.
    pub fn rewrite(&self, input: &[u8], version: u32) -> Result<Vec<u8>, Refusal> {
        (self.rewrite)(input, self.cx(version))
    }

    /// The bytes of an arbitrary value in `version`.
    ///
    /// # Errors
    /// Too little entropy; inside, a value that the writer refuses.
    #[cfg(feature = "arbitrary")]
    pub fn generate(
        &self,
        from: &mut arbitrary::Unstructured<'_>,
        version: u32,
    ) -> arbitrary::Result<Generated> {
        (self.generate)(from, version)
    }

    const fn cx(&self, version: u32) -> Cx {
        if self.kind.whole {
            Cx::whole(version)
        } else {
            Cx::prefix(version)
        }
    }
}

fn open<K: Format>(input: &[u8], cx: Cx) -> Result<usize, Error> {
    K::open::<Error, FULL>(input, 0, cx).map(|(_, used)| used)
}

fn rewrite<K: Encode>(input: &[u8], cx: Cx) -> Result<Vec<u8>, Refusal> {
    let (view, used) = K::open::<Error, FULL>(input, 0, cx).map_err(Refusal::Read)?;
    let version = match &K::KIND.versions {
        // The version stands in the bytes.
        Some(_) => crate::walk::version_in(K::KIND, input.get(..used).unwrap_or_default())
            .unwrap_or(cx.version),
        None => cx.version,
    };
    let mut out = Vec::new();
    K::rewrite(view, version, &mut out).map_err(Refusal::Write)?;
    Ok(out)
}

/// Lists the kinds of a crate.
///
/// ```
/// # use ondisk::Format;
/// /// One entry.
/// #[derive(Format, Clone, Copy, Debug, PartialEq)]
/// pub struct Point {
///     /// Across.
///     pub x: u32,
///     /// Up.
///     pub y: u32,
/// }
///
/// ondisk::registry! {
///     /// Every kind of this crate.
///     pub static KINDS: [Point];
/// }
/// # assert_eq!(KINDS[0].kind.name, "Point");
/// ```
#[macro_export]
macro_rules! registry {
    ($(#[$attribute:meta])* $vis:vis static $name:ident: [$($kind:ty),* $(,)?];) => {
        $(#[$attribute])*
        $vis static $name: &[$crate::registry::Entry] = &[$($crate::registry::Entry::of::<$kind>()),*];
    };
}
