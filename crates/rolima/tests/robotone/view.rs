//! `rolima view` of a run in another process shows what the page in that process shows.

use super::{address_of, connect, start};
use crate::common::live::Viewer;
use crate::common::running::{HERE, Running as Page};
use rolima_robotone::Dialect;
use rolima_wire::pb::driver::Kind as Who;
use rolima_wire::pb::{self, client_message, server_message::Kind};

/// Waits until somebody of this kind, and nobody else, drives robot 0; returns the name.
#[track_caller]
fn driven_by(viewer: &mut Viewer, who: Who) -> String {
    viewer.until(|kind| match kind {
        Kind::Drivers(told) => match told.drivers.as_slice() {
            [only] if only.body == 0 && only.kind() == who => Some(only.name.clone()),
            _ => None,
        },
        _ => None,
    })
}

#[test]
fn who_drives_goals_pictures_traces_and_programs_are_seen_from_another_process() {
    let run = ["run", "road", "--headless", "--listen", HERE, "--robotone-listen", HERE];
    let (running, said) = start(&run, "programs: ");
    let url = said.iter().find_map(|line| line.split_once("http://")).expect("an address").1;
    let own = url.split('/').next().expect("an address");
    let process = running.0.id().to_string();
    let mut view = Page::start(&["view", &process, "--listen", HERE, "--no-browser"]);
    let mut viewer = view.connect();
    let Kind::Welcome(welcome) = viewer.next() else { panic!("a welcome first") };
    assert!(!welcome.may_control, "it only watches");
    let begin = viewer.frame(|frame| frame.key && !frame.x.is_empty());

    let mut person = Viewer::connect(own);
    person.frame(|_| true);
    person.say(client_message::Kind::NewName(pb::NewName { name: "Ana".to_owned() }));
    person.say(client_message::Kind::Claim(pb::Claim { body: 0, release: false }));
    assert_eq!(driven_by(&mut viewer, Who::Viewer), "Ana");

    viewer.say(client_message::Kind::WatchGoals(pb::WatchGoals { on: true }));
    let (x, y) = (f64::from(begin.x[0]) + 1.0, f64::from(begin.y[0]));
    let goal = pb::SetGoal { body: 0, x, y, ..pb::SetGoal::default() };
    person.say(client_message::Kind::SetGoal(goal));
    let shown = viewer.until(|kind| match kind {
        Kind::Goals(told) => told.goals.into_iter().next(),
        _ => None,
    });
    assert_eq!((shown.body, shown.x, shown.y), (0, x, y));

    viewer.say(client_message::Kind::Watch(pb::Watch {
        bodies: vec![0],
        pictures: true,
        world: false,
    }));
    let picture = viewer.until(|kind| match kind {
        Kind::Picture(picture) => Some(picture),
        _ => None,
    });
    assert_eq!(picture.body, 0);

    let mut program = connect(&address_of(said.last().expect("a line"), "thesis"), Dialect::Thesis);
    program.set_velocity([0.5, 0.0]).expect("it drives");
    assert_eq!(driven_by(&mut viewer, Who::Program), "Robot One");
    // Told once, when it begins.
    program.set_trace(true).expect("a trace");
    viewer.until(|kind| match kind {
        Kind::Traces(told) => told.traces.iter().any(|trace| trace.body == 0).then_some(()),
        _ => None,
    });

    // It sees all and does nothing.
    viewer.say(client_message::Kind::Claim(pb::Claim { body: 0, release: false }));
    let refused = viewer.until(|kind| match kind {
        Kind::Notice(notice) => Some(notice.needs()),
        _ => None,
    });
    assert_eq!(refused, pb::Role::Drive);
    drop(program);
    drop(running);
    assert!(view.child.wait().expect("it ends").success(), "it ends with the run");
}

#[test]
fn sensors_of_the_world_channels_and_the_profile_are_seen_from_another_process() {
    let (running, _) = start(&["run", "watched", "--headless", "--listen", HERE], "http://");
    let process = running.0.id().to_string();
    let mut view = Page::start(&["view", &process, "--listen", HERE, "--no-browser"]);
    let mut viewer = view.connect();
    let watch = pb::Watch { bodies: vec![], pictures: true, world: true };
    viewer.say(client_message::Kind::Watch(watch));
    viewer.say(client_message::Kind::WatchChannels(pb::WatchChannels {
        list: true,
        patterns: "sensor.wall.*.*".to_owned(),
        channels: vec![],
    }));
    viewer.say(client_message::Kind::WatchProfile(pb::WatchProfile { on: true }));
    let (mut read, mut seen, mut values, mut profile) = (false, false, false, false);
    while !(read && seen && values && profile) {
        viewer.until(|kind| {
            match kind {
                Kind::Readings(told) => read |= told.world && told.values.len() == 62,
                Kind::Picture(told) => seen |= told.world && told.sensor == 0,
                Kind::ChannelValues(told) => values |= told.values.len() == 61,
                Kind::Profile(told) => profile |= told.steps > 0 && !told.parts.is_empty(),
                _ => return None,
            }
            Some(())
        });
    }
    drop(running);
    assert!(view.child.wait().expect("it ends").success(), "it ends with the run");
}
