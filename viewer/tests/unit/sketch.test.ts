import { describe, expect, it } from 'vitest';
import { edgeAt, INKS, Sketch, sketchAround, sketchBelieved, sketchFix, sketchWorld, STRIDE } from '../../src/state/sketch';
import { robotScene, sensor } from './robot';

interface Stroke { from: number[]; to: number[]; alpha: number; width: number; ink: string }

function strokes({ data, count }: Sketch): Stroke[] {
  return Array.from({ length: count }, (_, i) => {
    const own = [...data.slice(i * STRIDE, (i + 1) * STRIDE)];
    return { from: own.slice(0, 3), to: own.slice(3, 6), alpha: own[7]!, width: own[8]!, ink: INKS[own[9]!]! };
  });
}

/** Turned to the left, at (10, 5). */
const pose = { x: 10, y: 5, heading: Math.PI / 2 };

describe('a sketch of', () => {
  it('a lidar leads from its place to what was measured, and tells hits from misses', () => {
    const scene = robotScene([sensor('gps', 3), sensor('lidar', 2, { rays: [0.2, 0, 0, 0.2, 0, Math.PI / 2], range: 8, height: 0.45 })]);
    const sketch = new Sketch();
    sketchAround(sketch, scene.bodies[0]!, [0, 0, 0, 3, 8], pose);
    const [hit, dot, miss, ...rest] = strokes(sketch);
    expect(rest).toEqual([]);
    expect(hit!.from[0]).toBeCloseTo(10);
    expect(hit!.from[1]).toBeCloseTo(5.2);
    expect(hit!.from[2]).toBeCloseTo(0.45);
    expect(hit!.to[1]).toBeCloseTo(8.2);
    expect(dot!.from).toEqual(dot!.to);
    expect(dot!.from[1]).toBeCloseTo(8.2);
    // The second ray looks to the robot's left: away from x.
    expect(miss!.to[0]).toBeCloseTo(2);
    expect(miss!.to[1]).toBeCloseTo(5.2);
    expect(miss!.alpha).toBeLessThan(hit!.alpha);
  });

  it('a sonar has an arc at its distance', () => {
    const scene = robotScene([sensor('sonar', 1, { rays: [0, 0, 0], range: 5, height: 0.2, cone: 0.4 })]);
    const sketch = new Sketch();
    sketchAround(sketch, scene.bodies[0]!, [2], { x: 0, y: 0, heading: 0 });
    const arc = strokes(sketch).filter(({ from }) => Math.hypot(from[0]!, from[1]!) > 1);
    expect(arc.length).toBeGreaterThan(3);
    for (const { from, to } of arc) for (const end of [from, to]) expect(Math.hypot(end[0]!, end[1]!)).toBeCloseTo(2);
    expect(Math.atan2(arc[0]!.from[1]!, arc[0]!.from[0]!)).toBeCloseTo(-0.2);
    expect(Math.atan2(arc.at(-1)!.to[1]!, arc.at(-1)!.to[0]!)).toBeCloseTo(0.2);
  });

  it('a bumper shows only what is pressed, at the edge of the body', () => {
    const scene = robotScene([sensor('bumper', 1, { first_bearing: -0.5, span: 2, sectors: 2 })]);
    const body = scene.bodies[0]!;
    const sketch = new Sketch();
    sketchAround(sketch, body, [0], { x: 0, y: 0, heading: 0 });
    expect(sketch.count).toBe(0);
    sketchAround(sketch, body, [1], { x: 0, y: 0, heading: 0 });
    expect(sketch.count).toBeGreaterThan(0);
    for (const { from, ink } of strokes(sketch)) {
      expect(ink).toBe('bumper');
      expect(Math.abs(Math.atan2(from[1]!, from[0]!))).toBeLessThan(0.51);
      expect(from[0]! >= 0.5 || Math.abs(from[1]!) >= 0.3).toBe(true);
    }
  });

  it('a believed pose is the outline there, and a fix is a cross there', () => {
    const body = robotScene([]).bodies[0]!;
    const sketch = new Sketch();
    sketchBelieved(sketch, body, pose);
    for (const { from } of strokes(sketch)) {
      expect(Math.abs(from[0]! - 10)).toBeLessThanOrEqual(0.3001);
      expect(Math.abs(from[1]! - 5)).toBeLessThanOrEqual(0.5001);
    }
    sketch.clear();
    sketchFix(sketch, body, pose, 0.1);
    expect(strokes(sketch).some(({ from, to }) => from[0]! < 9.5 && to[0]! > 10.5)).toBe(true); // not smaller than a few pixels
    expect(strokes(sketch).some(({ from, to }) => from[1] === 5 && to[1]! > 5.9 && Math.abs(to[0]! - 10) < 1e-5)).toBe(true);
  });

  it('very many rays finds room', () => {
    const count = 1080;
    const rays = Array.from({ length: count }, (_, i) => [0, 0, i / 200]).flat();
    const scene = robotScene([sensor('lidar', count, { rays, range: 8 })]);
    const sketch = new Sketch();
    sketchAround(sketch, scene.bodies[0]!, new Array<number>(count).fill(1), pose);
    expect(sketch.count).toBe(2 * count);
  });
});

