//! Colours of teams, robots and things, as 0xRRGGBB: readable on light and on dark ground.

use crate::{Model, RobotId};

/// Robots that belong to no team.
pub const NO_TEAM: u32 = 0x12a594;
/// Balls: the golf ball of the rules.
pub const BALL: u32 = 0xff6a00;
/// Loose objects.
pub const OBJECT: u32 = 0xa9805b;
/// Walls.
pub const WALL: u32 = 0x8f99a6;
/// Lines on the ground.
pub const MARKING: u32 = 0xf2f4f7;

/// For teams whose name is no colour.
const TEAMS: [u32; 6] = [0x7a5af8, 0xe0569b, 0x2aa3c9, 0x5b9e31, 0xd9603b, 0x8c6d4f];

/// Second colours of the first robots of a team. As the MiroSot rules have it there are six, none of them
/// blue, yellow or orange.
const PLAYERS: [u32; 6] = [0x23c45e, 0xff4fd8, 0x19d3e6, 0xe8002f, 0xf7f7f7, 0x9b5cff];

/// Hues of further ones, as parts of a turn: not those from red over orange to yellow, and no blue.
const HUES: [[f64; 2]; 2] = [[0.19, 0.53], [0.70, 0.97]];

/// The colour that a team is called after.
fn named(team: &str) -> Option<u32> {
    Some(match team {
        "blue" => 0x2f6bff,
        "yellow" => 0xffd500,
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
    /// Second colours of the robots, in the scene's order.
    players: Vec<u32>,
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
        let mut colours = Self { teams, players: vec![] };
        colours.players = colours.of_players(model);
        colours
    }

    /// A team's colour.
    pub fn colour(&self, team: &str) -> u32 {
        self.teams.iter().find(|(known, _)| *known == team).map_or(NO_TEAM, |(_, colour)| *colour)
    }

    /// A team's number, for counting its robots; the last is of those without a team.
    fn number(&self, team: &str) -> usize {
        self.teams.iter().position(|(known, _)| *known == team).unwrap_or(self.teams.len())
    }

    /// The second colour of a robot, by its number in its team: different within a team unless the scene
    /// gives two robots the same number.
    pub fn player(&self, robot: RobotId) -> u32 {
        self.players.get(robot.index()).copied().unwrap_or(PLAYERS[0])
    }

    fn of_players(&self, model: &Model) -> Vec<u32> {
        let mut counts = vec![0; self.teams.len() + 1];
        let own = model.spec.robots.iter().map(|robot| robot.look.player);
        let colour_of = |(team, own): (&String, Option<u32>)| {
            let count = &mut counts[self.number(team)];
            *count += 1;
            player(own.map_or(*count, |number| number as usize).saturating_sub(1))
        };
        model.robots.iter().map(|robot| &robot.team).zip(own).map(colour_of).collect()
    }
}

/// The second colour of the robot of this number within its team, from 0.
fn player(number: usize) -> u32 {
    if let Some(colour) = PLAYERS.get(number) {
        return *colour;
    }
    // Turns of the golden ratio spread hues evenly, however many there are; every eighth step has
    // another brightness.
    let number = number - PLAYERS.len();
    let [greens, reds] = HUES;
    let share = (number as f64 * 0.618_033_988_749_895).fract();
    let along = share * (greens[1] - greens[0] + reds[1] - reds[0]);
    let turn = match along - (greens[1] - greens[0]) {
        beyond if beyond > 0.0 => reds[0] + beyond,
        _ => greens[0] + along,
    };
    let hue = turn * 6.0;
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
    fn two_hundred_robots_of_a_team_have_different_colours() {
        let mut tags: Vec<u32> = (0..200).map(player).collect();
        assert!(tags.iter().all(|colour| *colour <= 0xff_ffff));
        tags.sort_unstable();
        tags.dedup();
        assert_eq!(tags.len(), 200);
    }

    /// Hue in degrees, and saturation.
    fn hue(colour: u32) -> [f64; 2] {
        let [r, g, b] = [16, 8, 0].map(|shift| f64::from(colour >> shift & 0xff));
        let (high, low) = (r.max(g).max(b), r.min(g).min(b));
        let turn = match high {
            _ if high == low => 0.0,
            _ if high == r => (g - b) / (high - low),
            _ if high == g => 2.0 + (b - r) / (high - low),
            _ => 4.0 + (r - g) / (high - low),
        };
        [(60.0 * turn).rem_euclid(360.0), if high > 0.0 { (high - low) / high } else { 0.0 }]
    }

    #[test]
    fn no_robot_wears_the_balls_colour_or_that_of_the_other_team() {
        let [ball, _] = hue(BALL);
        assert!((20.0..30.0).contains(&ball), "{ball}");
        for colour in (0..500).map(player) {
            let [own, strength] = hue(colour);
            let away = |other: u32| {
                let [other, _] = hue(other);
                let off = (own - other).abs();
                off.min(360.0 - off)
            };
            if strength < 0.2 {
                continue;
            }
            assert!(away(BALL) > 30.0, "#{colour:06x} is like the ball");
            let teams = [named("blue"), named("yellow")].map(Option::unwrap);
            assert!(teams.iter().all(|team| away(*team) > 15.0), "#{colour:06x} is like a team");
        }
        for team in ["blue", "yellow"].map(|team| named(team).unwrap()) {
            assert!((hue(team)[0] - ball).abs() > 20.0, "#{team:06x} is like the ball");
        }
    }
}
