//! One case a diagnostic: what is written, and all that is said about it.

mod checks;
mod enums;
mod parsing;
mod plans;

use proc_macro2::{TokenStream, TokenTree};

use super::messages;

/// An item, and what is said about it.
type Case = (&'static str, &'static [&'static str]);

const ALL: [&[Case]; 5] = [
    parsing::CASES,
    checks::CASES,
    checks::LENGTHS,
    enums::CASES,
    plans::CASES,
];

#[test]
fn every_mistake_is_told() {
    for (item, expected) in ALL.iter().copied().flatten() {
        assert_eq!(messages(item), *expected, "\n{item}");
    }
}

#[test]
fn what_is_right_is_not_refused() {
    for item in [
        "#[format()] struct K { pub a: u8 }",
        "#[format()] struct K { #[cfg_attr(test, serde(default))] pub a: u8 }",
        "#[derive(Format)] struct K { pub a: core::primitive::u32, pub b: [u8; N] }",
        "#[format(whole)] struct K<'a> { pub rest: &'a [u8], #[format(len(rest))] len: u8 }",
        "#[derive(Format)] #[format(bits = 3)] enum E { A = 0 }",
    ] {
        assert_eq!(messages(item), [""; 0], "\n{item}");
    }
}

#[test]
fn all_mistakes_of_an_item_are_told_at_once() {
    let item = "#[format(reads = 2..=1, colour, gate(1))]
        struct K<T> {
            #[format(magic = b\"..\", wrong = 3)] pub magic: [u8; 4],
            #[format(max = 3)] name: usize,
            #[cfg(test)] #[format(len(nothing), when)] len: String,
        }";
    let found = messages(item);
    for part in [
        "the range of versions is empty; write `reads = 1..=2`",
        "unknown key `colour`; a kind takes ",
        "expected `=`; write `gate(2 = FEATURE)`",
        "a kind cannot be generic",
        "unknown key `wrong`; a row takes ",
        "`magic` is computed, so it is the writer's",
        "`magic` must be `[u8; 2]`",
        "`usize` has no layout here",
        "`max` is for integers",
        "nothing computes `name`",
        "a row cannot be conditional",
        "no row is called `nothing`",
        "expected `=`; write `when = condition`",
        "`len` must be an integer",
        "a row with `when` may be absent",
    ] {
        assert!(
            found.iter().any(|message| message.contains(part)),
            "{part} is not among {found:#?}"
        );
    }
    assert_eq!(found.len(), 15, "{found:#?}");
}

/// The strings of a source file that are messages: with a space in them, and not in an attribute.
fn strings(tokens: TokenStream, out: &mut Vec<String>) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(tree) = tokens.next() {
        match tree {
            TokenTree::Punct(punct) if punct.as_char() == '#' => {
                tokens.next_if(|next| matches!(next, TokenTree::Punct(_)));
                tokens.next_if(|next| matches!(next, TokenTree::Group(_)));
            }
            TokenTree::Group(group) => strings(group.stream(), out),
            TokenTree::Literal(literal) => {
                let text: Option<syn::LitStr> = syn::parse_str(&literal.to_string()).ok();
                out.extend(
                    text.map(|text| text.value())
                        .filter(|text| text.contains(' ')),
                );
            }
            TokenTree::Punct(_) | TokenTree::Ident(_) => {}
        }
    }
}

fn sources(path: &std::path::Path, out: &mut Vec<String>) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).unwrap() {
            sources(&entry.unwrap().path(), out);
        }
    } else {
        let text = std::fs::read_to_string(path).unwrap();
        strings(text.parse().unwrap(), out);
    }
}

/// A message that no case shows is one that nobody has read.
#[test]
fn every_message_in_the_sources_has_a_case() {
    let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    for folder in ["parse", "check", "plan", "plan.rs"] {
        sources(&source.join(folder), &mut found);
    }
    let said: Vec<_> = ALL
        .iter()
        .copied()
        .flatten()
        .flat_map(|(_, said)| *said)
        .collect();
    let missing: Vec<_> = found
        .iter()
        .filter(|text| {
            // What is put in varies; the longest piece between does not.
            let pieces = text.split(['{', '}']).step_by(2);
            let longest = pieces.max_by_key(|piece| piece.len()).unwrap_or_default();
            !said.iter().any(|message| message.contains(longest))
        })
        .collect();
    assert!(missing.is_empty(), "without a case: {missing:#?}");
}
