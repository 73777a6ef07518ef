//! The traits that a definition implements. Users call the inherent functions that the macros generate beside them;
//! these traits are for code that is generic over kinds, and for codecs written by hand.
//!
//! # A codec by hand
//!
//! Text that a zero byte ends, which no key of the definition language says:
//!
//! ```
//! use ondisk::describe::{Endian, Shape, Trailing};
//! use ondisk::encode::Encode;
//! use ondisk::format::{Cx, Format, walk_by_hand};
//! use ondisk::{EncodeError, Error, Fail, Fault, Kind};
//!
//! /// Text that a zero byte ends.
//! #[derive(Clone, Debug, PartialEq)]
//! pub struct ZeroEnded(pub Vec<u8>);
//!
//! impl Format for ZeroEnded {
//!     type View<'b> = &'b [u8];
//!     type Value<'b> = Self;
//!     type Layout = [u8; 0];
//!     type Versioned = Self;
//!     const KIND: &'static Kind = &Kind {
//!         name: "ZeroEnded",
//!         module: module_path!(),
//!         doc: "Text that a zero byte ends.",
//!         shape: Shape::Text { lines: &["bytes, then a zero"], walk: walk_by_hand::<Self> },
//!         file: None,
//!         head_of: None,
//!         whole: false,
//!         class: None,
//!         endian: Endian::Big,
//!         versions: None,
//!         version_of: None,
//!         trailing: Trailing::Refuse,
//!         canonical: true,
//!         size: None,
//!         min: 1,
//!         steps: &[],
//!     };
//!     const MIN: usize = 1;
//!     const SIZE: Option<usize> = None;
//!     const DEPTH: usize = 0;
//!
//!     fn open<'b, E: Fail, const LEVEL: u8>(
//!         input: &'b [u8],
//!         at: usize,
//!         cx: Cx,
//!     ) -> Result<(&'b [u8], usize), E> {
//!         match input.iter().position(|byte| *byte == 0) {
//!             Some(end) => Ok((&input[..end], end + 1)),
//!             None => Err(E::fail(|| {
//!                 let available = input.len() as u64;
//!                 let needed = available + 1;
//!                 let fault = if cx.closed {
//!                     Fault::Overrun { needed, available }
//!                 } else {
//!                     Fault::Short { needed, available }
//!                 };
//!                 Error::new(Self::KIND, u16::MAX, at, fault)
//!             })),
//!         }
//!     }
//!
//!     fn value(view: Self::View<'_>) -> Self::Value<'_> {
//!         Self(view.to_vec())
//!     }
//! }
//!
//! impl Encode for ZeroEnded {
//!     fn encoded_len_at(&self, _: u32) -> usize {
//!         self.0.len() + 1
//!     }
//!
//!     fn encode_at(&self, _: u32, out: &mut Vec<u8>) -> Result<(), EncodeError> {
//!         if let Some(at) = self.0.iter().position(|byte| *byte == 0) {
//!             let fault = Fault::Refused { rule: "text has no zero byte", found: at as u64 };
//!             return Err(EncodeError::new(Self::KIND, u16::MAX, fault));
//!         }
//!         out.extend(&self.0);
//!         out.push(0);
//!         Ok(())
//!     }
//!
//!     fn rewrite(view: &[u8], version: u32, out: &mut Vec<u8>) -> Result<(), EncodeError> {
//!         Self::value(view).encode_at(version, out)
//!     }
//! }
//!
//! # #[cfg(feature = "arbitrary")]
//! # impl<'a> ondisk::arbitrary::ArbitraryAt<'a> for ZeroEnded {
//! #     fn arbitrary_at(
//! #         _: &mut ondisk::arbitrary::Unstructured<'a>,
//! #         _: u32,
//! #     ) -> ondisk::arbitrary::Result<Self> {
//! #         Ok(Self(Vec::new()))
//! #     }
//! # }
//! /// A letter.
//! #[ondisk::format()]
//! #[derive(Clone, Debug, PartialEq)]
//! pub struct Letter {
//!     /// To whom.
//!     #[format(nested)]
//!     pub to: ZeroEnded,
//!     /// Over it.
//!     #[format(crc32(to))]
//!     crc: u32,
//! }
//!
//! let letter = Letter { to: ZeroEnded(b"you".to_vec()) };
//! let mut bytes = Vec::new();
//! letter.encode(&mut bytes)?;
//! assert_eq!(Letter::view(&bytes)?.to(), b"you");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::describe::{Kind, Trailing};
use crate::error::{Error, Fail, Fault};

