import { describe, expect, it } from 'vitest';
import { BodyKind } from '../../src/proto/live.js';
import { readScene } from '../../src/state/scene';
import { Snapshot } from '../../src/state/snapshot';
import { Tracer } from '../../src/state/trace';

const scene = readScene({
  generation: 1, name: 's', title: '', step_s: 0.001, walls: [], zones: [], meshes: [], mesh_places: [], sensors: [], notes: [], materials: [], floors: [], has_ground_colour: false, ground_colour: 0, markings: [], bounds: [],
  bodies: [{
    kind: BodyKind.ROBOT, name: 'a', team: '', colour: 0, tag_colour: 0, outlines: [], height: 0.07,
    wheel_radius: 0.025, wheel_distance: 0.08, supply: 9, mass: 0.3, max_speed: 0, max_turning: 0, max_curvature: 0, actuators: [], sensors: [], wheels: [], chassis: [], material: 0, lid: 0, tag: [],
  }],
});

function at(timeS: number, x: number, wheel: number): Snapshot {
  const snapshot = new Snapshot(1);
  snapshot.timeS = timeS;
  snapshot.x[0] = x;
  snapshot.vx[0] = 0.5;
  snapshot.wheelLeft[0] = snapshot.wheelRight[0] = wheel;
  return snapshot;
}

describe('traces', () => {
  it('join up, and follow wheels that slip as if they did not', () => {
    const tracer = new Tracer(scene, [0]);
    const steps = Array.from({ length: 31 }, (_, i) => tracer.take(at(i / 30, (0.5 * i) / 30, 40))).flat();
    const truth = steps.filter(({ odometry }) => !odometry);
    const wheels = steps.filter(({ odometry }) => odometry);
    for (const path of [truth, wheels]) {
      path.slice(1).forEach((step, i) => expect(step.fromX).toBeCloseTo(path[i]!.toX));
    }
    expect(truth.at(-1)!.toX).toBeCloseTo(0.5, 1);
    expect(wheels.at(-1)!.toX).toBeCloseTo(1, 1); // 40 rad/s of 25 mm: 1 m/s
  });

  it('break where a robot is put elsewhere', () => {
    const tracer = new Tracer(scene, [0]);
    tracer.take(at(0, 0, 0));
    expect(tracer.take(at(0.033, 2, 0))).toEqual([]);
    expect(tracer.take(at(0.066, 2.0165, 0))[0]).toMatchObject({ fromX: 2 });
  });

  it('trust no wheels over a gap in time', () => {
    const tracer = new Tracer(scene, [0]);
    tracer.take(at(0, 0, 40));
    expect(tracer.take(at(1, 0.5, 40)).filter(({ odometry }) => odometry)).toEqual([]);
  });
});
