// Scenes of the mock: small cousins of the real ones.

import { camera, lidar, sensor, sonar } from './senses';
import { BodyKind, type Body, type Marking, type Material, type Scene, type Wall } from '../../src/proto/live.js';

const WHITE = 0xf4f4f4;
const BLUE = 0x2f6fe4;
const YELLOW = 0xf2c230;
const TAGS = [0xe0457b, 0x35b26f, 0x8a5cf0, 0x26b3c8, 0xef7d2d];

function box(halfX: number, halfY = halfX): number[] {
  return [-halfX, -halfY, halfX, -halfY, halfX, halfY, -halfX, halfY];
}

function outline(points: number[], radius = 0) {
  return { radius, x: 0, y: 0, points };
}

function robot(name: string, team: string, colour: number, tag: number): Body {
  return {
    kind: BodyKind.ROBOT, name, team, colour, tag_colour: TAGS[tag % TAGS.length]!,
    outlines: [outline(box(0.0375))], height: 0.075, wheel_radius: 0.0252, wheel_distance: 0.075,
    supply: 9, mass: 0.352, max_speed: 0, max_turning: 0, max_curvature: 0, actuators: [], sensors: [], wheels: [], chassis: [], material: 0, lid: 0, tag: [],
  };
}

function ball(name: string): Body {
  return {
    kind: BodyKind.BALL, name, team: '', colour: 0xf5822a, tag_colour: 0xffffff,
    outlines: [outline([], 0.02135)], height: 0.0427, wheel_radius: 0, wheel_distance: 0, supply: 0,
    mass: 0.046, max_speed: 0, max_turning: 0, max_curvature: 0, actuators: [], sensors: [], wheels: [], chassis: [], material: 0, lid: 0, tag: [],
  };
}

function object(name: string, points: number[], radius = 0): Body {
  return {
    kind: BodyKind.OBJECT, name, team: '', colour: 0xb07d4f, tag_colour: 0xffffff,
    outlines: [outline(points, radius)], height: 0.05, wheel_radius: 0, wheel_distance: 0, supply: 0,
    mass: 0.2, max_speed: 0, max_turning: 0, max_curvature: 0, actuators: [], sensors: [], wheels: [], chassis: [], material: 0, lid: 0, tag: [],
  };
}

function wall(minX: number, minY: number, maxX: number, maxY: number): Wall {
  return { points: [minX, minY, maxX, minY, maxX, maxY, minX, maxY], height: 0.05, colour: WHITE, material: 0, top: 0 };
}

function line(...points: number[]): Marking {
  return { points, width: 0.005, colour: WHITE, material: 0 };
}

