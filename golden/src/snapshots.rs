//! Snapshots of dumps, and the raw bytes beside them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ondisk::dump::Dump;

use crate::Harness;
use crate::files::{hold, hold_names};
use crate::instances::version_of;
use crate::problems::Problems;
use crate::vectors::Vector;

/// Snapshots of tables.
const TABLES: [&str; 3] = ["flips", "truncation", "versions"];

impl Harness {
    /// A snapshot of the dump of every vector, and of every kind and version that only stands in others; the bytes
    /// beside it.
    ///
    /// # Panics
    /// With the names of those that differ.
    pub fn dumps_are_pinned(&self) {
        let mut problems = Problems::default();
        let mut names = BTreeSet::new();
        for (stem, bytes, text) in self.dumps(&mut problems) {
            self.pin(&stem, &text, &mut problems);
            hold(
                &self.places.bytes.join(format!("{stem}.bin")),
                &bytes,
                &mut problems,
            );
            if !names.insert(stem.clone()) {
                problems.add(format!("two vectors are called {stem}"));
            }
        }
        hold_names(&self.places.bytes, ".bin", &names, &mut problems);
        names.extend(TABLES.map(str::to_owned));
        hold_names(&self.places.snapshots, ".snap", &names, &mut problems);
        problems.report();
    }

    /// Name, bytes and dump of each.
    pub(crate) fn dumps(&self, problems: &mut Problems) -> Vec<(String, Vec<u8>, String)> {
        let mut dumps = Vec::new();
        for vector in &self.vectors {
            let dump = problems.check(&vector.name, self.dump_of(vector));
            dumps.extend(dump.map(|(stem, text)| (stem, vector.bytes.clone(), text)));
        }
        for instance in self
            .instances()
            .into_iter()
            .filter(|instance| instance.nested)
        {
            let text = Dump::new(instance.entry.kind, &instance.bytes, instance.version);
            dumps.push((instance.stem(), instance.bytes.clone(), text.to_string()));
        }
        dumps
    }

    fn dump_of(&self, vector: &Vector) -> Result<(String, String), String> {
        let (mut stem, mut text) = (String::new(), String::new());
        let mut at = 0;
        for part in &vector.parts {
            let entry = self
                .entry(&part.kind)
                .ok_or_else(|| format!("no kind {}", part.kind))?;
            let bytes = vector.bytes.get(at..).unwrap_or_default();
            let (bytes, error) = match entry.open(bytes, part.version) {
                Ok(used) if !entry.kind.whole => (&bytes[..used], None),
                Ok(_) => (bytes, None),
                Err(error) => (bytes, Some(error)),
            };
            let mut dump = Dump::new(entry.kind, bytes, part.version).based_at(at as u64);
            if let Some(error) = error {
                dump = dump.with_error(error);
            }
            let _ = write!(text, "{}{dump}", if at > 0 { "\n" } else { "" });
            if stem.is_empty() {
                let version = match version_of(entry.kind, bytes, part.version) {
                    0 => String::new(),
                    version => format!("-v{version}"),
                };
                let name = vector.name.replace('/', "_");
                stem = format!("{}{version}-{name}", ondisk::page::file_stem(entry.kind));
            }
            at += bytes.len();
        }
        Ok((stem, text))
    }

    /// Holds a table to its snapshot.
    pub(crate) fn pin(&self, name: &str, text: &str, problems: &mut Problems) {
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(&self.places.snapshots);
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        let assert = AssertUnwindSafe(|| settings.bind(|| (self.assert)(name, text)));
        if catch_unwind(assert).is_err() {
            problems.add(format!("{name} is not as its snapshot says"));
        }
    }
}

/// Rows of a table, a block a heading, in a stable order.
#[derive(Debug, Default)]
pub(crate) struct Table(BTreeMap<String, Vec<String>>);

impl Table {
    pub fn row(&mut self, heading: impl Into<String>, row: impl Into<String>) {
        self.0.entry(heading.into()).or_default().push(row.into());
    }

    pub fn show(&self) -> String {
        let mut text = String::new();
        for (heading, rows) in &self.0 {
            let _ = writeln!(text, "{heading}");
            rows.iter().for_each(|row| {
                let _ = writeln!(text, "  {row}");
            });
        }
        text
    }
}
