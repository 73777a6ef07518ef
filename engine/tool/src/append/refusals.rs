//! What a hand must not write to.

use std::io;
use std::path::Path;
use std::sync::Arc;

use ondisk::felix::name::{ShardDirectory, Sidecar, Store};
use ondisk_engine::disk::real::RealDirectory;
use ondisk_engine::disk::{Directory, EntryKind, Lock};
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::opening::LogKind;
use ondisk_engine::felix::recovery::Report;
use ondisk_engine::felix::shard::Shard;
use ondisk_engine::felix::store::{FileState, Root, StartCategory};

use crate::args::{Append, DirectoryKind, Said};
use crate::failure::Failure;
use crate::look::{self, Question};
use crate::output::words;
use crate::place::{self, Meant};

/// Refuses what is not to be written. Gives the lock of the data directory that the shard lies in, if it lies in one.
pub(super) fn check(args: &Append, meant: &Meant) -> Result<Option<Lock>, Failure> {
    let root = root(args, meant)?;
    let lock = match &root {
        Some(root) => Some(root.lock().map_err(|source| StorageError::Io {
            source,
            path: root.path().to_owned(),
            operation: "lock",
        })?),
        None => None,
    };
    if let Some(root) = root {
        registered(args, root)?;
    }
    let named = meant.path.file_name().and_then(|name| name.to_str());
    let is_name = named.and_then(ShardDirectory::parse).is_some();
    match RealDirectory::open(&meant.path) {
        Ok(directory) => shard(args, meant, &directory)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if meant.store.is_some() && !is_name {
                return Err(Failure::usage(
                    format!(
                        "{} is not there, and has no name of a shard",
                        words::path(&meant.path)
                    ),
                    "let --shard make the name",
                ));
            }
        }
        Err(error) => return Err(Failure::system("open", &meant.path, &error)),
    }
    let kind = matches!(meant.store, Some(Store::Caches | Store::Counters));
    if kind && !args.force {
        return Err(of_a_kind("cache or counter"));
    }
    Ok(lock)
}

/// The data directory that the shard lies in, created if it is missing.
fn root(args: &Append, meant: &Meant) -> Result<Option<Arc<dyn Directory>>, Failure> {
    let path = &args.directory;
    if meant.store.is_none() {
        return match path.exists() {
            true => place::enclosing(path),
            false => Ok(None),
        };
    }
    let root =
        RealDirectory::create_all(path).map_err(|error| Failure::system("create", path, &error))?;
    let entries = root
        .entries()
        .map_err(|error| Failure::system("list", path, &error))?;
    if entries.is_empty() || args.force {
        return Ok(Some(root));
    }
    match place::directory_kind(&root) {
        Ok(DirectoryKind::Root) => Ok(Some(root)),
        Ok(DirectoryKind::Shard) => Err(Failure::usage(
            format!("{} is a shard itself", words::path(path)),
            "leave --shard and --dir out",
        )),
        Err(_) => Err(not_ours(path)),
    }
}

fn not_ours(path: &Path) -> Failure {
    Failure::usage(
        format!(
            "{} holds other things, and nothing of ours",
            words::path(path)
        ),
        "check the path, and that what should be mounted there is; --force writes there all the same",
    )
}

/// A data directory that a cluster knows, or that another build laid out.
fn registered(args: &Append, directory: Arc<dyn Directory>) -> Result<(), Failure> {
    let root = Root::look(directory)?;
    let path = words::path(&root.path());
    match root.category(false) {
        StartCategory::OpenOk => {}
        category => {
            return Err(Failure::damage(
                format!("{path} is not to be written: {category}"),
                format!("`ondisk verify {path}` says why"),
            ));
        }
    }
    if root.identity.registration != FileState::Absent && !args.force {
        return Err(Failure::usage(
            format!("{path} is registered with a control plane, so its brokers write it"),
            "append through a broker; --force appends all the same, and copies of this shard will differ",
        ));
    }
    Ok(())
}

/// A shard that is there.
fn shard(args: &Append, meant: &Meant, directory: &Arc<dyn Directory>) -> Result<(), Failure> {
    let path = words::path(&meant.path);
    let entries = directory
        .entries()
        .map_err(|error| Failure::system("list", &meant.path, &error))?;
    if !entries.is_empty() && !args.force {
        match place::directory_kind(directory) {
            Ok(DirectoryKind::Shard) => {}
            Ok(DirectoryKind::Root) => {
                return Err(Failure::usage(
                    format!("{path} is a whole data directory"),
                    "name a shard of it with --shard or --dir",
                ));
            }
            Err(_) => return Err(not_ours(&meant.path)),
        }
    }
    let found = Shard::look(Arc::clone(directory), None)?;
    let there = |sidecar: Sidecar| found.sidecar(sidecar) == Some(EntryKind::File);
    if (there(Sidecar::Replica) || there(Sidecar::Ballot)) && !args.force {
        return Err(Failure::usage(
            format!("{path} is copied by other brokers: it has a replica or a ballot"),
            "append through a broker; --force appends all the same, and copies of this shard will differ",
        ));
    }
    match place::log_kind(None, &found) {
        LogKind::Stream => {}
        LogKind::Cache if !args.force => return Err(of_a_kind("cache")),
        LogKind::Counter if !args.force => return Err(of_a_kind("counter")),
        LogKind::Cache | LogKind::Counter => {}
    }
    sound(directory, &path)
}

fn of_a_kind(kind: &str) -> Failure {
    Failure::usage(
        format!("this is a {kind} shard, whose records have a form of their own"),
        "change it through a broker; --force appends all the same, and a broker may not open it any more",
    )
}

/// An open would repair what it may. Who appends by hand is told first.
fn sound(directory: &Arc<dyn Directory>, path: &str) -> Result<(), Failure> {
    let question = Question::new(Said {
        kind: None,
        open_at: 0,
        index_spacing: 4096,
    });
    look::shard(directory, question, look::quick(), |seen| {
        let refused = seen.opening.refusal.as_ref().map(|refusal| refusal.kind());
        let damage = seen.opening.reports().iter();
        let damage = damage.filter(|report| report.is_damage()).map(Report::name);
        match refused.or_else(|| damage.map(str::to_owned).next()) {
            Some(what) => Err(Failure::damage(
                format!("{path} is damaged: {what}"),
                format!(
                    "`ondisk verify {path}` says more, `ondisk repair {path}` repairs what can be"
                ),
            )),
            None => Ok(()),
        }
    })
}
