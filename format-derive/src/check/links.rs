//! What rows have to do with each other: names resolved to row numbers.

use proc_macro2::Ident;

use crate::diagnostic::Diagnostics;
use crate::model::{Base, Definition, Pieces, Role, Row};

/// The links of all rows, by row number.
pub(crate) struct Links {
    pub(crate) rows: Vec<RowLinks>,
}

/// The links of one row.
#[derive(Default)]
pub(crate) struct RowLinks {
    /// The word whose bits it is.
    pub(crate) word: Option<usize>,
    /// The rows whose length it is, half-open.
    pub(crate) len_of: Option<(usize, usize)>,
    /// The row whose entries it counts.
    pub(crate) count_of: Option<usize>,
    /// The row that says its length alone.
    pub(crate) len_by: Option<usize>,
    /// The row that counts its entries.
    pub(crate) count_by: Option<usize>,
    /// What its checksum covers, half-open, ascending, adjacent pieces merged.
    pub(crate) spans: Vec<(usize, usize)>,
    /// The earlier rows that its condition names.
    pub(crate) when: Vec<usize>,
    /// It decides the length or presence of others.
    pub(crate) frames: bool,
}

impl Links {
    /// The innermost range of rows with a common length that holds `row`, if it is more than that row.
    pub(crate) fn innermost_bound(&self, row: usize) -> Option<(usize, usize)> {
        let bounds = self.bounds();
        bounds
            .into_iter()
            .filter(|&(from, to, _)| from <= row && row < to)
            .map(|(from, to, _)| (from, to))
            .min_by_key(|(from, to)| to - from)
    }

    /// The length whose rows end before `row`: the outermost, which is found first.
    pub(crate) fn bound_to(&self, row: usize) -> Option<usize> {
        let bounds = self.bounds().into_iter();
        bounds
            .filter(|&(_, to, _)| to == row)
            .max_by_key(|&(from, to, _)| to - from)
            .map(|(_, _, len)| len)
    }

    /// The ranges of rows with a common length, and the row that says it.
    pub(crate) fn bounds(&self) -> Vec<(usize, usize, usize)> {
        let rows = self.rows.iter().enumerate();
        rows.filter_map(|(index, row)| row.len_of.map(|(from, to)| (from, to, index)))
            .filter(|&(from, _, index)| self.rows[from].len_by != Some(index))
            .collect()
    }
}

/// Resolves every name.
pub(super) fn resolve(definition: &Definition, errors: &mut Diagnostics) -> Links {
    let mut links = Links {
        rows: definition
            .rows
            .iter()
            .map(|_| RowLinks::default())
            .collect(),
    };
    words(definition, &mut links, errors);
    for (index, row) in definition.rows.iter().enumerate() {
        match &row.role {
            Role::Len(pieces) => length(definition, &mut links, index, pieces, errors),
            Role::Count(name) => count(definition, &mut links, index, name, errors),
            Role::Checksum(_, pieces) => {
                links.rows[index].spans = merged(ranges(definition, pieces, errors));
            }
            _ => {}
        }
        if let Some(condition) = &row.keys.when {
            links.rows[index].when = super::condition::names(definition, index, condition, errors);
        }
    }
    for index in 0..definition.rows.len() {
        for other in links.rows[index].when.clone() {
            links.rows[other].frames = true;
        }
    }
    links
}

fn words(definition: &Definition, links: &mut Links, errors: &mut Diagnostics) {
    let mut word: Option<(usize, u8, u64)> = None;
    for (index, row) in definition.rows.iter().enumerate() {
        let Some((low, high)) = row.keys.bits else {
            word = match (&row.role, &row.ty.base) {
                (Role::Word, Base::Int(int)) => Some((index, int.bytes * 8, 0)),
                _ => None,
            };
            continue;
        };
        let span = row.keys.span("bits").unwrap_or_else(|| row.name.span());
        let Some((holder, width, taken)) = &mut word else {
            errors.at(
                span,
                "bits stand right behind the word that holds them: a row with `#[format(word)]`",
            );
            continue;
        };
        if high >= *width {
            errors.at(
                span,
                format!(
                    "`{}` has the bits 0 to {}",
                    definition.rows[*holder].name,
                    *width - 1
                ),
            );
            continue;
        }
        let mask = (u64::MAX >> (63 - (high - low))) << low;
        if *taken & mask != 0 {
            errors.at(span, "another row has one of these bits already");
        }
        *taken |= mask;
        links.rows[index].word = Some(*holder);
        links.rows[*holder].frames |= matches!(row.role, Role::Len(_) | Role::Count(_));
    }
}

