//! The byte diagram: sixteen bytes a line, a box a field. What varies in length takes a line of its own.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Write};

use crate::describe::{Kind, Place, Role, Size};

/// Bytes a line.
const ACROSS: usize = 16;
/// Width of a byte, height of a line, and the margins, in pixels.
const BYTE: usize = 52;
const LINE: usize = 40;
const LEFT: usize = 56;
const TOP: usize = 28;
/// Width of a character at the size of the labels.
const CHAR: usize = 7;

/// A byte diagram; show it with `Display`.
#[derive(Clone, Copy, Debug)]
pub struct Diagram {
    kind: &'static Kind,
    version: u32,
}

/// A box: columns `from..to` of a line.
struct Cell {
    line: usize,
    from: usize,
    to: usize,
    label: String,
    title: String,
    class: &'static str,
}

impl Diagram {
    /// The diagram of `kind` in `version`.
    #[must_use]
    pub const fn new(kind: &'static Kind, version: u32) -> Self {
        Self { kind, version }
    }

    /// The boxes, and what stands in the margin of each line.
    fn cells(&self) -> (Vec<Cell>, Vec<String>) {
        let (mut cells, mut margins) = (Vec::new(), Vec::new());
        // Where the next byte goes; a new line begins behind a row that varies.
        let mut column = 0;
        for place in self.kind.places(self.version) {
            let title = format!(
                "{}, {}, at {}",
                place.row.name,
                place.row.type_name(),
                place.offset
            );
            let mut push = |line, from, to, label: &str| {
                let (label, title) = (label.to_string(), title.clone());
                cells.push(Cell {
                    line,
                    from,
                    to,
                    label,
                    title,
                    class: class(&place),
                });
            };
            match &place.size {
                Size::Bits => {}
                Size::Varies(words) => {
                    margins.push(place.offset.to_string());
                    push(
                        margins.len() - 1,
                        0,
                        ACROSS,
                        &format!("{} ({words})", place.row.name),
                    );
                    column = ACROSS;
                }
                Size::Fixed(bytes) => {
                    let mut left = *bytes;
                    // A long array is not drawn byte by byte.
                    let most = 4 * ACROSS;
                    let cut = left.saturating_sub(most);
                    left -= cut;
                    let mut label = place.row.name.to_string();
                    if cut > 0 {
                        let _ = write!(label, " ({bytes} bytes)");
                    }
                    while left > 0 {
                        if margins.is_empty() || column == ACROSS {
                            let mut offset = place.offset.clone();
                            offset.bytes += bytes - cut - left;
                            margins.push(offset.to_string());
                            column = 0;
                        }
                        let take = left.min(ACROSS - column);
                        push(margins.len() - 1, column, column + take, &label);
                        (column, left) = (column + take, left - take);
                    }
                }
            }
        }
        (cells, margins)
    }
}

fn class(place: &Place) -> &'static str {
    match (place.row.role, &place.size) {
        (Role::Checksum(..), _) => "sum",
        (Role::Magic(_) | Role::Version | Role::MustBe(_), _) => "id",
        (Role::Len(_) | Role::Count(_) | Role::Word, _) => "len",
        (Role::Reserved | Role::Keep, _) => "none",
        (Role::Value, Size::Varies(_)) => "varies",
        (Role::Value, _) => "value",
    }
}

impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (cells, margins) = self.cells();
        let margin = margins
            .iter()
            .map(|offset| offset.len() * CHAR + 14)
            .max()
            .unwrap_or(0);
        let left = margin.max(LEFT);
        let (width, height) = (left + ACROSS * BYTE + 2, TOP + margins.len() * LINE + 2);
        writeln!(
            f,
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">"#
        )?;
        writeln!(f, "<title>Bytes of {}</title>", self.kind.name)?;
        f.write_str(STYLE)?;
        for column in 0..ACROSS {
            let x = left + column * BYTE + BYTE / 2;
            writeln!(
                f,
                r#"<text class="at" x="{x}" y="{}">{column}</text>"#,
                TOP - 10
            )?;
        }
        for (line, offset) in margins.iter().enumerate() {
            let y = TOP + line * LINE + LINE / 2 + 4;
            writeln!(
                f,
                r#"<text class="at margin" x="{}" y="{y}">{offset}</text>"#,
                left - 8
            )?;
        }
        cells.iter().try_for_each(|cell| cell.draw(f, left))?;
        f.write_str("</svg>\n")
    }
}

impl Cell {
    fn draw(&self, f: &mut fmt::Formatter<'_>, left: usize) -> fmt::Result {
        let (x, y) = (left + self.from * BYTE, TOP + self.line * LINE);
        let width = (self.to - self.from) * BYTE;
        let (title, class) = (&self.title, self.class);
        write!(f, r#"<g class="{class}"><title>{title}</title>"#)?;
        write!(
            f,
            r#"<rect x="{x}" y="{y}" width="{width}" height="{LINE}"/>"#
        )?;
        let lines = wrap(&self.label, (width - 2) / CHAR);
        for (index, text) in lines.iter().enumerate() {
            let middle = y + LINE / 2 + 4 + index * 13 - (lines.len() - 1) * 13 / 2;
            write!(
                f,
                r#"<text x="{}" y="{middle}">{text}</text>"#,
                x + width / 2
            )?;
        }
        f.write_str("</g>\n")
    }
}

/// A label on at most two lines of `most` characters, broken behind an underscore where it must be.
fn wrap(label: &str, most: usize) -> Vec<String> {
    if label.is_empty() {
        return Vec::new();
    }
    if label.chars().count() <= most {
        return [label.to_string()].into();
    }
    let middle = label.len() / 2;
    let breaks = label.match_indices(['_', ' ']).map(|(at, _)| at + 1);
    let nearest = breaks.min_by_key(|at| at.abs_diff(middle));
    let (first, second) = label
        .split_at_checked(nearest.unwrap_or(label.len()))
        .unwrap_or((label, ""));
    let cut = |part: &str| match part.chars().count() {
        len if len > most => part
            .chars()
            .take(most.saturating_sub(1))
            .chain(['…'])
            .collect(),
        _ => part.to_string(),
    };
    [first, second]
        .into_iter()
        .filter(|part| !part.is_empty())
        .map(cut)
        .collect()
}

/// Readable on a light and on a dark page.
const STYLE: &str = "<style>
text { font: 12px ui-monospace, monospace; text-anchor: middle; fill: #1b1f24 }
.at { font-size: 11px; fill: #6e7781 } .margin { text-anchor: end }
rect { stroke: #57606a; fill: #fff }
.id rect { fill: #ddf4ff } .sum rect { fill: #fff8c5 } .len rect { fill: #dafbe1 } .none rect { fill: #eaeef2 }
.varies rect { stroke-dasharray: 4 3 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } .at { fill: #8d96a0 } rect { fill: #161b22; stroke: #8d96a0 }
.id rect { fill: #0c2d6b } .sum rect { fill: #4b2900 } .len rect { fill: #033a16 } .none rect { fill: #30363d }
}
</style>
";
