//! All quantities of the scene by name, with their values and units, in place of the field.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Stylize;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Paragraph, Widget};
use rolima_core::{Channel, Model, Schema};

/// Which channels are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Listed {
    /// None: the field is shown.
    #[default]
    Nothing,
    /// Those of the chosen robot.
    Robot,
    /// Those of the whole scene.
    Scene,
}

/// Lines that a page key goes on by: less than the smallest screen shows, so that none is passed over.
const PAGE: usize = 8;

/// What the user wants to see of channels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Listing {
    pub(super) listed: Listed,
    /// The first line that is shown.
    first: usize,
}

impl Listing {
    /// Goes from the field to the chosen robot's channels, to all, and back.
    pub(super) fn turn(&mut self) {
        let listed = match self.listed {
            Listed::Nothing => Listed::Robot,
            Listed::Robot => Listed::Scene,
            Listed::Scene => Listed::Nothing,
        };
        *self = Self { listed, first: 0 };
    }

    /// A page on or back, up to the last of so many channels.
    pub(super) fn page(&mut self, down: bool, channels: usize) {
        let first = if down { self.first + PAGE } else { self.first.saturating_sub(PAGE) };
        self.first = first.min(channels.saturating_sub(1));
    }

    /// Begins at the first line again.
    pub(super) fn begin_anew(&mut self) {
        self.first = 0;
    }

    /// The channels that it asks for, with their numbers.
    pub(super) fn chosen<'a>(
        self,
        schema: &'a Schema,
        model: &Model,
        robot: usize,
    ) -> Vec<(usize, &'a Channel)> {
        let prefix = match (self.listed, model.robots.get(robot)) {
            (Listed::Robot, Some(robot)) => format!("robot.{}.", robot.name),
            (Listed::Scene, _) => String::new(),
            (Listed::Nothing, _) | (Listed::Robot, None) => return vec![],
        };
        let all = schema.channels().iter().enumerate();
        all.filter(|(_, channel)| channel.name.starts_with(&prefix)).collect()
    }
}

/// A list of channels with their values now.
pub(super) struct ChannelList<'a> {
    pub(super) schema: &'a Schema,
    pub(super) model: &'a Model,
    pub(super) values: &'a [f64],
    pub(super) listing: Listing,
    /// Number of the chosen robot.
    pub(super) robot: usize,
}

/// Room for a value and for its unit.
const VALUE_WIDTH: usize = 12;
const UNIT_WIDTH: usize = 5;

impl Widget for ChannelList<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let chosen = self.listing.chosen(self.schema, self.model, self.robot);
        let room = usize::from(area.height.saturating_sub(1));
        let first = self.listing.first.min(chosen.len().saturating_sub(1));
        let shown = &chosen[first..(first + room).min(chosen.len())];
        let of = format!(" {} to {} of {}", first + 1, first + shown.len(), chosen.len());
        let mut lines = vec![Line::from(of).dim()];
        let name_width =
            usize::from(area.width).saturating_sub(VALUE_WIDTH + UNIT_WIDTH + 3).max(1);
        lines.extend(shown.iter().map(|(number, channel)| {
            let value = self.values.get(*number).copied().unwrap_or(f64::NAN);
            Line::from(vec![
                Span::from(format!(" {:<name_width$}", cut(&channel.name, name_width))),
                Span::from(format!(" {:>VALUE_WIDTH$}", in_digits(value))).bold(),
                Span::from(format!(" {}", channel.unit)).dim(),
            ])
        }));
        Paragraph::new(Text::from(lines)).render(area, buffer);
    }
}

/// A name in so many letters: of a longer one the end, which tells the quantity.
fn cut(name: &str, width: usize) -> String {
    let letters = name.chars().count();
    if letters <= width {
        return name.to_owned();
    }
    let end: String = name.chars().skip(letters + 1 - width).collect();
    format!("…{end}")
}

/// A value of any size in at most [`VALUE_WIDTH`] letters; what is not there is a dash.
pub(super) fn in_digits(value: f64) -> String {
    let size = value.abs();
    if value.is_nan() {
        "-".to_owned()
    } else if size >= 1e6 || (size > 0.0 && size < 1e-3) {
        format!("{value:.4e}")
    } else {
        format!("{value:.4}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_fits_its_column() {
        for value in
            [0.0, -0.25, 1e-3, 1e-300, -123_456.789, 1e6, f64::MAX, f64::MIN, f64::INFINITY]
        {
            let text = in_digits(value);
            assert!(text.len() <= VALUE_WIDTH, "{text}");
        }
        assert_eq!(in_digits(f64::NAN), "-");
        assert_eq!(
            (cut("robot.a.x", 9), cut("robot.a.x", 5)),
            ("robot.a.x".into(), "….a.x".into())
        );
    }
}
