//! What an uploader would write into the manifest of a closed shard (Felix 11.6).

use std::io;
use std::sync::Arc;

use ondisk::felix::ManifestEntry;
use ondisk_engine::disk::Directory;
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::opening::{self, LogKind, Sidecars};
use ondisk_engine::felix::recovery::{PlannedSegment, Scans, Settings};
use ondisk_engine::felix::segment::Access;
use ondisk_engine::felix::shard::Shard;
use ondisk_engine::felix::sidecar::manifest;

/// An entry for each sealed segment. Nothing reads the objects in these scripts, so checksums and times are left at 0.
pub(super) fn sealed(directory: &Arc<dyn Directory>) -> Result<Vec<ManifestEntry>, StorageError> {
    let shard = Shard::look(Arc::clone(directory), None)?;
    let scans = Scans::new(&shard, Access::default());
    let sidecars = Sidecars::load(&shard)?;
    let opening = opening::open(&scans, &sidecars, LogKind::Stream, &Settings::default())?;
    let log = opening.plan.and_then(|plan| plan.log);
    let segments = log.map(|log| log.segments).unwrap_or_default();
    let sealed = segments.split_last().map_or(&[][..], |(_, sealed)| sealed);
    let entry = |segment: &PlannedSegment| ManifestEntry {
        segment: segment.id,
        base_offset: segment.base_offset,
        last_offset: segment.next_offset - 1,
        size: segment.valid_bytes,
        oldest_micros: 0,
        newest_micros: 0,
        checksum: 0,
        key: format!("{:020}", segment.id),
    };
    Ok(sealed.iter().map(entry).collect())
}

pub(super) fn store(directory: &Arc<dyn Directory>, entries: &[ManifestEntry]) -> io::Result<()> {
    manifest::store(&**directory, entries)
}
