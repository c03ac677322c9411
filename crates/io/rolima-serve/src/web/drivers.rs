//! Who drives which robot, as viewers are told.

use super::options::Backend;
use super::tick::Tick;
use axum::body::Bytes;
use rolima_wire::{now, pb};

/// The client that programs of Robot One are to viewers, who count from 1.
const PROGRAM: u32 = 0;

/// Viewers that drive (body, client, name); the robots that programs of Robot One have and may have.
pub(super) fn message(
    viewers: impl Iterator<Item = (u32, u32, String)>,
    backend: &Backend,
    tick: Option<&Tick>,
) -> Bytes {
    let viewers = viewers.map(|(body, client, name)| pb::Driver { body, client, name });
    let programs = backend.programs.all();
    let program = |body: &u32| {
        let name = "Robot One".to_owned();
        pb::Driver { body: *body, client: PROGRAM, name }
    };
    let drivers = viewers.chain(programs.iter().map(program)).collect();
    let allowed = backend.for_programs.as_ref();
    let all_for_programs = allowed.is_some_and(|allowed| allowed.is_all());
    let for_programs = match allowed.filter(|_| !all_for_programs).zip(tick) {
        Some((allowed, tick)) => {
            let robots = tick.scene.scene.bodies.iter().take(tick.moment.now.robots);
            let numbered = (0..).zip(robots).filter(|(_, robot)| allowed.may_drive(&robot.name));
            numbered.map(|(number, _)| number).collect()
        }
        None => vec![],
    };
    let programs_come = allowed.is_some();
    let drivers = pb::Drivers { drivers, programs_come, all_for_programs, for_programs };
    now::server_message(pb::server_message::Kind::Drivers(drivers)).into()
}
