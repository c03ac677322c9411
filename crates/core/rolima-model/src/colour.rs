//! Colours of teams, robots and things, as 0xRRGGBB: readable on light and on dark ground.

use crate::Model;

/// Robots that belong to no team.
pub const NO_TEAM: u32 = 0x12a594;
/// Balls: the golf ball of the rules.
pub const BALL: u32 = 0xff7a1a;
/// Loose objects.
pub const OBJECT: u32 = 0xa9805b;
/// Walls.
pub const WALL: u32 = 0x8f99a6;
/// Lines on the ground.
pub const MARKING: u32 = 0xf2f4f7;

/// For teams whose name is no colour.
const TEAMS: [u32; 6] = [0x7a5af8, 0xe0569b, 0x2aa3c9, 0x5b9e31, 0xd9603b, 0x8c6d4f];

/// Tags of the first robots of a team: none is near the colour of a usual team.
const TAGS: [u32; 6] = [0x23c45e, 0xff4fd8, 0x19d3e6, 0xff5a36, 0xf7f7f7, 0x9b5cff];

/// The colour that a team is called after.
fn named(team: &str) -> Option<u32> {
    Some(match team {
        "blue" => 0x2f6bff,
        "yellow" => 0xffc400,
        "red" => 0xe5383b,
        "green" => 0x2e9e4f,
        "cyan" => 0x18b6cf,
        "magenta" | "pink" => 0xe84bb8,
        "orange" => 0xf77f00,
        "purple" => 0x8e4ec6,
        "white" => 0xf1f3f5,
        "black" => 0x3a3f47,
        _ => return None,
    })
}

/// Colours of the teams of a scene, in the order in which its robots and zones name them.
pub struct TeamColours<'a> {
    teams: Vec<(&'a str, u32)>,
}

impl<'a> TeamColours<'a> {
    /// The teams of a scene.
    pub fn of(model: &'a Model) -> Self {
        let mut teams: Vec<(&str, u32)> = vec![];
        let of_robots = model.robots.iter().map(|robot| robot.team.as_str());
        let of_zones = model.spec.zones.iter().map(|zone| zone.scores_for.as_str());
        let mut unnamed = 0;
        for team in of_robots.chain(of_zones).filter(|team| !team.is_empty()) {
            if teams.iter().any(|(known, _)| *known == team) {
                continue;
            }
            let colour = named(team).unwrap_or_else(|| {
                unnamed += 1;
                TEAMS[(unnamed - 1) % TEAMS.len()]
            });
            teams.push((team, colour));
        }
        Self { teams }
    }

    /// A team's colour.
    pub fn colour(&self, team: &str) -> u32 {
        self.teams.iter().find(|(known, _)| *known == team).map_or(NO_TEAM, |(_, colour)| *colour)
    }

    /// A team's number, for counting its robots; the last is of those without a team.
    fn number(&self, team: &str) -> usize {
        self.teams.iter().position(|(known, _)| *known == team).unwrap_or(self.teams.len())
    }

    /// The tag of every robot, in the scene's order: different within a team.
    pub fn tags(&self, model: &Model) -> Vec<u32> {
        let mut counts = vec![0; self.teams.len() + 1];
        let mut tag_of = |team: &str| {
            let count = &mut counts[self.number(team)];
            *count += 1;
            tag(*count - 1)
        };
        model.robots.iter().map(|robot| tag_of(&robot.team)).collect()
    }
}

/// The tag of the robot of this number within its team.
fn tag(number: usize) -> u32 {
    if let Some(colour) = TAGS.get(number) {
        return *colour;
    }
    // Turns of the golden ratio spread hues evenly, however many there are; every eighth step has
    // another brightness.
    let number = number - TAGS.len();
    let hue = (number as f64 * 0.618_033_988_749_895).fract() * 6.0;
    let high = 255.0 - 12.0 * ((number / 8) % 8) as f64;
    let low = 0.25 * high;
    let channel = |offset: f64| {
        let distance = ((hue + offset) % 6.0 - 3.0).abs() - 1.0;
        (low + (high - low) * distance.clamp(0.0, 1.0)) as u32
    };
    channel(0.0) << 16 | channel(4.0) << 8 | channel(2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_hundred_robots_of_a_team_have_different_tags() {
        let mut tags: Vec<u32> = (0..200).map(tag).collect();
        assert!(tags.iter().all(|colour| *colour <= 0xff_ffff));
        tags.sort_unstable();
        tags.dedup();
        assert_eq!(tags.len(), 200);
    }
}
