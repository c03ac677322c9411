//! `rolima keys`: all keys that scenes may have.

use crate::cli::KeysArguments;
use anyhow::Result;
use rolima_console::failure::{Usage, say};
use rolima_console::text::columns;
use rolima_scene::{DeclaredKey, key_tables};
use serde_json::json;

/// Lists the keys of scenes whose paths have a text in them, or all.
pub(crate) fn keys(arguments: &KeysArguments) -> Result<()> {
    let wanted = arguments.pattern.as_deref().unwrap_or_default();
    let mut found = vec![];
    for table in key_tables() {
        for key in &table.keys {
            let path = table.path_of(key);
            if path.contains(wanted) {
                found.push((path, key.clone()));
            }
        }
    }
    if found.is_empty() {
        return Err(Usage(format!(
            "expected a part of a key's name, such as `robot.drive` or `mass`, got `{wanted}`, which is \
             in none (`rolima keys` lists all)"
        ))
        .into());
    }
    if arguments.json {
        let one = |(path, key): &(String, DeclaredKey)| {
            let DeclaredKey { kinds, unit, range, default, meaning, .. } = key;
            json!({
                "key": path, "kinds": kinds, "unit": unit, "values": range, "default": default,
                "meaning": meaning,
            })
        };
        let all: Vec<_> = found.iter().map(one).collect();
        return Ok(say(&json!({ "keys": all }).to_string())?);
    }
    let mut cells =
        vec![["key", "kind", "unit", "values", "default", "meaning"].map(String::from).to_vec()];
    cells.extend(found.into_iter().map(|(path, key)| {
        let DeclaredKey { kinds, unit, range, default, meaning, .. } = key;
        vec![path, kinds.join(", "), unit.to_owned(), range, default, meaning.to_owned()]
    }));
    Ok(say(&columns(&cells).join("\n"))?)
}
