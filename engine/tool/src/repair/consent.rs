//! Whether a plan is to be done.

use std::collections::BTreeSet;
use std::io::{self, BufRead as _, IsTerminal, Write as _};
use std::path::Path;

use ondisk_engine::felix::recovery::{Plan, Report};

use crate::args::Repair;
use crate::failure::Failure;
use crate::output::words;

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Consent {
    /// It is to be done.
    Given,
    /// It is not, and why.
    Withheld(String),
}

/// Every name that a finding can have.
const NAMES: [&str; 12] = [
    "torn_tail",
    "checksum_tail",
    "past_durable_mark",
    "zero_tail",
    "blank_inside_chain",
    "abandoned_segment",
    "blank_first",
    "unfinished_roll",
    "offloaded_gap",
    "index_rebuilt",
    "short_of_mark",
    "interrupted_reset",
];

/// Refuses a command line that no plan could fit.
pub(super) fn check(args: &Repair) -> Result<(), Failure> {
    for name in &args.only {
        if !NAMES.contains(&name.as_str()) {
            return Err(Failure::usage(
                format!(
                    "nothing that is found has the name {}",
                    words::name(name.as_ref())
                ),
                format!("the names are {}", NAMES.join(", ")),
            ));
        }
    }
    for id in &args.plan {
        let is_id = id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_id {
            return Err(Failure::usage(
                format!("{} is no id of a plan", words::name(id.as_ref())),
                "`ondisk verify` shows it in its last line: 16 hex digits",
            ));
        }
    }
    Ok(())
}

/// Holds a plan against what was asked for, and asks where it is up to a person.
pub(super) fn consent(plan: &Plan, path: &Path, args: &Repair) -> io::Result<Consent> {
    let id = plan.id().to_string();
    if !args.plan.is_empty()
        && !args
            .plan
            .iter()
            .any(|given| given.eq_ignore_ascii_case(&id))
    {
        let given = args.plan.join(", ");
        return Ok(Consent::Withheld(format!(
            "the plan is {id}, and not {given} as was asked for"
        )));
    }
    let found = plan.reports.iter().filter(|report| report.is_damage());
    let found: BTreeSet<&str> = found.map(Report::name).collect();
    let more: Vec<&str> = found
        .into_iter()
        .filter(|name| !args.only.iter().any(|given| given == name))
        .collect();
    if !args.only.is_empty() && !more.is_empty() {
        return Ok(Consent::Withheld(format!(
            "there is more than was asked for: {}",
            more.join(", ")
        )));
    }
    if args.yes {
        return Ok(Consent::Given);
    }
    if args.json || !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Ok(Consent::Withheld(
            "there is no terminal to ask on; --yes does it".to_owned(),
        ));
    }
    ask(path)
}

fn ask(path: &Path) -> io::Result<Consent> {
    let mut to = io::stderr();
    write!(to, "\nDo this to {}? [y/N] ", words::path(path))?;
    to.flush()?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(match answer.trim() {
        "y" | "Y" | "yes" | "Yes" | "YES" => Consent::Given,
        _ => Consent::Withheld("the answer was no".to_owned()),
    })
}
