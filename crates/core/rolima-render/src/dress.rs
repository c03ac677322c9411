//! How the things of a model look to cameras.

use crate::camera_renderer::{GROUND, MARKING, MESH, WALL};
use crate::vehicle::{chassis, vehicle_of};
use crate::{
    Colour, Daylight, LandPaint, Paint, Pattern, Solid, StageBuilder, StageError, StagePose,
    StageShape, Texture,
};
use rolima_math::{Rot2, Vec2};
use rolima_model::colour::{self, TeamColours};
use rolima_model::{
    BodyKind, BodyModel, Course, GroundTexture, Model, Part, Polygon, RobotId, SensorKind,
};
use std::sync::Arc;

/// Walls from this height on are made of bricks, m; lower ones are boards of a field.
const BRICKS_FROM: f64 = 0.5;
/// Width of one copy of the bricks, m.
const BRICK_WIDTH: f64 = 1.25;
/// Width of painted lines where the scene does not say, m: the rules' 5 mm.
const MARKING_WIDTH: f64 = 0.005;
/// Walls without thickness are drawn this thick, m.
const THINNEST_WALL: f64 = 0.002;
/// Pieces of a painted arc in a full turn.
const ARC_PIECES: f64 = 96.0;

/// Paints that bodies share, and colours of robots.
pub(crate) struct Paints<'a> {
    teams: TeamColours<'a>,
    tags: Vec<u32>,
    wood: Paint,
}

impl Paints<'_> {
    /// Colours of a body's team, and of its tag; grey of what is no robot.
    pub(crate) fn of_body(&self, model: &Model, body: &BodyModel) -> [Paint; 2] {
        match body.kind {
            BodyKind::Robot => self.of_robot(model, body),
            _ => [Paint::plain([150, 152, 158]); 2],
        }
    }

    /// Colours of a robot's team, and of its tag.
    fn of_robot(&self, model: &Model, body: &BodyModel) -> [Paint; 2] {
        let team = &model.robots[body.index as usize].team;
        let colours = [self.teams.colour(team), self.tags[body.index as usize]];
        colours.map(|colour| Paint::plain(rgb(colour)))
    }
}

/// Red, green and blue of 0xRRGGBB.
fn rgb(colour: u32) -> Colour {
    [(colour >> 16) as u8, (colour >> 8) as u8, colour as u8]
}

/// Puts in what does not move: light, ground, walls, lines, meshes. Returns the paints of bodies.
pub(crate) fn dress<'a>(
    model: &'a Model,
    builder: &mut StageBuilder,
) -> Result<Paints<'a>, StageError> {
    let look = &model.spec.look;
    let half_fade_m = look.fade.unwrap_or(f64::INFINITY);
    builder.daylight(Daylight { half_fade_m, ..Daylight::default() });
    // Panels that look right for the robots of the scene.
    let scale = (4.0 * model.largest_radius).clamp(0.4, 4.0);
    let floor = match look.ground {
        Some(colour) => Paint::plain(rgb(colour)),
        None => {
            let concrete = builder.pattern(Pattern::Concrete)?;
            Paint::textured(concrete, scale).coloured([214, 206, 190])
        }
    };
    if let Some(ground) = &model.spec.ground {
        let colour = look.ground.map(rgb);
        let paint = match &ground.texture {
            // In its own colours, unless the scene dyes it.
            Some(GroundTexture { picture, size, .. }) => {
                let texture = Texture::from_rgb(picture.width, picture.height, &picture.rgb)?;
                let texture = Some((builder.texture(texture)?, *size));
                LandPaint { colour: Some(colour.unwrap_or([255; 3])), texture }
            }
            None => {
                let turf = builder.pattern(Pattern::Turf)?;
                LandPaint { colour, texture: Some((turf, [scale; 2])) }
            }
        };
        builder.terrain(Arc::clone(&ground.terrain), paint, GROUND);
    } else {
        builder.ground(floor, GROUND);
    }
    let bricks = builder.pattern(Pattern::Brick)?;
    let spans = model.wall_heights.iter().zip(&model.wall_spans);
    for (part, (&height, &[foot, top])) in model.walls.iter().zip(spans) {
        let paint = match look.walls {
            _ if is_trunk(model, part) => Paint::plain([104, 74, 48]),
            Some(colour) => Paint::plain(rgb(colour)),
            None if height >= BRICKS_FROM => Paint::textured(bricks, BRICK_WIDTH),
            None => Paint::plain([226, 228, 232]),
        };
        // Walls without height are lines that stop things: nothing to see.
        if height > 0.0 {
            builder.fixed(extruded(part, foot, top, paint), &StagePose::IDENTITY, WALL);
        }
    }
    for marking in &model.spec.markings {
        let paint = Paint::plain(rgb(marking.colour.unwrap_or(colour::MARKING)));
        let width = marking.width.unwrap_or(MARKING_WIDTH);
        match (marking.course, &model.spec.ground) {
            (Course::Arc { .. }, Some(_)) => paint_arc(builder, marking.course, width, paint),
            _ => {
                let (line, closed) = course(marking.course);
                builder.paint_strip(&line, width, closed, paint, MARKING);
            }
        }
    }
    for mesh in &model.spec.meshes {
        let solid = Solid::from_scaled_obj(
            &mesh.obj,
            mesh.scale,
            Paint::plain(rgb(colour::OBJECT)),
            |_| None,
        )?;
        let Vec2 { x, y } = mesh.pose.position;
        let ground = model.spec.ground.as_ref().map_or(0.0, |g| g.terrain.height(x, y));
        let pose = StagePose::upright(x, y, ground, mesh.pose.theta());
        builder.fixed(solid, &pose, MESH);
    }
    let wood = builder.pattern(Pattern::Crate)?;
    let teams = TeamColours::of(model);
    Ok(Paints { tags: teams.tags(model), teams, wood: Paint::textured(wood, 1.0) })
}

