//! A repair as JSON: what `verify --json` says, what was done, and what `verify --json` says then.

use super::ahead::Ahead;
use super::held::HeldRoot;
use super::shard::Done;
use crate::document;
use crate::failure::Failure;
use crate::look::Seen;
use crate::output::json::{Json, Layout};

/// The fields of what was found.
pub(super) fn before(json: &mut Json<'_>, seen: &Seen<'_>) -> Result<(), Failure> {
    document::head(json, seen)?;
    document::block(json, seen)
}

/// The field of what was done.
pub(super) fn done(
    json: &mut Json<'_>,
    ahead: Option<&Ahead<'_>>,
    done: &Done,
    root: Option<&HeldRoot>,
) -> Result<(), Failure> {
    let (became, why, applied) = match done {
        Done::Sound => ("nothing to do", None, None),
        Done::Refused => ("refused", None, None),
        Done::Withheld(why) => ("not done", Some(why), None),
        Done::Repaired(applied) => ("done", None, Some(applied)),
    };
    json.key("repair")?;
    json.object(Layout::Lines)?;
    json.field("became", became)?;
    json.field("why", why)?;
    json.field("plan", ahead.map(|ahead| ahead.planned.id().to_string()))?;
    json.field(
        "may_have_lost_acknowledged",
        ahead.is_some_and(|ahead| ahead.may_have_lost_acknowledged),
    )?;
    json.field(
        "gives_up_generation",
        ahead.and_then(|ahead| ahead.gives_up),
    )?;
    let renewed = ahead.is_some_and(|ahead| ahead.new_storage_id);
    let new_id = root.and_then(HeldRoot::new_id).filter(|_| renewed);
    json.field("new_storage_id", new_id)?;
    json.key("steps")?;
    json.list(Layout::Lines)?;
    for step in ahead.map(Ahead::every_step).unwrap_or_default() {
        json.value(step)?;
    }
    json.end()?;
    json.key("saved")?;
    json.list(Layout::Line)?;
    for saved in applied.iter().flat_map(|applied| &applied.saved) {
        json.value(saved.to_string())?;
    }
    json.end()?;
    json.key("without_index")?;
    json.list(Layout::Line)?;
    for segment in applied.iter().flat_map(|applied| &applied.without_index) {
        json.value(*segment)?;
    }
    json.end()?;
    Ok(json.end()?)
}
