//! All that was found in a shard, in sentences.

use std::collections::HashMap;
use std::io::{self, Write};

use super::{refusal, report};
use crate::look::{Seen, Verdict, Weight};
use crate::output::{Out, Tone};

/// Findings of one name that are told in full.
const MOST_ALIKE: u64 = 8;

pub(crate) fn findings(
    seen: &Seen<'_>,
    verdict: &Verdict<'_>,
    out: &mut Out<'_>,
) -> io::Result<()> {
    let told = verdict
        .reports
        .iter()
        .filter(|(_, weight)| *weight != Weight::MatterOfCourse);
    let mut alike: HashMap<&str, u64> = HashMap::new();
    let mut titled = false;
    let mut title = |out: &mut Out<'_>| {
        if std::mem::replace(&mut titled, true) {
            writeln!(out)
        } else {
            out.heading("What was found")
        }
    };
    for &(found, weight) in told {
        let count = alike.entry(found.name()).or_default();
        *count += 1;
        if *count <= MOST_ALIKE {
            title(out)?;
            report::report(seen, found, weight).show(out, tone(weight))?;
        }
    }
    let mut more: Vec<_> = alike
        .into_iter()
        .filter_map(|(name, count)| {
            Some((
                name,
                count.checked_sub(MOST_ALIKE).filter(|&more| more > 0)?,
            ))
        })
        .collect();
    more.sort_unstable();
    for (name, more) in more {
        writeln!(out, "\n  and {more} more {name}; --json lists all of them")?;
    }
    if let Some((found, weight)) = verdict.refusal {
        title(out)?;
        refusal::refusal(seen, found, weight).show(out, tone(weight))?;
    }
    Ok(())
}

fn tone(weight: Weight) -> Tone {
    match weight {
        Weight::Damage => Tone::Bad,
        _ => Tone::Notice,
    }
}
