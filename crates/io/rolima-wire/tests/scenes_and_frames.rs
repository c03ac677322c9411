//! What goes out: scenes from models, frames from worlds, events in words.

use rolima_core::{BodyId, CommandRefusal, Event, Happened, Model, RobotId, Volts, World};
use rolima_scene::{Source, builtin_scenes, load};
use rolima_wire::prost::Message;
use rolima_wire::{EventNow, Now, now, pb, scene};
use std::sync::Arc;

fn model(name: &str) -> Arc<Model> {
    let source = Source::resolve(name).expect("a built-in scene");
    Arc::new(load(&source, &[]).expect("a scene").compile().expect("a model"))
}

#[test]
fn every_built_in_scene_has_a_complete_message() {
    for name in builtin_scenes() {
        let model = model(&name);
        let message = scene::message(&model, 7, &name);
        assert_eq!((message.generation, message.name.as_str()), (7, name.as_str()));
        assert_eq!(message.title, model.spec.title);
        let count = model.robots.len() + model.spec.balls.len() + model.spec.objects.len();
        assert_eq!(message.bodies.len(), count, "{name}");
        assert_eq!(message.walls.len(), model.walls.len(), "{name}");
        let [min_x, min_y, max_x, max_y] = message.bounds[..] else { panic!("four bounds") };
        assert!(min_x < max_x && min_y < max_y, "{name}");
        for body in &message.bodies {
            assert!(!body.outlines.is_empty() && body.height > 0.0 && body.mass > 0.0, "{name}");
            let is_robot = body.kind() == pb::BodyKind::Robot;
            assert_eq!(is_robot, body.wheel_radius > 0.0 && body.supply > 0.0);
        }
        for wall in &message.walls {
            assert!(wall.points.len() >= 6 && wall.points.iter().all(|x| x.is_finite()));
            for point in wall.points.chunks(2) {
                assert!(point[0] >= min_x && point[0] <= max_x);
                assert!(point[1] >= min_y && point[1] <= max_y);
            }
        }
        let again = pb::Scene::decode(message.encode_to_vec().as_slice()).expect("decodes");
        assert_eq!(again, message);
    }
}

#[test]
fn teams_and_tags_can_be_told_apart() {
    let message = scene::message(&model("soccer"), 1, "soccer");
    let robots: Vec<&pb::Body> =
        message.bodies.iter().filter(|body| body.kind() == pb::BodyKind::Robot).collect();
    assert_eq!(robots.len(), 6);
    for a in &robots {
        for b in &robots {
            assert_eq!(a.team == b.team, a.colour == b.colour);
            assert!(a.name == b.name || a.team != b.team || a.tag_colour != b.tag_colour);
        }
    }
    assert_eq!(message.bodies[6].kind(), pb::BodyKind::Ball);
    assert_eq!(message.zones.len(), 2);
    assert!(message.zones.iter().all(|zone| !zone.scores_for.is_empty()));
}

#[test]
fn what_draws_a_scene_gets_the_materials_and_tags_that_cameras_draw_from() {
    let text = "[look]\nground = \"#102030\"\n[[part]]\ninclude = \"soccer.toml\"\n\
                [[material]]\nname = \"tiles\"\ntexture = \"checker\"\ncolour = \"#ff0000\"\n\
                texture_size = 0.5\nroughness = 0.25\nlight = 0.5\n\
                [[material]]\nname = \"old\"\ncolour = \"#123456\"\nsecond_colour = \"#ffffff\"\n\
                [[floor]]\nkind = \"rectangle\"\nmin = [2, 2]\nmax = [3, 3]\nmaterial = \"tiles\"\n\
                [[ball]]\nname = \"old\"\nposition = [2.5, 2.5]\nmaterial = \"old\"\n";
    let source = Source::Text { name: "x.toml".to_owned(), text: text.to_owned() };
    let model = load(&source, &[]).expect("a scene").compile().expect("a model");
    let message = scene::message(&model, 1, "x");
    assert_eq!((message.has_ground_colour, message.ground_colour), (true, 0x10_20_30));
    let made = |number: u32| &message.materials[number as usize - 1];
    let tiles = &message.materials[0];
    assert_eq!((tiles.colour, tiles.roughness, tiles.light), (0xff_ffff, 0.25, 0.5));
    let texture = tiles.texture.as_ref().expect("a texture");
    assert_eq!((texture.width, texture.height, texture.size_x), (2, 2, 0.5));
    assert_eq!(&texture.rgb[..], [[255, 0, 0], [0; 3], [0; 3], [255, 0, 0]].concat());
    let ball = message.bodies.iter().find(|body| body.name == "old").expect("the ball");
    assert_eq!((ball.colour, made(ball.material).second_colour), (0x12_34_56, 0xff_ffff));
    assert!(made(ball.material).two_coloured);
    // The hall lies below what else is on the ground.
    assert_eq!(message.floors.len(), 5);
    assert_eq!(made(message.floors[0].material).name, "hall-floor");
    for (wall, &number) in message.walls.iter().zip(&model.wall_numbers) {
        let [sides, top] = model.wall_materials(number).map(|id| model.material(id).expect("one"));
        assert_eq!((&made(wall.material).name, &made(wall.top).name), (&sides.name, &top.name));
        assert_eq!((wall.colour, made(wall.top).colour), (0xee_f0_f2, 0x15_16_18));
    }
    for (marking, spec) in message.markings.iter().zip(&model.spec.markings) {
        assert_eq!(marking.colour, model.marking_colour(spec));
        assert_eq!((made(marking.material).colour, marking.width), (marking.colour, 0.003));
    }
    let colours = rolima_core::model::colour::TeamColours::of(&model);
    for robot in model.robot_ids() {
        let body = &message.bodies[robot.index()];
        assert_eq!((&*made(body.material).name, &*made(body.lid).name), ("dark-grey", "black"));
        let told: Vec<(u32, &str)> =
            body.tag.iter().map(|patch| (patch.colour, patch.tells.as_str())).collect();
        assert_eq!(told, [(body.colour, "team"), (body.tag_colour, "player")]);
        assert_eq!(model.tag(robot, &colours).len(), 2);
        let outline = body.tag[0].outline.as_ref().expect("an outline");
        let (least, most) = (outline.points.iter().copied().fold(1.0, f32::min), 0.035_f32);
        assert!(outline.points.contains(&most) && (least + 0.0325).abs() < 1e-6);
    }
}

