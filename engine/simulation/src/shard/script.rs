//! A script: settings and steps, and its text.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use ondisk::felix::feature;
use ondisk_engine::disk::simulated::Fault;
use ondisk_engine::felix::log::{Config, FsyncMode, ReadMode, Retention};

use super::Op;

/// What is done to one log, from an empty directory on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// What it is called in reports.
    pub name: String,
    /// How the log is opened.
    pub settings: Settings,
    /// What the disk does wrong on the way.
    pub fault: Option<Fault>,
    /// The steps.
    pub ops: Vec<Op>,
}

/// How the log of a script is opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// When an append is acknowledged.
    pub fsync: FsyncMode,
    /// Bytes at which a segment is full.
    pub segment: u64,
    /// Fill at which the next one is prepared, in percent.
    pub threshold: u32,
    /// Bytes that retention keeps; 0 keeps all.
    pub keep: u64,
    /// Seconds that retention keeps; 0 keeps all.
    pub age: u64,
    /// Blocks are reserved ahead of the records.
    pub preallocate: bool,
    /// Segments are mapped.
    pub mapped: bool,
    /// A damaged last record that is complete may be cut.
    pub repair: bool,
}

/// Time between two flushes of a log that flushes now and then.
pub const INTERVAL: Duration = Duration::from_millis(250);

impl Default for Settings {
    fn default() -> Self {
        Self {
            fsync: FsyncMode::OnCommit,
            segment: 2048,
            threshold: 100,
            keep: 0,
            age: 0,
            preallocate: true,
            mapped: false,
            repair: false,
        }
    }
}

impl Settings {
    /// The configuration of the log.
    #[must_use]
    pub fn config(&self) -> Config {
        let config = Config {
            fsync: self.fsync,
            segment_size_bytes: self.segment,
            index_spacing_bytes: 256,
            rollover_threshold_percent: self.threshold,
            preallocate: self.preallocate,
            repair_checksum_tail: self.repair,
            retention: Retention {
                bytes: (self.keep > 0).then_some(self.keep),
                age: (self.age > 0).then(|| Duration::from_secs(self.age)),
                ..Retention::default()
            },
            read_mode: match self.mapped {
                true => ReadMode::Mapped,
                false => ReadMode::Pread,
            },
            ..Config::default()
        };
        let generation_start = feature::GENERATION_START;
        config.with_feature(generation_start.name, generation_start.level)
    }
}

fn mode_name(fsync: FsyncMode) -> &'static str {
    match fsync {
        FsyncMode::None => "none",
        FsyncMode::Periodic { .. } => "periodic",
        FsyncMode::OnCommit => "on-commit",
    }
}

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let settings = &self.settings;
        writeln!(f, "name = {}", self.name)?;
        writeln!(f, "fsync = {}", mode_name(settings.fsync))?;
        writeln!(f, "segment = {}", settings.segment)?;
        writeln!(f, "threshold = {}", settings.threshold)?;
        writeln!(f, "keep = {}", settings.keep)?;
        writeln!(f, "age = {}", settings.age)?;
        writeln!(f, "preallocate = {}", settings.preallocate)?;
        writeln!(f, "mapped = {}", settings.mapped)?;
        writeln!(f, "repair = {}", settings.repair)?;
        match self.fault {
            Some(Fault::Fails {
                at,
                errno,
                for_good,
            }) => writeln!(
                f,
                "fault = {errno} {at} {}",
                if for_good { "for-good" } else { "once" }
            )?,
            Some(Fault::Short { at }) => writeln!(f, "fault = short {at}")?,
            Some(Fault::PowerCut { at }) => writeln!(f, "fault = cut {at}")?,
            None => {}
        }
        writeln!(f)?;
        self.ops.iter().try_for_each(|op| writeln!(f, "{op}"))
    }
}

/// Settings that are not named keep their default; what follows a `#` is a remark.
impl FromStr for Script {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut named = BTreeMap::new();
        let mut ops = Vec::new();
        for line in text.lines() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            match line.split_once('=') {
                Some((key, value)) => {
                    named.insert(key.trim(), value.trim());
                }
                None => ops.push(line.parse()?),
            }
        }
        let mut settings = Settings::default();
        let mut script = Self {
            name: String::from("unnamed"),
            settings: settings.clone(),
            fault: None,
            ops,
        };
        for (key, value) in named {
            let number = || value.parse().map_err(|_| format!("{key}: not a number"));
            let flag = || value.parse().map_err(|_| format!("{key}: true or false"));
            match key {
                "name" => value.clone_into(&mut script.name),
                "fsync" => settings.fsync = mode(value)?,
                "segment" => settings.segment = number()?,
                "threshold" => {
                    settings.threshold = value
                        .parse()
                        .map_err(|_| String::from("threshold: not a number"))?;
                }
                "keep" => settings.keep = number()?,
                "age" => settings.age = number()?,
                "preallocate" => settings.preallocate = flag()?,
                "mapped" => settings.mapped = flag()?,
                "repair" => settings.repair = flag()?,
                "fault" => script.fault = Some(fault(value)?),
                _ => return Err(format!("{key}: not a setting")),
            }
        }
        script.settings = settings;
        Ok(script)
    }
}

fn mode(name: &str) -> Result<FsyncMode, String> {
    let modes = [
        FsyncMode::None,
        FsyncMode::OnCommit,
        FsyncMode::Periodic { interval: INTERVAL },
    ];
    let found = modes.into_iter().find(|&mode| mode_name(mode) == name);
    found.ok_or_else(|| format!("fsync: {name} is none of none, periodic and on-commit"))
}

fn fault(value: &str) -> Result<Fault, String> {
    let words: Vec<&str> = value.split_whitespace().collect();
    let number = |word: &str| word.parse().map_err(|_| format!("fault: {word}?"));
    match words[..] {
        ["short", at] => Ok(Fault::Short { at: number(at)? }),
        ["cut", at] => Ok(Fault::PowerCut { at: number(at)? }),
        [errno, at, often] => Ok(Fault::Fails {
            at: number(at)?,
            errno: errno
                .parse()
                .map_err(|_| format!("fault: {errno} is no error number"))?,
            for_good: often == "for-good",
        }),
        _ => Err(String::from(
            "fault: ERRNO AT once|for-good, short AT or cut AT",
        )),
    }
}
