// Orientations as quaternions (w, x, y, z), world from body. No browser needed.

export type Quat = readonly [number, number, number, number];
export type Vec3 = readonly [number, number, number];

export const LEVEL: Quat = [1, 0, 0, 0];

/** Nearer than this, the straight way between two orientations is as good as the round one. */
const NEARLY_SAME = 0.9995;

/** From `a` to `b` by a share of the way, evenly and the shorter way round; beyond 1 it goes on. */
export function slerp(a: Quat, b: Quat, share: number): Quat {
  const dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  // Both signs of a quaternion mean the same orientation.
  const sign = dot < 0 ? -1 : 1;
  const cos = Math.min(1, Math.abs(dot));
  let [ka, kb] = [1 - share, share];
  if (cos < NEARLY_SAME) {
    const angle = Math.acos(cos);
    const sin = Math.sin(angle);
    ka = Math.sin((1 - share) * angle) / sin;
    kb = Math.sin(share * angle) / sin;
  }
  kb *= sign;
  return unit([ka * a[0] + kb * b[0], ka * a[1] + kb * b[1], ka * a[2] + kb * b[2], ka * a[3] + kb * b[3]]);
}

/** Of length one; level where there is no direction in it. */
export function unit(q: Quat): Quat {
  const length = Math.hypot(...q);
  if (!(length > 1e-6) || !Number.isFinite(length)) return LEVEL;
  return [q[0] / length, q[1] / length, q[2] / length, q[3] / length];
}

/** A vector of the body's frame in the world. */
export function rotate([w, x, y, z]: Quat, [vx, vy, vz]: Vec3): Vec3 {
  const tx = 2 * (y * vz - z * vy);
  const ty = 2 * (z * vx - x * vz);
  const tz = 2 * (x * vy - y * vx);
  return [vx + w * tx + y * tz - z * ty, vy + w * ty + z * tx - x * tz, vz + w * tz + x * ty - y * tx];
}

/** About the vertical by a heading, rad. */
export function ofHeading(heading: number): Quat {
  return [Math.cos(heading / 2), 0, 0, Math.sin(heading / 2)];
}

/** What has this heading, roll and pitch, rad, as `attitude` tells them. */
export function ofAttitude(heading: number, roll: number, pitch: number): Quat {
  const [ch, sh, cr, sr, cp, sp] = [heading, roll, -pitch].flatMap((angle) => [Math.cos(angle / 2), Math.sin(angle / 2)]) as [number, number, number, number, number, number];
  return [ch * cp * cr + sh * sp * sr, ch * cp * sr - sh * sp * cr, ch * sp * cr + sh * cp * sr, sh * cp * cr - ch * sp * sr];
}

/** How a body lies: roll to its right side, and pitch with its nose up, rad; and how far its own up axis is from the
 * world's. */
export function attitude(q: Quat): { roll: number; pitch: number; tilt: number } {
  const forward = rotate(q, [1, 0, 0]);
  const left = rotate(q, [0, 1, 0]);
  const up = rotate(q, [0, 0, 1]);
  return {
    roll: Math.atan2(left[2], up[2]),
    pitch: Math.atan2(forward[2], Math.hypot(forward[0], forward[1])),
    tilt: Math.acos(Math.max(-1, Math.min(1, up[2]))),
  };
}
