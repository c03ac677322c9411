//! Vectors, rotations and poses in space. SI units, right-handed, z up.

use crate::plane::{Pose2, Rot2, Vec2};
use core::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A vector or point in space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vec3 {
    /// First coordinate, m unless the name says otherwise.
    pub x: f64,
    /// Second coordinate.
    pub y: f64,
    /// Third coordinate, up in the world.
    pub z: f64,
}

impl Vec3 {
    /// The origin.
    pub const ZERO: Self = Self { x: 0.0, y: 0.0, z: 0.0 };

    /// The vector (`x`, `y`, `z`).
    #[inline(always)]
    pub const fn new(x: f64, y: f64, z: f64) -> Self {
        Self { x, y, z }
    }
    /// Scalar product.
    #[inline(always)]
    pub fn dot(self, o: Self) -> f64 {
        self.x * o.x + self.y * o.y + self.z * o.z
    }
    /// Vector product.
    #[inline(always)]
    pub fn cross(self, o: Self) -> Self {
        Self::new(
            self.y * o.z - self.z * o.y,
            self.z * o.x - self.x * o.z,
            self.x * o.y - self.y * o.x,
        )
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
    /// Whether all coordinates are finite.
    #[inline]
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.z.is_finite()
    }
    /// The coordinates.
    #[inline(always)]
    pub fn array(self) -> [f64; 3] {
        [self.x, self.y, self.z]
    }
}

impl From<[f64; 3]> for Vec3 {
    #[inline(always)]
    fn from([x, y, z]: [f64; 3]) -> Self {
        Self { x, y, z }
    }
}

impl Add for Vec3 {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self::new(self.x + o.x, self.y + o.y, self.z + o.z)
    }
}
impl Sub for Vec3 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self::new(self.x - o.x, self.y - o.y, self.z - o.z)
    }
}
impl Mul<f64> for Vec3 {
    type Output = Self;
    #[inline(always)]
    fn mul(self, k: f64) -> Self {
        Self::new(self.x * k, self.y * k, self.z * k)
    }
}
impl Neg for Vec3 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y, -self.z)
    }
}
impl AddAssign for Vec3 {
    #[inline(always)]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}
impl SubAssign for Vec3 {
    #[inline(always)]
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}

/// A rotation as a unit quaternion: `w` is the real part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quat {
    /// Real part, the cosine of half the angle.
    pub w: f64,
    /// Imaginary part, the axis times the sine of half the angle.
    pub x: f64,
    /// Second imaginary part.
    pub y: f64,
    /// Third imaginary part.
    pub z: f64,
}

impl Default for Quat {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Quat {
    /// No rotation.
    pub const IDENTITY: Self = Self { w: 1.0, x: 0.0, y: 0.0, z: 0.0 };

    /// The rotation by `angle` (rad) about the unit vector `axis`.
    pub fn about(axis: Vec3, angle: f64) -> Self {
        let (s, c) = crate::functions::sin_cos(0.5 * angle);
        Self { w: c, x: axis.x * s, y: axis.y * s, z: axis.z * s }
    }
    /// Turned first by `roll` about x, then by `pitch` about y (nose down is positive), then by
    /// `yaw` about z, rad.
    pub fn from_roll_pitch_yaw(roll: f64, pitch: f64, yaw: f64) -> Self {
        let about = |x, y, z, angle| Self::about(Vec3::new(x, y, z), angle);
        about(0.0, 0.0, 1.0, yaw) * about(0.0, 1.0, 0.0, pitch) * about(1.0, 0.0, 0.0, roll)
    }
    /// Of length one exactly, or no rotation where there is no direction.
    pub fn unit(self) -> Self {
        let n = (self.w * self.w + self.x * self.x + self.y * self.y + self.z * self.z).sqrt();
        if n > 0.0 && n.is_finite() {
            let k = 1.0 / n;
            Self { w: self.w * k, x: self.x * k, y: self.y * k, z: self.z * k }
        } else {
            Self::IDENTITY
        }
    }
    /// Turned for a short time `dt` with the angular velocity `omega` (rad/s) in its own frame.
    #[inline(always)]
    pub fn turned(self, omega: Vec3, dt: f64) -> Self {
        let half = 0.5 * dt;
        let (a, b, c) = (omega.x * half, omega.y * half, omega.z * half);
        // The product's length is that of its factors, which is known before the product is; then
        // one Newton step brings it back to one.
        let length2 = (self.w * self.w + self.x * self.x) + (self.y * self.y + self.z * self.z);
        let k = 1.5 - 0.5 * (length2 * ((1.0 + a * a) + (b * b + c * c)));
        Self {
            w: (self.w - (self.x * a + self.y * b + self.z * c)) * k,
            x: (self.x + (self.w * a + self.y * c - self.z * b)) * k,
            y: (self.y + (self.w * b + self.z * a - self.x * c)) * k,
            z: (self.z + (self.w * c + self.x * b - self.y * a)) * k,
        }
    }
    /// The rotated axes x, y, z: columns of the rotation matrix.
    #[inline(always)]
    pub fn axes(self) -> [Vec3; 3] {
        let Self { w, x, y, z } = self;
        let (x2, y2, z2) = (x + x, y + y, z + z);
        let (xx, yy, zz) = (x * x2, y * y2, z * z2);
        let (xy, xz, yz) = (x * y2, x * z2, y * z2);
        let (wx, wy, wz) = (w * x2, w * y2, w * z2);
        [
            Vec3::new(1.0 - (yy + zz), xy + wz, xz - wy),
            Vec3::new(xy - wz, 1.0 - (xx + zz), yz + wx),
            Vec3::new(xz + wy, yz - wx, 1.0 - (xx + yy)),
        ]
    }
    /// A vector turned by this rotation.
    #[inline]
    pub fn rotate(self, v: Vec3) -> Vec3 {
        let [a, b, c] = self.axes();
        a * v.x + b * v.y + c * v.z
    }
    /// A vector turned back by this rotation.
    #[inline]
    pub fn unrotate(self, v: Vec3) -> Vec3 {
        let [a, b, c] = self.axes();
        Vec3::new(a.dot(v), b.dot(v), c.dot(v))
    }
    /// Whether all parts are finite.
    pub fn is_finite(self) -> bool {
        (self.w + self.x + self.y + self.z).is_finite()
    }
}

impl Mul for Quat {
    type Output = Self;
    /// First `o`, then `self`.
    fn mul(self, o: Self) -> Self {
        Self {
            w: self.w * o.w - self.x * o.x - self.y * o.y - self.z * o.z,
            x: self.w * o.x + self.x * o.w + self.y * o.z - self.z * o.y,
            y: self.w * o.y - self.x * o.z + self.y * o.w + self.z * o.x,
            z: self.w * o.z + self.x * o.y - self.y * o.x + self.z * o.w,
        }
    }
}

/// Where a body is in space, and how it is turned: world from body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose3 {
    /// Its origin in the world, m.
    pub position: Vec3,
    /// Turns the body's axes into the world's.
    pub rotation: Quat,
}

