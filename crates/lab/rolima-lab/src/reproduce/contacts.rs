//! Figure 13 of the 2001 paper: a robot with zero volts slides into the lower wall and turns along
//! it, with both contact responses.

use super::{Claim, Section, Verdict};
use anyhow::Result;
use rolima_core::{BodyFrame, World};
use rolima_math::Vec2;
use rolima_scene::builtin_model;
use std::fmt::Write;

/// The field's side of the lower wall, m.
const WALL: f64 = -0.65;
/// Side of the robot, m.
const SIDE: f64 = 0.075;
/// How long is shown, ms.
const LENGTH: usize = 1_200;
/// Time between outlines, ms.
const EVERY: usize = 60;

const RESPONSES: [(&str, &str, &str); 2] =
    [("rigid", "#1f5fa8", "#dbe8f5"), ("equivalent-sphere", "#c2571a", "#f8e6d8")];

/// A robot's course: (state, kinetic energy in J) every millisecond.
type Course = Vec<(BodyFrame, f64)>;

fn run(response: &str) -> Result<Course> {
    let mut world = World::new(builtin_model("figure-13", &[format!("response={response}")])?);
    let mut course = vec![(world.frame().bodies[0], world.kinetic_energy())];
    for _ in 0..LENGTH {
        world.step();
        course.push((world.frame().bodies[0], world.kinetic_energy()));
    }
    Ok(course)
}

/// A rectangle of the picture and the world's rectangle that it shows, y upwards.
struct Panel {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
    min: Vec2,
    max: Vec2,
}

impl Panel {
    fn at(&self, p: Vec2) -> (f64, f64) {
        let (w, h) = (self.max.x - self.min.x, self.max.y - self.min.y);
        (
            self.left + (p.x - self.min.x) / w * self.width,
            self.top + (self.max.y - p.y) / h * self.height,
        )
    }

    fn points(&self, points: impl IntoIterator<Item = Vec2>) -> String {
        points.into_iter().fold(String::new(), |mut text, p| {
            let (x, y) = self.at(p);
            let _ = write!(text, "{x:.1},{y:.1} ");
            text
        })
    }

    fn frame(&self, svg: &mut String) {
        let Self { left, top, width, height, .. } = self;
        let _ = writeln!(
            svg,
            r##"<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#9aa0a6"/>"##
        );
    }
}

