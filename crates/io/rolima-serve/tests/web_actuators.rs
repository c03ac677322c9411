//! Actuators one by one, over the WebSocket.

use crate::common;

use common::live::{Viewer, connect};
use common::running::Running;
use rolima_wire::pb::{self, client_message, server_message::Kind};

const LEFT: [&str; 3] = ["front-left", "middle-left", "rear-left"];
const RIGHT: [&str; 3] = ["front-right", "middle-right", "rear-right"];

/// Claims the scene's first robot.
fn driver(run: &Running) -> Viewer {
    let mut viewer = connect(run.address());
    viewer.frame();
    viewer.claim(0);
    viewer.drivers(|drivers| drivers.iter().any(|driver| driver.body == 0));
    viewer
}

fn actuate(viewer: &mut Viewer, settings: &[(&str, f64)]) {
    let setting =
        |&(name, value): &(&str, f64)| pb::Setting { name: name.to_owned(), actuator: 0, value };
    let settings = settings.iter().map(setting).collect();
    let asked = pb::Actuate { body: 0, settings, hold_ms: 3000 };
    viewer.say(client_message::Kind::Actuate(asked));
}

/// Repeats settings until the values of some channels are as wanted.
#[track_caller]
fn until(
    viewer: &mut Viewer,
    settings: &[(&str, f64)],
    (patterns, wanted): (&str, impl Fn(&[f64]) -> bool),
) {
    let patterns = patterns.to_owned();
    let asked = pb::WatchChannels { patterns, ..Default::default() };
    viewer.say(client_message::Kind::WatchChannels(asked));
    // Those with numbers are the first of these channels.
    let (mut are_these, mut last) = (false, vec![]);
    actuate(viewer, settings);
    let mut first_s = 0.0;
    viewer.until(|kind| {
        let Kind::ChannelValues(now) = kind else { return None };
        are_these |= !now.channels.is_empty();
        last = now.values;
        first_s = if first_s == 0.0 { now.time_s } else { first_s };
        (are_these && (wanted(&last) || now.time_s > first_s + 2.5)).then_some(())
    });
    assert!(wanted(&last), "{settings:?}: {last:?}");
}

fn all(volts_left: f64, volts_right: f64) -> Vec<(&'static str, f64)> {
    let left = LEFT.map(|name| (name, volts_left));
    left.into_iter().chain(RIGHT.map(|name| (name, volts_right))).collect()
}

#[test]
fn a_six_wheeled_rover_is_driven_wheel_by_wheel() {
    let run = Running::start("hills");
    let mut viewer = driver(&run);
    // One wheel alone: what is commanded of it, and that the others are not.
    let channels = "robot.rover.actuator.*.commanded";
    until(
        &mut viewer,
        &[("middle-left", 5.0)],
        (channels, |values| *values == [0.0, 0.0, 5.0, 0.0, 0.0, 0.0]),
    );
    // All of them: straight on. Then the left ones alone: to the right.
    let motion = "robot.rover.speed.forward,robot.rover.omega";
    until(&mut viewer, &all(12.0, 12.0), (motion, |v| v[0] > 0.1 && v[1].abs() < 0.1));
    until(&mut viewer, &all(12.0, 0.0), (motion, |v| v[1] < -0.05));
}

#[test]
fn a_car_is_steered_and_frames_tell_how_its_wheels_stand() {
    let run = Running::start("car");
    let mut viewer = driver(&run);
    actuate(&mut viewer, &[("front-left-steer", 0.4), ("front-right-steer", 0.3)]);
    let steered = viewer.until(|kind| match kind {
        Kind::Frame(frame) => frame
            .wheel_steer
            .get(..4)
            .filter(|wheels| (wheels[0] - 0.4).abs() < 1e-3)
            .map(<[f32]>::to_vec),
        _ => None,
    });
    assert!((steered[1] - 0.3).abs() < 1e-2 && steered[2..] == [0.0; 2], "{steered:?}");
}

#[test]
fn what_there_is_not_and_what_is_not_held_is_refused_as_a_whole() {
    let run = Running::start("hills");
    let mut stranger = connect(run.address());
    stranger.frame();
    actuate(&mut stranger, &[("front-left", 1.0)]);
    let notice = stranger.notice();
    assert!(notice.contains("Claim rover"), "not claimed: {notice}");

    let mut viewer = driver(&run);
    actuate(&mut viewer, &[("front-left", 7.0), ("nose", 1.0)]);
    let notice = viewer.until(|kind| match kind {
        Kind::Notice(notice) => Some(notice),
        _ => None,
    });
    let refusal = notice.refusal.expect("a code");
    assert_eq!(refusal.code(), pb::refusal::Code::NoActuator);
    assert_eq!(refusal.name, "rover");
    assert!(refusal.detail.starts_with("front-left, front-right, middle-left"), "{refusal:?}");
    assert!(notice.text.contains("\"nose\""), "{}", notice.text);
    // Nothing of that message was done.
    let channels = "robot.rover.actuator.*.commanded";
    until(
        &mut viewer,
        &[("rear-right", 2.0)],
        (channels, |values| values[5] == 2.0 && values[0] == 0.0),
    );
}
