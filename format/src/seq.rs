//! Entries one behind another: validated in one pass, then iterated without failure.

use core::fmt;
use core::marker::PhantomData;

use crate::describe::Kind;
use crate::error::{Error, Fail, Fault};
use crate::format::{Cx, FULL, Fixed, Format, TRUSTED, WALK};

/// Validated entries of kind `T`. Nothing is stored an entry: iterating finds each one again.
pub struct Seq<'a, T> {
    bytes: &'a [u8],
    left: usize,
    cx: Cx,
    kind: PhantomData<fn() -> T>,
}

impl<T> Clone for Seq<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Seq<'_, T> {}

impl<'a, T: Format> Seq<'a, T> {
    /// The number of entries.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.left
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.left == 0
    }

    /// The views of the entries, in order.
    #[must_use]
    pub const fn iter(&self) -> Entries<'a, T> {
        Entries(*self)
    }

    /// The bytes of all entries.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }
}

impl<'a, T: Fixed> Seq<'a, T> {
    /// The entries as a slice of layouts.
    #[must_use]
    pub fn as_slice(&self) -> &'a [T::Layout] {
        <[T::Layout] as zerocopy::FromBytes>::ref_from_bytes(self.bytes).unwrap_or_default()
    }

    /// The entry at `index`.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<T::View<'a>> {
        self.as_slice().get(index).map(T::look)
    }

    /// The last entry.
    #[must_use]
    pub fn last(&self) -> Option<T::View<'a>> {
        self.as_slice().last().map(T::look)
    }
}

/// Iterator over the views of entries.
pub struct Entries<'a, T>(Seq<'a, T>);

impl<T> Clone for Entries<'_, T> {
    fn clone(&self) -> Self {
        Self(self.0)
    }
}

impl<'a, T: Format> Iterator for Entries<'a, T> {
    type Item = T::View<'a>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let seq = &mut self.0;
        seq.left = seq.left.checked_sub(1)?;
        let (view, used) = T::open::<(), TRUSTED>(seq.bytes, 0, seq.cx).ok()?;
        seq.bytes = seq.bytes.get(used..)?;
        Some(view)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.left, Some(self.0.left))
    }
}

impl<T: Format> ExactSizeIterator for Entries<'_, T> {}

impl<'a, T: Format> IntoIterator for Seq<'a, T> {
    type Item = T::View<'a>;
    type IntoIter = Entries<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T: Format> IntoIterator for &Seq<'a, T> {
    type Item = T::View<'a>;
    type IntoIter = Entries<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T: Format<View<'a>: fmt::Debug>> fmt::Debug for Seq<'a, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Where in a kind a sequence stands; what generated code hands to [`Seq::open`].
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Place {
    pub kind: &'static Kind,
    pub row: u16,
    /// Position of the kind in what errors speak of.
    pub at: usize,
    /// First byte of the entries, from the start of the kind.
    pub pos: usize,
    /// Where the entries may extend to.
    pub end: usize,
    /// Bytes of the rows behind the entries, as far as they are known, for the numbers in a short read.
    pub behind: u64,
    /// The bytes that are there, from the start of the kind.
    pub available: usize,
    /// How many entries there are; without it they go on to `end`.
    pub count: Option<u64>,
    /// A last entry that `end` cuts is left out, not refused.
    pub torn: bool,
    /// The entries end at `end`.
    pub last: bool,
}

impl Place {
    #[cold]
    fn too_short(&self, needed: u64, closed: bool) -> Error {
        let (needed, available) = (needed.saturating_add(self.behind), self.available as u64);
        let fault = if closed {
            Fault::Overrun { needed, available }
        } else {
            Fault::Short { needed, available }
        };
        Error::new(self.kind, self.row, self.at.saturating_add(self.pos), fault)
    }
}

impl<'a, T: Format> Seq<'a, T> {
    const CAN_BE_ENTRIES: () = {
        assert!(T::MIN > 0, "an entry of a sequence has at least one byte");
        assert!(!T::TAKES_ALL, "an entry says where it ends");
    };

    /// Whether `count` entries of the least size fit at `place`: before anything is sized by the count.
    ///
    /// # Errors
    /// Too few bytes.
    #[doc(hidden)]
    #[inline]
    pub fn count_fits<E: Fail>(place: Place, count: u64, cx: Cx) -> Result<(), E> {
        const { Self::CAN_BE_ENTRIES };
        let room = place.end.saturating_sub(place.pos);
        if count > (room / T::MIN) as u64 {
            return Err(E::fail(|| {
                let bytes = count.saturating_mul(T::MIN as u64);
                place.too_short(bytes.saturating_add(place.pos as u64), cx.closed)
            }));
        }
        Ok(())
    }

    /// Makes every check of entries that were only stepped over; `at` is the position of the first.
    ///
    /// # Errors
    /// The first check that fails.
    #[doc(hidden)]
    pub fn check<E: Fail>(&self, at: usize) -> Result<(), E> {
        let (mut bytes, mut at) = (self.bytes, at);
        for _ in 0..self.left {
            let (_, used) = T::open::<E, FULL>(bytes, at, self.cx)?;
            bytes = bytes.get(used..).unwrap_or_default();
            at = at.saturating_add(used);
        }
        Ok(())
    }