fn text(svg: &mut String, (x, y): (f64, f64), class: &str, words: &str) {
    let _ = writeln!(svg, r#"<text x="{x:.1}" y="{y:.1}" class="{class}">{words}</text>"#);
}

/// Corners of the robot.
fn outline(b: &BodyFrame) -> [Vec2; 4] {
    let h = 0.5 * SIDE;
    [(h, h), (-h, h), (-h, -h), (h, -h)].map(|(x, y)| b.pose.transform(Vec2::new(x, y)))
}

/// The field seen from above: wall, outlines, path.
fn draw_field(svg: &mut String, panel: &Panel, course: &Course, response: &(&str, &str, &str)) {
    let (name, dark, light) = response;
    let ground = panel.points([
        Vec2::new(panel.min.x, WALL),
        Vec2::new(panel.max.x, WALL),
        panel.min + Vec2::new(panel.max.x - panel.min.x, 0.0),
        panel.min,
    ]);
    let _ = writeln!(svg, r##"<polygon points="{ground}" fill="url(#hatch)" stroke="none"/>"##);
    let edge = panel.points([Vec2::new(panel.min.x, WALL), Vec2::new(panel.max.x, WALL)]);
    let _ = writeln!(svg, r##"<polyline points="{edge}" stroke="#3c4043" stroke-width="2"/>"##);
    let last = course.len() - 1;
    let rest = panel.points(outline(&course[last].0));
    let _ = writeln!(svg, r#"<polygon points="{rest}" fill="{light}"/>"#);
    for (ms, (b, _)) in course.iter().enumerate().filter(|(ms, _)| ms % EVERY == 0) {
        let corners = panel.points(outline(b));
        let share = ms as f64 / last as f64;
        let width = if ms == last { 2.2 } else { 1.0 };
        let _ = writeln!(
            svg,
            r#"<polygon points="{corners}" stroke="{dark}" stroke-opacity="{:.2}" stroke-width="{width}"/>"#,
            0.35 + 0.65 * share
        );
        let nose = [b.pose.position, b.pose.transform(Vec2::new(0.5 * SIDE, 0.0))];
        let _ = writeln!(
            svg,
            r#"<polyline points="{}" stroke="{dark}" stroke-opacity="{:.2}"/>"#,
            panel.points(nose),
            0.35 + 0.65 * share
        );
    }
    let path = panel.points(course.iter().map(|(b, _)| b.pose.position));
    let _ = writeln!(svg, r#"<polyline points="{path}" stroke="{dark}" stroke-width="1.8"/>"#);
    let start = panel.at(course[0].0.pose.position);
    let _ =
        writeln!(svg, r#"<circle cx="{:.1}" cy="{:.1}" r="3.5" fill="{dark}"/>"#, start.0, start.1);
    panel.frame(svg);
    let right = panel.left + panel.width - 14.0;
    text(svg, (right, panel.top + 26.0), "name end", name);
    text(svg, (right, panel.top + 45.0), "small end", &format!("an outline every {EVERY} ms"));
    let label = panel.at(Vec2::new(panel.min.x, WALL));
    text(svg, (label.0 + 10.0, label.1 + 20.0), "small on-wall", "lower wall");
    // A scale of 5 cm.
    let (right, y) = (panel.max.x - 0.0133, panel.max.y - 0.06);
    let ends = [Vec2::new(right - 0.05, y), Vec2::new(right, y)];
    let _ = writeln!(
        svg,
        r##"<polyline points="{}" stroke="#3c4043" stroke-width="2"/>"##,
        panel.points(ends)
    );
    let middle = panel.at(Vec2::new(right - 0.025, y));
    text(svg, (middle.0, middle.1 + 15.0), "small middle", "5 cm");
}

/// What a chart shows.
struct Quantity {
    title: &'static str,
    max: f64,
    min: f64,
    ticks: [f64; 3],
    digits: usize,
    of: fn(&(BodyFrame, f64)) -> f64,
}

const QUANTITIES: [Quantity; 3] = [
    Quantity {
        title: "speed, m/s",
        min: 0.0,
        max: 0.55,
        ticks: [0.0, 0.25, 0.5],
        digits: 2,
        of: |(b, _)| b.velocity.length(),
    },
    Quantity {
        title: "heading, degrees",
        min: -95.0,
        max: -60.0,
        ticks: [-90.0, -75.0, -60.0],
        digits: 0,
        of: |(b, _)| b.pose.theta().to_degrees(),
    },
    Quantity {
        title: "kinetic energy, mJ",
        min: 0.0,
        max: 50.0,
        ticks: [0.0, 25.0, 50.0],
        digits: 0,
        of: |(_, energy)| 1e3 * energy,
    },
];

fn draw_chart(svg: &mut String, panel: &Panel, quantity: &Quantity, courses: &[Course]) {
    for tick in quantity.ticks {
        let ends = [Vec2::new(panel.min.x, tick), Vec2::new(panel.max.x, tick)];
        let _ = writeln!(svg, r##"<polyline points="{}" stroke="#e3e5e8"/>"##, panel.points(ends));
        let at = panel.at(ends[0]);
        text(svg, (at.0 - 6.0, at.1 + 4.0), "small end", &format!("{tick:.*}", quantity.digits));
    }
    for tenth in [0, 4, 8, 12] {
        let at = panel.at(Vec2::new(f64::from(tenth) * 100.0, quantity.min));
        text(svg, (at.0, at.1 + 16.0), "small middle", &format!("{:.1}", f64::from(tenth) / 10.0));
    }
    for (course, (_, dark, _)) in courses.iter().zip(RESPONSES) {
        let curve = course.iter().enumerate().step_by(2);
        let curve =
            panel.points(curve.map(|(ms, moment)| Vec2::new(ms as f64, (quantity.of)(moment))));
        let _ = writeln!(svg, r#"<polyline points="{curve}" stroke="{dark}" stroke-width="1.8"/>"#);
    }
    panel.frame(svg);
    text(svg, (panel.left, panel.top - 8.0), "axis", quantity.title);
    text(svg, (panel.left + panel.width, panel.top + panel.height + 32.0), "small end", "time, s");
}

/// Styles are for this picture alone: in the report all share one page.
const HEAD: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" class="contacts" viewBox="0 0 960 720" font-family="Helvetica, Arial, sans-serif" fill="none" stroke-linejoin="round" stroke-linecap="round">
<style>.contacts text { fill: #202124; stroke: none } .contacts .title { font-size: 20px; font-weight: bold } .contacts .name { font-size: 15px; font-weight: bold } .contacts .axis { font-size: 13px } .contacts .small { font-size: 12px; fill: #5f6368 } .contacts .on-wall { fill: #202124 } .contacts .middle { text-anchor: middle } .contacts .end { text-anchor: end }</style>
<defs><pattern id="hatch" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="9" height="9" fill="#eceff1"/><path d="M0 0V9" stroke="#b0b6bb" stroke-width="1.5"/></pattern></defs>
<rect width="960" height="720" fill="#ffffff"/>
"##;

fn draw(courses: &[Course]) -> String {
    let mut svg = String::from(HEAD);
    text(&mut svg, (30.0, 38.0), "title", "A robot with zero volts meets the lower wall");
    let start = courses[0][0].0;
    let caption = format!(
        "Figure 13 of the 2001 paper. Robot as listed there, without bounce; start (ours): {:.1} m/s at {:.0}° to the wall. It slides \
         in, a corner hits,",
        start.velocity.length(),
        -start.pose.theta().to_degrees()
    );
    text(&mut svg, (30.0, 60.0), "axis", &caption);
    let more = "and it turns until its front lies along the wall. The paper's spheres take nearly all the \
                energy at the first touch and then creep.";
    text(&mut svg, (30.0, 78.0), "axis", more);
    for (i, (course, response)) in courses.iter().zip(&RESPONSES).enumerate() {
        let (width, height) = (440.0, 360.0);
        let min = Vec2::new(-0.61, -0.672);
        let max = min + Vec2::new(width, height) * (0.335 / height);
        let left = 30.0 + 460.0 * i as f64;
        draw_field(&mut svg, &Panel { left, top: 96.0, width, height, min, max }, course, response);
    }
    for (i, quantity) in QUANTITIES.iter().enumerate() {
        let panel = Panel {
            left: 66.0 + 310.0 * i as f64,
            top: 506.0,
            width: 244.0,
            height: 160.0,
            min: Vec2::new(0.0, quantity.min),
            max: Vec2::new(LENGTH as f64, quantity.max),
        };
        draw_chart(&mut svg, &panel, quantity, courses);
    }
    svg.push_str("</svg>\n");
    svg
}

/// Height of the lowest corner over the wall, m.
fn clearance(b: &BodyFrame) -> f64 {
    let r = b.pose.rotation;
    b.pose.position.y - 0.5 * SIDE * (r.c.abs() + r.s.abs()) - WALL
}

/// How far the nearest side is from lying along the wall, degrees.
fn off_the_wall(b: &BodyFrame) -> f64 {
    let turn = b.pose.theta().to_degrees().rem_euclid(90.0);
    turn.min(90.0 - turn)
}

pub(super) fn sections() -> Result<Vec<Section>> {
    let courses = RESPONSES.iter().map(|(name, _, _)| run(name)).collect::<Result<Vec<_>, _>>()?;
    let rigid = &courses[0];
    let hit = rigid.iter().position(|(b, _)| clearance(b) < 1e-4);
    let at_wall = hit.map_or(f64::NAN, |ms| off_the_wall(&rigid[ms].0));
    let last = rigid[rigid.len() - 1].0;
    let deepest = rigid.iter().map(|(b, _)| -clearance(b)).fold(f64::MIN, f64::max);
    let gains = rigid.windows(2).filter(|pair| pair[1].1 > pair[0].1 + 1e-20).count();
    let claims = vec![
        Claim::new(
            "with zero volts the robot slides into the lower wall and a corner hits",
            format!("it hits after {} ms, {at_wall:.0} degrees off the wall", hit.unwrap_or(0)),
            Verdict::of(hit.is_some() && at_wall > 20.0),
        ),
        Claim::new(
            "it turns along the wall",
            format!("it comes to rest {:.2} degrees off the wall", off_the_wall(&last)),
            Verdict::of(off_the_wall(&last) < 1.0),
        ),
        Claim::ours(
            "it never enters the wall, and its energy never grows",
            format!("deepest {:.4} mm; {gains} steps with a gain", 1e3 * deepest.max(0.0)),
            Verdict::of(deepest < 5e-5 && gains == 0),
        ),
    ];
    Ok(vec![Section {
        id: "figure-13",
        title: "Figure 13: a robot with zero volts meets the lower wall".to_owned(),
        setting: "The paper gives the picture only; the start is ours, in scenes/figure-13.toml."
            .to_owned(),
        claims,
        pictures: vec![draw(&courses)],
    }])
}
