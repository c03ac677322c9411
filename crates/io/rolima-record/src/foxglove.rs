//! What viewers of others show of a run, in the messages that Foxglove knows.
//!
//! Frames are called as topics are, without the first slash: `robot/blue-1` in `world`, z up, m.

use crate::names::WORLD_FRAME;
use crate::pb::foxglove::{
    Color, CubePrimitive, CylinderPrimitive, FrameTransform, LaserScan, LinePrimitive, LocationFix,
    Point3, Pose, PoseInFrame, Quaternion, SceneEntity, SceneEntityDeletion, SceneUpdate,
    SpherePrimitive, TriangleListPrimitive, Vector3, line_primitive, location_fix,
    scene_entity_deletion,
};
use prost::Message as _;
use prost_types::Timestamp;
use rolima_core::model::{BodyKind, DeviceModel, LidarSpec, Model, Mount, SensorKind};
use rolima_math::{Pose2, Pose3, Quat, Vec2, Vec3};
use rolima_wire::pb;

/// Lines on the ground are drawn so far above it, m, or they flicker.
const LINE_HEIGHT: f64 = 0.001;
/// Most nodes of rough ground along a side that are drawn.
const MOST_NODES: usize = 128;
/// Radius of the earth's equator, m, and the square of its eccentricity (WGS 84).
const EQUATOR_M: f64 = 6_378_137.0;
const ECCENTRICITY_2: f64 = 0.006_694_379_990_14;

/// The time of a message.
pub(crate) fn timestamp(ns: u64) -> Option<Timestamp> {
    let (seconds, nanos) = (ns / 1_000_000_000, ns % 1_000_000_000);
    Some(Timestamp { seconds: seconds as i64, nanos: nanos as i32 })
}

/// A pose over the plane in space, so high.
pub(crate) fn upright(pose: Pose2, z: f64) -> Pose3 {
    // The half angle: of a half turn the cosine is 0, and the sine has the sign of that turned.
    let (c, s) = (pose.rotation.c, pose.rotation.s);
    let w = (0.5 * (1.0 + c)).max(0.0).sqrt();
    let z_turn = (0.5 * (1.0 - c)).max(0.0).sqrt().copysign(s);
    Pose3 {
        position: Vec3 { x: pose.position.x, y: pose.position.y, z },
        rotation: Quat { w, x: 0.0, y: 0.0, z: z_turn },
    }
}

/// The frame of a body.
pub(crate) fn frame_of(model: &Model, body: usize) -> String {
    let kind = match model.bodies().nth(body).map(|body| body.kind) {
        Some(BodyKind::Ball) => "ball",
        Some(BodyKind::Object) => "object",
        _ => "robot",
    };
    format!("{kind}/{}", model.body_name(rolima_core::BodyId(body as u32)))
}

fn vector(v: Vec3) -> Option<Vector3> {
    Some(Vector3 { x: v.x, y: v.y, z: v.z })
}

fn pose(pose: Pose3) -> Option<Pose> {
    let Quat { w, x, y, z } = pose.rotation;
    let orientation = Some(Quaternion { x, y, z, w });
    Some(Pose { position: vector(pose.position), orientation })
}

/// How the messages of bodies' frames are written: what does not change of them is bytes already.
pub(crate) struct TransformsPlan {
    /// Of each body both frames, as fields 2 and 3.
    names: Vec<Vec<u8>>,
}

impl TransformsPlan {
    pub(crate) fn new(model: &Model) -> Self {
        let names = |body: usize| {
            FrameTransform {
                parent_frame_id: WORLD_FRAME.to_owned(),
                child_frame_id: frame_of(model, body),
                ..FrameTransform::default()
            }
            .encode_to_vec()
        };
        Self { names: (0..model.body_count()).map(names).collect() }
    }

    /// Puts where the bodies are, a `FrameTransforms`, behind what is there; numbers are as exact as those
    /// of channels.
    pub(crate) fn put(
        &self,
        poses: impl Iterator<Item = Pose3>,
        time_ns: u64,
        double: bool,
        out: &mut Vec<u8>,
    ) {
        let rounded = |x: f64| if double { x } else { f64::from(x as f32) };
        let time = timestamp(time_ns).unwrap_or_default().encode_to_vec();
        for (names, Pose3 { position: p, rotation: q }) in self.names.iter().zip(poses) {
            put_field(out, 1, |out| {
                put_field(out, 1, |out| out.extend_from_slice(&time));
                out.extend_from_slice(names);
                put_field(out, 4, |out| put_doubles(out, &[p.x, p.y, p.z].map(rounded)));
                put_field(out, 5, |out| put_doubles(out, &[q.x, q.y, q.z, q.w].map(rounded)));
            });
        }
    }
}

