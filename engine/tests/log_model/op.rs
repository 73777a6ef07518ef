//! What is done to a log, at random.

use std::fmt;
use std::time::Duration;

use ondisk::felix::feature;
use ondisk_engine::felix::log::{Config, FsyncMode, ReadMode, Retention};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

/// A place relative to the log as it is by then.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    /// So many thousandths of the way from base to tail, and so many records from there.
    Within(u64, i64),
    At(u64),
}

impl Place {
    pub fn offset(self, base: u64, tail: u64) -> u64 {
        match self {
            Self::Within(thousandths, more) => {
                let there = base
                    + u64::try_from(u128::from(tail - base) * u128::from(thousandths) / 1000)
                        .expect("at most the length of the log");
                there.saturating_add_signed(more)
            }
            Self::At(offset) => offset,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub enum MarkOf {
    Ordinary,
    /// Producer, how far the sequence is from the one that comes next, length.
    Opens(u64, i64, u32),
    Continues,
    GenerationStart,
}

#[derive(Clone, Copy, Debug)]
pub struct EntryOf {
    pub mark: MarkOf,
    pub bytes: usize,
    pub timestamp: Option<u64>,
}

#[derive(Clone, Debug)]
pub enum Batch {
    Any(Vec<EntryOf>),
    /// A producer, how far the sequence is from the next one, its length, and how many records come.
    Producer(u64, i64, u32, u32),
    /// What is missing of the batch that is open, up to so many records.
    Rest(u32),
}

#[derive(Clone, Debug)]
pub enum Op {
    /// A batch, and where it wants the log to end, relative to where it does.
    Append(Batch, Option<i64>),
    GenerationStart(u64),
    Wait,
    Sync,
    Roll,
    RunReady,
    RunOne,
    Truncate(Place),
    Reset(Place),
    Restore(Place),
    Retain,
    Hold(bool),
    Advance(u64),
    Jump(u64),
    Back(u64),
    RecordEpoch(u64, Place),
    LabelEpochs(Place, Vec<(u64, Place)>),
    Accept(u64, Option<&'static str>),
    GiveUp,
    Commit(Place),
    Reopen(bool, Option<ConfigOf>),
}

fn place() -> impl Strategy<Value = Place> {
    prop_oneof![
        8 => (0..=1000_u64, -2..=2_i64).prop_map(|(part, more)| Place::Within(part, more)),
        1 => (0..200_u64).prop_map(Place::At),
    ]
}

/// Where a log may begin anew; rarely so high that it soon ends for good.
fn anywhere() -> impl Strategy<Value = Place> {
    prop_oneof![
        9 => place(),
        1 => (0..4_u64).prop_map(|below| Place::At(u64::MAX - below)),
    ]
}

fn mark() -> impl Strategy<Value = MarkOf> {
    prop_oneof![
        6 => Just(MarkOf::Ordinary),
        3 => (0..3_u64, -2..=2_i64, 0..4_u32).prop_map(|(id, step, len)| MarkOf::Opens(id, step, len)),
        3 => Just(MarkOf::Continues),
        1 => Just(MarkOf::GenerationStart),
    ]
}

fn entry() -> impl Strategy<Value = EntryOf> {
    let bytes =
        prop_oneof![6 => 0..60_usize, 2 => 0..300_usize, 1 => Just(8_usize), 1 => 900..1500_usize];
    let timestamp = option::weighted(0.3, 0..3_000_000_u64);
    (mark(), bytes, timestamp).prop_map(|(mark, bytes, timestamp)| EntryOf {
        mark,
        bytes,
        timestamp,
    })
}

fn batch() -> impl Strategy<Value = Batch> {
    let step = prop_oneof![6 => Just(0_i64), 1 => -3..=3_i64];
    prop_oneof![
        5 => vec(entry(), 0..6).prop_map(Batch::Any),
        4 => (0..3_u64, step, 1..6_u32, 1..7_u32)
            .prop_map(|(id, step, len, held)| Batch::Producer(id, step, len, held)),
        3 => (1..5_u32).prop_map(Batch::Rest),
    ]
}

/// A configuration, short to print.
#[derive(Clone, Copy, Debug)]
pub struct ConfigOf {
    pub size: u64,
    pub spacing: u64,
    pub fsync: FsyncMode,
    pub threshold: u32,
    pub overshoot: u32,
    pub bytes: Option<u64>,
    pub age: Option<u64>,
    pub mapped: bool,
    pub verify: bool,
    pub preallocate: bool,
    pub level: u16,
}

impl ConfigOf {
    pub fn config(self) -> Config {
        let config = Config {
            segment_size_bytes: self.size,
            index_spacing_bytes: self.spacing,
            fsync: self.fsync,
            rollover_threshold_percent: self.threshold,
            max_overshoot_percent: self.overshoot,
            retention: Retention {
                bytes: self.bytes,
                age: self.age.map(Duration::from_secs),
                ..Retention::default()
            },
            read_mode: match self.mapped {
                true => ReadMode::Mapped,
                false => ReadMode::Pread,
            },
            verify_all_on_open: self.verify,
            preallocate: self.preallocate,
            ..Config::default()
        };
        config.with_feature(feature::GENERATION_START.name, self.level)
    }
}

pub fn config() -> impl Strategy<Value = ConfigOf> {
    let sizes = prop::sample::select(vec![60_u64, 61, 99, 150, 200, 333, 1000, 4096]);
    let spacings = prop::sample::select(vec![1_u64, 60, 100, 4096]);
    let interval = Duration::from_millis(250);
    let fsync = prop_oneof![
        Just(FsyncMode::OnCommit),
        Just(FsyncMode::None),
        Just(FsyncMode::Periodic { interval }),
    ];
    let threshold = prop_oneof![3 => Just(100_u32), 2 => prop::sample::select(vec![1_u32, 50, 80])];
    let overshoot = prop::sample::select(vec![0_u32, 50, 100]);
    let bytes = option::weighted(0.3, prop::sample::select(vec![1_u64, 300, 1000]));
    let age = option::weighted(0.3, prop::sample::select(vec![1_u64, 10, 100]));
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), 0..=1_u16);
    let roll = (sizes, threshold, overshoot);
    (roll, spacings, fsync, bytes, age, flags).prop_map(
        |((size, threshold, overshoot), spacing, fsync, bytes, age, flags)| {
            let (mapped, verify, preallocate, level) = flags;
            ConfigOf {
                size,
                spacing,
                fsync,
                threshold,
                overshoot,
                bytes,
                age,
                mapped,
                verify,
                preallocate,
                level,
            }
        },
    )
}

/// Operations in their order, one a line.
#[derive(Clone)]
pub struct Ops(pub Vec<Op>);

impl fmt::Debug for Ops {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|op| write!(f, "\n    {op:?}"))
    }
}

