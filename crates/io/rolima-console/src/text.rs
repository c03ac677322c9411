//! Numbers and columns for people.

/// A whole number with a comma after every three digits.
pub fn thousands(value: f64) -> String {
    let digits = format!("{value:.0}");
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", digits.as_str()),
    };
    let mut grouped = sign.to_owned();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// `1 robot`, `2 robots`.
pub fn counted(count: usize, thing: &str) -> String {
    format!("{} {thing}{}", thousands(count as f64), if count == 1 { "" } else { "s" })
}

/// A number of some size, with as many digits as are worth reading.
pub fn readable(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 => thousands(value),
        size if size >= 10.0 => format!("{value:.1}"),
        size if size >= 0.01 || size == 0.0 => format!("{value:.2}"),
        _ => format!("{value:.4}"),
    }
}

/// A number with so many decimals, and no minus before zeros.
pub fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let is_zero = text.chars().all(|c| matches!(c, '-' | '0' | '.'));
    if is_zero { text.trim_start_matches('-').to_owned() } else { text }
}

/// A hash as 16 hexadecimal digits.
pub fn hex(hash: u64) -> String {
    format!("{hash:016x}")
}

/// Rows as columns, each as wide as its widest cell; the last one is not filled up.
pub fn columns(rows: &[Vec<String>]) -> Vec<String> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
    };
    let widths: Vec<usize> = (0..count).map(|column| width(column).unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        assert_eq!(thousands(1234567.4), "1,234,567");
        assert_eq!(thousands(-123.0), "-123");
        assert_eq!(thousands(0.0), "0");
        assert_eq!(counted(1, "ball"), "1 ball");
        assert_eq!(counted(1000, "robot"), "1,000 robots");
        assert_eq!(readable(8123456.0), "8,123,456");
        assert_eq!(readable(12.345), "12.3");
        assert_eq!(readable(0.0312), "0.03");
        assert_eq!(readable(0.0003), "0.0003");
        assert_eq!((fixed(-0.0001, 3), fixed(-0.1, 1)), ("0.000".to_owned(), "-0.1".to_owned()));
    }

    #[test]
    fn columns_line_up() {
        let row = |a: &str, b: &str| vec![a.to_owned(), b.to_owned()];
        assert_eq!(columns(&[row("a", "bc"), row("defg", "h")]), ["a     bc", "defg  h"]);
    }
}
