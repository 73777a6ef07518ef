//! CRC-32 as a hand would do it: a header by one look-up a byte, all independent of each other; the rest by `crc32fast`.

/// As many tables as the longest head has bytes.
const LONGEST: usize = 24;

static TABLES: [[u32; 256]; LONGEST] = tables();

const fn tables() -> [[u32; 256]; LONGEST] {
    let mut tables = [[0; 256]; LONGEST];
    let mut byte = 0_u32;
    while byte < 256 {
        // The byte, then a zero byte for each further table.
        let (mut crc, mut table) = (byte, 0);
        while table < LONGEST {
            let mut bit = 0;
            while bit < 8 {
                crc = (crc >> 1) ^ (0xedb8_8320 * (crc & 1));
                bit += 1;
            }
            tables[table][byte as usize] = crc;
            table += 1;
        }
        byte += 1;
    }
    tables
}

/// Over 4 to 24 bytes.
#[inline(always)]
pub fn fixed<const N: usize>(before: u32, bytes: &[u8; N]) -> u32 {
    let before = (!before).to_le_bytes();
    let mut crc = 0;
    for (index, &byte) in bytes.iter().enumerate() {
        let byte = byte ^ before.get(index).copied().unwrap_or(0);
        crc ^= TABLES[N - 1 - index][usize::from(byte)];
    }
    !crc
}

/// Over any number of bytes.
#[inline]
pub fn any(before: u32, bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(before);
    hasher.update(bytes);
    hasher.finalize()
}
