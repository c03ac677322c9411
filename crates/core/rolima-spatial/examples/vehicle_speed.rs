//! How fast a vehicle is simulated, part by part: `cargo run --release --example vehicle_speed`.

mod timing;

use rolima_spatial::bench::{Fineness, VehicleWork};
use timing::timed;

/// The quickest of so many short pieces counts, as other programs disturb most of them.
const PIECES: u64 = 60;

fn main() {
    let only: Option<String> = std::env::args().nth(1);
    for (name, step_s, contact_every, tyre_every) in [
        ("1 ms, all every step", 1e-3, 1, 1),
        ("1 us, all every step", 1e-6, 1, 1),
        ("1 us, contact 20", 1e-6, 20, 1),
        ("1 us, contact 20, tyre 5", 1e-6, 20, 5),
        ("100 ns, contact 200, tyre 50", 1e-7, 200, 50),
        ("100 ns, neither", 1e-7, 1_000_000, 1_000_000),
    ] {
        if only.as_ref().is_some_and(|o| !name.contains(o.as_str())) {
            continue;
        }
        let fineness = Fineness { step_s, contact_every, tyre_every };
        let mut work = VehicleWork::new("vivi", 1, fineness).expect("a good preset");
        work.run(1);
        work.order();
        let steps = 20_000.min(work.steps_per_order());
        let mut best = f64::MAX;
        for _ in 0..PIECES {
            let piece = timed(|| work.world.steps(steps));
            best = best.min(piece / steps as f64);
        }
        println!(
            "{name:32} {:8.1} ns/step  {:7.2} x real time  hash {:016x}",
            best * 1e9,
            step_s / best,
            work.world.state_hash()
        );
    }
}
