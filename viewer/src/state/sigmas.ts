// The standard deviations of sensors: what each means, in which unit people set it, and how far a slider goes.

import type { TextKey } from '../text';

export interface Axis {
  text: TextKey;
  /** As shown. */
  unit: string;
  /** Shown for one on the wire: degrees are shown, radians are sent. */
  factor: number;
  /** Where the slider ends, as shown; a field takes more. */
  most: number;
  decimals: number;
  /** Whether `most` is a length, which is smaller in small worlds. */
  length?: boolean;
}

const DEGREES = 180 / Math.PI;

const DISTANCE: Axis = { text: 'sigmaDistance', unit: 'm', factor: 1, most: 0.5, decimals: 3, length: true };

const AXES: Record<string, readonly Axis[]> = {
  gps: [
    { text: 'sigmaX', unit: 'm', factor: 1, most: 2, decimals: 3, length: true },
    { text: 'sigmaY', unit: 'm', factor: 1, most: 2, decimals: 3, length: true },
    { text: 'sigmaHeading', unit: '°', factor: DEGREES, most: 20, decimals: 2 },
  ],
  odometry: [
    { text: 'sigmaWay', unit: 'm', factor: 1, most: 0.05, decimals: 4, length: true },
    { text: 'sigmaTurn', unit: '°', factor: DEGREES, most: 5, decimals: 2 },
  ],
  imu: [
    { text: 'sigmaAccel', unit: 'm/s²/√Hz', factor: 1, most: 0.1, decimals: 4 },
    { text: 'sigmaGyro', unit: '°/s/√Hz', factor: DEGREES, most: 1, decimals: 4 },
    { text: 'sigmaAccelWalk', unit: 'm/s²/√s', factor: 1, most: 0.01, decimals: 5 },
    { text: 'sigmaGyroWalk', unit: '°/s/√s', factor: DEGREES, most: 0.1, decimals: 5 },
  ],
  lidar: [DISTANCE],
  sonar: [DISTANCE],
  camera: [{ text: 'sigmaBrightness', unit: '/ 255', factor: 1, most: 60, decimals: 1 }],
};

/** A world smaller than this, m, has robots of some centimetres. */
const SMALL_WORLD_M = 5;

/** What can be set of a sensor of this kind in a world of this size, m; in the order of the wire. */
export function axesOf(kind: string, worldSize: number): readonly Axis[] {
  const small = worldSize < SMALL_WORLD_M;
  return (AXES[kind] ?? []).map((axis) => (axis.length && small ? { ...axis, most: 0.1 * axis.most, decimals: axis.decimals + 1 } : axis));
}

/** Sliders are finer near zero, where most of what is real lies. */
export function fromSlider(share: number, most: number): number {
  return most * share * share;
}

export function toSlider(value: number, most: number): number {
  return Math.sqrt(Math.min(1, Math.max(0, value / most)));
}
