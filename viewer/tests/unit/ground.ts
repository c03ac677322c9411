// Rough ground and a vehicle on it, for tests.

import { BodyKind, type Body, type Frame, type Scene, type Terrain } from '../../src/proto/live.js';
import { readScene, type SceneInfo } from '../../src/state/scene';
import { Ground } from '../../src/state/ground';

/** Heights as the simulator tells them, in steps of an eighth of a millimetre. */
export function tell(nx: number, ny: number, heights: readonly number[]): Pick<Terrain, 'nx' | 'ny' | 'lowest' | 'quantum' | 'heights'> {
  const quantum = 1 / 8192;
  const lowest = heights.reduce((low, z) => Math.min(low, z), Infinity);
  const steps = heights.map((z) => Math.round((z - lowest) / quantum));
  const bytes: number[] = [];
  steps.forEach((step, at) => {
    const [i, j] = [at % nx, Math.floor(at / nx)];
    const guess = at === 0 ? 0 : i === 0 ? steps[at - nx]! : j === 0 ? steps[at - 1]! : steps[at - 1]! + steps[at - nx]! - steps[at - nx - 1]!;
    const more = step - guess;
    let rest = more < 0 ? -2 * more - 1 : 2 * more;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    bytes.push(rest);
  });
  return { nx, ny, lowest, quantum, heights: Uint8Array.from(bytes) };
}

export function terrain(height: (x: number, y: number) => number, more: Partial<Terrain> = {}, nx = 41, ny = 21): Terrain {
  const [min_x, min_y, max_x, max_y] = [-10, -5, 10, 5];
  const heights: number[] = [];
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) heights.push(height(min_x + (i * 20) / (nx - 1), min_y + (j * 10) / (ny - 1)));
  }
  return {
    min_x, min_y, max_x, max_y, ...tell(nx, ny, heights), extended: true, friction_nx: 0, friction_ny: 0, friction: [], colour: 0, ...more,
  };
}

export function ground(height: (x: number, y: number) => number, more: Partial<Terrain> = {}): Ground {
  return Ground.of(terrain(height, more))!;
}

const WHEEL = { z: 0.1, radius: 0.1, width: 0.06, ball: false };

export function vehicle(name: string): Body {
  return {
    kind: BodyKind.ROBOT, name, team: '', colour: 0, tag_colour: 0, height: 0.3, wheel_radius: 0.1, wheel_distance: 0.5,
    outlines: [{ radius: 0, x: 0, y: 0, points: [-0.4, -0.25, 0.4, -0.25, 0.4, 0.25, -0.4, 0.25] }],
    supply: 24, mass: 40, max_speed: 0, max_turning: 0, max_curvature: 0, actuators: [], sensors: [],
    wheels: [[0.3, 0.25], [0.3, -0.25], [-0.3, 0.25], [-0.3, -0.25]].map(([x, y]) => ({ x: x!, y: y!, ...WHEEL })),
    chassis: [-0.35, -0.2, 0.08, 0.35, 0.2, 0.28], material: 0, lid: 0, tag: [],
  };
}

export function crate(name: string): Body {
  return {
    ...vehicle(name), kind: BodyKind.OBJECT, wheels: [], chassis: [], material: 0, lid: 0, tag: [], wheel_radius: 0, wheel_distance: 0, supply: 0, mass: 2,
  };
}

export function spatialScene(bodies: Body[], height: (x: number, y: number) => number = () => 0): SceneInfo {
  const source: Scene = {
    generation: 1, name: 's', title: '', step_s: 0.001, bodies, walls: [], zones: [], meshes: [], mesh_places: [], sensors: [], notes: [], materials: [], floors: [], has_ground_colour: false, ground_colour: 0, markings: [], bounds: [-10, -5, 10, 5],
    terrain: terrain(height),
  };
  return readScene(source);
}

export function spatialFrame(step: number, bodies: number, wheels: number, more: Partial<Frame> = {}): Frame {
  const zeros = (count: number) => new Array<number>(count).fill(0);
  return {
    generation: 1, step, time_s: step / 1000, key: true, body: [], x: zeros(bodies), y: zeros(bodies), heading: zeros(bodies),
    vx: zeros(bodies), vy: zeros(bodies), omega: zeros(bodies), flags: zeros(bodies), volts_left: [], volts_right: [],
    current_left: [], current_right: [], wheel_left: [], wheel_right: [], contact_x: [], contact_y: [], contact_impulse: [],
    scores: [], events: [], events_dropped: 0, z: zeros(bodies), qw: zeros(bodies).fill(1), qx: zeros(bodies), qy: zeros(bodies),
    qz: zeros(bodies), wheel_angle: zeros(wheels), wheel_raised: zeros(wheels), wheel_load: zeros(wheels), wheel_spin: zeros(wheels),
    wheel_steer: zeros(wheels), run_time_s: 0,
    ...more,
  };
}
