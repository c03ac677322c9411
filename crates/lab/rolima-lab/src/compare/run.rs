//! What is compared: recordings, tables of runs, and measured paths in text.

use super::course::Course;
use anyhow::Result;
use rolima_console::failure::Usage;
use rolima_core::schema::matches_any;
use rolima_record::Recording;
use std::f64::consts::{PI, TAU};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Something to compare.
pub(super) struct Run {
    /// As it was named.
    pub(super) name: String,
    /// The path of its body; over time if `is_timed`, else over the number of the point.
    pub(super) path: Course,
    pub(super) is_timed: bool,
    /// Whether its path has heights.
    pub(super) has_z: bool,
    pub(super) signals: Vec<Signal>,
}

/// A quantity over time.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Signal {
    /// Its name; that of its own body's begins at the body, with a dot.
    pub(super) name: String,
    pub(super) unit: String,
    pub(super) course: Course,
}

/// What is taken of each.
pub(super) struct Wanted<'a> {
    /// The body that was asked for.
    pub(super) body: Option<&'a str>,
    /// Patterns of channels beside the path.
    pub(super) channels: Option<&'a str>,
}

/// Signals of a body that are compared if none are named.
const USUAL: [&str; 3] = [".heading", ".speed.forward", ".omega"];

/// Reads one of them; `body` is that of the ones before, and becomes this one's, if it has one.
pub(super) fn read(path: &Path, wanted: &Wanted<'_>, body: &mut Option<String>) -> Result<Run> {
    if Recording::is_recording(path) {
        return recorded(path, wanted, body);
    }
    let name = path.display().to_string();
    let file = File::open(path).map_err(|error| Usage(format!("{name}: {error}")))?;
    let mut lines = Lines { name, input: BufReader::new(file), number: 0, line: String::new() };
    if !lines.next()? {
        let expected = "a recording, a table with heads, or lines of t x y z or x y z";
        return Err(Usage(format!("{}: expected {expected}, got nothing", lines.name)).into());
    }
    match numbers(&lines.line) {
        Ok(first) => Ok(measured(lines, first)?),
        Err(_) => Ok(table(lines, wanted, body)?),
    }
}

/// Which columns are taken.
#[derive(Default)]
struct Columns {
    position: Vec<usize>,
    signals: Vec<(usize, String, String)>,
}

/// Chooses columns by their names and units; `is_body` says that the body was found.
fn choose(
    file: &str,
    names: &[(String, String)],
    wanted: &Wanted<'_>,
    body: &mut Option<String>,
) -> Result<Columns, Usage> {
    let own = find_body(file, names, wanted.body, body.as_deref())?;
    let place = |name: &str| names.iter().position(|(known, _)| known == name);
    let position = ["x", "y", "z"].iter().filter_map(|axis| place(&format!("{own}.{axis}")));
    let signal = |(number, (name, unit)): (usize, &(String, String))| {
        // A body's own go by the rest of their names, so that bodies of other names can be compared.
        let rest = name.strip_prefix(&own).filter(|rest| rest.starts_with('.'));
        let is_wanted = match wanted.channels {
            Some(patterns) => matches_any(patterns, name),
            None => rest.is_some_and(|rest| USUAL.contains(&rest)),
        };
        let short = rest.unwrap_or(name).to_owned();
        is_wanted.then(|| (number, short, unit.clone()))
    };
    let signals = names.iter().enumerate().filter_map(signal).collect();
    let columns = Columns { position: position.collect(), signals };
    body.get_or_insert(own);
    Ok(columns)
}

/// The body that is compared: the one that was asked for, else that of the runs before, else the only or
/// first robot.
fn find_body(
    file: &str,
    names: &[(String, String)],
    asked: Option<&str>,
    before: Option<&str>,
) -> Result<String, Usage> {
    let bodies: Vec<&str> = names
        .iter()
        .filter_map(|(name, _)| name.strip_suffix(".x"))
        .filter(|body| names.iter().any(|(name, _)| name.strip_suffix(".y") == Some(*body)))
        .filter(|body| body.split('.').count() == 2)
        .collect();
    let named = |wanted: &str| {
        let is_it = |body: &&&str| {
            **body == wanted || body.split_once('.').is_some_and(|(_, name)| name == wanted)
        };
        bodies.iter().find(is_it).map(|body| (*body).to_owned())
    };
    let robots = || bodies.iter().filter(|body| body.starts_with("robot."));
    let found = match (asked, before) {
        (Some(asked), _) => named(asked),
        (None, Some(before)) => named(before).or_else(|| {
            let mut all = robots();
            all.next().filter(|_| all.next().is_none()).map(|body| (*body).to_owned())
        }),
        (None, None) => robots().next().or(bodies.first()).map(|body| (*body).to_owned()),
    };
    found.ok_or_else(|| {
        let known: Vec<&str> = bodies.iter().take(10).copied().collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        let got = asked.or(before).unwrap_or("none");
        Usage(format!(
            "{file}: expected --body to be one that it has places of ({known}), got {got}"
        ))
    })
}

