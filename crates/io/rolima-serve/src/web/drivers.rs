//! Who drives which robot, as viewers are told.

use super::options::Backend;
use super::tick::Tick;
use axum::body::Bytes;
use rolima_run::live::{HeldSeat, Holder, Purpose, Seats};
use rolima_wire::{now, pb};

/// The client that those are to viewers who are none; viewers count from 1.
const NO_CLIENT: u32 = 0;
/// What programs of Robot One are called.
const PROGRAM: &str = "Robot One";

/// Who holds a robot.
pub(super) fn driver(held: &HeldSeat) -> pb::Driver {
    use pb::driver::Kind;
    let kind = match held.holder {
        Holder::Viewer(_) => Kind::Viewer,
        Holder::Terminal => Kind::Terminal,
        Holder::Program(_) => Kind::Program,
        Holder::Controller(_) => Kind::Controller,
    };
    let name = if kind == Kind::Program { PROGRAM.to_owned() } else { held.name.clone() };
    pb::Driver {
        body: held.robot,
        client: held.holder.client().unwrap_or(NO_CLIENT),
        name,
        kind: kind.into(),
        goal: held.purpose == Purpose::Goal,
        held_s: held.since.elapsed().as_secs_f64(),
    }
}

/// Who drives which robot, and the robots that programs of Robot One may drive.
pub(super) fn message(seats: &Seats, backend: &Backend, tick: Option<&Tick>) -> Bytes {
    let drivers = seats.all().map(|held| driver(&held)).collect();
    let allowed = backend.for_programs.as_ref();
    let all_for_programs = allowed.is_some_and(|allowed| allowed.is_all());
    let for_programs = match allowed.filter(|_| !all_for_programs).zip(tick) {
        Some((allowed, tick)) => {
            let robots = tick.scene.scene.bodies.iter().take(tick.publication.now.robots);
            let numbered = (0..).zip(robots).filter(|(_, robot)| allowed.may_drive(&robot.name));
            numbered.map(|(number, _)| number).collect()
        }
        None => vec![],
    };
    let programs_come = allowed.is_some();
    let drivers = pb::Drivers { drivers, programs_come, all_for_programs, for_programs };
    now::server_message(pb::server_message::Kind::Drivers(drivers)).into()
}
