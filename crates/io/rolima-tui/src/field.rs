//! The field: walls, markings, robots and balls, drawn with dots and arrows.

use super::colour;
use super::projection::{Extent, Projection, is_open};
use super::relief;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::Marker;
use ratatui::widgets::Widget;
use ratatui::widgets::canvas::{Canvas, Circle, Context, Line, Points};
use rolima_core::model::{BodyKind, Course, Part, Polygon};
use rolima_core::{BodyFrame, Frame, Model};
use rolima_math::{Pose2, Rot2, Vec2};

/// The field at one instant.
pub(super) struct DrawnField<'a> {
    pub(super) model: &'a Model,
    pub(super) frame: &'a Frame,
    /// Number of the chosen robot.
    pub(super) selected: usize,
}

/// A robot that is smaller than so many columns is a dot without an arrow.
const SMALLEST_ARROW_COLUMNS: f64 = 0.8;
/// A body that is smaller than so many columns has no outline.
const SMALLEST_OUTLINE_COLUMNS: f64 = 1.0;
const BALL_SYMBOL: &str = "●";
/// Distance of the dots on an unbounded floor, m: without them nothing would seem to move.
const FLOOR_DOTS_M: f64 = 0.25;
/// More dots across than this are a carpet.
const MOST_DOTS: f64 = 24.0;
/// Pieces of a drawn arc in a full turn.
const ARC_PIECES: f64 = 64.0;

impl Widget for DrawnField<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        let extent = Extent::of(self.model, self.frame, self.selected);
        let projection = Projection::new(area, extent);
        let colours = colour::of_robots(self.model);
        let (x_bounds, y_bounds) = projection.bounds();
        Canvas::default()
            .marker(Marker::Braille)
            .x_bounds(x_bounds)
            .y_bounds(y_bounds)
            .paint(|context| {
                self.paint_ground(context, &projection);
                // What comes later wins the cells that it touches.
                context.layer();
                for body in &self.frame.bodies {
                    self.paint_body(context, body, self.colour(body, &colours), &projection);
                }
            })
            .render(area, buffer);
        if let Some(ground) = &self.model.spec.ground {
            relief::shade(&ground.terrain, &projection, area, buffer);
        }
        for body in &self.frame.bodies {
            self.write_symbol(buffer, body, self.colour(body, &colours), &projection);
        }
    }
}

impl DrawnField<'_> {
    fn colour(&self, body: &BodyFrame, robots: &[Color]) -> Color {
        match body.kind {
            _ if body.quarantined => colour::QUARANTINED,
            BodyKind::Robot => robots.get(body.index as usize).copied().unwrap_or(Color::White),
            BodyKind::Ball => colour::BALL,
            _ => colour::OBJECT,
        }
    }

    fn paint_ground(&self, context: &mut Context<'_>, projection: &Projection) {
        if is_open(self.model) {
            let coords = floor_dots(projection);
            context.draw(&Points { coords: &coords, color: colour::MARKING });
        }
        for marking in &self.model.spec.markings {
            match marking.course {
                Course::Line { from, to } => line(context, from, to, colour::MARKING),
                Course::Arc { center, radius, from_angle, to_angle } => {
                    let span = to_angle - from_angle;
                    let pieces = (span.abs() / std::f64::consts::TAU * ARC_PIECES).ceil().max(1.0);
                    let at = |i: f64| {
                        let angle = from_angle + span * i / pieces;
                        center + Rot2::from_angle(angle).x_axis() * radius
                    };
                    for i in 0..pieces as u32 {
                        let i = f64::from(i);
                        line(context, at(i), at(i + 1.0), colour::MARKING);
                    }
                }
            }
        }
        context.layer();
        for wall in &self.model.walls {
            outline(context, wall, Pose2::IDENTITY, colour::WALL);
        }
    }

    fn paint_body(
        &self,
        context: &mut Context<'_>,
        body: &BodyFrame,
        color: Color,
        projection: &Projection,
    ) {
        let Some(model) = self.model.body(body.id) else { return };
        if 2.0 * model.radius < SMALLEST_OUTLINE_COLUMNS * projection.metres_per_column() {
            let Vec2 { x, y } = body.pose.position;
            context.draw(&Points { coords: &[(x, y)], color });
            return;
        }
        for part in &self.model.shapes[model.shape as usize].parts {
            outline(context, part, body.pose, color);
        }
    }

    /// An arrow for a robot's heading, a disc for a ball.
    fn write_symbol(
        &self,
        buffer: &mut Buffer,
        body: &BodyFrame,
        color: Color,
        projection: &Projection,
    ) {
        let Some(model) = self.model.body(body.id) else { return };
        let is_selected = body.kind == BodyKind::Robot && body.index as usize == self.selected;
        let columns = 2.0 * model.radius / projection.metres_per_column();
        let symbol = match body.kind {
            BodyKind::Robot if columns >= SMALLEST_ARROW_COLUMNS || is_selected => {
                arrow(body.pose.rotation)
            }
            BodyKind::Ball => BALL_SYMBOL,
            _ => return,
        };
        let Some(cell) = projection.cell(body.pose.position).and_then(|at| buffer.cell_mut(at))
        else {
            return;
        };
        let mut style = Style::new().fg(color).add_modifier(Modifier::BOLD);
        if is_selected {
            style = style.add_modifier(Modifier::REVERSED);
        }
        cell.set_symbol(symbol).set_style(style);
    }
}

