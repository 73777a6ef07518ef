//! A table whose columns fit what comes first; what does not fit later moves its line, never the table.

use std::io::{self, Write};

use super::{Out, Tone};

/// Rows that are looked at before the widths are settled.
const LOOKAHEAD: usize = 256;

/// A column: its title, and whether numbers stand in it.
pub(crate) type Column = (&'static str, Side);

/// Where a cell stands in its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// One cell.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    text: String,
    tone: Option<Tone>,
}

impl Cell {
    pub(crate) fn toned(text: impl Into<String>, tone: Tone) -> Self {
        Self {
            text: text.into(),
            tone: Some(tone),
        }
    }
}

impl<T: ToString> From<T> for Cell {
    fn from(text: T) -> Self {
        Self {
            text: text.to_string(),
            tone: None,
        }
    }
}

/// A table being written.
pub(crate) struct Table {
    columns: Vec<Column>,
    widths: Option<Vec<usize>>,
    held: Vec<Vec<Cell>>,
    indent: usize,
}

impl Table {
    pub(crate) fn new(indent: usize, columns: &[Column]) -> Self {
        Self {
            columns: columns.to_vec(),
            widths: None,
            held: Vec::new(),
            indent,
        }
    }

    /// The next row. Cells that are missing are empty.
    pub(crate) fn row(&mut self, out: &mut Out<'_>, row: Vec<Cell>) -> io::Result<()> {
        if let Some(widths) = &self.widths {
            return line(out, self.indent, &self.columns, widths, &row);
        }
        self.held.push(row);
        if self.held.len() >= LOOKAHEAD {
            self.settle(out)?;
        }
        Ok(())
    }

    /// Writes what was held back. Nothing at all for a table without rows.
    pub(crate) fn end(mut self, out: &mut Out<'_>) -> io::Result<()> {
        if self.held.is_empty() {
            return Ok(());
        }
        self.settle(out)
    }

    fn settle(&mut self, out: &mut Out<'_>) -> io::Result<()> {
        let held = std::mem::take(&mut self.held);
        let width = |(index, (title, _)): (usize, &Column)| {
            let cells = held.iter().filter_map(|row| row.get(index));
            let widest = cells
                .map(|cell| cell.text.chars().count())
                .max()
                .unwrap_or(0);
            widest.max(title.chars().count())
        };
        let widths: Vec<usize> = self.columns.iter().enumerate().map(width).collect();
        let titles: Vec<Cell> = self
            .columns
            .iter()
            .map(|(title, _)| Cell::toned(*title, Tone::Quiet))
            .collect();
        line(out, self.indent, &self.columns, &widths, &titles)?;
        for row in &held {
            line(out, self.indent, &self.columns, &widths, row)?;
        }
        self.widths = Some(widths);
        Ok(())
    }
}

fn line(
    out: &mut Out<'_>,
    indent: usize,
    columns: &[Column],
    widths: &[usize],
    row: &[Cell],
) -> io::Result<()> {
    write!(out, "{:indent$}", "")?;
    // Nothing stands behind the last cell that says something.
    let used = row
        .iter()
        .rposition(|cell| !cell.text.is_empty())
        .map_or(0, |last| last + 1);
    for (index, cell) in row.iter().take(used).enumerate() {
        let side = columns.get(index).map_or(Side::Left, |(_, side)| *side);
        let width = widths.get(index).copied().unwrap_or(0);
        let padding = width.saturating_sub(cell.text.chars().count());
        let (before, behind) = match side {
            Side::Right => (padding, 0),
            Side::Left => (0, padding),
        };
        let gap = if index == 0 { 0 } else { 2 };
        write!(out, "{:gap$}{:before$}", "", "")?;
        match cell.tone {
            Some(tone) => {
                let painted = out.paint.tone(tone, &cell.text);
                write!(out, "{painted}")?;
            }
            None => write!(out, "{}", cell.text)?,
        }
        if index + 1 < used {
            write!(out, "{:behind$}", "")?;
        }
    }
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::{Side, Table};
    use crate::output::{Out, Paint};

    #[test]
    fn columns_line_up() {
        let mut bytes = Vec::new();
        let mut out = Out::new(&mut bytes, Paint::default());
        let mut table = Table::new(
            2,
            &[
                ("name", Side::Left),
                ("bytes", Side::Right),
                ("", Side::Left),
            ],
        );
        table
            .row(&mut out, vec!["a".into(), 7.into(), "sound".into()])
            .unwrap();
        table
            .row(&mut out, vec!["größe".into(), 1234567.into()])
            .unwrap();
        table.end(&mut out).unwrap();
        let expected = "  name     bytes\n  a            7  sound\n  größe  1234567\n";
        assert_eq!(String::from_utf8(bytes).unwrap(), expected);
    }
}
