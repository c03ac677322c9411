//! Figures 10 and 13 of the Robot One thesis: GPS and compass on a circle of radius 3 m, and the
//! lidar 3 m before a wall.

use super::{Claim, Section, Verdict};
use anyhow::{Result, anyhow};
use rolima_core::model::Part;
use rolima_math::{Pose2, Vec2, wrap_angle};
use rolima_sensors::Truth;
use rolima_sensors::rays::{Plane, ScanScratch};
use rolima_sensors::sensors::{Gps, GpsSpec, Lidar, LidarSpec, RangeView};
use std::fmt::Write;

/// Side of the drawing's square, pixels, and its left and top margins.
const SIDE: f64 = 560.0;
const LEFT: f64 = 70.0;
const TOP: f64 = 90.0;

/// A square picture of a part of the plane, y upwards.
struct Picture {
    svg: String,
    min: Vec2,
    width: f64,
}

impl Picture {
    fn new(title: &str, caption: &str, min: Vec2, width: f64) -> Self {
        // Styles are for these pictures alone: in the report all share one page.
        let mut svg = String::from(
            r##"<svg xmlns="http://www.w3.org/2000/svg" class="senses" viewBox="0 0 680 710" font-family="Helvetica, Arial, sans-serif" fill="none" stroke-linejoin="round">
<style>.senses text { fill: #202124; stroke: none } .senses .title { font-size: 20px; font-weight: bold } .senses .axis { font-size: 13px } .senses .small { font-size: 12px; fill: #5f6368 } .senses .middle { text-anchor: middle } .senses .end { text-anchor: end }</style>
<rect width="680" height="710" fill="#ffffff"/>
"##,
        );
        let _ = writeln!(svg, r#"<text x="30" y="38" class="title">{title}</text>"#);
        let _ = writeln!(svg, r#"<text x="30" y="62" class="axis">{caption}</text>"#);
        let mut picture = Self { svg, min, width };
        picture.axes();
        picture
    }

    fn at(&self, p: Vec2) -> (f64, f64) {
        let scale = SIDE / self.width;
        (LEFT + (p.x - self.min.x) * scale, TOP + SIDE - (p.y - self.min.y) * scale)
    }

    fn axes(&mut self) {
        let (first, last) = (self.min, self.min + Vec2::new(self.width, self.width));
        for tick in first.x.ceil() as i64..=last.x.floor() as i64 {
            let (x, _) = self.at(Vec2::new(tick as f64, 0.0));
            let (top, low) = (TOP, TOP + SIDE);
            let _ = writeln!(self.svg, r##"<path d="M{x:.1} {top}V{low}" stroke="#e3e5e8"/>"##);
            let y = low + 18.0;
            let _ = writeln!(
                self.svg,
                r#"<text x="{x:.1}" y="{y}" class="small middle">{tick}</text>"#
            );
        }
        for tick in first.y.ceil() as i64..=last.y.floor() as i64 {
            let (_, y) = self.at(Vec2::new(0.0, tick as f64));
            let right = LEFT + SIDE;
            let _ = writeln!(self.svg, r##"<path d="M{LEFT} {y:.1}H{right}" stroke="#e3e5e8"/>"##);
            let (x, y) = (LEFT - 8.0, y + 4.0);
            let _ =
                writeln!(self.svg, r#"<text x="{x}" y="{y:.1}" class="small end">{tick}</text>"#);
        }
        let _ = writeln!(
            self.svg,
            r##"<rect x="{LEFT}" y="{TOP}" width="{SIDE}" height="{SIDE}" stroke="#9aa0a6"/>"##
        );
    }

    fn line(&mut self, points: impl IntoIterator<Item = Vec2>, style: &str) {
        let points = points.into_iter().fold(String::new(), |mut text, p| {
            let (x, y) = self.at(p);
            let _ = write!(text, "{x:.1},{y:.1} ");
            text
        });
        let _ = writeln!(self.svg, r#"<polyline points="{points}" {style}/>"#);
    }

    fn dot(&mut self, p: Vec2, radius: f64, fill: &str) {
        let (x, y) = self.at(p);
        let _ = writeln!(
            self.svg,
            r#"<circle cx="{x:.1}" cy="{y:.1}" r="{radius}" fill="{fill}" stroke="none"/>"#
        );
    }

    fn label(&mut self, p: Vec2, words: &str) {
        let (x, y) = self.at(p);
        let _ = writeln!(self.svg, r#"<text x="{x:.1}" y="{y:.1}" class="axis">{words}</text>"#);
    }

    fn finish(mut self) -> String {
        let (x, y) = (LEFT + SIDE, TOP + SIDE + 40.0);
        let _ = writeln!(self.svg, r#"<text x="{x}" y="{y}" class="small end">metres</text>"#);
        self.svg.push_str("</svg>\n");
        self.svg
    }
}

/// Figure 10: readings on the circle, with the compass as a stroke.
fn figure_10() -> Section {
    let sigma = [0.3, 0.3, 2f64.to_radians()];
    let mut gps = Gps::new(GpsSpec { sigma, ..GpsSpec::default() }, 1, 0, "gps");
    let on_circle = |turn: f64| {
        let pose = Pose2::new(0.0, 0.0, turn);
        pose.rotation.rotate(Vec2::new(3.0, 0.0))
    };
    let caption = "Figure 10 of the thesis: circle of radius 3 m, sigma 0.3 m, 0.3 m, 2°. Strokes: \
                   compass.";
    let mut picture =
        Picture::new("GPS and compass on a circle", caption, Vec2::new(-4.5, -4.5), 9.0);
    let readings = 120;
    let mut off: Vec<[f64; 3]> = vec![];
    for i in 0..readings {
        let turn = std::f64::consts::TAU * f64::from(i) / f64::from(readings);
        let at = on_circle(turn);
        let pose = Pose2::new(at.x, at.y, turn + std::f64::consts::FRAC_PI_2);
        let reading = gps.measure(&Truth { world_from_robot: pose, ..Truth::default() });
        let from = Pose2::new(reading.x, reading.y, reading.theta);
        off.push([
            from.position.x - at.x,
            from.position.y - at.y,
            wrap_angle(from.theta() - pose.theta()),
        ]);
        let stroke = [from.position, from.transform(Vec2::new(0.25, 0.0))];
        picture.line(stroke, r##"stroke="#c2571a" stroke-width="1.2""##);
        picture.dot(from.position, 2.6, "#c2571a");
    }
    let circle = (0..=360).map(|i| on_circle(f64::from(i).to_radians()));
    picture.line(circle, r##"stroke="#1f5fa8" stroke-width="1.8""##);
    picture.label(Vec2::new(-0.9, 0.0), "true path in blue");
    let root = |k: usize| (off.iter().map(|o| o[k] * o[k]).sum::<f64>() / off.len() as f64).sqrt();
    let found = [root(0), root(1), root(2)];
    let good = found.iter().zip(sigma).all(|(got, want)| (got / want - 1.0).abs() < 0.25);
    Section {
        id: "robot-one-10",
        title: "Figure 10: GPS and compass on a circle of 3 m".to_owned(),
        setting: "120 readings; sigma 0.3 m, 0.3 m and 2 degrees, as in the thesis.".to_owned(),
        claims: vec![Claim::new(
            "readings scatter around the true path with the sigma given",
            format!("{:.3} m, {:.3} m, {:.2} degrees", found[0], found[1], found[2].to_degrees()),
            Verdict::of(good),
        )],
        pictures: vec![picture.finish()],
    }
}

/// Figure 13: the readings in the client's frame, x to the right and y ahead (equation 3.33).
fn figure_13() -> Result<Section> {
    // The wall ahead ends where the robot's middle is, as "aligned with its corner" says.
    let wall = Part::Box { pose: Pose2::new(3.1, -5.0, 0.0), half: Vec2::new(0.1, 5.0) };
    let spec = LidarSpec { sigma: 0.1, ..LidarSpec::default() };
    let plane = Plane::new(spec.height, [(&wall, 2.0)], &[]);
    let mut lidar = Lidar::new(spec, 1, 0, "lidar").map_err(|error| anyhow!("{error}"))?;
    let mut readings = vec![0.0; spec.beams];
    let view = RangeView { plane: &plane, world_from_robot: Pose2::IDENTITY, own: None };
    lidar.measure(view, &mut ScanScratch::default(), &mut readings);
    let caption = "Figure 13 of the thesis: wall 3 m ahead of the robot, to the right of its \
                   middle; sigma 0.1 m, limit 8 m.";
    let mut picture = Picture::new("Lidar before a wall", caption, Vec2::new(-8.5, -5.0), 17.0);
    let rectangle = [(0.0, 3.0), (10.0, 3.0), (10.0, 3.2), (0.0, 3.2), (0.0, 3.0)];
    let visible = rectangle.map(|(x, y): (f64, f64)| Vec2::new(x.min(8.5), y));
    picture.line(visible, r##"stroke="#3c4043" fill="#cfd4d8""##);
    for (i, &distance) in readings.iter().enumerate() {
        let (sin, cos) = rolima_math::sin_cos(lidar.fan().angle(i));
        let end = Vec2::new(-sin * distance, cos * distance);
        picture.line([Vec2::ZERO, end], r##"stroke="#9db8d6" stroke-width="0.8""##);
        let hit = distance < spec.range;
        picture.dot(end, 3.2, if hit { "#c2571a" } else { "#9aa0a6" });
    }
    picture.dot(Vec2::ZERO, 5.0, "#1f5fa8");
    picture.label(Vec2::new(0.3, -0.6), "robot");
    // Distances across the wall, 3 m, of the beams that hit it.
    let across = readings.iter().enumerate().filter(|(_, d)| **d < spec.range);
    let across: Vec<f64> =
        across.map(|(i, &d)| d * rolima_math::cos(lidar.fan().angle(i))).collect();
    let mean = across.iter().sum::<f64>() / across.len().max(1) as f64;
    let left = readings
        .iter()
        .enumerate()
        .filter(|(i, d)| lidar.fan().angle(*i) > 0.01 && **d < spec.range)
        .count();
    Ok(Section {
        id: "robot-one-13",
        title: "Figure 13: the lidar 3 m before a wall".to_owned(),
        setting:
            "The wall begins at the robot's middle and goes to its right; sigma 0.1 m, limit 8 m."
                .to_owned(),
        claims: vec![
            Claim::new(
                "beams to the right measure the wall 3 m ahead",
                format!("{} beams, mean distance across {mean:.3} m", across.len()),
                Verdict::of((mean - 3.0).abs() < 0.05 && across.len() > 10),
            ),
            Claim::new(
                "beams to the left reach the limit",
                format!("{left} of them hit something"),
                Verdict::of(left == 0),
            ),
        ],
        pictures: vec![picture.finish()],
    })
}

pub(super) fn sections() -> Result<Vec<Section>> {
    Ok(vec![figure_10(), figure_13()?])
}
