//! Reflected CRCs by tables: for inputs that are too short to set up the vector units, and where nothing detects those
//! at run time. Several bytes a step, a table for each: the look-ups of a step do not wait for each other.

/// The most bytes that one step takes in: the head of a record or of a segment is a step.
pub(super) const STEP: usize = 24;

static CRC32: [[u32; 256]; STEP] = tables32(0xedb8_8320);
static CRC32C: [[u32; 256]; STEP] = tables32(0x82f6_3b78);
static CRC64: [[u64; 256]; 8] = tables64(0xc96c_5795_d787_0f42);

/// Table `n` holds what a byte comes to with `n` bytes behind it.
const fn tables32(polynomial: u32) -> [[u32; 256]; STEP] {
    let mut tables = [[0; 256]; STEP];
    let mut byte = 0u32;
    while byte < 256 {
        let mut crc = byte;
        let mut bit = 0;
        while bit < 8 {
            crc = (crc >> 1) ^ (polynomial * (crc & 1));
            bit += 1;
        }
        tables[0][byte as usize] = crc;
        byte += 1;
    }
    let mut table = 1;
    while table < STEP {
        let mut byte = 0;
        while byte < 256 {
            let crc: u32 = tables[table - 1][byte];
            tables[table][byte] = (crc >> 8) ^ tables[0][(crc & 0xff) as usize];
            byte += 1;
        }
        table += 1;
    }
    tables
}

/// As [`tables32`].
const fn tables64(polynomial: u64) -> [[u64; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0u16;
    while byte < 256 {
        let mut crc = byte as u64;
        let mut bit = 0;
        while bit < 8 {
            crc = (crc >> 1) ^ (polynomial * (crc & 1));
            bit += 1;
        }
        tables[0][byte as usize] = crc;
        byte += 1;
    }
    let mut table = 1;
    while table < 8 {
        let mut byte = 0;
        while byte < 256 {
            let crc: u64 = tables[table - 1][byte];
            tables[table][byte] = (crc >> 8) ^ tables[0][(crc & 0xff) as usize];
            byte += 1;
        }
        table += 1;
    }
    tables
}

/// One step over the bytes of `chunk`, at least as many as a checksum has.
#[inline(always)]
fn step32<const N: usize>(tables: &[[u32; 256]; STEP], crc: u32, chunk: &[u8; N]) -> u32 {
    let crc = crc.to_le_bytes();
    let mut next = 0;
    for (index, &byte) in chunk.iter().enumerate() {
        let byte = match crc.get(index) {
            Some(crc) => byte ^ crc,
            None => byte,
        };
        next ^= tables[N - 1 - index][usize::from(byte)];
    }
    next
}

/// Any number of bytes.
#[inline(always)]
fn update32(tables: &[[u32; 256]; STEP], before: u32, bytes: &[u8]) -> u32 {
    let mut crc = !before;
    let (chunks, rest) = bytes.as_chunks::<16>();
    for chunk in chunks {
        crc = step32(tables, crc, chunk);
    }
    let (chunks, rest) = rest.as_chunks::<8>();
    for chunk in chunks {
        crc = step32(tables, crc, chunk);
    }
    let (chunks, rest) = rest.as_chunks::<4>();
    for chunk in chunks {
        crc = step32(tables, crc, chunk);
    }
    for &byte in rest {
        let [low, ..] = crc.to_le_bytes();
        crc = (crc >> 8) ^ tables[0][usize::from(low ^ byte)];
    }
    !crc
}

/// CRC-32 (IEEE) over 4 to [`STEP`] bytes, written out where it is called.
#[inline(always)]
pub(super) fn crc32_step<const N: usize>(before: u32, bytes: &[u8; N]) -> u32 {
    !step32(&CRC32, !before, bytes)
}

/// CRC-32 (IEEE).
pub(super) fn crc32(before: u32, bytes: &[u8]) -> u32 {
    update32(&CRC32, before, bytes)
}

/// CRC-32C (Castagnoli).
#[cfg_attr(
    feature = "std",
    allow(dead_code, reason = "the library takes over where it is there")
)]
pub(super) fn crc32c(before: u32, bytes: &[u8]) -> u32 {
    update32(&CRC32C, before, bytes)
}

/// CRC-64/XZ.
pub(super) fn crc64(before: u64, bytes: &[u8]) -> u64 {
    let mut crc = !before;
    let (chunks, rest) = bytes.as_chunks::<8>();
    for chunk in chunks {
        let mixed = (crc ^ u64::from_le_bytes(*chunk)).to_le_bytes();
        crc = 0;
        for (table, byte) in CRC64.iter().rev().zip(mixed) {
            crc ^= table[usize::from(byte)];
        }
    }
    for &byte in rest {
        let [low, ..] = crc.to_le_bytes();
        crc = (crc >> 8) ^ CRC64[0][usize::from(low ^ byte)];
    }
    !crc
}
