//! A live run that is warm does not touch the heap: seen by an allocator that counts.

use crate::common;
use rolima_testing::heap;

use common::model;
use common::played::PlayedClock;
use rolima_core::{BodyId, RobotId, Volts};
use rolima_math::Vec2;
use rolima_run::live::log::LogWriter;
use rolima_run::live::{Action, Live, Publication, PublishedScene, Request, Setup, Sink};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts the allocations of the loop's thread once the run is warm.
struct Witness {
    warm_from: u64,
    at_first: Option<u64>,
    seen: Arc<AtomicU64>,
}

impl Sink for Witness {
    fn scene(&mut self, _: &PublishedScene<'_>) {}
    fn publication(&mut self, publication: &Publication<'_>) {
        if publication.frame.step >= self.warm_from {
            let first = *self.at_first.get_or_insert(heap::count());
            self.seen.store(heap::count() - first, Ordering::Relaxed);
        }
    }
}

#[test]
fn stepping_acting_logging_and_publishing_allocate_nothing_once_warm() {
    let model = model("soccer", &["driver=random"]);
    let ball = model.balls().next().expect("a ball");
    let script: Vec<_> = (0..8000u32)
        .map(|i| {
            let x = 1e-4 * f64::from(i);
            let action = match i % 3 {
                0 => Action::Command {
                    robot: RobotId(0),
                    command: Volts { right: x, left: 5.0 * x }.into(),
                },
                1 => Action::Grab { body: ball, own: Vec2::ZERO, hand: Vec2::new(0.3 - x, 0.0) },
                _ => Action::Push {
                    body: BodyId(1),
                    point: Vec2::ZERO,
                    impulse: Vec2::new(1e-3, x * 1e-3),
                },
            };
            (f64::from(i) * 1e-3, Request::Action(action))
        })
        .collect();
    let header = common::header("soccer", &["driver=random"], &model);
    let log = LogWriter::new("nowhere", std::io::sink(), &header).unwrap();
    let setup = Setup { steps: Some(8000), log: Some(log), ..Setup::new("soccer", model) };
    let mut live = Live::with_clock(setup, PlayedClock::new(1e-7, script));
    let seen = Arc::new(AtomicU64::new(u64::MAX));
    live.add_sink(Box::new(Witness { warm_from: 3000, at_first: None, seen: seen.clone() }));
    let outcome = live.run();
    assert_eq!(outcome.report.steps, 8000);
    assert_eq!(seen.load(Ordering::Relaxed), 0, "allocations of the warm loop");
}
