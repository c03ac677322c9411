//! `cargo xtask long`: what takes too long for every change, and is run before a release.
//!
//! | module | what |
//! |---|---|
//! | [`fuzz`] | every fuzz target for a stated time; whether all of them compile |
//! | [`goldens`] | the golden hashes on machines that this one emulates; whether all targets compile for Windows |
//! | [`soak`] | a live match for minutes, with viewers that come and go and attacks |
//! | here | the tests of the workspace with all of their samples |

mod fuzz;
mod goldens;
mod soak;

use anyhow::{Result, bail};

use crate::bench_lines::count;
use crate::command::succeed;
use crate::{test, tools};

/// Time of one fuzz target, s.
const FUZZ_SECONDS: u32 = 75;
/// Tells tests to take all of their samples: `rolima_testing::samples`.
const ALL_SAMPLES: &str = "ROLIMA_LONG";
/// Time of the soak, minutes.
const SOAK_MINUTES: u32 = 15;

/// Runs the one that is named, or all, each of them whatever came of the others.
pub(crate) fn long(arguments: &[String]) -> Result<()> {
    let Some((name, rest)) = arguments.split_first() else { return all() };
    match name.as_str() {
        "fuzz" => {
            let (seconds, targets) = number_and_names("fuzz", "--seconds", FUZZ_SECONDS, rest)?;
            fuzz::fuzz(seconds, &targets)
        }
        "goldens" => match rest.first() {
            None => goldens::goldens(),
            Some(unknown) => bail!("`long goldens` takes no arguments, got `{unknown}`"),
        },
        "check" => match rest.first() {
            None => fuzz::check(),
            Some(unknown) => bail!("`long check` takes no arguments, got `{unknown}`"),
        },
        "soak" => {
            let (minutes, names) = number_and_names("soak", "--minutes", SOAK_MINUTES, rest)?;
            match names.first() {
                None => soak::soak(minutes),
                Some(unknown) => bail!("`long soak` takes only --minutes N, got `{unknown}`"),
            }
        }
        "tests" => match rest.first() {
            None => tests(),
            Some(unknown) => bail!("`long tests` takes no arguments, got `{unknown}`"),
        },
        _ => bail!("`long` takes check, fuzz, goldens, soak, tests or nothing, got `{name}`"),
    }
}

fn all() -> Result<()> {
    let outcomes = [
        ("check", fuzz::check()),
        ("fuzz", fuzz::fuzz(FUZZ_SECONDS, &[])),
        ("goldens", goldens::goldens()),
        ("soak", soak::soak(SOAK_MINUTES)),
        ("tests", tests()),
    ];
    let mut failed = vec![];
    for (name, outcome) in outcomes {
        match outcome {
            Ok(()) => println!("{name}: good"),
            Err(error) => {
                println!("{name}: FAILED: {error:#}");
                failed.push(name);
            }
        }
    }
    if failed.is_empty() { Ok(()) } else { bail!("failed: {}", failed.join(", ")) }
}

/// All tests of the workspace, each with all of its samples.
fn tests() -> Result<()> {
    let tools = tools::prepare()?;
    succeed(test::workspace_tests(&tools).env(ALL_SAMPLES, "1"))
}

/// An option with a number, and plain words.
fn number_and_names(
    command: &str,
    option: &str,
    default: u32,
    arguments: &[String],
) -> Result<(u32, Vec<String>)> {
    let (mut number, mut names) = (default, vec![]);
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        if word == option {
            number = count(option, words.next().map_or("nothing", String::as_str))?;
        } else if word.starts_with('-') {
            bail!("`long {command}` takes only {option} N, got `{word}`");
        } else {
            names.push(word.clone());
        }
    }
    Ok((number, names))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Result<(u32, Vec<String>)> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        number_and_names("fuzz", "--seconds", 75, &words)
    }

    #[test]
    fn a_time_and_names_may_be_given() {
        assert_eq!(parse(&[]).unwrap(), (75, vec![]));
        let names = vec!["map".to_owned(), "step".to_owned()];
        assert_eq!(parse(&["map", "--seconds", "5", "step"]).unwrap(), (5, names));
        for wrong in [&["--seconds"][..], &["--seconds", "0"], &["--minutes", "3"]] {
            assert!(parse(wrong).is_err(), "{wrong:?}");
        }
        assert!(long(&["sleep".to_owned()]).is_err());
    }
}
