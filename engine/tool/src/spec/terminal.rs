//! A page of Markdown on a terminal: headings, tables whose last column is broken into lines, lists, code.

use std::io::{self, Write};

use crate::output::{Out, Tone, words};

/// Shows a page.
pub(crate) fn show(page: &str, out: &mut Out<'_>) -> io::Result<()> {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut code = false;
    for line in page.lines() {
        if line.starts_with('|') && !code {
            rows.push(cells(line));
            continue;
        }
        table(std::mem::take(&mut rows), out)?;
        if line.starts_with("```") {
            code = !code;
        } else if code {
            writeln!(out, "    {line}")?;
        } else if let Some(title) = line.strip_prefix("# ") {
            let title = out.paint.tone(Tone::Title, title.to_uppercase());
            writeln!(out, "{title}")?;
        } else if let Some(title) = line.strip_prefix("## ") {
            let title = out.paint.tone(Tone::Title, title);
            writeln!(out, "{title}")?;
        } else if line.starts_with('!') {
            // A picture.
        } else if line.is_empty() {
            writeln!(out)?;
        } else {
            paragraph(line, out)?;
        }
    }
    table(rows, out)
}

/// Text; what stands behind the number of a list item is lined up.
fn paragraph(line: &str, out: &mut Out<'_>) -> io::Result<()> {
    // Emphasis is a mark of its own here.
    let text = plain(&line.replace("Fields in italics are", "Fields with a + are"));
    let number = text
        .split_once(". ")
        .filter(|(number, _)| number.bytes().all(|byte| byte.is_ascii_digit()));
    let Some((number, text)) = number else {
        return out.paragraph(0, &text);
    };
    let room = out.width.saturating_sub(4).max(20);
    for (index, line) in words::wrap(text, room).into_iter().enumerate() {
        let number = if index == 0 {
            format!("{number}.")
        } else {
            String::new()
        };
        writeln!(out, "{number:>3} {line}")?;
    }
    Ok(())
}

/// The cells of a line of a table.
fn cells(line: &str) -> Vec<String> {
    // A bar that belongs to a cell is escaped; no page has this character otherwise.
    let line = line.replace("\\|", "\u{1}");
    let inner = line.trim().trim_start_matches('|').trim_end_matches('|');
    inner
        .split('|')
        .map(|cell| {
            let emphasised = cell.trim().starts_with("*`");
            let cell = plain(cell.trim()).replace('\u{1}', "|");
            if emphasised {
                format!("{cell} +")
            } else {
                cell
            }
        })
        .collect()
}

/// Without the marks of Markdown: code, emphasis, links.
fn plain(text: &str) -> String {
    let mut shown = String::new();
    let mut left = text;
    while let Some(at) = left.find(['`', '*', '[']) {
        let (before, rest) = left.split_at(at);
        shown.push_str(before);
        let mut chars = rest.chars();
        let mark = chars.next();
        left = chars.as_str();
        if mark == Some('[') {
            match left.split_once("](") {
                Some((label, behind)) if !label.contains(']') => {
                    shown.push_str(label);
                    left = behind.split_once(')').map_or("", |(_, behind)| behind);
                }
                _ => shown.push('['),
            }
        } else if mark == Some('`')
            && let Some((code, behind)) = left.split_once('`')
        {
            shown.push_str(code);
            left = behind;
        }
    }
    shown.push_str(left);
    shown
}

/// The widest a column may be that is not the last.
const WIDEST: usize = 28;

fn table(mut rows: Vec<Vec<String>>, out: &mut Out<'_>) -> io::Result<()> {
    rows.retain(|row| {
        !row.iter()
            .all(|cell| cell.is_empty() || cell.bytes().all(|byte| byte == b'-'))
    });
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let Some(last) = columns.checked_sub(1) else {
        return Ok(());
    };
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or(0)
            .min(WIDEST)
    };
    let widths: Vec<usize> = (0..last).map(width).collect();
    let taken: usize = widths.iter().map(|width| width + 2).sum();
    let room = out.width.saturating_sub(taken).max(24);
    // The table of facts has an empty line of titles, which is gone by now.
    let titled = columns > 2
        || rows
            .first()
            .is_some_and(|row| row.first().is_some_and(|cell| cell == "value"));
    for (number, row) in rows.iter().enumerate() {
        let columns: Vec<Vec<String>> = (0..columns)
            .map(|column| {
                let room = widths.get(column).copied().unwrap_or(room);
                words::wrap(row.get(column).map_or("", String::as_str), room)
            })
            .collect();
        let height = columns.iter().map(Vec::len).max().unwrap_or(0);
        for line in 0..height {
            let mut shown = String::new();
            for (column, lines) in columns.iter().enumerate() {
                let text = lines.get(line).map_or("", String::as_str);
                let width = widths.get(column).copied().unwrap_or(0);
                shown.push_str(text);
                if column < last {
                    let padding = width.saturating_sub(text.chars().count()) + 2;
                    shown.push_str(&" ".repeat(padding));
                }
            }
            let shown = shown.trim_end();
            if titled && number == 0 {
                let shown = out.paint.tone(Tone::Quiet, shown);
                writeln!(out, "{shown}")?;
            } else {
                writeln!(out, "{shown}")?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{cells, plain};
    use crate::output::{Out, Paint};

    #[test]
    fn marks_are_taken_off() {
        assert_eq!(
            plain("*`crc`* over [Epochs](epochs.md), `a [b]`"),
            "crc over Epochs, a [b]"
        );
        assert_eq!(plain("a [b] c"), "a [b] c");
        assert_eq!(cells("| a | `x \\| y` |"), ["a", "x | y"]);
    }

    #[test]
    fn a_page() {
        let page = "\
# Mark

How far it got.

| | |
|---|---|
| file | `mark` |

## Layout

| offset | size | field | notes |
|---|---|---|---|
| 0 | 4 | *`magic`* | `4d41524b` \"MARK\" |
| 4 | 8 | `position` | in a [Segment](segment.md); of its first byte that was not flushed, as far as is known |

Fields in italics are the writer's: they are computed, never given.

1. `magic` is `4d41524b` \"MARK\".

```text
none or yes
```
";
        let mut shown = Vec::new();
        let mut out = Out::to_buffer(&mut shown, Paint::default(), 60);
        super::show(page, &mut out).unwrap();
        let expected = "\
MARK

How far it got.

file  mark

Layout

offset  size  field     notes
0       4     magic +   4d41524b \"MARK\"
4       8     position  in a Segment; of its first byte that
                        was not flushed, as far as is known

Fields with a + are the writer's: they are computed, never
given.

 1. magic is 4d41524b \"MARK\".

    none or yes
";
        assert_eq!(String::from_utf8(shown).unwrap(), expected);
    }
}
