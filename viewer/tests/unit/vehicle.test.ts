import { describe, expect, it } from 'vitest';
import { Playback } from '../../src/state/playback';
import { attitude, ofHeading, rotate, slerp, unit, type Quat } from '../../src/state/quaternion';
import { readScene } from '../../src/state/scene';
import { reportOf } from '../../src/state/vehicle';
import { crate, spatialFrame, spatialScene, vehicle } from './ground';

const about = (axis: 0 | 1 | 2, angle: number): Quat => {
  const q: [number, number, number, number] = [Math.cos(angle / 2), 0, 0, 0];
  q[axis + 1] = Math.sin(angle / 2);
  return q;
};

describe('orientations', () => {
  it('are gone through evenly, the shorter way round', () => {
    const [a, b] = [about(2, 0.2), about(2, 1.4)];
    for (const share of [0, 0.25, 0.5, 1]) {
      const forward = rotate(slerp(a, b, share), [1, 0, 0]);
      expect(Math.atan2(forward[1], forward[0])).toBeCloseTo(0.2 + 1.2 * share, 6);
    }
    // The other sign of the same orientation.
    const other = b.map((x) => -x) as unknown as Quat;
    const half = rotate(slerp(a, other, 0.5), [1, 0, 0]);
    expect(Math.atan2(half[1], half[0])).toBeCloseTo(0.8, 6);
    // Beyond the second one it goes on.
    const beyond = rotate(slerp(a, b, 1.5), [1, 0, 0]);
    expect(Math.atan2(beyond[1], beyond[0])).toBeCloseTo(2.0, 6);
  });

  it('stay of length one, also between two that are nearly the same, and from nonsense', () => {
    for (const q of [slerp(about(0, 0.3), about(0, 0.3001), 0.4), slerp(about(0, 0), about(1, 3.1), 0.7), unit([0, 0, 0, 0]), unit([NaN, 1, 0, 0])]) {
      expect(Math.hypot(...q)).toBeCloseTo(1, 9);
    }
  });

  it('tell roll to the right and pitch with the nose up', () => {
    expect(attitude(about(1, -0.3)).pitch).toBeCloseTo(0.3, 6);
    expect(attitude(about(0, 0.4)).roll).toBeCloseTo(0.4, 6);
    expect(attitude(about(0, Math.PI)).tilt).toBeCloseTo(Math.PI, 6);
    expect(attitude(ofHeading(2)).tilt).toBeCloseTo(0, 6);
  });
});

