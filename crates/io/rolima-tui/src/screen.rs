//! The whole screen, as a function of a picture.

use super::channels::{ChannelList, Listed, Listing};
use super::colour;
use super::events;
use super::field::DrawnField;
use super::keys::HELP;
use super::link::Picture;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style, Stylize};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, Clear, Padding, Paragraph, Widget, Wrap};
use rolima_console::score;
use rolima_console::text::{fixed, readable, thousands};
use rolima_core::{Event, Happened, Model, Schema};
use rolima_math::{Pose3, Vec3, asin, atan2};
use rolima_run::live::{HeldSeat, Holder, Purpose};

/// Smallest terminal that shows something worth seeing.
pub(super) const SMALLEST: (u16, u16) = (40, 12);
/// From this width on there is a panel beside the field.
const WIDTH_WITH_PANEL: u16 = 74;
/// Of the panel: a third of the screen, within these limits.
const PANEL_WIDTHS: (u16, u16) = (30, 41);
/// From this height on events stand below the field where there is no panel.
const HEIGHT_WITH_EVENTS: u16 = 20;
const EVENTS_BELOW: u16 = 3;

/// Width of the panel on a screen of some width; none where there is no room for one.
pub(super) fn panel_width(screen: u16) -> Option<u16> {
    let (least, most) = PANEL_WIDTHS;
    (screen >= WIDTH_WITH_PANEL).then(|| (screen / 3).clamp(least, most))
}

/// What is shown.
pub(super) struct Screen<'a> {
    pub(super) model: &'a Model,
    pub(super) schema: &'a Schema,
    pub(super) picture: &'a Picture,
    /// Number of the chosen robot.
    pub(super) selected: usize,
    pub(super) listing: Listing,
    pub(super) help: bool,
    /// Who else has the chosen robot, if somebody does.
    pub(super) held: Option<&'a HeldSeat>,
    /// Why the keys do not drive, where somebody has just tried.
    pub(super) refused: Option<&'a str>,
    /// What is wrong with the run.
    pub(super) warning: Option<&'a str>,
}

impl Widget for Screen<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let (width, height) = SMALLEST;
        if area.width < width || area.height < height {
            let text = format!("too small: at least {width} x {height} please (q quits)");
            Paragraph::new(text).wrap(Wrap { trim: true }).render(area, buffer);
            return;
        }
        let [title, body, hints] =
            Layout::vertical([Constraint::Length(1), Constraint::Fill(1), Constraint::Length(1)])
                .areas(area);
        self.title(title.width).render(title, buffer);
        self.hints().render(hints, buffer);
        match panel_width(area.width) {
            Some(width) => self.render_beside(body, width, buffer),
            None => self.render_below(body, buffer),
        }
        if self.help {
            render_help(area, buffer);
        }
    }
}

