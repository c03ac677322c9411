//! What docs/robot-one.md tells a newcomer to do, in both languages.

use super::{Folder, example, repository};
use crate::common::{output, stderr, stdout};
use serde_json::Value;

/// The program in Python of a document, which stands in a list, and the maze beside it.
fn program_of(document: &str) -> (String, String) {
    let folder = repository().join("docs");
    let text = std::fs::read_to_string(folder.join(document)).expect("a document");
    // The picture that it shows, and the command that makes a world of it.
    assert!(text.contains("](maze.png)"), "{document}");
    assert!(text.contains("`rolima run --maze maze.png --size 24x24`"), "{document}");
    let indented = text.split("   ```python\n").nth(1).expect("a program");
    let indented = indented.split("   ```\n").next().expect("its end");
    let lines = indented.lines().map(|line| line.strip_prefix("   ").unwrap_or(line));
    let maze = folder.join("maze.png").to_str().expect("a path").to_owned();
    (lines.map(|line| format!("{line}\n")).collect(), maze)
}

/// How a program ends in the maze of the document: what it says, how far from a place, and when.
fn ends(maze: &str, program: &str, from: &str) -> (String, f64, f64) {
    let world = ["grade", "--maze", maze, "--size", "24x24", "--program", program];
    // Nothing is near enough to break it off.
    let goal = ["--goal", from, "--tolerance", "0.000001", "--within", "900", "--json"];
    let output = output(&[&world[..], &goal].concat());
    let verdict: Value = serde_json::from_str(&stdout(&output)).expect("a verdict");
    let said = stderr(&output);
    let reason = verdict["reason"].as_str().expect("a reason");
    assert!(reason.starts_with("the program ended after"), "{reason}\n{said}");
    let number = |key: &str| verdict[key].as_f64().expect("a number");
    (said, number("away_m"), number("time_s"))
}

#[test]
fn the_program_of_the_document_leaves_the_maze_of_the_document() {
    let folder = Folder::new("documents");
    for (document, words) in
        [("robot-one.md", "out of the maze at"), ("robot-one.pt.md", "fora do labirinto em")]
    {
        let (program, maze) = program_of(document);
        let file = folder.file("out.py");
        std::fs::write(&file, program).expect("a program");
        let command = example(file.to_str().expect("a path"));
        // The gap is in the upper wall, on the right: 10 m up, from 6 to 10 m to the right.
        let (said, away_m, time_s) = ends(&maze, &command, "10.8,-8");
        assert!(said.contains(words), "{document}: {said}");
        assert!(away_m < 2.5, "{document}: {away_m} m from the gap after {time_s} s");
    }
}

#[test]
fn the_bug_of_the_document_finds_the_goal_above_its_maze() {
    let (_, maze) = program_of("robot-one.md");
    let folder = Folder::new("documents-bug");
    let plot = folder.file("path.svg");
    let command = example(&format!("bug.py 11 0 {}", plot.display()));
    let (said, away_m, _) = ends(&maze, &command, "11,0");
    assert!(said.contains("at the goal after") && away_m < 0.4, "{away_m} m: {said}");
    assert!(std::fs::read_to_string(plot).expect("a plot").contains("<polyline"));
}