    /// Finds the entries at `place`, checks them as `LEVEL` says, and returns them with the position behind the last.
    ///
    /// # Errors
    /// The first check that fails.
    #[doc(hidden)]
    #[inline]
    pub fn open<E: Fail, const LEVEL: u8>(
        input: &'a [u8],
        place: Place,
        cx: Cx,
    ) -> Result<(Self, usize), E> {
        const { Self::CAN_BE_ENTRIES };
        if let Some(count) = place.count {
            Self::count_fits(place, count, cx)?;
        }
        let bytes = input.get(place.pos..place.end).unwrap_or_default();
        match T::SIZE {
            Some(size) => Self::open_fixed::<E, LEVEL>(bytes, size, place, cx),
            None => Self::open_variable::<E, LEVEL>(bytes, place, cx),
        }
    }

    #[inline]
    fn open_fixed<E: Fail, const LEVEL: u8>(
        bytes: &'a [u8],
        size: usize,
        place: Place,
        cx: Cx,
    ) -> Result<(Self, usize), E> {
        let room = bytes.len() / size;
        let left = place.count.map_or(room, |count| {
            usize::try_from(count).unwrap_or(room).min(room)
        });
        let len = left * size;
        if place.count.is_none() && !place.torn && len != bytes.len() {
            return Err(E::fail(|| {
                place.too_short((place.pos + len + size) as u64, cx.closed)
            }));
        }
        let bytes = bytes.get(..len).unwrap_or_default();
        if LEVEL >= FULL && const { T::KIND.is_checked() } {
            for (index, entry) in bytes.chunks_exact(size).enumerate() {
                let at = place.at.saturating_add(place.pos + index * size);
                T::open::<E, LEVEL>(entry, at, cx)
                    .map_err(|error| error.in_row(place.kind, place.row))?;
            }
        }
        Ok((
            Self {
                bytes,
                left,
                cx,
                kind: PhantomData,
            },
            place.pos + len,
        ))
    }

    #[inline]
    fn open_variable<E: Fail, const LEVEL: u8>(
        bytes: &'a [u8],
        place: Place,
        cx: Cx,
    ) -> Result<(Self, usize), E> {
        if LEVEL == TRUSTED
            && place.last
            && let Some(count) = place.count
        {
            // Where they end needs no walk.
            let left = usize::try_from(count).unwrap_or(usize::MAX);
            let seq = Self {
                bytes,
                left,
                cx,
                kind: PhantomData,
            };
            return Ok((seq, place.end));
        }
        let (mut len, mut left) = (0, 0);
        while place
            .count
            .map_or(len < bytes.len(), |count| (left as u64) < count)
        {
            let Some(rest) = bytes.get(len..) else { break };
            match T::open::<E, LEVEL>(rest, place.at.saturating_add(place.pos + len), cx) {
                // Entries that a codec by hand makes out of nothing, or of more than there is, are none.
                Ok((_, used)) if used == 0 || used > rest.len() => {
                    return Err(E::fail(|| {
                        let at = place.at.saturating_add(place.pos + len);
                        Error::new(place.kind, place.row, at, Fault::Changed)
                    }));
                }
                Ok((_, used)) => len += used,
                // Only a prefix of the last entry is there.
                Err(_) if place.torn && place.count.is_none() && Self::is_torn(rest, cx) => break,
                Err(error) => return Err(error),
            }
            left += 1;
        }
        Ok((
            Self {
                bytes: bytes.get(..len).unwrap_or_default(),
                left,
                cx,
                kind: PhantomData,
            },
            place.pos + len,
        ))
    }

    #[cold]
    fn is_torn(rest: &[u8], cx: Cx) -> bool {
        let open = Cx {
            closed: false,
            ..cx
        };
        matches!(T::open::<Error, WALK>(rest, 0, open), Err(e) if matches!(e.fault(), Fault::Short { .. }))
    }
}

/// [`Seq::count_fits`] as generated code calls it: what is no kind is reported at the row that names it.
///
/// # Errors
/// Too few bytes.
#[doc(hidden)]
#[inline]
pub fn count_fits<T: Format, E: Fail>(place: Place, count: u64, cx: Cx) -> Result<(), E> {
    Seq::<T>::count_fits(place, count, cx)
}

/// [`Seq::open`] as generated code calls it.
///
/// # Errors
/// The first check that fails.
#[doc(hidden)]
#[inline]
pub fn open_entries<T: Format, E: Fail, const LEVEL: u8>(
    input: &[u8],
    place: Place,
    cx: Cx,
) -> Result<(Seq<'_, T>, usize), E> {
    Seq::open::<E, LEVEL>(input, place, cx)
}

/// [`Seq::check`] as generated code calls it.
///
/// # Errors
/// The first check that fails.
#[doc(hidden)]
pub fn check_entries<T: Format, E: Fail>(seq: &Seq<'_, T>, at: usize) -> Result<(), E> {
    seq.check(at)
}

/// The values of entries.
#[doc(hidden)]
pub fn values<'a, T: Format, C: FromIterator<T::Value<'a>>>(seq: Seq<'a, T>) -> C {
    seq.iter().map(T::value).collect()
}

impl<'a, T: Format> Default for Seq<'a, T> {
    fn default() -> Self {
        Self {
            bytes: &[],
            left: 0,
            cx: Cx::prefix(0),
            kind: PhantomData,
        }
    }
}
