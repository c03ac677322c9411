//! How the things of a model look to cameras.

use crate::camera_renderer::{GROUND, MARKING, MESH, WALL};
use crate::vehicle::{ChassisPaints, chassis, vehicle_of};
use crate::{
    Colour, Daylight, LandPaint, Paint, Pattern, Solid, StageBuilder, StageError, StagePose,
    StageShape, Texture,
};
use rolima_math::{Rot2, Vec2, larger, smaller};
use rolima_model::colour::{self, TeamColours};
use rolima_model::{
    BodyKind, BodyModel, Course, GroundTexture, MaterialId, MaterialSpec, Model, Part, Polygon,
    RobotId, SensorKind,
};
use std::sync::Arc;

/// Walls from this height on are made of bricks, m; lower ones are boards of a field.
const BRICKS_FROM: f64 = 0.5;
/// Width of one copy of the bricks, m.
const BRICK_WIDTH: f64 = 1.25;
/// Walls without thickness are drawn this thick, m.
const THINNEST_WALL: f64 = 0.002;
/// Width of a wheel that nobody describes, by its radius.
const WHEEL_WIDTH: f64 = 0.3;
/// How far such wheels stand out of a robot's outline at most, m.
const WHEEL_PROUD: f64 = 3e-4;
/// How much each patch of a tag lies above the one before, m: enough for the nearer one to be seen.
const PATCH_THICKNESS: f64 = 3e-4;
/// Pieces of a painted arc in a full turn.
const ARC_PIECES: f64 = 96.0;

/// Paints that bodies share, and colours of robots.
pub(crate) struct Paints<'a> {
    teams: TeamColours<'a>,
    wood: Paint,
    /// Of the scene's materials, in their order.
    materials: Vec<Paint>,
}

impl Paints<'_> {
    /// Colours of a body's team, and of its number in it; grey of what is no robot.
    pub(crate) fn of_body(&self, model: &Model, body: &BodyModel) -> [Paint; 2] {
        match body.kind {
            BodyKind::Robot => self.of_robot(model, body),
            _ => [Paint::plain([150, 152, 158]); 2],
        }
    }

    /// Colours of a robot's team, and of its number in it.
    fn of_robot(&self, model: &Model, body: &BodyModel) -> [Paint; 2] {
        let team = &model.robots[body.index as usize].team;
        let colours = [self.teams.colour(team), self.teams.player(RobotId(body.index))];
        colours.map(|colour| Paint::plain(rgb(colour)))
    }

    /// That of a material, if there is one.
    fn of(&self, material: Option<MaterialId>) -> Option<Paint> {
        self.materials.get(material?.0 as usize).copied()
    }
}

/// Red, green and blue of 0xRRGGBB.
fn rgb(colour: u32) -> Colour {
    [(colour >> 16) as u8, (colour >> 8) as u8, colour as u8]
}

/// The paint of a material.
fn paint_of(builder: &mut StageBuilder, material: &MaterialSpec) -> Result<Paint, StageError> {
    let texture = match &material.texture {
        Some(GroundTexture { picture, size, .. }) => {
            let texture = Texture::from_rgb(picture.width, picture.height, &picture.rgb)?;
            Some((builder.texture(texture)?, *size))
        }
        None => None,
    };
    let plain = Paint::plain(rgb(material.colour)).glossy(1.0 - material.roughness);
    Ok(Paint { texture, second: material.second.map(rgb), glow: material.light, ..plain })
}

/// Puts in what does not move: light, ground, walls, lines, meshes. Returns the paints of bodies.
pub(crate) fn dress<'a>(
    model: &'a Model,
    builder: &mut StageBuilder,
) -> Result<Paints<'a>, StageError> {
    let half_fade_m = model.spec.look.fade.unwrap_or(f64::INFINITY);
    builder.daylight(Daylight { half_fade_m, ..Daylight::default() });
    dress_ground(model, builder)?;
    let bricks = builder.pattern(Pattern::Brick)?;
    let materials = model.spec.materials.iter();
    let materials = materials.map(|material| paint_of(builder, material));
    let materials = materials.collect::<Result<Vec<_>, _>>()?;
    let wood = Paint::textured(builder.pattern(Pattern::Crate)?, 1.0);
    let paints = Paints { teams: TeamColours::of(model), wood, materials };
    dress_walls(model, builder, &paints, Paint::textured(bricks, BRICK_WIDTH));
    dress_floor(model, builder, &paints);
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
    Ok(paints)
}

