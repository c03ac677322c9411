//! `--set key=value`: changes a scene file's tree before it is read.

use crate::error::{SceneError, suggestion};
use crate::ledger::Origin;
use crate::reader::{join, quoted};
use crate::scene::{SCENE, is_list};
use crate::tree::{Node, Table, Value, parse_value};

/// Applies one `--set` argument to the tree of the scene file. What it says of robots that come with
/// a map is kept in `robots` until they are there.
pub(crate) fn apply(
    tree: &mut Node,
    robots: &mut MapRobotSets,
    argument: &str,
) -> Result<(), SceneError> {
    let origin = Origin::Set(argument.into());
    let wrong = |key: &str, expected: String, got: String| {
        Err(SceneError::Value { origin: origin.clone(), key: key.to_owned(), expected, got })
    };
    let Some((key, text)) = argument.split_once('=') else {
        return wrong("", "KEY=VALUE".to_owned(), format!("{argument:?}"));
    };
    let key = key.trim();
    let steps: Vec<&str> = key.split('.').collect();
    if steps.iter().any(|step| step.is_empty()) {
        let expected = "a key such as \"sim.step_s\" before the =".to_owned();
        return wrong("", expected, format!("{key:?}"));
    }
    let value = parse_value(text.trim(), &origin).unwrap_or_else(|| Node {
        value: Value::Text(text.trim().to_owned()),
        origin: origin.clone(),
    });

    let has = |name: &str| tree.table().is_some_and(|table| table.contains_key(name));
    if let ["robot", robot, rest @ ..] = &steps[..]
        && !has("robot")
        && has("map")
    {
        robots.add(robot, rest, value);
        return Ok(());
    }
    let variables = tree.table().and_then(|table| table.get("variables"));
    let variables = variables.and_then(Node::table);
    let names = || variables.into_iter().flat_map(Table::keys).map(String::as_str);
    let is_variable = |name: &str| names().any(|known| known == name);
    match steps[..] {
        [name] if is_variable(name) => put(tree, &["variables", name], "", &value, &origin),
        ["variables", name] if is_variable(name) => put(tree, &steps, "", &value, &origin),
        [name] | ["variables", name] if !SCENE.iter().any(|known| known.name == name) => {
            let expected = match quoted(names()) {
                none if none.is_empty() => {
                    "a dotted key such as \"sim.step_s\" (the scene has no variables)".to_owned()
                }
                some => format!("a variable ({some}) or a dotted key such as \"sim.step_s\""),
            };
            wrong(key, expected, format!("{name:?}{}", suggestion(name, names())))
        }
        _ => put(tree, &steps, "", &value, &origin),
    }
}

/// What `--set robot.WHICH.KEY=VALUE` says of robots that no list of the file has, as they come with
/// its maps; in the order of the arguments, as later ones win.
#[derive(Default)]
pub(crate) struct MapRobotSets {
    sets: Vec<MapRobotSet>,
    /// Names of the robots so far.
    names: Vec<String>,
}

struct MapRobotSet {
    /// A number, a name, or `*` for all.
    robot: String,
    steps: Vec<String>,
    value: Node,
    is_used: bool,
}

impl MapRobotSets {
    fn add(&mut self, robot: &str, steps: &[&str], value: Node) {
        let steps = steps.iter().map(|step| (*step).to_owned()).collect();
        self.sets.push(MapRobotSet { robot: robot.to_owned(), steps, value, is_used: false });
    }

    /// Puts all that is said of the robot with this number and name into its table.
    pub(crate) fn put(
        &mut self,
        table: &mut Node,
        number: usize,
        name: String,
    ) -> Result<(), SceneError> {
        let is_meant = |robot: &str| robot == "*" || robot == name || robot.parse() == Ok(number);
        for set in self.sets.iter_mut().filter(|set| is_meant(&set.robot)) {
            set.is_used = true;
            let steps: Vec<&str> = set.steps.iter().map(String::as_str).collect();
            put(table, &steps, &join("robot", number), &set.value, &set.value.origin)?;
        }
        self.names.push(name);
        Ok(())
    }

