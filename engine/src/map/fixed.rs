//! The front of a file that does not change any more.

use std::io;
use std::ops::Deref;

use super::held::Held;
use crate::disk::{self, File};

/// The first bytes of a file, as one slice.
///
/// On a real file it is a shared, read-only mapping: nothing is copied, and nobody but the kernel decides when a page is
/// read. A medium that fails under it, a network file system, or a foreign hand that shortens the file raises `SIGBUS`
/// in the reader, so mapping is for a local directory that only this process writes; everything else reads with `pread`.
///
/// ```
/// use ondisk_engine::disk::real::RealDirectory;
/// use ondisk_engine::disk::write_all_at;
/// use ondisk_engine::map::Map;
///
/// # let place = tempfile::tempdir()?;
/// # let path = place.path();
/// let file = RealDirectory::open(path)?.create("file")?;
/// write_all_at(&*file, b"mapped, and then not", 0)?;
/// let map = Map::of(&*file, 6)?;
/// assert_eq!(&*map, b"mapped");
/// assert!(Map::of(&*file, 100).is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Map(Inner);

#[derive(Debug)]
enum Inner {
    // Let go of after it is unmapped.
    Mapped(
        memmap2::Mmap,
        #[expect(dead_code, reason = "held, not looked at")] Held,
    ),
    Copied(Box<[u8]>),
}

impl Map {
    /// Maps the first `len` bytes of `file`, which must not be more than it has. A file without a descriptor is copied.
    ///
    /// # Errors
    /// Of kind `InvalidInput` when the file is shorter than `len`, `OutOfMemory` when `len` does not fit the address
    /// space, or whatever the system reports.
    pub fn of(file: &dyn File, len: u64) -> io::Result<Self> {
        if len > file.stat()?.len {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "the file is shorter than what is to be mapped",
            ));
        }
        let len_in_memory =
            usize::try_from(len).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        let Some(descriptor) = file.descriptor().filter(|_| len > 0) else {
            let mut bytes = Vec::new();
            bytes
                .try_reserve_exact(len_in_memory)
                .map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
            bytes.resize(len_in_memory, 0);
            disk::read_exact_at(file, &mut bytes, 0)?;
            return Ok(Self(Inner::Copied(bytes.into_boxed_slice())));
        };
        let held = Held::of(file)?;
        // SAFETY: `Mmap` is sound as long as the bytes behind it are not changed while a slice of them is used.
        //
        // - The mapping is read-only and outlives every slice, since `Deref` borrows it from `self`; the descriptor may
        //   be closed meanwhile, the mapping keeps the file alive.
        // - All of `len` was seen to lie below the end of the file. This library never shortens a file in place while it
        //   is mapped, which `held` tells whoever asks: a truncation puts a shorter file in its stead, retention unlinks,
        //   and both leave these pages be.
        // - Bytes below the published end of a log are written once and not changed. A segment that is being appended to
        //   is mapped up to that end only, and the pages behind it are not part of the slice.
        // - A process outside this library may break that, which no mapping can prevent. What is read is then wrong, not
        //   unsound in effect: views check once, keep lengths by value, and never index by a length read again.
        let map = unsafe {
            memmap2::MmapOptions::new()
                .len(len_in_memory)
                .map(&descriptor)?
        };
        Ok(Self(Inner::Mapped(map, held)))
    }
}

impl Deref for Map {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.0 {
            Inner::Mapped(map, _) => map,
            Inner::Copied(bytes) => bytes,
        }
    }
}
