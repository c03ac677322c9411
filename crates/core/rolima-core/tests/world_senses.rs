//! Sensors that are fixed to the world: what they read against closed forms, and what they leave alone.

use crate::sense_kit;

use rolima_core::model::{Model, Mount, Part, SceneSpec};
use rolima_core::{Command, RobotId, Schema, World};
use rolima_math::{Pose2, Vec2, Vec3, sin_cos};
use rolima_scene::{Source, load};
use sense_kit::{close, scene, world};

/// A room of 8 m x 6 m with walls of 1 m, 20 cm thick.
const ROOM: &str = "\
[[wall]]
kind = \"segment\"
from = [4, -3]
to = [4, 3]
thickness = 0.2
height = 1
[[wall]]
kind = \"segment\"
from = [-4, -3]
to = [-4, 3]
thickness = 0.2
height = 1
[[wall]]
kind = \"segment\"
from = [-4, 3]
to = [4, 3]
thickness = 0.2
height = 1
[[wall]]
kind = \"segment\"
from = [-4, -3]
to = [4, -3]
thickness = 0.2
height = 1
";

const RANGE: f64 = 7.0;
const BEAMS: usize = 72;

/// A lidar all around, 5 degrees apart, left of its front first.
fn lidar(name: &str, [x, y, z]: [f64; 3], [heading, tilt, roll]: [f64; 3]) -> String {
    format!(
        "[[sensor]]\nkind = \"lidar\"\nname = \"{name}\"\nposition = [{x}, {y}, {z}]\n\
         heading_deg = {heading}\ntilt_deg = {tilt}\nroll_deg = {roll}\nbeams = {BEAMS}\n\
         first_bearing_deg = 2.5\nstep_bearing_deg = 5\nrange = {RANGE}\nrate_hz = 1000\n"
    )
}

/// A box that stands: pose, half lengths, foot and top.
type Standing = (Pose2, Vec2, [f64; 2]);

fn walls() -> Vec<Standing> {
    let wall =
        |x, y, half: [f64; 2]| (Pose2::new(x, y, 0.0), Vec2::new(half[0], half[1]), [0.0, 1.0]);
    vec![
        wall(4.0, 0.0, [0.1, 3.0]),
        wall(-4.0, 0.0, [0.1, 3.0]),
        wall(0.0, 3.0, [4.0, 0.1]),
        wall(0.0, -3.0, [4.0, 0.1]),
    ]
}

/// Direction of a beam in the world: turned by roll about x, tilt about y (down), heading about z.
fn direction(beam: usize, [heading, tilt, roll]: [f64; 3]) -> Vec3 {
    let (s, c) = sin_cos((2.5 + 5.0 * beam as f64).to_radians());
    let [(sh, ch), (st, ct), (sr, cr)] = [heading, tilt, roll].map(|d| sin_cos(d.to_radians()));
    let (x, y, z) = (c, s * cr, s * sr);
    let (x, z) = (x * ct + z * st, z * ct - x * st);
    Vec3::new(ch * x - sh * y, sh * x + ch * y, z)
}

/// Distance along a ray: the nearest of boxes, by their slabs, and of the ground.
fn distance(from: Vec3, along: Vec3, boxes: &[Standing]) -> f64 {
    let mut nearest = RANGE;
    if along.z < 0.0 {
        nearest = nearest.min(-from.z / along.z);
    }
    for (pose, half, z) in boxes {
        let at = pose.rotation.unrotate(Vec2::new(from.x, from.y) - pose.position);
        let to = pose.rotation.unrotate(Vec2::new(along.x, along.y));
        let slabs = [
            (at.x, to.x, -half.x, half.x),
            (at.y, to.y, -half.y, half.y),
            (from.z, along.z, z[0], z[1]),
        ];
        let (mut enters, mut leaves) = (0.0f64, f64::INFINITY);
        for (at, to, low, high) in slabs {
            if to == 0.0 {
                if at <= low || at >= high {
                    leaves = -1.0;
                }
                continue;
            }
            let [a, b] = [(low - at) / to, (high - at) / to];
            enters = enters.max(a.min(b));
            leaves = leaves.min(a.max(b));
        }
        if enters < leaves {
            nearest = nearest.min(enters);
        }
    }
    nearest
}

/// A robot of the frame as a box.
fn robot_box(world: &World, robot: u32) -> Standing {
    let model = world.model();
    let body = model.body(RobotId(robot)).expect("a robot");
    let Part::Box { pose, half } = model.shapes[body.shape as usize].parts[0] else {
        panic!("a box")
    };
    (world.frame().bodies[robot as usize].pose.compose(pose), half, [0.0, body.height])
}

fn reading<'a>(world: &'a World, name: &str) -> &'a [f64] {
    let model = world.model();
    let device = model.devices_of(Mount::World).find(|&d| model.devices[d].name == name);
    world.reading(device.expect("a sensor of the world"))
}

