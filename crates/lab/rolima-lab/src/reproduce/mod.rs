//! `rolima reproduce`: the papers' figures made again, each with what the paper claims, what is
//! measured here, and whether the claim holds.
//!
//! | module | figures |
//! |---|---|
//! | `estimation` | 4.2-4.6 of the navigation thesis |
//! | `paths` | 5.4, 5.5, 5.8 |
//! | `trajectories` | 5.9 |
//! | `whole_loop` | 6.5-6.7 |
//! | `outlook`, `control` | what the thesis has no figure of: other paths, obstacles, tables |
//! | `contacts` | 13 of the 2001 paper |
//! | `senses` | 10 and 13 of the Robot One thesis |

mod contacts;
mod control;
mod estimation;
mod outlook;
mod paths;
mod senses;
mod trajectories;
mod whole_loop;

use crate::plot::escaped;
use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use rolima_console::failure::say;
use rolima_console::text::counted;
use serde_json::json;
use std::fmt::Write;
use std::path::PathBuf;

/// What `rolima reproduce` takes.
#[derive(Debug, Args)]
pub struct ReproduceArguments {
    /// Which papers; all if none is named
    #[arg(value_enum, value_name = "WHAT")]
    what: Vec<What>,

    /// Write the report and its pictures into this folder
    #[arg(long, value_name = "FOLDER", default_value = "out/reproduce")]
    out: PathBuf,

    /// Print one JSON object for each claim
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum What {
    /// The navigation thesis (2001): estimation, paths, trajectories, control
    Nav,
    /// The minirobot paper (2001): collisions
    Contacts,
    /// The Robot One thesis: sensors
    Senses,
}

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It holds here.
    Pass,
    /// It does not.
    Fail,
    /// It cannot be right as printed; the report shows both.
    Both,
    /// A figure beside others: nobody claimed anything of it.
    Measured,
}

impl Verdict {
    fn of(holds: bool) -> Self {
        if holds { Self::Pass } else { Self::Fail }
    }

    /// For a claim that is not expected to hold as printed: what is shown instead must hold.
    fn printed(holds: bool, instead: bool) -> Self {
        match (holds, instead) {
            (true, _) => Self::Pass,
            (false, true) => Self::Both,
            (false, false) => Self::Fail,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Both => "both shown",
            Self::Measured => "measured",
        }
    }
}

/// A claim of a paper, or one of our own, beside a measurement.
pub(crate) struct Claim {
    claim: String,
    measured: String,
    verdict: Verdict,
    /// Whether it is ours: it is counted apart from the papers'.
    is_ours: bool,
}

impl Claim {
    /// A paper's.
    fn new(claim: &str, measured: String, verdict: Verdict) -> Self {
        Self { claim: claim.to_owned(), measured, verdict, is_ours: false }
    }

    /// Ours, which the text says.
    fn ours(claim: &str, measured: String, verdict: Verdict) -> Self {
        Self { is_ours: true, ..Self::new(&format!("(ours) {claim}"), measured, verdict) }
    }
}

/// A figure.
pub(crate) struct Section {
    /// Its name in the paper, which is also that of its pictures' files: `figure-4.2`.
    id: &'static str,
    title: String,
    /// What the paper leaves open and what was chosen.
    setting: String,
    claims: Vec<Claim>,
    pictures: Vec<String>,
}

