import { describe, expect, it } from 'vitest';
import { BelievedTracer } from '../../src/state/believed';
import { findQuantity, sensedValue } from '../../src/state/sensor-signals';
import { ownerIn } from '../../src/state/scene';
import { pressedSectors, rayAhead, WORLD } from '../../src/state/sensors';
import { Senses } from '../../src/state/senses';
import { axesOf, fromSlider, toSlider } from '../../src/state/sigmas';
import { Recorder, toCsv } from '../../src/state/signals';
import { Snapshot } from '../../src/state/snapshot';
import { readings, robotScene, sensor } from './robot';

const RAYS = [0.2, 0, -1, 0.2, 0, 0.1, 0.2, 0, 1];
const scene = robotScene([sensor('gps', 3), sensor('odometry', 3), sensor('lidar', 3, { rays: RAYS, range: 8 })]);
const body = scene.bodies[0]!;

function watching(): Senses {
  const senses = new Senses();
  senses.watch([0]);
  return senses;
}

function truth(x: number, wheel = 0, step = 0): Snapshot {
  const snapshot = new Snapshot(1);
  snapshot.x[0] = x;
  snapshot.step = step;
  snapshot.timeS = step / 1000;
  snapshot.wheelLeft[0] = snapshot.wheelRight[0] = wheel;
  return snapshot;
}

describe('readings', () => {
  it('are those of the pose that is shown, not of what is newest', () => {
    const senses = watching();
    for (const step of [10, 20, 30]) senses.take(readings(step, [step, 0, 0, 0, 0, 0, 1, 2, 3]), scene);
    expect(senses.latest(0)!.step).toBe(30);
    expect(senses.at(0, 29)!.values[0]).toBe(20);
    expect(senses.at(0, 20)!.step).toBe(20);
    expect(senses.at(0, 5)!.step).toBe(10);
    expect(senses.at(1, 30)).toBeUndefined();
  });

  it('that do not fit the scene are ignored', () => {
    const senses = watching();
    const values = [0, 0, 0, 0, 0, 0, 1, 2, 3];
    expect(senses.take(readings(1, values, { generation: 2 }), scene)).toBe(false);
    expect(senses.take(readings(1, values, { body: 7 }), scene)).toBe(false);
    expect(senses.take(readings(1, values.slice(1)), scene)).toBe(false);
    expect(senses.latest(0)).toBeUndefined();
    expect(senses.take(readings(1, values), scene)).toBe(true);
  });

  it('begin anew when time goes back, and keep standard deviations until others are told', () => {
    const senses = watching();
    const values = [0, 0, 0, 0, 0, 0, 1, 2, 3];
    senses.take(readings(500, values, { sigmas: [{ sensor: 2, values: [0.25] }] }), scene);
    senses.take(readings(2, values), scene);
    expect(senses.at(0, 600)!.step).toBe(2);
    expect(senses.sigmas(0, 2)).toEqual([0.25]);
    expect(senses.sigmas(0, 1)).toBeUndefined();
  });

  it('stay few, and go with robots that are no longer watched', () => {
    const senses = watching();
    for (let step = 0; step < 500; step++) senses.take(readings(step, [0, 0, 0, 0, 0, 0, 1, 2, 3]), scene);
    expect(senses.at(0, 0)!.step).toBeGreaterThan(400);
    senses.watch([1]);
    expect(senses.latest(0)).toBeUndefined();
    // What was under way when it was said comes too late.
    expect(senses.take(readings(501, [0, 0, 0, 0, 0, 0, 1, 2, 3]), scene)).toBe(false);
    expect(senses.latest(0)).toBeUndefined();
  });
});

describe('signals of sensors', () => {
  it('are found by the names of their sensors', () => {
    expect(findQuantity(body, 'lidar.ahead')?.sensor.first).toBe(6);
    expect(findQuantity(body, 'lidar.x')).toBeUndefined();
    expect(findQuantity(body, 'sonar.ahead')).toBeUndefined();
    expect(findQuantity(body, 'speed')).toBeUndefined();
  });

  it('tell distances ahead and the error against the true pose', () => {
    const senses = watching();
    senses.take(readings(5, [1, 1, 0.1, 4, 0, 0.5, 7, 3, 2]), scene);
    const now = truth(1);
    const value = (quantity: string) => sensedValue(body, quantity, senses, now);
    expect(rayAhead(body.sensors[2]!)).toBe(1);
    expect(value('lidar.ahead')).toBe(3);
    expect(value('lidar.nearest')).toBe(2);
    expect(value('gps.offset')).toBe(1);
    expect(value('odometry.offset')).toBe(3);
    expect(value('odometry.turnOffset')).toBeCloseTo(0.5);
  });

  it('are recorded beside the others, with gaps where nothing is told', () => {
    const senses = watching();
    const recorder = new Recorder();
    recorder.add({ name: 'robot.one.x', unit: 'm' });
    recorder.add({ name: 'one lidar.ahead', unit: 'm', of: { body: 0, quantity: 'lidar.ahead' } });
    const take = (now: Snapshot) => recorder.take(now.timeS, ({ of }) => (of ? sensedValue(body, of.quantity, senses, now) : now.x[0]!));
    take(truth(1, 0, 0));
    senses.take(readings(500, [0, 0, 0, 0, 0, 0, 1, 2.5, 3]), scene);
    take(truth(2, 0, 500));
    expect(recorder.columns).toEqual([[1, 2], [null, 2.5]]);
    expect(toCsv(recorder).split('\r\n')[0]).toBe('time (s),robot.one.x (m),one lidar.ahead (m)');
  });

  it('count pressed sectors, also the last of many', () => {
    const bumper = { ...body.sensors[0]!, sectors: 10 };
    expect(pressedSectors(bumper, 0)).toEqual([]);
    expect(pressedSectors(bumper, 513)).toEqual([0, 9]);
  });
});

