//! A picture of a scene from above, as SVG: neutral colours for light and for dark pages.

use super::plan::floor_colour;
use rolima_core::Model;
use rolima_spatial::Terrain;
use rolima_wire::{pb, scene};
use std::fmt::Write;

/// Most bodies drawn; a crowd is a crowd.
const MOST_BODIES: usize = 2000;
/// Squares of a relief along the longer side of a terrain.
const RELIEF_SQUARES: f32 = 36.0;

/// The picture of a scene at its first instant: y upwards, or x upwards as in pictures that are
/// maps.
pub fn picture(model: &Model, name: &str, x_up: bool) -> String {
    let scene = scene::message(model, 0, name);
    let bounds = &scene.bounds;
    let (width, height) = (bounds[2] - bounds[0], bounds[3] - bounds[1]);
    let (turn, left, top, wide, tall) = match x_up {
        true => ("matrix(0 -1 -1 0 0 0)", -bounds[3], -bounds[2], height, width),
        false => ("scale(1 -1)", bounds[0], -bounds[3], width, height),
    };
    let margin = 0.04 * width.max(height).max(0.1);
    let mut svg = String::new();
    let _ = write!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{} {} {} {}\" role=\"img\">\
         <title>{}</title><g transform=\"{}\" stroke-linejoin=\"round\">",
        left - margin,
        top - margin,
        wide + 2.0 * margin,
        tall + 2.0 * margin,
        escaped(&scene.title),
        turn,
    );
    let _ = write!(
        svg,
        "<rect x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{height}\" rx=\"{margin}\" \
         fill=\"#7f8a96\" fill-opacity=\".22\"/>",
        bounds[0], bounds[1],
    );
    if let Some(ground) = &model.spec.ground {
        relief(&mut svg, &ground.terrain);
    }
    if !scene.floors.is_empty() {
        let _ = write!(
            svg,
            "<clipPath id=\"ground\"><rect x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{height}\" \
             rx=\"{margin}\"/></clipPath><g clip-path=\"url(#ground)\">",
            bounds[0], bounds[1],
        );
        for floor in &scene.floors {
            let fill = colour(floor_colour(&scene, floor));
            polygon(&mut svg, &floor.points, &format!("fill=\"{fill}\""));
        }
        svg.push_str("</g>");
    }
    for zone in &scene.zones {
        let fill = colour(zone.colour);
        polygon(&mut svg, &zone.points, &format!("fill=\"{fill}\" fill-opacity=\".25\""));
    }
    for marking in &scene.markings {
        let _ = write!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"/>",
            list(&marking.points),
            // One that is said what it is made of has its colour on any page.
            if marking.material > 0 { colour(marking.colour) } else { "#9aa5b1".to_owned() },
            marking.width.max(0.004 * width),
        );
    }
    for wall in &scene.walls {
        polygon(&mut svg, &wall.points, &format!("fill=\"{}\"", colour(wall.colour)));
    }
    let homes = model.bodies().map(|body| body.home);
    for (body, home) in scene.bodies.iter().zip(homes).take(MOST_BODIES) {
        let degrees = home.theta().to_degrees();
        let (x, y) = (home.position.x, home.position.y);
        let _ = write!(svg, "<g transform=\"translate({x} {y}) rotate({degrees:.2})\">");
        for outline in &body.outlines {
            draw_outline(&mut svg, outline, &format!("fill=\"{}\"", colour(body.colour)));
        }
        if body.kind() == pb::BodyKind::Robot {
            // A tag that points ahead.
            let r = 0.45 * body.wheel_distance;
            let points = [r, 0.0, -0.7 * r, 0.7 * r, -0.7 * r, -0.7 * r];
            polygon(&mut svg, &points, &format!("fill=\"{}\"", colour(body.tag_colour)));
        }
        svg.push_str("</g>");
    }
    svg.push_str("</g></svg>");
    svg
}

/// Light and shade of rough ground, with light from the upper left as on maps: half transparent, so
/// that it suits light and dark pages.
fn relief(svg: &mut String, terrain: &Terrain) {
    let (min, max) = (terrain.spec().min, terrain.spec().max);
    let (min_x, min_y) = (min.x as f32, min.y as f32);
    let (wide, tall) = ((max.x - min.x) as f32, (max.y - min.y) as f32);
    let side = wide.max(tall) / RELIEF_SQUARES;
    let (columns, rows) = ((wide / side).ceil() as u32, (tall / side).ceil() as u32);
    let height = |x: f32, y: f32| terrain.height(f64::from(x), f64::from(y)) as f32;
    for j in 0..rows {
        for i in 0..columns {
            let (x, y) = (min_x + i as f32 * side, min_y + j as f32 * side);
            let across = (height(x + side, y + 0.5 * side) - height(x, y + 0.5 * side)) / side;
            let up = (height(x + 0.5 * side, y + side) - height(x + 0.5 * side, y)) / side;
            let lit = (across - up).clamp(-1.0, 1.0);
            if lit.abs() < 0.02 {
                continue;
            }
            let fill = if lit > 0.0 { "#fff" } else { "#000" };
            let strength = 0.55 * lit.abs().sqrt();
            let (w, h) = (side.min(min_x + wide - x), side.min(min_y + tall - y));
            let _ = write!(
                svg,
                "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{w:.2}\" height=\"{h:.2}\" fill=\"{fill}\" \
                 fill-opacity=\"{strength:.2}\"/>"
            );
        }
    }
}

fn draw_outline(svg: &mut String, outline: &pb::Outline, style: &str) {
    if outline.radius > 0.0 {
        let pb::Outline { x, y, radius, .. } = outline;
        let _ = write!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {style}/>");
    } else {
        polygon(svg, &outline.points, style);
    }
}

fn polygon(svg: &mut String, points: &[f32], style: &str) {
    let _ = write!(svg, "<polygon points=\"{}\" {style}/>", list(points));
}

fn list(points: &[f32]) -> String {
    let pairs: Vec<String> = points.chunks_exact(2).map(|p| format!("{},{}", p[0], p[1])).collect();
    pairs.join(" ")
}

fn colour(rgb: u32) -> String {
    format!("#{rgb:06x}")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
