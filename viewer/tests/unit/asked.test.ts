import { describe, expect, it } from 'vitest';
import { AskedTraces } from '../../src/state/asked';
import { Snapshot } from '../../src/state/snapshot';
import { robotScene } from './robot';

function at(timeS: number, x: number): Snapshot {
  const snapshot = new Snapshot(1);
  snapshot.timeS = timeS;
  snapshot.x[0] = x;
  snapshot.vx[0] = 1;
  return snapshot;
}

describe('ways that a program wants to be drawn', () => {
  it('are what was told, and go on from its end', () => {
    const traces = new AskedTraces(robotScene([]));
    const told = { body: 0, true_way: [{ points: [-9, 0, -8, 0] }, { points: [0, 0, 0.1, 0, 0.2, 0] }], believed: [{ points: [0, 0, 0, 0.1] }] };
    const steps = traces.set([told]);
    expect(steps.map(({ odometry }) => odometry)).toEqual([false, false, false, true]);
    expect(steps[1]).toMatchObject({ fromX: 0, toX: 0.1 });
    expect(traces.take(at(1, 0.25))).toEqual([]);
    expect(traces.take(at(1.1, 0.35))).toMatchObject([{ fromX: 0.2, odometry: false }]);
    expect(traces.take(at(1.2, 0.45))[0]?.fromX).toBeCloseTo(0.35);
  });

  it('break where the robot is put elsewhere, and end when they are not wanted', () => {
    const traces = new AskedTraces(robotScene([]));
    traces.set([{ body: 0, true_way: [{ points: [0, 0] }], believed: [] }]);
    traces.take(at(0, 0));
    expect(traces.take(at(0.03, 5))).toEqual([]);
    expect(traces.take(at(0.13, 5.1))).toMatchObject([{ fromX: 5 }]);
    expect(traces.set([])).toEqual([]);
    expect([traces.has(0), traces.take(at(0.23, 5.2))]).toEqual([false, []]);
  });

  it('are of bodies that there are', () => {
    const traces = new AskedTraces(robotScene([]));
    expect(traces.set([{ body: 7, true_way: [{ points: [0, 0, 1, 1] }], believed: [] }])).toEqual([]);
    expect(traces.bodies).toEqual([]);
  });
});
