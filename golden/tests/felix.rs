//! The golden tests of the Felix kinds.

use std::path::Path;

use ondisk_golden::Places;

fn places() -> Places {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    Places {
        vectors: root.join("vectors/felix.txt"),
        snapshots: root.join("snapshots"),
        bytes: root.join("bytes"),
        lock: root.join("layout.lock"),
        pages: root.join("../docs/spec/felix"),
        sources: root.join("../format/src/felix"),
        fuzz_targets: Some(root.join("../fuzz/fuzz_targets")),
        seeds: Some(root.join("../fuzz/seeds")),
    }
}

ondisk_golden::harness!(ondisk::felix::KINDS, places());
