//! Who drives which robot, as viewers are told.

use axum::body::Bytes;
use rolima_wire::{now, pb};

/// The client that programs of Robot One are to viewers, who count from 1.
const PROGRAM: u32 = 0;

/// Viewers that drive (body, client, name), and bodies that programs of Robot One have.
pub(super) fn message(
    viewers: impl Iterator<Item = (u32, u32, String)>,
    programs: &[u32],
) -> Bytes {
    let viewers = viewers.map(|(body, client, name)| pb::Driver { body, client, name });
    let program = |body: &u32| {
        let name = "Robot One".to_owned();
        pb::Driver { body: *body, client: PROGRAM, name }
    };
    let drivers = viewers.chain(programs.iter().map(program)).collect();
    now::server_message(pb::server_message::Kind::Drivers(pb::Drivers { drivers })).into()
}