/// Find positions only: the bytes were validated before.
pub const TRUSTED: u8 = 0;
/// Make the checks that definitions add in code, and no other: for bytes that the writer just made.
pub const RULES: u8 = 1;
/// Make the checks that are needed to step over an instance: identity, checksums of the head, lengths.
pub const WALK: u8 = 2;
/// Make every check.
pub const FULL: u8 = 3;

/// What an instance cannot say of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cx {
    /// The version that governs it; 0 where nothing has versions.
    pub version: u32,
    /// The end of the input is the end of a declared length: what does not fit is damage, not a short read.
    pub closed: bool,
    /// The input must be exactly one instance.
    pub whole: bool,
}

impl Cx {
    /// An input of its own, of which a prefix is the instance.
    #[must_use]
    pub const fn prefix(version: u32) -> Self {
        Self {
            version,
            closed: false,
            whole: false,
        }
    }

    /// An input of its own that is exactly the instance.
    #[must_use]
    pub const fn whole(version: u32) -> Self {
        Self {
            version,
            closed: false,
            whole: true,
        }
    }

    /// An instance inside another one.
    #[must_use]
    pub const fn nested(self, closed: bool) -> Self {
        Self {
            version: self.version,
            closed: self.closed || closed,
            whole: false,
        }
    }
}

/// A kind: bytes that can be checked once and then viewed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no kind",
    label = "not a kind",
    note = "annotate it with `#[derive(Format)]` or `#[format(..)]`, or implement `ondisk::format::Format` by hand"
)]
pub trait Format {
    /// A borrowed look at validated bytes.
    type View<'b>: Copy;
    /// The owned or borrowed value.
    type Value<'b>;
    /// The bytes of an instance, if all have one size; if not, no bytes.
    type Layout: FromBytes + IntoBytes + KnownLayout + Immutable + Unaligned + Copy + 'static;
    /// The kind whose version governs this one; itself, unless the definition names another.
    type Versioned: Format;
    /// The description.
    const KIND: &'static Kind;
    /// The least number of bytes.
    const MIN: usize;
    /// The number of bytes, if every instance has the same.
    const SIZE: Option<usize>;
    /// How deep kinds are nested in it. A recursive definition does not compile.
    const DEPTH: usize;
    /// Its bytes do not say where it ends: it takes all that it is given.
    const TAKES_ALL: bool = false;

    /// Checks the bytes at the front of `input` as `LEVEL` says, and returns the view and the bytes it takes.
    /// `at` is the position of `input` in what errors speak of.
    ///
    /// # Errors
    /// The first check that fails.
    fn open<'b, E: Fail, const LEVEL: u8>(
        input: &'b [u8],
        at: usize,
        cx: Cx,
    ) -> Result<(Self::View<'b>, usize), E>;

    /// The value that a view shows.
    fn value(view: Self::View<'_>) -> Self::Value<'_>;
}

/// A kind whose instances all have one size and lie in a `#[repr(C)]` layout of alignment 1.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no kind of fixed size",
    label = "not of fixed size",
    note = "a kind whose size its own bytes say stands in a row with `#[format(nested)]`"
)]
pub trait Fixed: Format {
    /// Makes the checks of the bytes in `layout`.
    ///
    /// # Errors
    /// The first check that fails.
    fn check<E: Fail, const LEVEL: u8>(layout: &Self::Layout, at: usize, cx: Cx) -> Result<(), E>;

    /// The view of a layout that was checked.
    fn look(layout: &Self::Layout) -> Self::View<'_>;

    /// Lays the value out.
    ///
    /// # Errors
    /// A value that would not read back.
    fn lay(value: &Self::Value<'_>, version: u32) -> Result<Self::Layout, crate::EncodeError>;
}

/// An enum over bits or whole integers.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no enum of numbers",
    label = "not an enum of numbers",
    note = "annotate an enum with `#[derive(Format)]` and say what holds its number: `#[format(bits = 3)]`"
)]
pub trait Enumeration: Copy {
    /// The bits of the number.
    const BITS: u32;
    /// What stands in for a value that changed after it was validated.
    const FIRST: Self;
    /// The description.
    const KIND: &'static Kind;

    /// The variant of a number in `version`.
    ///
    /// # Errors
    /// [`Fault::Unknown`], or [`Fault::NotInVersion`].
    fn from_raw(raw: u64, version: u32) -> Result<Self, Fault>;

    /// The variant of a number in any version.
    fn from_raw_any(raw: u64) -> Self;

    /// The number of a variant, if `version` has it.
    ///
    /// # Errors
    /// [`Fault::NotInVersion`].
    fn to_raw(self, version: u32) -> Result<u64, Fault>;
}

