//! Copies of a disk that is being written: what a power cut would leave, with a real file system in between.
//!
//! The writer is stopped, and the file behind the loop device is copied as it is; nothing is synced for it. A copy takes
//! time, and the kernel may write meanwhile on its own account. Such a copy would mix two moments, which no power cut does.
//! So the device's counters are compared: if nothing was in flight before and after, and nothing was written in between, the
//! copy is one moment. Otherwise it is made again.
//!
//! What a copy holds is all that the device was given, flushed or not: the mildest of power cuts. That a device may lose
//! more, what it was given and not told to flush, only a simulated disk shows.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use ondisk_engine::felix::log::Log;

use super::ground::{FileSystem, Ground, Mount, run};
use super::look::Look;
use super::opened::compare;
use super::oracle::{Known, Lost};
use super::process::Process;
use super::said::Line;
use super::settings::{Mode, Settings};
use super::tally::Tally;
use super::writer::WriterArguments;
use crate::random::Random;

/// Copies of disks that writers are at work on.
#[derive(Clone, Debug)]
pub struct Images {
    /// The program that is started as a writer.
    pub program: PathBuf,
    /// Where the disks are made.
    pub ground: PathBuf,
    /// What all choices come from.
    pub seed: u64,
}

/// Copies of one disk.
const OF_A_DISK: u64 = 6;

/// Copies that are made before a device counts as never quiet.
const ATTEMPTS: u64 = 100;

impl Images {
    /// Makes so many copies, and holds each against what its writer had said.
    ///
    /// # Errors
    /// What was lost, or should not be there; with the seed.
    pub fn run(
        &self,
        images: u64,
        tally: &mut Tally,
        progress: &mut dyn FnMut(&Tally),
    ) -> Result<(), String> {
        let end = tally.images + images;
        let mut modes = Mode::ALL.iter().cycle();
        for number in 0.. {
            let (true, Some(&mode)) = (tally.images < end, modes.next()) else {
                break;
            };
            let mut random = Random::part(self.seed, number);
            self.disk(mode, &mut random, tally, end, progress)
                .map_err(|why| format!("images, seed {}, disk {number}: {why}", self.seed))?;
        }
        Ok(())
    }

    fn disk(
        &self,
        mode: Mode,
        random: &mut Random,
        tally: &mut Tally,
        end: u64,
        progress: &mut dyn FnMut(&Tally),
    ) -> Result<(), String> {
        let ground = Ground::new(FileSystem::Ext4, &self.ground)?;
        let writer = WriterArguments {
            directory: ground.path().join("log"),
            mode,
            settings: random.next(),
            script: random.next(),
            round: 1,
            store: false,
        };
        let settings = Settings::of(mode, writer.settings);
        let mut written = Written {
            process: Process::start(&self.program, &writer).map_err(|error| error.to_string())?,
            known: Known::new(&settings),
            device: Device::of(ground.path())?,
            ground,
            settings,
        };
        for _ in 0..OF_A_DISK {
            if tally.images >= end {
                break;
            }
            written.go_on_for(random.any_length(9))?;
            if random.one_in(2) {
                written.commit_the_journal()?;
            }
            tally.images_again += written.copy()?;
            tally.checked += written.check()?;
            tally.images += 1;
            progress(tally);
        }
        Ok(())
    }
}

/// A disk, and who writes it. The process goes before what it writes on.
struct Written {
    process: Process,
    known: Known,
    device: Device,
    settings: Settings,
    ground: Ground,
}

impl Written {
    /// Lets the writer say so many lines more.
    fn go_on_for(&mut self, lines: u64) -> Result<(), String> {
        for _ in 0..lines {
            let line = self.process.line()?.ok_or("the writer ended")?;
            self.hear(&line)?;
        }
        Ok(())
    }

    fn hear(&mut self, line: &Line) -> Result<(), String> {
        match line {
            Line::Shard(_, said) => self.known.hear(said),
            other => Err(other.to_string()),
        }
    }

    /// Syncs a file of somebody else. The journal is one for all, so names and lengths of the log's files go with it,
    /// whatever the log has synced; the kernel does the same every few seconds.
    fn commit_the_journal(&self) -> Result<(), String> {
        let stray = self.ground.path().join("stray");
        File::create(stray)
            .and_then(|mut file| file.write_all(b"x").and_then(|()| file.sync_all()))
            .map_err(|error| error.to_string())
    }

    /// Copies the disk while the writer stands still. What it had said by then is heard. Returns how often the copy had to be
    /// made again.
    fn copy(&mut self) -> Result<u64, String> {
        self.process.stop().map_err(|error| error.to_string())?;
        while let Some(line) = self.process.line_said()? {
            self.hear(&line)?;
        }
        let (from, to) = (self.ground.image(), self.copied());
        // Another file, whatever still has the one before.
        let _first_time = fs::remove_file(&to);
        for again in 0..ATTEMPTS {
            let before = self.device.written()?;
            run(Command::new("cp")
                .args(["--sparse=always", "--reflink=never"])
                .args([&from, &to]))?;
            if before.is_some() && before == self.device.written()? {
                self.process.go_on().map_err(|error| error.to_string())?;
                return Ok(again);
            }
        }
        Err("the device is never quiet".to_owned())
    }

    fn copied(&self) -> PathBuf {
        self.ground.memory().join("copy.image")
    }

    /// Mounts the copy, looks at the log in it, opens it, and holds both against what was said. Returns how many records
    /// were there for which an append had returned.
    fn check(&self) -> Result<u64, String> {
        let at = self.ground.memory().join("copy");
        let _mount = Mount::of_image(&self.copied(), &at)?;
        let path = at.join("log");
        let Some(look) = Look::at(&path)? else {
            return self.known.hold(None, Lost::Unsynced).map(|held| held.known);
        };
        let held = self.known.hold(Some(&look), Lost::Unsynced)?;
        let opened = Log::open(&path, self.settings.checking());
        let log = opened.map_err(|error| format!("open: {error}"))?;
        compare(&log, &look)?;
        log.close().map_err(|error| format!("close: {error}"))?;
        Ok(held.known)
    }
}

/// A loop device.
struct Device {
    counters: PathBuf,
}

impl Device {
    /// The one that is mounted at `path`.
    fn of(path: &Path) -> Result<Self, String> {
        let device = Mount::device(path)?;
        Ok(Self {
            counters: ["/sys/block", &device, "stat"].iter().collect(),
        })
    }

    /// How much was written, discarded and flushed so far; none while something is in flight.
    fn written(&self) -> Result<Option<Vec<u64>>, String> {
        let text = fs::read_to_string(&self.counters).map_err(|error| error.to_string())?;
        let fields: Option<Vec<u64>> = text
            .split_whitespace()
            .map(|word| word.parse().ok())
            .collect();
        let fields = fields.filter(|fields| fields.len() >= 16);
        let fields = fields.ok_or("a device whose counters are not known")?;
        // By the kernel's Documentation/block/stat.rst: writes and their sectors, discards and theirs, flushes; what is in
        // flight.
        let changes = [4, 6, 11, 13, 15].map(|field| fields[field]);
        Ok((fields[8] == 0).then(|| changes.to_vec()))
    }
}
