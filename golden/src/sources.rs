//! Whether every definition in the sources is registered.

use std::fs;
use std::path::{Path, PathBuf};

use syn::{Attribute, Ident, Item, Meta};

use crate::Harness;
use crate::problems::Problems;

/// A definition in the sources.
struct Definition {
    name: String,
    is_enum: bool,
    file: PathBuf,
}

impl Harness {
    /// Every struct with `#[format(..)]` or `#[derive(Format)]` outside of tests is registered, and every such enum
    /// stands in one.
    ///
    /// # Panics
    /// With those that are not.
    pub fn the_registry_is_complete(&self) {
        let mut problems = Problems::default();
        let kinds = self.kinds();
        let definitions = definitions(&self.places.sources, &mut problems);
        for Definition {
            name,
            is_enum,
            file,
        } in &definitions
        {
            let file = file.display();
            let known = match is_enum {
                false => self.entry(name).is_some(),
                true => kinds.iter().any(|kind| kind.name == name),
            };
            if !known {
                problems.add(format!("{name} in {file} is in no registry"));
            }
        }
        if definitions.is_empty() {
            problems.add(format!(
                "no definition in {}",
                self.places.sources.display()
            ));
        }
        problems.report();
    }
}

fn definitions(directory: &Path, problems: &mut Problems) -> Vec<Definition> {
    let mut found = Vec::new();
    let Some(entries) = problems.check(directory.display(), fs::read_dir(directory)) else {
        return found;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            found.extend(definitions(&path, problems));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = problems
                .check(path.display(), fs::read_to_string(&path))
                .unwrap_or_default();
            if let Some(file) = problems.check(path.display(), syn::parse_file(&text)) {
                in_items(&file.items, &path, &mut found);
            }
        }
    }
    found
}

fn in_items(items: &[Item], file: &Path, found: &mut Vec<Definition>) {
    let mut add = |name: &Ident, attributes: &[Attribute], is_enum| {
        if attributes.iter().any(is_definition) && !attributes.iter().any(is_for_tests) {
            found.push(Definition {
                name: name.to_string(),
                is_enum,
                file: file.to_owned(),
            });
        }
    };
    for item in items {
        match item {
            Item::Struct(item) => add(&item.ident, &item.attrs, false),
            Item::Enum(item) => add(&item.ident, &item.attrs, true),
            _ => {}
        }
    }
    for item in items {
        if let Item::Mod(module) = item
            && let Some((_, items)) = &module.content
            && !module.attrs.iter().any(is_for_tests)
        {
            in_items(items, file, found);
        }
    }
}

/// `#[format(..)]`, or a derive with `Format` in its list.
fn is_definition(attribute: &Attribute) -> bool {
    let last_is = |path: &syn::Path, name: &str| {
        path.segments
            .last()
            .is_some_and(|segment| segment.ident == name)
    };
    if last_is(attribute.path(), "format") {
        return true;
    }
    let mut derived = false;
    if attribute.path().is_ident("derive") {
        // What is no list of paths is not ours to judge.
        let _ = attribute.parse_nested_meta(|meta| {
            derived |= last_is(&meta.path, "Format");
            Ok(())
        });
    }
    derived
}

fn is_for_tests(attribute: &Attribute) -> bool {
    match &attribute.meta {
        Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
        _ => false,
    }
}
