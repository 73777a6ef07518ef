//! What lies in a shard directory, read by the read side alone: as another build would open it.

use std::ops::ControlFlow;
use std::sync::Arc;

use ondisk::felix::{ProducerTag, RecordKind, RecordView};
use ondisk_engine::disk::Directory;
use ondisk_engine::felix::log::Mark;
use ondisk_engine::felix::opening::{self, LogKind, Opening, Sidecars};
use ondisk_engine::felix::reader::Reader;
use ondisk_engine::felix::recovery::{Scans, Settings};
use ondisk_engine::felix::segment::Access;
use ondisk_engine::felix::shard::Shard;

/// A record as it was read back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    pub offset: u64,
    pub timestamp: u64,
    pub payload: Vec<u8>,
    pub mark: Mark,
}

impl Read {
    fn of(record: RecordView<'_>) -> Self {
        let mark = match (record.kind(), record.tag()) {
            (RecordKind::Opens, Some(tag)) => Mark::Opens(ProducerTag {
                producer_id: tag.producer_id(),
                sequence: tag.sequence(),
                len: tag.len(),
            }),
            (RecordKind::Continues, _) => Mark::Continues,
            (RecordKind::GenerationStart, _) => Mark::GenerationStart,
            _ => Mark::Ordinary,
        };
        Self {
            offset: record.offset(),
            timestamp: record.timestamp_micros(),
            payload: record.payload().to_vec(),
            mark,
        }
    }
}

/// A shard as it lies there.
pub struct Look {
    pub opening: Opening,
    pub records: Vec<Read>,
    pub segments: Vec<(u64, u32, u64)>,
}

#[allow(
    dead_code,
    reason = "two test programs share it, and neither asks for all"
)]
impl Look {
    pub fn at(directory: &Arc<dyn Directory>) -> Self {
        let shard = Shard::look(Arc::clone(directory), None).expect("it can be listed");
        let sidecars = Sidecars::load(&shard).expect("they can be read");
        let scans = Scans::new(&shard, Access::default());
        let settings = Settings {
            verify_all_on_open: true,
            ..Settings::default()
        };
        let opening = opening::open(&scans, &sidecars, LogKind::Stream, &settings)
            .expect("it can be planned");
        let mut records = Vec::new();
        let mut segments = Vec::new();
        if let Some(log) = opening.plan.as_ref().and_then(|plan| plan.log.as_ref()) {
            segments = log
                .segments
                .iter()
                .map(|segment| (segment.id, segment.version, segment.base_offset))
                .collect();
            let reader = Reader::new(&scans, log);
            let read = reader.read(log.base, &mut |_, met| {
                records.push(Read::of(met.record));
                ControlFlow::Continue(())
            });
            read.expect("it can be read").expect("it is sound");
        }
        Self {
            opening,
            records,
            segments,
        }
    }

    /// Looks, and wants nothing to be wrong.
    pub fn sound(directory: &Arc<dyn Directory>) -> Self {
        let look = Self::at(directory);
        assert!(
            look.opening.is_sound(),
            "{}: {:?}",
            look.opening.category(),
            look.opening.plan
        );
        look
    }

    /// The bounds of the log.
    pub fn bounds(&self) -> (u64, u64) {
        let log = self
            .opening
            .plan
            .as_ref()
            .and_then(|plan| plan.log.as_ref());
        log.map_or((0, 0), |log| (log.base, log.tail))
    }

    pub fn payloads(&self) -> Vec<String> {
        self.records
            .iter()
            .map(|record| String::from_utf8_lossy(&record.payload).into_owned())
            .collect()
    }
}
