//! Damage of every place: the input cut at every byte, and every bit flipped.

use std::collections::BTreeMap;

use ondisk::coverage::{Gap, gaps, uncovered};
use ondisk::describe::{Shape, Trailing};
use ondisk::walk::faults;
use ondisk::{Error, Fault};

use crate::Harness;
use crate::instances::Instance;
use crate::problems::Problems;
use crate::snapshots::Table;

impl Harness {
    /// Every vector is cut at every byte: a short read says how many bytes are needed and there; what else comes of it
    /// is pinned.
    ///
    /// # Panics
    /// With the cuts that are not noticed, or reported with wrong numbers.
    pub fn truncation_is_noticed(&self) {
        let (mut problems, mut table) = (Problems::default(), Table::default());
        for instance in self.instances() {
            let heading = format!("{}, {} bytes", instance.stem(), instance.bytes.len());
            let mut runs: Vec<(usize, usize, String)> = Vec::new();
            for len in 0..instance.bytes.len() {
                let result = instance
                    .entry
                    .open(&instance.bytes[..len], instance.version);
                if let Err(error) = result
                    && let Some(wrong) = wrong_numbers(&instance, len, error)
                {
                    problems.add(format!("{heading} cut to {len}: {wrong}: {error:?}"));
                }
                let outcome = outcome(&instance, result);
                match runs.last_mut() {
                    Some((_, last, same)) if *same == outcome => *last = len,
                    _ => runs.push((len, len, outcome)),
                }
            }
            for (from, to, outcome) in runs {
                table.row(&heading, format!("{from}..={to}: {outcome}"));
            }
        }
        self.pin("truncation", &table.show(), &mut problems);
        problems.report();
    }

    /// Every bit of every vector is flipped: it is noticed, or lies where the page says that no checksum covers.
    ///
    /// # Panics
    /// With the flips that nothing notices and no page speaks of.
    pub fn flipped_bits_are_noticed(&self) {
        let mut problems = Problems::default();
        let mut counts: BTreeMap<(&str, String), (usize, usize)> = BTreeMap::new();
        for instance in self.instances() {
            let Instance {
                entry,
                version,
                bytes,
                ..
            } = &instance;
            let used = used(&instance);
            let gaps = gaps(entry.kind, bytes, *version);
            let listed = uncovered(entry.kind);
            // What the checksum in a text covers, only its codec knows.
            let is_text = matches!(entry.kind.shape, Shape::Text { .. });
            for gap in gaps.iter().filter(|gap| gap.kind == entry.kind) {
                if !listed
                    .iter()
                    .any(|row| row.row.name == gap.row || in_word(entry, row.number, gap))
                {
                    problems.add(format!(
                        "{}.{} is not listed as uncovered",
                        gap.kind.name, gap.row
                    ));
                }
            }
            for at in 0..bytes.len() {
                let gap = gaps.iter().find(|gap| gap.bytes.contains(&at));
                let row = match gap {
                    Some(gap) => format!("{}.{}", gap.kind.name, gap.row),
                    None if at >= used => "bytes behind the last row".to_owned(),
                    None if is_text => "text".to_owned(),
                    None => "bytes that a checksum covers".to_owned(),
                };
                for bit in 0..8 {
                    let mut flipped = bytes.clone();
                    flipped[at] ^= 1 << bit;
                    let unnoticed = entry.open(&flipped, *version).is_ok();
                    if unnoticed && gap.is_none() && at < used && !is_text {
                        let stem = instance.stem();
                        problems.add(format!("{stem}: bit {bit} of byte {at} is not noticed"));
                    }
                    let count = counts.entry((entry.kind.name, row.clone())).or_default();
                    *count = (count.0 + usize::from(unnoticed), count.1 + 1);
                }
            }
        }
        let mut table = Table::default();
        for ((kind, row), (unnoticed, all)) in counts {
            table.row(
                kind,
                format!("{row}: {unnoticed} of {all} flips are not noticed"),
            );
        }
        self.pin("flips", &table.show(), &mut problems);
        problems.report();
    }
}

/// The bytes that the rows of an instance take: a whole kind may ignore what stands behind them.
fn used(instance: &Instance) -> usize {
    let Instance {
        entry,
        version,
        bytes,
        ..
    } = instance;
    match entry.kind.shape {
        Shape::Text { .. } => bytes.len(),
        _ => faults(entry.kind, bytes, *version).1.unwrap_or(0),
    }
}

/// Whether the row is bits of the word that the gap names.
fn in_word(entry: &ondisk::registry::Entry, row: usize, gap: &Gap) -> bool {
    let rows = entry.kind.rows();
    let word = rows
        .get(row)
        .and_then(|row| row.bits)
        .map(|bits| usize::from(bits.word));
    word.and_then(|word| rows.get(word))
        .is_some_and(|word| word.name == gap.row)
}

/// What is wrong with the numbers of a short read of the first `len` bytes.
fn wrong_numbers(instance: &Instance, len: usize, error: Error) -> Option<&'static str> {
    let (len, whole) = (len as u64, instance.bytes.len() as u64);
    match error.fault() {
        // An entry counts from its own start.
        Fault::Short { needed, available } if error.kind() == instance.entry.kind => {
            if available != len {
                return Some("not what is there");
            }
            (needed <= len || needed > whole).then_some("not what is needed")
        }
        Fault::Short { needed, available } => {
            (needed <= available).then_some("needs no more than is there")
        }
        Fault::Trailing { .. } => Some("nothing is left over in a cut input"),
        Fault::Changed => Some("the two runs of the checks differ"),
        _ => None,
    }
}

fn outcome(instance: &Instance, result: Result<usize, Error>) -> String {
    match result {
        Ok(_) if instance.entry.kind.trailing == Trailing::Ignore => {
            "read, the rest ignored".to_owned()
        }
        Ok(_) => "read".to_owned(),
        Err(error) => {
            let debug = format!("{:?}", error.fault());
            let fault = debug.split([' ', '{']).next().unwrap_or_default();
            let row = if error.row().is_empty() {
                "the whole"
            } else {
                error.row()
            };
            format!("{fault} in {}.{row}", error.kind().name)
        }
    }
}
