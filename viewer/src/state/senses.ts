// What the sensors of watched robots read lately. The picture runs a little behind what was told, so a
// short past is kept: rays belong to the pose that is shown with them.

import type { Readings } from '../proto/live.js';
import type { SceneInfo } from './scene';
import { valueCount } from './sensors';

/** Readings kept for each robot: enough for the longest delay of the picture at 60 frames a second. */
const KEPT = 24;

export interface Reading {
  readonly step: number;
  /** By sensor, in the order of the body's sensors. */
  readonly values: readonly number[];
}

interface Known {
  readonly past: Reading[];
  readonly sigmas: Map<number, readonly number[]>;
}

export class Senses {
  private readonly robots = new Map<number, Known>();
  private watched: readonly number[] = [];

  /** False for readings that do not fit the scene, or that were still under way when a robot was no longer watched:
   * they are ignored. */
  take(readings: Readings, scene: SceneInfo): boolean {
    const body = scene.bodies[readings.body];
    if (readings.generation !== scene.generation || !body || !this.watched.includes(readings.body)) return false;
    if (readings.values.length !== valueCount(body.sensors)) return false;
    const known: Known = this.robots.get(readings.body) ?? { past: [], sigmas: new Map() };
    this.robots.set(readings.body, known);
    const last = known.past.at(-1);
    // Time went back: another run.
    if (last && readings.step < last.step) known.past.length = 0;
    else if (last?.step === readings.step) known.past.pop();
    known.past.push({ step: readings.step, values: readings.values });
    if (known.past.length > KEPT) known.past.shift();
    for (const { sensor, values } of readings.sigmas) known.sigmas.set(sensor, values);
    return true;
  }

  latest(body: number): Reading | undefined {
    return this.robots.get(body)?.past.at(-1);
  }

  /** The newest that is not after this step; the oldest kept where all are. */
  at(body: number, step: number): Reading | undefined {
    const past = this.robots.get(body)?.past;
    return past?.findLast((reading) => reading.step <= step) ?? past?.[0];
  }

  /** Standard deviations of a sensor as the simulator last told them. */
  sigmas(body: number, sensor: number): readonly number[] | undefined {
    return this.robots.get(body)?.sigmas.get(sensor);
  }

  /** These robots are watched from now on. What was known of others is forgotten: it would grow old. */
  watch(bodies: readonly number[]): void {
    this.watched = bodies;
    for (const body of [...this.robots.keys()]) if (!bodies.includes(body)) this.robots.delete(body);
  }

  clear(): void {
    this.watched = [];
    this.robots.clear();
  }
}
