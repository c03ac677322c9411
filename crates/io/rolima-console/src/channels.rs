//! Channels that are asked for by their names.

use crate::failure::Usage;
use rolima_core::Schema;
use rolima_core::schema::matches_any;

/// Numbers of the channels that `option` asks for, in their order; all of them without patterns.
pub fn choose(option: &str, schema: &Schema, patterns: Option<&str>) -> Result<Vec<usize>, Usage> {
    let names = schema.channels().iter().map(|channel| channel.name.as_str());
    let chosen = choose_among(option, names, patterns, "no name");
    chosen.map_err(|Usage(why)| Usage(format!("{why} (`rolima channels SCENE` lists all)")))
}

/// The same of the channels of these names; `none` is what matches none of them, in an error.
pub fn choose_among<'a>(
    option: &str,
    names: impl DoubleEndedIterator<Item = &'a str> + ExactSizeIterator + Clone,
    patterns: Option<&str>,
    none: &str,
) -> Result<Vec<usize>, Usage> {
    let Some(patterns) = patterns else { return Ok((0..names.len()).collect()) };
    let wanted = names.clone().enumerate().filter(|(_, name)| matches_any(patterns, name));
    let chosen: Vec<usize> = wanted.map(|(number, _)| number).collect();
    if chosen.is_empty() {
        let such = names.rev().find(|name| name.contains(".x")).unwrap_or("time");
        return Err(Usage(format!(
            "{option}: expected names of channels, such as `{such}` or `robot.**`, got `{patterns}`, \
             which {none} matches"
        )));
    }
    Ok(chosen)
}
