//! What a directory is opened with, by a seed.

use std::fmt;
use std::time::Duration;

use ondisk::felix::feature;
use ondisk_engine::felix::log::{Config, FsyncMode, ReadMode, Retention};

use crate::random::Random;

/// When an append is acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Mode {
    /// When a flush covers it.
    OnCommit,
    /// At once, and flushed every few milliseconds.
    Periodic,
    /// At once.
    None,
}

impl Mode {
    /// All three.
    pub const ALL: [Self; 3] = [Self::OnCommit, Self::Periodic, Self::None];

    /// Its name on a command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::OnCommit => "on-commit",
            Self::Periodic => "periodic",
            Self::None => "none",
        }
    }
}

/// Settings of a log, and how it is used.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Its configuration.
    pub config: Config,
    /// Whether retention also runs by itself, every few milliseconds.
    pub trims_by_timer: bool,
    /// Payloads have so many bits in their length at most.
    pub payload_bits: u64,
}

/// Segments together hold no more than this, so that a directory is read whole in milliseconds.
const MOST_BYTES: u64 = 1 << 20;

impl Settings {
    /// Those of `seed`: small segments, small limits, every kind of roll.
    #[must_use]
    pub fn of(mode: Mode, seed: u64) -> Self {
        let mut random = Random::part(seed, 0);
        let millis = |random: &mut Random| Duration::from_millis(random.any_length(5));
        let fsync = match mode {
            Mode::OnCommit => FsyncMode::OnCommit,
            Mode::Periodic => FsyncMode::Periodic {
                interval: millis(&mut random),
            },
            Mode::None => FsyncMode::None,
        };
        let segment_size_bytes = random.pick(&[300, 1000, 4096, 16_384, 65_536, 262_144]);
        let trims_by_timer = random.one_in(3);
        let retention = Retention {
            bytes: Some(MOST_BYTES.min(segment_size_bytes * random.from(4, 24))),
            age: None,
            interval: if trims_by_timer {
                millis(&mut random)
            } else {
                Duration::from_secs(3600)
            },
        };
        let config = Config {
            fsync,
            segment_size_bytes,
            index_spacing_bytes: random.pick(&[64, 512, 4096]),
            preallocate: random.one_in(2),
            rollover_threshold_percent: random.pick(&[100, 100, 30, 80]),
            max_overshoot_percent: random.pick(&[0, 50, 100]),
            verify_all_on_open: random.one_in(4),
            read_mode: random.pick(&[ReadMode::Mapped, ReadMode::Pread]),
            retention,
            ..Config::default()
        };
        let features = [
            feature::GENERATION_START,
            feature::STREAM_INCARNATIONS,
            feature::CACHE_INCARNATIONS,
        ];
        Self {
            config: features.iter().fold(config, |config, feature| {
                config.with_feature(feature.name, feature.level)
            }),
            trims_by_timer,
            payload_bits: random.pick(&[7, 10, 15]),
        }
    }

    /// The same for who looks at what is there: nothing is trimmed by itself.
    #[must_use]
    pub fn checking(&self) -> Config {
        let mut config = self.config.clone();
        config.retention.interval = Duration::from_secs(3600);
        config
    }
}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let config = &self.config;
        write!(
            f,
            "{:?}, segments of {}, rolls at {} % or {} % over, keeps {:?}{}",
            config.fsync,
            config.segment_size_bytes,
            config.rollover_threshold_percent,
            config.max_overshoot_percent,
            config.retention.bytes.unwrap_or_default(),
            if self.trims_by_timer { " by timer" } else { "" },
        )
    }
}
