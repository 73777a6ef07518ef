//! Short scripts that together do everything that changes a log.

use std::time::Duration;

use ondisk_engine::felix::log::{Config, FsyncMode, Retention};

/// A step of a script.
#[derive(Clone, Debug)]
pub enum Op {
    /// A batch, waited for.
    Append {
        records: usize,
        bytes: usize,
    },
    Sync,
    Roll,
    /// Whatever is ready in the background.
    Background,
    Truncate(u64),
    Restore(u64),
    Reset(u64),
    Retain,
    Epoch(u64),
    Accept(u64, &'static str),
    GiveUp,
    Commit(u64),
    Reopen,
}

pub struct Script {
    pub name: &'static str,
    pub fsync: FsyncMode,
    pub threshold: u32,
    pub ops: Vec<Op>,
}

impl Script {
    pub fn config(&self) -> Config {
        Config {
            fsync: self.fsync,
            segment_size_bytes: 2048,
            index_spacing_bytes: 256,
            rollover_threshold_percent: self.threshold,
            retention: Retention {
                bytes: Some(4096),
                ..Retention::default()
            },
            ..Config::default()
        }
    }
}

const PERIODIC: FsyncMode = FsyncMode::Periodic {
    interval: Duration::from_millis(250),
};

fn append(records: usize, bytes: usize) -> Op {
    Op::Append { records, bytes }
}

pub fn all() -> Vec<Script> {
    let script = |name, fsync, threshold, ops| Script {
        name,
        fsync,
        threshold,
        ops,
    };
    vec![
        script(
            "durable appends over rolls",
            FsyncMode::OnCommit,
            100,
            vec![
                append(1, 10),
                append(3, 300),
                append(2, 700),
                append(1, 5000),
                append(1, 0),
                Op::Reopen,
                append(2, 1200),
            ],
        ),
        script(
            "cached appends, synced now and then",
            PERIODIC,
            100,
            vec![
                append(2, 300),
                append(1, 600),
                Op::Sync,
                append(3, 500),
                append(1, 900),
                append(1, 100),
                Op::Sync,
                append(1, 400),
            ],
        ),
        script(
            "cached appends and seals",
            FsyncMode::None,
            100,
            vec![
                append(3, 500),
                append(2, 500),
                Op::Roll,
                append(1, 20),
                append(4, 500),
            ],
        ),
        script(
            "background rolls",
            FsyncMode::OnCommit,
            50,
            vec![
                append(2, 600),
                Op::Background,
                append(1, 300),
                append(3, 400),
                Op::Background,
                append(1, 10),
                Op::Reopen,
                append(1, 10),
            ],
        ),
        script(
            "background rolls of cached appends",
            PERIODIC,
            50,
            vec![
                append(2, 600),
                Op::Background,
                append(2, 600),
                Op::Sync,
                append(2, 600),
                Op::Background,
                append(1, 300),
            ],
        ),
        script(
            "truncations",
            FsyncMode::OnCommit,
            100,
            vec![
                append(3, 500),
                append(3, 500),
                append(3, 500),
                Op::Truncate(7),
                append(2, 300),
                Op::Truncate(2),
                append(1, 300),
                Op::Truncate(0),
                append(2, 100),
            ],
        ),
        script(
            "resets",
            FsyncMode::OnCommit,
            100,
            vec![
                append(3, 900),
                Op::Epoch(1),
                append(2, 900),
                Op::Reset(40),
                append(2, 900),
                append(2, 900),
                Op::Reset(41),
                append(1, 10),
                Op::Reset(3),
                append(1, 10),
            ],
        ),
        script(
            "retention",
            FsyncMode::OnCommit,
            100,
            vec![
                append(3, 600),
                append(3, 600),
                append(3, 600),
                append(3, 600),
                Op::Retain,
                append(3, 600),
                Op::Retain,
                append(1, 10),
            ],
        ),
        script(
            "generations",
            FsyncMode::OnCommit,
            100,
            vec![
                Op::Accept(1, "a"),
                Op::Epoch(1),
                append(2, 200),
                Op::Commit(2),
                Op::Accept(2, "b"),
                Op::Epoch(2),
                append(1, 200),
                Op::GiveUp,
                Op::Accept(5, "c"),
                append(1, 200),
            ],
        ),
        script(
            "a restore",
            FsyncMode::OnCommit,
            100,
            vec![
                append(4, 700),
                append(2, 700),
                Op::Commit(6),
                Op::Restore(3),
                append(1, 50),
            ],
        ),
    ]
}
