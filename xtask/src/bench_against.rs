//! `cargo xtask bench-against REV`: this working tree beside another revision, in one run.
//!
//! Machines waver by more than most changes cost, so both programs take turns, benchmark by
//! benchmark: old, new, new, old, old, new and so on. Each round gives one ratio of two figures taken
//! within seconds of one another; the median of the ratios is the answer, and their range says how
//! far it can be trusted. A drift of the machine that goes on for a while hits both sides alike.
//!
//! | module | what |
//! |---|---|
//! | this one | arguments, turns, the run |
//! | [`checkout`] | both programs, built alike |
//! | [`ratios`] | ratios of speed and their table |

mod checkout;
mod ratios;

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};
use serde_json::Value;

use crate::bench_lines::{Figure, Line, count, read_lines};
use crate::command::{output_of, program};
use ratios::Ratios;

/// Without names: the planar engine with few, some and many contacts, small and large, and vehicles.
const DEFAULT_NAMES: [&str; 6] =
    ["soccer-3v3", "soccer-scrum", "soccer-pile", "crowd", "crowd-clumped", "fleet"];
/// In place of names: all benchmarks that both sides have.
const ALL: &str = "all";
/// Benchmarks that go by the wall clock, so that whatever else the machine does is in their figures.
const BY_THE_CLOCK: [&str; 11] = [
    "worlds",
    "fleet",
    "record-cost",
    "record-rate",
    "seek",
    "realtime",
    "viewer",
    "loading",
    "film",
    "export",
    "robotone-roundtrip",
];
/// Enough for a median that one bad round does not move.
const DEFAULT_ROUNDS: u32 = 5;
/// What one ratio means, and how to learn what the machine alone does.
const LEGEND: &str = "\
new/old: median over the rounds of new by old speed, above 1 is faster; beside it the lowest and the
highest round. `same`: both ended in the same state, so they did the same work. What the machine alone
does to a ratio shows where nothing was changed: `cargo xtask bench-against HEAD` in a clean tree. How
the compiler lays out code may shift a ratio by some percent either way without any reason in the source.
*: goes by the wall clock, and means something on a machine that does nothing else.
";

/// Builds both sides, lets them take turns, prints the table.
pub(crate) fn bench_against(arguments: &[String]) -> Result<()> {
    let options = Options::parse(arguments)?;
    let revision = checkout::resolve(&options.revision)?;
    let tree = checkout::working_tree()?;
    println!("old: {revision}\nnew: {tree}");
    let [old, new] = checkout::build([&revision, &tree])?;
    if options.only_build {
        println!("built: {}\n       {}", old.display(), new.display());
        return Ok(());
    }
    let known = [known_names(&old)?, known_names(&new)?];
    let is_all = options.names == [ALL];
    let names = match is_all {
        true => common(&known),
        false => {
            knows(&options.revision, &known[0], &options.names)?;
            knows("this working tree", &known[1], &options.names)?;
            options.names.clone()
        }
    };

    let mut ratios = Ratios::default();
    for name in &names {
        let measured = rounds(name, [&old, &new], &options, &mut ratios);
        match measured {
            // Of all of them, one that cannot be measured does not keep the others from it.
            Err(error) if is_all => println!("{name} is left out: {error:#}"),
            other => other?,
        }
    }
    print!("\n{}\n{}\n{LEGEND}", ratios.table(&BY_THE_CLOCK), ratios.verdict());
    Ok(())
}

/// Measures a benchmark in all rounds.
fn rounds(
    name: &str,
    [old, new]: [&Path; 2],
    options: &Options,
    ratios: &mut Ratios,
) -> Result<()> {
    for (round, turns) in (1..).zip(turns(options.rounds)) {
        println!("{name}, round {round} of {}", options.rounds);
        let [first, second] = turns.map(|side| match side {
            Side::Old => measure(old, name, options.core),
            Side::New => measure(new, name, options.core),
        });
        let (first, second) = (first?, second?);
        match turns {
            [Side::Old, _] => ratios.add(&first, &second)?,
            [Side::New, _] => ratios.add(&second, &first)?,
        }
    }
    Ok(())
}

/// The benchmarks that both have; says which only one has.
fn common([old, new]: &[Vec<String>; 2]) -> Vec<String> {
    for (side, own, other) in [("old", old, new), ("new", new, old)] {
        let alone: Vec<&str> =
            own.iter().filter(|name| !other.contains(name)).map(String::as_str).collect();
        if !alone.is_empty() {
            println!("only {side}: {}", alone.join(", "));
        }
    }
    new.iter().filter(|name| old.contains(name)).cloned().collect()
}

/// What the command line says.
#[derive(Debug, PartialEq)]
struct Options {
    /// As git takes it: a branch, a tag, a hash, `HEAD~3`.
    revision: String,
    names: Vec<String>,
    rounds: u32,
    /// The core that both are kept on.
    core: Option<u32>,
    /// Only makes both programs, to be measured another time.
    only_build: bool,
}

