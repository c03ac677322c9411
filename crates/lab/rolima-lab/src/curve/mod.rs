//! `rolima curve`: the curves of tyres and motors that a vehicle uses.

mod motor;
mod plot;
mod tyre;

use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use rolima_console::failure::{Usage, say};
use rolima_console::numbers::count;
use rolima_math::Vec2;
use rolima_scene::{Source, load as load_scene};
use rolima_spatial::{Terrain, VehicleSpec, WheelSpec};
use std::fmt::{self, Write};
use std::fs;
use std::path::PathBuf;

/// What `rolima curve` takes.
#[derive(Debug, Args)]
pub struct CurveArguments {
    #[command(subcommand)]
    kind: Kind,
}

#[derive(Debug, Subcommand)]
enum Kind {
    /// Forces over slip and slip angle, alone and combined
    Tyre {
        #[command(flatten)]
        of: Of,
        /// Load on the wheel
        #[arg(long, value_name = "NEWTONS", value_parser = load)]
        load: f64,
        #[command(flatten)]
        out: Out,
    },
    /// Torque, current and power over speed
    Motor {
        #[command(flatten)]
        of: Of,
        #[command(flatten)]
        out: Out,
    },
}

/// Whose curves.
#[derive(Debug, Args)]
struct Of {
    /// A vehicle (vivi, skid-steer, rover, robot-one, crawler), a scene file or a built-in scene;
    /// `SCENE:ROBOT` chooses one of its vehicles by name or number, counted from 0
    #[arg(value_name = "VEHICLE|SCENE[:ROBOT]")]
    vehicle: String,
    /// Which of its wheels, counted from 0 [default: the first one that has what is asked for]
    #[arg(long, value_name = "NUMBER", value_parser = count::<usize>)]
    wheel: Option<usize>,
    /// Change a variable or any key of the scene, as `rolima run` does: `robot.0.wheels.motor.gear=40`;
    /// may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
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
pub fn curve(arguments: &CurveArguments) -> Result<()> {
    let (tables, out) = match &arguments.kind {
        Kind::Tyre { of, load, out } => {
            let (vehicle, ground) = of.open()?;
            (tyre::tables((&vehicle, &ground), of.wheel, *load)?, out)
        }
        Kind::Motor { of, out } => (motor::tables(&of.open()?.0, of.wheel)?, out),
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

/// The friction factor that a curve has in it.
struct Ground {
    /// Where the vehicle starts.
    factor: f64,
    /// The least and the largest one of the whole ground.
    range: [f64; 2],
}

impl Ground {
    fn under(terrain: &Terrain, at: Vec2) -> Self {
        let map = terrain.spec().friction.as_ref().map_or(&[1.0][..], |map| &map.values);
        let least = map.iter().copied().fold(f64::MAX, f64::min);
        let most = map.iter().copied().fold(f64::MIN, f64::max);
        Self { factor: terrain.friction(at.x, at.y), range: [least, most] }
    }
}

impl fmt::Display for Ground {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [least, most] = self.range;
        write!(f, "ground's friction factor {}", self.factor)?;
        if least < most { write!(f, " as where it starts, of {least} to {most}") } else { Ok(()) }
    }
}

impl Of {
    /// The vehicle, as the scene uses it, and the ground that it starts on.
    fn open(&self) -> Result<(VehicleSpec, Ground)> {
        let name = self.vehicle.as_str();
        let (source, robot) = match (Source::resolve(name), name.rsplit_once(':')) {
            (Ok(source), _) => (source, None),
            (Err(_), Some((scene, robot))) => (Source::resolve(scene)?, Some(robot)),
            (Err(error), None) => return Err(error.into()),
        };
        let mut scene = load_scene(&source, &self.sets)?;
        if matches!(source, Source::Text { .. })
            && scene.spec.robots.iter().all(|robot| robot.vehicle.is_none())
        {
            // A preset for flat floors is a vehicle where there is ground.
            let ground = "ground.kind=\"flat\"".to_owned();
            let sets: Vec<String> = self.sets.iter().cloned().chain([ground]).collect();
            scene = load_scene(&source, &sets)?;
        }
        scene.compile()?;
        let robots = &mut scene.spec.robots;
        let index = match robot {
            None => robots.iter().position(|robot| robot.vehicle.is_some()),
            Some(wanted) => robots
                .iter()
                .position(|robot| robot.name == wanted)
                .or_else(|| wanted.parse().ok().filter(|i| *i < robots.len())),
        };
        let found = index.map(|i| robots.swap_remove(i));
        let at = found.as_ref().map_or(Vec2::ZERO, |robot| robot.pose.position);
        let terrain = scene.spec.ground.as_ref().map(|ground| ground.terrain.clone());
        match (found.and_then(|robot| robot.vehicle), robot) {
            (Some(mut vehicle), _) => {
                // A preset by itself is called by its own name, not as the scene's only robot.
                if matches!(source, Source::Text { .. }) {
                    vehicle.name.clone_from(&self.vehicle);
                }
                let plain = Ground { factor: 1.0, range: [1.0; 2] };
                Ok((*vehicle, terrain.map_or(plain, |terrain| Ground::under(&terrain, at))))
            }
            (None, Some(robot)) if index.is_some() => {
                let expected = "a robot on ground, with chassis and wheels";
                Err(Usage(format!("{name}: expected {expected}, got {robot}")).into())
            }
            (None, Some(robot)) => {
                let known: Vec<&str> = scene.spec.robots.iter().map(|r| r.name.as_str()).collect();
                let known = known.join(", ");
                Err(Usage(format!("{name}: expected one of {known}, got {robot}")).into())
            }
            (None, None) => {
                let expected = "a scene with a vehicle on ground";
                Err(Usage(format!("{name}: expected {expected}, got none")).into())
            }
        }
    }
}

/// The wheel of this number, or the first one that is good.
fn wheel(
    vehicle: &VehicleSpec,
    number: Option<usize>,
    good: impl Fn(&WheelSpec) -> bool,
) -> Result<&WheelSpec> {
    let wheels = &vehicle.wheels;
    let found = match number {
        Some(number) => wheels.get(number),
        None => wheels.iter().find(|wheel| good(wheel)).or(wheels.first()),
    };
    found.ok_or_else(|| {
        let most = wheels.len().saturating_sub(1);
        let got = number.unwrap_or_default();
        Usage(format!("--wheel: expected a number from 0 to {most}, got {got}")).into()
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
        // Names may have commas.
        let _ = write!(text, ",\"{column}\"");
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

    const PLAIN: Ground = Ground { factor: 1.0, range: [1.0; 2] };

    fn vehicle(name: &str) -> Result<VehicleSpec> {
        Of { vehicle: name.to_owned(), wheel: None, sets: vec![] }
            .open()
            .map(|(vehicle, _)| vehicle)
    }

    #[test]
    fn a_tyre_s_curves_are_those_of_its_law() {
        let tables = tyre::tables((&vehicle("vivi").unwrap(), &PLAIN), None, 4000.0).unwrap();
        let along = &tables[0];
        let row = along.rows.iter().find(|row| row[0] == 10.0).unwrap();
        assert!((row[1] - 4235.146).abs() < 1e-3, "{row:?}");
        let csv = as_csv(along);
        assert!(csv.lines().nth(1).unwrap().starts_with("slip %,\"F_x N"), "{csv}");
        assert_eq!(csv.lines().count(), along.rows.len() + 2);
    }

    #[test]
    fn a_motor_s_curves_end_at_its_no_load_speed() {
        let tables = motor::tables(&vehicle("vivi").unwrap(), None).unwrap();
        let rows = &tables[0].rows;
        let last = rows.last().unwrap();
        assert!((last[0] - 6040.7).abs() < 0.1 && last[2].abs() < 1e-9, "{last:?}");
        // The driver's limit.
        assert_eq!(rows[0][1], 80.0);
    }

    #[test]
    fn drawings_have_a_line_for_every_column() {
        let tables = tyre::tables((&vehicle("rover").unwrap(), &PLAIN), None, 100.0).unwrap();
        let svg = plot::svg(&tables);
        let columns: usize = tables.iter().map(|t| t.columns.len()).sum();
        assert_eq!(svg.matches("<polyline").count(), columns);
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        assert!(!svg.contains("NaN"));
    }

    #[test]
    fn curves_are_those_of_the_scene_with_what_is_set() {
        let gear = |name: &str, sets: &[&str]| {
            let sets = sets.iter().map(ToString::to_string).collect();
            let of = Of { vehicle: name.to_owned(), wheel: None, sets };
            of.open().map(|(vehicle, _)| {
                let title = motor::tables(&vehicle, None).unwrap()[0].title.clone();
                title.split_once(": motor").unwrap().0.to_owned()
                    + &vehicle.wheels[0].motor.unwrap().gear.to_string()
            })
        };
        assert_eq!(gear("flat", &[]).unwrap(), "skid-steer60");
        assert_eq!(gear("flat:rover", &["robot.rover.wheels.motor.gear=40"]).unwrap(), "rover40");
        assert_eq!(gear("flat:2", &[]).unwrap(), "vivi20");
        assert_eq!(gear("robot-one", &[]).unwrap(), "robot-one1");
    }

    #[test]
    fn a_tyre_s_curve_says_and_has_the_ground_s_friction() {
        let shown = |sets: &[&str]| {
            let sets = sets.iter().map(ToString::to_string).collect();
            let (vehicle, ground) =
                Of { vehicle: "flat:vivi".to_owned(), wheel: None, sets }.open().unwrap();
            let tables = tyre::tables((&vehicle, &ground), None, 4000.0).unwrap();
            let peak = tables[0].rows.iter().map(|row| row[1]).fold(0.0, f64::max);
            (tables[0].title.clone(), peak)
        };
        let (title, dry) = shown(&[]);
        assert!(title.ends_with("4000 N, ground's friction factor 1"), "{title}");
        let (title, icy) = shown(&["ground.friction=0.5"]);
        assert!(title.ends_with("ground's friction factor 0.5"), "{title}");
        assert!((icy / dry - 0.5).abs() < 1e-3, "{icy} {dry}");
        let of = Of { vehicle: "proving-ground".to_owned(), wheel: None, sets: vec![] };
        let title = of.open().unwrap().1.to_string();
        assert!(title.contains("as where it starts, of 0.12 to 1"), "{title}");
    }

    #[test]
    fn a_wheel_can_be_chosen() {
        let vehicle = vehicle("robot-one").unwrap();
        let peak = |wheel| {
            let tables = tyre::tables((&vehicle, &PLAIN), wheel, 100.0).unwrap();
            tables[0].rows.iter().map(|row| row[1]).fold(0.0, f64::max)
        };
        assert!(peak(None) > 100.0 && peak(Some(2)) == 0.0, "{}", peak(Some(2)));
        let message =
            tyre::tables((&vehicle, &PLAIN), Some(4), 100.0).map(|_| ()).unwrap_err().to_string();
        assert_eq!(message, "--wheel: expected a number from 0 to 3, got 4");
        let message = motor::tables(&vehicle, Some(2)).map(|_| ()).unwrap_err().to_string();
        assert!(message.contains("expected a motor"), "{message}");
    }

    #[test]
    fn unknown_vehicles_are_told() {
        let message = |name: &str| vehicle(name).unwrap_err().to_string();
        let unknown = message("bicycle");
        assert!(unknown.starts_with("bicycle: no such file, and no built-in scene"), "{unknown}");
        assert_eq!(
            message("soccer"),
            "soccer: expected a scene with a vehicle on ground, got none"
        );
        assert!(message("flat:bus").starts_with("flat:bus: expected one of skid-steer, rover,"));
        assert!(message("soccer:blue-1").contains("expected a robot on ground"));
    }
}
