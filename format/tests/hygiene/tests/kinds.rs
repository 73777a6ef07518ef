//! What these definitions make works as anywhere else.

use ondisk_hygiene::{names, no_prelude, shadowed};
use storage::promise;

storage::registry! {
    /// Every kind of this crate.
    static KINDS: [
        names::Locals<'static>, names::Keys, names::E2, shadowed::Kind<'static>, no_prelude::Everything<'static>,
        no_prelude::Entry, no_prelude::Inner, no_prelude::FromTheEnd<'static>,
    ];
}

#[test]
fn they_keep_their_promises() {
    assert!(no_prelude::round_trip());
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    for round in 0..400_u32 {
        let entropy: Vec<u8> = (0..160)
            .map(|_| {
                seed ^= seed << 13;
                seed ^= seed >> 7;
                seed ^= seed << 17;
                seed.to_le_bytes()[2]
            })
            .collect();
        for entry in KINDS {
            let version = promise::pick(entry.kind, u8::try_from(round % 2).unwrap());
            let made = promise::round_trip(entry, &entropy, version);
            if let Some(mut bytes) = made.unwrap() {
                let at = usize::try_from(round).unwrap() % bytes.len();
                bytes[at] ^= 0x55;
                promise::check(entry, &bytes, version).unwrap();
            }
        }
    }
}
