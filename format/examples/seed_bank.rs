//! A file format of one's own, from an annotated struct: the catalog of a seed bank, in two versions.
//!
//! `docs/declare.md` walks through it. Run it with `cargo run -p ondisk --example seed_bank`.
#![allow(clippy::print_stdout, reason = "it shows what it does")]

use ondisk::dump::Dump;
use ondisk::{Feature, FeatureLevels, Format, format};

/// What the whole fleet must have agreed on before version 2 is written.
pub const HUMIDITY: Feature = Feature::new("humidity", 1);

/// A tray of seeds of one species.
#[derive(Format, Clone, Copy, Debug, PartialEq)]
pub struct Tray {
    /// Number of the species' name, from 0.
    pub species: u32,
    /// Seeds in the tray.
    pub seeds: u32,
    /// When they were laid in, seconds since the Unix epoch.
    pub stored_at: u64,
}

/// The name of a species.
#[format()]
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    /// Bytes of the name.
    #[format(len(text), max = 200)]
    text_len: u16,
    /// The name.
    pub text: String,
}

/// The catalog of a seed bank.
#[format(reads = 1..=2, writes = 1, gate(2 = HUMIDITY), file = "seeds.catalog", authoritative)]
#[derive(Clone, Debug, PartialEq)]
pub struct Catalog {
    /// `SEED`.
    #[format(magic = b"SEED")]
    magic: [u8; 4],
    /// 2 has the humidity.
    #[format(version)]
    version: u16,
    /// Unknown bits may change what follows.
    #[format(must_be = 0)]
    flags: u16,
    /// Number of trays.
    #[format(count(trays), max = 100_000)]
    tray_count: u32,
    /// Number of names.
    #[format(count(names), max = 10_000)]
    name_count: u32,
    /// Over all that follows.
    #[format(crc32c(humidity_permille..))]
    body_crc: u32,
    /// Humidity of the vault, in thousandths.
    #[format(since = 2, max = 1000)]
    pub humidity_permille: Option<u16>,
    /// One behind another, each of 16 bytes.
    pub trays: Vec<Tray>,
    /// Of the species, in the order of their numbers.
    pub names: Vec<Name>,
}

ondisk::registry! {
    /// Every kind of this program.
    pub static KINDS: [Tray, Name, Catalog];
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut catalog = Catalog {
        humidity_permille: None,
        trays: vec![Tray {
            species: 0,
            seeds: 1200,
            stored_at: 1_200_000_000,
        }],
        names: vec![Name {
            text: "Hordeum vulgare".into(),
        }],
    };

    // Version 1 is what is written until the fleet agrees on more.
    let before = FeatureLevels::NONE;
    let mut bytes = Vec::new();
    catalog.encode(Catalog::write_version(&before), &mut bytes)?;
    println!("{}", Dump::new(Catalog::KIND, &bytes, 1));

    // The view borrows from the bytes. It was checked once, so no getter can fail.
    let view = Catalog::view(&bytes)?;
    let seeds: u64 = view
        .trays()
        .iter()
        .map(|tray| u64::from(tray.seeds()))
        .sum();
    println!("{seeds} seeds of {} species\n", view.names().len());

    // What version 1 cannot hold is refused, not lost; and version 2 is not to be had yet.
    catalog.humidity_permille = Some(150);
    let refused = catalog
        .encode(Catalog::write_version(&before), &mut Vec::new())
        .unwrap_err();
    println!("{refused}");
    println!("{}", Catalog::write_at(2, &before).unwrap_err());

    // Once the feature is finalized it is. Readers need no feature: they read both.
    let levels = [("humidity", 1)];
    let after = FeatureLevels::new(&levels);
    let mut bytes = Vec::new();
    catalog.encode(Catalog::write_at(2, &after)?, &mut bytes)?;
    assert_eq!(Catalog::view(&bytes)?.to_value(), catalog);

    // A flipped bit is found where it is, by the check whose turn it is.
    bytes[22] ^= 0x10;
    println!("{}", Catalog::view(&bytes).unwrap_err());
    Ok(())
}
