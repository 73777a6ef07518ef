//! A whole data directory: identity, markers, and each shard in a line.

use std::io::Write;
use std::sync::Arc;

use ondisk_engine::disk::Directory;
use ondisk_engine::felix::segment::Access;
use ondisk_engine::felix::store::{FoundShard, Root};

use super::shard;
use crate::args::Inspect;
use crate::document;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::look::{self, Question, Verdict};
use crate::output::json::{Json, Layout};
use crate::output::table::{Cell, Side, Table};
use crate::output::{Out, Tone, words};
use crate::verify::{root as verified, top};

/// Shows the data directory, its shards as opens with default settings would find them.
pub(super) fn show(
    directory: Arc<dyn Directory>,
    args: &Inspect,
    out: &mut Out<'_>,
) -> Result<Exit, Failure> {
    let root = Root::look(directory)?;
    let mut exit = top::exit(&root);
    let access = look::access(args.work);
    if args.json {
        let mut json = Json::new(out);
        json.object(Layout::Lines)?;
        document::identity(&mut json, &root)?;
        json.key("shards")?;
        json.object(Layout::Lines)?;
        for found in &root.shards {
            json.key(&found.path)?;
            let mut begun = false;
            let shown = with_shard(&root, found, args, access, &mut |seen| {
                begun = true;
                shard::document(&mut json, seen)
            });
            exit = exit.and(match shown {
                Err(failure @ Failure::Look(_)) if !begun => {
                    json.object(Layout::Line)?;
                    json.field("could_not_look", failure.to_string())?;
                    json.end()?;
                    failure.exit()
                }
                shown => shown?,
            });
        }
        json.end()?;
        document::markers(&mut json, &root)?;
        json.end()?;
        json.finish()?;
        return Ok(exit);
    }
    top::headline(&root, out)?;
    let columns = [
        ("shard", Side::Left),
        ("kind", Side::Left),
        ("offsets", Side::Right),
        ("segments", Side::Right),
        ("opens as", Side::Left),
    ];
    let mut table = Table::new(0, &columns);
    for found in &root.shards {
        let shown = with_shard(&root, found, args, access, &mut |seen| {
            let log = seen
                .opening
                .plan
                .as_ref()
                .and_then(|plan| plan.log.as_ref());
            let offsets = log.map_or(String::new(), |log| format!("{}..{}", log.base, log.tail));
            let segments = seen.shard.segments().count();
            let verdict = Verdict::of(seen);
            let tone = if verdict.exit() == Exit::Sound {
                Tone::Good
            } else {
                Tone::Bad
            };
            let category = Cell::toned(verdict.category().to_string(), tone);
            let kind = document::kind_name(seen.kind);
            Ok(table.row(
                out,
                vec![
                    words::path(found.path.as_ref()).into(),
                    kind.into(),
                    offsets.into(),
                    segments.into(),
                    category,
                ],
            )?)
        });
        exit = exit.and(match shown {
            Ok(exit) => exit,
            Err(failure @ Failure::Output(_)) => return Err(failure),
            Err(failure) => {
                let cell = Cell::toned(failure.to_string().replace('\n', " "), Tone::Notice);
                table.row(
                    out,
                    vec![
                        words::path(found.path.as_ref()).into(),
                        "".into(),
                        "".into(),
                        "".into(),
                        cell,
                    ],
                )?;
                failure.exit()
            }
        });
    }
    table.end(out)?;
    markers(&root, out)?;
    top::tail(&root, out)?;
    Ok(exit)
}

/// Looks at one shard of a data directory.
fn with_shard(
    root: &Root,
    found: &FoundShard,
    args: &Inspect,
    access: Access<'_>,
    then: &mut dyn FnMut(&look::Seen<'_>) -> Result<(), Failure>,
) -> Result<Exit, Failure> {
    let directory = root.open_shard(found)?;
    let asked = Question::new(args.said);
    let kind = verified::kind(found, asked.kind);
    look::shard(&directory, Question { kind, ..asked }, access, |seen| {
        then(seen)?;
        Ok(Verdict::of(seen).exit())
    })
}

fn markers(root: &Root, out: &mut Out<'_>) -> Result<(), Failure> {
    if root.markers.is_empty() {
        return Ok(());
    }
    out.heading("Which incarnation is held")?;
    for marker in &root.markers {
        let Some(held) = marker.state.sound() else {
            continue;
        };
        let incarnation = |number: Option<u64>| {
            number.map_or("none".to_owned(), |number| format!("{number:016x}"))
        };
        let deleting = if held.deleting { ", being deleted" } else { "" };
        writeln!(
            out,
            "  {}  {}{deleting}; deleted through {}",
            words::path(marker.path.as_ref()),
            incarnation(held.incarnation),
            incarnation(held.deleted_through),
        )?;
    }
    Ok(())
}