impl Options {
    fn parse(arguments: &[String]) -> Result<Self> {
        let mut words = arguments.iter();
        let (mut plain, mut rounds, mut core) = (Vec::new(), DEFAULT_ROUNDS, None);
        let mut only_build = false;
        while let Some(word) = words.next() {
            let value = || words.clone().next().map_or("nothing", String::as_str);
            match word.as_str() {
                "--rounds" => rounds = count(word, value())?,
                "--core" => match value().parse() {
                    Ok(number) => core = Some(number),
                    Err(_) => bail!("--core takes the number of a core, got `{}`", value()),
                },
                "--only-build" => {
                    only_build = true;
                    continue;
                }
                flag if flag.starts_with('-') => bail!(
                    "`bench-against` takes only --rounds N, --core N and --only-build, got `{flag}`"
                ),
                _ => {
                    plain.push(word.clone());
                    continue;
                }
            }
            words.next();
        }
        if plain.is_empty() {
            bail!("`bench-against` takes a revision to measure against, such as HEAD or main");
        }
        let mut names = plain.split_off(1);
        let revision = plain.remove(0);
        if names.is_empty() {
            names = DEFAULT_NAMES.map(str::to_owned).to_vec();
        }
        Ok(Self { revision, names, rounds, core, only_build })
    }
}

/// Whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Side {
    Old,
    New,
}

/// Who goes first in each round changes, so that whatever grows or shrinks from turn to turn favours
/// neither side.
fn turns(rounds: u32) -> impl Iterator<Item = [Side; 2]> {
    (0..rounds).map(|round| match round % 2 {
        0 => [Side::Old, Side::New],
        _ => [Side::New, Side::Old],
    })
}

/// The benchmarks that a program has.
fn known_names(rolima: &Path) -> Result<Vec<String>> {
    let listing = output_of(&mut program(rolima, &["bench", "--list", "--json"]))?;
    let name = |line: &str| {
        let object: Value = serde_json::from_str(line).ok()?;
        object["name"].as_str().map(str::to_owned)
    };
    Ok(listing.lines().filter_map(name).collect())
}

/// Refuses names that a side does not have, and says which side that is.
fn knows(side: &str, known: &[String], names: &[String]) -> Result<()> {
    match names.iter().find(|name| !known.contains(name)) {
        None => Ok(()),
        Some(name) => bail!("{side}: expected one of {}, got `{name}`", known.join(", ")),
    }
}

/// One turn: a whole run of the benchmark, which warms up by itself.
fn measure(rolima: &Path, name: &str, core: Option<u32>) -> Result<Figure> {
    let mut bench = on_core(rolima, core);
    bench.args(["bench", name, "--json"]);
    let mut lines = read_lines(&output_of(&mut bench)?)?;
    match (lines.pop(), lines.len()) {
        (Some(Line::Figure(figure)), 0) => Ok(figure),
        _ => bail!("{name}: expected one figure of `rolima bench {name} --json`"),
    }
}

fn on_core(rolima: &Path, core: Option<u32>) -> Command {
    match core {
        None => program(rolima, &[]),
        Some(core) => {
            let mut pinned = program("taskset", &["--cpu-list", &core.to_string()]);
            pinned.arg(rolima);
            pinned
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Options = Options {
        revision: String::new(),
        names: Vec::new(),
        rounds: 0,
        core: None,
        only_build: false,
    };

    fn parse(words: &[&str]) -> Result<Options> {
        Options::parse(&words.iter().map(|word| word.to_string()).collect::<Vec<_>>())
    }

    #[test]
    fn a_revision_alone_means_the_default_benchmarks() {
        let options = parse(&["main"]).unwrap();
        let names = DEFAULT_NAMES.map(str::to_owned).to_vec();
        let expected =
            Options { revision: "main".to_owned(), names, rounds: DEFAULT_ROUNDS, ..NOTHING };
        assert_eq!(options, expected);
        assert!(parse(&["--only-build", "main", "crowd"]).unwrap().only_build);
    }

    #[test]
    fn options_may_stand_anywhere() {
        let names = vec!["crowd".to_owned(), "fleet".to_owned()];
        let revision = "HEAD~3".to_owned();
        let expected = Options { revision, names, rounds: 9, core: Some(0), ..NOTHING };
        let orders = [
            ["HEAD~3", "crowd", "fleet", "--rounds", "9", "--core", "0"],
            ["--core", "0", "HEAD~3", "crowd", "--rounds", "9", "fleet"],
        ];
        for words in orders {
            assert_eq!(parse(&words).unwrap(), expected, "{words:?}");
        }
    }

    #[test]
    fn wrong_arguments_are_told() {
        let wrong: [(&[&str], &str); 5] = [
            (&[], "a revision"),
            (&["--rounds", "3"], "a revision"),
            (&["HEAD", "--rounds", "0"], "`0`"),
            (&["HEAD", "--core"], "`nothing`"),
            (&["HEAD", "--fast"], "`--fast`"),
        ];
        for (words, said) in wrong {
            let error = parse(words).unwrap_err().to_string();
            assert!(error.contains(said), "{words:?}: {error}");
        }
    }

    #[test]
    fn who_goes_first_changes_from_round_to_round() {
        use Side::{New, Old};
        let order: Vec<Side> = turns(3).flatten().collect();
        assert_eq!(order, [Old, New, New, Old, Old, New]);
    }

    #[test]
    fn all_are_those_that_both_sides_have() {
        let names = |all: &[&str]| all.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let both = [names(&["crowd", "pile", "fleet"]), names(&["crowd", "film", "fleet"])];
        assert_eq!(common(&both), ["crowd", "fleet"]);
    }

    #[test]
    fn a_name_that_one_side_lacks_is_told_with_the_side() {
        let known = ["crowd".to_owned(), "fleet".to_owned()];
        assert!(knows("main", &known, &["fleet".to_owned()]).is_ok());
        let error = knows("main", &known, &["pile".to_owned()]).unwrap_err().to_string();
        assert_eq!(error, "main: expected one of crowd, fleet, got `pile`");
    }
}
