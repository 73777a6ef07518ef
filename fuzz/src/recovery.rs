//! Recovery over a directory that the fuzzer builds: segments and sidecars written with the definitions, then damaged.
//!
//! Whatever it is, planning ends without a panic and says the same twice; a refused plan does nothing; an accepted one
//! leaves a chain that can be read record by record, and takes no byte that is not there.

use std::ops::ControlFlow;
use std::sync::Arc;

use arbitrary::{Result, Unstructured};
use ondisk::FeatureLevels;
use ondisk::felix::name::{SegmentFile, Sidecar};
use ondisk::felix::{DurableMark, Record, RecordKind, SegmentHeader};
use ondisk_engine::disk::memory::{MemoryDirectory, MemoryFile};
use ondisk_engine::felix::opening::{LogKind, Sidecars, open};
use ondisk_engine::felix::reader::Reader;
use ondisk_engine::felix::recovery::{Plan, Provable, Scans, Settings, Step};
use ondisk_engine::felix::segment::Access;
use ondisk_engine::felix::shard::Shard;

const LEVELS: FeatureLevels<'_> = FeatureLevels::new(&[("generation_start", 1)]);

/// Plans the recovery of the directory that `input` builds.
///
/// # Panics
/// A promise that does not hold.
pub fn check(input: &[u8]) {
    let mut from = Unstructured::new(input);
    let directory = Arc::new(MemoryDirectory::new("shard"));
    // Input that ends early builds a smaller directory.
    let _ = build(&mut from, &directory);
    let settings = settings(&mut from).unwrap_or_default();
    let shard = Shard::look(directory, None).expect("memory lists");
    for kind in [LogKind::Stream, LogKind::Cache, LogKind::Counter] {
        let plan_again = || {
            let scans = Scans::new(&shard, Access::default());
            let sidecars = Sidecars::load(&shard).expect("memory can be read");
            let opening = open(&scans, &sidecars, kind, &settings).expect("memory can be read");
            if let Some(plan) = &opening.plan {
                holds(plan, &scans);
            }
            opening
        };
        assert_eq!(
            plan_again(),
            plan_again(),
            "planning is a function of the directory"
        );
    }
}

fn holds(plan: &Plan, scans: &Scans<'_>) {
    let text = plan.to_string();
    let Some(log) = &plan.log else {
        assert!(plan.refusal.is_some() && plan.steps.is_empty(), "{text}");
        return;
    };
    assert!(plan.refusal.is_none(), "{text}");
    for pair in log.segments.windows(2) {
        assert!(
            pair[0].id < pair[1].id && pair[0].next_offset == pair[1].base_offset,
            "{text}"
        );
    }
    let len = |file| {
        plan.listed
            .iter()
            .find(|(name, _)| *name == file)
            .map_or(0, |(_, len)| *len)
    };
    for step in &plan.steps {
        match *step {
            Step::Cut {
                segment: id,
                position,
            } => {
                assert!(position <= len(SegmentFile::Log { id }), "{text}");
            }
            Step::Save {
                segment: id,
                from,
                bytes,
                ..
            } => {
                assert_eq!(from + bytes, len(SegmentFile::Log { id }), "{text}");
            }
            _ => {}
        }
    }
    let mut next = log.base;
    let read = Reader::new(scans, log).read(log.base, &mut |_, met| {
        assert_eq!(met.record.offset(), next, "{text}");
        next += 1;
        ControlFlow::Continue(())
    });
    // A sealed segment is looked at from its last index entry on; before it there may be damage.
    if read.expect("memory can be read").is_ok() {
        assert_eq!(next, log.tail, "{text}");
    }
}

/// The segments of a log in the making.
struct Log {
    id: u64,
    next: u64,
    version: u32,
    bytes: Vec<u8>,
}

