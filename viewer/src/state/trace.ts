// Paths that robots went: the true one, and the one that their wheels tell (dead reckoning).

import { wrap } from './angle';
import type { BodyInfo, SceneInfo } from './scene';
import type { Snapshot } from './snapshot';

/** A point of a path is kept when the robot went this share of its reach, or turned this much, rad. */
const LEAST_REACHES = 0.15;
const LEAST_RAD = 0.35;
/** Pieces of a dash of what the wheels tell, and of the gap after it. */
const DASH = 3;
/** A gap in simulated time, s, over which wheel speeds say nothing about the way between. */
const LONGEST_GAP_S = 0.12;
/** Farther than this between two frames, m, plus what speed allows: put elsewhere. */
const JUMP_M = 0.03;

export interface Step {
  body: number;
  /** Whether it is what the wheels tell. */
  odometry: boolean;
  /** Between two dashes: not drawn as a line. */
  gap?: boolean;
  fromX: number;
  fromY: number;
  toX: number;
  toY: number;
  heading: number;
}

/** The shortest piece of a body's path, m. */
export function leastDistance(body: BodyInfo): number {
  return Math.max(0.004, LEAST_REACHES * body.reach);
}

interface Path {
  x: number;
  y: number;
  heading: number;
}

interface Reckoning extends Path {
  keptX: number;
  keptY: number;
  pieces: number;
}

/** Watches frames and tells each new piece of a path. */
export class Tracer {
  private readonly kept = new Map<number, Path>();
  private readonly wheels = new Map<number, Reckoning>();
  private previous: { timeS: number; x: Float32Array; y: Float32Array } | undefined;

  constructor(
    private readonly scene: SceneInfo,
    private readonly robots: readonly number[],
  ) {}

  restart(): void {
    this.kept.clear();
    this.wheels.clear();
    this.previous = undefined;
  }

  /** New pieces since the snapshot before. */
  take(now: Snapshot): Step[] {
    const steps: Step[] = [];
    const elapsed = this.previous ? now.timeS - this.previous.timeS : 0;
    for (const n of this.robots) {
      const x = now.x[n]!;
      const y = now.y[n]!;
      const heading = now.heading[n]!;
      const jumped = this.previous
        ? Math.hypot(x - this.previous.x[n]!, y - this.previous.y[n]!) >
          JUMP_M + 2.5 * now.speed(n) * Math.max(elapsed, 0)
        : true;
      const last = this.kept.get(n);
      const body = this.scene.bodies[n]!;
      if (!last || jumped || elapsed < 0) {
        this.kept.set(n, { x, y, heading });
        this.wheels.delete(n);
      } else if (
        Math.hypot(x - last.x, y - last.y) >= leastDistance(body) ||
        (Math.abs(wrap(heading - last.heading)) >= LEAST_RAD && Math.hypot(x - last.x, y - last.y) > 0.1 * leastDistance(body))
      ) {
        steps.push({ body: n, odometry: false, fromX: last.x, fromY: last.y, toX: x, toY: y, heading });
        this.kept.set(n, { x, y, heading });
      }
      // A robot with odometry tells itself what it believes.
      const tells = body.sensors.some(({ kind }) => kind === 'odometry');
      const told = tells ? undefined : this.reckon(now, n, elapsed);
      if (told) steps.push(told);
    }
    this.previous ??= { timeS: 0, x: new Float32Array(now.count), y: new Float32Array(now.count) };
    this.previous.timeS = now.timeS;
    this.previous.x.set(now.x);
    this.previous.y.set(now.y);
    return steps;
  }

  private reckon(now: Snapshot, n: number, elapsed: number): Step | undefined {
    const body = this.scene.bodies[n]!;
    if (body.wheelRadius <= 0 || body.wheelDistance <= 0) return undefined;
    let path = this.wheels.get(n);
    if (!path || elapsed > LONGEST_GAP_S) {
      const x = now.x[n]!;
      const y = now.y[n]!;
      const heading = now.heading[n]!;
      path = { x, y, heading, keptX: x, keptY: y, pieces: 0 };
      this.wheels.set(n, path);
      return undefined;
    }
    if (elapsed <= 0) return undefined;
    const left = now.wheelLeft[n]! * body.wheelRadius;
    const right = now.wheelRight[n]! * body.wheelRadius;
    const forward = 0.5 * (left + right);
    const turning = (right - left) / body.wheelDistance;
    const middle = path.heading + 0.5 * turning * elapsed;
    path.x += forward * Math.cos(middle) * elapsed;
    path.y += forward * Math.sin(middle) * elapsed;
    path.heading += turning * elapsed;
    if (Math.hypot(path.x - path.keptX, path.y - path.keptY) < leastDistance(body)) return undefined;
    const step: Step = {
      body: n, odometry: true, gap: Math.floor(path.pieces / DASH) % 2 === 1,
      fromX: path.keptX, fromY: path.keptY, toX: path.x, toY: path.y, heading: path.heading,
    };
    path.keptX = path.x;
    path.keptY = path.y;
    path.pieces++;
    return step;
  }
}
