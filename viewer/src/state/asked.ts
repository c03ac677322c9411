// Ways of robots that programs of Robot One want to be drawn: what they were told so far, and how they go on.

import type { Trace, Way } from '../proto/live.js';
import type { SceneInfo } from './scene';
import type { Snapshot } from './snapshot';
import { leastDistance, type Step } from './trace';

/** Farther than this between two frames, m, plus what speed allows: put elsewhere. */
const JUMP_M = 0.03;
const JUMP_FACTOR = 2.5;
/** What was told ends at most so many of its shortest pieces before the robot. */
const END_PIECES = 8;
/** Pieces of a dash of what the odometry tells, and of the gap after it. */
const DASH = 3;

interface Path {
  /** Where the drawn way ends; undefined where it has not begun. */
  end: readonly [number, number] | undefined;
  /** In the frame before. */
  last: { x: number; y: number; timeS: number } | undefined;
}

export class AskedTraces {
  private readonly paths = new Map<number, Path>();

  constructor(private readonly scene: SceneInfo) {}

  get bodies(): number[] {
    return [...this.paths.keys()];
  }

  has(body: number): boolean {
    return this.paths.has(body);
  }

  /** These and no others; gives all pieces so far. */
  set(traces: readonly Trace[]): Step[] {
    this.paths.clear();
    const steps: Step[] = [];
    for (const { body, true_way, believed } of traces) {
      if (!this.scene.bodies[body]) continue;
      const points = true_way.at(-1)?.points ?? [];
      const end = points.length >= 2 ? ([points.at(-2)!, points.at(-1)!] as const) : undefined;
      this.paths.set(body, { end, last: undefined });
      for (const way of true_way) steps.push(...pieces(body, way, false));
      for (const way of believed) steps.push(...pieces(body, way, true));
    }
    return steps;
  }

  /** Time began anew: so do the ways. */
  restart(): void {
    for (const path of this.paths.values()) path.end = path.last = undefined;
  }

  /** New pieces since the snapshot before. */
  take(now: Snapshot): Step[] {
    const steps: Step[] = [];
    for (const [n, path] of this.paths) {
      const x = now.x[n]!;
      const y = now.y[n]!;
      const { end, last } = path;
      path.last = { x, y, timeS: now.timeS };
      const body = this.scene.bodies[n]!;
      if (!end || (last ? jumps(last, now, n) : far(end, x, y) > END_PIECES * leastDistance(body))) {
        path.end = [x, y];
        continue;
      }
      if (far(end, x, y) < leastDistance(body)) continue;
      steps.push({ body: n, odometry: false, fromX: end[0], fromY: end[1], toX: x, toY: y, heading: now.heading[n]! });
      path.end = [x, y];
    }
    return steps;
  }
}

function far([x, y]: readonly [number, number], toX: number, toY: number): number {
  return Math.hypot(toX - x, toY - y);
}

function jumps(last: { x: number; y: number; timeS: number }, now: Snapshot, n: number): boolean {
  const room = JUMP_FACTOR * now.speed(n) * Math.max(0, now.timeS - last.timeS);
  return Math.hypot(now.x[n]! - last.x, now.y[n]! - last.y) > JUMP_M + room;
}

function pieces(body: number, { points }: Way, odometry: boolean): Step[] {
  const steps: Step[] = [];
  for (let i = 0; i + 3 < points.length; i += 2) {
    const [fromX, fromY, toX, toY] = points.slice(i, i + 4) as [number, number, number, number];
    const gap = odometry && Math.floor(i / 2 / DASH) % 2 === 1;
    steps.push({ body, odometry, gap, fromX, fromY, toX, toY, heading: Math.atan2(toY - fromY, toX - fromX) });
  }
  return steps;
}
