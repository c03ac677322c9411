//! The repository's rules as tests. Each problem says where it is and how to mend it; the rules
//! themselves are in `rules.rs` and tried on violations in `violations.rs`.

mod repository;
mod rules;
mod violations;

use repository::Repository;

/// Fails with every problem on a line of its own.
#[track_caller]
fn assert_tidy(problems: Vec<String>) {
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

#[test]
fn architecture_names_exactly_the_crates() {
    let repository = Repository::find();
    let text = repository.text("ARCHITECTURE.md");
    assert_tidy(rules::code_map(&text, &repository.crates()));
}

#[test]
fn every_crate_is_a_workspace_member() {
    let repository = Repository::find();
    assert_tidy(rules::members(&repository.text("Cargo.toml"), &repository.crates()));
}

#[test]
fn crates_depend_only_on_tiers_above_them() {
    assert_tidy(rules::tiers(&Repository::find().crates()));
}

#[test]
fn every_dependency_has_its_reason() {
    let manifest = Repository::find().text("Cargo.toml");
    assert_tidy(rules::dependency_reasons("Cargo.toml", &manifest));
}

#[test]
fn no_file_names_a_machine() {
    let repository = Repository::find();
    let texts = repository.texts();
    assert_tidy(texts.flat_map(|(path, text)| rules::machine_names(path, &text)).collect());
}

#[test]
fn source_files_are_short() {
    let repository = Repository::find();
    let texts = repository.texts();
    assert_tidy(texts.filter_map(|(path, text)| rules::file_length(path, &text)).collect());
}

#[test]
fn the_command_line_is_thin() {
    assert_tidy(rules::program_is_thin(Repository::find().texts()));
}

#[test]
fn hardly_anybody_asks_which_engine_runs() {
    assert_tidy(rules::engine_asked(Repository::find().texts()));
}

#[test]
fn readme_names_both_commands() {
    assert_tidy(rules::readme_commands(&Repository::find().text("README.md")));
}

#[test]
fn every_file_of_tests_is_compiled() {
    let repository = Repository::find();
    let files = repository.files();
    let texts: Vec<_> = repository.texts().filter(|(path, _)| path.ends_with("main.rs")).collect();
    let problems = repository.crates().into_iter().flat_map(|krate| {
        let wanted = format!("{}/tests/main.rs", krate.folder);
        let main = texts.iter().find(|(path, _)| *path == wanted).map(|(_, text)| text.as_str());
        rules::tests_named(&krate, main, &files)
    });
    assert_tidy(problems.collect());
}

#[test]
fn every_promise_names_tests_that_there_are() {
    let repository = Repository::find();
    let is_source = |path: &str| path.ends_with(".rs");
    let sources: Vec<String> =
        repository.texts().filter(|(path, _)| is_source(path)).map(|(_, text)| text).collect();
    assert_tidy(rules::tests_there("docs/safety.md", &repository.text("docs/safety.md"), &sources));
}

#[test]
fn one_name_is_one_thing() {
    assert_tidy(rules::one_name_one_thing(Repository::find().texts()));
}
