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
    /// New by old speed, one a round; none of what is no speed.
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
        let ratio = ratio(old, new)?;
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
        row.ratios.extend(ratio);
        row.same = row.same.zip(same).map(|(before, now)| before && now);
        Ok(())
    }

    /// One row a benchmark; those that are `starred` have a star.
    pub(super) fn table(&self, starred: &[&str]) -> String {
        let mut table = format!(
            "{:<19} {:>13} {:>13} {:<14} {:>7} {:>15}  {}\n",
            "benchmark", "old", "new", "unit", "new/old", "lowest..highest", "state"
        );
        for row in &self.rows {
            let middle = |values: &[f64]| shown(median(values).unwrap_or(f64::NAN));
            let ratio = median(&row.ratios).map_or("-".to_owned(), |ratio| format!("{ratio:.3}"));
            let [lowest, highest] = row.ends();
            let range = match row.ratios[..] {
                [] => "-".to_owned(),
                _ => format!("{lowest:.3}..{highest:.3}"),
            };
            let same = match row.same {
                Some(true) => "same",
                Some(false) => "differs",
                None => "-",
            };
            let star = if starred.contains(&&*row.name) { "*" } else { "" };
            let (name, unit) = (format!("{}{star}", row.name), &row.unit);
            let (old, new) = (middle(&row.old), middle(&row.new));
            table += &format!(
                "{name:<19} {old:>13} {new:>13} {unit:<14} {ratio:>7} {range:>15}  {same}\n"
            );
        }
        table
    }

    /// Which are slower, if any are.
    pub(super) fn verdict(&self) -> String {
        let slower = self.rows.iter().filter(|row| row.ends()[1] < 1.0 - TOLERATED);
        let names: Vec<&str> = slower.map(|row| &*row.name).collect();
        let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        format!("slower by more than {:.0} % in every round: {names}", 1e2 * TOLERATED)
    }
}

impl Row {
    /// The lowest and the highest ratio.
    fn ends(&self) -> [f64; 2] {
        let lowest = self.ratios.iter().copied().fold(f64::INFINITY, f64::min);
        let highest = self.ratios.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        [lowest, if self.ratios.is_empty() { f64::INFINITY } else { highest }]
    }
}

/// What a program may lose without a word: some machines waver by as much.
const TOLERATED: f64 = 0.03;

/// How units begin or end of which less is better.
const LESS: [&str; 4] = ["us", "ms", "bytes", "x echo"];
/// Those of which more is better.
const MORE: [&str; 4] = ["/s", "x real time", "share", "of the step rate"];

/// New by old speed: that of rates as it is, of times by its inverse. None of what is counted (pictures that
/// were cut off, deadlines that were missed beyond a bare loop's), which may well be nothing.
fn ratio(old: &Figure, new: &Figure) -> Result<Option<f64>> {
    let Figure { name, unit, .. } = new;
    let ratio = if COUNTED.contains(&&**unit) {
        return Ok(None);
    } else if MORE.iter().any(|end| unit.ends_with(end)) {
        new.value / old.value
    } else if LESS.iter().any(|begin| unit.starts_with(begin)) {
        old.value / new.value
    } else {
        bail!("{name}: expected a unit of speed, time or size, got `{unit}`")
    };
    Ok(Some(ratio))
}

/// What is counted, and may be nothing.
const COUNTED: [&str; 3] = ["cut off", "missed beyond bare", "ms p99 above a bare loop"];

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
        let table = ratios.table(&[]);
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
    fn units_of_no_known_kind_or_of_two_kinds_are_refused() {
        let mut ratios = Ratios::default();
        let odd = figure(0.9, "furlongs", None);
        assert!(ratios.add(&odd, &odd).unwrap_err().to_string().contains("`furlongs`"));
        let error = ratios.add(&figure(1.0, "us", None), &figure(1.0, "ms", None)).unwrap_err();
        assert!(error.to_string().contains("`us` and `ms`"));
    }

    #[test]
    fn what_is_counted_has_no_ratio_and_is_never_slower() {
        let mut ratios = Ratios::default();
        ratios.add(&figure(0.0, "cut off", None), &figure(3.0, "cut off", None)).unwrap();
        assert_eq!(row(&ratios).join(" "), "crowd 0.00 3.00 cut off - - -");
        assert!(ratios.verdict().ends_with(": none"));
    }

    #[test]
    fn slower_is_what_is_so_in_every_round() {
        let of = |rounds: &[f64]| {
            let mut ratios = Ratios::default();
            for new in rounds {
                let (old, new) = (figure(1.0, "steps/s", None), figure(*new, "steps/s", None));
                ratios.add(&old, &new).unwrap();
            }
            ratios.verdict()
        };
        assert!(of(&[0.9, 0.96, 0.8]).ends_with(": crowd"));
        assert!(of(&[0.9, 0.98, 0.8]).ends_with(": none"));
        let mut share = Ratios::default();
        share.add(&figure(0.9, "share", None), &figure(0.8, "share", None)).unwrap();
        assert!(share.verdict().ends_with(": crowd"));
        assert!(share.table(&["crowd"]).contains("crowd*"));
    }
}
