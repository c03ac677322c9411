//! One table: who takes what from whom, and what is told of it.

use super::Holder::{Controller, Program, Terminal, Viewer};
use super::*;
use proptest::prelude::*;

const SILENCE: Duration = Duration::from_millis(500);

fn seats_with(holder: Holder, now: Instant) -> Seats {
    let mut seats = Seats::default();
    seats.take(0, holder, Purpose::Commands, now).unwrap();
    seats
}

#[test]
fn who_may_have_what_whom_holds_is_the_table() {
    let now = Instant::now();
    let all = [Viewer(1), Terminal, Program(1), Controller(2)];
    let may = |by: Holder, holder: Holder| seats_with(holder, now).check(0, by).is_ok();
    let others = [Viewer(3), Terminal, Program(3), Controller(3)];
    let table = others.map(|by| all.map(|holder| may(by, holder)));
    let expected = [
        [false, false, false, false],
        // There is one terminal.
        [false, true, false, false],
        [true, true, false, false],
        [false, false, false, true],
    ];
    assert_eq!(table, expected);
    for by in others {
        let taken = Seats::default().take(0, by, Purpose::Commands, now);
        assert_eq!(taken, Ok(SeatTaken { is_new: true, from: None }));
    }
}

#[test]
fn who_loses_a_robot_is_told_to_who_takes_it() {
    let now = Instant::now();
    let mut seats = seats_with(Viewer(1), now);
    let later = now + SILENCE;
    let taken = seats.take(0, Program(7), Purpose::Commands, later);
    assert_eq!(taken, Ok(SeatTaken { is_new: true, from: Some(Viewer(1)) }));
    assert_eq!(seats.get(0).map(|seat| (seat.holder, seat.since)), Some((Program(7), later)));
    assert!(!seats.give_back(0, Viewer(1)), "it is not its own any more");
    assert!(matches!(seats.command(0, Viewer(1), later), Err(NotHeld::Held(_))));
    assert!(seats.give_back(0, Program(7)) && seats.get(0).is_none());
    assert_eq!(seats.command(0, Program(7), later), Err(NotHeld::Free));
}

#[test]
fn a_viewer_that_controls_is_one_and_its_claim_stays_a_claim() {
    let now = Instant::now();
    let mut seats = seats_with(Viewer(1), now);
    let kept = seats.take(0, Controller(1), Purpose::Commands, now + SILENCE);
    assert_eq!(kept, Ok(SeatTaken::default()));
    assert_eq!(seats.get(0).map(|seat| (seat.holder, seat.since)), Some((Viewer(1), now)));
    assert!(seats.check(0, Controller(2)).is_err(), "a claim is against other controllers, too");
    seats.take(1, Controller(1), Purpose::Commands, now).unwrap();
    assert!(seats.check(1, Controller(2)).is_ok());
    seats.take(1, Viewer(1), Purpose::Commands, now).unwrap();
    assert!(seats.check(1, Controller(2)).is_err(), "claimed now");
    assert_eq!(seats.leave(Viewer(1)), [0, 1]);
}

#[test]
fn a_refusal_says_who_holds_what_since_when_and_what_for() {
    let now = Instant::now();
    let mut seats = Seats::default();
    seats.rename(1, "Ana");
    seats.take(0, Viewer(1), Purpose::Goal, now).unwrap();
    let held = seats.check(0, Terminal).unwrap_err();
    let (holder, name) = (Viewer(1), "Ana".to_owned());
    assert_eq!(held, HeldSeat { robot: 0, holder, name, purpose: Purpose::Goal, since: now });
    assert_eq!(held.in_words("blue-1"), "Ana has sent blue-1 to a goal.");
    seats.command(0, Viewer(1), now).unwrap();
    let words = |seats: &Seats, by| seats.check(0, by).unwrap_err().in_words("blue-1");
    assert_eq!(words(&seats, Viewer(2)), "Ana drives blue-1.");
    let of = |holder| words(&seats_with(holder, now), Viewer(9));
    assert_eq!(of(Viewer(1)), "somebody drives blue-1.");
    assert_eq!(of(Terminal), "Somebody at the terminal drives blue-1.");
    assert_eq!(of(Program(1)), "A program drives blue-1 (Robot One).");
    assert_eq!(of(Controller(1)), "somebody drives blue-1 in lock step.");
}

