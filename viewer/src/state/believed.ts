// Paths that robots believe to have gone, from what their odometry reads.

import type { SceneInfo } from './scene';
import type { Reading } from './senses';
import type { Snapshot } from './snapshot';
import { leastDistance, type Step } from './trace';

/** Farther between two readings than the wheels can have gone, by this factor: the odometry was set anew. */
const JUMP_FACTOR = 2.5;
/** And in any case so many robots' reaches. */
const JUMP_REACHES = 0.6;
/** Pieces of a dash, and of the gap after it. */
const DASH = 3;

interface Kept {
  x: number;
  y: number;
  lastX: number;
  lastY: number;
  step: number;
  pieces: number;
}

export class BelievedTracer {
  private readonly kept = new Map<number, Kept>();

  constructor(private readonly scene: SceneInfo) {}

  restart(): void {
    this.kept.clear();
  }

  /** Its readings were not told for a while: no line leads over the gap. */
  forget(n: number): void {
    this.kept.delete(n);
  }

  /** The new piece of the path that this reading tells, if it tells one. */
  take(n: number, reading: Reading, now: Snapshot): Step | undefined {
    const body = this.scene.bodies[n];
    const odometry = body?.sensors.find(({ kind }) => kind === 'odometry');
    if (!body || !odometry) return undefined;
    const [x, y, heading] = [0, 1, 2].map((i) => reading.values[odometry.first + i]!) as [number, number, number];
    const last = this.kept.get(n);
    const wheels = Math.max(Math.abs(now.wheelLeft[n]!), Math.abs(now.wheelRight[n]!)) * body.wheelRadius;
    const elapsed = last ? (reading.step - last.step) * this.scene.stepS : 0;
    const room = JUMP_REACHES * body.reach + JUMP_FACTOR * Math.max(wheels, now.speed(n)) * elapsed;
    if (!last || elapsed < 0 || Math.hypot(x - last.lastX, y - last.lastY) > room) {
      this.kept.set(n, { x, y, lastX: x, lastY: y, step: reading.step, pieces: 0 });
      return undefined;
    }
    [last.lastX, last.lastY, last.step] = [x, y, reading.step];
    if (Math.hypot(x - last.x, y - last.y) < leastDistance(body)) return undefined;
    const gap = Math.floor(last.pieces / DASH) % 2 === 1;
    const step: Step = { body: n, odometry: true, gap, fromX: last.x, fromY: last.y, toX: x, toY: y, heading };
    [last.x, last.y, last.pieces] = [x, y, last.pieces + 1];
    return step;
  }
}
