import { describe, expect, it } from 'vitest';
import { BodyKind, type Frame, type Scene } from '../../src/proto/live.js';
import { Playback } from '../../src/state/playback';
import { readScene } from '../../src/state/scene';

function scene(bodies = 1, generation = 1) {
  const body = {
    kind: BodyKind.ROBOT, name: 'a', team: '', colour: 0, tag_colour: 0, outlines: [], height: 0.07,
    wheel_radius: 0.025, wheel_distance: 0.07, supply: 9, mass: 0.3, max_speed: 0, max_turning: 0, max_curvature: 0, actuators: [], sensors: [], wheels: [], chassis: [], material: 0, lid: 0, tag: [],
  };
  const source: Scene = {
    generation, name: 's', title: 's', step_s: 0.001,
    bodies: Array.from({ length: bodies }, () => body),
    walls: [], zones: [], meshes: [], mesh_places: [], sensors: [], notes: [], materials: [], floors: [], has_ground_colour: false, ground_colour: 0, markings: [], bounds: [-1, -1, 1, 1],
  };
  return readScene(source);
}

function frame(step: number, columns: Partial<Frame>): Frame {
  return {
    generation: 1, step, time_s: step / 1000, key: true, body: [], x: [0], y: [0], heading: [0],
    vx: [0], vy: [0], omega: [0], flags: [0], volts_left: [], volts_right: [], current_left: [],
    current_right: [], wheel_left: [], wheel_right: [], contact_x: [], contact_y: [],
    contact_impulse: [], z: [], qw: [], qx: [], qy: [], qz: [], wheel_angle: [], wheel_raised: [], wheel_load: [], wheel_spin: [], wheel_steer: [], scores: [], events: [], events_dropped: 0, run_time_s: 0, ...columns,
  };
}

/** Plays frames of a body at 1 m/s, published every `every` ms; `arrival` says when each comes. */
function playOut(every: number, count: number, arrival: (publishedAt: number, i: number) => number | undefined) {
  const playback = new Playback(scene());
  const arrivals: { at: number; frame: Frame }[] = [];
  for (let i = 0; i < count; i++) {
    const at = arrival(i * every, i);
    if (at === undefined) continue;
    arrivals.push({ at, frame: frame(i * every, { x: [(i * every) / 1000], vx: [1] }) });
  }
  // A socket keeps the order.
  arrivals.forEach((now, i) => (now.at = Math.max(now.at, arrivals[i - 1]?.at ?? 0)));
  const shown: { at: number; x: number }[] = [];
  let next = 0;
  for (let now = 0; now < count * every; now += 1000 / 60) {
    while (next < arrivals.length && arrivals[next]!.at <= now) playback.take(arrivals[next++]!.frame, now);
    if (playback.started) shown.push({ at: now, x: playback.advance(now).x[0]! });
  }
  return { shown, playback };
}

/** Speeds between pictures once playing has settled. */
function speeds(shown: { at: number; x: number }[], after: number) {
  const settled = shown.filter(({ at }) => at > after);
  return settled.slice(1).map((now, i) => ((now.x - settled[i]!.x) * 1000) / (now.at - settled[i]!.at));
}

/** Reproducible numbers between 0 and 1. */
function random() {
  let state = 12345;
  return () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
}