/// Reads the first scene of a recording.
fn recorded(path: &Path, wanted: &Wanted<'_>, body: &mut Option<String>) -> Result<Run> {
    let usage = |error: rolima_record::RecordError| Usage(error.to_string());
    let recording = Recording::open(path).map_err(usage)?;
    let name = path.display().to_string();
    let Some(scene) = recording.scenes().first() else {
        return Err(Usage(format!("{name}: it has no scene")).into());
    };
    let names: Vec<_> =
        scene.channels.iter().map(|channel| (channel.name.clone(), channel.unit.clone())).collect();
    let columns = choose(&name, &names, wanted, body)?;
    let signals = columns.signals.iter().map(|(number, ..)| *number);
    let channels: Vec<usize> = columns.position.iter().copied().chain(signals).collect();
    let mut gather = Gather::new(name, &columns);
    let mut samples = recording.samples(0, &channels, recording.span_s()).map_err(usage)?;
    while let Some(sample) = samples.next().map_err(usage)? {
        gather.take(sample.time_s, sample.values);
    }
    Ok(gather.run())
}

/// Reads a table with a head.
fn table(
    mut lines: Lines<BufReader<File>>,
    wanted: &Wanted<'_>,
    body: &mut Option<String>,
) -> Result<Run, Usage> {
    let names: Vec<_> = cells(&lines.line).iter().map(|cell| name_and_unit(cell)).collect();
    let time = ["run_time", "time", "t"];
    let time = time.iter().find_map(|time| names.iter().position(|(name, _)| name == time));
    let Some(time) = time else {
        return Err(lines.error("a head with a column `time` (the first of `rolima run --csv`)"));
    };
    let columns = choose(&lines.name, &names, wanted, body)?;
    let mut gather = Gather::new(lines.name.clone(), &columns);
    let places: Vec<usize> = columns
        .position
        .iter()
        .copied()
        .chain(columns.signals.iter().map(|(number, ..)| *number))
        .collect();
    let (mut values, mut last_s) = (vec![], f64::NEG_INFINITY);
    while lines.next()? {
        let row: Vec<&str> = lines.line.trim().split(',').collect();
        if row.len() != names.len() {
            let expected = format!("{} cells, as the head has", names.len());
            return Err(lines.error(&expected));
        }
        let number = |place: usize| row[place].trim().parse::<f64>().ok();
        let at_s = number(time).filter(|at| at.is_finite() && *at >= last_s);
        let Some(at_s) = at_s else {
            return Err(lines.error("a time that is not before that of the row above"));
        };
        last_s = at_s;
        values.clear();
        for &place in &places {
            let Some(value) = number(place) else { return Err(lines.error("numbers")) };
            values.push(value);
        }
        gather.take(at_s, &values);
    }
    Ok(gather.run())
}

/// Reads lines of `t x y z` or `x y z`, of which the first is read already.
fn measured(mut lines: Lines<BufReader<File>>, first: Vec<f64>) -> Result<Run, Usage> {
    let count = first.len();
    let expected = match count {
        3 => "3 numbers, x y z",
        4 => "4 numbers, t x y z",
        _ => return Err(lines.error("3 numbers, x y z, or 4, t x y z")),
    };
    let mut path = Course::default();
    let mut row = first;
    loop {
        if row.len() != count || row.iter().any(|number| !number.is_finite()) {
            return Err(lines.error(expected));
        }
        let (at, point) = match row[..] {
            [x, y, z] => (path.at.len() as f64, [x, y, z]),
            [t, x, y, z] => (t, [x, y, z]),
            _ => return Err(lines.error(expected)),
        };
        if path.at.last().is_some_and(|last| at < *last) {
            return Err(lines.error("a time that is not before that of the line above"));
        }
        path.push(at, point);
        if !lines.next()? {
            break;
        }
        row = numbers(&lines.line).map_err(|_| lines.error(expected))?;
    }
    let name = lines.name;
    Ok(Run { name, path, is_timed: count == 4, has_z: true, signals: vec![] })
}

/// Takes rows of a run.
struct Gather {
    run: Run,
    axes: usize,
}

impl Gather {
    fn new(name: String, columns: &Columns) -> Self {
        let signal = |(_, name, unit): &(usize, String, String)| Signal {
            name: name.clone(),
            unit: unit.clone(),
            course: Course::default(),
        };
        let axes = columns.position.len();
        let signals = columns.signals.iter().map(signal).collect();
        let (path, is_timed) = (Course::default(), true);
        Self { run: Run { name, path, is_timed, has_z: axes == 3, signals }, axes }
    }

    /// The position, then the signals; what is not there is left out.
    fn take(&mut self, at_s: f64, values: &[f64]) {
        let (position, rest) = values.split_at(self.axes.min(values.len()));
        let mut point = [0.0; 3];
        point.iter_mut().zip(position).for_each(|(to, from)| *to = *from);
        if point.iter().all(|number| number.is_finite()) {
            self.run.path.push(at_s, point);
        }
        for (signal, &value) in self.run.signals.iter_mut().zip(rest) {
            if value.is_finite() {
                signal.course.push(at_s, [value, 0.0, 0.0]);
            }
        }
    }

