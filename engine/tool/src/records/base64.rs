//! Base64 of the standard alphabet, padded (RFC 4648, section 4). What is read is held to the letter, so that each text
//! stands for one sequence of bytes and back.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes as text.
pub(super) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |index| u32::from(chunk.get(index).copied().unwrap_or_default());
        let group = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let digit = (group >> (18 - 6 * place)) & 0x3f;
            text.push(if place <= chunk.len() {
                char::from(ALPHABET[digit as usize])
            } else {
                '='
            });
        }
    }
    text
}

/// Text as bytes; none when it is no base64.
pub(super) fn decode(text: &[u8]) -> Option<Vec<u8>> {
    if !text.len().is_multiple_of(4) {
        return None;
    }
    let padding = text.iter().rev().take_while(|&&byte| byte == b'=').count();
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let groups = text.len() / 4;
    for (number, group) in text.chunks_exact(4).enumerate() {
        let padding = if number + 1 == groups { padding } else { 0 };
        if padding > 2 {
            return None;
        }
        let mut bits = 0;
        for (place, &char) in group.iter().enumerate() {
            let digit = if place < 4 - padding { digit(char)? } else { 0 };
            bits = bits << 6 | u32::from(digit);
        }
        let [_, decoded @ ..] = bits.to_be_bytes();
        let (decoded, rest) = decoded.split_at(3 - padding);
        if rest.iter().any(|&byte| byte != 0) {
            return None;
        }
        bytes.extend_from_slice(decoded);
    }
    Some(bytes)
}

fn digit(char: u8) -> Option<u8> {
    Some(match char {
        b'A'..=b'Z' => char - b'A',
        b'a'..=b'z' => char - b'a' + 26,
        b'0'..=b'9' => char - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn the_vectors_of_the_rfc() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(encode(bytes.as_bytes()), text);
            assert_eq!(decode(text.as_bytes()).as_deref(), Some(bytes.as_bytes()));
        }
    }

    #[test]
    fn every_byte_comes_back() {
        let bytes: Vec<u8> = (0..=255).chain((0..=255).rev()).collect();
        for len in 0..bytes.len() {
            let text = encode(&bytes[..len]);
            assert_eq!(decode(text.as_bytes()).as_deref(), Some(&bytes[..len]));
        }
    }

    #[test]
    fn what_is_none() {
        for text in [
            "Z", "Zg", "Zg=", "Zm9v=", "====", "Zg==Zg==", "Zh==", "Zm9=", "Zm 9", "Zm-9", "=Zg=",
            "Z===",
        ] {
            assert_eq!(decode(text.as_bytes()), None, "{text}");
        }
    }
}
