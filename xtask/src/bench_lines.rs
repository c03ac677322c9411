//! What benchmarks print as JSON, one object a line, and what tables are made of.

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// One line of a benchmark.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Line {
    /// It was measured.
    Figure(Figure),
    /// It could not be measured: who says so, and why.
    Skipped { engine: Option<String>, reason: String },
}

/// What was measured.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Figure {
    /// Name of the benchmark.
    pub(crate) name: String,
    /// Who did the work, where the line says so.
    pub(crate) engine: Option<String>,
    /// The median of the runs, in `unit`.
    pub(crate) value: f64,
    pub(crate) unit: String,
    /// A hash, or several by size; nothing where the clock has a say.
    pub(crate) state_hash: Option<Value>,
}

/// Reads what a benchmark printed.
pub(crate) fn read_lines(output: &str) -> Result<Vec<Line>> {
    // Some modules greet on standard output: only lines that are objects count.
    output.lines().filter(|line| line.starts_with('{')).map(read_line).collect()
}

fn read_line(line: &str) -> Result<Line> {
    let object: Value = serde_json::from_str(line).with_context(|| format!("not JSON: {line}"))?;
    let text = |key: &str| object[key].as_str().map(str::to_owned);
    let engine = text("engine");
    if let Some(reason) = text("skipped") {
        return Ok(Line::Skipped { engine, reason });
    }
    let (Some(name), Some(value), Some(unit)) =
        (text("name"), object["value"].as_f64(), text("unit"))
    else {
        bail!("expected `name`, `value` and `unit`, got {line}");
    };
    let state_hash = object.get("state_hash").cloned();
    Ok(Line::Figure(Figure { name, engine, value, unit, state_hash }))
}

/// The middle one of some values; of an even number, the mean of the middle two.
pub(crate) fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let upper = *sorted.get(sorted.len() / 2)?;
    let lower = *sorted.get((sorted.len() - 1) / 2)?;
    Some(0.5 * (lower + upper))
}

/// A whole number with a comma after every three digits.
pub(crate) fn with_thousands(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A count from 1 up, as options give it.
pub(crate) fn count(option: &str, given: &str) -> Result<u32> {
    match given.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => bail!("{option} takes a whole number from 1 up, got `{given}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_a_figure_or_a_reason() {
        let output = "hello\n\
            {\"name\":\"crowd\",\"value\":2.5,\"unit\":\"s/s\",\"state_hash\":{\"10\":\"ab\"}}\n\
            {\"engine\":\"mujoco\",\"skipped\":\"not installed\"}\n";
        let lines = read_lines(output).unwrap();
        let figure = Figure {
            name: "crowd".to_owned(),
            engine: None,
            value: 2.5,
            unit: "s/s".to_owned(),
            state_hash: Some(serde_json::json!({ "10": "ab" })),
        };
        let engine = Some("mujoco".to_owned());
        let skipped = Line::Skipped { engine, reason: "not installed".to_owned() };
        assert_eq!(lines, [Line::Figure(figure), skipped]);
    }

    #[test]
    fn a_line_without_a_value_is_refused() {
        assert!(read_lines(r#"{"name":"crowd","unit":"robot-steps/s"}"#).is_err());
        assert!(read_lines("{").is_err());
    }

    #[test]
    fn the_median_is_the_middle_one_or_the_mean_of_two() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0]), Some(3.0));
        assert_eq!(median(&[8.0, 2.0, 6.0]), Some(6.0));
        assert_eq!(median(&[8.0, 2.0, 6.0, 1.0]), Some(4.0));
    }

    #[test]
    fn thousands_are_grouped() {
        assert_eq!(with_thousands(7.0), "7");
        assert_eq!(with_thousands(352394.4), "352,394");
        assert_eq!(with_thousands(5469111.0), "5,469,111");
    }

    #[test]
    fn counts_begin_at_one() {
        assert_eq!(count("--rounds", "3").unwrap(), 3);
        for wrong in ["0", "-1", "many", ""] {
            let error = count("--rounds", wrong).unwrap_err().to_string();
            assert!(error.contains("--rounds") && error.contains(wrong), "{error}");
        }
    }
}
