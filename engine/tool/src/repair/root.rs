//! Repairing a whole data directory, one shard after the other.

use std::io::Write as _;
use std::sync::Arc;

use ondisk_engine::disk::Directory;
use ondisk_engine::felix::store::FoundShard;

use super::held::HeldRoot;
use super::shard::{Task, Told};
use crate::args::Repair;
use crate::document;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::look::Question;
use crate::output::json::{Json, Layout};
use crate::output::{Out, Tone, words};
use crate::verify::{root, top};

/// Repairs the shards of a data directory. It is held all along; a person is asked for each shard by itself.
pub(super) fn run(
    directory: Arc<dyn Directory>,
    args: &Repair,
    out: &mut Out<'_>,
) -> Result<Exit, Failure> {
    let held = HeldRoot::take(directory, args)?;
    let mut exit = top::exit(&held.root);
    if args.json {
        let mut json = Json::new(out);
        json.object(Layout::Lines)?;
        document::identity(&mut json, &held.root)?;
        json.key("shards")?;
        json.object(Layout::Lines)?;
        for found in &held.root.shards {
            json.key(&found.path)?;
            json.object(Layout::Lines)?;
            let ended = repair(&held, found, args, &mut Told::Document(&mut json));
            exit = exit.and(match ended {
                Ok(exit) => exit,
                Err(failure) if failure.is_quiet() => return Err(failure),
                Err(failure) => {
                    json.close_to(3)?;
                    json.field("could_not", failure.to_string())?;
                    failure.exit()
                }
            });
            json.end()?;
        }
        json.end()?;
        document::markers(&mut json, &held.root)?;
        json.field("new_storage_id", held.new_id())?;
        json.field("sound", exit == Exit::Sound)?;
        json.end()?;
        json.finish()?;
        return Ok(exit);
    }
    top::headline(&held.root, out)?;
    let mut sound = 0_u64;
    for found in &held.root.shards {
        let ended = repair(&held, found, args, &mut Told::Words(out));
        let ended = match ended {
            Ok(exit) => exit,
            Err(failure) if failure.is_quiet() => return Err(failure),
            Err(failure) => {
                let word = out.paint.tone(Tone::Notice, "NOT DONE");
                writeln!(
                    out,
                    "{word} {}\n  {failure}",
                    words::path(found.path.as_ref())
                )?;
                failure.exit()
            }
        };
        writeln!(out)?;
        sound += u64::from(ended == Exit::Sound);
        exit = exit.and(ended);
    }
    top::tail(&held.root, out)?;
    let (word, tone) = match exit {
        Exit::Sound => ("SOUND", Tone::Good),
        Exit::CouldNotLook => ("NOT KNOWN", Tone::Notice),
        _ => ("DAMAGED", Tone::Bad),
    };
    let word = out.paint.tone(tone, word);
    let count = words::count(held.root.shards.len() as u64, "shard", "shards");
    out.fact("verdict", format!("{word}  {sound} of {count} sound"))?;
    Ok(exit)
}

fn repair(
    held: &HeldRoot,
    found: &FoundShard,
    args: &Repair,
    told: &mut Told<'_, '_>,
) -> Result<Exit, Failure> {
    let directory = held.root.open_shard(found)?;
    let asked = Question::planned(args.said, args.planning);
    let task = Task {
        directory: &directory,
        root: Some(held),
        question: Question {
            kind: root::kind(found, asked.kind),
            ..asked
        },
        args,
    };
    task.run(told)
}