impl Screen<'_> {
    fn hints(&self) -> Line<'_> {
        if let Some(warning) = self.warning {
            return Line::from(format!(" {warning}")).red();
        }
        if let Some(refused) = self.refused {
            return Line::from(format!(" {refused}")).yellow();
        }
        Line::from(" h help  space pause  +/- speed  q quit").dim()
    }

    /// The field, or the list of quantities in its place.
    fn render_field(&self, area: Rect, buffer: &mut Buffer) {
        let Self { model, schema, picture, selected, listing, .. } = *self;
        if listing.listed == Listed::Nothing {
            return DrawnField { model, frame: &picture.frame, selected }.render(area, buffer);
        }
        let values = &picture.channels;
        ChannelList { schema, model, values, listing, robot: selected }.render(area, buffer);
    }

    /// A wide terminal: everything else beside the field.
    fn render_beside(&self, area: Rect, width: u16, buffer: &mut Buffer) {
        let [field, panel] =
            Layout::horizontal([Constraint::Fill(1), Constraint::Length(width)]).areas(area);
        self.render_field(field, buffer);
        let mut lines = self.status();
        lines.push(Line::default());
        lines.extend(self.robot());
        lines.push(Line::default());
        let room = usize::from(panel.height).saturating_sub(lines.len());
        lines.extend(self.events(room, width.saturating_sub(1)));
        let block = Block::new().padding(Padding::left(1));
        Paragraph::new(Text::from(lines)).block(block).render(panel, buffer);
    }

    /// A narrow one: a line above the field, and the latest events below it if there is room.
    fn render_below(&self, area: Rect, buffer: &mut Buffer) {
        let events = if area.height >= HEIGHT_WITH_EVENTS { EVENTS_BELOW } else { 0 };
        let [status, field, below] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Fill(1),
            Constraint::Length(events),
        ])
        .areas(area);
        let mut shown = Line::from(" ");
        for line in self.status() {
            if shown.width() + line.width() < usize::from(status.width) {
                shown.extend(line.spans.into_iter().chain([Span::from("  ")]));
            }
        }
        shown.render(status, buffer);
        self.render_field(field, buffer);
        Paragraph::new(Text::from(self.events(usize::from(events), below.width)))
            .render(below, buffer);
    }

    /// What is simulated, and the score.
    fn title(&self, width: u16) -> Line<'_> {
        let mut spans = vec![Span::from(" ")];
        let teams = score::by_team(self.model, &self.picture.frame.scores);
        for (i, (team, goals)) in teams.iter().enumerate() {
            let style = Style::new().fg(colour::named(team).unwrap_or(Color::White)).bold();
            // The score reads as everywhere: `blue 3 : 2 yellow`.
            let text = if i == 1 && teams.len() == 2 {
                format!("{goals} {team}")
            } else {
                format!("{team} {goals}")
            };
            spans.push(Span::styled(text, style));
            spans.push(Span::from(if i + 1 < teams.len() { " : " } else { "   " }));
        }
        let used: usize = spans.iter().map(Span::width).sum();
        if usize::from(width) > used + self.model.spec.title.chars().count() {
            spans.push(Span::from(self.model.spec.title.as_str()).dim());
        }
        Line::from(spans)
    }

    /// Time and speed.
    fn status(&self) -> Vec<Line<'_>> {
        let pace = &self.picture.pace;
        let time = Span::from(format!("{:.2} s", self.picture.frame.time_s)).bold();
        let speed = if pace.paused {
            Span::from("paused").add_modifier(Modifier::REVERSED)
        } else {
            Span::from(format!("speed {}", pace.speed))
        };
        let factor = format!("({} x real time)", readable(pace.real_time_factor));
        let mut lines = vec![
            Line::from(time),
            Line::from(vec![speed, Span::from(" "), Span::from(factor)]),
            Line::from(format!("{} steps/s", thousands(pace.steps_per_s))),
        ];
        if pace.past {
            let text = "an earlier instant";
            lines.push(Line::from(text).add_modifier(Modifier::REVERSED));
        }
        if pace.behind_s > 0.0 {
            let text = format!("too slow: {:.1} s behind", pace.behind_s);
            lines.push(Line::from(text).yellow());
        }
        lines
    }

    /// The chosen robot.
    fn robot(&self) -> Vec<Line<'_>> {
        let Some(robot) = self.model.robots.get(self.selected) else { return vec![] };
        // Robots come first in a frame, in the scene's order.
        let Some(body) = self.picture.frame.bodies.get(self.selected) else { return vec![] };
        let position = body.pose.position;
        let speed = body.pose.rotation.unrotate(body.velocity).x;
        let [right, left] = body.volts;
        let name = Style::new().fg(colour::named(&robot.team).unwrap_or(Color::White)).bold();
        let mut head = vec![Span::styled(robot.name.as_str(), name)];
        if let Some(held) = self.held {
            head.push(Span::from(driver(held)).cyan());
        }
        if body.slips {
            head.push(Span::from(" slips").yellow());
        }
        if body.quarantined {
            head.push(Span::from(" taken out").red());
        }
        let mut lines = vec![
            Line::from(head),
            Line::from(format!(
                "x {:>6} y {:>6} {:>4} deg",
                fixed(position.x, 3),
                fixed(position.y, 3),
                fixed(body.pose.theta().to_degrees(), 0)
            )),
            Line::from(format!("{:>6} m/s {:>6} rad/s", fixed(speed, 3), fixed(body.omega, 2))),
            Line::from(format!("left {:>5} V right {:>5} V", fixed(left, 2), fixed(right, 2))),
        ];
        if let Some(pose) = self.picture.frame.spatial.get(self.selected) {
            lines.push(Line::from(lies(pose)));
        }
        lines
    }

    /// The latest events, the newest first.
    fn events(&self, most: usize, width: u16) -> Vec<Line<'_>> {
        let step_s = self.model.step_s;
        let line = |event: &Event| {
            let time = Span::from(format!("{:7.2} ", event.step as f64 * step_s)).dim();
            let words = Span::from(events::in_words(self.model, event));
            let is_goal = matches!(event.what, Happened::Goal { .. });
            let mut line =
                Line::from(vec![time, if is_goal { words.green().bold() } else { words }]);
            if let Happened::Impact { speed, .. } = event.what {
                // A cut number would be a wrong one.
                let speed = format!(" {speed:.2} m/s");
                if line.width() + speed.len() <= usize::from(width) {
                    line.push_span(Span::from(speed).dim());
                }
            }
            line
        };
        self.picture.events.iter().rev().take(most).map(line).collect()
    }
}

/// How high a body is and how it lies: nose up and right side down are positive.
fn lies(pose: &Pose3) -> String {
    let forward = pose.rotation.rotate(Vec3::new(1.0, 0.0, 0.0));
    let left = pose.rotation.rotate(Vec3::new(0.0, 1.0, 0.0));
    let up = pose.rotation.rotate(Vec3::new(0.0, 0.0, 1.0));
    let pitch = asin(forward.z.clamp(-1.0, 1.0)).to_degrees();
    let roll = atan2(left.z, up.z).to_degrees();
    format!(
        "z {:>6} pitch {:>3} roll {:>4} deg",
        fixed(pose.position.z, 3),
        fixed(pitch, 0),
        fixed(roll, 0)
    )
}

fn render_help(area: Rect, buffer: &mut Buffer) {
    let lines: Vec<Line<'_>> = HELP
        .iter()
        .map(|(key, what)| {
            Line::from(vec![Span::from(format!("{key:<15}")).bold(), Span::from(*what)])
        })
        .collect();
    let width = lines.iter().map(Line::width).max().unwrap_or(0) as u16 + 4;
    let height = lines.len() as u16 + 2;
    let popup = area.centered(Constraint::Length(width), Constraint::Length(height));
    Clear.render(popup, buffer);
    let block = Block::bordered().title(" keys ").padding(Padding::horizontal(1));
    Paragraph::new(Text::from(lines)).block(block).render(popup, buffer);
}

/// Who has a robot, in a few words.
fn driver(held: &HeldSeat) -> String {
    let name = if held.name.is_empty() { "somebody" } else { &held.name };
    match (held.holder, held.purpose) {
        (Holder::Program(_), _) => " a program drives".to_owned(),
        (Holder::Controller(_), _) => format!(" {name} drives in lock step"),
        (_, Purpose::Goal) => format!(" sent by {name}"),
        (_, Purpose::Commands) => format!(" {name} drives"),
    }
}
