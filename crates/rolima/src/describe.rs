//! `rolima describe`: all parameters with units and where each comes from.

use crate::cli::DescribeArguments;
use crate::scene;
use anyhow::Result;
use rolima_console::failure::say;
use rolima_console::text::columns;
use rolima_scene::{LedgerRow, grouped};
use serde_json::json;

/// Lists the parameters of a scene, or of a robot that is built in.
pub(crate) fn describe(arguments: &DescribeArguments) -> Result<()> {
    let opened = scene::open(&arguments.scene)?;
    let rows = opened.scene.ledger.rows();
    // A built-in robot comes as a scene with it alone, whose other parameters are no business of it.
    let is_preset = opened.is_preset;
    let rows = grouped(rows.iter().filter(|row| !is_preset || row.key.starts_with("robot.")));
    let title = &opened.scene.spec.title;
    let text = if arguments.json {
        let parameters: Vec<_> = rows
            .iter()
            .map(|row| {
                json!({
                    "key": row.key, "value": row.value, "unit": row.unit,
                    "origin": row.origin.to_string(), "meaning": row.meaning,
                })
            })
            .collect();
        json!({ "scene": arguments.scene.name(), "title": title, "parameters": parameters })
            .to_string()
    } else {
        table(&rows)
    };
    Ok(say(&text)?)
}

fn table(rows: &[LedgerRow]) -> String {
    let head = ["key", "value", "unit", "from", "meaning"];
    let mut cells = vec![head.map(String::from).to_vec()];
    cells.extend(rows.iter().map(|row| {
        let LedgerRow { key, value, unit, meaning, origin } = row;
        vec![key.clone(), value.clone(), unit.to_string(), origin.to_string(), meaning.to_string()]
    }));
    columns(&cells).join("\n")
}
