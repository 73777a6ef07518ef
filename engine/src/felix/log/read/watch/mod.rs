//! Seeing what a writer in another process does to a shard.

mod doubt;
mod records;

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use ondisk::felix::name::SegmentFile;

use self::doubt::Doubt;
use super::find::{Found, Last, find};
use crate::disk::{Directory, EntryKind, File, Stat};
use crate::felix::error::StorageError;
use crate::felix::log::config::Config;
use crate::felix::log::live::LiveSegment;
use crate::felix::log::published::Published;
use crate::felix::segment::{self, Access, HEADER_BYTES, Header, Source};
use crate::felix::shard::is_moved;

/// The end of a log, as it was seen last.
#[derive(Debug)]
pub(super) struct Watch {
    directory: Arc<dyn Directory>,
    config: Config,
    last: Last,
    /// Looks that found nothing new.
    idle: u32,
    /// A segment behind the last one that recovery would take away, as it was when that was planned.
    dropped: Option<(u64, Stat)>,
    /// What does not decode behind the last record.
    doubt: Doubt,
}

/// What a look found.
pub(super) enum Seen {
    /// Nothing.
    Same,
    /// More records, segments, or fewer at the front; they are published.
    More,
    /// Another log in its place: what it was is gone from `to` on, as far as can be told.
    Cut { found: Box<Found>, to: u64 },
}

/// Looks at a directory that does not stand still before giving up.
const LOOKS: usize = 20;

/// Idle looks between two listings of the directory: a segment normally has the id behind the last one, and is looked for
/// by name; after a crash ids may be left out.
const LIST_EVERY: u32 = 50;

impl Watch {
    /// Plans the log as it is.
    pub(super) fn begin(
        directory: Arc<dyn Directory>,
        config: Config,
    ) -> Result<(Self, Box<Found>), StorageError> {
        let mut looks = 0;
        let (found, last) = loop {
            looks += 1;
            match find(&directory, &config) {
                // A writer is at it: what it moves now stands still soon.
                Err(error) if is_moved(&error) && looks < LOOKS => {
                    std::thread::sleep(std::time::Duration::from_millis(5));
                }
                found => break found?,
            }
        };
        let watch = Self {
            directory,
            config,
            last,
            idle: 0,
            dropped: None,
            doubt: Doubt::default(),
        };
        Ok((watch, found))
    }

    /// Up to where the mark vouched for the log when it was planned.
    pub(super) fn durable(&self) -> u64 {
        self.last.durable
    }

    /// Looks whether what was seen is still there. What comes behind it, be it damage, is no matter to whoever reads that.
    pub(super) fn look_back(&mut self, published: &Published) -> Result<Seen, StorageError> {
        match self.is_still_there()? {
            true => Ok(Seen::Same),
            false => self.anew(published),
        }
    }

    /// Looks again, and publishes what only goes on.
    pub(super) fn look(&mut self, published: &Published) -> Result<Seen, StorageError> {
        if !self.is_still_there()? {
            return self.anew(published);
        }
        let mut more = self.trim(published)?;
        loop {
            more |= self.read_on(published)?;
            match self.next_segment(published)? {
                Next::None => break,
                Next::Opened => more = true,
                Next::Odd(id, stat) if self.dropped == Some((id, stat)) => break,
                Next::Odd(id, stat) => {
                    let (watch, found) =
                        Self::begin(Arc::clone(&self.directory), self.config.clone())?;
                    if !found.is(published) {
                        return Ok(self.become_another(watch, found, published));
                    }
                    // Nobody goes on there: it waits for an open that takes it away.
                    self.dropped = Some((id, stat));
                    break;
                }
            }
        }
        self.idle = if more { 0 } else { self.idle + 1 };
        Ok(if more { Seen::More } else { Seen::Same })
    }

    /// Plans the log anew after it was cut, or went on in a way that cannot be followed.
    fn anew(&mut self, published: &Published) -> Result<Seen, StorageError> {
        let (watch, found) = Self::begin(Arc::clone(&self.directory), self.config.clone())?;
        Ok(self.become_another(watch, found, published))
    }

    fn become_another(&mut self, watch: Self, found: Box<Found>, published: &Published) -> Seen {
        let known = Arc::clone(&self.last.segment);
        *self = watch;
        // Nobody says where the cut was; nothing below the segment that was the last one is known to be touched unless
        // segments are gone.
        let common = |segment: &Arc<LiveSegment>| {
            let same = |other: &&Arc<LiveSegment>| {
                (other.id, other.base_offset, other.bytes())
                    == (segment.id, segment.base_offset, segment.bytes())
            };
            found.segments.iter().any(|other| same(&other))
        };
        let segments = published.segments();
        let changed = segments
            .iter()
            .find(|segment| segment.base_offset >= found.base && !common(segment));
        let to = changed.map_or(known.base_offset, |segment| segment.base_offset);
        let to = to.min(found.tail).max(found.base);
        Seen::Cut { found, to }
    }

