//! What a viewer's role lets it ask.

use super::desk::{Desk, Visitor};
use rolima_wire::{Ask, PROTOCOL, Role, pb};

/// Something that a viewer may not do.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Forbidden {
    /// The role that may; none if nobody may.
    pub(super) needs: Option<Role>,
    /// In words.
    pub(super) why: String,
}

impl Desk {
    /// The first message to a viewer.
    pub(super) fn welcome(&self, client: u32, name: String, role: Role) -> pb::Welcome {
        // Where there is no way to the simulation, everybody watches.
        let role = if self.may_control() { role } else { Role::Watch };
        let named = self.drive_robots.iter().flatten().filter(|_| role == Role::Drive);
        pb::Welcome {
            protocol: PROTOCOL,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            client,
            name,
            may_control: role > Role::Watch,
            role: pb::Role::from(role).into(),
            drive_robots: named.cloned().collect(),
        }
    }

    /// Refuses what a viewer's role may not ask, and what nobody may.
    pub(super) fn permit(&self, ask: &Ask, visitor: &Visitor) -> Result<(), Forbidden> {
        let (needs, what) = ask.needs();
        let role = visitor.role;
        if role < needs {
            let (needed, own) = (needs.name(), role.name());
            let why = format!("{what} needs the role {needed}: this address is to {own}.");
            return Err(Forbidden { needs: Some(needs), why });
        }
        if let Some(why) = self.backend.fixed.clone().filter(|_| !ask.leaves_world()) {
            return Err(Forbidden { needs: None, why });
        }
        let Some(named) = self.drive_robots.as_ref().filter(|_| role == Role::Drive) else {
            return Ok(());
        };
        let tick = self.tick();
        for body in ask.driven() {
            let bodies = tick.as_ref().map_or(&[][..], |tick| &tick.scene.scene.bodies);
            // What is no body is refused elsewhere, with its own reason.
            let Some(robot) = bodies.get(body as usize) else { continue };
            if !named.contains(&robot.name) {
                let all = Vec::from_iter(named.iter().map(String::as_str)).join(", ");
                let why = format!("{} is not for this address, which drives {all}.", robot.name);
                return Err(Forbidden { needs: Some(Role::Control), why });
            }
        }
        Ok(())
    }

    /// Tells a viewer why nothing is done, in the form that it waits for.
    pub(super) fn forbid(ask: &Ask, forbidden: Forbidden, visitor: &Visitor) {
        let Forbidden { needs, why } = forbidden;
        match (ask, needs) {
            (Ask::LoadMap(map), _) => visitor.refuse_map(map.request, &why, needs),
            (_, Some(needs)) => visitor.outbox.forbid(needs, why),
            (_, None) => visitor.warn(why),
        }
    }
}