impl Pose3 {
    /// A point of the body's frame in the world, m.
    pub fn transform(self, own: Vec3) -> Vec3 {
        self.position + self.rotation.rotate(own)
    }

    /// What is seen from above: place, and heading of the body's forward axis. A body that looks
    /// straight up or down gets the heading 0.
    pub fn planar(self) -> Pose2 {
        let forward = self.rotation.rotate(Vec3::new(1.0, 0.0, 0.0));
        let length = (forward.x * forward.x + forward.y * forward.y).sqrt();
        let rotation = if length > 1e-12 {
            Rot2 { c: forward.x / length, s: forward.y / length }
        } else {
            Rot2 { c: 1.0, s: 0.0 }
        };
        Pose2 { position: Vec2::new(self.position.x, self.position.y), rotation }
    }

    /// Whether every number is finite.
    pub fn is_finite(self) -> bool {
        self.position.is_finite() && self.rotation.is_finite()
    }
}

/// A symmetric 3x3 matrix.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sym3 {
    /// Diagonal: xx, yy, zz.
    pub diagonal: [f64; 3],
    /// Beside it: xy, xz, yz.
    pub beside: [f64; 3],
}

impl Sym3 {
    /// The matrix times a vector.
    #[inline(always)]
    pub fn times(&self, v: Vec3) -> Vec3 {
        let ([xx, yy, zz], [xy, xz, yz]) = (self.diagonal, self.beside);
        Vec3::new(
            xx * v.x + xy * v.y + xz * v.z,
            xy * v.x + yy * v.y + yz * v.z,
            xz * v.x + yz * v.y + zz * v.z,
        )
    }
    /// The inverse, if the matrix is positive definite.
    pub fn inverse(&self) -> Option<Self> {
        let ([xx, yy, zz], [xy, xz, yz]) = (self.diagonal, self.beside);
        let minor = xx * yy - xy * xy;
        let (a, b, c) = (yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy);
        let determinant = xx * a + xy * b + xz * c;
        if !(xx > 0.0 && minor > 0.0 && determinant > 0.0 && determinant.is_finite()) {
            return None;
        }
        let k = 1.0 / determinant;
        Some(Self {
            diagonal: [a * k, (xx * zz - xz * xz) * k, minor * k],
            beside: [b * k, c * k, (xy * xz - xx * yz) * k],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f64::consts::FRAC_PI_2;

    #[test]
    fn a_quarter_turn_about_z_takes_x_to_y() {
        let q = Quat::about(Vec3::new(0.0, 0.0, 1.0), FRAC_PI_2);
        let v = q.rotate(Vec3::new(1.0, 0.0, 0.0));
        assert!((v - Vec3::new(0.0, 1.0, 0.0)).length() < 1e-15);
        assert!((q.unrotate(v) - Vec3::new(1.0, 0.0, 0.0)).length() < 1e-15);
    }

    #[test]
    fn positive_pitch_puts_the_nose_down() {
        let q = Quat::from_roll_pitch_yaw(0.0, 0.1, 2.0);
        assert!(q.rotate(Vec3::new(1.0, 0.0, 0.0)).z < 0.0);
    }

    #[test]
    fn turning_in_small_steps_is_turning_about_the_axis() {
        let omega = Vec3::new(0.3, -0.4, 1.2);
        let mut q = Quat::IDENTITY;
        for _ in 0..100_000 {
            q = q.turned(omega, 1e-5);
        }
        let exact = Quat::about(omega.unit_or(Vec3::ZERO), omega.length());
        let off = q.rotate(Vec3::new(1.0, 2.0, 3.0)) - exact.rotate(Vec3::new(1.0, 2.0, 3.0));
        assert!(off.length() < 1e-9, "{off:?}");
    }

    #[test]
    fn inverse_times_matrix_is_unity() {
        let m = Sym3 { diagonal: [2.0, 3.0, 4.0], beside: [0.3, -0.2, 0.7] };
        let i = m.inverse().expect("positive definite");
        let v = Vec3::new(1.0, -2.0, 0.5);
        assert!((i.times(m.times(v)) - v).length() < 1e-14);
        assert!(Sym3 { diagonal: [1.0, -1.0, 1.0], beside: [0.0; 3] }.inverse().is_none());
    }
}