/// Steps over the instance at the front of `input`, for the description of a kind whose codec is written by hand. `at` is
/// the position of `input` in what errors speak of.
///
/// # Errors
/// The first check that fails.
pub fn walk_by_hand<K: Format>(input: &[u8], at: usize, cx: Cx) -> Result<usize, Error> {
    K::open::<Error, WALK>(input, at, cx).map(|(_, used)| used)
}

/// Runs the checks for what they say, after the run that said nothing failed.
#[cold]
#[inline(never)]
pub(crate) fn explain<K: Format, const LEVEL: u8>(input: &[u8], cx: Cx) -> Error {
    match K::open::<Error, LEVEL>(input, 0, cx) {
        Err(error) => error,
        Ok((_, used)) if cx.whole && used < input.len() => {
            let left = (input.len() - used) as u64;
            Error::new(K::KIND, u16::MAX, used, Fault::Trailing { left })
        }
        Ok(_) => Error::new(K::KIND, u16::MAX, 0, Fault::Changed),
    }
}

/// Opens the front of `input` and returns the view and what lies behind it.
///
/// # Errors
/// The first check that fails.
#[inline]
pub fn open_prefix<K: Format, const LEVEL: u8>(
    input: &[u8],
    version: u32,
) -> Result<(K::View<'_>, &[u8]), Error> {
    if !is_read::<K>(version) {
        return Err(refuse::<K>(version));
    }
    let cx = Cx::prefix(version);
    if let Ok((view, used)) = K::open::<(), LEVEL>(input, 0, cx)
        && let Some(rest) = input.get(used..)
    {
        return Ok((view, rest));
    }
    Err(explain::<K, LEVEL>(input, cx))
}

/// Opens `input` as exactly one instance.
///
/// # Errors
/// The first check that fails.
#[inline]
pub fn open_whole<K: Format, const LEVEL: u8>(
    input: &[u8],
    version: u32,
) -> Result<K::View<'_>, Error> {
    if !is_read::<K>(version) {
        return Err(refuse::<K>(version));
    }
    let cx = Cx::whole(version);
    // Where there is one right length, comparing it once saves all other comparisons of lengths.
    let may_fit = match (K::SIZE, K::KIND.trailing) {
        (Some(size), Trailing::Refuse) => input.len() == size,
        _ => true,
    };
    if may_fit
        && let Ok((view, used)) = K::open::<(), LEVEL>(input, 0, cx)
        && used == input.len()
    {
        return Ok(view);
    }
    Err(explain::<K, LEVEL>(input, cx))
}

/// Says which rule the bytes of a writer break.
#[doc(hidden)]
#[cold]
#[must_use]
pub fn explain_rules<K: Format>(input: &[u8], version: u32) -> crate::EncodeError {
    match K::open::<Error, RULES>(
        input,
        0,
        Cx {
            version,
            closed: true,
            whole: true,
        },
    ) {
        Err(error) => error.into(),
        Ok(_) => crate::EncodeError::new(K::KIND, u16::MAX, Fault::Changed),
    }
}

/// Whether a version that comes from outside is one that its kind reads.
#[inline]
const fn is_read<K: Format>(version: u32) -> bool {
    match (K::KIND.version_of, &K::Versioned::KIND.versions) {
        (Some(_), Some(versions)) => versions.min <= version && version <= versions.max,
        _ => true,
    }
}

#[cold]
#[inline(never)]
fn refuse<K: Format>(found: u32) -> Error {
    let versions = K::Versioned::KIND.versions.as_ref();
    let (min, max) = versions.map_or((0, 0), |versions| (versions.min, versions.max));
    Error::new(K::KIND, u16::MAX, 0, Fault::Version { found, min, max })
}

/// Whether a kind that stands in another has a version of its own which the writer of that one could not say.
#[doc(hidden)]
#[must_use]
pub const fn has_several_versions<K: Format>() -> bool {
    match &K::KIND.versions {
        Some(versions) => versions.min != versions.max,
        None => false,
    }
}

/// The version of a kind that stands in another one of `outer`.
#[doc(hidden)]
#[must_use]
#[inline(always)]
pub const fn version_inside<K: Format>(outer: u32) -> u32 {
    match &K::KIND.versions {
        Some(versions) => versions.writes,
        None => outer,
    }
}

/// Whether `Inner`, if it takes its version from another kind, takes it from the one that governs `Outer`.
#[doc(hidden)]
#[must_use]
pub const fn takes_version_of<Inner: Format, Outer: Format>() -> bool {
    let (inner, outer) = (Inner::Versioned::KIND, Outer::Versioned::KIND);
    Inner::KIND.version_of.is_none()
        || (is_same(inner.name, outer.name) && is_same(inner.module, outer.module))
}

const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}
