// Places in space, and wheels, in columns: what frames of scenes with rough ground carry beside the rest.

import type { Frame } from '../proto/live.js';
import { turnBetween } from './angle';
import { slerp, unit, type Quat } from './quaternion';
import type { SceneInfo } from './scene';

/** By body number: height of the origin, m, and orientation. By wheel, those of the first robot first: angle turned, rad;
 * spin, rad/s; way raised, m; load, N; angle by which it is steered to the left, rad. */
export class Space {
  readonly z: Float32Array;
  /** w, x, y, z of each body. */
  readonly q: Float32Array;
  readonly angle: Float32Array;
  readonly spin: Float32Array;
  readonly raised: Float32Array;
  readonly load: Float32Array;
  readonly steer: Float32Array;

  constructor(
    readonly count: number,
    readonly wheels: number,
  ) {
    this.z = new Float32Array(count);
    this.q = new Float32Array(4 * count);
    for (let n = 0; n < count; n++) this.q[4 * n] = 1;
    this.angle = new Float32Array(wheels);
    this.spin = new Float32Array(wheels);
    this.raised = new Float32Array(wheels);
    this.load = new Float32Array(wheels);
    this.steer = new Float32Array(wheels);
  }

  static for(scene: SceneInfo): Space | undefined {
    return scene.ground ? new Space(scene.bodies.length, scene.wheelCount) : undefined;
  }

  copyFrom(other: Space): void {
    this.z.set(other.z);
    this.q.set(other.q);
    this.angle.set(other.angle);
    this.spin.set(other.spin);
    this.raised.set(other.raised);
    this.load.set(other.load);
    this.steer.set(other.steer);
  }

  rotation(n: number): Quat {
    return [this.q[4 * n]!, this.q[4 * n + 1]!, this.q[4 * n + 2]!, this.q[4 * n + 3]!];
  }

  setRotation(n: number, q: Quat): void {
    this.q.set(q, 4 * n);
  }

  /** Whether a frame's columns fit: one for each body in it, and for each of their wheels. */
  static fits(frame: Frame, scene: SceneInfo): boolean {
    const given = frame.key ? scene.bodies.length : frame.body.length;
    let wheels = 0;
    for (let i = 0; i < given; i++) wheels += scene.bodies[frame.key ? i : frame.body[i]!]?.vehicle?.wheels.length ?? 0;
    return [frame.z, frame.qw, frame.qx, frame.qy, frame.qz].every((column) => column.length === given)
      && [frame.wheel_angle, frame.wheel_raised, frame.wheel_load, frame.wheel_spin, frame.wheel_steer].every((column) => column.length === wheels);
  }

  /** Puts a frame's columns on top of what is known; they fit. */
  apply(frame: Frame, scene: SceneInfo): void {
    const given = frame.key ? this.count : frame.body.length;
    let from = 0;
    for (let i = 0; i < given; i++) {
      const n = frame.key ? i : frame.body[i]!;
      this.z[n] = frame.z[i]!;
      this.setRotation(n, unit([frame.qw[i]!, frame.qx[i]!, frame.qy[i]!, frame.qz[i]!]));
      const vehicle = scene.bodies[n]!.vehicle;
      for (let k = 0; k < (vehicle?.wheels.length ?? 0); k++, from++) {
        const to = vehicle!.firstWheel + k;
        this.angle[to] = frame.wheel_angle[from]!;
        this.spin[to] = frame.wheel_spin[from]!;
        this.raised[to] = frame.wheel_raised[from]!;
        this.load[to] = frame.wheel_load[from]!;
        this.steer[to] = frame.wheel_steer[from]!;
      }
    }
  }

  /** A body on the way from one place to another, and beyond where the share is above one. */
  blendBody(n: number, a: Space, b: Space, share: number): void {
    this.z[n] = a.z[n]! + share * (b.z[n]! - a.z[n]!);
    this.setRotation(n, slerp(a.rotation(n), b.rotation(n), share));
  }

  /** The wheels from one instant to another, `elapsed` s later. Angles go on the way that spins suggest: a wheel turns by
   * more than half a turn between two frames. */
  blendWheels(first: number, count: number, a: Space, b: Space, share: number, elapsed: number): void {
    for (let k = first; k < first + count; k++) {
      const expected = 0.5 * (a.spin[k]! + b.spin[k]!) * elapsed;
      this.angle[k] = a.angle[k]! + share * turnBetween(a.angle[k]!, b.angle[k]!, expected);
      this.spin[k] = b.spin[k]!;
      this.raised[k] = a.raised[k]! + share * (b.raised[k]! - a.raised[k]!);
      this.steer[k] = a.steer[k]! + share * (b.steer[k]! - a.steer[k]!);
      this.load[k] = Math.max(0, a.load[k]! + share * (b.load[k]! - a.load[k]!));
    }
  }
}