describe('the believed path', () => {
  const step = (tracer: BelievedTracer, at: number, x: number, wheel = 10) =>
    tracer.take(0, { step: at, values: [0, 0, 0, x, 0, 0, 1, 2, 3] }, truth(0, wheel));

  it('joins up, and has gaps', () => {
    const tracer = new BelievedTracer(scene);
    const steps = Array.from({ length: 200 }, (_, i) => step(tracer, 16 * i, 0.032 * i)).filter((piece) => piece !== undefined);
    expect(steps.length).toBeGreaterThan(20);
    steps.slice(1).forEach((piece, i) => expect(piece.fromX).toBe(steps[i]!.toX));
    expect(steps.every(({ odometry }) => odometry)).toBe(true);
    expect(new Set(steps.map(({ gap }) => gap))).toEqual(new Set([true, false]));
  });

  it('draws no line over a leap: the odometry was set anew, or the run', () => {
    const tracer = new BelievedTracer(scene);
    step(tracer, 0, 0);
    expect(step(tracer, 16, 9)).toBeUndefined();
    expect(step(tracer, 100, 9.2)?.fromX).toBe(9);
    expect(step(tracer, 50, 9.4)).toBeUndefined();
  });
});

describe('standard deviations', () => {
  it('have the axes of the wire, and smaller sliders in small worlds', () => {
    const axes = Object.fromEntries(['gps', 'odometry', 'imu', 'lidar', 'sonar', 'camera', 'bumper', 'encoders'].map((kind) => [kind, axesOf(kind, 40).length]));
    expect(axes).toEqual({ gps: 3, odometry: 2, imu: 4, lidar: 1, sonar: 1, camera: 1, bumper: 0, encoders: 0 });
    expect(axesOf('gps', 2)[0]!.most).toBeLessThan(axesOf('gps', 40)[0]!.most);
    expect(axesOf('gps', 2)[2]!.most).toBe(axesOf('gps', 40)[2]!.most);
  });
  it('go to a slider and back', () => {
    for (const value of [0, 0.01, 0.3, 2]) expect(fromSlider(toSlider(value, 2), 2)).toBeCloseTo(value, 9);
    expect(toSlider(50, 2)).toBe(1);
  });
});

describe('sensors of the world', () => {
  const both = robotScene([sensor('gps', 3)], {}, [sensor('camera', 1, { name: 'overhead' }), sensor('lidar', 3, { rays: RAYS, range: 8 })]);

  it('have readings of their own beside those of the robot of the same number', () => {
    const senses = new Senses();
    senses.watch([0, WORLD]);
    expect(senses.take(readings(7, [1, 2, 3]), both)).toBe(true);
    expect(senses.take(readings(7, [5, 1, 2, 8], { world: true, sigmas: [{ sensor: 1, values: [0.5] }] }), both)).toBe(true);
    expect(senses.latest(0)!.values).toEqual([1, 2, 3]);
    expect(senses.latest(WORLD)!.values).toEqual([5, 1, 2, 8]);
    expect([senses.sigmas(0, 1), senses.sigmas(WORLD, 1)]).toEqual([undefined, [0.5]]);
    // Only those that were asked for, and those that fit.
    expect(senses.take(readings(8, [1, 2, 3], { world: true }), both)).toBe(false);
    senses.watch([0]);
    expect(senses.take(readings(8, [5, 1, 2, 8], { world: true }), both)).toBe(false);
    expect(senses.latest(WORLD)).toBeUndefined();
  });

  it('can be plotted', () => {
    const senses = new Senses();
    senses.watch([WORLD]);
    senses.take(readings(7, [5, 1, 2, 8], { world: true }), both);
    const world = ownerIn(both, WORLD)!;
    expect(sensedValue(world, 'lidar.ahead', senses, truth(0))).toBe(2);
    expect(sensedValue(world, 'lidar.nearest', senses, truth(0))).toBe(1);
    expect(findQuantity(world, 'gps.x')).toBeUndefined();
  });
});
