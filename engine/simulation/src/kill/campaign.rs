//! Rounds: a writer is started, killed, and what it left is held against what it said.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::aim::Aim;
use super::doing::Doing;
use super::ground::run;
use super::process::Process;
use super::said::Line;
use super::settings::{Mode, Settings};
use super::subject::Subject;
use super::tally::Tally;
use super::writer::WriterArguments;
use crate::random::Random;

/// Rounds in directories below one place.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// The program that is started as a writer.
    pub program: PathBuf,
    /// Where the directories are made.
    pub ground: PathBuf,
    /// What all choices come from.
    pub seed: u64,
    /// Whether a whole data directory is written.
    pub store: bool,
    /// What is done to a directory after each kill, ahead of the check: a campaign must notice when something is lost.
    pub spoil: Option<fn(&Path)>,
    /// Where a directory is copied to in which something is wrong.
    pub keep: Option<PathBuf>,
}

/// Rounds that a directory sees at most.
const ROUNDS: u64 = 16;

/// Lines that are repeated when something is wrong.
const LAST_LINES: usize = 40;

impl Campaign {
    /// Kills so many writers. `progress` is called after each.
    ///
    /// # Errors
    /// What was lost, or should not be there; with the seed, and where the directory is kept.
    pub fn run(
        &self,
        rounds: u64,
        tally: &mut Tally,
        progress: &mut dyn FnMut(&Tally),
    ) -> Result<(), String> {
        let end = tally.rounds + rounds;
        for number in 0.. {
            if tally.rounds >= end {
                break;
            }
            tally.directories += 1;
            self.directory(number, end, tally, progress)?;
        }
        Ok(())
    }

    /// Rounds in one directory, with settings of its own.
    fn directory(
        &self,
        number: u64,
        end: u64,
        tally: &mut Tally,
        progress: &mut dyn FnMut(&Tally),
    ) -> Result<(), String> {
        let mut random = Random::part(self.seed, number);
        let place = tempfile::Builder::new()
            .prefix("ondisk-kill-")
            .tempdir_in(&self.ground);
        let place = place.map_err(|error| format!("{}: {error}", self.ground.display()))?;
        let modes = Mode::ALL.iter().cycle();
        let skipped = usize::try_from(number % 3).unwrap_or_default();
        let mode = modes.copied().nth(skipped).unwrap_or(Mode::OnCommit);
        let mut writer = WriterArguments {
            directory: place.path().join("it"),
            mode,
            settings: random.next(),
            script: 0,
            round: 0,
            store: self.store,
        };
        let settings = Settings::of(mode, writer.settings);
        let mut subject = Subject::new(self.store, &settings);
        for round in 1..=random.from(4, ROUNDS) {
            if tally.rounds >= end {
                break;
            }
            writer.round = round;
            writer.script = random.next();
            let mut last_lines = VecDeque::new();
            let mut one = Round {
                campaign: self,
                writer: &writer,
                settings: &settings,
                subject: &mut subject,
                last_lines: &mut last_lines,
            };
            if let Err(why) = one.run(&mut random, tally) {
                let lines: Vec<String> = last_lines.iter().map(Line::to_string).collect();
                return Err(format!(
                    "seed {}, directory {number} ({settings}), round {round}: {why}\nlast said:\n  {}\n{}",
                    self.seed,
                    lines.join("\n  "),
                    self.kept(&writer.directory),
                ));
            }
            progress(tally);
        }
        Ok(())
    }

    /// Copies a directory to where it stays, and says where that is.
    fn kept(&self, directory: &Path) -> String {
        let Some(keep) = &self.keep else {
            return "not kept".to_owned();
        };
        let to = keep.join(format!("ondisk-kill-{}-{}", self.seed, std::process::id()));
        match run(Command::new("cp").arg("-r").args([directory, &to])) {
            Ok(_) => format!("kept: {}", to.display()),
            Err(why) => format!("not kept: {why}"),
        }
    }
}

/// One writer.
struct Round<'a> {
    campaign: &'a Campaign,
    writer: &'a WriterArguments,
    settings: &'a Settings,
    subject: &'a mut Subject,
    last_lines: &'a mut VecDeque<Line>,
}

impl Round<'_> {
    fn run(&mut self, random: &mut Random, tally: &mut Tally) -> Result<(), String> {
        let aim = Aim::any(random, self.writer.store);
        let at = self.write_and_kill(&aim)?;
        tally.killed(at);
        let path = &self.writer.directory;
        if let Some(spoil) = self.campaign.spoil {
            spoil(path);
        }
        let mut reports = Vec::new();
        let count = self.subject.hold(path, &mut reports)?;
        tally.held(count, &reports);
        // Otherwise the next writer opens it as it is, and may be killed while it does.
        if random.one_in(2) {
            self.subject.open_and_close(path, self.settings)?;
            tally.opened += 1;
        }
        Ok(())
    }

    /// Returns what the kill hit.
    fn write_and_kill(&mut self, aim: &Aim) -> Result<Doing, String> {
        let started = Process::start(&self.campaign.program, self.writer);
        let mut process = started.map_err(|error| format!("no writer: {error}"))?;
        let mut lines = 0;
        while !aim.is_reached(lines, self.last_lines.back()) {
            let line = process.line()?.ok_or("the writer ended by itself")?;
            self.hear(line)?;
            lines += 1;
        }
        aim.spin();
        let killed = process.kill().map_err(|error| error.to_string())?;
        while let Some(line) = process.line()? {
            self.hear(line)?;
            lines += 1;
        }
        match (killed, lines) {
            (false, _) => Err("the writer ended by itself".to_owned()),
            (true, 0) => Ok(Doing::Start),
            (true, _) => Ok(self.subject.doing()),
        }
    }

    fn hear(&mut self, line: Line) -> Result<(), String> {
        self.subject.hear(&line)?;
        if self.last_lines.len() == LAST_LINES {
            self.last_lines.pop_front();
        }
        self.last_lines.push_back(line);
        Ok(())
    }
}
