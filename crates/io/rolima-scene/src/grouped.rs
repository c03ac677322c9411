//! Rows of the ledger for people: entries of a list that say the same share one.

use crate::ledger::LedgerRow;
use std::collections::{BTreeMap, BTreeSet};

/// One row for all entries of a list that have the same value from the same place: `robot.*.x` for
/// all of them, `robot.0-2,5.x` for some. With `*` it can be given to `--set` as it stands.
pub fn grouped<'a>(rows: impl Iterator<Item = &'a LedgerRow>) -> Vec<LedgerRow> {
    struct Group<'a> {
        first: &'a LedgerRow,
        /// The key before and after the number.
        around: Option<(&'a str, &'a str)>,
        numbers: BTreeSet<usize>,
    }
    let mut groups: Vec<Group<'a>> = vec![];
    let mut index = BTreeMap::new();
    let mut entries: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for row in rows {
        let split = split_at_number(&row.key);
        let around = split.map(|(before, _, after)| (before, after));
        let key = around.unwrap_or((&row.key, ""));
        let at = *index.entry((key, &row.value, row.origin.to_string())).or_insert(groups.len());
        if at == groups.len() {
            groups.push(Group { first: row, around, numbers: BTreeSet::new() });
        }
        if let Some((before, number, _)) = split {
            groups[at].numbers.insert(number);
            entries.entry(before).or_default().insert(number);
        }
    }
    let key_of = |group: &Group<'_>| match group.around {
        Some((before, after)) if group.numbers.len() > 1 => {
            let is_all = entries.get(before).is_some_and(|all| *all == group.numbers);
            let which = if is_all { "*".to_owned() } else { ranges(&group.numbers) };
            format!("{before}{which}{after}")
        }
        _ => group.first.key.clone(),
    };
    groups.iter().map(|group| LedgerRow { key: key_of(group), ..group.first.clone() }).collect()
}

/// `robot.12.drive.mass` as `robot.`, 12, `.drive.mass`.
fn split_at_number(key: &str) -> Option<(&str, usize, &str)> {
    let mut start = 0;
    for segment in key.split('.') {
        let end = start + segment.len();
        if let Ok(number) = segment.parse() {
            return Some((&key[..start], number, &key[end..]));
        }
        start = end + 1;
    }
    None
}

/// `0-2,5` of 0, 1, 2, 5.
fn ranges(numbers: &BTreeSet<usize>) -> String {
    let mut runs: Vec<(usize, usize)> = vec![];
    for &number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let shown =
        runs.iter().map(
            |(first, last)| {
                if first == last { first.to_string() } else { format!("{first}-{last}") }
            },
        );
    shown.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Origin;

    fn row(key: &str, value: &str) -> LedgerRow {
        let (key, value) = (key.to_owned(), value.to_owned());
        LedgerRow { key, value, unit: "m", meaning: "a length", origin: Origin::Default("ours") }
    }

    #[test]
    fn equal_entries_share_a_row() {
        let rows = [
            row("robot.0.x", "1"),
            row("robot.0.y", "5"),
            row("robot.1.x", "1"),
            row("robot.1.y", "6"),
            row("robot.2.x", "1"),
            row("robot.2.y", "5"),
            row("sim.step_s", "1"),
        ];
        let keys: Vec<String> = grouped(rows.iter()).into_iter().map(|row| row.key).collect();
        assert_eq!(keys, ["robot.*.x", "robot.0,2.y", "robot.1.y", "sim.step_s"]);
    }

    #[test]
    fn runs_of_numbers_are_ranges() {
        assert_eq!(ranges(&BTreeSet::from([0, 1, 2, 5, 7, 8])), "0-2,5,7-8");
    }
}
