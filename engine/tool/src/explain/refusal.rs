//! Why a log does not open, in sentences.

use ondisk_engine::felix::error::{Corruption, CorruptionKind, SidecarDamage};
use ondisk_engine::felix::recovery::{OptIn, Refusal};

use super::report::good_to;
use super::{Finding, cause, log, segment};
use crate::look::{Seen, Weight};
use crate::output::words;

/// A refusal in sentences.
pub(crate) fn refusal(seen: &Seen<'_>, refusal: &Refusal, weight: Weight) -> Finding {
    let mut finding = Finding {
        name: format!("refused({})", refusal.kind()),
        subject: String::new(),
        sentences: Vec::new(),
        next: Vec::new(),
    };
    match refusal {
        Refusal::Corruption { corruption, opt_in } => {
            self::corruption(seen, corruption, *opt_in, &mut finding)
        }
        Refusal::Sidecar { file, damage } => sidecar(seen, file, damage, &mut finding),
        Refusal::Irregular { file } => {
            finding.subject.clone_from(file);
            finding.sentences.push(
                "What has this name is no regular file, so it was not opened, here or by an engine. An open is refused: a log \
                 without it would open short."
                    .to_owned(),
            );
            finding.next.push(
                "move it away if it does not belong there, and put the file back that does"
                    .to_owned(),
            );
        }
        other => finding.sentences.push(words::harmless(&other.to_string())),
    }
    if weight == Weight::Moving {
        finding.sentences.push(
            "The directory changed while it was looked at, so this may be no more than a moment of a writer's work.".to_owned(),
        );
        finding.next.clear();
        finding
            .next
            .push("look again, or stop the process that writes there".to_owned());
    }
    finding
}

fn corruption(
    seen: &Seen<'_>,
    corruption: &Corruption,
    opt_in: Option<OptIn>,
    finding: &mut Finding,
) {
    let kind = &corruption.kind;
    let (id, position) = (
        corruption.site.segment,
        corruption.site.position.unwrap_or(0),
    );
    let Some(id) = id else {
        finding.sentences.push(format!("{}.", cause::short(kind)));
        return;
    };
    finding.subject = format!("{} at byte {position}", segment(id));
    let bytes = seen
        .shard
        .segments()
        .find(|entry| entry.id == id)
        .and_then(|entry| entry.bytes);
    let of_file = bytes.map_or(String::new(), |bytes| format!("..{bytes}"));
    match (position, kind) {
        (0, CorruptionKind::OffsetOutOfOrder { expected, found }) => {
            chain(*expected, *found, finding)
        }
        (0, _) => {
            finding
                .sentences
                .push(format!("The header fails with {}.", cause::short(kind)));
            finding.sentences.push(cause::meaning(kind).to_owned());
        }
        _ => {
            finding.sentences.push(good_to(seen, id, position));
            finding.sentences.push(format!(
                "Bytes {position}{of_file} begin with a record that fails with {}.",
                cause::short(kind)
            ));
            finding.sentences.push(cause::meaning(kind).to_owned());
        }
    }
    let newest = seen
        .shard
        .segments()
        .next_back()
        .is_some_and(|entry| entry.id == id);
    if matches!(
        (position, kind),
        (0, CorruptionKind::OffsetOutOfOrder { .. })
    ) {
        finding
            .sentences
            .push("No setting mends a broken chain, so an open is refused.".to_owned());
    } else if newest {
        finding.sentences.push(
            "Nothing proves that what stands there was never acknowledged, so an open is refused."
                .to_owned(),
        );
    } else {
        finding.sentences.push(
            "A sealed segment was flushed whole and is never repaired, so an open is refused."
                .to_owned(),
        );
    }
    next(seen, id, opt_in, finding);
}

fn chain(expected: u64, found: u64, finding: &mut Finding) {
    finding.sentences.push(if found > expected {
        format!(
            "The segment begins at offset {found}, and the one before ends at {expected}: offsets {expected}..{found} are \
             missing. A segment between the two is gone, or the older one lost its end.",
        )
    } else {
        format!(
            "The segment begins at offset {found}, and the one before goes on to {expected}: the two overlap, so one of them \
             does not belong here.",
        )
    });
}

fn next(seen: &Seen<'_>, id: u64, opt_in: Option<OptIn>, finding: &mut Finding) {
    let copies = seen
        .sidecars
        .manifest
        .sound()
        .map_or(&[][..], Vec::as_slice);
    finding
        .next
        .push(match copies.iter().find(|entry| entry.segment == id) {
            Some(copy) => format!(
                "put the copy in its place that the object store has under {}",
                words::quoted(copy.key.as_bytes())
            ),
            None => "take the segment, or the shard, from a replica or a backup".to_owned(),
        });
    let file = seen.shard.path().join(log(id).to_string());
    finding.next.push(format!(
        "`ondisk inspect {}` shows what is in it",
        words::path(&file)
    ));
    if let Some(opt_in) = opt_in {
        let flag = match opt_in {
            OptIn::RepairChecksumTail => "--repair-checksum-tail",
            OptIn::ZeroTailWithoutMark => "--zero-tail-without-mark",
        };
        finding.next.push(format!(
            "where no copy is left: with {} an open gives up what stands there; `ondisk verify --as-open {flag}` shows \
             that plan",
            opt_in.setting(),
        ));
    }
}

fn sidecar(seen: &Seen<'_>, file: &str, damage: &SidecarDamage, finding: &mut Finding) {
    file.clone_into(&mut finding.subject);
    finding.sentences.push(format!(
        "The file does not decode: {}.",
        words::harmless(&damage.to_string())
    ));
    finding.sentences.push(format!(
        "{} Nothing else can rebuild it, so an open is refused.",
        holds(file)
    ));
    finding.next.push(
        "take the shard from a replica or a backup; do not delete the file to make the shard open"
            .to_owned(),
    );
    let path = seen.shard.path().join(file);
    finding.next.push(format!(
        "`ondisk inspect --hex {}` shows every byte of it",
        words::path(&path)
    ));
}

/// What an authoritative file is for.
fn holds(file: &str) -> &'static str {
    match file {
        "replica" => {
            "It says which generation was accepted and what is committed; without it committed records could be cut."
        }
        "ballot" => {
            "It says which leader was accepted; without it two leaders of one generation could be."
        }
        "offload.manifest" => {
            "It says which segments are in the object store; once a local file is gone, that is all that does."
        }
        _ => "It is authoritative.",
    }
}
