//! What the screen shows, rendered into memory.

use super::channels::{Listed, Listing};
use super::link::{Picture, RunPace};
use super::projection::{Extent, Projection};
use super::screen::{SMALLEST, Screen, panel_width};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};
use ratatui::widgets::Widget;
use rolima_core::{Instant, Model, RobotId, Schema, World};
use rolima_math::{Pose2, Vec2};
use rolima_run::Speed;
use rolima_scene::builtin_model;
use rolima_testing::samples;

fn plain<'a>(model: &'a Model, schema: &'a Schema, picture: &'a Picture) -> Screen<'a> {
    let (selected, listing, help) = (0, Listing::default(), false);
    let (held, refused, warning) = (None, None, None);
    Screen { model, schema, picture, selected, listing, help, held, refused, warning }
}

fn rendered(
    model: &Model,
    picture: &Picture,
    selected: usize,
    help: bool,
    size: (u16, u16),
) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(size.0, size.1)).unwrap();
    let schema = Schema::new(model);
    let screen = Screen { selected, help, ..plain(model, &schema, picture) };
    terminal.draw(|frame| frame.render_widget(screen, frame.area())).unwrap();
    terminal.backend().buffer().clone()
}

fn picture(world: &mut World) -> Picture {
    let events = world.take_events().into_iter().filter(super::events::is_told).collect();
    let pace = RunPace { speed: Speed::Factor(4.0), real_time_factor: 3.9, ..RunPace::default() };
    let (frame, mut channels) = (world.frame(), vec![]);
    let schema = Schema::new(world.model());
    schema.read(Instant { world, frame: &frame, goals: &[] }, &mut channels);
    Picture { frame, events, pace, channels }
}

fn text(buffer: &Buffer) -> String {
    let width = usize::from(buffer.area.width);
    let symbols: Vec<&str> = buffer.content().iter().map(|cell| cell.symbol()).collect();
    symbols.chunks(width).map(|row| row.concat() + "\n").collect()
}

#[test]
fn robots_and_ball_are_where_they_belong() {
    let model = builtin_model("soccer", &[]).unwrap();
    let mut world = World::new(model.clone());
    // blue-2 looks up, the ball lies in the upper right.
    assert!(world.place_body(RobotId(1), Pose2::new(-0.3, 0.4, 1.57)));
    let ball = Vec2::new(0.5, 0.45);
    assert!(world.place_body(model.balls().next().unwrap(), Pose2::new(ball.x, ball.y, 0.0)));
    let picture = picture(&mut world);
    let (width, height) = (120, 40);
    let buffer = rendered(&model, &picture, 1, false, (width, height));

    // The field has the screen but for the panel, the title and the hints.
    let area = Rect::new(0, 1, width - panel_width(width).unwrap(), height - 2);
    let projection = Projection::new(area, Extent::of(&model, &picture.frame, 1));
    let at = |point: Vec2| &buffer[projection.cell(point).unwrap()];
    assert_eq!(at(ball).symbol(), "●");
    assert_eq!(at(Vec2::new(-0.65, 0.0)).symbol(), "→");
    assert_eq!(at(Vec2::new(-0.65, 0.0)).fg, Color::LightBlue);
    assert_eq!(at(Vec2::new(0.65, 0.0)).symbol(), "←");
    assert_eq!(at(Vec2::new(0.65, 0.0)).fg, Color::LightYellow);
    let chosen = at(Vec2::new(-0.3, 0.4));
    assert_eq!(chosen.symbol(), "↑");
    assert!(chosen.modifier.contains(Modifier::REVERSED));
    assert_eq!(text(&buffer).matches(['→', '←', '↑', '↖', '↗']).count(), 6);

    // Walls on all four sides, and the left one has a gap: the goal.
    let is_wall = |x: f64, y: f64| at(Vec2::new(x, y)).fg == Color::Gray;
    assert!(
        is_wall(0.2, 0.65) && is_wall(0.2, -0.65) && is_wall(-0.75, 0.4) && is_wall(0.75, -0.4)
    );
    assert!(!is_wall(-0.75, 0.0) && is_wall(-0.85, 0.0));
}

#[test]
fn score_time_speed_and_the_chosen_robot_are_told() {
    let model = builtin_model("soccer", &[]).unwrap();
    let mut world = World::new(model.clone());
    world.steps(1234);
    let mut picture = picture(&mut world);
    picture.frame.scores = vec![2, 3];
    for size in [(120, 40), (80, 24), (60, 24), SMALLEST] {
        let shown = text(&rendered(&model, &picture, 3, false, size));
        for expected in ["blue 3 : 2 yellow", "1.23 s", "speed 4x"] {
            assert!(shown.contains(expected), "{expected} at {size:?}:\n{shown}");
        }
    }
    let shown = text(&rendered(&model, &picture, 3, false, (120, 40)));
    for expected in ["yellow-1", "steps/s", "hits", "3.90 x real time"] {
        assert!(shown.contains(expected), "{expected}:\n{shown}");
    }
    picture.pace.paused = true;
    assert!(text(&rendered(&model, &picture, 3, false, (80, 24))).contains("paused"));
    picture.pace.past = true;
    assert!(text(&rendered(&model, &picture, 3, false, (120, 40))).contains("an earlier instant"));
}

