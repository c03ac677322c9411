//! Ratios of speed, and their table.

use anyhow::{Result, bail};

use crate::bench_lines::{Figure, median, with_thousands};

/// All rounds of all benchmarks.
#[derive(Default)]
pub(super) struct Ratios {
    rows: Vec<Row>,
}

/// All rounds of one benchmark.
struct Row {
    name: String,
    unit: String,
    old: Vec<f64>,
    new: Vec<f64>,
    /// New by old speed, one a round.
    ratios: Vec<f64>,
    /// Whether both sides ended in the same states in every round; nothing if one tells no hash.
    same: Option<bool>,
}

impl Ratios {
    /// Takes the two figures of a round.
    pub(super) fn add(&mut self, old: &Figure, new: &Figure) -> Result<()> {
        if old.unit != new.unit {
            let Figure { name, unit, .. } = new;
            bail!("{name}: expected figures of one unit, got `{}` and `{unit}`", old.unit);
        }
        let ratio = speed(new)? / speed(old)?;
        let same = old.state_hash.as_ref().zip(new.state_hash.as_ref()).map(|(a, b)| a == b);
        let row = match self.rows.iter_mut().find(|row| row.name == new.name) {
            Some(row) => row,
            None => self.rows.push_mut(Row {
                name: new.name.clone(),
                unit: new.unit.clone(),
                old: Vec::new(),
                new: Vec::new(),
                ratios: Vec::new(),
                same: Some(true),
            }),
        };
        row.old.push(old.value);
        row.new.push(new.value);
        row.ratios.push(ratio);
        row.same = row.same.zip(same).map(|(before, now)| before && now);
        Ok(())
    }

    /// One row a benchmark.
    pub(super) fn table(&self) -> String {
        let mut table = format!(
            "{:<18} {:>13} {:>13} {:<14} {:>7} {:>15}  {}\n",
            "benchmark", "old", "new", "unit", "new/old", "lowest..highest", "state"
        );
        for row in &self.rows {
            let middle = |values: &[f64]| shown(median(values).unwrap_or(f64::NAN));
            let ratio = median(&row.ratios).unwrap_or(f64::NAN);
            let lowest = row.ratios.iter().copied().fold(f64::INFINITY, f64::min);
            let highest = row.ratios.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let range = format!("{lowest:.3}..{highest:.3}");
            let same = match row.same {
                Some(true) => "same",
                Some(false) => "differs",
                None => "-",
            };
            let (name, unit) = (&row.name, &row.unit);
            let (old, new) = (middle(&row.old), middle(&row.new));
            table += &format!(
                "{name:<18} {old:>13} {new:>13} {unit:<14} {ratio:>7.3} {range:>15}  {same}\n"
            );
        }
        table
    }
}

/// What grows as the program gets faster: a rate as it is, a time by its inverse.
fn speed(figure: &Figure) -> Result<f64> {
    let Figure { name, value, unit, .. } = figure;
    if unit.ends_with("/s") || unit == "x real time" {
        Ok(*value)
    } else if unit.starts_with("us") {
        Ok(1.0 / value)
    } else {
        bail!("{name}: expected a benchmark of a speed or of CPU time, got one of `{unit}`")
    }
}

fn shown(value: f64) -> String {
    if value >= 1000.0 { with_thousands(value) } else { format!("{value:.2}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn figure(value: f64, unit: &str, hash: Option<&str>) -> Figure {
        Figure {
            name: "crowd".to_owned(),
            engine: None,
            value,
            unit: unit.to_owned(),
            state_hash: hash.map(|hash| json!({ "10": hash })),
        }
    }

    /// The words of the only row.
    fn row(ratios: &Ratios) -> Vec<String> {
        let table = ratios.table();
        let line = table.lines().nth(1).unwrap();
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn the_answer_is_the_median_of_the_ratios_not_the_ratio_of_medians() {
        let mut ratios = Ratios::default();
        // The machine gets slower from round to round, by more than the change gains.
        for (old, new) in [(9e6, 9.9e6), (4e6, 4.4e6), (1e6, 1.3e6)] {
            let (old, new) =
                (figure(old, "steps/s", Some("ab")), figure(new, "steps/s", Some("ab")));
            ratios.add(&old, &new).unwrap();
        }
        let expected = "crowd 4,000,000 4,400,000 steps/s 1.100 1.100..1.300 same";
        assert_eq!(row(&ratios).join(" "), expected);
    }

    #[test]
    fn a_longer_time_is_a_lower_speed() {
        let mut ratios = Ratios::default();
        ratios.add(&figure(8.0, "us", None), &figure(10.0, "us", None)).unwrap();
        assert_eq!(row(&ratios).join(" "), "crowd 8.00 10.00 us 0.800 0.800..0.800 -");
    }

    #[test]
    fn one_round_in_another_state_is_told() {
        let mut ratios = Ratios::default();
        for hash in ["ab", "cd", "ab"] {
            let new = figure(1.0, "s/s", Some(hash));
            ratios.add(&figure(1.0, "s/s", Some("ab")), &new).unwrap();
        }
        assert_eq!(row(&ratios).last().unwrap(), "differs");
    }

    #[test]
    fn what_is_no_speed_is_refused() {
        let mut ratios = Ratios::default();
        let share = figure(0.9, "share", None);
        assert!(ratios.add(&share, &share).unwrap_err().to_string().contains("`share`"));
        let error = ratios.add(&figure(1.0, "us", None), &figure(1.0, "ms", None)).unwrap_err();
        assert!(error.to_string().contains("`us` and `ms`"));
    }
}
