//! Viewers and programs that come and go, as people's do.

use super::Done;
use super::line::{connect, next, say};
use super::target::Target;
use rolima_math::Stream;
use rolima_robotone::RobotOne;
use rolima_wire::pb::{self, client_message};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Questions of a program before it goes.
const QUESTIONS: usize = 200;

/// One viewer after the other: some drive, some stop reading for a while, some leave without a word.
pub(super) fn viewers(target: &Target, done: &Done, number: u64) {
    let mut random = Stream::new(number, 0, "viewers");
    while done.goes_on() {
        let stay_s = random.between(0.2, 6.0);
        let kind = random.next_u64() % 6;
        done.note("a viewer", viewer(target, Duration::from_secs_f64(stay_s), kind));
        done.viewers.fetch_add(1, Relaxed);
    }
}

fn viewer(target: &Target, stay: Duration, kind: u64) -> Result<(), String> {
    let mut viewer = connect(target.address())?;
    let end = Instant::now() + stay;
    if kind == 0 {
        // A window in the background reads nothing.
        next(&mut viewer)?;
        std::thread::sleep(stay);
        return Ok(());
    }
    let body = (kind % 6) as u32;
    if kind < 3 {
        say(&mut viewer, client_message::Kind::Claim(pb::Claim { body, release: false }))?;
    }
    while Instant::now() < end {
        next(&mut viewer)?;
        if kind < 3 {
            let drive = pb::Drive { body, left: 3.0, right: -2.0, ..pb::Drive::default() };
            say(&mut viewer, client_message::Kind::Drive(drive))?;
        }
    }
    if kind == 5 {
        // With a goodbye; the others vanish.
        viewer.socket.close(None).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// One program of Robot One after the other. A world of a map may have no robot for it: being refused
/// is an answer, too.
pub(super) fn programs(target: &Target, done: &Done) {
    while done.goes_on() {
        let connected = RobotOne::connect(&target.programs).map_err(|error| error.to_string());
        let outcome = connected.map(|mut program| {
            for _ in 0..QUESTIONS {
                let _ = program.pose();
            }
        });
        done.note("a program", outcome);
        done.programs.fetch_add(1, Relaxed);
        std::thread::sleep(Duration::from_millis(300));
    }
}
