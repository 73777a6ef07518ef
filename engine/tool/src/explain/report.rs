//! What a plan reports, in sentences.

use ondisk::felix::name::SegmentFile;
use ondisk_engine::felix::recovery::{
    Cut, IndexReason, Removal, Removed, Report, Rule, UnfinishedRoll,
};

use super::{Finding, cause, log, segment};
use crate::look::{Seen, Weight};
use crate::output::words;

/// A finding in sentences.
pub(crate) fn report(seen: &Seen<'_>, report: &Report, weight: Weight) -> Finding {
    let mut finding = Finding {
        name: report.name().to_owned(),
        subject: segment(report.segment()),
        sentences: Vec::new(),
        next: Vec::new(),
    };
    match report {
        Report::Cut(cut) => self::cut(seen, cut, weight, &mut finding),
        Report::Removed(removed) => self::removed(seen, removed, &mut finding),
        Report::UnfinishedRoll(roll) => unfinished_roll(seen, roll, &mut finding),
        Report::IndexRebuilt { segment, reason } => index(*segment, *reason, &mut finding),
        Report::ShortOfMark {
            segment,
            position,
            bytes,
        } => short_of_mark(seen, *segment, *position, *bytes, &mut finding),
        Report::InterruptedReset { segment } => interrupted_reset(*segment, &mut finding),
        other => finding.sentences.push(words::harmless(&other.to_string())),
    }
    match weight {
        Weight::Unflushed => {
            finding.sentences.push("Somebody writes here: this is what is not flushed yet, not damage.".to_owned());
        }
        Weight::Moving => finding.sentences.push(
            "The segment changed while it was looked at, so this may be no more than a moment of a writer's work.".to_owned(),
        ),
        Weight::Damage | Weight::MatterOfCourse => {}
    }
    finding
}

fn cut(seen: &Seen<'_>, cut: &Cut, weight: Weight, finding: &mut Finding) {
    let Cut {
        rule,
        segment,
        position,
        bytes,
        cause,
        below_durable_mark,
        saved,
    } = cut;
    finding.sentences.push(good_to(seen, *segment, *position));
    let end = position.saturating_add(*bytes);
    finding.sentences.push(format!(
        "Bytes {position}..{end} fail there with {}.",
        cause::short(cause)
    ));
    finding.sentences.push(match rule {
        Rule::TornTail if *bytes < ondisk_engine::felix::segment::RECORD_HEADER_BYTES => {
            "The file ends inside a record header: the write of that record was never finished, and nobody was told that it \
             exists."
                .to_owned()
        }
        Rule::TornTail => "The record's header verifies and the file ends before the record does: its write was never \
                           finished, and nobody was told that it exists."
            .to_owned(),
        Rule::PastDurableMark => format!(
            "{}, and the damage begins past that: nothing from there on was ever acknowledged as flushed. Whatever stands \
             behind it goes with it.",
            vouched(seen, *segment),
        ),
        Rule::ZeroTail => format!(
            "The file ends in zeros, as a power loss leaves a file that grew and whose data did not arrive. {}",
            match seen.opening.plan.as_ref().and_then(|plan| plan.mark.0) {
                Some(_) => format!("{}, which does not reach the zeros.", vouched(seen, *segment)),
                None => "No durable mark says whether they were flushed; the settings let them go all the same.".to_owned(),
            },
        ),
        Rule::ChecksumTail => "Nothing can stand behind the record, and repair_checksum_tail gives it up: it may have been \
                               acknowledged."
            .to_owned(),
    });
    if *below_durable_mark {
        finding.sentences.push(format!(
            "But {}: acknowledged records may be lost.",
            lower(&vouched(seen, *segment))
        ));
        finding.next.push(COMPARE.to_owned());
    }
    if weight != Weight::Unflushed {
        finding.sentences.push(match saved {
            Some(saved) => format!("An open cuts them off and keeps them in {saved}."),
            None => "An open cuts them off.".to_owned(),
        });
    }
}

fn removed(seen: &Seen<'_>, removed: &Removed, finding: &mut Finding) {
    let Removed {
        why,
        segment,
        bytes,
        saved,
    } = removed;
    let size = words::count(*bytes, "byte", "bytes");
    finding.sentences.push(match why {
        Removal::BlankInsideChain => format!(
            "The file has {size}, fewer than a segment header, so it never held a record; the segments on both sides join \
             without it. A crash while segments were created leaves such a file.",
        ),
        Removal::AbandonedSegment => {
            let bare = seen.scans.known(*segment).is_none_or(|scanned| scanned.records.is_err());
            let what = if bare { "has no header" } else { "has no record and begins below the end of the one before" };
            format!(
                "The newest segment, {size}, {what}: what a crash between the creation of a segment and its first flush \
                 leaves. Nothing in it was ever acknowledged as flushed.",
            )
        }
        Removal::BlankFirst => format!(
            "The only segment has {size} and no header: its creation failed before a record could follow. The log starts \
             empty.",
        ),
        Removal::OffloadedGap => format!(
            "Segments behind it are missing here, and offload.manifest holds copies of them and of this one ({size}). The \
             log goes on behind the gap; what lies before is in the object store.",
        ),
    });
    finding.sentences.push(match (why, saved) {
        (_, Some(saved)) => format!("An open takes it out of the log and keeps it as {saved}."),
        (Removal::OffloadedGap, None) => {
            "An open deletes the local file, since there is a copy of it.".to_owned()
        }
        (_, None) => "An open deletes it.".to_owned(),
    });
}

