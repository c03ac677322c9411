//! What a viewer's role lets it ask.

use super::handler::{Client, RequestHandler};
use super::refusal::RequestRefusal;
use rolima_run::live::ShownMode;
use rolima_wire::{Ask, PROTOCOL, Role, pb};

/// Something that a viewer may not do.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Forbidden {
    /// Its role does not let it.
    Role {
        /// The role that may.
        needs: Role,
        /// In words.
        why: String,
    },
    /// Nobody may.
    Everybody(RequestRefusal),
}

impl RequestHandler {
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
    pub(super) fn permit(&self, ask: &Ask, client: &Client) -> Result<(), Forbidden> {
        let (needs, what) = ask.needs();
        let role = client.role;
        if role < needs {
            let (needed, own) = (needs.name(), role.name());
            let why = format!("{what} needs the role {needed}: this address is to {own}.");
            return Err(Forbidden::Role { needs, why });
        }
        if !ask.leaves_world() {
            let timeline = self.timeline();
            let refusal = match timeline.as_ref().map(|timeline| (timeline.mode, timeline)) {
                Some((ShownMode::Replay, timeline)) => Some(self.in_replay(timeline)),
                // To give back what one drives, and to let go, is always allowed.
                Some((ShownMode::Past, _)) if !ask.gives_back() => Some(RequestRefusal::InPast),
                Some(_) => None,
                // The loop is elsewhere.
                None => self.backend.replay_of.clone().map(|log| RequestRefusal::Replay { log }),
            };
            if let Some(why) = refusal {
                return Err(Forbidden::Everybody(why));
            }
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
                return Err(Forbidden::Role { needs: Role::Control, why });
            }
        }
        Ok(())
    }

    /// Tells a viewer why nothing is done, in the form that it waits for.
    pub(super) fn forbid(ask: &Ask, forbidden: Forbidden, client: &Client) {
        match (ask, forbidden) {
            (Ask::LoadMap(map), Forbidden::Role { needs, why }) => {
                client.forbid_map(map.request, needs, why);
            }
            (Ask::LoadMap(map), Forbidden::Everybody(why)) => client.refuse_map(map.request, &why),
            (_, Forbidden::Role { needs, why }) => client.outbox.forbid(needs, why),
            (_, Forbidden::Everybody(why)) => client.refuse(&why),
        }
    }
}