/// A field of bytes, its length before it.
fn put_field(out: &mut Vec<u8>, number: u8, fill: impl FnOnce(&mut Vec<u8>)) {
    out.extend_from_slice(&[number << 3 | 2, 0]);
    let begin = out.len();
    fill(out);
    let mut rest = out.len() - begin;
    let mut at = begin - 1;
    while rest >= 128 {
        out[at] = rest as u8 | 128;
        rest >>= 7;
        at += 1;
        out.insert(at, 0);
    }
    out[at] = rest as u8;
}

/// Fields from 1 on; what is zero is not written.
fn put_doubles(out: &mut Vec<u8>, numbers: &[f64]) {
    for (number, x) in (1..).zip(numbers).filter(|(_, x)| **x != 0.0) {
        out.push(number << 3 | 1);
        out.extend_from_slice(&x.to_le_bytes());
    }
}

/// What the scene looks like: all that stands still, and each body in its own frame.
pub(crate) fn scene_update(model: &Model, name: &str, time_ns: u64) -> SceneUpdate {
    let message = rolima_wire::scene::message(model, 1, name);
    let entity = |frame: &str, id: &str| SceneEntity {
        timestamp: timestamp(time_ns),
        frame_id: frame.to_owned(),
        id: id.to_owned(),
        frame_locked: true,
        ..SceneEntity::default()
    };
    let mut ground = entity(WORLD_FRAME, "ground");
    ground.lines.extend(message.markings.iter().map(marking));
    ground.lines.extend(message.zones.iter().map(zone));
    ground.triangles.extend(terrain(model));
    let mut walls = entity(WORLD_FRAME, "walls");
    let solid = |wall: &pb::Wall| prism(&wall.points, f64::from(wall.height), wall.colour);
    walls.triangles.extend(message.walls.iter().map(solid));
    let in_space = model.spec.ground.is_some();
    let bodies = message.bodies.iter().enumerate().map(|(number, body)| {
        let frame = frame_of(model, number);
        let mut shown = entity(&frame, &frame);
        body_shape(body, in_space, &mut shown);
        shown
    });
    let deletion = SceneEntityDeletion {
        timestamp: timestamp(time_ns),
        r#type: scene_entity_deletion::Type::All.into(),
        id: String::new(),
    };
    SceneUpdate {
        deletions: vec![deletion],
        entities: [ground, walls].into_iter().chain(bodies).collect(),
    }
}

/// A colour 0xRRGGBB.
fn colour(rgb: u32) -> Option<Color> {
    let part = |shift: u32| f64::from(rgb >> shift & 255) / 255.0;
    Some(Color { r: part(16), g: part(8), b: part(0), a: 1.0 })
}

fn corners(flat: &[f32]) -> impl Iterator<Item = Vec2> {
    flat.chunks_exact(2).map(|p| Vec2::new(f64::from(p[0]), f64::from(p[1])))
}

fn marking(marking: &pb::Marking) -> LinePrimitive {
    line(&marking.points, f64::from(marking.width), marking.colour, line_primitive::Type::LineStrip)
}

fn zone(zone: &pb::Zone) -> LinePrimitive {
    line(&zone.points, 0.005, zone.colour, line_primitive::Type::LineLoop)
}

fn line(points: &[f32], thickness: f64, rgb: u32, kind: line_primitive::Type) -> LinePrimitive {
    LinePrimitive {
        r#type: kind.into(),
        pose: pose(Pose3::default()),
        thickness,
        scale_invariant: false,
        points: corners(points).map(|p| Point3 { x: p.x, y: p.y, z: LINE_HEIGHT }).collect(),
        color: colour(rgb),
    }
}

/// A solid over a convex polygon.
fn prism(points: &[f32], height: f64, rgb: u32) -> TriangleListPrimitive {
    let corners: Vec<Vec2> = corners(points).collect();
    let count = corners.len() as u32;
    let at = |z: f64| corners.iter().map(move |p| Point3 { x: p.x, y: p.y, z });
    let sides = (0..count).flat_map(|i| {
        let next = (i + 1) % count;
        [i, next, next + count, i, next + count, i + count]
    });
    let top = (2..count).flat_map(|i| [count, count + i - 1, count + i]);
    TriangleListPrimitive {
        pose: pose(Pose3::default()),
        indices: sides.chain(top).collect(),
        points: at(0.0).chain(at(height)).collect(),
        color: colour(rgb),
        colors: vec![],
    }
}

