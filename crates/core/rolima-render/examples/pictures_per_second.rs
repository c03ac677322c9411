//! Prints how many pictures a second of CPU time one thread draws: 320 x 240 pixels of a maze of 289
//! walls with 20 moving things, and of a road over hills, shaded and textured. Words on the command
//! line choose: `hills, plain`.

use rolima_render::Quality;
use rolima_render::scenes::CameraBench;

#[path = "../../rolima-spatial/examples/timing/mod.rs"]
mod timing;
use timing::timed;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let qualities = [
        ("plain", Quality::default()),
        ("shadows", Quality { shadows: true, supersample: false }),
        ("2x2 samples", Quality { shadows: false, supersample: true }),
        ("2x2 samples, shadows", Quality { shadows: true, supersample: true }),
    ];
    let stages = [("maze", CameraBench::new(1)?), ("hills", CameraBench::hills(1)?)];
    let all = stages.iter().flat_map(|stage| qualities.map(|quality| (stage, quality)));
    for ((stage, bench), (name, quality)) in all {
        let wanted = std::env::args().nth(1);
        if wanted.is_some_and(|wanted| !format!("{stage}, {name}").starts_with(&wanted)) {
            continue;
        }
        let mut bench = bench.clone();
        bench.set_quality(quality);
        bench.pictures(64)?;
        let mut rates = Vec::new();
        for _ in 0..7 {
            let mut drawn = Ok(());
            rates.push(256.0 / timed(|| drawn = bench.pictures(256)));
            drawn?;
        }
        rates.sort_by(f64::total_cmp);
        println!(
            "{stage}, {name}: {:.0} pictures/s ({:.0} to {:.0}), last picture {:016x}",
            rates[3],
            rates[0],
            rates[6],
            bench.hash()
        );
    }
    Ok(())
}
