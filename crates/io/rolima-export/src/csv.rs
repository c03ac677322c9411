//! Tables as text: commas between columns, a line a row.

use crate::column::{Column, Sink, TableError};
use std::io::Write;

/// Bytes that are gathered before they are written.
const GATHERED: usize = 1 << 16;

/// A table as text. Numbers have the fewest digits that read back to the same bits, those of 32 bits as such.
pub struct Csv<W: Write> {
    out: W,
    line: Vec<u8>,
    are_double: Vec<bool>,
    digits: zmij::Buffer,
}

impl<W: Write> Csv<W> {
    /// Begins with the heads of the columns.
    pub fn new(out: W, columns: &[Column]) -> Result<Self, TableError> {
        let heads: Vec<String> = columns.iter().map(|column| quoted(&column.head())).collect();
        let mut line = heads.join(",").into_bytes();
        line.push(b'\n');
        let are_double = columns.iter().map(|column| column.is_double).collect();
        Ok(Self { out, line, are_double, digits: zmij::Buffer::new() })
    }

    fn write(&mut self) -> Result<(), TableError> {
        self.out.write_all(&self.line)?;
        self.line.clear();
        Ok(())
    }
}

impl<W: Write> Sink for Csv<W> {
    fn row(&mut self, values: &[f64]) -> Result<(), TableError> {
        let Self { line, digits, are_double, .. } = self;
        for (i, (&value, is_double)) in values.iter().zip(are_double).enumerate() {
            if i > 0 {
                line.push(b',');
            }
            let text = if *is_double { digits.format(value) } else { digits.format(value as f32) };
            line.extend_from_slice(text.strip_suffix(".0").unwrap_or(text).as_bytes());
        }
        line.push(b'\n');
        if line.len() < GATHERED {
            return Ok(());
        }
        self.write()
    }

    fn end(&mut self) -> Result<(), TableError> {
        self.write()?;
        Ok(self.out.flush()?)
    }
}

/// A cell of text, in quotes where it has something that divides cells.
pub fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(columns: &[Column], values: &[f64]) -> String {
        let mut bytes = vec![];
        let mut table = Csv::new(&mut bytes, columns).unwrap();
        table.row(values).unwrap();
        table.end().unwrap();
        String::from_utf8(bytes).unwrap().lines().nth(1).unwrap_or_default().to_owned()
    }

    #[test]
    fn numbers_read_back_to_the_same_bits_in_few_digits() {
        let columns = vec![Column::double("a", ""); 9];
        let values =
            [0.1, -0.0, 1.0, 1e300, 1e-7, f64::MIN_POSITIVE, f64::NAN, f64::INFINITY, 1.0 / 3.0];
        let text = line(&columns, &values);
        assert!(
            text.starts_with("0.1,-0,1,") && text.contains("NaN,inf,0.3333333333333333"),
            "{text}"
        );
        for (read, value) in text.split(',').map(|cell| cell.parse::<f64>().unwrap()).zip(values) {
            assert!(
                read.to_bits() == value.to_bits() || (read.is_nan() && value.is_nan()),
                "{text}"
            );
        }
        // One of 32 bits has no more digits than it has.
        let small = line(&[Column::single("a", "")], &[f64::from(0.1_f32)]);
        assert_eq!(small, "0.1");
    }

    #[test]
    fn heads_have_units_and_quotes_where_they_divide_cells() {
        let columns = [
            Column::double("a,b", "m"),
            Column::double("c \"d\"", ""),
            Column::single("e", "rad/s"),
        ];
        let mut bytes = vec![];
        Csv::new(&mut bytes, &columns).unwrap().end().unwrap();
        assert_eq!(String::from_utf8(bytes).unwrap(), "\"a,b [m]\",\"c \"\"d\"\"\",e [rad/s]\n");
    }
}
