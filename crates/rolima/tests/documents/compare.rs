//! Comparing what was printed with what a document says.

use serde_json::Value;

/// Whether printed lines are those of a document, where a line `...` stands for any number of
/// lines, and numbers of the wall clock for any.
pub(crate) fn is_same(shown: &[String], printed: &[String], any_number: bool) -> bool {
    let tidy = |lines: &[String]| -> Vec<String> {
        lines.iter().map(|line| without_clock(line, any_number)).collect()
    };
    matches(&tidy(shown), &tidy(printed))
}

fn matches(shown: &[String], printed: &[String]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((gap, rest)) if gap == "..." => {
            (0..=printed.len()).any(|skipped| matches(rest, &printed[skipped..]))
        }
        Some((line, rest)) => printed.first() == Some(line) && matches(rest, &printed[1..]),
    }
}

/// A line without what depends on the clock, and without any number if those depend on the machine.
fn without_clock(line: &str, any_number: bool) -> String {
    if let Ok(Value::Object(mut object)) = serde_json::from_str(line) {
        ["wall_s", "real_time_factor", "deadlines"]
            .iter()
            .for_each(|key| drop(object.remove(*key)));
        return Value::Object(object).to_string();
    }
    let line = match line.find(" s of wall time: ") {
        Some(at) => line[..at].rsplit_once(" and ").map_or(line, |(before, _)| before),
        None => line,
    };
    if any_number { without_numbers(line) } else { line.trim_end().to_owned() }
}

fn without_numbers(line: &str) -> String {
    let mut text = String::new();
    for letter in line.trim_end().chars() {
        let is_number = letter.is_ascii_digit();
        if !(is_number && text.ends_with('#')) {
            text.push(if is_number { '#' } else { letter });
        }
    }
    text
}

#[test]
fn gaps_stand_for_any_lines_and_numbers_count_unless_they_may_not() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let same = |shown: &str, printed: &str| is_same(&lines(shown), &lines(printed), false);
    assert!(same("a\n...\nd", "a\nb\nc\nd") && same("a\n...\nd", "a\nd"));
    assert!(!same("a\n...\nd", "a\nb\nc") && !same("a", "a\nb") && !same("a\nb", "a"));
    let wall = "simulated 1 s in 5 steps and 0.1 s of wall time: 10 x real time";
    assert!(same(wall, &wall.replace("0.1", "7").replace("10", "0.2")));
    assert!(!same(wall, &wall.replace('5', "6")));
    assert!(is_same(&lines("at 127.0.0.1:80"), &lines("at 127.0.0.1:8642"), true));
    assert!(same(r#"{"a":1,"wall_s":2}"#, r#"{"a":1,"wall_s":3}"#));
    assert!(!same(r#"{"a":1,"wall_s":2}"#, r#"{"a":2,"wall_s":2}"#));
}