/// A body's shape in its own frame; on a plane that is on the ground, in space balls' frames are in their
/// middles.
fn body_shape(body: &pb::Body, in_space: bool, shown: &mut SceneEntity) {
    let height = f64::from(body.height);
    if let &[min_x, min_y, min_z, max_x, max_y, max_z] = body.chassis.as_slice() {
        let (low, high) =
            ([min_x, min_y, min_z].map(f64::from), [max_x, max_y, max_z].map(f64::from));
        let middle = |i: usize| 0.5 * (low[i] + high[i]);
        let at = Vec3 { x: middle(0), y: middle(1), z: middle(2) };
        let size = Vec3 { x: high[0] - low[0], y: high[1] - low[1], z: high[2] - low[2] };
        shown.cubes.push(CubePrimitive {
            pose: pose(Pose3 { position: at, ..Pose3::default() }),
            size: vector(size),
            color: colour(body.colour),
        });
        shown.cylinders.extend(body.wheels.iter().map(wheel));
        return;
    }
    let is_ball = body.kind == i32::from(pb::BodyKind::Ball);
    for outline in &body.outlines {
        let radius = f64::from(outline.radius);
        if radius <= 0.0 {
            shown.triangles.push(prism(&outline.points, height, body.colour));
            continue;
        }
        let (x, y) = (f64::from(outline.x), f64::from(outline.y));
        if is_ball {
            let z = if in_space { 0.0 } else { radius };
            let size = Vec3 { x: 2.0 * radius, y: 2.0 * radius, z: 2.0 * radius };
            shown.spheres.push(SpherePrimitive {
                pose: pose(Pose3 { position: Vec3 { x, y, z }, ..Pose3::default() }),
                size: vector(size),
                color: colour(body.colour),
            });
        } else {
            let position = Vec3 { x, y, z: 0.5 * height };
            shown.cylinders.push(CylinderPrimitive {
                pose: pose(Pose3 { position, ..Pose3::default() }),
                size: vector(Vec3 { x: 2.0 * radius, y: 2.0 * radius, z: height }),
                bottom_scale: 1.0,
                top_scale: 1.0,
                color: colour(body.colour),
            });
        }
    }
}

/// A wheel, lying as it stands straight ahead: its axle is across.
fn wheel(wheel: &pb::Wheel) -> CylinderPrimitive {
    let position = Vec3 { x: f64::from(wheel.x), y: f64::from(wheel.y), z: f64::from(wheel.z) };
    // A quarter turn about x brings the cylinder's axis from z to y.
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let rotation = Quat { w: half, x: half, y: 0.0, z: 0.0 };
    let across = 2.0 * f64::from(wheel.radius);
    CylinderPrimitive {
        pose: pose(Pose3 { position, rotation }),
        size: vector(Vec3 { x: across, y: across, z: f64::from(wheel.width) }),
        bottom_scale: 1.0,
        top_scale: 1.0,
        color: colour(0x30_30_30),
    }
}

/// Rough ground, with no more nodes than are worth drawing.
fn terrain(model: &Model) -> Option<TriangleListPrimitive> {
    let terrain = &model.spec.ground.as_ref()?.terrain;
    let spec = terrain.spec();
    let nodes = |n: usize| n.clamp(2, MOST_NODES);
    let (nx, ny) = (nodes(spec.heights.nx), nodes(spec.heights.ny));
    let along =
        |low: f64, high: f64, i: usize, n: usize| low + (high - low) * i as f64 / (n - 1) as f64;
    let points = (0..nx * ny).map(|n| {
        let x = along(spec.min.x, spec.max.x, n % nx, nx);
        let y = along(spec.min.y, spec.max.y, n / nx, ny);
        Point3 { x, y, z: terrain.height(x, y) }
    });
    let cell = |n: usize| {
        let at = (n / (nx - 1) * nx + n % (nx - 1)) as u32;
        let above = at + nx as u32;
        [at, at + 1, above + 1, at, above + 1, above]
    };
    Some(TriangleListPrimitive {
        pose: pose(Pose3::default()),
        points: points.collect(),
        indices: (0..(nx - 1) * (ny - 1)).flat_map(cell).collect(),
        color: colour(model.spec.look.ground.unwrap_or(0x7a_8c_5a)),
        colors: vec![],
    })
}

/// The topic under which a sensor's messages stand, without their last word.
pub(crate) fn sensor_topic(model: &Model, device: &DeviceModel) -> String {
    match device.mount {
        Mount::Robot(_) => {
            format!("/robot/{}/sensor/{}", model.mount_name(device.mount), device.name)
        }
        Mount::World => format!("/sensor/{}", device.name),
    }
}

