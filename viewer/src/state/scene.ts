// What does not change while a scene runs, made ready for drawing and driving.

import { BodyKind, type Body, type Scene } from '../proto/live.js';
import { sensorsOf, WORLD, type Owner, type SensorInfo } from './sensors';
import { Ground } from './ground';
import { readMaterials, type MaterialInfo } from './materials';
import { vehicleOf, type VehicleInfo } from './vehicle';
import { X_UP, Y_UP, type Axes } from '../view3d/rig';

export interface BodyInfo {
  /** Its number everywhere on the wire. */
  readonly number: number;
  readonly kind: 'robot' | 'ball' | 'object';
  readonly name: string;
  readonly team: string;
  readonly colour: number;
  readonly tagColour: number;
  /** m; never zero, so that everything can be seen. */
  readonly height: number;
  /** Radius of a circle around the body's origin that holds all of it, m. */
  readonly reach: number;
  /** Motor supply, V. */
  readonly supply: number;
  readonly wheelRadius: number;
  readonly wheelDistance: number;
  readonly mass: number;
  /** Of robots with a speed controller, else zero: fastest speed, m/s, and turning, rad/s. */
  readonly maxSpeed: number;
  readonly maxTurning: number;
  /** Of vehicles with steered wheels, else zero: the sharpest curve that they can drive, 1/m. */
  readonly maxCurvature: number;
  readonly sensors: readonly SensorInfo[];
  /** Of robots with suspended wheels. */
  readonly vehicle: VehicleInfo | undefined;
  readonly source: Body;
}

export interface Bounds {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

export interface SceneInfo {
  readonly generation: number;
  readonly name: string;
  readonly title: string;
  readonly stepS: number;
  readonly bodies: readonly BodyInfo[];
  /** Numbers of the bodies that are robots, in order. */
  readonly robots: readonly number[];
  /** What is fixed to the world to sense with. */
  readonly world: Owner;
  readonly bounds: Bounds;
  /** Maps are seen as they are drawn: x up. */
  readonly axes: Axes;
  /** Rough ground; undefined on a plane. */
  readonly ground: Ground | undefined;
  /** What surfaces look like. */
  readonly materials: readonly MaterialInfo[];
  /** Suspended wheels of all bodies. */
  readonly wheelCount: number;
  readonly source: Scene;
}

/** Who has the sensors that go by this number: a robot, or the world; undefined where there is neither. */
export function ownerIn(scene: SceneInfo, number: number): Owner | undefined {
  return number === WORLD ? scene.world : scene.bodies[number];
}

/** Reach, m, and mass, kg, of a robot of the scene (the middle one by size; of any body where there are none): what
 * drawing takes its measures from. */
export function usualBody(scene: SceneInfo): { reach: number; mass: number } {
  const robots = scene.bodies.filter(({ kind }) => kind === 'robot');
  const sorted = [...(robots.length > 0 ? robots : scene.bodies)].sort((a, b) => a.reach - b.reach);
  const { reach = 0.053, mass = 0.352 } = sorted[Math.floor(sorted.length / 2)] ?? {};
  return { reach, mass };
}

const LEAST_HEIGHT = 0.005;

function reachOf(body: Body): number {
  let reach = 0;
  for (const part of body.outlines) {
    if (part.radius > 0) reach = Math.max(reach, Math.hypot(part.x, part.y) + part.radius);
    for (let i = 0; i + 1 < part.points.length; i += 2) {
      reach = Math.max(reach, Math.hypot(part.points[i] ?? 0, part.points[i + 1] ?? 0));
    }
  }
  return reach > 0 ? reach : 0.02;
}

function kindOf(body: Body): BodyInfo['kind'] {
  if (body.kind === BodyKind.ROBOT) return 'robot';
  return body.kind === BodyKind.BALL ? 'ball' : 'object';
}

function boundsOf(scene: Scene): Bounds {
  const [minX, minY, maxX, maxY] = scene.bounds;
  const valid = [minX, minY, maxX, maxY].every(Number.isFinite);
  if (!valid || minX! >= maxX! || minY! >= maxY!) return { minX: -1, minY: -1, maxX: 1, maxY: 1 };
  return { minX: minX!, minY: minY!, maxX: maxX!, maxY: maxY! };
}

function readBodies(sources: readonly Body[], meshes: Scene['meshes']): { bodies: BodyInfo[]; robots: number[]; wheelCount: number } {
  let wheelCount = 0;
  const bodies = sources.map((body, number): BodyInfo => {
    const vehicle = vehicleOf(body, wheelCount, meshes);
    wheelCount += body.wheels.length;
    const reach = reachOf(body);
    return {
      number,
      kind: kindOf(body),
      name: body.name || `#${number}`,
      team: body.team,
      colour: body.colour & 0xffffff,
      tagColour: body.tag_colour & 0xffffff,
      height: Math.max(vehicle?.chassis.max[2] ?? (body.height || reach), LEAST_HEIGHT),
      reach,
      supply: body.supply > 0 ? body.supply : 9,
      wheelRadius: body.wheel_radius,
      wheelDistance: body.wheel_distance,
      mass: body.mass > 0 ? body.mass : 0.1,
      maxSpeed: body.max_speed,
      maxTurning: body.max_turning,
      maxCurvature: body.max_curvature,
      sensors: sensorsOf(body.sensors),
      vehicle,
      source: body,
    };
  });
  return { bodies, robots: bodies.filter((body) => body.kind === 'robot').map((body) => body.number), wheelCount };
}

export function readScene(scene: Scene): SceneInfo {
  return {
    generation: scene.generation,
    name: scene.name,
    title: scene.title || scene.name,
    stepS: scene.step_s > 0 ? scene.step_s : 1e-3,
    ...readBodies(scene.bodies, scene.meshes),
    world: { number: WORLD, sensors: sensorsOf(scene.sensors) },
    bounds: boundsOf(scene),
    axes: scene.map ? X_UP : Y_UP,
    ground: Ground.of(scene.terrain),
    materials: readMaterials(scene),
    source: scene,
  };
}

/** The same place with other bodies in it. */
export function withBodies(scene: SceneInfo, bodies: readonly Body[]): SceneInfo {
  return { ...scene, ...readBodies(bodies, scene.source.meshes) };
}
