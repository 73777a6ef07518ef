use super::MemoryFile;
use crate::disk::File;

/// Every write of three is compared with the same write into a plain vector.
#[test]
fn writes_anywhere() {
    let ranges = [
        (0_u64, 4_usize),
        (2, 3),
        (7, 2),
        (3, 6),
        (12, 1),
        (9, 3),
        (0, 13),
        (6, 1),
    ];
    for first in ranges {
        for second in ranges {
            for third in ranges {
                let file = MemoryFile::default();
                let mut plain = Vec::new();
                for (byte, (at, len)) in (1_u8..).zip([first, second, third]) {
                    let bytes = vec![byte; len];
                    file.write_at(&bytes, at).expect("memory");
                    let at = usize::try_from(at).expect("small");
                    plain.resize(plain.len().max(at + len), 0);
                    plain[at..at + len].fill(byte);
                }
                let case = (first, second, third);
                assert_eq!(all_of(&file), plain, "{case:?}");
                let shorter = plain.len() / 2;
                file.set_len(shorter as u64).expect("memory");
                file.set_len(plain.len() as u64).expect("memory");
                plain[shorter..].fill(0);
                assert_eq!(all_of(&file), plain, "cut, {case:?}");
            }
        }
    }
}

/// Pieces that end where the next begins are one file as well.
#[test]
fn writes_over_pieces_that_touch() {
    let file = MemoryFile::default();
    let mut plain = vec![0; 8];
    for (byte, at, len) in [(1_u8, 0_usize, 4_usize), (2, 6, 2), (3, 2, 5), (4, 2, 4)] {
        file.write_at(&vec![byte; len], at as u64).expect("memory");
        plain[at..at + len].fill(byte);
    }
    assert_eq!(all_of(&file), plain);
}

fn all_of(file: &MemoryFile) -> Vec<u8> {
    let len = file.stat().expect("memory").len;
    let mut bytes = vec![0; usize::try_from(len).expect("small")];
    crate::disk::read_exact_at(file, &mut bytes, 0).expect("memory");
    bytes
}
