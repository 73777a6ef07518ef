//! The vectors of the checksums.

use std::fs;
use std::path::Path;

use ondisk::checksum::{Algorithm, crc64};

#[test]
fn checksums_are_those_of_the_vectors() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/checksums.txt");
    let text = fs::read_to_string(path).unwrap();
    let lines = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    for line in lines.clone() {
        let mut words = line.split_whitespace();
        let (name, algorithm) = (words.next().unwrap(), words.next().unwrap());
        let right = u64::from_str_radix(words.next().unwrap(), 16).unwrap();
        let inputs: Vec<Vec<u8>> = words.map(hex).collect();
        let found = match algorithm {
            "crc32" => Algorithm::Crc32.continue_from(0, &inputs[0]),
            "crc32c" => Algorithm::Crc32c.continue_from(0, &inputs[0]),
            "crc64-xz" => Algorithm::Crc64.continue_from(0, &inputs[0]),
            "batch-digest" => digest(&inputs),
            other => panic!("{name}: no algorithm {other}"),
        };
        assert_eq!(found, right, "{name}");
    }
    assert!(lines.count() > 0);
}

/// CRC-64/XZ over the records of a batch, folded (Felix 17).
fn digest(records: &[Vec<u8>]) -> u64 {
    records.iter().fold(0, |digest, record| {
        let length = crc64(0, &(record.len() as u64).to_be_bytes());
        let record = crc64(length, record);
        crc64(crc64(0, &digest.to_be_bytes()), &record.to_be_bytes())
    })
}

fn hex(digits: &str) -> Vec<u8> {
    let digits = digits.trim_start_matches('-').as_bytes();
    digits
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}
