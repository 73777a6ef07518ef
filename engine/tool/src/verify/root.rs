//! Verifying a whole data directory: every shard in it, several at a time.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use ondisk_engine::disk::Directory;
use ondisk_engine::felix::opening::LogKind;
use ondisk_engine::felix::segment::Access;
use ondisk_engine::felix::shard::Shard;
use ondisk_engine::felix::store::{FoundShard, Root};

use super::{question, shard, top};
use crate::args::{self, Verify};
use crate::document;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::look::{self, Question, Verdict};
use crate::output::json::{Json, Layout};
use crate::output::progress::Progress;
use crate::output::{Out, Tone, words};

/// Verifies the data directory.
pub(super) fn run(
    directory: Arc<dyn Directory>,
    args: &Verify,
    out: &mut Out<'_>,
) -> Result<Exit, Failure> {
    let root = Root::look(directory)?;
    let mut exit = top::exit(&root);
    let progress = Progress::new(0);
    let task = Task {
        root: &root,
        args,
        out: Shown {
            paint: out.paint,
            width: out.width,
        },
        progress: &progress,
    };
    if args.json {
        let mut json = Json::new(out);
        json.object(Layout::Lines)?;
        document::identity(&mut json, &root)?;
        json.key("shards")?;
        json.object(Layout::Lines)?;
        let all = task.each(&mut |found, answer| {
            json.key(&found.path)?;
            json.written(&answer.written)
        });
        exit = exit.and(all?);
        json.end()?;
        document::markers(&mut json, &root)?;
        json.field("sound", exit == Exit::Sound)?;
        json.end()?;
        json.finish()?;
        return Ok(exit);
    }
    top::headline(&root, out)?;
    let mut sound = 0_u64;
    let all = task.each(&mut |_, answer| {
        sound += u64::from(answer.exit == Exit::Sound);
        progress.aside(|| out.write_all(&answer.written).and_then(|()| out.flush()))
    })?;
    exit = exit.and(all);
    top::tail(&root, out)?;
    let (word, tone) = match exit {
        Exit::Sound => ("SOUND", Tone::Good),
        Exit::CouldNotLook => ("NOT KNOWN", Tone::Notice),
        _ => ("DAMAGED", Tone::Bad),
    };
    let count = words::count(root.shards.len() as u64, "shard", "shards");
    let word = out.paint.tone(tone, word);
    writeln!(out)?;
    out.fact("verdict", format!("{word}  {sound} of {count} sound"))?;
    Ok(exit)
}

/// What the records of a shard are. What its folder says outweighs what is said for all of them.
pub(crate) fn kind(found: &FoundShard, said: Option<args::LogKind>) -> Option<args::LogKind> {
    Some(match found.kind {
        LogKind::Cache => args::LogKind::Cache,
        LogKind::Counter => args::LogKind::Counter,
        LogKind::Stream => said.unwrap_or(args::LogKind::Stream),
    })
}

/// What is written about one shard, and what it comes to.
struct Answer {
    written: Vec<u8>,
    exit: Exit,
}

/// How text is to look.
#[derive(Clone, Copy)]
struct Shown {
    paint: crate::output::Paint,
    width: usize,
}

struct Task<'a> {
    root: &'a Root,
    args: &'a Verify,
    out: Shown,
    progress: &'a Progress,
}

