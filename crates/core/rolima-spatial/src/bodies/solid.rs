//! Shapes and masses, made once; shapes as parry wants them.

use super::near::{Bounds, MARGIN};
use super::skin::{Skin, skins};
use super::surface::Surface;
use super::{BodyPart, BodyShape, BodySpec, REST_S};
use crate::model::{SpatialModel, VehicleModel};
use crate::spec::{VehicleSpec, WheelSpec};
use parry3d_f64::mass_properties::MassProperties;
use parry3d_f64::math::{Pose, Rotation, Vector};
use parry3d_f64::shape::SharedShape;
use rolima_check::ModelError;
use rolima_math::{Quat, Sym3, Vec3};

/// What contact resolution needs and does not change.
#[derive(Clone)]
pub(crate) struct CollisionModel {
    pub(crate) solids: Vec<BodySolid>,
    /// What free bodies lie on.
    pub(crate) surface: Surface,
    /// Farthest point of each vehicle, wheels pushed in, m.
    pub(crate) reach: Vec<f64>,
    /// The chassis of each vehicle, and its wheels in their order.
    pub(crate) chassis: Vec<(SharedShape, Pose)>,
    pub(crate) wheels: Vec<Vec<SharedShape>>,
    /// Steps at rest from which a body sleeps.
    pub(crate) rest_steps: u64,
}

impl core::fmt::Debug for CollisionModel {
    // Shapes of a library, derived from the specification, which is shown already.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("CollisionModel").field("solids", &self.solids.len()).finish_non_exhaustive()
    }
}

/// A body's shape and mass.
#[derive(Clone)]
pub(crate) struct BodySolid {
    pub(crate) parts: Vec<(SharedShape, Pose)>,
    /// What the ground feels of the parts; none of what never moves.
    pub(crate) skins: Vec<Skin>,
    /// Mass, kg, none for what never moves; inertia about the centre of mass, in its own frame.
    pub(crate) mass: Option<f64>,
    pub(crate) inertia: Sym3,
    /// Their inverses.
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

impl CollisionModel {
    pub(crate) fn new(model: &SpatialModel) -> Result<Self, ModelError> {
        let spec = &model.spec;
        let cell = model.terrain.cell();
        let cell = cell.x.min(cell.y);
        let solids = spec
            .bodies
            .iter()
            .enumerate()
            .map(|(i, b)| BodySolid::new(&format!("body.{i}"), b, cell))
            .collect::<Result<Vec<_>, _>>()?;
        let reach =
            |v: &VehicleModel| v.reach + v.spec.wheels.iter().map(|w| w.radius).fold(0.0, f64::max);
        Ok(Self {
            solids,
            surface: Surface { terrain: model.terrain.clone() },
            reach: model.vehicles.iter().map(reach).collect(),
            chassis: model.vehicles.iter().enumerate().map(chassis).collect::<Result<_, _>>()?,
            wheels: model.vehicles.iter().map(wheels).collect(),
            rest_steps: (REST_S / model.step_s + 0.5) as u64,
        })
    }
}

impl BodySolid {
    fn new(key: &str, spec: &BodySpec, cell: f64) -> Result<Self, ModelError> {
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
            skins: vec![],
            mass: None,
            inertia: Sym3::default(),
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
            solid.skins = skins(&spec.shape, cell);
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
        (self.mass, self.inertia) = (Some(mass), inertia);
        Ok(())
    }

    pub(crate) fn is_fixed(&self) -> bool {
        self.mass.is_none()
    }
}

/// Parry's shapes of a body, with their places in its frame.
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

/// The wheels of a vehicle.
fn wheels(vehicle: &VehicleModel) -> Vec<SharedShape> {
    let shape = |w: &WheelSpec| {
        if w.ball {
            SharedShape::ball(w.radius)
        } else {
            SharedShape::cylinder(0.5 * w.width, w.radius)
        }
    };
    vehicle.spec.wheels.iter().map(shape).collect()
}

fn part(key: &str, part: &BodyPart) -> Result<(SharedShape, Pose), ModelError> {
    match part {
        BodyPart::Cylinder { centre, radius, z: [low, high] } => {
            let middle = Vec3::new(centre.x, centre.y, 0.5 * (low + high));
            Ok(upright(middle, *radius, 0.5 * (high - low)))
        }
        BodyPart::Prism { outline, z } => {
            let corners: Vec<Vector> = z
                .iter()
                .flat_map(|&z| outline.iter().map(move |p| Vector::new(p.x, p.y, z)))
                .collect();
            let bad = || ModelError::new(format!("{key}.outline"), "corners apart", "a thin shape");
            Ok((SharedShape::convex_hull(&corners).ok_or_else(bad)?, Pose::IDENTITY))
        }
    }
}

/// A cylinder along z; parry's stand along y.
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