/// Makes the figures, writes the report, and says what holds.
pub fn reproduce(arguments: &ReproduceArguments) -> Result<()> {
    let wants = |what: What| arguments.what.is_empty() || arguments.what.contains(&what);
    let mut parts: Vec<(&str, Vec<Section>)> = vec![];
    if wants(What::Nav) {
        let mut sections = estimation::sections()?;
        sections.extend(paths::sections()?);
        sections.push(trajectories::section()?);
        sections.push(outlook::paths()?);
        sections.extend(whole_loop::sections()?);
        sections.push(outlook::avoidance()?);
        sections.extend(control::sections()?);
        let thesis = "D. P. F. Pedrosa, “Sistema de Navegação para Robôs Móveis Autônomos”, \
                      UFRN, 2001";
        parts.push((thesis, sections));
    }
    if wants(What::Contacts) {
        parts.push(("The minirobot simulator, 2001", contacts::sections()?));
    }
    if wants(What::Senses) {
        parts.push(("Robot One", senses::sections()?));
    }
    let folder = &arguments.out;
    let shown = folder.to_string_lossy();
    std::fs::create_dir_all(folder).with_context(|| shown.clone().into_owned())?;
    for section in parts.iter().flat_map(|(_, sections)| sections) {
        for (i, picture) in section.pictures.iter().enumerate() {
            let letter = char::from(b'a' + (i % 26) as u8);
            let name = match section.pictures.len() {
                1 => format!("{}.svg", section.id),
                _ => format!("{}{letter}.svg", section.id),
            };
            std::fs::write(folder.join(&name), picture)
                .with_context(|| format!("{shown}/{name}"))?;
        }
        for claim in &section.claims {
            say(&line(section, claim, arguments.json))?;
        }
    }
    let report = folder.join("index.html");
    std::fs::write(&report, page(&parts)).with_context(|| report.to_string_lossy().into_owned())?;
    if !arguments.json {
        say(&format!("\n{}", report.to_string_lossy()))?;
    }
    Ok(())
}

fn line(section: &Section, claim: &Claim, json: bool) -> String {
    if json {
        let line = json!({
            "figure": section.id, "claim": claim.claim, "measured": claim.measured,
            "verdict": claim.verdict.name(), "ours": claim.is_ours,
        });
        line.to_string()
    } else {
        format!(
            "{:<14} {:<10} {}: {}",
            section.id,
            claim.verdict.name(),
            claim.claim,
            claim.measured
        )
    }
}

const STYLE: &str = "body{font:15px/1.5 system-ui,Helvetica,Arial,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;\
color:#202124;background:#fff}h1{font-size:1.7rem}h2{margin-top:2.5rem;border-bottom:1px solid #dadce0}h3{margin-bottom:.2rem}\
table{border-collapse:collapse;width:100%;margin:.6rem 0}td,th{border:1px solid #dadce0;padding:.35rem .6rem;text-align:left;\
vertical-align:top}th{background:#f5f6f7}.pass{color:#1b6e3c;font-weight:600}.fail{color:#b3261e;font-weight:600}\
.both{color:#8a5a00;font-weight:600}.measured{color:#5f6368}.pictures{display:flex;flex-wrap:wrap;gap:.5rem}.pictures svg{max-width:100%;height:auto;\
border:1px solid #eceef0}.setting{color:#5f6368}";

/// The verb that fits a count.
fn either(count: usize, one: &'static str, many: &'static str) -> &'static str {
    if count == 1 { one } else { many }
}

/// Escaped text in which what stands between backticks is code.
fn with_code(text: &str) -> String {
    let parts: Vec<String> = text.split('`').map(escaped).collect();
    let last = parts.len() - 1;
    let mut html = String::new();
    for (i, part) in parts.iter().enumerate() {
        // A last backtick without its partner stays one.
        match i % 2 {
            1 if i < last => {
                let _ = write!(html, "<code>{part}</code>");
            }
            1 => {
                let _ = write!(html, "`{part}");
            }
            _ => html.push_str(part),
        }
    }
    html
}

