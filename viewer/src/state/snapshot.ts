// The whole world at one instant, in columns by body number.

import type { Frame } from '../proto/live.js';
import type { SceneInfo } from './scene';
import { Space } from './space';

/** Bits of `flags`, as in live.proto. */
export const SLIPS = 1;
export const QUARANTINED = 2;
export const DRIVEN = 4;

const COLUMNS = [
  'x', 'y', 'heading', 'vx', 'vy', 'omega',
  'voltsLeft', 'voltsRight', 'currentLeft', 'currentRight', 'wheelLeft', 'wheelRight',
] as const;
export type Column = (typeof COLUMNS)[number];

/** Columns have a place for every body; those of motors are zero where there is no motor. */
export class Snapshot implements Record<Column, Float32Array> {
  step = 0;
  timeS = 0;
  /** Time of the run, s, which goes on over resets. */
  runTimeS = 0;
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly heading: Float32Array;
  readonly vx: Float32Array;
  readonly vy: Float32Array;
  readonly omega: Float32Array;
  readonly voltsLeft: Float32Array;
  readonly voltsRight: Float32Array;
  readonly currentLeft: Float32Array;
  readonly currentRight: Float32Array;
  readonly wheelLeft: Float32Array;
  readonly wheelRight: Float32Array;
  readonly flags: Uint8Array;

  /** `space`: of scenes with rough ground. */
  constructor(
    readonly count: number,
    readonly space?: Space,
  ) {
    const column = () => new Float32Array(count);
    this.x = column();
    this.y = column();
    this.heading = column();
    this.vx = column();
    this.vy = column();
    this.omega = column();
    this.voltsLeft = column();
    this.voltsRight = column();
    this.currentLeft = column();
    this.currentRight = column();
    this.wheelLeft = column();
    this.wheelRight = column();
    this.flags = new Uint8Array(count);
  }

  static for(scene: SceneInfo): Snapshot {
    return new Snapshot(scene.bodies.length, Space.for(scene));
  }

  copyFrom(other: Snapshot): void {
    this.step = other.step;
    this.timeS = other.timeS;
    this.runTimeS = other.runTimeS;
    for (const column of COLUMNS) this[column].set(other[column]);
    this.flags.set(other.flags);
    if (this.space && other.space) this.space.copyFrom(other.space);
  }

  /** Puts a frame's columns on top of what is known. False where the frame does not fit the scene
   * (then nothing is changed). */
  apply(frame: Frame, scene: SceneInfo): boolean {
    const given = frame.key ? this.count : frame.body.length;
    const columns = [frame.x, frame.y, frame.heading, frame.vx, frame.vy, frame.omega];
    if (columns.some((column) => column.length !== given)) return false;
    if (!frame.key && frame.body.some((number) => number >= this.count)) return false;
    if (this.space && !Space.fits(frame, scene)) return false;
    let motor = 0;
    for (let i = 0; i < given; i++) {
      const n = frame.key ? i : frame.body[i]!;
      this.x[n] = frame.x[i]!;
      this.y[n] = frame.y[i]!;
      this.heading[n] = frame.heading[i]!;
      this.vx[n] = frame.vx[i]!;
      this.vy[n] = frame.vy[i]!;
      this.omega[n] = frame.omega[i]!;
      this.flags[n] = frame.flags[i] ?? 0;
      if (scene.bodies[n]!.kind !== 'robot') continue;
      this.voltsLeft[n] = frame.volts_left[motor] ?? 0;
      this.voltsRight[n] = frame.volts_right[motor] ?? 0;
      this.currentLeft[n] = frame.current_left[motor] ?? 0;
      this.currentRight[n] = frame.current_right[motor] ?? 0;
      this.wheelLeft[n] = frame.wheel_left[motor] ?? 0;
      this.wheelRight[n] = frame.wheel_right[motor] ?? 0;
      motor++;
    }
    this.space?.apply(frame, scene);
    this.step = frame.step;
    this.timeS = frame.time_s;
    // Simulators that know of no runs tell the world's own time.
    this.runTimeS = frame.run_time_s || frame.time_s;
    return true;
  }

  speed(n: number): number {
    return Math.hypot(this.vx[n]!, this.vy[n]!);
  }
}