const ANGLES: [[f64; 3]; 8] = [
    [0.0, 0.0, 0.0],
    [37.0, 0.0, 0.0],
    [-160.0, 0.0, 0.0],
    [0.0, 20.0, 0.0],
    [0.0, 0.0, 12.0],
    [71.0, -8.0, 3.0],
    [-25.0, 35.0, -50.0],
    [10.0, 88.0, 7.0],
];

#[test]
fn walls_ground_and_a_robot_that_passes_are_at_their_distances_from_a_lidar_at_any_angle() {
    let (x, y, z) = (0.7, -1.1, 0.3);
    let mut text = format!("{ROOM}[[robot]]\npreset = \"robot-one\"\npose = [-2, -0.4, 15]\n");
    for (i, angles) in ANGLES.iter().enumerate() {
        text += &lidar(&format!("lidar {i}"), [x, y, z], *angles);
    }
    let mut world = world(&scene(&text));
    world.command(RobotId(0), Command::Velocity { v: 0.8, omega: 0.25 }).unwrap();
    let mut seen = [0; ANGLES.len()];
    for _ in 0..40 {
        world.steps(100);
        let robot = robot_box(&world, 0);
        let things: Vec<Standing> = walls().into_iter().chain([robot]).collect();
        for (i, angles) in ANGLES.iter().enumerate() {
            for (beam, got) in reading(&world, &format!("lidar {i}")).iter().enumerate() {
                let along = direction(beam, *angles);
                let expected = distance(Vec3::new(x, y, z), along, &things);
                close(*got, expected, 1e-9);
                let without = distance(Vec3::new(x, y, z), along, &walls());
                seen[i] += u32::from(expected < without);
            }
        }
    }
    assert!(seen.iter().all(|seen| *seen > 0), "all had the robot in view: {seen:?}");
}

#[test]
fn balls_are_round_for_a_tilted_lidar_too() {
    let ball = "[[ball]]\nposition = [2, 0]\nradius = 0.4\nmass = 1\n";
    // Its first beam looks 2.5 degrees to the left: turned back, straight at the ball's middle.
    let level = lidar("level", [0.0, 0.0, 0.3], [-2.5, 0.0, 0.0]);
    let down = lidar("down", [0.0, 0.0, 1.9], [0.0, 37.0, 0.0]);
    let world = world(&scene(&format!("{ball}{level}{down}")));
    // A cut of the ball 0.1 m below its middle.
    close(reading(&world, "level")[0], 2.0 - (0.16f64 - 0.01).sqrt(), 1e-9);
    let (from, along) = (Vec3::new(0.0, 0.0, 1.9), direction(0, [0.0, 37.0, 0.0]));
    let to = Vec3::new(2.0, 0.0, 0.4) - from;
    let middle = to.dot(along);
    let off = to.dot(to) - middle * middle;
    close(reading(&world, "down")[0], middle - (0.16 - off).sqrt(), 1e-9);
}

#[test]
fn on_rough_ground_a_sensor_stands_above_the_ground_at_its_place() {
    // The ground rises by 1 in 5 along x: at x = 2 m it is 0.4 m high.
    let ground =
        "[ground]\nkind = \"expression\"\nsize = [60, 60]\nnodes = [61, 61]\nz = \"0.2 * x\"\n";
    let text = format!("{ground}{}", lidar("lidar", [2.0, 1.0, 1.0], [-2.5, 0.0, 0.0]));
    let world = world(&scene(&text));
    let device = &world.model().devices[0];
    close(device.pose.position.z, 1.4, 1e-12);
    let read = reading(&world, "lidar");
    for (beam, got) in read.iter().enumerate() {
        let along = direction(beam, [-2.5, 0.0, 0.0]);
        // 1.4 + t dz = 0.2 (2 + t dx), level beams.
        let meets = if along.x > 0.0 { 1.0 / (0.2 * along.x) } else { RANGE };
        close(*got, meets.min(RANGE), 1e-6);
    }
    close(read[0], 5.0, 1e-6);
}

#[test]
fn a_sonar_of_the_world_hears_the_wall_before_it() {
    let sonar =
        "[[sensor]]\nkind = \"sonar\"\nposition = [1, 0.5, 0.5]\nheading_deg = 90\nsigma = 0\n";
    let tilted = "[[sensor]]\nkind = \"sonar\"\nname = \"down\"\nposition = [0, 0, 2]\ntilt_deg = 90\nsigma = 0\n";
    let world = world(&scene(&format!("{ROOM}{sonar}{tilted}")));
    assert_eq!(reading(&world, "sonar").len(), 1);
    close(reading(&world, "sonar")[0], 2.4, 1e-9);
    close(reading(&world, "down")[0], 2.0, 1e-9);
}