/// How many claims hold, the papers' and ours apart.
fn summary(claims: &[&Claim]) -> String {
    let count = |ours: bool, verdict: Verdict| {
        claims.iter().filter(|claim| claim.is_ours == ours && claim.verdict == verdict).count()
    };
    let [pass, fail, both] =
        [Verdict::Pass, Verdict::Fail, Verdict::Both].map(|verdict| count(false, verdict));
    let [good, bad] = [Verdict::Pass, Verdict::Fail].map(|verdict| count(true, verdict));
    let measured = count(false, Verdict::Measured) + count(true, Verdict::Measured);
    format!(
        "{} of the papers {}, {fail} {}, {both} cannot be right as printed and {} shown both ways. Of our own, marked (ours), \
         {good} {}, {bad} {}. {} {} measured beside them, without a claim.",
        counted(pass, "claim"),
        either(pass, "holds", "hold"),
        either(fail, "does not", "do not"),
        either(both, "is", "are"),
        either(good, "holds", "hold"),
        either(bad, "does not", "do not"),
        counted(measured, "row"),
        either(measured, "is", "are"),
    )
}

fn page(parts: &[(&str, Vec<Section>)]) -> String {
    let all: Vec<&Claim> =
        parts.iter().flat_map(|(_, sections)| sections).flat_map(|s| &s.claims).collect();
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>Rolimã: figures of the papers</title><style>{STYLE}</style></head><body>\n\
         <h1>Figures of the papers, made again</h1>\n<p>Each with what the paper claims and what is measured here. The papers' \
         pictures are not in the texts: where they leave conditions open, ours are stated.</p>\n<p class=\"summary\">{}</p>\n",
        summary(&all)
    );
    for (paper, sections) in parts {
        let _ = writeln!(html, "<h2>{}</h2>", escaped(paper));
        for section in sections {
            let _ = writeln!(
                html,
                "<h3 id=\"{}\">{}</h3>\n<p class=\"setting\">{}</p>",
                section.id,
                escaped(&section.title),
                with_code(&section.setting)
            );
            html.push_str("<table><tr><th>claimed</th><th>measured</th><th></th></tr>\n");
            for claim in &section.claims {
                let name = claim.verdict.name();
                let class = name.split(' ').next().unwrap_or(name);
                let _ = writeln!(
                    html,
                    "<tr><td>{}</td><td>{}</td><td class=\"{class}\">{name}</td></tr>",
                    with_code(&claim.claim),
                    with_code(&claim.measured)
                );
            }
            html.push_str("</table>\n<div class=\"pictures\">\n");
            section.pictures.iter().for_each(|picture| html.push_str(picture));
            html.push_str("</div>\n");
        }
    }
    html.push_str("</body></html>\n");
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backticks_become_code_and_the_rest_is_escaped() {
        assert_eq!(with_code("a < b, `c > d`."), "a &lt; b, <code>c &gt; d</code>.");
        assert_eq!(with_code("`x` and `y"), "<code>x</code> and `y");
        assert_eq!(with_code(""), "");
    }

    #[test]
    fn counts_and_verbs_agree() {
        let of = |verdict| Claim::new("a", "b".to_owned(), verdict);
        let ours = |verdict| Claim::ours("a", "b".to_owned(), verdict);
        let told = |claims: &[Claim]| summary(&claims.iter().collect::<Vec<_>>());
        let text = told(&[of(Verdict::Pass), of(Verdict::Fail)]);
        assert!(text.starts_with("1 claim of the papers holds, 1 does not, 0 cannot"), "{text}");
        let two = [of(Verdict::Pass), of(Verdict::Pass), of(Verdict::Measured), of(Verdict::Both)];
        let text = told(&two);
        assert!(text.starts_with("2 claims of the papers hold, 0 do not, 1 cannot"), "{text}");
        assert!(
            text.contains("and is shown")
                && text.ends_with("1 row is measured beside them, without a claim.")
        );
        // What we claim ourselves does not make the papers look better, nor worse.
        let mixed =
            [of(Verdict::Pass), ours(Verdict::Pass), ours(Verdict::Pass), ours(Verdict::Fail)];
        let text = told(&mixed);
        assert!(text.starts_with("1 claim of the papers holds, 0 do not, 0 cannot"), "{text}");
        assert!(text.contains("Of our own, marked (ours), 2 hold, 1 does not."), "{text}");
        assert_eq!(mixed[1].claim, "(ours) a");
    }
}
