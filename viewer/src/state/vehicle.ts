// A vehicle with suspended wheels: what it is made of, and what its numbers mean. No browser needed.

import type { Body, Mesh, Wheel } from '../proto/live.js';
import { attitude } from './quaternion';
import type { BodyInfo, SceneInfo } from './scene';
import type { Snapshot } from './snapshot';

export interface VehicleInfo {
  readonly wheels: readonly Wheel[];
  /** Number of its first wheel among those of all vehicles. */
  readonly firstWheel: number;
  /** Box of the chassis in the vehicle's frame, m. */
  readonly chassis: { readonly min: readonly [number, number, number]; readonly max: readonly [number, number, number] };
  /** What somebody drew, as OBJ text: the chassis and how far above the vehicle's origin it is, m; each wheel as on the left. */
  readonly drawn: { readonly chassis: string | undefined; readonly up: number; readonly wheels: readonly (string | undefined)[] };
}

/** Farther from upright than this, rad, a vehicle does not drive any more: it lies. */
export const LIES = 1.2;
const GRAVITY = 9.81;

/** Undefined of bodies that are no vehicles. */
export function vehicleOf(body: Body, firstWheel: number, meshes: readonly Mesh[]): VehicleInfo | undefined {
  if (body.wheels.length === 0) return undefined;
  const [x0, y0, z0, x1, y1, z1] = body.chassis;
  const given = body.chassis.length === 6 && body.chassis.every(Number.isFinite);
  const reach = Math.max(...body.wheels.map(({ x, y }) => Math.hypot(x, y)), 0.05);
  const shape = (number: number | undefined) => (number ? meshes[number - 1]?.obj : undefined);
  const { shapes } = body;
  return {
    wheels: body.wheels, firstWheel,
    drawn: {
      chassis: shape(shapes?.chassis), up: shapes?.chassis_up ?? 0, wheels: body.wheels.map((_, k) => shape(shapes?.wheels[k])),
    },
    chassis: given
      ? { min: [x0!, y0!, z0!], max: [x1!, y1!, z1!] }
      : { min: [-reach, -reach, 0.2 * reach], max: [reach, reach, 0.6 * reach] },
  };
}

export interface WheelReport {
  /** N, and as a share of what each wheel carries on level ground. */
  load: number;
  share: number;
  /** m. */
  raised: number;
  /** The tyre's slip along its rolling direction, as the simulator has it: positive where it drives. */
  slip: number;
}

export interface VehicleReport {
  /** Along its own forward axis, m/s. */
  speed: number;
  roll: number;
  pitch: number;
  tilt: number;
  lies: boolean;
  height: number;
  wheels: WheelReport[];
}

/** The channel of a wheel's slip. */
export function slipChannel(body: BodyInfo, wheel: number): string {
  return `robot.${body.name}.wheel.${wheel}.slip.ratio`;
}

/** What a vehicle does now, with what channels tell; undefined of other bodies. */
export function reportOf(
  body: BodyInfo, now: Snapshot, channel: (name: string) => number | undefined,
): VehicleReport | undefined {
  const { vehicle, number: n } = body;
  const { space } = now;
  if (!vehicle || !space) return undefined;
  const { roll, pitch, tilt } = attitude(space.rotation(n));
  const heading = now.heading[n]!;
  const level = now.vx[n]! * Math.cos(heading) + now.vy[n]! * Math.sin(heading);
  const speed = level / Math.max(0.3, Math.cos(pitch));
  const usual = (body.mass * GRAVITY) / vehicle.wheels.length;
  const wheels = vehicle.wheels.map((_, k): WheelReport => {
    const at = vehicle.firstWheel + k;
    const load = space.load[at]!;
    return { load, share: load / usual, raised: space.raised[at]!, slip: channel(slipChannel(body, k)) ?? 0 };
  });
  return { speed, roll, pitch, tilt, lies: tilt > LIES, height: space.z[n]!, wheels };
}

/** How far the vehicle's suspension can be raised before it is drawn as fully used, m: half a radius (scenes do not tell
 * the travel). */
export function travelOf(wheel: Wheel): number {
  return 0.5 * wheel.radius;
}

/** Vehicles of a scene. */
export function vehiclesOf(scene: SceneInfo): readonly BodyInfo[] {
  return scene.bodies.filter(({ vehicle }) => vehicle !== undefined);
}
