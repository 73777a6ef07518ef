//! The order of checks: what comes first when several are broken, and how `order` moves it.

use ondisk::describe::Check;
use ondisk::{Fault, Format, format};

use super::entries::Name;
use crate::hold::hex;

#[derive(Format, Clone, Copy, Debug, PartialEq)]
#[format(u8)]
pub enum Op {
    Put = 1,
}

macro_rules! kinds {
    ($($name:ident $(($($order:tt)*))?)*) => {$(
        #[format(whole, reads = 1..=1 $(, order($($order)*))?)]
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            #[format(magic = b"M")]
            magic: [u8; 1],
            #[format(version)]
            version: u8,
            #[format(must_be = 0)]
            zero: u8,
            pub op: Op,
            #[format(count(names), max = 2)]
            count: u8,
            #[format(max = 5)]
            pub value: u8,
            pub names: Vec<Name>,
            #[format(crc32(..crc))]
            crc: u32,
        }
    )*};
}

kinds! {
    Default
    CrcFirst(crc, ..)
    Moved(op, magic, .., zero, crc)
}

/// The rows that are found broken, one after the other, when all of them are.
fn rows(open: impl Fn(&[u8]) -> Result<(), ondisk::Error>) -> Vec<&'static str> {
    let mut bytes = hex("4e 02 01 02 03 06 01ff 0161 00000000 00");
    let mut found = Vec::new();
    while let Err(error) = open(&bytes) {
        let at = error.at();
        let right = match error.row() {
            "magic" => 0x4d,
            "version" | "op" => 1,
            "zero" => 0,
            "count" => 2,
            "value" => 5,
            "text" => 0x61,
            "" => {
                bytes.pop();
                found.push("left over");
                continue;
            }
            _ => {
                let crc = match error.fault() {
                    Fault::Checksum { found, .. } => found,
                    fault => panic!("{fault:?}"),
                };
                let end = bytes.len();
                let crc = u32::try_from(crc).unwrap();
                bytes[end - 4..].copy_from_slice(&crc.to_be_bytes());
                if found.last() != Some(&"crc") {
                    found.push("crc");
                }
                continue;
            }
        };
        bytes[at] = right;
        found.push(error.row());
    }
    found
}

#[test]
fn by_groups() {
    let found = rows(|bytes| Default::view(bytes).map(|_| ()));
    let first = ["magic", "version", "zero", "count", "crc", "op"];
    assert_eq!(found[..6], first);
    // The checksum breaks again with every byte that is made right behind it.
    let rest: Vec<_> = found[6..].iter().filter(|row| **row != "crc").collect();
    assert_eq!(rest, [&"value", &"text", &"left over"]);
}

#[test]
fn a_checksum_first() {
    let found = rows(|bytes| CrcFirst::view(bytes).map(|_| ()));
    assert_eq!(found[..2], ["crc", "magic"]);
}

#[test]
fn some_first_and_some_last() {
    let found = rows(|bytes| Moved::view(bytes).map(|_| ()));
    assert_eq!(
        found,
        [
            "op",
            "magic",
            "version",
            "count",
            "value",
            "text",
            "left over",
            "zero",
            "crc"
        ]
    );
}

#[test]
fn the_description_says_the_same() {
    let steps: Vec<_> = Moved::KIND
        .steps
        .iter()
        .filter(|step| !matches!(step.check, Check::Fits | Check::Short))
        .map(|step| {
            Moved::KIND
                .rows()
                .get(usize::from(step.row))
                .map_or("", |row| row.name)
        })
        .collect();
    assert_eq!(
        steps,
        [
            "op", "magic", "version", "count", "count", "value", "names", "", "zero", "crc"
        ]
    );
}