    fn run(mut self) -> Run {
        for signal in self.run.signals.iter_mut().filter(|signal| signal.unit == "rad") {
            unwrap(&mut signal.course);
        }
        self.run
    }
}

/// Makes an angle that was kept within a turn go on beyond it.
fn unwrap(course: &mut Course) {
    let mut turns = 0.0;
    let mut last: Option<f64> = None;
    for [angle, ..] in &mut course.points {
        let own = *angle;
        if let Some(before) = last {
            if own - before > PI {
                turns -= TAU;
            } else if own - before < -PI {
                turns += TAU;
            }
        }
        last = Some(own);
        *angle = own + turns;
    }
}

/// Lines of text, without empty ones and comments.
struct Lines<R> {
    name: String,
    input: R,
    number: u64,
    line: String,
}

/// The longest line that is read, bytes.
const MOST_LINE: u64 = 1 << 22;

impl<R: BufRead> Lines<R> {
    /// Goes to the next line. False at the end.
    fn next(&mut self) -> Result<bool, Usage> {
        loop {
            self.line.clear();
            self.number += 1;
            let mut input = std::io::Read::take(&mut self.input, MOST_LINE);
            let read = input.read_line(&mut self.line);
            let count = read.map_err(|error| {
                Usage(format!("{}:{}: expected text, got {error}", self.name, self.number))
            })?;
            if count as u64 == MOST_LINE {
                return Err(self.error("lines of at most 4 MB"));
            }
            let text = self.line.trim_start();
            let is_comment = ["#", "%", "//"].iter().any(|mark| text.starts_with(mark));
            if count == 0 {
                return Ok(false);
            }
            if !text.trim_end().is_empty() && !is_comment {
                return Ok(true);
            }
        }
    }

    /// An error of this line.
    fn error(&self, expected: &str) -> Usage {
        let line: String = self.line.trim().chars().take(60).collect();
        Usage(format!("{}:{}: expected {expected}, got `{line}`", self.name, self.number))
    }
}

/// Numbers with spaces, commas or semicolons between them.
fn numbers(line: &str) -> Result<Vec<f64>, std::num::ParseFloatError> {
    let words = line.split([' ', '\t', ',', ';', '\r', '\n']).filter(|word| !word.is_empty());
    words.map(str::parse).collect()
}

/// The cells of a head, without their quotes.
fn cells(line: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut is_quoted = false;
    for letter in line.trim_end_matches(['\r', '\n']).chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => all.push(String::new()),
            letter => all.last_mut().into_iter().for_each(|cell| cell.push(letter)),
        }
    }
    all
}

/// `robot.one.x [m]`.
fn name_and_unit(head: &str) -> (String, String) {
    let found = head.trim().strip_suffix(']').and_then(|head| head.rsplit_once(" ["));
    let (name, unit) = found.unwrap_or((head.trim(), ""));
    (name.to_owned(), unit.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_go_on_beyond_a_turn() {
        let mut course = Course::default();
        for i in 0..100 {
            let angle = rolima_math::wrap_angle(0.3 * f64::from(i));
            course.push(f64::from(i), [angle, 0.0, 0.0]);
        }
        unwrap(&mut course);
        for (i, [angle, ..]) in course.points.iter().enumerate() {
            assert!((angle - 0.3 * i as f64).abs() < 1e-9, "{i}: {angle}");
        }
    }

    #[test]
    fn heads_are_names_and_units() {
        let all = cells("time [s],\"a,b [m/s]\",c\r\n");
        assert_eq!(all, ["time [s]", "a,b [m/s]", "c"]);
        assert_eq!(name_and_unit(&all[1]), ("a,b".to_owned(), "m/s".to_owned()));
        assert_eq!(name_and_unit(&all[2]), ("c".to_owned(), String::new()));
    }

    #[test]
    fn the_body_is_the_one_asked_for_or_that_of_the_first_run_or_the_only_robot() {
        let names = |bodies: &[&str]| -> Vec<(String, String)> {
            let of =
                |body: &&str| ["x", "y"].map(|axis| (format!("{body}.{axis}"), "m".to_owned()));
            bodies.iter().flat_map(of).collect()
        };
        let both = names(&["robot.a", "robot.b", "ball.ball", "robot.a.goal"]);
        let find = |asked, before| find_body("f", &both, asked, before).map_err(|error| error.0);
        assert_eq!(find(None, None).as_deref(), Ok("robot.a"));
        assert_eq!(find(Some("ball"), None).as_deref(), Ok("ball.ball"));
        assert_eq!(find(Some("robot.b"), Some("robot.a")).as_deref(), Ok("robot.b"));
        assert_eq!(find(None, Some("robot.b")).as_deref(), Ok("robot.b"));
        let said = find(None, Some("robot.c")).unwrap_err();
        assert!(
            said.contains("robot.a, robot.b, ball.ball") && said.contains("got robot.c"),
            "{said}"
        );
        let other = names(&["robot.vivi", "ball.ball"]);
        assert_eq!(
            find_body("f", &other, None, Some("robot.c")).ok().as_deref(),
            Some("robot.vivi")
        );
    }
}
