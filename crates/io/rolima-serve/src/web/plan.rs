//! Worlds from above, small, for a page about many.

use crate::shm::SceneCopy;
use rolima_wire::pb;
use rolima_wire::prost::Message;
use std::fmt::Write;

/// White around the picture, as a share of its side.
const MARGIN: f32 = 0.03;
/// Least width of a stroke, as a share of the picture's side: what is thin is seen too.
const LEAST_STROKE: f32 = 0.01;

/// A world from above: walls, and what is painted on the ground.
pub struct FloorPlan {
    /// Counts the worlds of a run, from 1.
    pub world: u32,
    /// What it shows, a square: least x and y, greatest x and y, m.
    pub bounds: [f32; 4],
    /// The picture: x up and y to the left.
    pub svg: String,
}

impl FloorPlan {
    /// Draws a scene; none if it has no extent.
    pub fn of(copy: &SceneCopy) -> Option<Self> {
        let scene = pb::Scene::decode(copy.bytes.as_slice()).ok()?;
        let [min_x, min_y, max_x, max_y]: [f32; 4] = scene.bounds.as_slice().try_into().ok()?;
        let side = (max_x - min_x).max(max_y - min_y) * (1.0 + 2.0 * MARGIN);
        if !(side.is_finite() && side > 0.0) {
            return None;
        }
        let ends =
            |least: f32, most: f32| [least + most - side, least + most + side].map(|e| e / 2.0);
        let ([bottom, top], [right, left]) = (ends(min_x, max_x), ends(min_y, max_y));
        let mut svg = format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="{:.3} {:.3} {side:.3} {side:.3}">"#,
            -left, -top
        );
        for floor in &scene.floors {
            let _ =
                write!(svg, r##"<polygon fill="#{:06x}" points=""##, floor_colour(&scene, floor));
            for at in floor.points.chunks_exact(2) {
                let _ = write!(svg, "{:.2},{:.2} ", -at[1], -at[0]);
            }
            svg.push_str(r#""/>"#);
        }
        let mut stroke = |what: &str, points: &[f32], width: f32, colour: u32| {
            let width = width.max(LEAST_STROKE * side);
            let _ = write!(
                svg,
                r##"<{what} stroke="#{colour:06x}" stroke-width="{width:.3}" points=""##
            );
            for at in points.chunks_exact(2) {
                let _ = write!(svg, "{:.2},{:.2} ", -at[1], -at[0]);
            }
            svg.push_str(r#""/>"#);
        };
        for pb::Marking { points, width, colour, .. } in &scene.markings {
            stroke(r#"polyline fill="none""#, points, *width, *colour);
        }
        for wall in &scene.walls {
            stroke(r##"polygon fill="#444""##, &wall.points, 0.0, 0x44_4444);
        }
        svg.push_str("</svg>");
        let bounds = [bottom, right, top, left];
        Some(Self { world: copy.generation, bounds, svg })
    }
}

/// The colour of a piece of ground, 0xRRGGBB.
pub(super) fn floor_colour(scene: &pb::Scene, floor: &pb::Floor) -> u32 {
    let at = (floor.material as usize).wrapping_sub(1);
    scene.materials.get(at).map_or(0x80_80_80, |material| material.colour)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn x_is_up_and_y_to_the_left() {
        let wall = pb::Wall { points: vec![1.0, 2.0, 3.0, 2.0, 3.0, 2.5], ..pb::Wall::default() };
        let scene = pb::Scene {
            walls: vec![wall],
            bounds: vec![-4.0, -2.0, 6.0, 2.0],
            ..pb::Scene::default()
        };
        let plan = FloorPlan::of(&SceneCopy { generation: 3, bytes: scene.encode_to_vec() });
        let plan = plan.expect("a plan");
        // 10 m high and 10.6 m with white around.
        let is_near = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-4;
        assert_eq!(plan.world, 3);
        assert!(plan.bounds.iter().zip(&[-4.3, -5.3, 6.3, 5.3]).all(is_near), "{:?}", plan.bounds);
        assert!(plan.svg.contains(r#"viewBox="-5.300 -6.300 10.600 10.600""#), "{}", plan.svg);
        assert!(plan.svg.contains(r#"points="-2.00,-1.00 -2.00,-3.00 -2.50,-3.00 ""#));
        let empty = pb::Scene { bounds: vec![], ..scene };
        assert!(
            FloorPlan::of(&SceneCopy { generation: 1, bytes: empty.encode_to_vec() }).is_none()
        );
        assert!(FloorPlan::of(&SceneCopy { generation: 1, bytes: vec![255; 9] }).is_none());
    }
}