/// The frame that a sensor is fixed in, and its pose there if it stands upright at `mount`, so high.
fn mounted(model: &Model, device: &DeviceModel, mount: Pose2, height: f64) -> (String, Pose3) {
    let own = upright(mount, height);
    match device.mount {
        Mount::Robot(robot) => (frame_of(model, robot.index()), own),
        Mount::World => {
            let position = device.pose.transform(own.position);
            (
                WORLD_FRAME.to_owned(),
                Pose3 { position, rotation: device.pose.rotation * own.rotation },
            )
        }
    }
}

/// A lidar's scan.
pub(crate) fn scan(
    (model, device): (&Model, &DeviceModel),
    lidar: &LidarSpec,
    reading: &[f64],
    time_ns: u64,
) -> LaserScan {
    let (frame_id, at) = mounted(model, device, lidar.mount, lidar.height);
    let last = lidar.first_bearing + lidar.step_bearing * lidar.beams.saturating_sub(1) as f64;
    LaserScan {
        timestamp: timestamp(time_ns),
        frame_id,
        pose: pose(at),
        start_angle: lidar.first_bearing,
        end_angle: last,
        ranges: reading.to_vec(),
        intensities: vec![],
    }
}

/// A position in the world as one on the earth: where the equator meets the meridian of Greenwich, as the
/// scene says of none; x north, as the compass has it, y west.
pub(crate) fn location(
    (model, device): (&Model, &DeviceModel),
    reading: [f64; 2],
    time_ns: u64,
) -> LocationFix {
    // Radii of curvature there, along the meridian and along the equator.
    let meridian_m = EQUATOR_M * (1.0 - ECCENTRICITY_2);
    let [x, y] = reading;
    let (frame_id, _) = mounted(model, device, Pose2::IDENTITY, 0.0);
    LocationFix {
        latitude: (x / meridian_m).to_degrees(),
        longitude: (-y / EQUATOR_M).to_degrees(),
        altitude: 0.0,
        position_covariance: vec![],
        position_covariance_type: location_fix::PositionCovarianceType::Unknown.into(),
        timestamp: timestamp(time_ns),
        frame_id,
    }
}

/// Where a robot believes to be by its odometry.
pub(crate) fn believed(reading: [f64; 3], time_ns: u64) -> PoseInFrame {
    let [x, y, heading] = reading;
    PoseInFrame {
        timestamp: timestamp(time_ns),
        frame_id: WORLD_FRAME.to_owned(),
        pose: pose(upright(Pose2::new(x, y, heading), 0.0)),
    }
}

/// Whether a sensor's readings are told in messages of their own.
pub(crate) fn has_messages(kind: &SensorKind) -> bool {
    matches!(kind, SensorKind::Lidar(_) | SensorKind::Gps(_) | SensorKind::Odometry(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pb::foxglove::FrameTransforms;

    #[test]
    fn transforms_are_the_bytes_of_their_message() {
        let long = "robot/".to_owned() + &"x".repeat(200);
        let frames = ["robot/blue-1", "ball/ball", &long];
        let with = |frame: &str| FrameTransform {
            parent_frame_id: WORLD_FRAME.to_owned(),
            child_frame_id: frame.to_owned(),
            ..FrameTransform::default()
        };
        let plan = TransformsPlan { names: frames.map(|f| with(f).encode_to_vec()).to_vec() };
        let poses = [
            upright(Pose2::new(0.5, -0.0, 1.0), 0.0),
            Pose3::default(),
            Pose3 {
                position: Vec3 { x: 1.0, y: 2.0, z: 3.0 },
                rotation: Quat { w: 0.1, x: 0.2, y: 0.3, z: 0.4 },
            },
        ];
        for (time_ns, double) in [(0, false), (17_000_000, true), (3_600_000_000_001, false)] {
            let r = |x: f64| if double { x } else { f64::from(x as f32) };
            let transform = |(frame, pose): (&&str, &Pose3)| {
                let Pose3 { position: p, rotation: q } = *pose;
                let (x, y, z, w) = (r(q.x), r(q.y), r(q.z), r(q.w));
                FrameTransform {
                    timestamp: timestamp(time_ns),
                    translation: Some(Vector3 { x: r(p.x), y: r(p.y), z: r(p.z) }),
                    rotation: Some(Quaternion { x, y, z, w }),
                    ..with(frame)
                }
            };
            let transforms = frames.iter().zip(&poses).map(transform).collect();
            let mut out = vec![7];
            plan.put(poses.into_iter(), time_ns, double, &mut out);
            assert_eq!(out[1..], FrameTransforms { transforms }.encode_to_vec());
        }
    }
}