#[test]
fn silence_stops_a_viewers_robot_once_and_nobody_elses() {
    let now = Instant::now();
    let mut seats = Seats::default();
    for (robot, holder) in (0..).zip([Viewer(1), Viewer(2), Terminal, Program(1), Controller(3)]) {
        seats.take(robot, holder, Purpose::Commands, now).unwrap();
    }
    seats.take(5, Viewer(1), Purpose::Goal, now).unwrap();
    let awaited = |client| client == 2;
    let going = |robot| Idle { has_goal: robot == 5, drives_itself: false };
    let at = |ms| now + Duration::from_millis(ms);
    assert_eq!(seats.time_out(at(499), SILENCE, awaited, going), [0_u32; 0]);
    assert_eq!(seats.time_out(at(500), SILENCE, awaited, going), [0]);
    assert_eq!(seats.time_out(at(5000), SILENCE, awaited, going), [0_u32; 0], "it stands already");
    let reset = |_| Idle { has_goal: false, drives_itself: true };
    assert_eq!(seats.time_out(at(5001), SILENCE, awaited, reset), [0, 5], "and its goal is over");
    assert_eq!(seats.get(5).map(|seat| seat.purpose), Some(Purpose::Commands));
    // A command that holds longer counts as given later.
    seats.command(0, Viewer(1), at(7000)).unwrap();
    assert_eq!(seats.time_out(at(7400), SILENCE, awaited, going), [0_u32; 0]);
    assert_eq!(seats.time_out(at(7500), SILENCE, awaited, going), [0]);
    assert_eq!(seats.all().count(), 6, "whoever is silent keeps its robot");
}

#[test]
fn another_scene_ends_all_but_what_programs_have() {
    let now = Instant::now();
    let mut seats = Seats::default();
    for (robot, holder) in (0..).zip([Viewer(1), Terminal, Program(1), Controller(3)]) {
        seats.take(robot, holder, Purpose::Commands, now).unwrap();
    }
    seats.begin_scene(1);
    assert_eq!(seats.all().count(), 4, "the first scene is theirs, whenever it is told");
    seats.begin_scene(2);
    assert_eq!(seats.all().map(|held| held.robot).collect::<Vec<_>>(), [2]);
    seats.take(0, Viewer(1), Purpose::Commands, now).unwrap();
    let changes = seats.changes();
    seats.begin_scene(2);
    seats.begin_scene(1);
    assert_eq!((seats.all().count(), seats.changes()), (2, changes), "an old scene is no news");
}

#[derive(Clone, Copy, Debug)]
enum Op {
    Take(u32, Holder, bool),
    Command(u32, Holder),
    GiveBack(u32, Holder),
    Leave(Holder),
    TimeOut,
    Scene(u32),
}

fn holders() -> impl Strategy<Value = Holder> {
    prop_oneof![
        (1u32..4).prop_map(Viewer),
        Just(Terminal),
        (1u32..4).prop_map(Program),
        (1u32..4).prop_map(Controller),
    ]
}

fn ops() -> impl Strategy<Value = Op> {
    let robot = 0u32..3;
    prop_oneof![
        4 => (robot.clone(), holders(), any::<bool>()).prop_map(|(r, h, goal)| Op::Take(r, h, goal)),
        2 => (robot.clone(), holders()).prop_map(|(r, h)| Op::Command(r, h)),
        2 => (robot, holders()).prop_map(|(r, h)| Op::GiveBack(r, h)),
        1 => holders().prop_map(Op::Leave),
        1 => Just(Op::TimeOut),
        1 => (0u32..4).prop_map(Op::Scene),
    ]
}