fn dress_ground(model: &Model, builder: &mut StageBuilder) -> Result<(), StageError> {
    let look = &model.spec.look;
    // Panels that look right for the robots of the scene.
    let scale = (4.0 * model.largest_radius).clamp(0.4, 4.0);
    let Some(ground) = &model.spec.ground else {
        let floor = match look.ground {
            Some(colour) => Paint::plain(rgb(colour)),
            None => {
                let concrete = builder.pattern(Pattern::Concrete)?;
                Paint::textured(concrete, scale).coloured([214, 206, 190])
            }
        };
        builder.ground(floor, GROUND);
        return Ok(());
    };
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
    Ok(())
}

fn dress_walls(model: &Model, builder: &mut StageBuilder, paints: &Paints<'_>, bricks: Paint) {
    let spans = model.wall_heights.iter().zip(&model.wall_spans).zip(&model.wall_numbers);
    for (part, ((&height, &[foot, top]), &wall)) in model.walls.iter().zip(spans) {
        // Walls without height are lines that stop things: nothing to see.
        if height <= 0.0 {
            continue;
        }
        let [sides, upper] = model.wall_materials(wall).map(|material| paints.of(material));
        let usual = || match model.spec.look.walls {
            _ if is_trunk(model, part) => Paint::plain([104, 74, 48]),
            Some(colour) => Paint::plain(rgb(colour)),
            None if height >= BRICKS_FROM => bricks,
            None => Paint::plain([226, 228, 232]),
        };
        let solid = extruded(part, foot, top, sides.unwrap_or_else(usual));
        let solid = if upper == sides { solid } else { solid.topped(upper.unwrap_or_else(usual)) };
        builder.fixed(solid, &StagePose::IDENTITY, WALL);
    }
}

/// What is painted on the ground: first what it is made of, then lines.
fn dress_floor(model: &Model, builder: &mut StageBuilder, paints: &Paints<'_>) {
    for floor in model.floors() {
        if let Some(paint) = paints.of(Some(floor.material)) {
            let corners: Vec<[f64; 2]> = floor.vertices.iter().map(|v| [v.x, v.y]).collect();
            builder.paint_polygon(&corners, paint, GROUND);
        }
    }
    for marking in &model.spec.markings {
        let plain = Paint::plain(rgb(model.marking_colour(marking)));
        let paint = dyed(paints.of(marking.material), marking.colour).unwrap_or(plain);
        let width = model.marking_width(marking);
        match (marking.course, &model.spec.ground) {
            (Course::Arc { .. }, Some(_)) => paint_arc(builder, marking.course, width, paint),
            _ => {
                let (line, closed) = course(marking.course);
                builder.paint_strip(&line, width, closed, paint, MARKING);
            }
        }
    }
}

