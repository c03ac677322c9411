//! Shapes and masses as rapier wants them, made once.

use super::near::{Bounds, MARGIN};
use super::skin::skins;
use super::surface::{Surface, address};
use super::{BodyShape, BodySpec, Part, REST_S};
use crate::model::{SpatialModel, VehicleModel};
use crate::spec::VehicleSpec;
use rapier3d_f64::prelude::{MassProperties, Matrix, Pose, Rotation, SharedShape, Vector};
use rolima_check::ModelError;
use rolima_math::{Quat, Sym3, Vec3};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What meetings need and does not change.
#[derive(Clone)]
pub(crate) struct MeetModel {
    pub(crate) solids: Vec<Solid>,
    /// What free bodies lie on.
    pub(crate) surface: Surface,
    /// Farthest point of each vehicle, wheels pushed in, m.
    pub(crate) reach: Vec<f64>,
    pub(crate) vehicles: Vec<MassProperties>,
    /// The chassis of each vehicle.
    pub(crate) chassis: Vec<(SharedShape, Pose)>,
    /// Steps at rest from which a body sleeps.
    pub(crate) rest_steps: u64,
}

impl core::fmt::Debug for MeetModel {
    // Shapes of a library, derived from the specification, which is shown already.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("MeetModel").field("solids", &self.solids.len()).finish_non_exhaustive()
    }
}

/// A body's shape and mass.
#[derive(Clone)]
pub(crate) struct Solid {
    pub(crate) parts: Vec<(SharedShape, Pose)>,
    /// None for what never moves.
    pub(crate) mass: Option<MassProperties>,
    /// Inverse of the mass, 1/kg, and of the inertia about the centre of mass, in its own frame.
    pub(crate) per_mass: f64,
    pub(crate) inverse_inertia: Sym3,
    /// Centre of mass, m.
    pub(crate) middle: Vec3,
    /// Box around it in its own frame, and the farthest point from the origin, m.
    pub(crate) centre: Vec3,
    pub(crate) half: Vec3,
    pub(crate) radius: f64,
    pub(crate) fixed_bounds: Bounds,
    pub(crate) is_ball: bool,
}

impl MeetModel {
    pub(crate) fn new(model: &SpatialModel) -> Result<Self, ModelError> {
        let spec = &model.spec;
        let solids = spec
            .bodies
            .iter()
            .enumerate()
            .map(|(i, b)| Solid::new(&format!("body.{i}"), b))
            .collect::<Result<Vec<_>, _>>()?;
        let cell = model.terrain.cell();
        let mut all = BTreeMap::new();
        for (solid, body) in solids.iter().zip(&spec.bodies).filter(|(s, _)| !s.is_fixed()) {
            let skins = skins(&body.shape, cell.x.min(cell.y));
            all.extend(solid.parts.iter().map(|(shape, _)| address(shape)).zip(skins));
        }
        let reach =
            |v: &VehicleModel| v.reach + v.spec.wheels.iter().map(|w| w.radius).fold(0.0, f64::max);
        let properties = |v: &VehicleModel| {
            let c = &v.spec.chassis;
            let inertia = Sym3 { diagonal: c.inertia, beside: c.products };
            MassProperties::with_inertia_matrix(Vector::ZERO, c.mass, matrix(&inertia))
        };
        Ok(Self {
            solids,
            surface: Surface { terrain: model.terrain.clone(), skins: Arc::new(all) },
            reach: model.vehicles.iter().map(reach).collect(),
            vehicles: model.vehicles.iter().map(properties).collect(),
            chassis: model.vehicles.iter().enumerate().map(chassis).collect::<Result<_, _>>()?,
            rest_steps: (REST_S / model.step_s + 0.5) as u64,
        })
    }
}

impl Solid {
    fn new(key: &str, spec: &BodySpec) -> Result<Self, ModelError> {
        let parts = parts(key, &spec.shape)?;
        let (mut low, mut high) = ([f64::MAX; 3], [f64::MIN; 3]);
        for (shape, pose) in &parts {
            let bounds = shape.compute_aabb(pose);
            for i in 0..3 {
                low[i] = low[i].min(bounds.mins[i]);
                high[i] = high[i].max(bounds.maxs[i]);
            }
        }
        let at = |f: fn(f64, f64) -> f64| {
            Vec3::new(f(low[0], high[0]), f(low[1], high[1]), f(low[2], high[2]))
        };
        let (centre, half) = (at(|a, b| 0.5 * (a + b)), at(|a, b| 0.5 * (b - a)));
        let radius = at(|a, b| a.abs().max(b.abs())).length();
        let place = (spec.position, spec.orientation.unit());
        let mut solid = Self {
            parts,
            mass: None,
            per_mass: 0.0,
            inverse_inertia: Sym3::default(),
            middle: Vec3::ZERO,
            centre,
            half,
            radius,
            fixed_bounds: Bounds::around(place, centre, half, MARGIN),
            is_ball: matches!(spec.shape, BodyShape::Ball(_)),
        };
        if let Some(mass) = spec.mass {
            solid.weigh(key, mass, spec.turn_inertia)?;
        }
        Ok(solid)
    }

