//! What a look comes to.

use std::collections::BTreeSet;

use ondisk::felix::name::SegmentFile;
use ondisk_engine::felix::opening::Opening;
use ondisk_engine::felix::recovery::{Category, Refusal, Report};
use ondisk_engine::felix::shard::Moved;
use ondisk_engine::felix::sidecar::Loaded;

use super::Seen;
use crate::exit::Exit;

/// What a finding is, once it is known whether somebody writes there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    /// Something is wrong.
    Damage,
    /// The end of a log that is being written: nobody was told yet that it is safe.
    Unflushed,
    /// It may be no more than a moment of a writer's work.
    Moving,
    /// Nothing is wrong: an index that was right is written anew.
    MatterOfCourse,
}

/// What a look at a shard comes to.
pub(crate) struct Verdict<'a> {
    /// The findings, each with its weight.
    pub(crate) reports: Vec<(&'a Report, Weight)>,
    /// What the open fails with, and whether that is damage.
    pub(crate) refusal: Option<(&'a Refusal, Weight)>,
    /// Derived files that the system would not read.
    pub(crate) unreadable: Vec<(&'static str, &'a str)>,
}

impl<'a> Verdict<'a> {
    pub(crate) fn of(seen: &'a Seen<'_>) -> Self {
        let touched = Touched::of(&seen.moved);
        let opening = &seen.opening;
        Self {
            reports: opening
                .reports()
                .iter()
                .map(|report| (report, weigh(opening, report, &touched)))
                .collect(),
            refusal: opening
                .refusal
                .as_ref()
                .map(|refusal| (refusal, weigh_refusal(refusal, &touched))),
            unreadable: unreadable(seen),
        }
    }

    /// Whether it hangs on what moved.
    pub(crate) fn is_unsettled(&self) -> bool {
        let moving = |weight: Weight| weight == Weight::Moving;
        self.reports.iter().any(|&(_, weight)| moving(weight))
            || self.refusal.is_some_and(|(_, weight)| moving(weight))
    }

    /// Whether something is wrong. A foreign name is not, even when it is one of ours: an open leaves it alone, or is
    /// refused by it.
    pub(crate) fn is_damaged(&self) -> bool {
        let damage = |weight: Weight| weight == Weight::Damage;
        self.reports.iter().any(|&(_, weight)| damage(weight))
            || self.refusal.is_some_and(|(_, weight)| damage(weight))
    }

    pub(crate) fn exit(&self) -> Exit {
        if self.is_damaged() {
            Exit::Damaged
        } else if self.is_unsettled() || !self.unreadable.is_empty() {
            Exit::CouldNotLook
        } else {
            Exit::Sound
        }
    }

    /// The findings of one weight.
    pub(crate) fn of_weight(&self, weight: Weight) -> impl Iterator<Item = &'a Report> {
        self.reports
            .iter()
            .filter(move |(_, of)| *of == weight)
            .map(|&(report, _)| report)
    }

    /// What an open comes to, what is not flushed yet left aside.
    pub(crate) fn category(&self) -> Category {
        let reports: Vec<Report> = self
            .reports
            .iter()
            .filter(|(_, weight)| *weight != Weight::Unflushed)
            .map(|&(report, _)| report.clone())
            .collect();
        Category::of(&reports, self.refusal.map(|(refusal, _)| refusal))
    }
}

/// What changed while a directory was looked at.
struct Touched {
    /// Ids of segments that are not as they were.
    segments: BTreeSet<u64>,
    /// Something came, went or was replaced, so that the chain is another one.
    listing: bool,
}

impl Touched {
    fn of(moved: &[Moved]) -> Self {
        let mut touched = Self {
            segments: BTreeSet::new(),
            listing: false,
        };
        for moved in moved {
            let (name, grew) = match moved {
                Moved::Grew { name, .. } => (name, true),
                Moved::Changed { name } | Moved::Gone { name } | Moved::New { name } => {
                    (name, false)
                }
            };
            touched
                .segments
                .extend(SegmentFile::parse(name).map(SegmentFile::id));
            touched.listing |= !grew;
        }
        touched
    }

    fn has(&self, segment: u64) -> bool {
        self.segments.contains(&segment)
    }
}

fn weigh(opening: &Opening, report: &Report, touched: &Touched) -> Weight {
    if !report.is_damage() {
        return Weight::MatterOfCourse;
    }
    let segment = report.segment();
    let unflushed = opening
        .plan
        .as_ref()
        .is_some_and(|plan| plan.is_unflushed(report));
    match report {
        _ if unflushed && touched.has(segment) => Weight::Unflushed,
        // The segment that comes next while an older one is looked at.
        Report::ShortOfMark { .. } | Report::UnfinishedRoll(_)
            if touched.has(segment) || touched.listing =>
        {
            Weight::Moving
        }
        _ if touched.has(segment) => Weight::Moving,
        _ => Weight::Damage,
    }
}

fn weigh_refusal(refusal: &Refusal, touched: &Touched) -> Weight {
    match refusal {
        Refusal::Corruption { corruption, .. } => {
            let site = &corruption.site;
            let moved = site.segment.is_some_and(|segment| touched.has(segment));
            // A broken chain is found at the later segment; what is missing may be what moved.
            let chain = site.position == Some(0) && touched.listing;
            if moved || chain {
                Weight::Moving
            } else {
                Weight::Damage
            }
        }
        _ => Weight::Damage,
    }
}

fn unreadable<'a>(seen: &'a Seen<'_>) -> Vec<(&'static str, &'a str)> {
    fn why<T>(loaded: &Loaded<T>) -> Option<&str> {
        match loaded {
            Loaded::Unreadable(why) => Some(why),
            _ => None,
        }
    }
    let sidecars = &seen.sidecars;
    let files = [
        ("durable.mark", why(&sidecars.mark)),
        ("epochs", why(&sidecars.epochs)),
        ("producers", why(&sidecars.producers)),
        ("keys.idx", why(&sidecars.keys)),
    ];
    files
        .into_iter()
        .filter_map(|(file, why)| Some((file, why?)))
        .collect()
}
