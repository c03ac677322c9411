//! Prints how many rays a second of CPU time one thread casts in a maze of 289 walls.
//!
//! ```text
//! cargo run --release --package rolima-sensors --example rays_per_second
//! ```

use rolima_sensors::bench::{Done, HallWork, LidarWork};

#[cfg(unix)]
fn cpu_s() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Wall time, where the system tells no CPU time without unsafe code.
#[cfg(not(unix))]
fn cpu_s() -> f64 {
    use std::sync::LazyLock;
    use std::time::Instant;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_secs_f64()
}

/// Runs work three times after a warm-up and prints the best and the worst rate.
fn measure(name: &str, rounds: u32, mut work: impl FnMut(u32) -> Done) {
    work(1);
    let mut rates = [0.0; 3];
    let mut last = None;
    for rate in &mut rates {
        let begin = cpu_s();
        let done = work(rounds);
        *rate = done.rays as f64 / (cpu_s() - begin) / 1e6;
        last = Some(done);
    }
    rates.sort_by(f64::total_cmp);
    if let Some(done) = last {
        println!(
            "{name:<16} {:7.1} .. {:7.1} M rays/s  mean {:.3} m  hash {:016x}",
            rates[0], rates[2], done.mean_distance, done.hash
        );
    }
}

fn main() {
    let mut work = LidarWork::new(1);
    measure("single rays", 200, |rounds| work.single(rounds));
    for (beams, rounds) in [(36, 100), (180, 60), (360, 40), (1080, 20)] {
        let name = format!("scans of {beams}");
        measure(&name, rounds, |rounds| work.scans(beams, rounds));
    }
    let mut hall = HallWork::new(1);
    for (beams, rounds) in [(36, 10), (180, 10), (1080, 2)] {
        let name = format!("hall, {beams}");
        measure(&name, rounds, |rounds| hall.scans(beams, rounds));
    }
}
