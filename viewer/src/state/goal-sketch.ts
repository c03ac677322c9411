// Goals as strokes in the world: the planned path, its references, where the robot should be now, and the
// goal as an arrow. No browser needed.

import type { GoalNow } from './goals';
import type { BodyInfo } from './scene';
import type { Pose, Sketch } from './sketch';

/** Marks are at least so far apart on the screen, CSS pixels. */
const MARK_PX = 14;
/** The goal's ring and the reference are at least so large on the screen, CSS pixels. */
const LEAST_PX = 8;

/** `metres` of the ground make a CSS pixel. */
export function sketchGoal(sketch: Sketch, body: BodyInfo, now: GoalNow, metres: number): void {
  const z = 0.03 * body.reach;
  if (now.path && now.state !== 'refused') sketchPath(sketch, now, z, metres);
  const least = LEAST_PX * metres;
  if (now.state === 'driving') sketchReference(sketch, now.reference, body.height + z, Math.max(0.42 * body.reach, 0.8 * least));
  sketchArrow(sketch, now.goal, z, Math.max(0.75 * body.reach, least), now.state === 'refused' || now.state === 'blocked' ? 0.45 : 0.95);
}

function sketchPath(sketch: Sketch, { path, clockS, state }: GoalNow, z: number, metres: number): void {
  const { points, references, everyS } = path!;
  const past = everyS > 0 ? Math.floor(clockS / everyS) : 0;
  for (let i = 0; i + 3 < points.length; i += 2) {
    const [ax, ay, bx, by] = [points[i]!, points[i + 1]!, points[i + 2]!, points[i + 3]!];
    const corner = i / 2 + 1 >= references;
    // What is behind the robot fades; corners ahead are not planned in detail yet.
    const alpha = i / 2 < past ? 0.25 : corner ? 0.45 : 0.85;
    sketch.add(ax, ay, z, bx, by, z, 'path', corner ? 2 : 3, alpha);
  }
  if (state !== 'driving') return;
  let last: [number, number] | undefined;
  for (let k = past + 1; k < references; k++) {
    const [x, y] = [points[2 * k]!, points[2 * k + 1]!];
    if (last && Math.hypot(x - last[0], y - last[1]) < MARK_PX * metres) continue;
    last = [x, y];
    sketch.add(x, y, 1.1 * z, x, y, 1.1 * z, 'goal', 4.5, 0.9);
  }
}

/** A small arrowhead that moves along the path. */
function sketchReference(sketch: Sketch, pose: Pose, z: number, r: number): void {
  sketch.path([r, 0, -0.7 * r, 0.7 * r, -0.3 * r, 0, -0.7 * r, -0.7 * r, r, 0], pose, z, 'goal', 2, 0.95);
}

/** A ring at the goal, and an arrow that looks where the robot will. */
function sketchArrow(sketch: Sketch, goal: Pose, z: number, r: number, alpha: number): void {
  const ring = Array.from({ length: 33 }, (_, i) => (2 * Math.PI * i) / 32).flatMap((a) => [r * Math.cos(a), r * Math.sin(a)]);
  sketch.path(ring, goal, z, 'goal', 2.5, alpha);
  const tip = 2.8 * r;
  sketch.path([0, 0, tip, 0], goal, z, 'goal', 3.5, alpha);
  sketch.path([tip - 0.55 * r, 0.5 * r, tip, 0, tip - 0.55 * r, -0.5 * r], goal, z, 'goal', 3.5, alpha);
}
