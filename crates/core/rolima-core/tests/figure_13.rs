//! Figure 13 of the 2001 paper: "the behaviour of the robot in a collision with the lower wall of
//! the field at an instant at which the voltages applied to the motors are zero".
//!
//! The paper gives the picture only. The start is ours (`scenes/figure-13.toml`): the robot as
//! listed, at 0.5 m/s towards the wall at 63 degrees, inelastic as the paper's text has it.

use rolima_core::{BodyFrame, World};
use rolima_scene::{Source, load};
use std::sync::Arc;

/// The field's side of the lower wall, m.
const WALL: f64 = -0.65;
/// Half the side of the square, m.
const HALF: f64 = 0.0375;

fn scene(sets: &[&str]) -> World {
    let sets: Vec<String> = sets.iter().map(|&s| s.to_owned()).collect();
    let scene = load(&Source::BuiltIn("figure-13.toml".to_owned()), &sets).expect("a scene");
    World::new(Arc::new(scene.compile().expect("a good scene")))
}

/// The world and its energy, every millisecond for two seconds.
fn run(sets: &[&str]) -> (World, Vec<(BodyFrame, f64)>) {
    let mut world = scene(sets);
    let mut course = vec![(world.frame().bodies[0], world.kinetic_energy())];
    for _ in 0..2_000 {
        world.step();
        course.push((world.frame().bodies[0], world.kinetic_energy()));
    }
    (world, course)
}

/// Height of the lowest corner over the wall, m.
fn clearance(b: &BodyFrame) -> f64 {
    let r = b.pose.rotation;
    b.pose.position.y - HALF * (r.c.abs() + r.s.abs()) - WALL
}

/// How far the side that is nearest to it is from lying along the wall, degrees.
fn off_the_wall(b: &BodyFrame) -> f64 {
    let turn = b.pose.theta().to_degrees().rem_euclid(90.0);
    turn.min(90.0 - turn)
}

#[test]
fn the_robot_slides_into_the_wall_turns_along_it_and_comes_to_rest() {
    let (_, course) = run(&[]);
    let volts = course.iter().all(|(b, _)| b.volts == [0.0, 0.0]);
    assert!(volts, "the voltages are zero all along");

    let hit = course.iter().position(|(b, _)| clearance(b) < 1e-4).expect("it reaches the wall");
    let (first, at_wall) = (&course[0].0, &course[hit].0);
    assert!((200..800).contains(&hit), "it slides {hit} ms before it hits");
    assert!(off_the_wall(at_wall) > 20.0, "a corner hits first: {at_wall:?}");
    let approach = at_wall.velocity.length();
    assert!(approach > 0.3 && approach < first.velocity.length(), "{approach} m/s at the wall");

    let (last, _) = course.last().expect("a last moment");
    assert!(off_the_wall(last) < 1.0, "a side lies along the wall, off by {}", off_the_wall(last));
    assert!(clearance(last) < 1e-3, "and touches it, {} m off", clearance(last));
    let turned = (last.pose.theta() - at_wall.pose.theta()).to_degrees();
    assert!(turned.abs() > 20.0, "it has turned by {turned} degrees");
    let (v, omega) = (last.velocity.length(), last.omega);
    assert!(v < 1e-3 && omega.abs() < 1e-2, "it is at rest: {v} m/s, {omega} rad/s");
}

#[test]
fn it_never_passes_the_wall_and_its_energy_never_grows() {
    let (_, course) = run(&[]);
    for (ms, pair) in course.windows(2).enumerate() {
        let ((_, before), (b, after)) = (&pair[0], &pair[1]);
        assert!(clearance(b) > -5e-5, "{} m in the wall after {ms} ms", -clearance(b));
        // Rounding of a robot at rest apart.
        assert!(*after <= before + 1e-20, "energy {before} J became {after} J after {ms} ms");
    }
}

#[test]
fn it_lies_along_the_wall_also_from_headings_and_speeds_nearby() {
    let mut along = 0;
    for heading in [-76, -74, -72, -70, -68, -66, -64, -62] {
        for speed in [0.45, 0.5, 0.6] {
            let (_, course) = run(&[&format!("heading={heading}"), &format!("speed={speed}")]);
            let (last, _) = course.last().expect("a last moment");
            along += u32::from(off_the_wall(last) < 2.0);
            assert!(course.iter().all(|(b, _)| clearance(b) > -5e-5), "{heading}, {speed}");
            assert!(off_the_wall(last) < 5.0, "{heading}, {speed}: {}", off_the_wall(last));
        }
    }
    assert!(along >= 20, "{along} of 24 lie within 2 degrees");
}

/// Milliseconds from the first touch until a side lies within 2 degrees of the wall for good.
fn turning_time(course: &[(BodyFrame, f64)]) -> usize {
    let hit = course.iter().position(|(b, _)| clearance(b) < 1e-4).expect("it reaches the wall");
    let turned = course.iter().rposition(|(b, _)| off_the_wall(b) > 2.0).expect("it starts off");
    turned.saturating_sub(hit)
}

#[test]
fn the_equivalent_spheres_turn_it_along_the_wall_too_but_much_more_slowly() {
    // Eq 12 stops the contact point, and the split of that into v and omega takes nearly all the
    // energy at the first touch; what is left creeps along the wall. `rigid` swings round at once.
    let (world, course) = run(&["response=equivalent-sphere"]);
    assert!(course.iter().all(|(b, _)| clearance(b) > -5e-5), "it stays in the field");
    let (last, left) = course.last().expect("a last moment");
    assert!(off_the_wall(last) < 1.0 && clearance(last) < 2e-3, "along the wall: {last:?}");
    let (slow, quick) = (turning_time(&course), turning_time(&run(&[]).1));
    assert!(quick > 20 && slow > 4 * quick, "{slow} ms against {quick} ms");

    let hit = course.iter().position(|(b, _)| clearance(b) < 1e-4).expect("it reaches the wall");
    let [gained, lost] = world.sphere_energy();
    let at_wall = course[hit - 5].1;
    println!("{at_wall:.4} J at the wall: gained {gained:.4}, lost {lost:.4}, left {left:.1e} J");
    assert!(course[hit + 5].1 < 0.1 * at_wall, "the first touch takes nearly all");
    // The account leaves the wheels out, which hold 3% of the energy, and friction takes its own.
    assert!(lost > 0.9 * at_wall && lost < at_wall + gained, "lost {lost} of {at_wall} J");
}
