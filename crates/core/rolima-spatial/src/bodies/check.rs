//! Whether bodies can be as a scene says.

use super::{BodyKind, BodyPart, BodyShape, BodySpec, MOST_CORNERS, PairTable};
use crate::spec::SpatialSpec;
use rolima_check::{self as check, ModelError};
use rolima_math::Vec2;

/// Longest outer step, s.
const LONGEST_OUTER_S: f64 = 0.02;

/// Checks bodies and how they meet; whether anything can meet at all.
pub(crate) fn check_contacts(spec: &SpatialSpec) -> Result<bool, ModelError> {
    let outer_s = f64::from(spec.outer_steps) * spec.step_s;
    check::within("sim.outer_step_s", outer_s, 0.0, LONGEST_OUTER_S)?;
    for (i, body) in spec.bodies.iter().enumerate() {
        check_body(&format!("body.{i}"), body)?;
    }
    check_pairs("contact.friction", &spec.contact.friction, 10.0)?;
    check_pairs("contact.restitution", &spec.contact.restitution, 1.0)?;
    let threshold = spec.contact.restitution_threshold;
    check::within("contact.restitution_threshold", threshold, 0.0, 100.0)?;
    if !spec.bodies.is_empty() && spec.outer_steps == 0 {
        return Err(ModelError::new("sim.outer_steps", "at least 1 in a world with bodies", 0));
    }
    let has_contacts = !spec.bodies.is_empty() || (spec.vehicles.len() > 1 && spec.outer_steps > 0);
    if has_contacts && cfg!(not(feature = "bodies")) {
        let expected = "no free bodies or walls and one vehicle, or outer_steps 0: this build has \
                        not the feature `bodies`, without which nothing can collide";
        let got = format!("{} bodies, {} vehicles", spec.bodies.len(), spec.vehicles.len());
        return Err(ModelError::new("bodies", expected, got));
    }
    Ok(has_contacts)
}

fn check_pairs(key: &str, pairs: &PairTable, most: f64) -> Result<(), ModelError> {
    for (i, a) in BodyKind::ALL.into_iter().enumerate() {
        for b in &BodyKind::ALL[i..] {
            let key = format!("{key} of {a:?} and {b:?}");
            check::within(&key, pairs.of(a, *b), 0.0, most)?;
        }
    }
    Ok(())
}

fn check_body(key: &str, body: &BodySpec) -> Result<(), ModelError> {
    if body.kind == BodyKind::Robot {
        return Err(ModelError::new(
            format!("{key}.kind"),
            "a ball, an object or a wall",
            "a robot",
        ));
    }
    let size = |x: f64| check::within(&format!("{key}.size"), x, 1e-3, 1e4).map(|_| ());
    match &body.shape {
        BodyShape::Box(half) => half.iter().try_for_each(|&x| size(x))?,
        BodyShape::Ball(radius) => size(*radius)?,
        BodyShape::Cylinder(radius, half) => [*radius, *half].into_iter().try_for_each(size)?,
        BodyShape::Parts(parts) => {
            if !(1..=64).contains(&parts.len()) {
                return Err(ModelError::new(format!("{key}.parts"), "1 to 64", parts.len()));
            }
            for (i, part) in parts.iter().enumerate() {
                check_part(&format!("{key}.parts.{i}"), part)?;
            }
        }
    }
    if let Some(mass) = body.mass {
        check::within(&format!("{key}.mass"), mass, 1e-4, 1e6)?;
    }
    if let Some(inertia) = body.turn_inertia {
        check::within(&format!("{key}.turn_inertia"), inertia, 1e-12, 1e9)?;
    }
    check::within(&format!("{key}.friction"), body.friction, 0.0, 10.0)?;
    check::within(&format!("{key}.restitution"), body.restitution, 0.0, 1.0)?;
    check::within(&format!("{key}.rolling_resistance"), body.rolling_resistance, 0.0, 10.0)?;
    check::within(&format!("{key}.drag"), body.drag, 0.0, 1e3)?;
    for x in body.position.array() {
        check::at_most(&format!("{key}.position"), ("a coordinate", "m"), x, 1e6)?;
    }
    for x in body.velocity.array() {
        check::at_most(&format!("{key}.velocity"), ("a speed", "m/s"), x, 300.0)?;
    }
    for x in body.omega.array() {
        check::at_most(&format!("{key}.omega"), ("a rate of turning", "rad/s"), x, 1e4)?;
    }
    if !body.orientation.is_finite() {
        return Err(ModelError::new(format!("{key}.orientation"), "finite numbers", "others"));
    }
    Ok(())
}

fn check_part(key: &str, part: &BodyPart) -> Result<(), ModelError> {
    let (BodyPart::Prism { z, .. } | BodyPart::Cylinder { z, .. }) = part;
    for &end in z {
        check::at_most(&format!("{key}.z"), ("a height", "m"), end, 1e4)?;
    }
    check::within(&format!("{key}.height"), z[1] - z[0], 1e-3, 1e4)?;
    match part {
        BodyPart::Cylinder { centre, radius, .. } => {
            check::within(&format!("{key}.radius"), *radius, 1e-3, 1e4)?;
            check_point(&format!("{key}.centre"), *centre)
        }
        BodyPart::Prism { outline, .. } => {
            let key = format!("{key}.outline");
            if !(3..=MOST_CORNERS).contains(&outline.len()) {
                let expected = format!("3 to {MOST_CORNERS} corners");
                return Err(ModelError::new(key, expected, outline.len()));
            }
            outline.iter().try_for_each(|p| check_point(&key, *p))?;
            let corner = |i: usize| outline[i % outline.len()];
            let mut area = 0.0;
            for i in 0..outline.len() {
                let (a, b, c) = (corner(i), corner(i + 1), corner(i + 2));
                let (ab, bc) = (b - a, c - b);
                if ab.x * bc.y - ab.y * bc.x < 0.0 {
                    return Err(ModelError::new(key, "convex, counter-clockwise", "a dent"));
                }
                area += 0.5 * (a.x * b.y - a.y * b.x);
            }
            check::within(&format!("{key} area"), area, 1e-7, 1e8).map(|_| ())
        }
    }
}

fn check_point(key: &str, p: Vec2) -> Result<(), ModelError> {
    check::at_most(key, ("a coordinate", "m"), p.x, 1e5)?;
    check::at_most(key, ("a coordinate", "m"), p.y, 1e5)?;
    Ok(())
}
