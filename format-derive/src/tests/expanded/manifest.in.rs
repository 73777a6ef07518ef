/// Segments with a copy in the object store.
#[format(reads = 1..=1, file = "offload.manifest", authoritative, order(crc, ..), check = entries_do_not_overlap)]
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    /// `FLOF`.
    #[format(magic = b"FLOF")]
    magic: [u8; 4],
    /// 1.
    #[format(version)]
    version: u16,
    /// Number of entries.
    #[format(count(entries))]
    count: u32,
    /// By base offset when written.
    pub entries: Vec<ManifestEntry>,
    /// Over every byte before it.
    #[format(crc32(..crc))]
    crc: u32,
}
