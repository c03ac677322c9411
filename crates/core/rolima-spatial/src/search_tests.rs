//! The pruned search against looking at every slice.

use crate::batch::Known;
use crate::model::SpatialModel;
use crate::search::{Look, RimContact};
use crate::terrain::{Hills, Terrain, TerrainSpec};
use crate::{SpatialSpec, presets};
use rolima_math::{Quat, Stream, Vec2, Vec3};
use std::sync::Arc;

fn model(terrain: TerrainSpec) -> SpatialModel {
    let terrain = Arc::new(Terrain::new(terrain).unwrap());
    let vehicles = vec![presets::vivi()];
    SpatialModel::compile(SpatialSpec { vehicles, ..SpatialSpec::new(terrain) }).unwrap()
}

/// Compression of one rim by brute force: every slice, bracketed and bisected.
fn brute(
    terrain: &Terrain,
    model: &SpatialModel,
    centre: Vec3,
    q: Quat,
    r: f64,
) -> (usize, Vec<f64>) {
    let [n, _, b] = q.axes();
    let all: Vec<f64> = (0..model.rim.slices)
        .map(|k| {
            let p = centre + n * (r * model.rim.sin[k]) - b * (r * model.rim.cos[k]);
            let over = |h: f64| {
                let p = p + b * h;
                p.z - terrain.height(p.x, p.y)
            };
            let (mut low, mut high) = (-1.0, 1.0);
            assert!(over(low) < 0.0 && over(high) > 0.0);
            for _ in 0..70 {
                let middle = 0.5 * (low + high);
                if over(middle) < 0.0 { low = middle } else { high = middle }
            }
            0.5 * (low + high)
        })
        .collect();
    let best = (0..all.len()).fold(0, |c, k| if all[k] > all[c] { k } else { c });
    (best, all)
}

#[test]
fn the_pruned_search_equals_brute_force_to_1e_9_m() {
    // Gentle, rough, and nearly every cell a step of its own.
    for (amplitude, octaves, roughness, nodes) in
        [(0.6, 4, 0.4, 256), (0.6, 6, 0.6, 256), (0.2, 9, 0.75, 128)]
    {
        let hills =
            Hills { amplitude, octaves, roughness, nodes, wavelength: 6.0, ..Hills::default() };
        let model = model(hills.terrain().unwrap());
        let terrain = &*model.terrain;
        let mut random = Stream::new(5, 0, "search");
        let (mut compared, mut looked) = (0, 0);
        for _ in 0..2_000 {
            let mut between = |a: f64, b: f64| random.between(a, b);
            let q = Quat::from_roll_pitch_yaw(
                between(-0.3, 0.3),
                between(-0.3, 0.3),
                between(-3.1, 3.1),
            );
            let (x, y, r) = (between(-18.0, 18.0), between(-18.0, 18.0), between(0.05, 0.2));
            let centre = Vec3::new(x, y, terrain.height(x, y) + r - between(-0.01, 0.04));
            let guess_slice = between(0.0, 36.9) as usize;
            let [n, _, b] = q.axes();
            let extent = Vec2::new(1.4 * r, 1.4 * r);
            let middle = Vec2::new(centre.x, centre.y);
            let slopes = terrain.slopes(middle - extent, middle + extent);
            if b.z - slopes.rise([b.x, b.y]) < 0.1 {
                continue;
            }
            let look = Look { terrain, rim: &model.rim, centre, n, b, radius: r, slopes: &slopes };
            let best = look.from(guess_slice, Known::NOTHING);
            let (slice, all) = brute(terrain, &model, centre, q, r);
            let RimContact { slice: found, .. } =
                look.refine(look.from(guess_slice, Known::NOTHING), q.axes()[1], 0.0);
            assert!((best.most() - all[slice]).abs() < 1e-9, "{} or {}", best.most(), all[slice]);
            assert!((all[found] - all[slice]).abs() < 1e-9);
            compared += 1;
            looked += usize::from(found == slice);
        }
        assert!(compared > 300 && looked * 100 > compared * 99, "{compared} {looked}");
    }
}

#[test]
fn on_a_plane_the_refined_contact_is_exact() {
    let slope = |gx: f64, gy: f64| {
        let corner = Vec2::new(20.0, 20.0);
        TerrainSpec::from_function(-corner, corner, 41, 41, move |x, y| gx * x + gy * y)
    };
    for (gx, gy) in [(0.0, 0.0), (0.2, 0.0), (-0.15, 0.3)] {
        let model = model(slope(gx, gy));
        let normal = Vec3::new(-gx, -gy, 1.0).unit_or(Vec3::ZERO);
        let mut random = Stream::new(6, 0, "plane");
        for _ in 0..500 {
            let mut between = |a: f64, b: f64| random.between(a, b);
            let q = Quat::from_roll_pitch_yaw(
                between(-0.2, 0.2),
                between(-0.3, 0.3),
                between(-3.1, 3.1),
            );
            let [n, t, b] = q.axes();
            let (x, y, r) = (between(-9.0, 9.0), between(-9.0, 9.0), 0.1);
            let centre = Vec3::new(x, y, gx * x + gy * y + 0.09);
            let middle = Vec2::new(centre.x, centre.y);
            let slopes =
                model.terrain.slopes(middle - Vec2::new(0.2, 0.2), middle + Vec2::new(0.2, 0.2));
            let terrain = &*model.terrain;
            let look = Look { terrain, rim: &model.rim, centre, n, b, radius: r, slopes: &slopes };
            let found = look.refine(look.from(18, Known::NOTHING), t, 0.0);
            // A disc on a plane: it touches where its radius points along the normal's part in
            // its own plane.
            let (along, up) = (n.dot(normal), b.dot(normal));
            let reach = (along * along + up * up).sqrt();
            let h = (r * reach - centre.dot(normal)) / up;
            assert!((found.h - h).abs() < 1e-9, "{} {h}", found.h);
            assert!((found.along + along / up).abs() < 1e-6);
            assert!((found.across + t.dot(normal) / up).abs() < 1e-6);
        }
    }
}