fn build(from: &mut Unstructured<'_>, directory: &MemoryDirectory) -> Result<()> {
    let mut log = Log {
        id: 0,
        next: u64::from(from.arbitrary::<u8>()?),
        version: 3,
        bytes: Vec::new(),
    };
    log.begin(from.int_in_range(2..=4)?);
    while !from.is_empty() {
        match from.int_in_range(0..=11)? {
            0..=3 => log.append(from)?,
            4 => {
                log.put(directory);
                log.id += from.int_in_range(1..=3)?;
                log.next = log.next.saturating_add_signed(from.int_in_range(-1..=1)?);
                log.begin(from.int_in_range(2..=4)?);
            }
            5 => log.bytes.extend(some(from)?),
            6 => {
                let keep = from.int_in_range(0..=log.bytes.len())?;
                log.bytes.truncate(keep);
            }
            7 => {
                let at = from.choose_index(log.bytes.len().max(1))?;
                if let Some(byte) = log.bytes.get_mut(at) {
                    *byte ^= 1 << from.int_in_range(0..=7)?;
                }
            }
            8 => log.bytes.extend(vec![0; from.int_in_range(0..=1200)?]),
            9 => {
                let synced_bytes = from.int_in_range(0..=log.bytes.len() as u64 + 40)?;
                let mark = DurableMark {
                    segment: log.id,
                    synced_bytes,
                };
                let mut bytes = Vec::new();
                let version = DurableMark::write_version(&FeatureLevels::NONE);
                mark.encode(version, &mut bytes)
                    .expect("every mark can be written");
                directory.put(Sidecar::DurableMark.file_name(), MemoryFile::of(&bytes));
            }
            10 => {
                let sidecar = *from.choose(&Sidecar::ALL)?;
                directory.put(sidecar.file_name(), MemoryFile::of(some(from)?));
            }
            _ => {
                let id = from.int_in_range(0..=log.id + 1)?;
                let file = match from.arbitrary()? {
                    true => SegmentFile::Temporary { id },
                    false => SegmentFile::Index { id },
                };
                directory.put(&file.to_string(), MemoryFile::of(some(from)?));
            }
        }
        log.put(directory);
    }
    Ok(())
}

fn some<'a>(from: &mut Unstructured<'a>) -> Result<&'a [u8]> {
    let len = from.int_in_range(0..=200)?;
    from.bytes(len.min(from.len()))
}

impl Log {
    fn begin(&mut self, version: u32) {
        let header = SegmentHeader {
            base_offset: self.next,
            created_at_micros: 1,
        };
        let version_written = SegmentHeader::write_at(version, &LEVELS).expect("a version of ours");
        self.version = version;
        self.bytes.clear();
        header
            .encode(version_written, &mut self.bytes)
            .expect("the base leaves room");
    }

    fn append(&mut self, from: &mut Unstructured<'_>) -> Result<()> {
        let kind = match (from.int_in_range(0..=7)?, self.version) {
            (0, 3..) => RecordKind::Continues,
            (1, 4..) => RecordKind::GenerationStart,
            _ => RecordKind::Ordinary,
        };
        let payload = match kind {
            RecordKind::GenerationStart => &self.next.to_be_bytes()[..],
            _ => some(from)?,
        };
        let record = Record {
            kind,
            offset: self.next,
            timestamp_micros: self.next,
            tag: None,
            payload,
        };
        let version = SegmentHeader::write_at(self.version, &LEVELS).expect("a version of ours");
        record
            .encode(version, &mut self.bytes)
            .expect("a record of this version");
        self.next += 1;
        Ok(())
    }

    fn put(&self, directory: &MemoryDirectory) {
        let name = SegmentFile::Log { id: self.id }.to_string();
        directory.put(&name, MemoryFile::of(&self.bytes));
    }
}

fn settings(from: &mut Unstructured<'_>) -> Result<Settings> {
    let provable = if from.ratio(1, 4)? {
        Provable::STRICT
    } else {
        Provable::ALL
    };
    Ok(Settings {
        repair_checksum_tail: from.arbitrary()?,
        verify_all_on_open: from.arbitrary()?,
        provable: Provable {
            zero_tail_without_mark: from.arbitrary()?,
            ..provable
        },
        index_spacing_bytes: from.int_in_range(1..=200)?,
        open_at: from.int_in_range(0..=9)?,
    })
}