describe('playback', () => {
  it('moves steadily when frames come evenly', () => {
    for (const every of [16, 33]) {
      const { shown } = playOut(every, 150, (at) => at + 5);
      for (const speed of speeds(shown, 1000)) expect(Math.abs(speed - 1)).toBeLessThan(0.08);
    }
  });

  it('moves steadily and never back when frames come up to 40 ms late', () => {
    const noise = random();
    const { shown } = playOut(33, 300, (at) => at + 5 + 40 * noise());
    for (const speed of speeds(shown, 3000)) {
      expect(speed).toBeGreaterThan(0.85);
      expect(speed).toBeLessThan(1.15);
    }
  });

  it('moves steadily when frames come in bunches of three', () => {
    const { shown } = playOut(16, 600, (at, i) => at + 16 * (2 - (i % 3)));
    for (const speed of speeds(shown, 3000)) {
      expect(speed).toBeGreaterThan(0.85);
      expect(speed).toBeLessThan(1.15);
    }
  });

  it('bridges dropped frames', () => {
    const noise = random();
    const { shown } = playOut(16, 600, (at, i) => (i > 0 && noise() < 0.25 ? undefined : at + 3));
    for (const speed of speeds(shown, 3000)) {
      expect(speed).toBeGreaterThan(0.8);
      expect(speed).toBeLessThan(1.2);
    }
  });

  it('lags little when frames come evenly', () => {
    const { playback } = playOut(16, 300, (at) => at);
    expect(playback.timeline.delayMs).toBeLessThan(40);
  });

  it('continues movement for 50 ms at most', () => {
    const { playback } = playOut(20, 100, (at) => at);
    playback.advance(2100);
    const held = playback.advance(3000).x[0]!;
    expect(held).toBeGreaterThan(1.98);
    expect(held).toBeLessThan(1.98 + 0.06);
    expect(playback.advance(9000).x[0]!).toBe(held);
  });

  it('turns the short way across the seam of angles', () => {
    const playback = new Playback(scene());
    playback.take(frame(0, { heading: [3.1] }), 0);
    playback.take(frame(100, { heading: [-3.1] }), 100);
    for (let now = 100; now < 400; now += 10) {
      expect(Math.abs(playback.advance(now).heading[0]!)).toBeGreaterThan(3.05);
    }
  });

  it('snaps a body that was put elsewhere', () => {
    const playback = new Playback(scene());
    playback.take(frame(0, { x: [0] }), 0);
    playback.take(frame(33, { x: [0] }), 33);
    playback.take(frame(66, { x: [1] }), 66);
    const seen = new Set<number>();
    for (let now = 66; now < 600; now += 5) seen.add(playback.advance(now).x[0]!);
    expect([...seen].sort()).toEqual([0, 1]);
  });

  it('snaps to the start after a reset', () => {
    const { playback } = playOut(20, 100, (at) => at);
    expect(playback.take(frame(0, { x: [0] }), 2001)).toBe('restarted');
    expect(playback.advance(2002).x[0]!).toBe(0);
  });

  it('shows what is put elsewhere in a pause', () => {
    const playback = new Playback(scene());
    playback.take(frame(10, { x: [0] }), 0);
    playback.take(frame(10, { x: [0.5] }), 5000);
    playback.advance(5001);
    expect(playback.advance(5400).x[0]!).toBeCloseTo(0.5);
  });

  it('ignores frames of another scene and changes before the first key', () => {
    const playback = new Playback(scene());
    expect(playback.take(frame(0, { generation: 2 }), 0)).toBe('ignored');
    expect(playback.take(frame(0, { key: false, body: [0] }), 0)).toBe('ignored');
    expect(playback.started).toBe(false);
  });

  it('applies changes on top of what is known', () => {
    const playback = new Playback(scene(3));
    const zeros = [0, 0, 0];
    playback.take(
      frame(0, { x: [1, 2, 3], y: zeros, heading: zeros, vx: zeros, vy: zeros, omega: zeros, volts_left: [1, 2, 3] }),
      0,
    );
    playback.take(
      frame(33, { key: false, body: [2, 0], x: [3.01, 1.01], y: [0, 0], heading: [0, 0], vx: [0, 0], vy: [0, 0], omega: [0, 0], volts_left: [30, 10] }),
      33,
    );
    expect([...playback.latest.x].map((x) => x.toFixed(2))).toEqual(['1.01', '2.00', '3.01']);
    expect([...playback.latest.voltsLeft]).toEqual([10, 2, 30]);
  });

  it('refuses frames whose columns do not fit', () => {
    const playback = new Playback(scene(2));
    expect(playback.take(frame(0, { x: [1] }), 0)).toBe('ignored');
    expect(playback.take(frame(0, { key: false, body: [7] }), 0)).toBe('ignored');
  });

  it('turns wheels by their speeds', () => {
    const playback = new Playback(scene());
    for (let i = 0; i <= 30; i++) {
      playback.take(frame(i * 20, { wheel_left: [2], wheel_right: [-2] }), i * 20);
      playback.advance(i * 20);
    }
    playback.advance(640);
    const shown = playback.advance(700);
    expect(shown.wheelTurnLeft[0]!).toBeGreaterThan(1.1);
    expect(shown.wheelTurnLeft[0]!).toBeLessThan(1.4);
    expect(shown.wheelTurnRight[0]!).toBeCloseTo(-shown.wheelTurnLeft[0]!);
  });

  it('goes backwards as steadily as forwards, and its wheels turn back', () => {
    const playback = new Playback(scene());
    for (let i = 0; i <= 60; i++) {
      const at = 5 - i / 30;
      const outcome = playback.take(frame(Math.round(at * 1000), { run_time_s: 100 + at, x: [at], vx: [1], wheel_left: [2] }), i * 33);
      expect(outcome).toBe(i === 0 ? 'restarted' : 'back');
      playback.advance(i * 33);
    }
    const before = playback.advance(61 * 33 - 50);
    const [x, timeS, turn] = [before.x[0]!, before.runTimeS, before.wheelTurnLeft[0]!];
    const after = playback.advance(61 * 33 - 10);
    expect(after.x[0]!).toBeLessThan(x);
    expect(after.runTimeS).toBeLessThan(timeS);
    expect(after.runTimeS).toBeCloseTo(100 + after.x[0]!, 1);
    expect(after.wheelTurnLeft[0]!).toBeLessThan(turn);
  });

  it('tells going back from beginning anew', () => {
    const playback = new Playback(scene());
    playback.take(frame(5000, { run_time_s: 5 }), 0);
    expect(playback.take(frame(2000, { run_time_s: 2 }), 33)).toBe('back');
    expect(playback.take(frame(0, { run_time_s: 2 }), 66)).toBe('restarted');
    expect(playback.take(frame(33, { run_time_s: 2.033 }), 99)).toBe('shown');
  });

  it('shows an instant that is gone to at once where time stands', () => {
    const playback = new Playback(scene());
    for (let i = 0; i < 20; i++) playback.take(frame(i * 33, { run_time_s: i * 0.033, x: [i] }), i * 33);
    playback.advance(640);
    playback.standing = true;
    expect(playback.take(frame(0, { run_time_s: 0, x: [-5] }), 660)).toBe('back');
    expect(playback.advance(661).x[0]!).toBe(-5);
    playback.take(frame(9000, { run_time_s: 9, x: [7], vx: [3] }), 700);
    expect(playback.advance(740).x[0]!).toBe(7);
  });
});
