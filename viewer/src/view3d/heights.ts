// Cameras over rough ground: they go up and down with what they look at, and never below the ground. Only numbers.

import type { Ground } from '../state/ground';
import { ofHeading, rotate, type Quat, type Vec3 } from '../state/quaternion';
import type { CameraMode, CameraPose } from './rig';

/** Where a followed body is in space. */
export interface Standing {
  x: number;
  y: number;
  z: number;
  heading: number;
  rotation: Quat;
}

/** The camera stays above the ground by this share of its distance to what it looks at, and by so much at least, m. */
const CLEAR_SHARE = 0.06;
const CLEAR_M = 0.08;
/** Looks along the way to what is looked at, so that no hill stands between. */
const LOOKS = 12;

const add = (a: Vec3, b: Vec3): [number, number, number] => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];

/** A pose that was made as if the ground were level at zero, over this ground. */
export function overGround(pose: CameraPose, mode: CameraMode, standing: Standing | undefined, ground: Ground): CameraPose {
  if (mode === 'first' && standing) return aboard(pose, standing);
  const base = mode === 'chase' && standing ? standing.z : ground.height(pose.target[0], pose.target[1]);
  const lifted = { ...pose, eye: add(pose.eye, [0, 0, base]), target: add(pose.target, [0, 0, base]) };
  return mode === 'top' ? lifted : aboveGround(lifted, ground);
}

/** With the eye raised until it is clear of the ground, and no hill hides what it looks at. */
function aboveGround(pose: CameraPose, ground: Ground): CameraPose {
  const { eye, target } = pose;
  const distance = Math.hypot(eye[0] - target[0], eye[1] - target[1], eye[2] - target[2]);
  const clear = CLEAR_M + CLEAR_SHARE * distance;
  let z = Math.max(eye[2], ground.height(eye[0], eye[1]) + clear);
  for (let k = 1; k < LOOKS; k++) {
    const share = k / LOOKS;
    const hill = ground.height(target[0] + share * (eye[0] - target[0]), target[1] + share * (eye[1] - target[1]));
    // What the line of sight must pass there, clear of it by less the nearer it is to the target.
    const least = hill + 0.5 * clear * share;
    z = Math.max(z, target[2] + (least - target[2]) / share);
  }
  // A cliff beside the target is no reason to look straight down.
  return { ...pose, eye: [eye[0], eye[1], Math.min(z, Math.max(eye[2], ground.highest + distance))] };
}

/** Eyes of a vehicle tilt with it. */
function aboard(pose: CameraPose, standing: Standing): CameraPose {
  const [w, x, y, z] = ofHeading(-standing.heading);
  const own = (p: Vec3) => rotate([w, x, y, z], [p[0] - standing.x, p[1] - standing.y, p[2]]);
  const place = (p: Vec3) => add([standing.x, standing.y, standing.z], rotate(standing.rotation, own(p)));
  return {
    ...pose, eye: place(pose.eye), target: place(pose.target),
    up: [...rotate(standing.rotation, [0, 0, 1])],
  };
}