    /// Whether the last record that was seen is still where it was.
    fn is_still_there(&self) -> Result<bool, StorageError> {
        let last = &self.last;
        let name = SegmentFile::Log {
            id: last.segment.id,
        }
        .to_string();
        let path = self.directory.path().join(&name);
        let now = match self.directory.stat(&name) {
            Ok((EntryKind::File, now)) => now,
            Ok(_) => return Ok(false),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(StorageError::io(path, "look at")(error)),
        };
        if now.inode != last.stat.inode || now.len < last.segment.bytes() {
            return Ok(false);
        }
        if now == last.stat {
            return Ok(true);
        }
        let Some((position, offset, checksum)) = last.record else {
            return Ok(true);
        };
        let read = || {
            let file = self.directory.file(&name)?;
            let mut source = Source::new(file, last.segment.bytes(), Access::default())?;
            let mut found = None;
            let header = last.segment.header();
            segment::resume(&mut source, header, position, offset, &mut |met| {
                found = Some(met.record.checksum());
                ControlFlow::Break(())
            })?;
            Ok(found)
        };
        let found = read().map_err(StorageError::io(path, "read"))?;
        Ok(found == Some(checksum))
    }

    /// Drops segments that are gone at the front.
    fn trim(&self, published: &Published) -> Result<bool, StorageError> {
        let segments = published.segments();
        let mut gone = 0;
        while gone + 1 < segments.len() {
            let id = segments[gone].id;
            let name = SegmentFile::Log { id }.to_string();
            match self.directory.stat(&name) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => gone += 1,
                Err(error) => {
                    let path = self.directory.path().join(name);
                    return Err(StorageError::io(path, "look at")(error));
                }
                Ok(_) => break,
            }
        }
        if gone > 0 {
            let left = segments[gone..].to_vec();
            let base = left[0].base_offset;
            published.replace(left, base);
        }
        Ok(gone > 0)
    }

    /// Goes on in the segment behind the last one, if there is one by now.
    fn next_segment(&mut self, published: &Published) -> Result<Next, StorageError> {
        let after = self.last.segment.id;
        let Some(id) = self.next_id(after)? else {
            return Ok(Next::None);
        };
        let name = SegmentFile::Log { id }.to_string();
        let path = self.directory.path().join(&name);
        let read = || -> io::Result<Option<(Header, Stat)>> {
            let file: Arc<dyn File> = self.directory.file(&name)?;
            let stat = file.stat()?;
            let mut source = Source::new(file, stat.len, Access::default())?;
            // Prepared ahead, or just being created.
            Ok(Header::read(&mut source)?.ok().map(|header| (header, stat)))
        };
        let (header, stat) = match read() {
            Ok(Some(read)) => read,
            Ok(None) => return Ok(Next::None),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Next::None),
            Err(error) => return Err(StorageError::io(path, "read")(error)),
        };
        // The header came after the last record of the segment before, which may not have been seen then.
        self.read_on(published)?;
        if header.base_offset != published.tail() {
            return Ok(Next::Odd(id, stat));
        }
        let segment = Arc::new(LiveSegment::sealed(
            id,
            header.base_offset,
            header.version,
            HEADER_BYTES,
        ));
        let mut segments = published.segments().to_vec();
        segments.push(Arc::clone(&segment));
        published.replace(segments, published.base());
        self.last = Last {
            segment,
            stat: Stat {
                len: HEADER_BYTES,
                ..stat
            },
            record: None,
            durable: self.last.durable,
        };
        Ok(Next::Opened)
    }

    fn next_id(&self, after: u64) -> Result<Option<u64>, StorageError> {
        let Some(next) = after.checked_add(1) else {
            return Ok(None);
        };
        let name = SegmentFile::Log { id: next }.to_string();
        if self.directory.stat(&name).is_ok() {
            return Ok(Some(next));
        }
        if !self.idle.is_multiple_of(LIST_EVERY) {
            return Ok(None);
        }
        let entries = self
            .directory
            .entries()
            .map_err(StorageError::io(self.directory.path(), "list"))?;
        let ids =
            entries
                .iter()
                .filter_map(|entry| match SegmentFile::parse(entry.name.to_str()?)? {
                    SegmentFile::Log { id } if id > after => Some(id),
                    _ => None,
                });
        Ok(ids.min())
    }
}

/// What comes behind the last segment.
enum Next {
    None,
    Opened,
    /// A segment that does not begin where the last one ends: its id, and what it was.
    Odd(u64, Stat),
}