fn length(
    definition: &Definition,
    links: &mut Links,
    index: usize,
    pieces: &Pieces,
    errors: &mut Diagnostics,
) {
    let spans = merged(ranges(definition, pieces, errors));
    let [(from, to)] = spans[..] else {
        if !spans.is_empty() {
            errors.at(pieces.span, "a length is that of rows which lie together");
        }
        return;
    };
    if from <= index && index < to {
        errors.at(
            pieces.span,
            "a length cannot count itself: let it begin behind its row",
        );
        return;
    }
    links.rows[index].len_of = Some((from, to));
    links.rows[index].frames = true;
    let target = &definition.rows[from];
    if to == from + 1 && target.ty.base.is_open_ended() {
        if links.rows[from].len_by.is_some() {
            errors.at(
                pieces.span,
                format!("`{}` has a length already", target.name),
            );
        }
        links.rows[from].len_by = Some(index);
        if from < index && !definition.keys.is_whole() {
            errors.at(
                pieces.span,
                "a length behind its row needs the end of the input: say `whole`",
            );
        }
    } else if from < index {
        errors.at(pieces.span, "a length of several rows stands before them");
    }
}

fn count(
    definition: &Definition,
    links: &mut Links,
    index: usize,
    name: &Ident,
    errors: &mut Diagnostics,
) {
    let Some(target) = position(definition, name, errors) else {
        return;
    };
    if !matches!(definition.rows[target].ty.base, Base::Seq(_)) {
        errors.at(
            name.span(),
            format!("a count is that of entries, and `{name}` is no `Vec` of a kind"),
        );
        return;
    }
    if target < index {
        errors.at(name.span(), "a count stands before what it counts");
    }
    if links.rows[target].count_by.is_some() {
        errors.at(name.span(), format!("`{name}` has a count already"));
    }
    links.rows[index].count_of = Some(target);
    links.rows[index].frames = true;
    links.rows[target].count_by = Some(index);
}

fn ranges(
    definition: &Definition,
    pieces: &Pieces,
    errors: &mut Diagnostics,
) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    for piece in &pieces.pieces {
        let from = piece
            .from
            .as_ref()
            .map_or(Some(0), |name| position(definition, name, errors));
        let to = match &piece.to {
            None => Some(definition.rows.len()),
            Some(_) if piece.to == piece.from => from.map(|row| row + 1),
            Some(name) if piece.inclusive => position(definition, name, errors).map(|row| row + 1),
            Some(name) => position(definition, name, errors),
        };
        let (Some(from), Some(to)) = (from, to) else {
            continue;
        };
        if to <= from {
            errors.at(pieces.span, "a range of rows is empty");
            continue;
        }
        let is_bits = |row: usize| definition.rows.get(row).is_some_and(Row::is_bits);
        if is_bits(from) || is_bits(to) {
            errors.at(
                pieces.span,
                "a range of rows is one of whole bytes: name the word, not its bits",
            );
            continue;
        }
        if out.last().is_some_and(|&(_, end)| from < end) {
            errors.at(
                pieces.span,
                "ranges of rows stand in order and do not overlap",
            );
        }
        out.push((from, to));
    }
    out
}

fn merged(ranges: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    let mut out: Vec<(usize, usize)> = Vec::new();
    for (from, to) in ranges {
        match out.last_mut() {
            Some((_, end)) if *end == from => *end = to,
            _ => out.push((from, to)),
        }
    }
    out
}

fn position(definition: &Definition, name: &Ident, errors: &mut Diagnostics) -> Option<usize> {
    let found = definition.rows.iter().position(|row| row.name == *name);
    if found.is_none() {
        errors.at(name.span(), format!("no row is called `{name}`"));
    }
    found
}