describe('a vehicle', () => {
  const scene = spatialScene([vehicle('one'), crate('box'), vehicle('two')]);

  it('has its wheels among those of all', () => {
    expect(scene.wheelCount).toBe(8);
    expect(scene.bodies.map((body) => body.vehicle?.firstWheel)).toEqual([0, undefined, 4]);
    expect(scene.bodies[0]!.height).toBeCloseTo(0.28, 6);
  });

  it('looks as somebody drew it, where the scene says so', () => {
    const own = { ...vehicle('own'), shapes: { chassis: 2, chassis_up: 0.16, wheels: [1, 1, 0, 9] } };
    const { source } = spatialScene([own, vehicle('plain')]);
    const meshes = [{ obj: 'wheel' }, { obj: 'chassis' }];
    const [first, second] = readScene({ ...source, meshes }).bodies;
    expect(first!.vehicle!.drawn).toEqual({ chassis: 'chassis', up: 0.16, wheels: ['wheel', 'wheel', undefined, undefined] });
    expect(second!.vehicle!.drawn.chassis).toBeUndefined();
  });

  it('gets only what changed, wheels in the order of the bodies that are told', () => {
    const playback = new Playback(scene);
    expect(playback.take(spatialFrame(0, 3, 8), 0)).toBe('restarted');
    const change = spatialFrame(10, 2, 4, {
      key: false, body: [1, 2], z: [3, 4], qw: [1, 0], qx: [0, 2], wheel_angle: [1, 2, 3, 4], wheel_load: [5, 6, 7, 8],
      wheel_steer: [0.5, 0.25, 0, 0],
    });
    expect(playback.take(change, 10)).toBe('shown');
    const { space } = playback.latest;
    expect([...space!.z]).toEqual([0, 3, 4]);
    expect([...space!.angle]).toEqual([0, 0, 0, 0, 1, 2, 3, 4]);
    expect([...space!.load.slice(4)]).toEqual([5, 6, 7, 8]);
    expect([...space!.steer.slice(4)]).toEqual([0.5, 0.25, 0, 0]);
    expect(space!.rotation(2)).toEqual([0, 1, 0, 0]);
  });

  it('ignores frames whose columns do not fit', () => {
    const playback = new Playback(scene);
    expect(playback.take(spatialFrame(0, 3, 7), 0)).toBe('ignored');
    expect(playback.take(spatialFrame(0, 3, 8, { qx: [] }), 0)).toBe('ignored');
    expect(playback.take(spatialFrame(0, 3, 8), 0)).toBe('restarted');
    expect(playback.take(spatialFrame(5, 1, 0, { key: false, body: [0] }), 5)).toBe('ignored');
  });

  it('is shown between two frames: heights, tilts, and wheels that turn on over the full turn', () => {
    const alone = spatialScene([vehicle('one')]);
    const playback = new Playback(alone);
    // 50 rad/s: 1.65 rad in 33 ms, and over the end of the turn again and again.
    const spin = 50;
    const arrivals = Array.from({ length: 60 }, (_, i) => {
      const t = (i * 33) / 1000;
      const pitch = -0.5 * t;
      return spatialFrame(i * 33, 1, 4, {
        x: [t], vx: [1], z: [0.2 * t], qw: [Math.cos(pitch / 2)], qy: [Math.sin(pitch / 2)],
        wheel_angle: new Array<number>(4).fill((spin * t) % (2 * Math.PI)), wheel_spin: new Array<number>(4).fill(spin),
        wheel_steer: [0.3 * t, 0, 0, 0],
      });
    });
    let next = 0;
    let before: { x: number; z: number; angle: number; pitch: number; steer: number } | undefined;
    for (let now = 0; now < 1900; now += 1000 / 60) {
      while (next < arrivals.length && next * 33 <= now) playback.take(arrivals[next++]!, now);
      const shown = playback.advance(now);
      const space = shown.space!;
      const { pitch } = attitude(space.rotation(0));
      const here = { x: shown.x[0]!, z: space.z[0]!, angle: space.angle[0]!, pitch, steer: space.steer[0]! };
      if (before && now > 1000) {
        const way = here.x - before.x;
        expect(way).toBeGreaterThan(0.01);
        expect(here.z - before.z).toBeCloseTo(0.2 * way, 3);
        expect(here.pitch - before.pitch).toBeCloseTo(0.5 * way, 3);
        expect(here.steer - before.steer).toBeCloseTo(0.3 * way, 3);
        // The rim turns with the way, not back over the end of the turn.
        const turned = here.angle - before.angle;
        const off = turned - spin * way;
        expect(Math.abs(off - 2 * Math.PI * Math.round(off / (2 * Math.PI)))).toBeLessThan(0.02);
      }
      before = here;
    }
  });

  it('reports speed, tilt, and load, spring and slip of its wheels', () => {
    const alone = spatialScene([vehicle('one')]);
    const playback = new Playback(alone);
    const pitch = 0.3;
    playback.take(spatialFrame(0, 1, 4, {
      vx: [Math.cos(pitch)], qw: [Math.cos(pitch / 2)], qy: [-Math.sin(pitch / 2)],
      wheel_load: [98.1, 98.1, 0, 196.2], wheel_spin: [10, 20, 10, 0], wheel_raised: [0.02, 0, 0, 0],
    }), 0);
    const slips: Record<string, number> = { 'robot.one.wheel.1.slip.ratio': 0.5, 'robot.one.wheel.3.slip.ratio': -1 };
    const report = reportOf(alone.bodies[0]!, playback.latest, (name) => slips[name])!;
    expect(report.speed).toBeCloseTo(1, 5);
    expect(report.pitch).toBeCloseTo(pitch, 5);
    expect(report.wheels.map(({ share }) => share)).toEqual([1, 1, 0, 2].map((x) => expect.closeTo(x, 4)));
    // As the simulator tells them.
    expect(report.wheels.map(({ slip }) => slip)).toEqual([0, 0.5, 0, -1]);
    expect(report.wheels[0]!.raised).toBeCloseTo(0.02, 6);
    expect(report.lies).toBe(false);
    expect(reportOf(spatialScene([crate('box')]).bodies[0]!, playback.latest, () => undefined)).toBeUndefined();
  });
});
