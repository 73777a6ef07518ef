use super::*;

const ALGORITHMS: [Algorithm; 3] = [Algorithm::Crc32, Algorithm::Crc32c, Algorithm::Crc64];

/// The definition, bit by bit.
fn by_bits(algorithm: Algorithm, before: u64, bytes: &[u8]) -> u64 {
    let (polynomial, ones) = match algorithm {
        Algorithm::Crc32 => (0xedb8_8320, u64::from(u32::MAX)),
        Algorithm::Crc32c => (0x82f6_3b78, u64::from(u32::MAX)),
        Algorithm::Crc64 => (0xc96c_5795_d787_0f42, u64::MAX),
    };
    let mut crc = before ^ ones;
    for &byte in bytes {
        crc ^= u64::from(byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ (polynomial * (crc & 1));
        }
    }
    crc ^ ones
}

fn noise<const N: usize>() -> [u8; N] {
    let mut state = 1u64;
    core::array::from_fn(|_| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        state.to_be_bytes()[0]
    })
}

#[test]
fn check_values_over_the_nine_digits() {
    for (algorithm, check) in [
        (Algorithm::Crc32, 0xcbf4_3926),
        (Algorithm::Crc32c, 0xe306_9283),
        (Algorithm::Crc64, 0x995d_c9bb_df19_39fa),
    ] {
        let digits = b"123456789";
        assert_eq!(algorithm.continue_from(0, digits), check, "{algorithm}");
        assert_eq!(by_bits(algorithm, 0, digits), check, "{algorithm} by bits");
    }
}

#[test]
fn twenty_zeros_never_verify_as_zero() {
    assert_eq!(crc32(0, &[0; 20]), 0x0fd5_9b8d);
    assert_eq!(crc32_of(0, &[0; 20]), 0x0fd5_9b8d);
}

#[test]
fn every_length_and_alignment_is_as_defined() {
    let bytes: [u8; 330] = noise();
    for algorithm in ALGORITHMS {
        for len in 0..300 {
            for from in [0, 1, 7, 13] {
                let bytes = &bytes[from..from + len];
                for before in [0, 0x2402_152c] {
                    assert_eq!(
                        algorithm.continue_from(before, bytes),
                        by_bits(algorithm, before, bytes),
                        "{algorithm}, {len} bytes from {from}, behind {before:x}"
                    );
                }
            }
        }
    }
}

#[test]
fn tables_are_right_past_where_the_library_takes_over() {
    let bytes: [u8; 200] = noise();
    for len in 0..200 {
        let bytes = &bytes[..len];
        let found = [table::crc32(9, bytes), table::crc32c(9, bytes)].map(u64::from);
        let right = [Algorithm::Crc32, Algorithm::Crc32c].map(|a| by_bits(a, 9, bytes));
        assert_eq!(found, right, "{len}");
    }
}

#[test]
fn known_lengths_are_as_others() {
    fn check<const N: usize>() {
        let bytes: [u8; N] = noise();
        assert_eq!(crc32_of(7, &bytes), crc32(7, &bytes), "{N}");
    }
    macro_rules! check {
        ($($len:literal)*) => { $(check::<$len>();)* };
    }
    check!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33);
    check!(40 48 63 64 65 100 127 128 129 1000);
}

#[test]
fn continuing_is_the_same_as_going_through() {
    let bytes: [u8; 300] = noise();
    for algorithm in ALGORITHMS {
        let whole = algorithm.continue_from(0, &bytes);
        for cut in 0..=300 {
            let (a, b) = bytes.split_at(cut);
            let continued = algorithm.continue_from(algorithm.continue_from(0, a), b);
            assert_eq!(continued, whole, "{algorithm} at {cut}");
        }
    }
}