    /// Mass and inertia at uniform density, but for the one that is given.
    fn weigh(&mut self, key: &str, mass: f64, turn: Option<f64>) -> Result<(), ModelError> {
        let all = self
            .parts
            .iter()
            .map(|(shape, pose)| shape.mass_properties(1.0).transform_by(pose))
            .fold(MassProperties::default(), |sum, one| sum + one);
        let mut properties = all;
        properties.set_mass(mass, true);
        let m = properties.reconstruct_inertia_matrix();
        let mut inertia = Sym3 {
            diagonal: [m.x_axis.x, m.y_axis.y, m.z_axis.z],
            beside: [m.y_axis.x, m.z_axis.x, m.z_axis.y],
        };
        if let Some(turn) = turn {
            inertia.diagonal[2] = turn;
        }
        let middle = properties.local_com;
        let bad = || {
            let expected = "a moment of inertia that a rigid body can have";
            let got = format!("{:?}", inertia.diagonal);
            ModelError::new(format!("{key}.turn_inertia"), expected, got)
        };
        self.inverse_inertia = inertia.inverse().ok_or_else(bad)?;
        self.per_mass = 1.0 / mass;
        self.middle = ours(middle);
        self.mass = Some(MassProperties::with_inertia_matrix(middle, mass, matrix(&inertia)));
        Ok(())
    }

    pub(crate) fn is_fixed(&self) -> bool {
        self.mass.is_none()
    }
}

/// Rapier's shapes of a body, with their places in its frame.
fn parts(key: &str, shape: &BodyShape) -> Result<Vec<(SharedShape, Pose)>, ModelError> {
    let here = Pose::IDENTITY;
    Ok(match shape {
        BodyShape::Box([x, y, z]) => vec![(SharedShape::cuboid(*x, *y, *z), here)],
        BodyShape::Ball(radius) => vec![(SharedShape::ball(*radius), here)],
        BodyShape::Cylinder(radius, half) => vec![upright(Vec3::ZERO, *radius, *half)],
        BodyShape::Parts(parts) => {
            parts.iter().map(|p| part(key, p)).collect::<Result<Vec<_>, _>>()?
        }
    })
}

/// A chassis: the convex hull of the points that touch, or its box.
fn chassis((i, vehicle): (usize, &VehicleModel)) -> Result<(SharedShape, Pose), ModelError> {
    let VehicleSpec { chassis: c, shapes, .. } = &vehicle.spec;
    if !shapes.hull.is_empty() {
        let points: Vec<Vector> = shapes.hull.iter().map(|&p| theirs(p)).collect();
        let key = format!("vehicle.{i}.chassis.mesh");
        let bad = || ModelError::new(key, "a shape with a volume", "a thin one");
        return Ok((SharedShape::convex_hull(&points).ok_or_else(bad)?, Pose::IDENTITY));
    }
    let middle = |[a, b]: [f64; 2]| 0.5 * (a - b);
    let half = |[a, b]: [f64; 2]| 0.5 * (a + b);
    let place = Vec3::new(middle(c.length), middle(c.width), middle(c.height));
    let shape = SharedShape::cuboid(half(c.length), half(c.width), half(c.height));
    Ok((shape, Pose::from_parts(theirs(place), their_rotation(Quat::IDENTITY))))
}

fn part(key: &str, part: &Part) -> Result<(SharedShape, Pose), ModelError> {
    match part {
        Part::Cylinder { centre, radius, z: [low, high] } => {
            let middle = Vec3::new(centre.x, centre.y, 0.5 * (low + high));
            Ok(upright(middle, *radius, 0.5 * (high - low)))
        }
        Part::Prism { outline, z } => {
            let corners: Vec<Vector> = z
                .iter()
                .flat_map(|&z| outline.iter().map(move |p| Vector::new(p.x, p.y, z)))
                .collect();
            let bad = || ModelError::new(format!("{key}.outline"), "corners apart", "a thin shape");
            Ok((SharedShape::convex_hull(&corners).ok_or_else(bad)?, Pose::IDENTITY))
        }
    }
}

/// A cylinder along z; rapier's stand along y.
fn upright(middle: Vec3, radius: f64, half: f64) -> (SharedShape, Pose) {
    (SharedShape::cylinder(half, radius), Pose::from_parts(theirs(middle), QUARTER_ABOUT_X))
}

const HALF_SQRT_2: f64 = core::f64::consts::FRAC_1_SQRT_2;

/// Takes y to z.
pub(crate) const QUARTER_ABOUT_X: Rotation =
    Rotation::from_xyzw(HALF_SQRT_2, 0.0, 0.0, HALF_SQRT_2);

pub(crate) fn theirs(v: Vec3) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

pub(crate) fn ours(v: Vector) -> Vec3 {
    Vec3::new(v.x, v.y, v.z)
}

pub(crate) fn their_rotation(q: Quat) -> Rotation {
    Rotation::from_xyzw(q.x, q.y, q.z, q.w)
}

pub(crate) fn our_rotation(q: &Rotation) -> Quat {
    Quat { w: q.w, x: q.x, y: q.y, z: q.z }.unit()
}

fn matrix(m: &Sym3) -> Matrix {
    let ([xx, yy, zz], [xy, xz, yz]) = (m.diagonal, m.beside);
    Matrix::from_cols(Vector::new(xx, xy, xz), Vector::new(xy, yy, yz), Vector::new(xz, yz, zz))
}
