//! No call of the navigation library touches the heap: seen by an allocator that counts.

mod common;
use common::pair;
use rolima_math::{Pose2, Stream, Vec2};
use rolima_nav::control::Provisional;
use rolima_nav::drive::Parameters;
use rolima_nav::estimate::{Fit, PoseFit};
use rolima_nav::navigator::MOST_DELAY;
use rolima_nav::path::{Method, plan};
use rolima_nav::{Goal, Navigator, Obstacle, Settings};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, which counts what the armed thread asks for.
struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call goes to the system's allocator with the arguments it came with.
#[allow(unsafe_code, reason = "the trait of allocators is unsafe")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: as the caller promised.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        // SAFETY: as the caller promised.
        unsafe { System.dealloc(old, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(work: impl FnOnce()) -> u64 {
    let before = COUNT.get();
    work();
    COUNT.get() - before
}

#[test]
fn the_counter_counts() {
    assert!(allocations(|| drop(std::hint::black_box(Box::new(1)))) > 0);
}

#[test]
fn planning_by_any_method_does_not_allocate() {
    let mut random = Stream::new(1, 0, "pairs");
    let count = allocations(|| {
        for _ in 0..2000 {
            let (from, to) = pair(&mut random);
            for method in [
                Method::Cubic,
                Method::Quadratic,
                Method::Turn,
                Method::Bounded(0.1),
                Method::Dubins(0.1),
                Method::ReedsShepp(0.1),
            ] {
                let found = plan(from, to, method).map(|found| found.path.length());
                assert!(found.is_ok_and(f64::is_finite));
            }
        }
    });
    assert_eq!(count, 0);
}

#[test]
fn the_whole_loop_does_not_allocate_at_30_ms_or_at_1_khz() {
    let drive = Parameters { inertia: 3.3e-4, ..Parameters::THESIS }.drive().expect("a drive");
    for (period, delay) in [(0.03, 0), (0.03, 1), (0.001, 30), (0.001, MOST_DELAY)] {
        let step = drive.over(period).expect("a period");
        let settings = Settings { period, delay, ..Settings::default() };
        let mut navigator = Navigator::new(&drive, settings).expect("settings");
        let mut fit = PoseFit::new(Fit::default()).expect("a fit");
        let mut pids = Provisional::new(9.0).expect("a supply");
        let obstacles =
            [Obstacle { position: Vec2::new(0.25, 0.25), velocity: Vec2::ZERO, radius: 0.05 }];
        // What was, the newest last: vision tells what is `delay` frames old.
        let mut row = [rolima_nav::estimate::State::default(); MOST_DELAY + 1];
        let count = allocations(|| {
            for frame in 0..(12.0 / period) as u32 {
                let time = f64::from(frame) * period;
                let goal = Pose2::new(0.5, 0.5, (time / 3.0).trunc() - 1.0);
                let then = row[MOST_DELAY - delay].pose();
                let seen = (frame % 9 != 0).then_some(then);
                let output = navigator.frame(seen, Some(Goal::stop_at(goal)), &obstacles);
                let next = row[MOST_DELAY].after(&step, output.volts);
                row.rotate_left(1);
                row[MOST_DELAY] = next;
                fit.frame(seen, [output.volts.left / 9.0, output.volts.right / 9.0]);
                pids.control(next.pose(), goal, period);
            }
        });
        assert_eq!(count, 0);
        let off = (row[MOST_DELAY].position - Vec2::new(0.5, 0.5)).length();
        assert!(off < 0.02, "{off} m at {period} s, {delay} late");
    }
}
