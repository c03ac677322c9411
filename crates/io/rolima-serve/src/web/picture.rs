//! A picture of a scene from above, as SVG: neutral colours for light and for dark pages.

use super::relief::contours;
use rolima_core::Model;
use rolima_wire::{pb, scene};
use std::fmt::Write;

/// Most bodies drawn; a crowd is a crowd.
const MOST_BODIES: usize = 2000;

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
    let place = [0, 1, 2, 3].map(|i| f64::from(bounds[i]));
    let ground = model.spec.ground.as_ref();
    if let Some(path) = ground.and_then(|ground| contours(&ground.terrain, place)) {
        let _ = write!(
            svg,
            "<path d=\"{path}\" fill=\"none\" stroke=\"#8a7a5c\" stroke-opacity=\".7\" \
             stroke-width=\"{}\"/>",
            0.003 * width.max(height),
        );
    }
    for zone in &scene.zones {
        let fill = colour(zone.colour);
        polygon(&mut svg, &zone.points, &format!("fill=\"{fill}\" fill-opacity=\".25\""));
    }
    for marking in &scene.markings {
        let _ = write!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"#9aa5b1\" stroke-width=\"{}\"/>",
            list(&marking.points),
            marking.width.max(0.004 * width),
        );
    }
    for wall in &scene.walls {
        polygon(&mut svg, &wall.points, &format!("fill=\"{}\"", colour(wall.colour)));
    }
    let homes = model.bodies.iter().flatten().map(|body| body.home);
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
