//! A live run beside the clock, and what viewers cost it.

use super::Outcome;
use super::bench_client::BenchClients;
use super::measure::Spread;
use super::timer::{process_cpu_s, thread_cpu_s};
use anyhow::{Result, anyhow};
use rolima_run::Speed;
use rolima_run::live::{Deadlines, FRAME_S, Live, Request, Schedule, Setup, TICK_S, bare_loop};
use rolima_scene::builtin_model;
use rolima_serve::{
    Backend, BlockPlace, Listen, Server, ServerHandle, ServerOptions, StateWriter, web::ViewerStats,
};
use serde_json::{Map, Value, json};
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

/// Live and bare loop take turns: so many of each, s.
const REALTIME_ROUNDS: usize = 5;
const REALTIME_S: f64 = 4.0;

/// Length of a stretch with so many viewers, and how often each comes.
const VIEWER_STRETCH: Duration = Duration::from_millis(1500);
const VIEWER_ROUNDS: usize = 5;
const VIEWER_COUNTS: [usize; 4] = [0, 1, 10, 100];

/// A live soccer match with its page, not yet running.
fn match_with_page(speed: Speed, steps: Option<u64>) -> Result<(Live, ServerHandle)> {
    let model = builtin_model("soccer", &[])?;
    let mut live = Live::new(Setup { speed, steps, ..Setup::new("soccer", model.clone()) });
    let block = StateWriter::create(BlockPlace::Anonymous, "soccer", &model)?;
    let any_port = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let options = ServerOptions { listen: Listen::At(any_port), ..ServerOptions::default() };
    let server = Server::start(options, block.reader(), Backend::watch_only())?;
    live.add_sink(Box::new(block));
    Ok((live, server))
}

/// Lateness of a live run with three viewers, one of them stalled, beside a bare loop.
pub(super) fn realtime() -> Result<Outcome> {
    let schedule = Schedule { realtime: true, pin: None };
    let mut live_deadlines = [Deadlines::new(0.0, TICK_S), Deadlines::new(0.0, FRAME_S)];
    let mut bare_deadlines = live_deadlines.clone();
    let (mut above, mut notes) = (vec![], vec![]);
    let mut viewers = ViewerStats::default();
    for _ in 0..REALTIME_ROUNDS {
        let steps = (REALTIME_S * 1e3) as u64;
        let (live, server) = match_with_page(Speed::REAL_TIME, Some(steps))?;
        let address = server.address().to_string();
        // Three processes: two that read, and one that never does.
        let clients = [0, 0, 1].map(|stalled| BenchClients::start(&address, 1, stalled));
        let clients = clients.into_iter().collect::<Result<Vec<_>>>()?;
        let on_thread = std::thread::spawn(move || (schedule.apply(), live.run()));
        let (found, outcome) = on_thread.join().map_err(|_| anyhow!("the simulation broke off"))?;
        viewers = server.stats();
        drop((clients, server));
        notes = found;
        let bare = std::thread::spawn(move || {
            schedule.apply();
            bare_loop(REALTIME_S)
        });
        let bare = bare.join().map_err(|_| anyhow!("the bare loop broke off"))?;
        above.push(1e3 * (outcome.deadlines[0].lateness().p99 - bare[0].lateness().p99));
        for i in 0..2 {
            live_deadlines[i].add_figures_of(&outcome.deadlines[i]);
            bare_deadlines[i].add_figures_of(&bare[i]);
        }
    }
    let [live_ticks, live_frames] = &live_deadlines;
    let [bare_ticks, bare_frames] = &bare_deadlines;
    let p99_above = |a: &Deadlines, b: &Deadlines| 1e3 * (a.lateness().p99 - b.lateness().p99);
    let details = Map::from_iter([
        ("live_1ms".to_owned(), figures(live_ticks)),
        ("bare_1ms".to_owned(), figures(bare_ticks)),
        ("live_30ms".to_owned(), figures(live_frames)),
        ("bare_30ms".to_owned(), figures(bare_frames)),
        ("p99_above_bare_1ms_ms".to_owned(), json!(p99_above(live_ticks, bare_ticks))),
        ("p99_above_bare_30ms_ms".to_owned(), json!(p99_above(live_frames, bare_frames))),
        ("seconds".to_owned(), json!(REALTIME_S * REALTIME_ROUNDS as f64)),
        ("viewers".to_owned(), json!(viewers.viewers_ever)),
        ("frames_sent_a_round".to_owned(), json!(viewers.frames_sent)),
        ("notes".to_owned(), json!(notes)),
    ]);
    Ok(Outcome { value: Spread::of(above), unit: "ms p99 above a bare loop", details })
}

