//! Reflected CRCs by tables: eight bytes a step for the 32-bit ones. Used where an input is too short for the vector
//! units, and where there is no run-time detection of them.

const fn table32(polynomial: u32) -> [[u32; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 {
                (crc >> 1) ^ polynomial
            } else {
                crc >> 1
            };
            bit += 1;
        }
        tables[0][byte] = crc;
        byte += 1;
    }
    let mut slice = 1;
    while slice < 8 {
        let mut byte = 0;
        while byte < 256 {
            let crc: u32 = tables[slice - 1][byte];
            tables[slice][byte] = (crc >> 8) ^ tables[0][(crc & 0xff) as usize];
            byte += 1;
        }
        slice += 1;
    }
    tables
}

const fn table64(polynomial: u64) -> [u64; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u64;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 {
                (crc >> 1) ^ polynomial
            } else {
                crc >> 1
            };
            bit += 1;
        }
        table[byte] = crc;
        byte += 1;
    }
    table
}

static CRC32: [[u32; 256]; 8] = table32(0xedb8_8320);
static CRC32C: [[u32; 256]; 8] = table32(0x82f6_3b78);
static CRC64: [u64; 256] = table64(0xc96c_5795_d787_0f42);

#[inline(always)]
fn update32(tables: &[[u32; 256]; 8], before: u32, bytes: &[u8]) -> u32 {
    let mut crc = !before;
    let (chunks, rest) = bytes.as_chunks::<8>();
    for &[a, b, c, d, e, f, g, h] in chunks {
        let [i, j, k, l] = (crc ^ u32::from_le_bytes([a, b, c, d])).to_le_bytes();
        crc = tables[7][usize::from(i)]
            ^ tables[6][usize::from(j)]
            ^ tables[5][usize::from(k)]
            ^ tables[4][usize::from(l)]
            ^ tables[3][usize::from(e)]
            ^ tables[2][usize::from(f)]
            ^ tables[1][usize::from(g)]
            ^ tables[0][usize::from(h)];
    }
    let rest = match rest {
        [a, b, c, d, rest @ ..] => {
            let [i, j, k, l] = (crc ^ u32::from_le_bytes([*a, *b, *c, *d])).to_le_bytes();
            crc = tables[3][usize::from(i)]
                ^ tables[2][usize::from(j)]
                ^ tables[1][usize::from(k)]
                ^ tables[0][usize::from(l)];
            rest
        }
        rest => rest,
    };
    for &byte in rest {
        let [low, ..] = crc.to_le_bytes();
        crc = (crc >> 8) ^ tables[0][usize::from(low ^ byte)];
    }
    !crc
}

/// CRC-32 (IEEE).
#[inline]
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
    for &byte in bytes {
        let [low, ..] = crc.to_le_bytes();
        crc = (crc >> 8) ^ CRC64[usize::from(low ^ byte)];
    }
    !crc
}
