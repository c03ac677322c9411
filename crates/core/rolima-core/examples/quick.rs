//! Quick speed look.
#[path = "../tests/common/mod.rs"]
mod common;
use common::*;
use rolima_core::model::*;
use rolima_math::*;
fn main() {
    let mut spec = SceneSpec::default();
    spec.walls = square_hall(0.7);
    for i in 0..6 {
        let mut r = robot(&format!("r{i}"), DriveSpec::default(), Pose2::new(-0.5 + 0.2 * i as f64, 0.1, 0.3));
        r.driver = DriverSpec::Random { max_volts: 9.0, period_s: 0.03 };
        spec.robots.push(r);
    }
    spec.balls.push(BallSpec::default());
    let chase = std::env::args().nth(1).as_deref() == Some("chase");
    if chase {
        for r in &mut spec.robots { r.driver = DriverSpec::Chaser { max_volts: 9.0 }; }
    }
    let mut w = world(&spec);
    let mut contacts = 0usize;
    let mut slips = 0u32;
    let t = std::time::Instant::now();
    let n = 1_000_000u64;
    for _ in 0..n { w.step(); contacts += w.contact_points(); slips += w.state().slipping[0].count_ones(); }
    let e = t.elapsed().as_secs_f64();
    println!("{:.3} Msteps/s, contacts {:.3}, slips {:.3} counts {:?} hash {:x}", n as f64 / e / 1e6, contacts as f64 / n as f64, slips as f64 / n as f64, w.state().event_counts, w.state_hash());
    for b in w.frame().bodies { println!("{:?} {:.4} {:.4} {:.3} v {:.3} {:.3} om {:.3}", b.kind, b.pose.position.x, b.pose.position.y, b.pose.theta(), b.velocity.x, b.velocity.y, b.omega); }
}
