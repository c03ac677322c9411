// The sensors of a robot or of the world, and what their numbers mean.

import type { Sensor } from '../proto/live.js';

export interface SensorInfo extends Sensor {
  /** Its number among the sensors of its robot or of the world, as on the wire. */
  readonly number: number;
  /** Where its numbers begin in the readings of all of them. */
  readonly first: number;
}

/** Stands for the world where the number of a body with sensors is asked for. */
export const WORLD = -1;

/** Who has sensors: a robot, or the world. */
export interface Owner {
  readonly number: number;
  readonly sensors: readonly SensorInfo[];
}

/** Whose sensors a message is about. */
export function ownerOf({ body, world }: { body: number; world: boolean }): number {
  return world ? WORLD : body;
}

/** A lidar or sonar that sees nothing reads its range, but for rounding. */
const NEARLY = 0.9999;

export function sensorsOf(sensors: readonly Sensor[]): SensorInfo[] {
  let first = 0;
  return sensors.map((sensor, number) => {
    const info = { ...sensor, number, first };
    first += sensor.count;
    return info;
  });
}

/** How many numbers the readings of all these sensors have. */
export function valueCount(sensors: readonly SensorInfo[]): number {
  return sensors.reduce((sum, { count }) => sum + count, 0);
}

/** Measures distances along rays. */
export function hasRays(sensor: SensorInfo): boolean {
  return (sensor.kind === 'lidar' || sensor.kind === 'sonar') && sensor.rays.length === 3 * sensor.count;
}

/** Whether a distance is one of something, not of nothing within the range. */
export function isHit(distance: number, range: number): boolean {
  return distance < NEARLY * range;
}

/** The ray that looks ahead most nearly. */
export function rayAhead(sensor: SensorInfo): number {
  let best = 0;
  let least = Infinity;
  for (let i = 0; i < sensor.count; i++) {
    const off = 1 - Math.cos(sensor.rays[3 * i + 2]!);
    if (off < least - 1e-9) [best, least] = [i, off];
  }
  return best;
}

/** Numbers of the pressed sectors of a bumper. */
export function pressedSectors(sensor: SensorInfo, bits: number): number[] {
  return Array.from({ length: sensor.sectors }, (_, k) => k).filter((k) => Math.floor(bits / 2 ** k) % 2 === 1);
}