describe('the edge of a body', () => {
  it('is found in any direction, of polygons and circles', () => {
    const box = robotScene([]).bodies[0]!;
    expect(edgeAt(box, 0)).toBeCloseTo(0.5);
    expect(edgeAt(box, Math.PI / 2)).toBeCloseTo(0.3);
    expect(edgeAt(box, Math.atan2(0.3, 0.5))).toBeCloseTo(Math.hypot(0.3, 0.5));
    const disc = robotScene([], { outlines: [{ radius: 0.2, x: 0.1, y: 0, points: [] }] }).bodies[0]!;
    expect(edgeAt(disc, 0)).toBeCloseTo(0.3);
    expect(edgeAt(disc, Math.PI)).toBeCloseTo(0.1);
  });
});

describe('sensors of the world', () => {
  /** Turned by an angle about y: looks down by it. */
  const down = (angle: number) => ({ qw: Math.cos(angle / 2), qx: 0, qy: Math.sin(angle / 2), qz: 0 });

  it('are drawn where they stand, beams as tilted as they are', () => {
    const pose = { x: 1, y: 2, z: 3, ...down(Math.PI / 6) };
    const { world } = robotScene([], {}, [sensor('lidar', 2, { rays: [0, 0, 0, 0, 0, Math.PI / 2], range: 8, pose })]);
    const sketch = new Sketch();
    sketchWorld(sketch, world.sensors, [2, 4]);
    const [ahead, , left, , place] = strokes(sketch);
    expect(ahead!.from).toEqual([1, 2, 3]);
    [1 + 2 * Math.cos(Math.PI / 6), 2, 2].forEach((x, i) => expect(ahead!.to[i]).toBeCloseTo(x, 5));
    [1, 6, 3].forEach((x, i) => expect(left!.to[i]).toBeCloseTo(x, 5));
    expect([place!.from, place!.to]).toEqual([[1, 2, 3], [1, 2, 3]]);
  });

  it('show what part of the ground a camera that looks down sees', () => {
    const pose = { x: 0.5, y: 0, z: 2, ...down(Math.PI / 2) };
    const camera = sensor('camera', 1, { pose, opening_x: Math.PI / 2, opening_y: 2 * Math.atan(0.5) });
    const { world } = robotScene([], {}, [camera]);
    const sketch = new Sketch();
    sketchWorld(sketch, world.sensors, [7]);
    const ground = strokes(sketch).filter(({ from, to }) => Math.abs(from[2]!) < 1e-5 && Math.abs(to[2]!) < 1e-5);
    expect(ground.length).toBe(4);
    // Its left is y; what is up in the picture is ahead, x.
    const reach = (axis: number) => [Math.min(...ground.map(({ from }) => from[axis]!)), Math.max(...ground.map(({ from }) => from[axis]!))];
    [-0.5, 1.5].forEach((x, i) => expect(reach(0)[i]).toBeCloseTo(x, 5));
    [-2, 2].forEach((y, i) => expect(reach(1)[i]).toBeCloseTo(y, 5));
  });
});
