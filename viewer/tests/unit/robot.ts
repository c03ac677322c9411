// A robot with sensors, for tests.

import { BodyKind, type Body, type Readings, type Sensor } from '../../src/proto/live.js';
import { readScene, type SceneInfo } from '../../src/state/scene';

const NO_SENSOR: Sensor = {
  kind: '', name: '', count: 0, rays: [], range: 0, height: 0, cone: 0, picture_width: 0, picture_height: 0,
  first_bearing: 0, span: 0, sectors: 0, opening_x: 0, opening_y: 0,
};

export function sensor(kind: string, count: number, more: Partial<Sensor> = {}): Sensor {
  return { ...NO_SENSOR, kind, name: kind, count, ...more };
}

/** One metre long, 0.6 m wide, with what is given; so has the world. */
export function robotScene(sensors: Sensor[], more: Partial<Body> = {}, world: Sensor[] = []): SceneInfo {
  return readScene({
    generation: 3, name: 's', title: '', step_s: 0.001, walls: [], zones: [], meshes: [], mesh_places: [], notes: [], materials: [], floors: [], has_ground_colour: false, ground_colour: 0, markings: [], bounds: [-20, -20, 20, 20], sensors: world,
    bodies: [{
      kind: BodyKind.ROBOT, name: 'one', team: '', colour: 0, tag_colour: 0, height: 0.4, wheel_radius: 0.2, wheel_distance: 0.6,
      outlines: [{ radius: 0, x: 0, y: 0, points: [-0.5, -0.3, 0.5, -0.3, 0.5, 0.3, -0.5, 0.3] }],
      supply: 24, mass: 25, max_speed: 4, max_turning: 6, max_curvature: 0, actuators: [], sensors, wheels: [], chassis: [], material: 0, lid: 0, tag: [], ...more,
    }],
  });
}

export function readings(step: number, values: number[], more: Partial<Readings> = {}): Readings {
  return { generation: 3, step, body: 0, world: false, values, sigmas: [], ...more };
}
