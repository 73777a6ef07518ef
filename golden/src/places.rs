//! Where a crate keeps what its golden tests read and write.

use std::path::{Path, PathBuf};

/// The files and directories of a crate's golden tests.
#[derive(Clone, Debug)]
pub struct Places {
    /// The text of vectors.
    pub vectors: PathBuf,
    /// Snapshots of dumps and tables.
    pub snapshots: PathBuf,
    /// The bytes of every vector.
    pub bytes: PathBuf,
    /// The layout lock.
    pub lock: PathBuf,
    /// The specification pages.
    pub pages: PathBuf,
    /// The sources of the definitions.
    pub sources: PathBuf,
    /// The fuzz targets, a file a kind in snake case; none if there are none.
    pub fuzz_targets: Option<PathBuf>,
    /// The seeds of the fuzz targets, a directory a target; none if there are none.
    pub seeds: Option<PathBuf>,
}

impl Places {
    /// Everything in `directory` of the crate at `root`, its sources in `src`, its fuzz targets, if there are any, in
    /// `fuzz/fuzz_targets`.
    #[must_use]
    pub fn under(root: impl AsRef<Path>, directory: &str) -> Self {
        let (root, golden) = (root.as_ref(), root.as_ref().join(directory));
        let (fuzz_targets, seeds) = (root.join("fuzz/fuzz_targets"), root.join("fuzz/seeds"));
        Self {
            vectors: golden.join("vectors.txt"),
            snapshots: golden.join("snapshots"),
            bytes: golden.join("bytes"),
            lock: golden.join("layout.lock"),
            pages: golden.join("spec"),
            sources: root.join("src"),
            seeds: fuzz_targets.is_dir().then_some(seeds),
            fuzz_targets: fuzz_targets.is_dir().then_some(fuzz_targets),
        }
    }
}
