//! Records behind those that were seen, in the same segment.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use ondisk::felix::name::SegmentFile;

use super::Watch;
use crate::disk::Stat;
use crate::felix::error::{Corruption, StorageError};
use crate::felix::log::published::Published;
use crate::felix::segment::{self, Access, Met, Source};

impl Watch {
    /// Publishes whole records behind those that were seen. Only when there is none, what does not decode there counts.
    pub(super) fn read_on(&mut self, published: &Published) -> Result<bool, StorageError> {
        let segment = Arc::clone(&self.last.segment);
        let name = SegmentFile::Log { id: segment.id }.to_string();
        let path = self.directory.path().join(&name);
        let mut read = || -> io::Result<ReadOn> {
            let mark = self.doubt.mark(&*self.directory);
            let file = self.directory.file(&name)?;
            let stat = file.stat()?;
            let (bytes, tail) = (segment.bytes(), published.tail());
            if stat.len <= bytes {
                self.doubt.settle();
                self.last.stat = stat;
                return Ok(ReadOn::Nothing);
            }
            let mut source = Source::new(file, stat.len, Access::default())?;
            let mut newest = None;
            let header = segment.header();
            let scan = segment::resume(&mut source, header, bytes, tail, &mut |met: &Met<'_>| {
                newest = Some((met.position, met.record.offset(), met.record.checksum()));
                ControlFlow::Continue(())
            })?;
            // What does not decode at the end is looked at again.
            self.last.stat = Stat {
                len: scan.valid_bytes,
                ..stat
            };
            self.last.record = newest.or(self.last.record);
            if scan.valid_bytes > bytes {
                self.doubt.settle();
                return Ok(ReadOn::To(scan.valid_bytes, scan.next_offset));
            }
            let Some(failure) = scan.failure else {
                return Ok(ReadOn::Nothing);
            };
            let settings = self.config.recovery();
            let is_damage =
                self.doubt
                    .is_damage(segment.id, &failure, &mut source, mark, &settings)?;
            Ok(match is_damage {
                true => ReadOn::Damage(failure.kind.at(segment.id, failure.position)),
                false => ReadOn::Nothing,
            })
        };
        match read().map_err(StorageError::io(path, "read"))? {
            ReadOn::To(bytes, tail) => {
                published.append(&segment, bytes, tail);
                Ok(true)
            }
            ReadOn::Nothing => Ok(false),
            ReadOn::Damage(corruption) => Err(corruption.in_shard(&self.label()).into()),
        }
    }

    /// Name of the shard in errors.
    fn label(&self) -> String {
        match &self.config.key {
            Some(key) => key.to_string(),
            None => self.directory.path().display().to_string(),
        }
    }
}

/// What lies behind the records that were seen.
enum ReadOn {
    Nothing,
    /// Whole records, up to this position and offset.
    To(u64, u64),
    Damage(Corruption),
}