#[test]
fn the_help_names_every_key() {
    let model = builtin_model("open-loop", &[]).unwrap();
    let picture = picture(&mut World::new(model.clone()));
    for size in [(80, 24), SMALLEST] {
        let shown = text(&rendered(&model, &picture, 0, true, size));
        for (key, _) in super::keys::HELP {
            assert!(shown.contains(key), "{key} at {size:?}:\n{shown}");
        }
    }
}

#[test]
fn a_terminal_that_is_too_small_says_so() {
    let model = builtin_model("soccer", &[]).unwrap();
    let picture = picture(&mut World::new(model.clone()));
    let shown = text(&rendered(&model, &picture, 0, false, (39, 12)));
    assert!(shown.contains("too small"), "{shown}");
}

#[test]
fn no_size_and_no_scene_panics() {
    for scene in ["soccer", "open-loop", "playground", "pile", "crowd"] {
        let model = builtin_model(scene, &[]).unwrap();
        let mut world = World::new(model.clone());
        world.steps(20);
        let (full, schema) = (picture(&mut world), Schema::new(&model));
        let nothing_yet = Picture::default();
        let mut seats = rolima_run::live::Seats::default();
        let (goal, now) = (rolima_run::live::Purpose::Goal, std::time::Instant::now());
        seats.take(0, rolima_run::live::Holder::Viewer(1), goal, now).unwrap();
        let held = seats.all().next().unwrap();
        // Most sizes for the match, some for the others: they differ in the field only.
        let stride = if scene == "soccer" { samples(5, 1) } else { 17 };
        for width in (1..=200).step_by(stride) {
            for height in (1..=60).step_by(stride) {
                let area = Rect::new(0, 0, width, height);
                let (picture, selected) =
                    if height % 5 == 0 { (&nothing_yet, 999) } else { (&full, 0) };
                let help = (width + height) % 2 == 0;
                let held = (height % 3 == 0).then_some(&held);
                let refused = (width % 3 == 0).then_some("Somebody drives this robot.");
                let mut listing = Listing::default();
                (0..width % 3).for_each(|_| listing.turn());
                let plain = plain(&model, &schema, picture);
                let screen = Screen { selected, listing, help, held, refused, ..plain };
                screen.render(area, &mut Buffer::empty(area));
            }
        }
    }
}

#[test]
fn a_robot_on_an_unbounded_floor_stays_in_view() {
    let model = builtin_model("open-loop", &[]).unwrap();
    let mut world = World::new(model.clone());
    world.steps(60_000);
    let picture = picture(&mut world);
    let shown = text(&rendered(&model, &picture, 0, false, (80, 24)));
    assert_eq!(shown.matches(['→', '↗', '↑', '↖', '←', '↙', '↓', '↘']).count(), 1, "{shown}");
}

#[test]
fn rough_ground_is_shaded_around_the_chosen_vehicle() {
    let model = builtin_model("hills", &[]).unwrap();
    let mut world = World::new(model.clone());
    // Out of the clearing, onto a slope.
    world.place_body(RobotId(0), Pose2::new(20.0, 14.0, 0.0));
    world.steps(500);
    let picture = picture(&mut world);
    let buffer = rendered(&model, &picture, 0, false, (100, 30));
    let shown = text(&buffer);
    assert!(shown.contains("pitch") && shown.contains("roll"), "{shown}");
    let shades: std::collections::HashSet<Color> =
        buffer.content().iter().map(|cell| cell.bg).filter(|bg| *bg != Color::Reset).collect();
    assert!(shades.len() >= 4, "{shades:?}");
    assert!(shown.contains(['→', '↗', '↑', '↖', '←', '↙', '↓', '↘']), "{shown}");
}

