//! The specification pages and diagrams.

use std::collections::BTreeSet;
use std::fmt::Write;

use ondisk::Kind;
use ondisk::describe::{Class, Shape};
use ondisk::page::{self, Diagram, Page, file_stem, summary};

use crate::Harness;
use crate::files::{hold, hold_names};
use crate::problems::Problems;
use crate::vectors::{Outcome, Part, Vector};

impl Harness {
    /// Pages, diagrams and their list are those of the definitions.
    ///
    /// # Panics
    /// With the names of those that are stale.
    pub fn pages_are_fresh(&self) {
        let mut problems = Problems::default();
        let kinds = self.kinds();
        let mut names = BTreeSet::from(["README".to_owned()]);
        names.extend(kinds.iter().map(|kind| file_stem(kind)));
        let mut add = |name: String, text: String| {
            let path = self.places.pages.join(name);
            hold(&path, text.as_bytes(), &mut problems);
        };
        for &kind in &kinds {
            let stem = file_stem(kind);
            let vectors = self.page_vectors(kind);
            let mut shown = Page::new(kind).with_vectors(&vectors);
            let address = format!("{stem}.svg");
            if let Shape::Rows(_) = kind.shape {
                shown = shown.with_diagram(&address);
                let newest = *kind.read_range().end();
                add(address.clone(), Diagram::new(kind, newest).to_string());
            }
            add(format!("{stem}.md"), shown.to_string());
        }
        add("README.md".to_owned(), list(&kinds));
        for ending in [".md", ".svg"] {
            hold_names(&self.places.pages, ending, &names, &mut problems);
        }
        problems.report();
    }

    fn page_vectors(&self, kind: &Kind) -> Vec<page::Vector> {
        let about = |vector: &&Vector| vector.parts.iter().any(|part| part.kind == kind.name);
        let show = |vector: &Vector| page::Vector {
            name: vector.name.clone(),
            note: vector.note.clone(),
            bytes: vector.written.clone(),
            outcome: self.outcome(vector),
        };
        self.vectors.iter().filter(about).map(show).collect()
    }

    fn outcome(&self, vector: &Vector) -> String {
        let parts: Vec<String> = vector
            .parts
            .iter()
            .map(|part| self.part(vector, part))
            .collect();
        parts.join(", then ")
    }

    fn part(&self, vector: &Vector, part: &Part) -> String {
        let governed = self
            .entry(&part.kind)
            .is_some_and(|entry| entry.kind.version_of.is_some());
        let version = if governed {
            format!(" in version {}", part.version)
        } else {
            String::new()
        };
        match &part.outcome {
            Outcome::Ok(values) => {
                let values: Vec<String> = values
                    .iter()
                    .map(|(row, value)| format!("{row} {value}"))
                    .collect();
                format!("`{}`{version}", values.join(", "))
            }
            Outcome::Refused { .. } => {
                let result = self
                    .entry(&part.kind)
                    .map(|entry| entry.open(&vector.bytes, part.version));
                match result {
                    Some(Err(error)) => format!("refused{version}: {error}"),
                    _ => format!("refused{version}"),
                }
            }
        }
    }
}

/// The list of pages, by class.
fn list(kinds: &[&'static Kind]) -> String {
    let mut text =
        "# Kinds\n\nMade from the definitions; a test holds every page to them.\n".to_owned();
    let groups = [
        (
            Some(Class::Authoritative),
            "Authoritative files: nothing else can rebuild them",
        ),
        (
            Some(Class::Derived),
            "Derived files: they can be rebuilt, or done without",
        ),
        (None, "Parts"),
    ];
    for (class, title) in groups {
        let mut rows = String::new();
        for kind in kinds.iter().filter(|kind| kind.class == class) {
            let file = kind
                .file
                .or(kind.head_of)
                .map_or(String::new(), |file| format!("`{file}`"));
            let line = summary(kind);
            let _ = writeln!(
                rows,
                "| [{}]({}.md) | {file} | {line} |",
                kind.name,
                file_stem(kind)
            );
        }
        if !rows.is_empty() {
            let _ = write!(
                text,
                "\n## {title}\n\n| kind | file | |\n|---|---|---|\n{rows}"
            );
        }
    }
    text
}