impl Task<'_> {
    /// Looks at every shard, several at a time, and hands on the answers in their order.
    fn each(
        &self,
        then: &mut dyn FnMut(&FoundShard, &Answer) -> io::Result<()>,
    ) -> Result<Exit, Failure> {
        let shards = &self.root.shards;
        let access = look::access(self.args.work);
        let workers = access.jobs.get().min(shards.len());
        // Threads that no shard needs read the segments of one.
        let inner =
            NonZeroUsize::new(access.jobs.get() / workers.max(1)).unwrap_or(NonZeroUsize::MIN);
        let next = AtomicUsize::new(0);
        let (send, receive) = mpsc::sync_channel(workers.max(1) * 2);
        thread::scope(|scope| {
            let work = |send: mpsc::SyncSender<(usize, Answer)>| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(found) = shards.get(index) else {
                        return;
                    };
                    // Whoever listened may have seen enough.
                    if send
                        .send((index, self.answer(found, access, inner)))
                        .is_err()
                    {
                        return;
                    }
                }
            };
            let mut started = 0;
            for _ in 0..workers {
                let send = send.clone();
                started += usize::from(
                    thread::Builder::new()
                        .spawn_scoped(scope, move || work(send))
                        .is_ok(),
                );
            }
            drop(send);
            let mut exit = Exit::Sound;
            if started == 0 {
                // Where no thread can be had, one after the other.
                for found in shards {
                    let answer = self.answer(found, access, inner);
                    exit = exit.and(answer.exit);
                    then(found, &answer)?;
                }
                return Ok(exit);
            }
            let mut early = BTreeMap::new();
            let mut due = 0;
            let mut failed = Ok(());
            for (index, answer) in &receive {
                early.insert(index, answer);
                while let Some(answer) = early.remove(&due) {
                    exit = exit.and(answer.exit);
                    if let Some(found) = shards.get(due) {
                        failed = then(found, &answer);
                    }
                    due += 1;
                }
                if failed.is_err() {
                    break;
                }
            }
            // Those that still work find that nobody listens.
            drop(receive);
            match failed {
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
                _ => Ok(exit),
            }
        })
    }

    fn answer(&self, found: &FoundShard, access: Access<'_>, jobs: NonZeroUsize) -> Answer {
        let done = |bytes| self.progress.done(bytes);
        let access = Access {
            jobs,
            progress: Some(&done),
            ..access
        };
        let mut written = Vec::new();
        match self.look(found, access, &mut written) {
            Ok(exit) => Answer { written, exit },
            Err(failure) => Answer {
                written: self.failed(found, &failure),
                exit: failure.exit(),
            },
        }
    }

    fn look(
        &self,
        found: &FoundShard,
        access: Access<'_>,
        written: &mut Vec<u8>,
    ) -> Result<Exit, Failure> {
        let directory = self.root.open_shard(found)?;
        let listed = Shard::look(Arc::clone(&directory), None)?;
        self.progress.more(
            listed
                .segments()
                .filter_map(|segment| segment.bytes)
                .fold(0, u64::saturating_add),
        );
        let asked = question(self.args);
        let kind = kind(found, asked.kind);
        look::shard(&directory, Question { kind, ..asked }, access, |seen| {
            let verdict = Verdict::of(seen);
            if self.args.json {
                shard::document(&mut Json::indented(written, 2), seen)?;
            } else {
                self.show(found, seen, &verdict, written)?;
            }
            Ok(verdict.exit())
        })
    }

    /// A line for a sound shard; everything about any other.
    fn show(
        &self,
        found: &FoundShard,
        seen: &look::Seen<'_>,
        verdict: &Verdict<'_>,
        written: &mut Vec<u8>,
    ) -> io::Result<()> {
        let mut out = self.out.to(written);
        let (word, tone) = shard::word(verdict);
        let word = format!("{word:<9}");
        let word = out.paint.tone(tone, word);
        let path = words::path(found.path.as_ref());
        if verdict.exit() == Exit::Sound && seen.moved.is_empty() && seen.shard.foreign().is_empty()
        {
            let log = seen
                .opening
                .plan
                .as_ref()
                .and_then(|plan| plan.log.as_ref());
            let (base, tail, segments) =
                log.map_or((0, 0, 0), |log| (log.base, log.tail, log.segments.len()));
            let segments = words::count(segments as u64, "segment", "segments");
            return writeln!(out, "{word} {path}  offsets {base}..{tail}, {segments}");
        }
        writeln!(out, "{word} {path}\n")?;
        shard::show(seen, verdict, &mut out)?;
        writeln!(out)
    }

    /// What is written about a shard that could not be looked at.
    fn failed(&self, found: &FoundShard, failure: &Failure) -> Vec<u8> {
        let mut written = Vec::new();
        // Nothing fails that is written to memory.
        let _ok = if self.args.json {
            let mut json = Json::indented(&mut written, 2);
            json.object(Layout::Line)
                .and_then(|()| json.field("sound", false))
                .and_then(|()| json.field("could_not_look", failure.to_string()))
                .and_then(|()| json.end())
        } else {
            let mut out = self.out.to(&mut written);
            let word = out.paint.tone(Tone::Notice, "NOT KNOWN");
            let path = words::path(found.path.as_ref());
            writeln!(out, "{word} {path}\n  {failure}")
        };
        written
    }
}

impl Shown {
    fn to(self, written: &mut Vec<u8>) -> Out<'_> {
        Out::to_buffer(written, self.paint, self.width)
    }
}
