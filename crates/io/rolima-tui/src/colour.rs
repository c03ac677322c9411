//! Which colour a team has.

use ratatui::style::Color;
use rolima_core::Model;

pub(super) const WALL: Color = Color::Gray;
pub(super) const MARKING: Color = Color::DarkGray;
pub(super) const BALL: Color = Color::LightRed;
pub(super) const OBJECT: Color = Color::Magenta;
/// Bodies that were taken out.
pub(super) const QUARANTINED: Color = Color::Red;

/// For teams whose name is no colour.
const PALETTE: [Color; 5] = [
    Color::LightBlue,
    Color::LightYellow,
    Color::LightGreen,
    Color::LightCyan,
    Color::LightMagenta,
];

/// The colour of every robot, in the scene's order.
pub(super) fn of_robots(model: &Model) -> Vec<Color> {
    let mut teams: Vec<&str> = vec![];
    let mut of_team = |team| {
        let number = teams.iter().position(|known| *known == team).unwrap_or_else(|| {
            teams.push(team);
            teams.len() - 1
        });
        named(team).unwrap_or(PALETTE[number % PALETTE.len()])
    };
    model.robots.iter().map(|robot| of_team(robot.team.as_str())).collect()
}

/// The colour that a team is called after: the light one, readable on dark ground.
pub(super) fn named(team: &str) -> Option<Color> {
    Some(match team {
        "blue" => Color::LightBlue,
        "yellow" => Color::LightYellow,
        "red" => Color::LightRed,
        "green" => Color::LightGreen,
        "cyan" => Color::LightCyan,
        "magenta" | "pink" => Color::LightMagenta,
        "white" => Color::White,
        _ => return None,
    })
}
