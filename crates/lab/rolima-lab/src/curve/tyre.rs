//! Forces of a tyre over slip and slip angle.

use super::{Ground, Table, wheel};
use anyhow::Result;
use rolima_spatial::VehicleSpec;

/// Slip angles, degrees, and slips, percent, at which the other force is shown too.
const ANGLES: [f64; 4] = [0.0, 2.0, 4.0, 8.0];
const SLIPS: [f64; 4] = [0.0, 5.0, 10.0, 20.0];

/// F_x over slip and F_y over the slip angle, each also with some of the other slip.
pub(super) fn tables(
    (vehicle, ground): (&VehicleSpec, &Ground),
    number: Option<usize>,
    load: f64,
) -> Result<Vec<Table>> {
    let wheel = wheel(vehicle, number, |wheel| !wheel.ball)?;
    // Tyres of the left side are mirrored.
    let side = if wheel.is_mirrored() { -1.0 } else { 1.0 };
    let force = |slip: f64, angle: f64| {
        let angle = side * angle.to_radians();
        let forces = wheel.tyre.forces_on(slip / 100.0, angle, load, ground.factor);
        forces.map(|[x, y]| [x, side * y])
    };
    let mut along = vec![];
    for i in -200..=200 {
        let slip = 0.5 * f64::from(i);
        let mut row = vec![slip];
        for angle in ANGLES {
            row.push(force(slip, angle)?[0]);
        }
        along.push(row);
    }
    let mut across = vec![];
    for i in -200..=200 {
        let angle = 0.1 * f64::from(i);
        let mut row = vec![angle];
        for slip in SLIPS {
            row.push(force(slip, angle)?[1]);
        }
        across.push(row);
    }
    let name = &vehicle.name;
    let with = |force: &str, other: &str, x: f64| {
        if x == 0.0 { format!("{force} N") } else { format!("{force} N, {other}") }
    };
    let angles = ANGLES.map(|a| with("F_x", &format!("{a} deg"), a)).to_vec();
    let slips = SLIPS.map(|s| with("F_y", &format!("slip {s} %"), s)).to_vec();
    Ok(vec![
        Table {
            title: format!("{name}: force lengthwise over slip at a load of {load} N, {ground}"),
            over: "slip %",
            columns: angles,
            rows: along,
            shown_every: 20,
        },
        Table {
            title: format!(
                "{name}: force sideways over slip angle at a load of {load} N, {ground}"
            ),
            over: "angle deg",
            columns: slips,
            rows: across,
            shown_every: 20,
        },
    ])
}
