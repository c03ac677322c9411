//! What goals cost.
use rolima_core::World;
use rolima_math::{Pose2, Stream};
use rolima_run::live::{Act, GoalStatus, Player};
use std::fmt::Write;
use std::sync::Arc;

fn now() -> f64 {
    let t = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    t.tv_sec as f64 + t.tv_nsec as f64 * 1e-9
}

fn bench_world(side: i32) -> (String, Vec<[f64; 2]>) {
    let mut random = Stream::new(4, 0, "walls");
    let mut text = String::from("title = \"walls\"\n");
    let pitch = 3;
    for i in 0..side {
        for k in 0..side {
            let (x, y) = (pitch * i, pitch * k);
            let [dx, dy] = if random.next_u64().is_multiple_of(2) { [2, 0] } else { [0, 2] };
            writeln!(
                text,
                "[[wall]]\nkind = \"segment\"\nfrom = [{x}, {y}]\nto = [{}, {}]\nthickness = 0.05",
                x + dx,
                y + dy
            )
            .unwrap();
        }
    }
    let mut goals = vec![];
    for robot in 0..32 {
        let place = |i: i32| f64::from(pitch * i) - 0.5 * f64::from(pitch);
        let [i, k] = [5 + robot % 8 * 7, 5 + robot / 8 * 3];
        writeln!(
            text,
            "[[robot]]\nname = \"r{robot}\"\npreset = \"{}\"\npose = [{}, {}, 0]",
            std::env::args().nth(1).unwrap_or("minirobot".into()),
            place(i),
            place(k)
        )
        .unwrap();
        goals.push([place(side - i), place(side - k)]);
    }
    (text, goals)
}

fn test_world() -> (String, Vec<[f64; 2]>) {
    const SIDE: i32 = 31;
    let mut text = "title = \"walls\"\n".to_owned();
    for i in 0..SIDE * SIDE {
        let (x, y) = (f64::from(i % SIDE) * 0.4, f64::from(i / SIDE) * 0.4);
        let to = if i % 3 == 0 { [x + 0.2, y] } else { [x, y + 0.2] };
        text += &format!(
            "[[wall]]\nkind = \"segment\"\nfrom = [{x}, {y}]\nto = {to:?}\nthickness = 0.01\n"
        );
    }
    let mut goals = vec![];
    for robot in 0..32 {
        let place = |i: u32| f64::from(i) * 0.4 - 0.2;
        let (x, y) = (place(1 + robot % 8 * 3), place(1 + robot / 8 * 3));
        text += &format!(
            "[[robot]]\nname = \"r{robot}\"\npreset = \"minirobot\"\npose = [{x}, {y}, 0]\n"
        );
        goals.push([place(30 - robot % 8 * 3), place(30 - robot / 8 * 3)]);
    }
    (text, goals)
}

fn report(name: &str, mut times: Vec<f64>) {
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize] * 1e6;
    let sum: f64 = times.iter().sum();
    println!(
        "{name}: n {} mean {:.1} us, median {:.1}, p99 {:.1}, p99.9 {:.1}, max {:.1}",
        times.len(),
        sum / times.len() as f64 * 1e6,
        at(0.5),
        at(0.99),
        at(0.999),
        at(1.0)
    );
}

fn main() {
    let seconds: u64 = std::env::args().nth(2).map_or(10, |s| s.parse().unwrap());
    let (text, goals) = if std::env::args().nth(1).as_deref() == Some("test") {
        test_world()
    } else {
        bench_world(61)
    };
    let source = rolima_scene::Source::Text { name: "walls".to_owned(), text };
    let scene = rolima_scene::load(&source, &[]).expect("a good scene");
    let model = Arc::new(scene.compile().expect("a good model"));
    println!("step {} s", model.step_s);
    let mut world = World::with_seed(model.clone(), 1);
    let mut bare = vec![];
    for _ in 0..2000 {
        let b = now();
        world.step();
        bare.push(now() - b);
    }
    report("step without goals", bare);
    // As the loop does.
    let mut player = Player::new(model, 1);
    for (g, robot) in goals.iter().zip(0..) {
        player.act(&Act::Goal { robot, pose: Pose2::new(g[0], g[1], 0.0) });
    }
    let mut steps = vec![];
    let mut shown = vec![];
    let mut first = [None; 32];
    for step in 0..seconds * 1000 {
        let b = now();
        player.steps(1);
        steps.push(now() - b);
        if step % 30 == 0 {
            player.show_goals(&mut shown);
            for (g, f) in shown.iter().zip(&mut first) {
                if f.is_none() && step > 60 && g.status != GoalStatus::Searching {
                    *f = Some((step as f64 * 0.001 * 100.0).round() / 100.0);
                }
            }
        }
        if step % 5000 == 4990 {
            let count = |status| shown.iter().filter(|g| g.status == status).count();
            let left: f64 = shown.iter().map(|g| g.left_m).sum::<f64>() / 32.0;
            let recent: f64 = steps[steps.len() - 4990..].iter().sum();
            println!(
                "t {:.1}: searching {} driving {} arrived {} blocked {} left {left:.1} m; {:.0} us a frame",
                step as f64 * 0.001,
                count(GoalStatus::Searching),
                count(GoalStatus::Driving),
                count(GoalStatus::Arrived),
                count(GoalStatus::Blocked),
                recent / 4990.0 * 30e6
            );
        }
    }
    for g in &shown {
        println!(
            "{} {:?} left {:.1} beyond {} {:?}",
            g.robot,
            g.status,
            g.left_m,
            g.beyond.len(),
            player
                .world()
                .state()
                .pose(player.world().model().robots[g.robot as usize].slot)
                .position
        );
    }
    println!("radius {}", player.world().model().largest_radius);
    println!("first ways {:?}", first.map(|f| f.unwrap_or(-1.0)));
    report("player step", steps.clone());
    report("player 30 steps", steps.chunks(30).map(|c| c.iter().sum()).collect());
    println!("hash {:x}", player.state_hash());
}
