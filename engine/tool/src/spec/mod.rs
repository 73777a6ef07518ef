//! `ondisk spec`: the specification page of a kind, made from its description.

mod terminal;

use std::io::Write;

use ondisk::describe::Shape;
use ondisk::felix::KINDS;
use ondisk::page::{Page, file_stem};
use ondisk::{Kind, describe};

use crate::args::Spec;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::table::{Side, Table};
use crate::output::{Out, words};
use crate::place;

/// Prints one page, or the list of all.
pub(crate) fn run(args: &Spec, out: &mut Out<'_>) -> Result<Exit, Failure> {
    let Some(name) = &args.kind else {
        list(out)?;
        return Ok(Exit::Sound);
    };
    let kind = named(name).ok_or_else(|| unknown(name))?;
    let page = Page::new(kind).to_string();
    if args.markdown {
        write!(out, "{page}")?;
    } else {
        terminal::show(&page, out)?;
    }
    Ok(Exit::Sound)
}

/// The kind of that name: `SegmentHeader`, `segment-header`, in any case; or the kind of a file of that name.
pub(crate) fn named(name: &str) -> Option<&'static Kind> {
    let by_name = kinds().find(|kind| {
        kind.name.eq_ignore_ascii_case(name) || file_stem(kind).eq_ignore_ascii_case(name)
    });
    by_name.or_else(|| place::kind_of_name(name))
}

/// What to say of a name that is none.
pub(crate) fn unknown(name: &str) -> Failure {
    let what = format!("there is no kind {}", words::name(name.as_ref()));
    let close = kinds().find(|kind| {
        let (ours, theirs) = (kind.name.to_lowercase(), name.to_lowercase());
        !theirs.is_empty() && (ours.contains(&theirs) || theirs.contains(&ours))
    });
    match close {
        Some(kind) => Failure::usage(
            what,
            format!("do you mean {}? `ondisk spec` lists them all", kind.name),
        ),
        None => Failure::usage(what, "`ondisk spec` lists the kinds"),
    }
}

fn kinds() -> impl Iterator<Item = &'static Kind> {
    KINDS.iter().map(|entry| entry.kind)
}

fn list(out: &mut Out<'_>) -> Result<(), Failure> {
    let columns = [
        ("kind", Side::Left),
        ("file", Side::Left),
        ("bytes", Side::Left),
        ("what it is", Side::Left),
    ];
    let mut table = Table::new(0, &columns);
    for kind in kinds() {
        let file = match (kind.file, kind.head_of) {
            (Some(file), _) => file.to_owned(),
            (None, Some(file)) => format!("head of {file}"),
            (None, None) => String::new(),
        };
        let bytes = match (&kind.shape, kind.size) {
            (Shape::Text { .. }, _) => "text".to_owned(),
            (_, Some(size)) => size.to_string(),
            (_, None) => format!("{} or more", kind.min),
        };
        let doc = kind.doc.split("\n\n").next().unwrap_or_default();
        let doc: Vec<&str> = doc.split_whitespace().collect();
        table.row(
            out,
            vec![
                kind.name.into(),
                file.into(),
                bytes.into(),
                doc.join(" ").into(),
            ],
        )?;
    }
    table.end(out)?;
    writeln!(out, "\n`ondisk spec KIND` prints the page of one.")?;
    Ok(())
}

/// What the loss of a file of this kind means.
pub(crate) const fn class(kind: &Kind) -> Option<&'static str> {
    match kind.class {
        Some(describe::Class::Authoritative) => Some("authoritative"),
        Some(describe::Class::Derived) => Some("derived"),
        None => None,
    }
}