/// The scene of the golden with noisy sensors of all kinds, and more in it.
fn busy(more: &str) -> World {
    let mut spec: SceneSpec =
        load(&Source::BuiltIn("tests/senses.toml".to_owned()), &[]).expect("built in").spec;
    spec.sensors = scene(more).sensors;
    World::new(std::sync::Arc::new(Model::compile(&spec).expect("a good scene")))
}

const CAMERA: &str = "[[sensor]]\nkind = \"camera\"\nname = \"eye\"\nposition = [0, 0, 3]\ntilt_deg = 90\nsigma = 3\nrate_hz = 70\n";

fn noisy(name: &str) -> String {
    lidar(name, [0.3, 0.2, 0.31], [12.0, 4.0, 0.0]) + "sigma = 0.05\n"
}

#[test]
fn a_sensor_of_the_world_changes_no_bit_of_anything_else() {
    let mut without = busy("");
    let mut one = busy(&noisy("a"));
    let mut two = busy(&format!("{}{CAMERA}{}", noisy("a"), noisy("b")));
    for _ in 0..4 {
        for world in [&mut without, &mut one, &mut two] {
            world.steps(50);
        }
        let robots = without.model().readings();
        let bits = |world: &World| -> Vec<u64> {
            let frame = world.frame();
            let poses = frame.bodies.iter().flat_map(|b| [b.pose.position.x, b.pose.position.y]);
            poses.chain(frame.readings[..robots].iter().copied()).map(f64::to_bits).collect()
        };
        assert!(bits(&without) == bits(&one) && bits(&without) == bits(&two));
        assert_eq!(reading(&one, "a"), reading(&two, "a"), "keyed by its own name");
        assert_ne!(reading(&two, "a"), reading(&two, "b"), "and by nothing else");
    }
    let mut other = World::with_seed(std::sync::Arc::new(one.model().clone()), 77);
    other.steps(200);
    assert_ne!(reading(&one, "a"), reading(&other, "a"));
}

#[test]
fn what_is_saved_goes_on_with_the_same_readings_and_exposures() {
    let mut world = busy(&format!("{}{CAMERA}", noisy("a")));
    world.steps(77);
    let saved = world.snapshot();
    let eye = world.model().devices_of(Mount::World).end - 1;
    world.set_sigma(eye, 0, 9.0).unwrap();
    let mut again = busy(&format!("{}{CAMERA}", noisy("a")));
    again.restore(&saved).unwrap();
    again.set_sigma(eye, 0, 9.0).unwrap();
    for world in [&mut world, &mut again] {
        world.steps(123);
    }
    assert_eq!(world.state_hash(), again.state_hash());
    assert_eq!(world.exposure(eye), again.exposure(eye));
    assert!(world.exposure(eye).unwrap().step > 180);
    assert_eq!(world.state().senses.camera_noise(eye), again.state().senses.camera_noise(eye));
    assert_eq!(world.sigma(eye, 0), Some(9.0));
    assert!(world.set_sigma(eye, 1, 9.0).is_err());
}

#[test]
fn readings_of_the_world_are_channels_after_all_others() {
    let world = busy(&format!("{}{CAMERA}", noisy("a")));
    let schema = Schema::new(world.model());
    let names: Vec<&str> = schema.channels().iter().map(|c| c.name.as_str()).collect();
    let own = &names[names.len() - BEAMS - 1..];
    assert_eq!(
        (own[0], own[BEAMS - 1], own[BEAMS]),
        ("sensor.a.distance.0", "sensor.a.distance.71", "sensor.eye.pictures")
    );
    assert_eq!(schema.find("sensor.**").len(), BEAMS + 1);
}

#[test]
fn a_specification_that_no_robot_could_carry_out_is_refused_by_its_key() {
    let base = scene(&lidar("a", [0.0; 3], [0.0; 3]));
    let error = |change: &dyn Fn(&mut SceneSpec)| {
        let mut spec = base.clone();
        change(&mut spec);
        Model::compile(&spec).unwrap_err().to_string()
    };
    let odometry = rolima_core::model::SensorKind::Odometry(Default::default());
    let message = error(&|spec| spec.sensors[0].kind = odometry.clone());
    assert!(message.contains("sensor.0.kind") && message.contains("camera"), "{message}");
    let message = error(&|spec| spec.sensors.push(spec.sensors[0].clone()));
    assert!(message.contains("sensor.1.name"), "{message}");
    let message = error(&|spec| spec.sensors[0].position[2] = -0.1);
    assert!(message.contains("sensor.0.position:"), "{message}");
    let message = error(&|spec| spec.sensors[0].tilt = 1.6);
    assert!(message.contains("sensor.0.tilt"), "{message}");
}