/// Points of a painted line, and whether its ends meet.
fn course(course: Course) -> (Vec<[f64; 2]>, bool) {
    match course {
        Course::Line { from, to } => (vec![[from.x, from.y], [to.x, to.y]], false),
        Course::Arc { center, radius, from_angle, to_angle } => {
            let span = to_angle - from_angle;
            let whole = span.abs() >= std::f64::consts::TAU * (1.0 - 1e-9);
            let pieces = span.abs() / std::f64::consts::TAU * ARC_PIECES;
            let pieces = pieces.ceil().clamp(1.0, ARC_PIECES) as u32;
            let point = |i: u32| {
                let angle = from_angle + span * f64::from(i) / f64::from(pieces);
                let at = center + Rot2::from_angle(angle).x_axis() * radius;
                [at.x, at.y]
            };
            ((0..if whole { pieces } else { pieces + 1 }).map(point).collect(), whole)
        }
    }
}

/// Paints an arc whose ends are square to it, so that roads of arcs and lines have no slits.
fn paint_arc(builder: &mut StageBuilder, arc: Course, width: f64, paint: Paint) {
    let Course::Arc { center, from_angle, to_angle, .. } = arc else { return };
    let (line, closed) = course(arc);
    let pieces = if closed { line.len() } else { line.len() - 1 };
    let side = |i: usize, off: f64| {
        let angle = from_angle + (to_angle - from_angle) * i as f64 / pieces as f64;
        let [x, y] = line[i % line.len()];
        let at = Vec2::new(x, y) + Rot2::from_angle(angle).x_axis() * off;
        [at.x, at.y]
    };
    let radius = (Vec2::new(line[0][0], line[0][1]) - center).length();
    let (outer, inner) = (0.5 * width, -(0.5 * width).min(radius));
    for i in 0..pieces {
        let corners = [side(i, inner), side(i, outer), side(i + 1, outer), side(i + 1, inner)];
        builder.paint_polygon(&corners, paint, MARKING);
    }
}

/// Whether a part of a wall is the trunk of a tree: scenes put the crown over it, as a mesh.
fn is_trunk(model: &Model, part: &Part) -> bool {
    let Part::Polygon(polygon) = part else { return false };
    let middle = polygon.middle();
    let mut trees = model.spec.meshes.iter().filter(|mesh| mesh.name == "tree");
    model.terrain().is_some() && trees.any(|tree| (tree.pose.position - middle).length() < 1e-6)
}

