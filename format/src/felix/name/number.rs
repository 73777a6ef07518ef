//! The ways in which a number stands in a name. Each accepts exactly what its writer makes.

/// Digits of a segment id or an offset, zero-padded.
pub(super) const ID_DIGITS: usize = 20;

/// Digits of a hash or an incarnation.
pub(super) const HEX_DIGITS: usize = 16;

/// 20 decimal digits; none when they exceed `u64::MAX`.
pub(super) fn id(text: &str) -> Option<u64> {
    (text.len() == ID_DIGITS && all_digits(text)).then(|| text.parse().ok())?
}

/// 16 lower-case hexadecimal digits.
pub(super) fn hex(text: &str) -> Option<u64> {
    let lower = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    (text.len() == HEX_DIGITS && text.bytes().all(lower))
        .then(|| u64::from_str_radix(text, 16).ok())?
}

/// A decimal number without leading zeros.
pub(super) fn plain(text: &str) -> Option<u64> {
    let padded = text.len() > 1 && text.starts_with('0');
    (!padded && all_digits(text)).then(|| text.parse().ok())?
}

/// Whether all of it is decimal digits. `parse` alone would take a sign as well.
pub(super) fn all_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::{hex, id, plain};

    #[test]
    fn ids_have_twenty_digits() {
        assert_eq!(id("00000000000000000000"), Some(0));
        assert_eq!(id("00000000000000000042"), Some(42));
        assert_eq!(id("18446744073709551615"), Some(u64::MAX));
        for wrong in [
            "",
            "42",
            "18446744073709551616",
            "99999999999999999999",
            "0000000000000000042",
            "000000000000000000042",
        ] {
            assert_eq!(id(wrong), None, "{wrong}");
        }
        for wrong in [
            "+0000000000000000042",
            "0000000000000000004x",
            " 0000000000000000042",
            "0000000000000000004é",
        ] {
            assert_eq!(id(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn hex_is_lower_case() {
        assert_eq!(hex("0006411a0ccf2e40"), Some(0x0006_411a_0ccf_2e40));
        assert_eq!(hex("ffffffffffffffff"), Some(u64::MAX));
        for wrong in [
            "",
            "0006411A0CCF2E40",
            "6411a0ccf2e40",
            "+006411a0ccf2e40",
            "0x06411a0ccf2e40",
            "0006411a0ccf2e4g",
        ] {
            assert_eq!(hex(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn plain_numbers_are_unpadded() {
        assert_eq!(plain("0"), Some(0));
        assert_eq!(plain("168"), Some(168));
        assert_eq!(plain("18446744073709551615"), Some(u64::MAX));
        for wrong in ["", "00", "07", "+1", "-1", "1 ", "18446744073709551616"] {
            assert_eq!(plain(wrong), None, "{wrong}");
        }
    }
}
