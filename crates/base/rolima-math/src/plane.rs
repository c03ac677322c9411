//! Vectors, rotations and poses in the plane. SI units, angles in radians, counter-clockwise.

use crate::functions::{SMALL_ANGLE, atan2, sin_cos, sin_cos_small};
use core::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A vector or point in the plane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Vec2 {
    /// First coordinate, m unless the name says otherwise.
    pub x: f64,
    /// Second coordinate.
    pub y: f64,
}

impl Vec2 {
    /// The origin.
    pub const ZERO: Self = Self { x: 0.0, y: 0.0 };

    /// The vector (`x`, `y`).
    #[inline(always)]
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }
    /// Scalar product.
    #[inline(always)]
    pub fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y
    }
    /// Third component of the cross product.
    #[inline(always)]
    pub fn cross(self, other: Self) -> f64 {
        self.x * other.y - self.y * other.x
    }
    /// The vector turned by +90 degrees.
    #[inline(always)]
    pub fn perp(self) -> Self {
        Self::new(-self.y, self.x)
    }
    /// Squared length.
    #[inline(always)]
    pub fn length_squared(self) -> f64 {
        self.dot(self)
    }
    /// Length.
    #[inline(always)]
    pub fn length(self) -> f64 {
        self.dot(self).sqrt()
    }
    /// The unit vector in this direction, or `fallback` where the length is zero or not finite.
    #[inline]
    pub fn unit_or(self, fallback: Self) -> Self {
        let length = self.length();
        if length > 0.0 && length.is_finite() { self * (1.0 / length) } else { fallback }
    }
    /// Whether both coordinates are finite.
    #[inline]
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }
}

impl Add for Vec2 {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self::new(self.x + o.x, self.y + o.y)
    }
}
impl Sub for Vec2 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self::new(self.x - o.x, self.y - o.y)
    }
}
impl Mul<f64> for Vec2 {
    type Output = Self;
    #[inline(always)]
    fn mul(self, k: f64) -> Self {
        Self::new(self.x * k, self.y * k)
    }
}
impl Neg for Vec2 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y)
    }
}
impl AddAssign for Vec2 {
    #[inline(always)]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}
impl SubAssign for Vec2 {
    #[inline(always)]
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}

/// A rotation kept as a unit complex number, so that turning costs no sine or cosine.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rot2 {
    /// Cosine of the angle.
    pub c: f64,
    /// Sine of the angle.
    pub s: f64,
}

impl Default for Rot2 {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Rot2 {
    /// No rotation.
    pub const IDENTITY: Self = Self { c: 1.0, s: 0.0 };

    /// Rotation by `angle` radians.
    pub fn from_angle(angle: f64) -> Self {
        let (s, c) = sin_cos(angle);
        Self { c, s }
    }
    /// The angle, rad in (-pi, pi].
    pub fn angle(self) -> f64 {
        atan2(self.s, self.c)
    }
    /// The direction of the turned x axis.
    #[inline(always)]
    pub fn x_axis(self) -> Vec2 {
        Vec2::new(self.c, self.s)
    }
    /// The direction of the turned y axis.
    #[inline(always)]
    pub fn y_axis(self) -> Vec2 {
        Vec2::new(-self.s, self.c)
    }
    /// This rotation after `first`.
    #[inline(always)]
    pub fn after(self, first: Self) -> Self {
        Self { c: self.c * first.c - self.s * first.s, s: self.s * first.c + self.c * first.s }
    }
    /// The opposite rotation.
    #[inline(always)]
    pub fn inverse(self) -> Self {
        Self { c: self.c, s: -self.s }
    }
    /// The vector turned by this rotation.
    #[inline(always)]
    pub fn rotate(self, v: Vec2) -> Vec2 {
        Vec2::new(self.c * v.x - self.s * v.y, self.s * v.x + self.c * v.y)
    }
    /// The vector turned back.
    #[inline(always)]
    pub fn unrotate(self, v: Vec2) -> Vec2 {
        Vec2::new(self.c * v.x + self.s * v.y, self.c * v.y - self.s * v.x)
    }
    /// Turned further by `angle` radians and renormalised.
    #[inline]
    pub fn turned(self, angle: f64) -> Self {
        let (s, c) = if angle.abs() <= SMALL_ANGLE { sin_cos_small(angle) } else { sin_cos(angle) };
        Self { c, s }.after(self).renormalised()
    }
    /// Pulled back to unit length: one Newton step, exact to rounding when it is nearly there.
    #[inline(always)]
    pub fn renormalised(self) -> Self {
        let k = 1.5 - 0.5 * (self.c * self.c + self.s * self.s);
        Self { c: self.c * k, s: self.s * k }
    }
}

/// How a body moves in the plane at an instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlaneMotion {
    /// Velocity of its origin in the world, m/s.
    pub velocity: Vec2,
    /// Turning about the vertical, rad/s.
    pub omega: f64,
}

impl PlaneMotion {
    /// Where a body was some time before, s, that is at a pose now and has moved evenly; where it is, if it stood.
    pub fn before(self, pose: Pose2, time_s: f64) -> Pose2 {
        if self == Self::default() {
            return pose;
        }
        let position = pose.position - self.velocity * time_s;
        Pose2 { position, rotation: pose.rotation.turned(-self.omega * time_s) }
    }
}

/// Position and orientation of a frame in another one (`world_from_robot`, say).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pose2 {
    /// Position of the frame's origin, m.
    pub position: Vec2,
    /// Orientation of the frame.
    pub rotation: Rot2,
}

impl Pose2 {
    /// The pose that changes nothing.
    pub const IDENTITY: Self = Self { position: Vec2::ZERO, rotation: Rot2::IDENTITY };

    /// The pose at (`x`, `y`) m, turned by `theta` rad.
    pub fn new(x: f64, y: f64, theta: f64) -> Self {
        Self { position: Vec2::new(x, y), rotation: Rot2::from_angle(theta) }
    }
    /// Orientation, rad in (-pi, pi].
    pub fn theta(self) -> f64 {
        self.rotation.angle()
    }
    /// A point of this frame, in the outer frame.
    #[inline(always)]
    pub fn transform(self, point: Vec2) -> Vec2 {
        self.position + self.rotation.rotate(point)
    }
    /// A point of the outer frame, in this frame.
    #[inline(always)]
    pub fn inverse_transform(self, point: Vec2) -> Vec2 {
        self.rotation.unrotate(point - self.position)
    }
    /// `self` after `inner`: outer_from_a * a_from_b = outer_from_b.
    #[inline(always)]
    pub fn compose(self, inner: Self) -> Self {
        Self {
            position: self.transform(inner.position),
            rotation: self.rotation.after(inner.rotation),
        }
    }
    /// Whether every number is finite.
    pub fn is_finite(self) -> bool {
        self.position.is_finite() && self.rotation.c.is_finite() && self.rotation.s.is_finite()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_carried_out_and_back_is_the_same_point() {
        let pose = Pose2::new(1.5, -2.0, 2.1);
        let p = Vec2::new(0.3, 0.7);
        let back = pose.inverse_transform(pose.transform(p));
        assert!((back - p).length() < 1e-15);
    }

    #[test]
    fn a_million_small_turns_stay_on_the_unit_circle_and_add_up() {
        let mut r = Rot2::IDENTITY;
        for _ in 0..1_000_000 {
            r = r.turned(1e-3);
        }
        assert!((r.c * r.c + r.s * r.s - 1.0).abs() < 1e-15);
        let expected = crate::functions::wrap_angle(1000.0);
        assert!((r.angle() - expected).abs() < 1e-10, "{} against {expected}", r.angle());
    }
}