/// Puts a difference onto what a viewer has.
fn merge(have: &mut pb::Frame, difference: &pb::Frame, robots: usize) {
    let mut motor = 0;
    for (i, body) in difference.body.iter().enumerate() {
        let body = *body as usize;
        have.x[body] = difference.x[i];
        have.y[body] = difference.y[i];
        have.heading[body] = difference.heading[i];
        have.vx[body] = difference.vx[i];
        have.vy[body] = difference.vy[i];
        have.omega[body] = difference.omega[i];
        have.flags[body] = difference.flags[i];
        if body < robots {
            have.volts_left[body] = difference.volts_left[motor];
            have.volts_right[body] = difference.volts_right[motor];
            have.current_left[body] = difference.current_left[motor];
            have.current_right[body] = difference.current_right[motor];
            have.wheel_left[body] = difference.wheel_left[motor];
            have.wheel_right[body] = difference.wheel_right[motor];
            motor += 1;
        }
    }
    assert_eq!(motor, difference.volts_left.len());
    have.step = difference.step;
    have.time_s = difference.time_s;
    have.scores.clone_from(&difference.scores);
}

#[test]
fn whole_frame_and_differences_give_the_same_picture() {
    for name in ["soccer", "playground", "pile"] {
        let mut world = World::new(model(name));
        world.command(RobotId(0), Volts { right: 4.0, left: -2.0 }).ok();
        let mut before = Now::of(1, &world.frame());
        let mut have = before.key_frame();
        let robots = before.robots;
        let mut fewer = false;
        for _ in 0..300 {
            world.step();
            let now = Now::of(1, &world.frame());
            let difference = now.difference(&before, &[]);
            assert!(!difference.key);
            fewer |= difference.body.len() < now.bodies.len();
            let bytes = now::frame_message(&difference.encode_to_vec(), &pb::Frame::default());
            let decoded = pb::ServerMessage::decode(bytes.as_slice()).expect("decodes").kind;
            let Some(pb::server_message::Kind::Frame(decoded)) = decoded else { panic!("a frame") };
            assert_eq!(decoded, difference);
            merge(&mut have, &decoded, robots);
            assert_eq!(have, now.key_frame(), "{name}");
            before = now;
        }
        assert!(fewer || name != "playground", "what rests is left out");
    }
}

#[test]
fn the_two_pieces_of_a_frame_are_merged() {
    let now = Now::of(3, &World::new(model("soccer")).frame());
    let own = pb::Frame {
        events: vec![pb::Event { text: "Goal for blue".to_owned(), ..Default::default() }],
        status: Some(pb::Status { viewers: 4, ..Default::default() }),
        ..Default::default()
    };
    let bytes = now::frame_message(&now.key_frame().encode_to_vec(), &own);
    let whole = pb::Frame { events: own.events, status: own.status, ..now.key_frame() };
    let kind = pb::server_message::Kind::Frame(whole);
    let decoded = pb::ServerMessage::decode(bytes.as_slice()).expect("decodes");
    assert_eq!(decoded.kind, Some(kind));
}

#[test]
fn events_are_told_in_words() {
    let model = model("soccer");
    let scene = scene::message(&model, 1, "soccer");
    let ball = model.balls().next().expect("a ball");
    let words = |what| EventNow::of(0, &Event { step: 500, what }).message(&scene);
    let hit = words(Happened::Impact { body: BodyId(1), other: Some(ball), speed: 0.4213 });
    assert_eq!(hit.text, "blue-2 hit ball at 0.42 m/s");
    assert_eq!((hit.bodies, hit.kind.as_str(), hit.step), (vec![1, 6], "impact", 500));
    assert!((hit.time_s - 0.5).abs() < 1e-12);
    let wall = words(Happened::Impact { body: ball, other: None, speed: 1.0 });
    assert_eq!(wall.text, "ball hit a wall at 1.00 m/s");
    let goal = words(Happened::Goal { zone: 0, ball });
    assert!(goal.text.starts_with("Goal for "), "{}", goal.text);
    assert_eq!(goal.bodies, [6]);
    let refused =
        words(Happened::Refused { robot: RobotId(5), why: CommandRefusal::Absurd(9000.0) });
    assert_eq!(refused.text, "A command for yellow-3 was refused: 9000 V");
    let nobody = words(Happened::Refused { robot: RobotId(99), why: CommandRefusal::NotFinite });
    assert_eq!(
        (nobody.text.as_str(), nobody.bodies),
        ("A command for something was refused", vec![])
    );
    let capped = words(Happened::EnergyCap { times: 3 });
    assert_eq!((capped.text.as_str(), capped.bodies), ("3 bounces were limited", vec![]));
}
