//! `rolima curve`: the curves of tyres and motors that a vehicle uses.

mod motor;
mod plot;
mod tyre;

use crate::failure::{Usage, say};
use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use rolima_spatial::{VehicleSpec, presets};
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct CurveArguments {
    #[command(subcommand)]
    kind: Kind,
}

#[derive(Debug, Subcommand)]
enum Kind {
    /// Forces over slip and slip angle, alone and combined
    Tyre {
        /// A vehicle: vivi, skid-steer, rover, robot-one
        preset: String,
        /// Load on the wheel
        #[arg(long, value_name = "NEWTONS", value_parser = load)]
        load: f64,
        #[command(flatten)]
        out: Out,
    },
    /// Torque, current and power over speed
    Motor {
        /// A vehicle: vivi, skid-steer, rover, robot-one
        preset: String,
        #[command(flatten)]
        out: Out,
    },
}

#[derive(Debug, Args)]
struct Out {
    /// Write all points here
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Draw the curves here
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

fn load(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(newtons) if newtons > 0.0 && newtons <= 1e6 => Ok(newtons),
        _ => Err("expected newtons above 0 and up to 1e6".to_owned()),
    }
}

/// Curves over one quantity.
struct Table {
    title: String,
    /// What the first column is.
    over: &'static str,
    /// What the others are.
    columns: Vec<String>,
    rows: Vec<Vec<f64>>,
    /// Every so many rows are shown to people.
    shown_every: usize,
}

/// Prints the curves that are asked for.
pub(crate) fn curve(arguments: &CurveArguments) -> Result<()> {
    let (tables, out) = match &arguments.kind {
        Kind::Tyre { preset, load, out } => (tyre::tables(&vehicle(preset)?, *load)?, out),
        Kind::Motor { preset, out } => (motor::tables(&vehicle(preset)?)?, out),
    };
    for table in &tables {
        say(&for_people(table))?;
    }
    if let Some(path) = &out.csv {
        let text: String = tables.iter().map(as_csv).collect::<Vec<_>>().join("\n");
        fs::write(path, text).with_context(|| path.to_string_lossy().into_owned())?;
    }
    if let Some(path) = &out.svg {
        fs::write(path, plot::svg(&tables)).with_context(|| path.to_string_lossy().into_owned())?;
    }
    Ok(())
}

fn vehicle(name: &str) -> Result<VehicleSpec> {
    presets::named(name).ok_or_else(|| {
        let known = presets::NAMES.join(", ");
        Usage(format!("vehicle: expected one of {known}, got {name}")).into()
    })
}

fn for_people(table: &Table) -> String {
    let mut text = format!("{}\n{:>12}", table.title, table.over);
    for column in &table.columns {
        let _ = write!(text, "{column:>18}");
    }
    for row in table.rows.iter().step_by(table.shown_every) {
        text.push('\n');
        for (i, x) in row.iter().enumerate() {
            let _ = if i == 0 { write!(text, "{x:>12.2}") } else { write!(text, "{x:>18.3}") };
        }
    }
    text.push('\n');
    text
}

fn as_csv(table: &Table) -> String {
    let mut text = format!("# {}\n{}", table.title, table.over);
    for column in &table.columns {
        let _ = write!(text, ",{column}");
    }
    text.push('\n');
    for row in &table.rows {
        let numbers: Vec<String> = row.iter().map(ToString::to_string).collect();
        text.push_str(&numbers.join(","));
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tyre_s_curves_are_those_of_its_law() {
        let tables = tyre::tables(&vehicle("vivi").unwrap(), 4000.0).unwrap();
        let along = &tables[0];
        let row = along.rows.iter().find(|row| row[0] == 10.0).unwrap();
        assert!((row[1] - 4235.146).abs() < 1e-3, "{row:?}");
        let csv = as_csv(along);
        assert!(csv.lines().nth(1).unwrap().starts_with("slip %,F_x N"), "{csv}");
        assert_eq!(csv.lines().count(), along.rows.len() + 2);
    }

    #[test]
    fn a_motor_s_curves_end_at_its_no_load_speed() {
        let tables = motor::tables(&vehicle("vivi").unwrap()).unwrap();
        let rows = &tables[0].rows;
        let last = rows.last().unwrap();
        assert!((last[0] - 6040.7).abs() < 0.1 && last[2].abs() < 1e-9, "{last:?}");
        // The driver's limit.
        assert_eq!(rows[0][1], 80.0);
    }

    #[test]
    fn drawings_have_a_line_for_every_column() {
        let tables = tyre::tables(&vehicle("rover").unwrap(), 100.0).unwrap();
        let svg = plot::svg(&tables);
        let columns: usize = tables.iter().map(|t| t.columns.len()).sum();
        assert_eq!(svg.matches("<polyline").count(), columns);
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        assert!(!svg.contains("NaN"));
    }

    #[test]
    fn unknown_vehicles_are_told() {
        let message = vehicle("bicycle").unwrap_err().to_string();
        assert_eq!(
            message,
            "vehicle: expected one of vivi, skid-steer, rover, robot-one, got bicycle"
        );
    }
}
