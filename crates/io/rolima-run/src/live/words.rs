//! Events in words.

use rolima_core::{BodyId, Event, Happened, Model, RobotId};

/// What happened, in a few words.
pub fn event_in_words(model: &Model, event: &Event) -> String {
    let name = |body: BodyId| model.body_name(body);
    let robot_name = |robot: RobotId| model.body_name(robot);
    match event.what {
        Happened::Impact { body, other, .. } => {
            format!("{} hits {}", name(body), other.map_or("wall", name))
        }
        Happened::Slip { robot } => format!("{} slips", robot_name(robot)),
        Happened::Goal { zone, .. } => match model.spec.zones.get(zone as usize) {
            Some(zone) => format!("GOAL for {}", zone.scores_for),
            None => "GOAL".to_owned(),
        },
        Happened::Refused { robot, .. } => {
            let robot = model.robots.get(robot.index());
            format!("command refused: {}", robot.map_or("no such robot", |robot| &robot.name))
        }
        Happened::Quarantine { body } => {
            format!("{} taken out: its motion went wild", name(body))
        }
        Happened::EnergyCap { times } => format!("{times} bounces limited"),
        Happened::RolledOver { robot } => format!("{} rolled over", robot_name(robot)),
        Happened::Righted { robot } => format!("{} back on its wheels", robot_name(robot)),
        Happened::LeftTerrain { body } => format!("{} left the terrain", name(body)),
    }
}
