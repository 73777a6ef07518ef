//! The golden tests as another crate uses them, on kinds that say the rest of the language.

use std::path::Path;

use ondisk_golden::Places;

#[path = "language/kinds.rs"]
mod kinds;

fn places() -> Places {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    Places {
        sources: root.join("tests/language"),
        ..Places::under(root, "tests/language")
    }
}

ondisk_golden::harness!(kinds::KINDS, places());
