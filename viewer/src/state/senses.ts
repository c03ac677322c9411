// What the sensors of watched robots and of the world read lately, by the number of the robot or WORLD. The picture runs a little behind what was told, so a
// short past is kept: rays belong to the pose that is shown with them.

import type { Readings } from '../proto/live.js';
import { ownerIn, type SceneInfo } from './scene';
import { ownerOf, valueCount } from './sensors';

/** Readings kept for each: enough for the longest delay of the picture at 60 frames a second. */
const KEPT = 24;

export interface Reading {
  readonly step: number;
  /** By sensor, in the order of its owner's sensors. */
  readonly values: readonly number[];
}

interface Known {
  readonly past: Reading[];
  readonly sigmas: Map<number, readonly number[]>;
}

export class Senses {
  private readonly owners = new Map<number, Known>();
  private watched: readonly number[] = [];

  /** False for readings that do not fit the scene, or that were still under way when a robot was no longer watched:
   * they are ignored. */
  take(readings: Readings, scene: SceneInfo): boolean {
    const number = ownerOf(readings);
    const owner = ownerIn(scene, number);
    if (readings.generation !== scene.generation || !owner || !this.watched.includes(number)) return false;
    if (readings.values.length !== valueCount(owner.sensors)) return false;
    const known: Known = this.owners.get(number) ?? { past: [], sigmas: new Map() };
    this.owners.set(number, known);
    const last = known.past.at(-1);
    // Time went back: another run.
    if (last && readings.step < last.step) known.past.length = 0;
    else if (last?.step === readings.step) known.past.pop();
    known.past.push({ step: readings.step, values: readings.values });
    if (known.past.length > KEPT) known.past.shift();
    for (const { sensor, values } of readings.sigmas) known.sigmas.set(sensor, values);
    return true;
  }

  latest(owner: number): Reading | undefined {
    return this.owners.get(owner)?.past.at(-1);
  }

  /** The newest that is not after this step; the oldest kept where all are. */
  at(owner: number, step: number): Reading | undefined {
    const past = this.owners.get(owner)?.past;
    return past?.findLast((reading) => reading.step <= step) ?? past?.[0];
  }

  /** Standard deviations of a sensor as the simulator last told them. */
  sigmas(owner: number, sensor: number): readonly number[] | undefined {
    return this.owners.get(owner)?.sigmas.get(sensor);
  }

  /** These are watched from now on. What was known of others is forgotten: it would grow old. */
  watch(owners: readonly number[]): void {
    this.watched = owners;
    for (const owner of [...this.owners.keys()]) if (!owners.includes(owner)) this.owners.delete(owner);
  }

  clear(): void {
    this.watched = [];
    this.owners.clear();
  }
}
