//! What does not change while a scene runs, from a model.

use crate::material;
use crate::mesh::Meshes;
use crate::pb;
use crate::sensor::sensor_message;
use crate::terrain;
use rolima_core::Model;
use rolima_core::model::colour::{self, TeamColours};
use rolima_core::model::spatial::Actuator;
use rolima_core::model::{BodyKind, BodyModel, Course, Mount, Part, Polygon, RobotId};
use rolima_math::{Pose2, Rot2, Vec2, Vec3};

/// Walls without thickness are drawn this thick, m.
const THINNEST_WALL: f64 = 0.002;
/// Pieces of a drawn arc in a full turn.
const ARC_PIECES: f64 = 96.0;

/// The message of a scene.
pub fn message(model: &Model, generation: u32, name: &str) -> pb::Scene {
    let teams = TeamColours::of(model);
    let mut bounds = Bounds::default();
    let shapes = Meshes::of_vehicles(model);
    let bodies = model.bodies().map(|body| {
        let reach = Vec2::new(body.radius, body.radius);
        bounds.include(body.home.position - reach);
        bounds.include(body.home.position + reach);
        body_message(model, body, &teams, &shapes)
    });
    let bodies = bodies.collect();
    let walls = model.walls.iter().zip(&model.wall_heights).zip(&model.wall_numbers);
    let walls = walls.map(|((part, height), &wall)| {
        let [sides, top] = model.wall_materials(wall);
        pb::Wall {
            material: material::number(sides),
            top: material::number(top),
            colour: model.material(sides).map_or(colour::WALL, |material| material.colour),
            ..wall_message(part, *height, &mut bounds)
        }
    });
    let walls = walls.collect();
    let zones = model.spec.zones.iter().map(|zone| {
        bounds.include(zone.min);
        bounds.include(zone.max);
        let corners = [
            zone.min,
            Vec2::new(zone.max.x, zone.min.y),
            zone.max,
            Vec2::new(zone.min.x, zone.max.y),
        ];
        pb::Zone {
            name: zone.name.clone(),
            points: flat(&corners),
            colour: teams.colour(&zone.scores_for),
            scores_for: zone.scores_for.clone(),
        }
    });
    let zones = zones.collect();
    let markings = model.spec.markings.iter().map(|marking| {
        let points = marking_points(marking.course);
        points.iter().for_each(|point| bounds.include(*point));
        pb::Marking {
            points: flat(&points),
            width: model.marking_width(marking) as f32,
            colour: model.marking_colour(marking),
            material: material::number(marking.material),
        }
    });
    let markings = markings.collect();
    let ground = model.spec.ground.as_ref();
    if let Some(ground) = ground {
        bounds.include(ground.terrain.spec().min);
        bounds.include(ground.terrain.spec().max);
    }
    let sensors = model.devices[model.devices_of(Mount::World)].iter().map(|device| {
        let Vec3 { x, y, .. } = device.pose.position;
        bounds.include(Vec2::new(x, y));
        sensor_message(device)
    });
    let sensors = sensors.collect();
    let (meshes, mesh_places) = shapes.finish(&model.spec.meshes);
    pb::Scene {
        generation,
        name: name.to_owned(),
        title: model.spec.title.clone(),
        step_s: model.step_s,
        bodies,
        walls,
        zones,
        markings,
        bounds: bounds.finish(),
        meshes,
        mesh_places,
        sensors,
        materials: material::messages(model),
        floors: material::floors(model),
        has_ground_colour: model.spec.look.ground.is_some(),
        ground_colour: model.spec.look.ground.unwrap_or_default(),
        terrain: ground.map(|ground| terrain::message(ground, model.spec.look.ground)),
        ..pb::Scene::default()
    }
}