fn unfinished_roll(seen: &Seen<'_>, roll: &UnfinishedRoll, finding: &mut Finding) {
    let UnfinishedRoll {
        segment: id,
        position,
        bytes,
        cause,
        below_durable_mark,
        saved_cut,
        deleted,
        saved_segment,
    } = roll;
    finding.sentences.push(good_to(seen, *id, *position));
    let end = position.saturating_add(*bytes);
    if let Some(cause) = cause {
        finding.sentences.push(format!(
            "Bytes {position}..{end} fail there with {}.",
            cause::short(cause)
        ));
    }
    finding.sentences.push(format!(
        "A roll had retired this segment, and power was lost before it was sealed. {}, so from byte {position} on nothing was \
         ever acknowledged as flushed.",
        vouched(seen, *id),
    ));
    if *below_durable_mark {
        finding.sentences.push(
            "But the cut lies below the durable mark: acknowledged records may be lost.".to_owned(),
        );
        finding.next.push(COMPARE.to_owned());
    }
    if *bytes > 0 {
        finding.sentences.push(match saved_cut {
            Some(saved) => format!(
                "An open cuts these {} off and keeps them in {saved}.",
                words::count(*bytes, "byte", "bytes")
            ),
            None => "An open cuts them off.".to_owned(),
        });
    }
    if let Some(deleted) = deleted {
        let kept = match saved_segment {
            Some(saved) => format!("is kept as {saved}"),
            None => "is deleted".to_owned(),
        };
        finding.sentences.push(format!(
            "{} begins behind what is missing, and a flush syncs the retired segment before the newer one, so nothing of it \
             was flushed either: it {kept}.",
            capital(&segment(*deleted)),
        ));
    }
}

fn index(segment: u64, reason: IndexReason, finding: &mut Finding) {
    let file = SegmentFile::Index { id: segment };
    finding.subject = file.to_string();
    finding.sentences.push(match reason {
        IndexReason::Missing => {
            "The index is not there, is short or damaged, or has no entry to start from.".to_owned()
        }
        IndexReason::Mismatch => {
            format!(
                "An entry of the index does not lead to the record that it names in {}.",
                log(segment)
            )
        }
        IndexReason::VerifyAll => {
            "The index is right; whoever verifies everything writes it anew all the same."
                .to_owned()
        }
    });
    if reason != IndexReason::VerifyAll {
        finding.sentences.push(
            "An index is derived: an open writes it anew from its segment, and no record is touched.".to_owned(),
        );
    }
}

fn short_of_mark(seen: &Seen<'_>, segment: u64, position: u64, bytes: u64, finding: &mut Finding) {
    let there = seen.shard.has(log(segment));
    let ends = if there {
        format!("ends at byte {position} with a whole record")
    } else {
        "is not there".to_owned()
    };
    finding.sentences.push(format!(
        "{}, but the segment {ends}: {} that were flushed are gone, and no tear explains it.",
        vouched(seen, segment),
        words::count(bytes, "byte", "bytes"),
    ));
    finding.sentences.push(
        "What is left is whole, so the log opens, and the mark written then ends this report: acknowledged records are \
         missing."
            .to_owned(),
    );
    finding.next.push(COMPARE.to_owned());
}

fn interrupted_reset(segment: u64, finding: &mut Finding) {
    let from = SegmentFile::Temporary { id: segment };
    finding.sentences.push(format!(
        "A reset or a truncation died before its last rename: the new segment is whole and waits as {from}, and the old ones \
         are gone as they should be.",
    ));
    finding.sentences.push(format!(
        "An open renames it to {}; nothing is lost by it.",
        log(segment)
    ));
}

/// Where what is intact ends.
pub(super) fn good_to(seen: &Seen<'_>, segment: u64, position: u64) -> String {
    let scan = seen.scans.known(segment);
    let scan = scan
        .as_ref()
        .and_then(|scanned| scanned.records.as_ref().ok());
    match scan.filter(|scan| scan.valid_bytes == position) {
        Some(scan) => format!(
            "Good to byte {position}: {}, offset {} comes next.",
            words::count(scan.kinds.total(), "record", "records"),
            scan.next_offset,
        ),
        None => format!("Good to byte {position}."),
    }
}

/// What the durable mark says of a segment, as the beginning of a sentence.
pub(super) fn vouched(seen: &Seen<'_>, segment: u64) -> String {
    let Some(mark) = seen.opening.plan.as_ref().and_then(|plan| plan.mark.0) else {
        return "There is no durable mark".to_owned();
    };
    if mark.segment == segment {
        let bytes = words::count(mark.synced_bytes, "byte", "bytes");
        format!("The durable mark vouches for the first {bytes} of this segment")
    } else if segment < mark.segment {
        format!(
            "The durable mark names segment {} and vouches for all of this older one",
            mark.segment
        )
    } else {
        format!(
            "The durable mark names the older segment {} and vouches for nothing of this one",
            mark.segment
        )
    }
}

const COMPARE: &str = "compare with a replica before anything opens this directory; afterwards the loss is no longer to be seen";

fn lower(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| {
        first.to_lowercase().chain(chars).collect()
    })
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| {
        first.to_uppercase().chain(chars).collect()
    })
}
