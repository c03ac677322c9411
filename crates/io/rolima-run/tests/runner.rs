//! Pacing with a clock that the test plays.

mod common;

use common::world;
use rolima_core::World;
use rolima_run::{Clock, Runner, Speed, Turn, steps_for};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A clock that only moves by waiting, and by so much at every look.
struct PlayedClock {
    now_s: Cell<f64>,
    a_look_takes_s: f64,
}

impl PlayedClock {
    fn new(a_look_takes_s: f64) -> Self {
        Self { now_s: Cell::new(100.0), a_look_takes_s }
    }
}

impl Clock for PlayedClock {
    fn now_s(&self) -> f64 {
        self.now_s.set(self.now_s.get() + self.a_look_takes_s);
        self.now_s.get()
    }
    fn wait_s(&self, seconds: f64) {
        self.now_s.set(self.now_s.get() + seconds);
    }
}

fn runner(speed: Speed, a_look_takes_s: f64) -> Runner<PlayedClock> {
    Runner::with_clock(speed, PlayedClock::new(a_look_takes_s))
}

#[test]
fn real_time_takes_real_time_and_a_factor_takes_its_share() {
    for (factor, wall_s) in [(1.0, 2.0), (4.0, 0.5), (0.5, 4.0)] {
        let mut world = world("open-loop", &[]);
        let report = runner(Speed::Factor(factor), 1e-7).for_steps(2000).run(&mut world, |_, _| {});
        assert_eq!((report.steps, world.state().step), (2000, 2000));
        assert_eq!(report.missed, 0);
        assert!((report.wall_s - wall_s).abs() < 1e-3, "{report:?}");
        assert!((report.real_time_factor - factor).abs() < 1e-3 * factor, "{report:?}");
    }
}

#[test]
fn a_machine_that_is_too_slow_gives_its_lag_up_again_and_again() {
    // Each turn looks three times: 60 ms of wall time for at most a few steps.
    let mut world = world("open-loop", &[]);
    let mut longest_turn = 0;
    let mut before = 0;
    let report = runner(Speed::REAL_TIME, 0.02).for_steps(500).run(&mut world, |_, world| {
        longest_turn = longest_turn.max(world.state().step - before);
        before = world.state().step;
    });
    assert!(report.missed > 10, "{report:?}");
    assert!(report.missed_s > 0.5 * report.wall_s && report.missed_s <= report.wall_s);
    assert!(longest_turn <= 100, "{longest_turn} steps at once");
}

#[test]
fn speed_changes_no_bit() {
    let hash = |speed| {
        let mut world = world("soccer", &["driver=random"]);
        runner(speed, 1e-5).for_steps(3000).run(&mut world, |_, _| {});
        world.state_hash()
    };
    let fastest = hash(Speed::Max);
    assert_eq!(hash(Speed::REAL_TIME), fastest);
    assert_eq!(hash(Speed::Factor(37.0)), fastest);
}

#[test]
fn a_flag_or_the_hook_stops_a_run() {
    let flag = Arc::new(AtomicBool::new(false));
    let mut world = world("open-loop", &[]);
    let mut runner = runner(Speed::Max, 1e-4).stop_flag(flag.clone());
    let report = runner.run(&mut world, |_, world: &mut World| {
        flag.store(world.state().step >= 10, Ordering::Relaxed);
    });
    assert!((10..1000).contains(&report.steps), "{report:?}");
    flag.store(false, Ordering::Relaxed);
    let report = runner.run(&mut world, |turn, _| turn.stop = true);
    assert_eq!(report.steps, 0);
}

#[test]
fn a_paused_world_does_single_steps_and_then_goes_on_without_a_jump() {
    let mut world = world("open-loop", &[]);
    let mut turns = 0;
    let report = runner(Speed::REAL_TIME, 1e-6).run(&mut world, |turn: &mut Turn, world| {
        turns += 1;
        match turns {
            1 => turn.paused = true,
            100 => {
                assert_eq!(world.state().step, 0);
                turn.single_steps = 3;
            }
            200 => {
                assert_eq!(world.state().step, 3);
                turn.paused = false;
            }
            203 => assert!(world.state().step <= 6, "{}", world.state().step),
            300 => turn.stop = true,
            _ => {}
        }
    });
    assert_eq!(report.missed, 0);
}

#[test]
fn a_time_has_the_nearest_number_of_steps() {
    assert_eq!(steps_for(1.0, 1e-3), 1000);
    assert_eq!(steps_for(0.3, 1e-3), 300);
    assert_eq!(steps_for(0.0, 1e-3), 0);
    assert_eq!(steps_for(-1.0, 1e-3), 0);
    assert_eq!(steps_for(f64::NAN, 1e-3), 0);
}