pub fn ops() -> impl Strategy<Value = Ops> {
    vec(op(), 1..60).prop_map(Ops)
}

fn op() -> impl Strategy<Value = Op> {
    let leader = prop::sample::select(vec![None, Some(""), Some("a"), Some("b")]);
    let expected = option::weighted(0.2, prop_oneof![3 => Just(0_i64), 1 => -3..=3_i64]);
    prop_oneof![
        40 => (batch(), expected).prop_map(|(batch, expected)| Op::Append(batch, expected)),
        3 => (0..9_u64).prop_map(Op::GenerationStart),
        4 => Just(Op::Wait),
        3 => Just(Op::Sync),
        4 => Just(Op::Roll),
        6 => Just(Op::RunReady),
        2 => Just(Op::RunOne),
        5 => place().prop_map(Op::Truncate),
        2 => anywhere().prop_map(Op::Reset),
        2 => place().prop_map(Op::Restore),
        4 => Just(Op::Retain),
        2 => any::<bool>().prop_map(Op::Hold),
        3 => (0..200_u64).prop_map(Op::Advance),
        1 => (0..500_u64).prop_map(Op::Jump),
        1 => (0..500_u64).prop_map(Op::Back),
        2 => (0..8_u64, place()).prop_map(|(generation, at)| Op::RecordEpoch(generation, at)),
        1 => (place(), vec((0..8_u64, place()), 0..4))
            .prop_map(|(from, list)| Op::LabelEpochs(from, list)),
        3 => (0..6_u64, leader).prop_map(|(generation, leader)| Op::Accept(generation, leader)),
        1 => Just(Op::GiveUp),
        2 => place().prop_map(Op::Commit),
        6 => (any::<bool>(), option::of(config()))
            .prop_map(|(clean, config)| Op::Reopen(clean, config)),
    ]
}
