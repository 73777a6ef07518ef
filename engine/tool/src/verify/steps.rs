//! What an open would do.

use std::collections::BTreeSet;
use std::io::{self, Write};

use ondisk_engine::felix::recovery::{Report, Step};

use crate::look::{Seen, Verdict, Weight};
use crate::output::Out;

/// Steps shown to a person.
const MOST_STEPS: usize = 64;

/// Shows the steps of a plan, where it would do more than write what is written anew as a matter of course.
pub(super) fn show(seen: &Seen<'_>, verdict: &Verdict<'_>, out: &mut Out<'_>) -> io::Result<()> {
    let Some(plan) = &seen.opening.plan else {
        return Ok(());
    };
    let steps: Vec<String> = told(&plan.steps, verdict).map(Step::to_string).collect();
    if !verdict.of_weight(Weight::Damage).any(Report::is_repair) {
        return Ok(());
    }
    list("What an open would do, in this order", &steps, out)
}

/// The steps that a person is told of.
pub(crate) fn told<'s>(steps: &'s [Step], verdict: &Verdict<'_>) -> impl Iterator<Item = &'s Step> {
    let damaged: BTreeSet<u64> = verdict
        .of_weight(Weight::Damage)
        .filter(|report| report.is_repair())
        .map(Report::segment)
        .collect();
    steps.iter().filter(move |step| match step {
        Step::WriteIndex { segment } => damaged.contains(segment),
        _ => true,
    })
}

/// Shows steps, numbered.
pub(crate) fn list(heading: &str, steps: &[String], out: &mut Out<'_>) -> io::Result<()> {
    if steps.is_empty() {
        return Ok(());
    }
    out.heading(heading)?;
    lines(steps, out)
}

/// Shows steps, numbered, without a heading.
pub(crate) fn lines(steps: &[String], out: &mut Out<'_>) -> io::Result<()> {
    for (number, step) in steps.iter().take(MOST_STEPS).enumerate() {
        writeln!(out, "  {:>2}. {step}", number + 1)?;
    }
    if let Some(more @ 1..) = steps.len().checked_sub(MOST_STEPS) {
        writeln!(out, "      and {more} more; --json lists all of them")?;
    }
    Ok(())
}