/// A convex part of an outline from one height to another.
fn extruded(part: &Part, bottom: f64, top: f64, paint: Paint) -> Solid {
    let corners: Vec<[f64; 2]> = match *part {
        Part::Box { pose, half } => {
            let half = Vec2::new(half.x, half.y.max(0.5 * THINNEST_WALL));
            flat(&Polygon::rectangle(pose, half))
        }
        Part::Polygon(polygon) => flat(&polygon),
        Part::Circle { center, radius } => {
            let at = StagePose::upright(center.x, center.y, 0.5 * (bottom + top), 0.0);
            return Solid::default().with(&Solid::cylinder(radius, top - bottom, paint), &at);
        }
    };
    Solid::prism(&corners, bottom, top, paint).unwrap_or_default()
}

fn flat(polygon: &Polygon) -> Vec<[f64; 2]> {
    polygon.vertices[..polygon.count].iter().map(|v| [v.x, v.y]).collect()
}

/// What a body looks like.
pub(crate) fn body_shape(model: &Model, body: &BodyModel, paints: &Paints<'_>) -> StageShape {
    let parts = &model.shapes[body.shape as usize].parts;
    match body.kind {
        BodyKind::Ball => {
            let known = model.spec.balls[body.index as usize].colour;
            let paint = Paint::plain(rgb(known.unwrap_or(colour::BALL)));
            let paint = paint.with_second([240, 240, 236]).glossy(0.5);
            StageShape::Ball { radius: body.radius, paint }
        }
        BodyKind::Object | BodyKind::Wall => {
            let known = model.spec.objects[body.index as usize].colour;
            let paint = known.map_or(paints.wood, |colour| Paint::plain(rgb(colour)));
            let mut solid = Solid::default();
            for part in parts {
                solid = solid.with(&extruded(part, 0.0, body.height, paint), &StagePose::IDENTITY);
            }
            StageShape::Solid(Arc::new(solid))
        }
        BodyKind::Robot => StageShape::Solid(Arc::new(match vehicle_of(model, body) {
            Some(spec) => {
                let (solid, top) = chassis(spec, paints.of_robot(model, body));
                with_lidars(solid, model, body, top)
            }
            None => robot(model, body, parts, paints),
        })),
    }
}

/// A robot: its outline above the wheels, a dark lid with its tag, and what it carries on top.
fn robot(model: &Model, body: &BodyModel, parts: &[Part], paints: &Paints<'_>) -> Solid {
    let known = &model.robots[body.index as usize];
    let drive = &model.drives[known.drive as usize].spec;
    let (dark, grey) = (Paint::plain([36, 38, 44]), Paint::plain([150, 152, 158]));
    let [main, tag] = paints.of_robot(model, body);
    let height = body.height;
    let (bottom, lid) = (0.12 * height, 0.94 * height);
    let mut solid = Solid::default();
    for part in parts {
        solid = solid.with(&extruded(part, bottom, lid, main), &StagePose::IDENTITY);
        solid = solid.with(&extruded(part, lid, height, dark), &StagePose::IDENTITY);
    }
    let at = |x: f64, y: f64, z: f64| StagePose::upright(x, y, z, 0.0);
    for (side, radius) in [(-1.0, drive.wheel_radius_right), (1.0, drive.wheel_radius_left)] {
        let width = 0.3 * radius;
        let wheel = Solid::wheel(radius, width, dark, grey);
        solid = solid.with(&wheel, &at(0.0, side * 0.5 * drive.wheel_distance, radius));
    }
    // The tag shows where the front is.
    let size = 0.3 * body.radius;
    let sign = Solid::cuboid([2.0 * size, size, 0.02 * height], tag);
    solid = solid.with(&sign, &at(0.35 * body.radius, 0.0, 1.01 * height));
    with_lidars(solid, model, body, height)
}

/// A solid with the lidars that a robot carries on top of it, `height` above its origin, m.
fn with_lidars(mut solid: Solid, model: &Model, body: &BodyModel, height: f64) -> Solid {
    for device in &model.devices[model.devices_of(RobotId(body.index))] {
        if let SensorKind::Lidar(lidar) = &device.kind
            && lidar.height > height
        {
            let tall = 0.9 * (lidar.height - height);
            let place = lidar.mount.position;
            let drum = Solid::cylinder(0.12 * body.radius, tall, Paint::plain([40, 70, 130]));
            solid =
                solid.with(&drum, &StagePose::upright(place.x, place.y, height + 0.5 * tall, 0.0));
        }
    }
    solid
}
