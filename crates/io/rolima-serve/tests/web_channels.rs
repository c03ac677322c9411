//! Quantities by name, and where the time of steps goes, as viewers get them.

use crate::common;

use common::live::{Run, Viewer, connect, options, wait_until};
use common::model;
use common::running::Running;
use rolima_core::{Instant, Schema, World};
use rolima_run::Speed;
use rolima_run::live::{Live, Publication, PublishedScene, Setup, Sink};
use rolima_serve::BlockPlace;
use rolima_wire::pb::{self, client_message, server_message::Kind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

fn watch(viewer: &mut Viewer, list: bool, patterns: &str, channels: &[u32]) {
    let (patterns, channels) = (patterns.to_owned(), channels.to_vec());
    let asked = pb::WatchChannels { list, patterns, channels };
    viewer.say(client_message::Kind::WatchChannels(asked));
}

/// The next values that come with numbers, or without.
fn values(viewer: &mut Viewer, with_numbers: bool) -> pb::ChannelValues {
    viewer.until(|kind| match kind {
        Kind::ChannelValues(told) if told.channels.is_empty() != with_numbers => Some(told),
        _ => None,
    })
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

#[test]
fn every_channel_reaches_viewers_with_the_bits_of_the_run() {
    for scene in ["soccer", "hills"] {
        let run = Running::start(scene);
        let mut viewer = connect(run.address());
        let schema = Schema::new(&run.model);
        watch(&mut viewer, true, "", &[]);
        let list = viewer.until(|kind| match kind {
            Kind::Channels(list) => Some(list),
            _ => None,
        });
        assert_eq!((list.channels.len(), list.left_out), (schema.channels().len(), 0));
        for (told, known) in list.channels.iter().zip(schema.channels()) {
            let words = (told.name.as_str(), told.unit.as_str(), told.meaning.as_str());
            assert_eq!(words, (known.name.as_str(), known.unit, known.meaning));
            assert_eq!([told.low, told.high], known.range);
        }
        // The same world beside it, up to the step of each message.
        let mut world = World::new(run.model.clone());
        let mut all = vec![];
        let numbers: Vec<u32> = (0..list.channels.len() as u32).collect();
        for some in numbers.chunks(256) {
            watch(&mut viewer, false, "", some);
            let first = viewer.until(|kind| match kind {
                Kind::ChannelValues(told) if told.channels == some => Some(told),
                _ => None,
            });
            let later = values(&mut viewer, false);
            for told in [first, later] {
                world.steps(told.step - world.state().step);
                let frame = world.frame();
                schema.read(Instant { world: &world, frame: &frame, goals: &[] }, &mut all);
                let expected = &all[some[0] as usize..=some[some.len() - 1] as usize];
                assert_eq!(bits(&told.values), bits(expected), "{scene}, step {}", told.step);
                assert_eq!((told.left_out, told.time_s), (0, frame.time_s));
            }
        }
    }
}

#[test]
fn names_are_chosen_by_patterns_which_outlast_a_scene_and_numbers_do_not() {
    let run = Running::start("soccer");
    let mut viewer = connect(run.address());
    // As docs/live-protocol.md has it.
    watch(&mut viewer, false, "time,robot.blue-1.wheel.*.load", &[3]);
    assert_eq!(values(&mut viewer, true).channels, [0, 3, 39, 56]);
    watch(&mut viewer, false, "**", &[]);
    let told = values(&mut viewer, true);
    let all = Schema::new(&run.model).channels().len();
    assert_eq!((told.values.len(), told.left_out as usize), (256, all - 256));

    watch(&mut viewer, false, "time,robot.*.x", &[5, 6]);
    assert_eq!(values(&mut viewer, true).channels.len(), 1 + 6 + 2);
    viewer.control(pb::control::Kind::Load("maze".to_owned()));
    let told = viewer.until(|kind| match kind {
        Kind::ChannelValues(told) if told.generation == 2 => Some(told),
        _ => None,
    });
    let schema = Schema::new(&model("maze"));
    let wanted = schema.find("time,robot.*.x").into_iter().map(|i| i as u32);
    assert_eq!(told.channels, wanted.collect::<Vec<_>>());

    watch(&mut viewer, false, "", &[]);
    let end = viewer.until(|kind| match kind {
        Kind::ChannelValues(told) if told.values.is_empty() => Some(told),
        _ => None,
    });
    assert!(end.channels.is_empty());
    for _ in 0..20 {
        assert!(!matches!(viewer.next(), Kind::ChannelValues(_)), "nobody asks any more");
    }
}

#[test]
fn the_profile_of_a_live_run_comes_to_those_who_ask() {
    let run = Running::start("soccer");
    let mut viewer = connect(run.address());
    viewer.say(client_message::Kind::WatchProfile(pb::WatchProfile { on: true }));
    let mut profile = || {
        viewer.until(|kind| match kind {
            Kind::Profile(profile) if profile.steps > 0 => Some(profile),
            _ => None,
        })
    };
    let (first, second) = (profile(), profile());
    assert!(second.steps > first.steps);
    for (stage, part) in [("commands", ""), ("dynamics", "robots"), ("contacts", "broad phase")] {
        let is_it = |told: &&pb::ProfilePart| told.stage == stage && told.part == part;
        let [before, after] = [&first, &second].map(|told| {
            told.parts.iter().find(is_it).unwrap_or_else(|| panic!("{stage} in {told:?}"))
        });
        assert!(after.calls > before.calls && after.time_s >= before.time_s);
        assert_eq!(after.calls, second.steps, "once a step: {stage} {part}");
    }
}

#[test]
fn where_the_loop_is_elsewhere_nobody_can_tell_its_profile() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let server = run.serve(options());
    let mut viewer = connect(server.address());
    viewer.say(client_message::Kind::WatchProfile(pb::WatchProfile { on: true }));
    assert!(viewer.notice().contains("only to the simulator's own page"));
}

/// Looks on and off, and counts publications with a profile and without.
#[derive(Clone, Default)]
struct Onlooker {
    wants: Arc<AtomicBool>,
    with: Arc<AtomicU64>,
    without: Arc<AtomicU64>,
}

impl Sink for Onlooker {
    fn scene(&mut self, _: &PublishedScene<'_>) {}

    fn publication(&mut self, publication: &Publication<'_>) {
        let count = if publication.profile.is_some() { &self.with } else { &self.without };
        count.fetch_add(1, Relaxed);
    }

    fn wants_profile(&self) -> bool {
        self.wants.load(Relaxed)
    }
}

#[test]
fn nothing_is_measured_while_nobody_looks() {
    let stop = Arc::new(AtomicBool::new(false));
    let setup = Setup { stop: stop.clone(), speed: Speed::Max, ..Setup::new("s", model("soccer")) };
    let mut live = Live::new(setup);
    let onlooker = Onlooker::default();
    live.add_sink(Box::new(onlooker.clone()));
    let running = std::thread::spawn(move || live.run());
    let count = |count: &AtomicU64| count.load(Relaxed);
    wait_until(|| count(&onlooker.without) > 20);
    assert_eq!(count(&onlooker.with), 0);
    onlooker.wants.store(true, Relaxed);
    wait_until(|| count(&onlooker.with) > 20);
    onlooker.wants.store(false, Relaxed);
    let without = count(&onlooker.without);
    wait_until(|| count(&onlooker.without) > without + 20);
    let with = count(&onlooker.with);
    let without = count(&onlooker.without);
    wait_until(|| count(&onlooker.without) > without + 20);
    assert_eq!(count(&onlooker.with), with);
    stop.store(true, Relaxed);
    drop(running.join());
}
