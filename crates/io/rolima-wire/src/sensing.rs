//! What a client asks of sensors.

use crate::ask::{Ask, MOST_WATCHED, WireError, number, value};
use crate::pb;
use rolima_core::RobotId;
use rolima_core::model::Mount;

/// What carries the sensors that a message is about.
fn mount(body: u32, world: bool) -> Mount {
    if world { Mount::World } else { Mount::Robot(RobotId(body)) }
}

pub(crate) fn watch_asked(m: pb::Watch) -> Result<Ask, WireError> {
    if m.bodies.len() > MOST_WATCHED {
        let expected = format!("at most {MOST_WATCHED}");
        return Err(value("watch.bodies", expected, m.bodies.len()));
    }
    let robots = m.bodies.into_iter().map(|body| mount(body, false));
    let mounts = robots.chain(m.world.then_some(Mount::World)).collect();
    Ok(Ask::Watch { mounts, pictures: m.pictures })
}

pub(crate) fn sigma_asked(m: &pb::Sigma) -> Result<Ask, WireError> {
    let sigma = number("sigma.sigma", m.sigma)?;
    if sigma < 0.0 {
        return Err(value("sigma.sigma", "zero or a positive number", sigma));
    }
    Ok(Ask::Sigma { mount: mount(m.body, m.world), sensor: m.sensor, axis: m.axis, sigma })
}