fn body_message(
    model: &Model,
    body: &BodyModel,
    teams: &TeamColours<'_>,
    shapes: &Meshes<'_>,
) -> pb::Body {
    let shape = &model.shapes[body.shape as usize];
    let mut message = pb::Body {
        kind: pb::BodyKind::Object.into(),
        name: model.body_name(body.id).to_owned(),
        colour: colour::OBJECT,
        tag_colour: colour::OBJECT,
        outlines: shape.parts.iter().map(outline).collect(),
        height: body.height as f32,
        mass: body.mass as f32,
        ..pb::Body::default()
    };
    match body.kind {
        BodyKind::Robot => {
            let robot = &model.robots[body.index as usize];
            let drive = &model.drives[robot.drive as usize].spec;
            message.kind = pb::BodyKind::Robot.into();
            message.team.clone_from(&robot.team);
            message.colour = teams.colour(&robot.team);
            message.tag_colour = teams.player(RobotId(body.index));
            let look = &model.spec.robots[body.index as usize].look;
            message.material = material::number(look.body);
            message.lid = material::number(look.lid);
            let tag = model.tag(RobotId(body.index), teams);
            message.tag = tag.iter().map(material::patch).collect();
            let radius = 0.5 * (drive.wheel_radius_left + drive.wheel_radius_right);
            message.wheel_radius = radius as f32;
            message.wheel_distance = drive.wheel_distance as f32;
            message.supply = drive.supply as f32;
            if let Some(servo) = robot.servo {
                message.max_speed = servo.max_speed as f32;
                message.max_turning = servo.max_turning as f32;
            }
            if let Some(vehicle) = &model.spec.robots[body.index as usize].vehicle {
                message.wheels = terrain::wheels(vehicle);
                message.chassis = terrain::chassis(vehicle);
                message.shapes = shapes.of(vehicle);
            }
            message.actuators =
                model.actuators[model.actuators_of(body.index)].iter().map(actuator).collect();
            let curvature = model.most_curvature(body.index);
            message.max_curvature = curvature.unwrap_or_default() as f32;
            let devices = &model.devices[model.devices_of(RobotId(body.index))];
            message.sensors = devices.iter().map(sensor_message).collect();
        }
        BodyKind::Ball => {
            message.kind = pb::BodyKind::Ball.into();
            let ball = &model.spec.balls[body.index as usize];
            let known = model.material(ball.material).map(|material| material.colour);
            message.colour = ball.colour.or(known).unwrap_or(colour::BALL);
            message.material = material::number(ball.material);
            message.tag_colour = message.colour;
        }
        BodyKind::Object => {
            let object = &model.spec.objects[body.index as usize];
            let known = model.material(object.material).map(|material| material.colour);
            message.colour = object.colour.or(known).unwrap_or(colour::OBJECT);
            message.material = material::number(object.material);
            message.tag_colour = message.colour;
        }
        BodyKind::Wall => {}
    }
    message
}

fn actuator(known: &Actuator) -> pb::Actuator {
    pb::Actuator {
        name: known.name.clone(),
        kind: known.kind.name().to_owned(),
        unit: known.kind.unit().to_owned(),
        limit: known.limit,
    }
}

pub(crate) fn outline(part: &Part) -> pb::Outline {
    match *part {
        Part::Circle { center, radius } => pb::Outline {
            radius: radius as f32,
            x: center.x as f32,
            y: center.y as f32,
            points: vec![],
        },
        Part::Box { pose, half } => polygon(&Polygon::rectangle(pose, half)),
        Part::Polygon(corners) => polygon(&corners),
    }
}

fn polygon(corners: &Polygon) -> pb::Outline {
    pb::Outline { points: flat(&corners.vertices[..corners.count]), ..pb::Outline::default() }
}

fn wall_message(part: &Part, height: f64, bounds: &mut Bounds) -> pb::Wall {
    let corners = match *part {
        Part::Box { pose, half } => {
            let drawn = Vec2::new(half.x, half.y.max(0.5 * THINNEST_WALL));
            Polygon::rectangle(pose, drawn).vertices[..4].to_vec()
        }
        Part::Polygon(corners) => corners.vertices[..corners.count].to_vec(),
        Part::Circle { center, radius } => arc(center, radius, 0.0, std::f64::consts::TAU),
    };
    corners.iter().for_each(|corner| bounds.include(*corner));
    pb::Wall { points: flat(&corners), height: height as f32, ..pb::Wall::default() }
}

fn marking_points(course: Course) -> Vec<Vec2> {
    match course {
        Course::Line { from, to } => vec![from, to],
        Course::Arc { center, radius, from_angle, to_angle } => {
            arc(center, radius, from_angle, to_angle)
        }
    }
}

fn arc(center: Vec2, radius: f64, from_angle: f64, to_angle: f64) -> Vec<Vec2> {
    let span = to_angle - from_angle;
    let pieces = (span.abs() / std::f64::consts::TAU * ARC_PIECES).ceil().clamp(1.0, ARC_PIECES);
    let at = |i: u32| {
        let angle = from_angle + span * f64::from(i) / pieces;
        Pose2 { position: center, rotation: Rot2::from_angle(angle) }
            .transform(Vec2::new(radius, 0.0))
    };
    (0..=pieces as u32).map(at).collect()
}

pub(crate) fn flat(points: &[Vec2]) -> Vec<f32> {
    points.iter().flat_map(|p| [p.x as f32, p.y as f32]).collect()
}

/// What encloses everything.
struct Bounds {
    min: Vec2,
    max: Vec2,
}

impl Default for Bounds {
    fn default() -> Self {
        let far = Vec2::new(f64::INFINITY, f64::INFINITY);
        Self { min: far, max: -far }
    }
}

impl Bounds {
    fn include(&mut self, p: Vec2) {
        self.min = Vec2::new(self.min.x.min(p.x), self.min.y.min(p.y));
        self.max = Vec2::new(self.max.x.max(p.x), self.max.y.max(p.y));
    }

    /// [min x, min y, max x, max y]; two metres around the origin where there is nothing.
    fn finish(self) -> Vec<f32> {
        if !(self.min.is_finite() && self.max.is_finite()) {
            return vec![-1.0, -1.0, 1.0, 1.0];
        }
        [self.min.x, self.min.y, self.max.x, self.max.y].map(|x| x as f32).to_vec()
    }
}