function arc(x: number, y: number, radius: number, from: number, to: number): Marking {
  const points: number[] = [];
  for (let i = 0; i <= 48; i++) {
    const angle = ((from + ((to - from) * i) / 48) * Math.PI) / 180;
    points.push(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
  }
  return line(...points);
}

const PLAIN: Material = { name: '', colour: WHITE, two_coloured: false, second_colour: 0, roughness: 1, light: 0 };
/** Of the field: ground and tops of walls, walls, lines; sides and lids of its robots. */
const MATERIALS: Material[] = [0x151618, 0xeef0f2, 0xf4f5f6, 0x454950, 0x1e2024].map((colour) => ({ ...PLAIN, colour }));

/** A robot of the field: a dark cube with a tag. */
function player(team: string, colour: number, i: number): Body {
  const known = robot(`${team}-${i + 1}`, team, colour, i);
  const patch = (x0: number, x1: number, y: number) => outline([x0, -y, x1, -y, x1, y, x0, y]);
  const tag = [
    { outline: patch(0, 0.035, 0.0325), colour, tells: 'team' },
    { outline: patch(-0.035, -0.005, 0.02), colour: known.tag_colour, tells: 'player' },
  ];
  return { ...known, material: 4, lid: 5, tag };
}

export interface MockScene {
  scene: Omit<Scene, 'generation'>;
  poses: [number, number, number][];
  /** Half sizes of the room that bodies stay in, m. */
  halfX: number;
  halfY: number;
}

function soccer(): MockScene {
  const walls: Wall[] = [wall(-0.775, -0.675, 0.775, -0.65), wall(-0.775, 0.65, 0.775, 0.675)];
  const markings: Marking[] = [line(0, -0.65, 0, 0.65), arc(0, 0, 0.2, 0, 360)];
  for (const side of [-1, 1]) {
    const span = (a: number, b: number) => [Math.min(side * a, side * b), Math.max(side * a, side * b)] as const;
    const [a, b] = span(0.75, 0.775);
    walls.push(wall(a, 0.2, b, 0.675), wall(a, -0.675, b, -0.2));
    const [c, d] = span(0.75, 0.875);
    walls.push(wall(c, 0.2, d, 0.225), wall(c, -0.225, d, -0.2));
    const [e, f] = span(0.85, 0.875);
    walls.push(wall(e, -0.225, f, 0.225));
    for (const up of [-1, 1]) {
      walls.push({
        points: [side * 0.75, up * 0.65, side * 0.68, up * 0.65, side * 0.75, up * 0.58],
        height: 0.05, colour: WHITE, material: 0, top: 0,
      });
      markings.push(line(side * 0.365, up * 0.4, side * 0.385, up * 0.4));
      markings.push(line(side * 0.375, up * 0.39, side * 0.375, up * 0.41));
    }
    markings.push(line(side * 0.75, -0.35, side * 0.6, -0.35, side * 0.6, 0.35, side * 0.75, 0.35));
    markings.push(side < 0 ? arc(-0.675, 0, 0.125, -53.13, 53.13) : arc(0.675, 0, 0.125, 126.87, 233.13));
  }
  const teams = [['blue', BLUE], ['yellow', YELLOW]] as const;
  return {
    scene: {
      name: 'soccer', title: 'Soccer: three against three on the MiroSot field', step_s: 0.001,
      bodies: [
        ...teams.flatMap(([team, colour]) => [0, 1, 2].map((i) => player(team, colour, i))),
        ball('ball'),
      ],
      walls: walls.map((one) => ({ ...one, material: 2, top: 1 })),
      zones: [
        { name: 'left-goal', points: [-0.85, -0.2, -0.75, -0.2, -0.75, 0.2, -0.85, 0.2], colour: YELLOW, scores_for: 'yellow' },
        { name: 'right-goal', points: [0.75, -0.2, 0.85, -0.2, 0.85, 0.2, 0.75, 0.2], colour: BLUE, scores_for: 'blue' },
      ],
      meshes: [], mesh_places: [], sensors: [], notes: [], materials: MATERIALS,
      floors: [{ points: box(0.7625, 0.6625), material: 1 }], has_ground_colour: false, ground_colour: 0,
      markings: markings.map((one) => ({ ...one, material: 3 })), bounds: [-0.875, -0.675, 0.875, 0.675],
    },
    poses: [
      [-0.65, 0, 0], [-0.35, 0.25, 0], [-0.35, -0.25, 0],
      [0.65, 0, Math.PI], [0.35, 0.25, Math.PI], [0.35, -0.25, Math.PI], [0, 0, 0],
    ],
    halfX: 0.75, halfY: 0.65,
  };
}

function playground(): MockScene {
  return {
    scene: {
      name: 'playground', title: 'Playground: many shapes', step_s: 0.001,
      bodies: [
        robot('square', '', 0x35b26f, 0),
        { ...robot('disc', '', 0x26b3c8, 1), outlines: [outline([], 0.04)] },
        object('box', box(0.05, 0.03)), object('puck', [], 0.04), ball('golf'),
      ],
      walls: [
        wall(-1.02, -0.82, 1.02, -0.8), wall(-1.02, 0.8, 1.02, 0.82),
        wall(-1.02, -0.82, -1, 0.82), wall(1, -0.82, 1.02, 0.82),
        { points: [-0.6, -0.7, -0.6, -0.2], height: 0.05, colour: WHITE, material: 0, top: 0 },
      ],
      zones: [], meshes: [], mesh_places: [], sensors: [], notes: [], materials: [], floors: [], has_ground_colour: false, ground_colour: 0, markings: [], bounds: [-1.02, -0.82, 1.02, 0.82],
    },
    poses: [[-0.8, 0.6, -0.8], [-0.4, 0.5, -1.5], [0.4, -0.3, 0.3], [-0.3, -0.4, 0], [0.3, 0.1, 0]],
    halfX: 1, halfY: 0.8,
  };
}

function crowd(count: number): MockScene {
  const columns = Math.ceil(Math.sqrt(count));
  const half = columns * 0.1;
  const poses: [number, number, number][] = Array.from({ length: count }, (_, i) => [
    ((i % columns) + 0.5) * 0.2 - half, (Math.floor(i / columns) + 0.5) * 0.2 - half, i,
  ]);
  return {
    scene: {
      name: `crowd-${count}`, title: `Crowd: ${count} robots`, step_s: 0.001,
      bodies: [
        ...poses.map((_, i) => robot(`r-${i}`, i % 2 ? 'blue' : 'yellow', i % 2 ? BLUE : YELLOW, i)),
        ball('ball'),
      ],
      walls: [
        wall(-half - 0.05, -half - 0.05, half + 0.05, -half), wall(-half - 0.05, half, half + 0.05, half + 0.05),
        wall(-half - 0.05, -half, -half, half), wall(half, -half, half + 0.05, half),
      ],
      zones: [], meshes: [], mesh_places: [], sensors: [], notes: [], materials: [], floors: [], has_ground_colour: false, ground_colour: 0, markings: [], bounds: [-half - 0.05, -half - 0.05, half + 0.05, half + 0.05],
    },
    poses: [...poses, [0, 0, 0]],
    halfX: half, halfY: half,
  };
}

/** The thesis's yard, with a robot of a metre that has its senses, and a smaller one with others. */
function maze(): MockScene {
  const block = (x: number, y: number, endX: number, endY: number): Wall => {
    const [dx, dy] = [endX - x, endY - y];
    const across = 0.1 / Math.hypot(dx, dy);
    const [ox, oy] = [-dy * across, dx * across];
    return { points: [x + ox, y + oy, x - ox, y - oy, endX - ox, endY - oy, endX + ox, endY + oy], height: 2, colour: 0xd9d4c8, material: 0, top: 0 };
  };
  const one: Body = {
    ...robot('robot', '', 0xd8433b, 0), outlines: [outline(box(0.5, 0.35))], height: 0.4, wheel_radius: 0.2,
    wheel_distance: 0.7, supply: 24, mass: 25, max_speed: 4, max_turning: 2 * Math.PI,
    sensors: [
      sensor('gps', 3), sensor('odometry', 3), lidar(0.2, 0.45, 8),
      camera('camera', 0.2, 0.55),
    ],
  };
  const pioneer: Body = {
    ...robot('pioneer', '', 0x35b26f, 1), outlines: [outline(box(0.2275, 0.19))], height: 0.237, wheel_radius: 0.0975,
    wheel_distance: 0.381, supply: 12, mass: 9, max_speed: 1.2, max_turning: 5.2,
    sensors: [
      sensor('encoders', 2), sensor('odometry', 3), sonar(),
      sensor('bumper', 1, { first_bearing: -Math.PI, span: 2 * Math.PI, sectors: 10 }), sensor('imu', 3),
      camera('front', 0.1, 0.35), camera('rear', -0.1, 0.35, Math.PI),
    ],
  };
  return {
    scene: {
      name: 'maze', title: 'Maze: a yard with senses', step_s: 0.001, bodies: [one, pioneer],
      walls: [
        block(-20, -20, 20, -20), block(-20, -20, -20, 20), block(-20, 20, 20, 20), block(20, -20, 20, 20),
        block(-20, -12, -12, -12), block(-12, -20, -12, -12), block(15, -20, 15, -15), block(15, -15, 20, -15),
        block(20, 10, 10, 20),
      ],
      zones: [], meshes: [], mesh_places: [], sensors: [], notes: [], materials: [], floors: [], has_ground_colour: false, ground_colour: 0, markings: [{ points: [-10, 0, 10, 0, 14, 6], width: 0.1, colour: 0x30343a, material: 0 }], bounds: [-20.1, -20.1, 20.1, 20.1],
    },
    poses: [[0, 0, 0], [16, -16.5, Math.PI]],
    halfX: 20, halfY: 20,
  };
}

/** One robot on an open floor, called as in all such scenes. */
function lone(name: string, colour: number): MockScene {
  return {
    scene: {
      name, title: name, step_s: 0.001, bodies: [robot('robot', '', colour, 0)], walls: [], zones: [], markings: [],
      meshes: [], mesh_places: [], sensors: [], notes: [], materials: [], floors: [], has_ground_colour: false, ground_colour: 0, bounds: [-1, -1, 1, 1],
    },
    poses: [[0, 0, 0]], halfX: 1, halfY: 1,
  };
}

export const SCENES: Record<string, () => MockScene> = {
  soccer, playground, maze, 'crowd-1000': () => crowd(1000), 'crowd-10000': () => crowd(10_000),
  'figure-13': () => lone('figure-13', BLUE), road: () => lone('road', YELLOW), navigation: () => lone('navigation', 0xd8433b),
};
