//! How fast a vehicle is simulated, part by part: `cargo run --release --example vehicle_speed`.

use rolima_spatial::bench::{Fineness, VehicleWork};

/// CPU time of this thread, s.
#[cfg(unix)]
fn cpu_s() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Wall time where there is no other.
#[cfg(not(unix))]
fn cpu_s() -> f64 {
    static START: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed().as_secs_f64()
}

fn main() {
    let only: Option<String> = std::env::args().nth(1);
    for (name, step_s, contact_every, tyre_every, orders) in [
        ("1 ms, all every step", 1e-3, 1, 1, 1000),
        ("1 us, all every step", 1e-6, 1, 1, 4),
        ("1 us, contact 10", 1e-6, 10, 1, 4),
        ("1 us, contact 20, tyre 5", 1e-6, 20, 5, 4),
        ("100 ns, contact 100, tyre 10", 1e-7, 100, 10, 1),
        ("100 ns, contact 500, tyre 50", 1e-7, 500, 50, 1),
    ] {
        if only.as_ref().is_some_and(|o| !name.contains(o.as_str())) {
            continue;
        }
        let fineness = Fineness { step_s, contact_every, tyre_every };
        let mut work = VehicleWork::new("vivi", 1, fineness).expect("a good preset");
        work.run(orders.min(4));
        let mut best = f64::MAX;
        let mut steps = 0;
        for _ in 0..3 {
            let begin = cpu_s();
            steps = work.run(orders);
            best = best.min((cpu_s() - begin) / steps as f64);
        }
        let state = &work.world.vehicle(0).expect("one vehicle").state;
        println!(
            "{name:32} {:8.1} ns/step  {:7.2} x real time  at {:.3} {:.3} {:.3} hash {:016x}",
            best * 1e9,
            step_s / best,
            state.position.x,
            state.position.y,
            state.position.z,
            work.world.state_hash()
        );
        let _ = steps;
    }
}