#[test]
fn keys_do_not_drive_what_somebody_else_has_and_the_screen_says_so() {
    use super::User;
    use super::keys::{Direction, KeyAction};
    use super::link::ViewRequest;
    use rolima_run::live::{Holder, Purpose, Seats};
    let model = builtin_model("soccer", &[]).unwrap();
    let (mut user, mut seats) = (User::default(), Seats::default());
    let schema = Schema::new(&model);
    let of = (&*model, &schema);
    let forward = KeyAction::Drive(Direction::Forward);
    let now = std::time::Instant::now();
    seats.rename(7, "Ana");
    assert_eq!(user.act(forward, of, &mut seats, 0.0), None);
    assert!(matches!(user.drive(&model, &mut seats, 0.0)[..], [ViewRequest::Drive(0, _)]));
    assert!(seats.check(0, Holder::Viewer(7)).is_err(), "the page cannot have it meanwhile");
    // A program takes the robot that is being driven: no release, which would take it away again.
    seats.take(0, Holder::Program(1), Purpose::Commands, now).unwrap();
    assert_eq!(user.drive(&model, &mut seats, 0.1), []);
    user.act(forward, of, &mut seats, 10.0);
    assert_eq!(user.drive(&model, &mut seats, 10.0), []);
    assert_eq!(user.refusal(10.1), Some("A program drives blue-1 (Robot One)."));
    assert_eq!(user.refusal(13.1), None);
    // Another robot is free.
    user.act(KeyAction::NextRobot, of, &mut seats, 11.0);
    user.act(forward, of, &mut seats, 11.0);
    assert!(matches!(user.drive(&model, &mut seats, 11.0)[..], [ViewRequest::Drive(1, _)]));
    assert_eq!(user.refusal(11.0), None);
    user.act(KeyAction::PreviousRobot, of, &mut seats, 11.1);
    assert_eq!(user.drive(&model, &mut seats, 11.1), [ViewRequest::Release(1)]);
    assert!(seats.get(1).is_none());
    // Somebody on the page has it, or has sent it somewhere.
    seats.give_back(0, Holder::Program(1));
    for (purpose, words) in [
        (Purpose::Commands, "Ana drives blue-1."),
        (Purpose::Goal, "Ana has sent blue-1 to a goal."),
    ] {
        seats.take(0, Holder::Viewer(7), purpose, now).unwrap();
        user.act(forward, of, &mut seats, 12.0);
        assert_eq!(user.drive(&model, &mut seats, 12.0), []);
        assert_eq!(user.refusal(12.0), Some(words));
    }
    let held = seats.check(0, Holder::Terminal).unwrap_err();
    seats.leave(Holder::Viewer(7));
    user.act(forward, of, &mut seats, 13.0);
    assert!(matches!(user.drive(&model, &mut seats, 13.0)[..], [ViewRequest::Drive(0, _)]));
    user.act(KeyAction::Order(ViewRequest::Reset), of, &mut seats, 13.1);
    assert!(seats.get(0).is_none(), "a reset lets go of it");

    let picture = picture(&mut World::new(model.clone()));
    for size in [(120, 40), SMALLEST] {
        let area = Rect::new(0, 0, size.0, size.1);
        let mut buffer = Buffer::empty(area);
        let (held, refused) = (Some(&held), Some("Ana drives blue-1."));
        let screen = Screen { held, refused, ..plain(&model, &schema, &picture) };
        screen.render(area, &mut buffer);
        assert!(text(&buffer).contains("Ana drives blue-1."), "{}", text(&buffer));
    }
}

#[test]
fn what_is_wrong_with_the_run_stands_in_place_of_the_hints() {
    let model = builtin_model("soccer", &[]).unwrap();
    let (held, refused, picture) = (None, Some("Ana drives blue-1."), &Picture::default());
    let warning = Some("match.log: no space left");
    let schema = Schema::new(&model);
    let screen = Screen { held, refused, warning, ..plain(&model, &schema, picture) };
    let area = Rect::new(0, 0, 80, 24);
    let mut buffer = Buffer::empty(area);
    screen.render(area, &mut buffer);
    let text: String = buffer.content().iter().map(|cell| cell.symbol()).collect();
    assert!(text.contains("match.log: no space left"), "{text}");
}

#[test]
fn every_quantity_is_listed_by_name_with_its_value_and_unit() {
    use super::User;
    use super::keys::KeyAction;
    use rolima_run::live::Seats;
    for (scene, size) in [("soccer", (120, 40)), ("hills", SMALLEST)] {
        let model = builtin_model(scene, &[]).unwrap();
        let schema = Schema::new(&model);
        let mut world = World::new(model.clone());
        world.steps(700);
        let picture = picture(&mut world);
        let (mut user, mut seats) = (User::default(), Seats::default());
        let mut act = |user: &mut User, action| {
            assert_eq!(user.act(action, (&model, &schema), &mut seats, 0.0), None);
        };
        act(&mut user, KeyAction::TurnList);
        assert_eq!(user.listing.listed, Listed::Robot);
        act(&mut user, KeyAction::TurnList);
        let shown = |user: &User| {
            let area = Rect::new(0, 0, size.0, size.1);
            let mut buffer = Buffer::empty(area);
            Screen { listing: user.listing, ..plain(&model, &schema, &picture) }
                .render(area, &mut buffer);
            text(&buffer)
        };
        // Page by page every one comes by, none skipped.
        let mut seen = vec![false; schema.channels().len()];
        for _ in 0..=schema.channels().len() / 8 {
            let page = shown(&user);
            for (i, channel) in schema.channels().iter().enumerate() {
                let end = channel.name.rsplit('.').next().unwrap();
                let value = super::channels::in_digits(picture.channels[i]);
                let is_it = |row: &str| {
                    row.split_whitespace().next().is_some_and(|name| {
                        let name = name.trim_start_matches('…');
                        name.ends_with(end) && channel.name.ends_with(name)
                    }) && row.split_whitespace().nth(1) == Some(&value)
                };
                seen[i] |= page.lines().any(is_it);
            }
            act(&mut user, KeyAction::Page { down: true });
        }
        let missing = seen.iter().position(|seen| !seen).map(|i| &schema.channels()[i]);
        assert_eq!(missing, None);
        act(&mut user, KeyAction::TurnList);
        assert_eq!(user.listing, Listing::default());
    }
}
