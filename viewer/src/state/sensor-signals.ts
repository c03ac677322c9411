// Signals of sensors that can be plotted. They are called by the sensor's name and what of it: "gps.x".

import { wrap } from './angle';
import type { Senses } from './senses';
import { hasRays, isHit, pressedSectors, rayAhead, type Owner, type SensorInfo } from './sensors';
import type { Snapshot } from './snapshot';

export const PART_UNITS = {
  x: 'm', y: 'm', heading: 'rad', offset: 'm', turnOffset: 'rad', left: 'ticks', right: 'ticks',
  accelX: 'm/s²', accelY: 'm/s²', turning: 'rad/s', ahead: 'm', nearest: 'm', pressed: '1',
} as const;
export type Part = keyof typeof PART_UNITS;

const POSE: readonly Part[] = ['x', 'y', 'heading', 'offset', 'turnOffset'];
const RAYS: readonly Part[] = ['ahead', 'nearest'];
const PARTS: Record<string, readonly Part[]> = {
  gps: POSE, odometry: POSE, encoders: ['left', 'right'], imu: ['accelX', 'accelY', 'turning'],
  lidar: RAYS, sonar: RAYS, bumper: ['pressed'],
};
/** Those that show a sensor at a glance. */
const MAIN: Record<string, readonly Part[]> = {
  gps: ['offset'], odometry: ['offset'], encoders: ['left', 'right'], imu: ['turning', 'accelX', 'accelY'],
  lidar: RAYS, sonar: RAYS, bumper: ['pressed'],
};

export interface Pose {
  x: number;
  y: number;
  heading: number;
}

/** What a sensor has to plot. */
export function partsOf(sensor: SensorInfo): readonly Part[] {
  return PARTS[sensor.kind] ?? [];
}

export function mainPartsOf(sensor: SensorInfo): readonly Part[] {
  return MAIN[sensor.kind] ?? [];
}

export function quantityOf(sensor: SensorInfo, part: Part): string {
  return `${sensor.name}.${part}`;
}

/** The sensor and what of it a quantity means; undefined where it is none of this owner's. */
export function findQuantity(owner: Owner, quantity: string): { sensor: SensorInfo; part: Part } | undefined {
  const dot = quantity.lastIndexOf('.');
  if (dot < 0) return undefined;
  const sensor = owner.sensors.find(({ name }) => name === quantity.slice(0, dot));
  const part = sensor && partsOf(sensor).find((known) => known === quantity.slice(dot + 1));
  return sensor && part ? { sensor, part } : undefined;
}

/** How far a reading of a pose is from the true one, m, and how much it is turned against it, rad. */
export function offsetFrom(truth: Pose, told: Pose): { way: number; turn: number } {
  return { way: Math.hypot(told.x - truth.x, told.y - truth.y), turn: wrap(told.heading - truth.heading) };
}

export function poseOf(values: readonly number[], sensor: SensorInfo): Pose {
  return { x: values[sensor.first]!, y: values[sensor.first + 1]!, heading: values[sensor.first + 2]! };
}

/** The nearest distance that a lidar or sonar measured, its ray, and how many rays met something. */
export function nearestOf(values: readonly number[], sensor: SensorInfo): { distance: number; ray: number; hits: number } {
  let [distance, ray, hits] = [Infinity, 0, 0];
  for (let i = 0; i < sensor.count; i++) {
    const value = values[sensor.first + i]!;
    if (isHit(value, sensor.range)) hits++;
    if (value < distance) [distance, ray] = [value, i];
  }
  return { distance, ray, hits };
}

/** One number of what the sensors of a robot or of the world read; undefined where nothing is told. */
export function sensedValue(owner: Owner, quantity: string, senses: Senses, truth: Snapshot): number | undefined {
  const found = findQuantity(owner, quantity);
  const reading = senses.latest(owner.number);
  if (!found || !reading) return undefined;
  const { sensor, part } = found;
  const value = (i: number) => reading.values[sensor.first + i]!;
  const offset = () => {
    const n = owner.number;
    return offsetFrom({ x: truth.x[n]!, y: truth.y[n]!, heading: truth.heading[n]! }, poseOf(reading.values, sensor));
  };
  switch (part) {
    case 'x': case 'accelX': case 'right': return value(0);
    case 'y': case 'accelY': case 'left': return value(1);
    case 'heading': return wrap(value(2));
    case 'turning': return value(2);
    case 'offset': return offset().way;
    case 'turnOffset': return offset().turn;
    case 'ahead': return hasRays(sensor) ? value(rayAhead(sensor)) : undefined;
    case 'nearest': return nearestOf(reading.values, sensor).distance;
    case 'pressed': return pressedSectors(sensor, value(0)).length;
  }
}
