//! Which shard is meant: a directory itself, or one below a data directory.

use std::io;
use std::path::{Component, Path, PathBuf};

use ondisk::felix::name::{ShardDirectory, ShardKey, Store};
use ondisk_engine::disk::EntryKind;
use ondisk_engine::disk::real::RealDirectory;

use crate::args::Which;
use crate::failure::Failure;
use crate::output::words;

/// A shard that is meant; it need not be there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Meant {
    /// Its directory.
    pub(crate) path: PathBuf,
    /// Its key, if that was given.
    pub(crate) key: Option<ShardKey>,
    /// The store that it is in, if it was looked for below a data directory.
    pub(crate) store: Option<Store>,
}

impl Meant {
    /// The shard that `which` means in `directory`.
    pub(crate) fn of(directory: &Path, which: &Which) -> Result<Self, Failure> {
        match (&which.shard, &which.dir) {
            (Some(text), _) => Self::of_key(directory, key(text)?),
            (None, Some(below)) => Self::of_path(directory, below),
            (None, None) => Ok(Self {
                path: directory.to_owned(),
                key: None,
                store: None,
            }),
        }
    }

    /// The directory of a key carries its incarnation, so it is looked for; the first one has none.
    fn of_key(root: &Path, key: ShardKey) -> Result<Self, Failure> {
        let mut names: Vec<String> = match RealDirectory::open(root).and_then(|root| root.entries())
        {
            Ok(entries) => entries
                .into_iter()
                .filter(|entry| entry.kind == EntryKind::Directory)
                .filter_map(|entry| entry.name.into_string().ok())
                .filter(|name| {
                    ShardDirectory::parse(name).is_some_and(|directory| key.owns(directory))
                })
                .collect(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(Failure::system("list", root, &error)),
        };
        names.sort_unstable();
        let name = match names.as_slice() {
            [] => key.directory_name(0),
            [name] => name.clone(),
            several => {
                return Err(Failure::usage(
                    format!(
                        "several incarnations of this shard are there: {}",
                        several.join(", ")
                    ),
                    "name one of them with --dir",
                ));
            }
        };
        Ok(Self {
            path: root.join(name),
            key: Some(key),
            store: Some(Store::Streams),
        })
    }

    fn of_path(root: &Path, below: &Path) -> Result<Self, Failure> {
        let components: Vec<Component<'_>> = below.components().collect();
        let store = match components.as_slice() {
            [Component::Normal(_)] => Some(Store::Streams),
            [Component::Normal(store), Component::Normal(_)] => store
                .to_str()
                .and_then(Store::parse)
                .filter(|store| store.directory().is_some()),
            _ => None,
        };
        let Some(store) = store else {
            return Err(Failure::usage(
                format!(
                    "{} is no path of a shard below a data directory",
                    words::path(below)
                ),
                "it has the form NAME or STORE/NAME, with groups, dead-letters, caches or counters for STORE",
            ));
        };
        Ok(Self {
            path: root.join(below),
            key: None,
            store: Some(store),
        })
    }
}

/// `tenant/namespace/stream/number`, each component percent-encoded.
fn key(text: &str) -> Result<ShardKey, Failure> {
    let parse = || {
        let mut parts = text.split('/');
        let mut next = || parts.next();
        let (tenant, namespace, stream) = (plain(next()?)?, plain(next()?)?, plain(next()?)?);
        let number = next()?;
        let shard = number.parse().ok()?;
        // One spelling for each number.
        let canonical = parts.next().is_none() && u32::to_string(&shard) == number;
        canonical.then(|| ShardKey::new(tenant, namespace, stream, shard))
    };
    parse().ok_or_else(|| {
        Failure::usage(
            format!("{} is no key of a shard", words::name(text.as_ref())),
            "it has the form TENANT/NAMESPACE/STREAM/NUMBER, such as acme/default/orders/0, with %2F for a slash in a name",
        )
    })
}

/// What a percent-encoded component stands for.
fn plain(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let (digits, behind) = rest.split_at_checked(2)?;
        rest = behind;
        let both = digits.iter().all(u8::is_ascii_hexdigit);
        let digits = std::str::from_utf8(digits).ok().filter(|_| both)?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::{ShardKey, key, plain};

    #[test]
    fn keys() {
        let parsed = key("acme/default/orders%2Feu/3").unwrap();
        assert_eq!(parsed, ShardKey::new("acme", "default", "orders/eu", 3));
        let parsed = key("//%25/4294967295").unwrap();
        assert_eq!(parsed, ShardKey::new("", "", "%", u32::MAX));
        for text in [
            "",
            "acme",
            "acme/default/orders",
            "acme/default/orders/",
            "acme/default/orders/x",
            "acme/default/orders/4294967296",
            "acme/default/orders/00",
            "acme/default/orders/+1",
            "acme/default/orders/0/1",
            "acme/default/%/0",
            "acme/default/%2/0",
            "acme/default/%zz/0",
            "acme/default/%+1/0",
            "acme/default/%ff/0",
        ] {
            assert!(key(text).is_err(), "{text}");
        }
    }

    #[test]
    fn percent_signs() {
        assert_eq!(plain("%E2%82%ac"), Some("€".to_owned()));
        assert_eq!(plain("a+b c"), Some("a+b c".to_owned()));
    }
}
