//! The readable part of a directory name, `R(x)` of Felix 2.3.

use alloc::string::String;

/// Characters that a component keeps at most.
const LONGEST: usize = 32;

/// Appends `R(component)`: letters, digits and `-` of ASCII stay, any other character becomes one `_`, what is behind
/// the 32nd is cut. An empty component is one `_`, so that no two separators can be mistaken for it.
pub(super) fn push(out: &mut String, component: &str) {
    if component.is_empty() {
        out.push('_');
    }
    let kept = |char: char| {
        if char.is_ascii_alphanumeric() || char == '-' {
            char
        } else {
            '_'
        }
    };
    out.extend(component.chars().take(LONGEST).map(kept));
}

/// Whether it can be readable parts joined by `_`: no dot and no slash can occur.
pub(super) fn is_readable(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::{is_readable, push};

    fn readable(component: &str) -> String {
        let mut out = String::new();
        push(&mut out, component);
        out
    }

    #[test]
    fn one_character_becomes_one() {
        for (component, expected) in [
            ("", "_"),
            ("orders", "orders"),
            ("Mixed-Case-9", "Mixed-Case-9"),
            ("a.b", "a_b"),
            ("../x", "___x"),
            ("a_b", "a_b"),
            ("café", "caf_"),
            ("日本語", "___"),
            ("\u{1F980}\n\0", "___"),
        ] {
            assert_eq!(readable(component), expected, "{component:?}");
            assert!(is_readable(&readable(component)));
        }
    }

    #[test]
    fn cut_at_32_characters_not_bytes() {
        assert_eq!(readable(&"é".repeat(40)), "_".repeat(32));
        assert_eq!(readable(&"a".repeat(33)), "a".repeat(32));
    }

    #[test]
    fn refuses_what_no_component_renders_to() {
        for text in ["", ".", "a.b", "a/b", "a b", "é", "a\0"] {
            assert!(!is_readable(text), "{text:?}");
        }
    }
}
