//! The pruned search against looking at every slice.

use crate::batch::{Known, batch};
use crate::model::{LANES, SpatialModel};
use crate::search::{self, ChassisFrame, RimContact, RimSearch};
use crate::state::WheelState;
use crate::terrain::{Hills, Terrain, TerrainSpec};
use crate::{DriveVolts, SpatialSpec, SpatialWorld, presets};
use rolima_math::{Quat, Stream, Vec2, Vec3, larger};
use rolima_testing::samples;
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
        for _ in 0..samples(500, 2_000) {
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
            let look =
                RimSearch { terrain, rim: &model.rim, centre, n, b, radius: r, slopes: &slopes };
            let best = look.from(guess_slice, Known::NOTHING);
            let (slice, all) = brute(terrain, &model, centre, q, r);
            let RimContact { slice: found, .. } =
                look.refine(look.from(guess_slice, Known::NOTHING), q.axes()[1], 0.0);
            assert!((best.most() - all[slice]).abs() < 1e-9, "{} or {}", best.most(), all[slice]);
            assert!((all[found] - all[slice]).abs() < 1e-9);
            compared += 1;
            looked += usize::from(found == slice);
        }
        assert!(compared > samples(75, 300) && looked * 100 > compared * 99, "{compared} {looked}");
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
            let look =
                RimSearch { terrain, rim: &model.rim, centre, n, b, radius: r, slopes: &slopes };
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

/// What [`search::wheel`] must find, from every slice of both rims: compression with the crown's
/// part, and how much more the left rim is pressed in.
fn expected(
    model: &SpatialModel,
    frame: &ChassisFrame,
    q: Quat,
    block: usize,
    lane: usize,
) -> [f64; 2] {
    let c = &model.vehicles[0].blocks[block];
    let [n, t, b] = frame.axes;
    let hub = frame.position + n * c.x[lane] + t * c.y[lane] + b * c.z[lane];
    let (r, terrain) = (c.radius[lane], &*model.terrain);
    let rim = |side: f64| {
        let centre = hub + t * (c.half_width[lane] * side);
        let (slice, all) = brute(terrain, model, centre, q, r);
        // The sinusoid through the best slice and its neighbours.
        let last = all.len() - 1;
        let (before, at, after) =
            (all[slice.saturating_sub(1)], all[slice], all[(slice + 1).min(last)]);
        let [per_sin, per_cos, _] = model.rim.refine;
        let (sine, cosine) = ((after - before) * per_sin, ((at - before) + (at - after)) * per_cos);
        let inner = slice > 0 && slice < last && cosine > 1e-3 * r;
        let more = if inner { (cosine * cosine + sine * sine).sqrt() - cosine } else { 0.0 };
        at + more.min(0.25 * r)
    };
    let (left, right) = (rim(1.0), rim(-1.0));
    let apart = left - right;
    let lean = (apart * c.per_lean[lane]).clamp(-1.0, 1.0);
    let crown = lean * (0.5 * apart - 0.25 * c.lean[lane] * lean);
    [0.5 * (left + right) + crown, apart]
}

/// Whether a wheel's search found what brute force does, to 1e-9 m; where the compression is cut to
/// `most`, that it is cut there.
fn agrees(found: f64, expected: f64, most: f64) -> bool {
    if expected > most { (found - most).abs() < 1e-9 } else { (found - expected).abs() < 1e-9 }
}

#[test]
fn slices_that_are_solved_side_by_side_are_those_of_brute_force() {
    let hills =
        Hills { amplitude: 0.3, octaves: 8, roughness: 0.7, nodes: 128, ..Hills::default() };
    let model = model(hills.terrain().unwrap());
    let terrain = &*model.terrain;
    let mut random = Stream::new(8, 0, "batch");
    let (mut solved, mut left_over) = (0, 0);
    for _ in 0..samples(500, 2_000) {
        let mut between = |a: f64, b: f64| random.between(a, b);
        let q =
            Quat::from_roll_pitch_yaw(between(-0.3, 0.3), between(-0.3, 0.3), between(-3.1, 3.1));
        let (x, y, r) = (between(-18.0, 18.0), between(-18.0, 18.0), between(0.05, 0.2));
        let centre = Vec3::new(x, y, terrain.height(x, y) + r - between(-0.01, 0.04));
        let [n, t, b] = q.axes();
        let extent = Vec2::new(0.5, 0.5);
        let slopes = terrain.slopes(Vec2::new(x, y) - extent, Vec2::new(x, y) + extent);
        let rims = [0.05, -0.05].map(|side| {
            let centre = centre + t * side;
            RimSearch { terrain, rim: &model.rim, centre, n, b, radius: r, slopes: &slopes }
        });
        let starts = [between(0.0, 36.9) as usize, between(0.0, 36.9) as usize];
        for (known, rim) in batch(&rims, starts).into_iter().zip(&rims) {
            let (_, all) = brute(terrain, &model, rim.centre, q, r);
            for (slice, h) in all.into_iter().enumerate() {
                let got = known.get(slice, || f64::NAN);
                left_over += u32::from(got.is_nan());
                solved += u32::from(!got.is_nan());
                assert!(got.is_nan() || (got - h).abs() < 1e-9, "slice {slice}: {got} or {h}");
            }
        }
    }
    // Four of 37 are asked for; some leave their cells.
    assert!(solved > samples(2_000, 8_000) && left_over > solved, "{solved} {left_over}");
}

