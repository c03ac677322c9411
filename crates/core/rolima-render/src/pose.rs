//! Points and poses in space, m: x forward, y left, z up.

use rolima_math::sin_cos;

/// A point or a direction.
pub type Point3 = [f64; 3];

/// Coordinates beyond this, m, are taken for a mistake: what has them is not drawn.
pub(crate) const FARTHEST_M: f64 = 1.0e7;

#[inline(always)]
pub(crate) fn dot(a: Point3, b: Point3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
pub(crate) fn cross(a: Point3, b: Point3) -> Point3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline(always)]
pub(crate) fn sub(a: Point3, b: Point3) -> Point3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
pub(crate) fn add(a: Point3, b: Point3) -> Point3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline(always)]
pub(crate) fn scale(a: Point3, s: f64) -> Point3 {
    [a[0] * s, a[1] * s, a[2] * s]
}

#[inline(always)]
pub(crate) fn length(a: Point3) -> f64 {
    dot(a, a).sqrt()
}

/// `a` with length 1, or `fallback` if it has no direction.
pub(crate) fn unit_or(a: Point3, fallback: Point3) -> Point3 {
    let l = length(a);
    if l > 1e-300 && l.is_finite() { scale(a, 1.0 / l) } else { fallback }
}

/// True if every coordinate is a number and none is absurd.
pub(crate) fn is_sane(a: Point3) -> bool {
    a.iter().all(|x| x.abs() <= FARTHEST_M)
}

/// Where a body or a camera is, and which way it looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StagePose {
    /// Origin of the body in the world, m.
    pub position: Point3,
    /// The body's x (forward), y (left) and z (up) axis in the world: unit vectors, at right angles.
    pub axes: [Point3; 3],
}

impl Default for StagePose {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl StagePose {
    /// At the origin, looking along x.
    pub const IDENTITY: Self =
        Self { position: [0.0; 3], axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] };

    /// At `position`, turned by `yaw` about z, then by `pitch` about the new y (left), then by `roll`
    /// about the new x, rad. All are right-handed: positive yaw turns left, positive pitch looks
    /// **down**, positive roll lowers the right side.
    pub fn from_angles(position: Point3, yaw: f64, pitch: f64, roll: f64) -> Self {
        let ((sy, cy), (sp, cp), (sr, cr)) = (sin_cos(yaw), sin_cos(pitch), sin_cos(roll));
        let axes = [
            [cy * cp, sy * cp, -sp],
            [cy * sp * sr - sy * cr, sy * sp * sr + cy * cr, cp * sr],
            [cy * sp * cr + sy * sr, sy * sp * cr - cy * sr, cp * cr],
        ];
        Self { position, axes }
    }

    /// Upright at (x, y), its origin `z` above the ground, m, with `heading` rad.
    pub fn upright(x: f64, y: f64, z: f64, heading: f64) -> Self {
        let (s, c) = sin_cos(heading);
        Self { position: [x, y, z], axes: [[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]] }
    }

    /// At `position`, turned by the unit quaternion w + xi + yj + zk. One of another length is made
    /// one of length 1; zero turns nothing.
    pub fn from_quaternion(position: Point3, [w, x, y, z]: [f64; 4]) -> Self {
        let n = w * w + x * x + y * y + z * z;
        if n < 1e-300 {
            return Self { position, ..Self::IDENTITY };
        }
        let s = 2.0 / n;
        let axes = [
            [1.0 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)],
            [s * (x * y - w * z), 1.0 - s * (x * x + z * z), s * (y * z + w * x)],
            [s * (x * z + w * y), s * (y * z - w * x), 1.0 - s * (x * x + y * y)],
        ];
        Self { position, axes }
    }

    /// A point of the body in the world.
    #[inline]
    pub fn transform(&self, p: Point3) -> Point3 {
        add(self.position, self.rotate(p))
    }

    /// A direction of the body in the world.
    #[inline(always)]
    pub fn rotate(&self, d: Point3) -> Point3 {
        let [x, y, z] = self.axes;
        [
            x[0] * d[0] + y[0] * d[1] + z[0] * d[2],
            x[1] * d[0] + y[1] * d[1] + z[1] * d[2],
            x[2] * d[0] + y[2] * d[1] + z[2] * d[2],
        ]
    }

    /// A direction of the world in the body's frame.
    #[inline(always)]
    pub fn unrotate(&self, d: Point3) -> Point3 {
        [dot(self.axes[0], d), dot(self.axes[1], d), dot(self.axes[2], d)]
    }

    /// A pose given in this body's frame, in the world.
    pub fn compose(&self, inner: &Self) -> Self {
        Self { position: self.transform(inner.position), axes: inner.axes.map(|a| self.rotate(a)) }
    }

    /// True if all numbers are finite and of a size that can be drawn.
    pub fn is_sane(&self) -> bool {
        is_sane(self.position) && self.axes.iter().all(|a| a.iter().all(|x| x.abs() <= 1.001))
    }
}

impl From<&rolima_math::Pose3> for StagePose {
    fn from(pose: &rolima_math::Pose3) -> Self {
        let axes = pose.rotation.axes().map(|axis| axis.array());
        Self { position: pose.position.array(), axes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_2;

    fn close(a: Point3, b: Point3) -> bool {
        length(sub(a, b)) < 1e-12
    }

    #[test]
    fn positive_yaw_turns_left_and_positive_pitch_looks_down() {
        let left = StagePose::from_angles([0.0; 3], FRAC_PI_2, 0.0, 0.0);
        assert!(close(left.axes[0], [0.0, 1.0, 0.0]));
        let down = StagePose::from_angles([0.0; 3], 0.0, FRAC_PI_2, 0.0);
        assert!(close(down.axes[0], [0.0, 0.0, -1.0]));
        let rolled = StagePose::from_angles([0.0; 3], 0.0, 0.0, 0.1);
        assert!(rolled.axes[1][2] > 0.0, "the left side rises");
    }

    #[test]
    fn angles_and_quaternions_agree_and_axes_stay_at_right_angles() {
        let a = StagePose::from_angles([1.0, 2.0, 3.0], 0.7, -0.3, 1.1);
        let half = |x: f64| sin_cos(x / 2.0);
        let ((sy, cy), (sp, cp), (sr, cr)) = (half(0.7), half(-0.3), half(1.1));
        let q = [
            cr * cp * cy + sr * sp * sy,
            sr * cp * cy - cr * sp * sy,
            cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
        ];
        let b = StagePose::from_quaternion([1.0, 2.0, 3.0], q);
        for i in 0..3 {
            assert!(close(a.axes[i], b.axes[i]));
            assert!(dot(a.axes[i], a.axes[(i + 1) % 3]).abs() < 1e-12);
        }
        assert!(close(cross(a.axes[0], a.axes[1]), a.axes[2]));
    }
}
