//! A mapping that a file grows into.

use std::io;

use super::held::Held;
use crate::disk::File;

/// Pages of a segment, mapped further than the file reaches by now, so that what is appended appears in them without
/// another call of the system.
///
/// Pages behind the end of the file cannot be touched: that raises `SIGBUS`. So a slice is only ever had up to a length
/// that the writer published, and this type stays inside the crate.
#[derive(Debug)]
pub struct GrowingMap {
    map: memmap2::MmapRaw,
    // Let go of after it is unmapped.
    _held: Held,
}

impl GrowingMap {
    /// Maps `capacity` bytes of `file`, however many it has; none when the file has no descriptor to map.
    ///
    /// # Errors
    /// Of kind `OutOfMemory` when that does not fit the address space, or whatever the system reports.
    pub fn of(file: &dyn File, capacity: u64) -> io::Result<Option<Self>> {
        let Some(descriptor) = file.descriptor() else {
            return Ok(None);
        };
        let capacity = usize::try_from(capacity)
            .ok()
            .filter(|&capacity| isize::try_from(capacity).is_ok())
            .ok_or_else(|| io::Error::from(io::ErrorKind::OutOfMemory))?;
        let held = Held::of(file)?;
        let map = memmap2::MmapOptions::new()
            .len(capacity)
            .map_raw_read_only(&descriptor)?;
        Ok(Some(Self { map, _held: held }))
    }

    /// Bytes that it can show at most.
    pub fn capacity(&self) -> usize {
        self.map.len()
    }

    /// The first `published` bytes, or as many of them as the mapping reaches.
    ///
    /// `published` is a length that the writer of the file published after it wrote the bytes, or a smaller one. What lies
    /// below such a length is there and is never written again.
    #[inline]
    pub fn upto(&self, published: usize) -> &[u8] {
        let len = published.min(self.map.len());
        // SAFETY: the slice is valid to read and its bytes do not change while it lives.
        //
        // - The mapping begins at this pointer and is `map.len()` bytes long, which `len` does not exceed and `of`
        //   saw to fit an `isize`. It is unmapped on drop only, and the slice borrows from `self`; the descriptor may be
        //   closed meanwhile, the mapping keeps the file alive.
        // - The pages up to `len` are pages of the file: the writer wrote them before it published the length, with a
        //   store that the load of whoever asks here acquired. The file is never shortened in place while the mapping is
        //   alive: a truncation first asks the slot of the segment, which counts what it handed out, then `is_mapped`,
        //   which counts what is left of logs that are closed, and puts a shorter file in the stead of one that is mapped;
        //   recovery asks `is_mapped` too; retention unlinks.
        // - Bytes below a published length are written once. The writer goes on behind them, in pages that may be mapped
        //   here too, but lie outside every slice; the bytes of a page that the end of the file falls into are separate
        //   objects to the compiler.
        // - A process outside this library may break that, which no mapping can prevent. What is read is then wrong, not
        //   unsound in effect: views check once, keep lengths by value, and never index by a length read again.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr(), len) }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::GrowingMap;
    use crate::disk::memory::{MemoryDirectory, MemoryFile};
    use crate::disk::real::RealDirectory;
    use crate::disk::{self, Directory};

    #[test]
    fn a_file_grows_into_its_mapping() {
        let place = tempfile::tempdir().expect("a directory");
        let directory = RealDirectory::open(place.path()).expect("it opens");
        let file = directory.create("grows").expect("a file");
        disk::write_all_at(&*file, b"front", 0).expect("a write");
        let map = GrowingMap::of(&*file, 1 << 20)
            .expect("it can be mapped")
            .expect("a descriptor");
        let front = map.upto(5);
        let mut end = 5;
        for piece in [&[1; 10][..], &[2; 5000], &[3; 100_000]] {
            disk::write_all_at(&*file, piece, end).expect("a write");
            end += piece.len() as u64;
            let whole = fs::read(place.path().join("grows")).expect("the file");
            assert_eq!(map.upto(whole.len()), whole);
        }
        assert_eq!(front, b"front");
        drop(file);
        fs::remove_file(place.path().join("grows")).expect("it can be unlinked");
        assert_eq!(
            map.upto(16),
            *b"front\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x02"
        );
    }

    #[test]
    fn no_more_than_the_capacity() {
        let place = tempfile::tempdir().expect("a directory");
        let directory = RealDirectory::open(place.path()).expect("it opens");
        let file = directory.create("empty").expect("a file");
        disk::write_all_at(&*file, &[7; 5000], 0).expect("a write");
        let map = GrowingMap::of(&*file, 4096)
            .expect("it can be mapped")
            .expect("a descriptor");
        assert_eq!(map.capacity(), 4096);
        assert!(map.upto(0).is_empty());
        assert_eq!(map.upto(5000), [7; 4096]);
        let kind = GrowingMap::of(&*file, u64::MAX).map_err(|error| error.kind());
        assert_eq!(kind.map(drop), Err(std::io::ErrorKind::OutOfMemory));
    }

    #[test]
    fn a_file_in_memory_has_nothing_to_map() {
        let directory = MemoryDirectory::new("/");
        directory.put("file", MemoryFile::of(b"bytes"));
        let file = directory.file("file").expect("it opens");
        assert!(GrowingMap::of(&*file, 4096).expect("no failure").is_none());
    }
}
