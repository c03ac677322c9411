//! Variables of a scene file: `"$name"` stands for the variable `name` wherever a value may stand.

use crate::error::suggestion;
use crate::log::Log;
use crate::reader::{join, quoted, text};
use crate::tree::{Node, Table, Value};

/// Takes the table `variables` out of a file's tree, lets `overrides` change it, and puts the
/// values in the place of every `"$name"`.
///
/// The new value keeps the place where it was written: an error in it names the line of the
/// variable, or the `--set` that gave it. Returns whether all variables were good: if not, values
/// that need them would only be told as wrong again.
pub(crate) fn substitute(
    log: &mut Log,
    tree: &mut Node,
    overrides: Option<&Node>,
    path: &str,
) -> bool {
    let Value::Table(table) = &mut tree.value else { return true };
    let errors_before = log.error_count();
    let path = join(path, "variables");
    let mut variables = match table.remove("variables") {
        Some(node) => checked(log, &node, &path),
        None => Table::new(),
    };
    if let Some(node) = overrides {
        for (name, value) in checked(log, node, &path) {
            match variables.get_mut(&name) {
                Some(variable) => *variable = value,
                None => {
                    let (expected, got) = (expected(&variables), unknown(&name, &variables));
                    log.wrong(&value.origin, join(&path, &name), expected, got);
                }
            }
        }
    }
    let row = text("variable", "variable of the file: stands where it writes \"$name\"");
    for (name, node) in &variables {
        log.record(join(&path, name), node.value.shown(), &row, node.origin.clone());
    }
    replace(log, tree, &variables);
    log.error_count() == errors_before
}

/// The variables of a table, without those that are not plain values.
fn checked(log: &mut Log, node: &Node, path: &str) -> Table {
    let Some(table) = node.table() else {
        log.wrong(&node.origin, path, "a table", node.value.got());
        return Table::new();
    };
    let mut good = table.clone();
    good.retain(|name, node| {
        let plain = !matches!(node.value, Value::Array(_) | Value::Table(_) | Value::Date(_));
        if !plain {
            let expected = "a number, a text, true or false";
            log.wrong(&node.origin, join(path, name), expected, node.value.got());
        }
        plain
    });
    good
}

fn expected(variables: &Table) -> String {
    if variables.is_empty() {
        "no variable: the file has none".to_owned()
    } else {
        format!("a variable of the file: {}", quoted(variables.keys().map(String::as_str)))
    }
}

fn unknown(name: &str, variables: &Table) -> String {
    format!("{name:?}{}", suggestion(name, variables.keys().map(String::as_str)))
}

/// The name in `"$name"`.
fn reference(text: &str) -> Option<&str> {
    let name = text.strip_prefix('$')?;
    let first_is_letter = name.starts_with(|c: char| c.is_ascii_alphabetic());
    let rest_is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    (first_is_letter && rest_is_word).then_some(name)
}

fn replace(log: &mut Log, node: &mut Node, variables: &Table) {
    match &mut node.value {
        Value::Array(items) => items.iter_mut().for_each(|item| replace(log, item, variables)),
        Value::Table(table) => table.values_mut().for_each(|item| replace(log, item, variables)),
        Value::Text(text) => {
            let Some(name) = reference(text) else { return };
            match variables.get(name) {
                Some(value) => *node = value.clone(),
                None => {
                    let got = unknown(name, variables);
                    log.wrong(&node.origin, text.clone(), expected(variables), got);
                }
            }
        }
        _ => {}
    }
}