fn snapshot(seats: &Seats) -> Vec<(u32, Holder, Purpose, Instant)> {
    seats.all().map(|h| (h.robot, h.holder, h.purpose, h.since)).collect()
}

proptest! {
    /// Whatever is asked in whatever order: a refusal changes nothing and names the true holder; who was
    /// granted a robot holds it; only programs and controllers ever take from others; nobody loses a robot
    /// but by giving it back, leaving, another scene or such a take-over; and every change is counted.
    #[test]
    fn any_order_of_requests_keeps_one_holder_a_robot(all in prop::collection::vec(ops(), 1..60)) {
        let start = Instant::now();
        let mut seats = Seats::default();
        for (ms, op) in (0..).zip(all) {
            let now = start + Duration::from_millis(100 * ms);
            let (before, changes) = (snapshot(&seats), seats.changes());
            let held = |robot| before.iter().find(|(r, ..)| *r == robot).map(|(_, h, ..)| *h);
            match op {
                Op::Take(robot, by, goal) => {
                    let purpose = if goal { Purpose::Goal } else { Purpose::Commands };
                    match seats.take(robot, by, purpose, now) {
                        Ok(taken) => {
                            let seat = *seats.get(robot).unwrap();
                            prop_assert!(by.is_same(seat.holder) && seat.purpose == purpose);
                            prop_assert_eq!(taken.is_new, held(robot).is_none_or(|h| !h.is_same(by)));
                            prop_assert_eq!(taken.from, held(robot).filter(|h| !h.is_same(by)));
                            if let Some(from) = taken.from {
                                prop_assert!(by.takes_over(from));
                            }
                            prop_assert_eq!(seat.since == now, taken.is_new);
                        }
                        Err(told) => {
                            prop_assert_eq!(Some(told.holder), held(robot));
                            prop_assert!(!by.takes_over(told.holder) && !by.is_same(told.holder));
                            prop_assert_eq!(snapshot(&seats), before.clone());
                        }
                    }
                }
                Op::Command(robot, by) => {
                    let is_own = held(robot).is_some_and(|h| h.is_same(by));
                    prop_assert_eq!(seats.command(robot, by, now).is_ok(), is_own);
                    prop_assert!(seats.get(robot).map(|s| s.holder) == held(robot));
                }
                Op::GiveBack(robot, by) => {
                    let is_own = held(robot).is_some_and(|h| h.is_same(by));
                    prop_assert_eq!(seats.give_back(robot, by), is_own);
                    prop_assert_eq!(seats.get(robot).is_none(), is_own || held(robot).is_none());
                }
                Op::Leave(by) => {
                    let own = before.iter().filter(|(_, h, ..)| h.is_same(by)).map(|(r, ..)| *r);
                    let own: Vec<u32> = own.collect();
                    prop_assert_eq!(seats.leave(by), own);
                    prop_assert!(seats.all().all(|held| !held.holder.is_same(by)));
                }
                Op::TimeOut => {
                    let stops = seats.time_out(now, SILENCE, |_| false, |_| Idle::default());
                    prop_assert!(stops.iter().all(|r| matches!(held(*r), Some(Viewer(_)))));
                    let again = seats.time_out(now, SILENCE, |_| false, |_| Idle::default());
                    prop_assert!(again.is_empty());
                    prop_assert_eq!(seats.all().count(), before.len());
                }
                Op::Scene(generation) => seats.begin_scene(generation),
            }
            let after = snapshot(&seats);
            let shown = |all: &[(u32, Holder, Purpose, Instant)]| {
                all.iter().map(|(r, h, p, _)| (*r, *h, *p)).collect::<Vec<_>>()
            };
            if shown(&after) != shown(&before) {
                prop_assert!(seats.changes() > changes, "a change that nobody is told of");
            }
        }
    }
}