    /// The errors of those that no robot was meant by.
    pub(crate) fn unused(&self) -> impl Iterator<Item = SceneError> {
        let expected = match self.names.len() {
            0 => "a robot, of which the map has none".to_owned(),
            n => {
                let names = quoted(self.names.iter().map(String::as_str));
                format!("a name ({names}), a number from 0 to {} or *", n - 1)
            }
        };
        self.sets.iter().filter(|set| !set.is_used).map(move |set| SceneError::Value {
            origin: set.value.origin.clone(),
            key: join("robot", &set.robot),
            expected: expected.clone(),
            got: format!("{:?}", set.robot),
        })
    }
}

/// Puts everything that a `--set` left at the path `steps` below `node`: `left` is its value, or a
/// table of further steps.
pub(crate) fn put_all<'n>(
    node: &mut Node,
    steps: &mut Vec<&'n str>,
    path: &str,
    left: &'n Node,
) -> Result<(), SceneError> {
    let Some(table) = left.table() else {
        return put(node, steps, path, left, &left.origin);
    };
    for (name, left) in table {
        steps.push(name);
        put_all(node, steps, path, left)?;
        steps.pop();
    }
    Ok(())
}

/// Puts `value` at the path `steps` below `node`; makes tables that are missing on the way.
fn put(
    node: &mut Node,
    steps: &[&str],
    path: &str,
    value: &Node,
    origin: &Origin,
) -> Result<(), SceneError> {
    let Some((step, rest)) = steps.split_first() else {
        *node = value.clone();
        return Ok(());
    };
    let here = join(path, step);
    let wrong = |key: &str, expected: String, got: String| {
        Err(SceneError::Value { origin: origin.clone(), key: key.to_owned(), expected, got })
    };
    match &mut node.value {
        Value::Table(table) => {
            if path.is_empty() && is_list(step) && !table.contains_key(*step) {
                let expected = format!("an entry of the scene file's list [[{step}]]");
                return wrong(&here, expected, "nothing: the file has no such list".to_owned());
            }
            if *step == "kind" && rest.is_empty() {
                forget_other_kind(table, value);
            }
            let empty = || Node { value: Value::Table(Table::new()), origin: origin.clone() };
            put(table.entry((*step).to_owned()).or_insert_with(empty), rest, &here, value, origin)
        }
        Value::Array(items) => {
            let chosen = chosen_indices(items, step);
            if chosen.is_empty() {
                return wrong(&here, expected_entry(items), format!("{step:?}"));
            }
            for i in chosen {
                put(&mut items[i], rest, &join(path, i), value, origin)?;
            }
            Ok(())
        }
        scalar => wrong(&here, format!("{path:?} to be a table or a list"), scalar.got()),
    }
}

fn entry_name(item: &Node) -> Option<&str> {
    item.table()?.get("name")?.text()
}

/// What may stand for an entry of a list.
fn expected_entry(items: &[Node]) -> String {
    let names: Vec<&str> = items.iter().filter_map(entry_name).collect();
    match (items.len(), names.is_empty()) {
        (0, _) => "an entry of the list, which is empty".to_owned(),
        (n, true) => format!("a number from 0 to {} or *", n - 1),
        (n, false) => {
            format!("a name ({}), a number from 0 to {} or *", quoted(names), n - 1)
        }
    }
}

/// Which entries of a list a step means: its number, its name, or `*` for all.
fn chosen_indices(items: &[Node], step: &str) -> Vec<usize> {
    if step == "*" {
        return (0..items.len()).collect();
    }
    let by_name = items.iter().position(|item| entry_name(item) == Some(step));
    let by_number = step.parse().ok().filter(|i| *i < items.len());
    by_name.or(by_number).into_iter().collect()
}

/// A new kind has other keys: those written for the old kind go, those of other `--set`s stay.
fn forget_other_kind(table: &mut Table, kind: &Node) {
    let same = table.get("kind").is_some_and(|old| old.text() == kind.text());
    if !same {
        table.retain(|_, node| matches!(node.origin, Origin::Set(_)));
    }
}
