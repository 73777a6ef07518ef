//! The lock as it was released against the lock as it is now.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// What became of a released lock.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// What changed in released layouts, in words. None of it may.
    pub broken: Vec<String>,
    /// Layouts that are new and not released yet.
    pub added: Vec<String>,
}

/// Compares the lock as released with the lock as it is now.
#[must_use]
pub fn compare(released: &str, now: &str) -> Comparison {
    let (old, new) = (blocks(released), blocks(now));
    let mut comparison = Comparison::default();
    for (title, old) in &old {
        match new.iter().find(|(name, _)| name == title) {
            Some((_, new)) => differences(title, old, new, &mut comparison),
            None => comparison.broken.push(format!("{title} is gone")),
        }
    }
    let is_new = |title: &&str| !old.iter().any(|(name, _)| name == title);
    let added = new.iter().map(|(title, _)| *title).filter(is_new);
    comparison.added.extend(added.map(ToString::to_string));
    comparison
}

/// The blocks of a lock: title and lines. Lines that begin with `#` are comments.
fn blocks(lock: &str) -> Vec<(&str, Vec<&str>)> {
    let mut blocks: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut open = false;
    for line in lock
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.starts_with('#'))
    {
        match blocks.last_mut() {
            _ if line.is_empty() => open = false,
            Some((_, lines)) if open => lines.push(line),
            _ => {
                blocks.push((line, Vec::new()));
                open = true;
            }
        }
    }
    blocks
}

/// A line of a block, by its cells.
struct Cells<'a>(Vec<&'a str>);

impl<'a> Cells<'a> {
    fn of(line: &'a str) -> Self {
        Self(line.split(" | ").map(str::trim).collect())
    }

    /// The cell that says which line it is: the name of a row or of an enum's value, or all of a sentence.
    fn name(&self) -> &'a str {
        match *self.0 {
            [_, _, name, _, ..] | [_, name, ..] | [name] => name,
            [] => "",
        }
    }

    /// A value that only later versions of an enum have.
    fn is_later(&self) -> bool {
        matches!(*self.0, [_, _, versions] | [_, _, versions, _] if versions.starts_with("since "))
    }

    fn labels(&self) -> &'static [&'static str] {
        match self.0.len() {
            0..=3 => &["value", "name", "versions"],
            _ => &["offset", "size", "name", "type", "meaning"],
        }
    }
}

fn differences(title: &str, old: &[&str], new: &[&str], out: &mut Comparison) {
    let old: Vec<Cells<'_>> = old.iter().map(|line| Cells::of(line)).collect();
    let new: Vec<Cells<'_>> = new.iter().map(|line| Cells::of(line)).collect();
    for was in &old {
        let name = was.name();
        let Some(is) = new.iter().find(|is| is.name() == name) else {
            out.broken.push(format!("{title}: `{name}` is gone"));
            continue;
        };
        for (column, label) in was.labels().iter().enumerate() {
            let cell = |of: &Cells<'_>| of.0.get(column).map_or("", |cell| cell).to_string();
            let (was, is) = (cell(was), cell(is));
            if was != is {
                out.broken.push(format!(
                    "{title}: {label} of `{name}` was `{was}`, is `{is}`"
                ));
            }
        }
    }
    for is in &new {
        let name = is.name();
        if old.iter().any(|was| was.name() == name) {
            continue;
        }
        let list = if is.is_later() {
            &mut out.added
        } else {
            &mut out.broken
        };
        list.push(format!("{title}: `{name}` is new"));
    }
}