pub(super) fn figures(deadlines: &Deadlines) -> Value {
    let late = deadlines.lateness();
    let ms = |s: f64| (s * 1e6).round() / 1e3;
    json!({
        "p50_ms": ms(late.p50), "p99_ms": ms(late.p99), "p999_ms": ms(late.p999),
        "max_ms": ms(late.max), "missed": deadlines.missed(),
    })
}

/// What one stretch with some viewers showed.
struct Stretch {
    steps_per_s: f64,
    /// CPU time of everything but the simulation, a frame, s.
    cpu_s_per_frame: f64,
    stats: ViewerStats,
}

/// Cost of a published frame for 1, 10 and 100 viewers, and what they cost the simulation.
pub(super) fn viewers() -> Result<Outcome> {
    let mut rates = VIEWER_COUNTS.map(|_| vec![]);
    let mut costs = VIEWER_COUNTS.map(|_| vec![]);
    let mut last = VIEWER_COUNTS.map(|_| ViewerStats::default());
    for _ in 0..VIEWER_ROUNDS {
        for (i, &count) in VIEWER_COUNTS.iter().enumerate() {
            let stretch = with_viewers(count)?;
            rates[i].push(stretch.steps_per_s);
            costs[i].push(1e6 * stretch.cpu_s_per_frame);
            last[i] = stretch.stats;
        }
    }
    let rates = rates.map(|rates| Spread::of(rates).median);
    let keep = |i: usize| (VIEWER_COUNTS[i].to_string(), i);
    let by_viewers = |figure: &dyn Fn(usize) -> Value| -> Value {
        (1..VIEWER_COUNTS.len()).map(keep).map(|(name, i)| (name, figure(i))).collect()
    };
    let cost = |i: usize| Spread::of(costs[i].clone());
    let encoding = |i: usize| 1e6 * (last[i].encoding + last[i].copying).as_secs_f64();
    let per_tick = |i: usize| encoding(i) / last[i].ticks.max(1) as f64;
    let details = Map::from_iter([
        ("us_per_frame".to_owned(), by_viewers(&|i| json!(cost(i).median))),
        ("us_per_frame_encoding".to_owned(), by_viewers(&|i| json!(per_tick(i)))),
        (
            "frames_per_s".to_owned(),
            by_viewers(&|i| {
                json!(
                    last[i].frames_sent as f64
                        / VIEWER_COUNTS[i] as f64
                        / VIEWER_STRETCH.as_secs_f64()
                )
            }),
        ),
        ("steps_per_s_alone".to_owned(), json!(rates[0])),
        ("steps_per_s_share".to_owned(), by_viewers(&|i| json!(rates[i] / rates[0]))),
        ("share_with_10_viewers".to_owned(), json!(rates[2] / rates[0])),
    ]);
    Ok(Outcome { value: cost(2), unit: "us CPU a frame for 10 viewers", details })
}

/// A match as fast as possible with so many viewers.
fn with_viewers(count: usize) -> Result<Stretch> {
    let (live, server) = match_with_page(Speed::Max, None)?;
    let mailbox = live.mailbox();
    let clients = match count {
        0 => None,
        count => Some(BenchClients::start(&server.address().to_string(), count, 0)?),
    };
    let begin_cpu_s = process_cpu_s();
    let on_thread = std::thread::spawn(move || {
        let begin_s = thread_cpu_s();
        let outcome = live.run();
        (outcome.report, thread_cpu_s() - begin_s)
    });
    std::thread::sleep(VIEWER_STRETCH);
    mailbox.send(Request::Stop)?;
    let (report, own_cpu_s) = on_thread.join().map_err(|_| anyhow!("the simulation broke off"))?;
    let stats = server.stats();
    let others_cpu_s = (process_cpu_s() - begin_cpu_s - own_cpu_s).max(0.0);
    drop((clients, server));
    Ok(Stretch {
        steps_per_s: report.steps as f64 / report.wall_s,
        cpu_s_per_frame: others_cpu_s / stats.ticks.max(1) as f64,
        stats,
    })
}
