// The sensors of a robot, and what their numbers mean.

import type { Body, Sensor } from '../proto/live.js';

export interface SensorInfo extends Sensor {
  /** Its number among the robot's sensors, as on the wire. */
  readonly number: number;
  /** Where its numbers begin in the robot's readings. */
  readonly first: number;
}

/** A lidar or sonar that sees nothing reads its range, but for rounding. */
const NEARLY = 0.9999;

export function sensorsOf(body: Body): SensorInfo[] {
  let first = 0;
  return body.sensors.map((sensor, number) => {
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