#[test]
fn a_wheel_s_search_equals_brute_force_from_any_guess() {
    for (amplitude, octaves, roughness, nodes) in [(0.6, 6, 0.6, 256), (0.2, 9, 0.75, 128)] {
        let hills =
            Hills { amplitude, octaves, roughness, nodes, wavelength: 6.0, ..Hills::default() };
        let model = model(hills.terrain().unwrap());
        let block = &model.vehicles[0].blocks[0];
        let wheel = &model.vehicles[0].spec.wheels[0];
        let mut random = Stream::new(9, 0, "wheel");
        let mut touching = 0;
        for _ in 0..samples(250, 1_000) {
            let mut between = |a: f64, b: f64| random.between(a, b);
            let q = Quat::from_roll_pitch_yaw(
                between(-0.3, 0.3),
                between(-0.3, 0.3),
                between(-3.1, 3.1),
            );
            let (x, y) = (between(-18.0, 18.0), between(-18.0, 18.0));
            let z = model.terrain.height(x, y) + 0.16 - between(-0.01, 0.05);
            let frame = ChassisFrame { position: Vec3::new(x, y, z), axes: q.axes() };
            let mut state = WheelState {
                slices: [[between(0.0, 36.9).floor(); LANES], [between(0.0, 36.9).floor(); LANES]],
                found: [between(-0.02, 0.06); LANES],
                ..WheelState::default()
            };
            search::block(&model.terrain, &model.rim, block, (&frame, 1.0), None, &mut state);
            for lane in 0..4 {
                let [h, _] = expected(&model, &frame, q, 0, lane);
                if h > 0.0 {
                    let found = state.found[lane];
                    assert!(agrees(found, h, wheel.most_compression()), "{found} or {h}");
                    touching += 1;
                }
            }
        }
        assert!(touching > samples(250, 1_000), "{touching}");
    }
}

#[test]
fn along_a_drive_every_search_equals_brute_force() {
    let hills = Hills {
        amplitude: 0.25,
        octaves: 8,
        roughness: 0.65,
        nodes: 256,
        wavelength: 5.0,
        ..Hills::default()
    };
    let model = Arc::new(model(hills.terrain().unwrap()));
    let mut world = SpatialWorld::new(model.clone());
    let drive = DriveVolts { left_volts: 7.0, right_volts: 9.0, brake: 0.0 };
    assert!(world.command(0, drive));
    let wheel = &model.vehicles[0].spec.wheels[0];
    let (mut compared, mut leaning) = (0, 0);
    for step in 0..4_000 {
        if step % samples(4, 1) != 0 {
            world.step();
            continue;
        }
        // The search looks from the pose at the beginning of a step.
        let state = &world.vehicle(0).unwrap().state;
        let (position, q) = (state.position, state.orientation);
        let frame = ChassisFrame { position, axes: q.axes() };
        let speed = state.velocity.length()
            + model.vehicles[0].straight_inverse.times(state.momentum).length()
                * model.vehicles[0].reach;
        let growth = 1e-3 + 1e-3 * (5.0 * speed + 0.5);
        let last = state.wheels[0].found;
        world.step();
        let found = world.vehicle(0).unwrap().state.wheels[0].found;
        for lane in 0..4 {
            let [h, apart] = expected(&model, &frame, q, 0, lane);
            if h > 0.0 {
                let grown = larger(last[lane], 0.0) + growth;
                let grown = if last[lane] > search::UNKNOWN { grown } else { f64::MAX };
                let found = found[lane];
                assert!(agrees(found, h, wheel.most_compression().min(grown)), "{found} or {h}");
                compared += 1;
                leaning += u32::from(apart.abs() > 1e-3);
            }
        }
    }
    let way = world.vehicle(0).unwrap().state.position;
    assert!(
        compared > samples(2_000, 8_000) && leaning > samples(250, 1_000),
        "{compared} {leaning}"
    );
    assert!(way.length() > 2.0, "it drives: {way:?}");
}