/// A material's paint in a colour of its own, if there are both.
fn dyed(paint: Option<Paint>, own: Option<u32>) -> Option<Paint> {
    paint.map(|paint| own.map_or(paint, |colour| paint.coloured(rgb(colour))))
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
            let known = &model.spec.balls[body.index as usize];
            let plain = Paint::plain(rgb(known.colour.unwrap_or(colour::BALL))).glossy(0.5);
            let paint = dyed(paints.of(known.material), known.colour).unwrap_or(plain);
            StageShape::Ball { radius: body.radius, paint }
        }
        BodyKind::Object | BodyKind::Wall => {
            let known = &model.spec.objects[body.index as usize];
            let plain = known.colour.map_or(paints.wood, |colour| Paint::plain(rgb(colour)));
            let paint = dyed(paints.of(known.material), known.colour).unwrap_or(plain);
            let mut solid = Solid::default();
            for part in parts {
                solid = solid.with(&extruded(part, 0.0, body.height, paint), &StagePose::IDENTITY);
            }
            StageShape::Solid(Arc::new(solid))
        }
        BodyKind::Robot => StageShape::Solid(Arc::new(match vehicle_of(model, body) {
            Some(spec) => {
                let look = &model.spec.robots[body.index as usize].look;
                let [main, second] = paints.of_robot(model, body);
                let chassis_paints = ChassisPaints {
                    sides: paints.of(look.body).unwrap_or(main),
                    lid: paints.of(look.lid),
                    second,
                    has_sign: look.tag.is_empty(),
                };
                let (solid, top) = chassis(spec, &chassis_paints);
                let solid = tagged(solid, model, body, (&paints.teams, top));
                with_lidars(solid, model, body, top)
            }
            None => robot(model, body, parts, paints),
        })),
    }
}

/// A robot: its outline above the wheels, a dark lid with its tag, and what it carries on top.
fn robot(model: &Model, body: &BodyModel, parts: &[Part], paints: &Paints<'_>) -> Solid {
    let known = &model.robots[body.index as usize];
    let look = &model.spec.robots[body.index as usize].look;
    let drive = &model.drives[known.drive as usize].spec;
    let (dark, grey) = (Paint::plain([36, 38, 44]), Paint::plain([150, 152, 158]));
    let [main, second] = paints.of_robot(model, body);
    let height = body.height;
    let (bottom, lid) = (0.12 * height, 0.94 * height);
    let sides = paints.of(look.body).unwrap_or(main);
    let upper = paints.of(look.lid).unwrap_or(dark);
    let mut solid = Solid::default();
    for part in parts {
        solid = solid.with(&extruded(part, bottom, lid, sides), &StagePose::IDENTITY);
        solid = solid.with(&extruded(part, lid, height, upper), &StagePose::IDENTITY);
    }
    let at = |x: f64, y: f64, z: f64| StagePose::upright(x, y, z, 0.0);
    for (side, radius) in [(-1.0, drive.wheel_radius_right), (1.0, drive.wheel_radius_left)] {
        let width = WHEEL_WIDTH * radius;
        let wheel = Solid::wheel(radius, width, dark, grey);
        let aside = wheel_offset(parts, drive.wheel_distance, width);
        solid = solid.with(&wheel, &at(0.0, side * aside, radius));
    }
    if look.tag.is_empty() {
        // A sign shows where the front is.
        let size = 0.3 * body.radius;
        let sign = Solid::cuboid([2.0 * size, size, 0.02 * height], second);
        solid = solid.with(&sign, &at(0.35 * body.radius, 0.0, 1.01 * height));
    }
    let solid = tagged(solid, model, body, (&paints.teams, height));
    with_lidars(solid, model, body, height)
}

/// A solid with the patches of a robot's tag on its lid, which is `lid` above its origin, m.
fn tagged(
    mut solid: Solid,
    model: &Model,
    body: &BodyModel,
    (teams, lid): (&TeamColours<'_>, f64),
) -> Solid {
    for (i, patch) in model.tag(RobotId(body.index), teams).iter().enumerate() {
        let top = lid + (i + 1) as f64 * PATCH_THICKNESS;
        let patch = extruded(&patch.outline, lid, top, Paint::plain(rgb(patch.colour)));
        solid = solid.with(&patch, &StagePose::IDENTITY);
    }
    solid
}

/// How far to its side a robot's wheels are drawn, m: where the drive has them, but not beyond the outline, as
/// wheels that a drive takes for thin have some width.
fn wheel_offset(parts: &[Part], wheel_distance: f64, width: f64) -> f64 {
    let reach = parts.iter().map(|part| part.bounding_box().1.y).fold(0.0, larger);
    smaller(0.5 * wheel_distance, larger(reach + WHEEL_PROUD - 0.5 * width, 0.0))
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
