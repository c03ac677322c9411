//! Shapes that only views see.

use crate::pb;
use rolima_core::model::MeshSpec;
use std::collections::HashMap;

/// Most bytes of shapes that are sent, and most places of them: a view is not worth more.
const MOST_BYTES: usize = 1 << 20;
const MOST_PLACES: usize = 20_000;

/// Each shape once, and where it stands. What does not fit is left out.
pub(crate) fn messages(specs: &[MeshSpec]) -> (Vec<pb::Mesh>, Vec<pb::MeshPlace>) {
    let mut numbers: HashMap<&str, Option<u32>> = HashMap::new();
    let (mut meshes, mut places, mut bytes) = (vec![], vec![], 0);
    for spec in specs.iter().take(MOST_PLACES) {
        let number = *numbers.entry(&spec.obj).or_insert_with(|| {
            bytes += spec.obj.len();
            (bytes <= MOST_BYTES).then(|| {
                meshes.push(pb::Mesh { obj: spec.obj.to_string() });
                meshes.len() as u32 - 1
            })
        });
        let Some(mesh) = number else { continue };
        let [scale_x, scale_y, scale_z] = spec.scale.map(|x| x as f32);
        places.push(pb::MeshPlace {
            mesh,
            x: spec.pose.position.x as f32,
            y: spec.pose.position.y as f32,
            heading: spec.pose.theta() as f32,
            scale_x,
            scale_y,
            scale_z,
        });
    }
    (meshes, places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolima_math::Pose2;
    use std::sync::Arc;

    #[test]
    fn a_shape_is_sent_once_and_long_ones_not_at_all() {
        let at = |x: f64, obj: &Arc<str>| MeshSpec {
            pose: Pose2::new(x, 0.0, 0.5),
            scale: [1.0, 2.0, 3.0],
            name: "tree".into(),
            obj: obj.clone(),
        };
        let small: Arc<str> = "v 0 0 0".into();
        let long: Arc<str> = "#".repeat(MOST_BYTES).into();
        let (meshes, places) = messages(&[at(1.0, &small), at(2.0, &long), at(3.0, &small)]);
        assert_eq!(meshes.len(), 1);
        assert_eq!(places.iter().map(|p| (p.mesh, p.x)).collect::<Vec<_>>(), [(0, 1.0), (0, 3.0)]);
        assert_eq!((places[0].scale_z, places[0].heading), (3.0, 0.5));
    }
}