/// Of eight arrows the one nearest to a heading.
fn arrow(heading: Rot2) -> &'static str {
    const ARROWS: [&str; 8] = ["→", "↗", "↑", "↖", "←", "↙", "↓", "↘"];
    let eighth = (heading.angle() / std::f64::consts::FRAC_PI_4).round();
    ARROWS[(eighth as i64).rem_euclid(8) as usize]
}

fn floor_dots(projection: &Projection) -> Vec<(f64, f64)> {
    let ([left, right], [bottom, top]) = projection.bounds();
    // Wide views have fewer, at rounder places.
    let wide = right - left > MOST_DOTS * FLOOR_DOTS_M;
    let step = if wide { 4.0 * FLOOR_DOTS_M } else { FLOOR_DOTS_M };
    let places = |low: f64, high: f64| {
        let first = (low / step).ceil() * step;
        let count = ((high - first) / step).clamp(0.0, 200.0) as u32;
        (0..=count).map(move |i| first + f64::from(i) * step)
    };
    places(left, right).flat_map(|x| places(bottom, top).map(move |y| (x, y))).collect()
}

fn line(context: &mut Context<'_>, from: Vec2, to: Vec2, color: Color) {
    context.draw(&Line::new(from.x, from.y, to.x, to.y, color));
}

/// The outline of a convex part of a body at a pose.
fn outline(context: &mut Context<'_>, part: &Part, pose: Pose2, color: Color) {
    match part.transformed(pose) {
        Part::Circle { center, radius } => {
            context.draw(&Circle { x: center.x, y: center.y, radius, color });
        }
        Part::Box { pose, half } => polygon(context, &Polygon::rectangle(pose, half), color),
        Part::Polygon(corners) => polygon(context, &corners, color),
    }
}

fn polygon(context: &mut Context<'_>, polygon: &Polygon, color: Color) {
    let corners = &polygon.vertices[..polygon.count];
    for (i, corner) in corners.iter().enumerate() {
        line(context, *corner, corners[(i + 1) % corners.len()], color);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_point_along_the_heading() {
        for (degrees, expected) in [
            (0.0, "→"),
            (90.0, "↑"),
            (-90.0, "↓"),
            (180.0, "←"),
            (-179.0, "←"),
            (50.0, "↗"),
            (-40.0, "↘"),
        ] {
            assert_eq!(arrow(Rot2::from_angle(f64::to_radians(degrees))), expected, "{degrees}");
        }
    }
}
