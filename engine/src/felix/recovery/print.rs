//! The plan in words.

use std::fmt;

use super::report::{Cut, Removed, UnfinishedRoll};
use super::{Plan, Provable, Report, Settings, Step};

impl fmt::Display for Plan {
    /// All of it, a line each: what it was made on, what was found, what is to be done, what is left.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "shard {}", self.label)?;
        self.print(f)
    }
}

impl Plan {
    /// All but the name of the shard.
    pub(super) fn print(&self, f: &mut dyn fmt::Write) -> fmt::Result {
        writeln!(f, "settings: {}", self.settings)?;
        match self.mark.0 {
            Some(mark) => writeln!(
                f,
                "mark: segment {}, {} bytes",
                mark.segment, mark.synced_bytes
            )?,
            None => writeln!(f, "mark: none")?,
        }
        for (file, bytes) in &self.listed {
            writeln!(f, "file: {file}, {bytes} bytes")?;
        }
        for foreign in &self.foreign {
            writeln!(f, "foreign: {:?}", foreign.name)?;
        }
        for report in &self.reports {
            writeln!(f, "found: {report}")?;
        }
        if let Some(refusal) = &self.refusal {
            writeln!(f, "refused: {refusal}")?;
        }
        for step in &self.steps {
            writeln!(f, "step: {step}")?;
        }
        if let Some(log) = &self.log {
            for segment in &log.segments {
                let (id, version, bytes) = (segment.id, segment.version, segment.valid_bytes);
                let (base, next) = (segment.base_offset, segment.next_offset);
                writeln!(
                    f,
                    "left: segment {id}, version {version}, offsets {base} to {next}, {bytes} bytes"
                )?;
            }
            writeln!(f, "log: offsets {} to {}", log.base, log.tail)?;
        }
        Ok(())
    }
}

impl fmt::Display for Settings {
    /// The settings that differ from the defaults, and those that have to be known to make sense of a plan.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "index_spacing_bytes {}, open_at {}",
            self.index_spacing_bytes, self.open_at
        )?;
        let default = Provable::ALL;
        for (name, on, default) in [
            ("repair_checksum_tail", self.repair_checksum_tail, false),
            ("verify_all_on_open", self.verify_all_on_open, false),
            (
                "provable.past_durable_mark",
                self.provable.past_durable_mark,
                default.past_durable_mark,
            ),
            (
                "provable.zero_tail",
                self.provable.zero_tail,
                default.zero_tail,
            ),
            (
                "provable.unfinished_roll",
                self.provable.unfinished_roll,
                default.unfinished_roll,
            ),
            (
                "provable.blank_segments",
                self.provable.blank_segments,
                default.blank_segments,
            ),
            (
                "provable.offloaded_gap",
                self.provable.offloaded_gap,
                default.offloaded_gap,
            ),
            (
                "provable.zero_tail_without_mark",
                self.provable.zero_tail_without_mark,
                false,
            ),
        ] {
            if on != default {
                write!(f, ", {name} {}", if on { "on" } else { "off" })?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in segment {}", self.name(), self.segment())?;
        match self {
            Self::Cut(Cut {
                position,
                bytes,
                cause,
                below_durable_mark,
                ..
            }) => {
                write!(
                    f,
                    ", cut at byte {position}, {bytes} bytes dropped: {cause}"
                )?;
                below(f, *below_durable_mark)?;
            }
            Self::Removed(Removed { bytes, .. }) => write!(f, ", file of {bytes} bytes removed")?,
            Self::UnfinishedRoll(UnfinishedRoll {
                position,
                bytes,
                cause,
                below_durable_mark,
                deleted,
                ..
            }) => {
                write!(f, ", cut at byte {position}, {bytes} bytes dropped")?;
                if let Some(cause) = cause {
                    write!(f, ": {cause}")?;
                }
                below(f, *below_durable_mark)?;
                if let Some(deleted) = deleted {
                    write!(f, "; segment {deleted} behind it removed")?;
                }
            }
            Self::IndexRebuilt { reason, .. } => write!(f, ": {}", reason.name())?,
            Self::ShortOfMark {
                position, bytes, ..
            } => {
                write!(
                    f,
                    ", ends at byte {position}, {bytes} flushed bytes are missing"
                )?;
            }
            Self::InterruptedReset { .. } => f.write_str(", renamed from its temporary name")?,
        }
        for saved in self.saved() {
            write!(f, "; kept as {saved}")?;
        }
        Ok(())
    }
}

fn below(f: &mut fmt::Formatter<'_>, below_durable_mark: bool) -> fmt::Result {
    match below_durable_mark {
        true => f.write_str("; below the durable mark, acknowledged records may be lost"),
        false => Ok(()),
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Save {
                segment,
                from,
                bytes,
                to,
            } => {
                write!(
                    f,
                    "copy {bytes} bytes of segment {segment} from byte {from} on to {to}, sync both names"
                )
            }
            Self::Cut { segment, position } => {
                write!(f, "cut segment {segment} to {position} bytes, sync it")
            }
            Self::Unlink { file } => write!(f, "unlink {file}"),
            Self::Rename { from, to } => write!(f, "rename {from} to {to}"),
            Self::RemoveMark => f.write_str("unlink durable.mark"),
            Self::SyncDirectory => f.write_str("sync the directory"),
            Self::WriteIndex { segment } => write!(f, "write the index of segment {segment} anew"),
            Self::Create {
                segment,
                base_offset,
            } => {
                write!(
                    f,
                    "create segment {segment} at offset {base_offset}, sync it and the directory"
                )
            }
        }
    }
}
