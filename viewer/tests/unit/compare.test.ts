import { describe, expect, it } from 'vitest';
import { BodyKind, GhostKind, type Body, type Event, type Ghost, type Mark, type Series } from '../../src/proto/live.js';
import { courseOf, middles } from '../../src/state/course';
import { coursesOf, GhostMotion, GhostTable, TINTS } from '../../src/state/ghosts';
import { MarkTable } from '../../src/state/marks';
import { looksLikePath, readPath } from '../../src/state/paths';
import { Shown } from '../../src/state/playback';
import { joined, RunSeries } from '../../src/state/run-series';
import { outline, SeriesDesk, type AskSeries, type Curve, type SeriesAnswer } from '../../src/state/series';
import { attitude, rotate } from '../../src/state/quaternion';
import { Space } from '../../src/state/space';
import { spatialScene, vehicle } from './ground';
import { robotScene } from './robot';

const mark = (time_s: number, kind: string): Mark => ({ time_s, kind, text: kind, bodies: [], value: 0, zone: 0 });

describe('marks', () => {
  const table = () => {
    const marks = new MarkTable();
    marks.take({ course: 1, marks: [mark(5, 'goal'), mark(1, 'impact'), mark(2, 'slip'), mark(2.01, 'impact'), mark(9, 'reset')], left_out: [{ kind: 'impact', count: 40 }] });
    return marks;
  };
  it('are gone through in order of time, without kinds that are hidden', () => {
    const marks = table();
    expect(marks.shown.map(({ timeS }) => timeS)).toEqual([1, 2.01, 5, 9]);
    expect(marks.next(2.01)?.timeS).toBe(5);
    expect(marks.previous(2.01)?.timeS).toBe(1);
    expect(marks.next(9)).toBeUndefined();
    marks.hide('impact', true);
    expect(marks.previous(5)).toBeUndefined();
    marks.hide('slip', false);
    expect(marks.previous(5)?.kind).toBe('slip');
  });
  it('count their kinds, the most important first', () => {
    expect(table().kinds).toEqual([{ kind: 'goal', count: 1 }, { kind: 'reset', count: 1 }, { kind: 'impact', count: 42 }, { kind: 'slip', count: 1 }]);
  });
  it('near an instant tell the most important first', () => {
    const marks = table();
    expect(marks.near(4.9, 5).map(({ kind }) => kind)).toEqual(['goal', 'reset', 'impact', 'impact']);
    expect(marks.near(3.5, 0.5)).toEqual([]);
  });
  it('of a live run are kept as far as they can be gone to', () => {
    const marks = new MarkTable();
    const event: Event = { step: 1, time_s: 1, kind: 'goal', text: '', bodies: [], value: 0, zone: 1 };
    for (const timeS of [1, 3, 2]) marks.hear(event, timeS);
    expect(marks.shown.map(({ timeS }) => timeS)).toEqual([1, 2, 3]);
    const { version } = marks;
    marks.forgetBefore(2);
    expect(marks.shown.map(({ timeS }) => timeS)).toEqual([2, 3]);
    expect(marks.version).toBeGreaterThan(version);
  });
});

describe('measured paths', () => {
  it('have three or four numbers a line, as rolima compare reads them', () => {
    const text = '# t x y z\n0.0  0.000 0.000 0\n% more\n0.5,0.240;\t0.010 0\r\n\n// end\n1 5e-1 .03 -1\n';
    expect(looksLikePath(text)).toBe(true);
    expect(readPath(text)).toEqual({ times: [0, 0.5, 1], x: [0, 0.24, 0.5], y: [0, 0.01, 0.03], z: [0, 0, -1], timed: true });
    expect(readPath('1 2 3\n4 5 6')).toMatchObject({ times: [0, 1], x: [1, 4], timed: false });
  });
  it('are told apart from maps', () => {
    for (const map of ['# a maze\nW 0 0 1 1\n', 'R 0 0', '', '\u0089PNG', 'run_time [s],robot.a.x [m]\n0,1\n']) expect(looksLikePath(map), map).toBe(false);
  });
  it('that are wrong are told by their line', () => {
    expect(readPath('1 2\n')).toEqual({ line: 1, got: '1 2', expected: 0 });
    expect(readPath('# t x y z\n0 1 2 3\n1 2 3\n')).toEqual({ line: 3, got: '1 2 3', expected: 4 });
    expect(readPath('0 1 2\n0 x 2\n')).toEqual({ line: 2, got: '0 x 2', expected: 3 });
    expect(readPath('1 0 0 0\n0.5 0 0 0\n')).toEqual({ line: 2, got: '0.5 0 0 0', expected: 'order' });
  });
});

describe('ways', () => {
  it('leave out what is nearer than one sees, and keep their instants', () => {
    const course = courseOf([10, 11, 12, 13], [0, 0.001, 0.2, 0.4], [0, 0, 0, 0], 0.01);
    expect(course.count).toBe(2);
    expect([...course.pieces].map((value) => Number(value.toFixed(3)))).toEqual([0, 0, 0.2, 0, 0.2, 0, 0.4, 0]);
    expect([...course.times]).toEqual([2, 3]);
    expect(course.startS).toBe(10);
    expect(course.length).toBeCloseTo(0.4);
  });
  it('have gaps where nothing is known and where something was put elsewhere', () => {
    const x = Array.from({ length: 20 }, (_, i) => (i < 10 ? i * 0.02 : 1 + i * 0.02));
    x[5] = NaN;
    const course = courseOf(x.map((_, i) => i), x, x.map(() => 0), 0.01);
    const longest = Math.max(...Array.from({ length: course.count }, (_, i) => course.pieces[4 * i + 2]! - course.pieces[4 * i]!));
    expect(longest).toBeLessThan(0.03);
    expect(course.count).toBe(19 - 2 - 1);
  });
  it('of thinned values go through their middles', () => {
    expect(middles({ unit: 'm', times: [0, 1, 2], low: [0, 2, 5], high: [1, 2, 7] })).toEqual({ times: [0.5, 1, 2], values: [0.5, 2, 6] });
  });
});

describe('asking for values', () => {
  const question = (channels: string[], points = 1000) => ({ channels, beginS: 0, endS: 1, points, source: 0 });
  const answer = (request: number, names: string[], more: Partial<Series> = {}): Series =>
    ({ request, times_s: [0, 0.5], values: names.map((name) => ({ name, unit: 'm', low: [1, 2], high: [] })), last: true, ...more });
  const desk = () => {
    const sent: AskSeries[] = [];
    return { sent, desk: new SeriesDesk((ask) => sent.push(ask) > 0) };
  };
  it('puts pieces together', () => {
    const { sent, desk: one } = desk();
    let got: SeriesAnswer | undefined;
    one.ask('a', question(['x']), (all) => (got = all));
    one.take(answer(sent[0]!.request, ['x'], { last: false }));
    expect(got).toBeUndefined();
    one.take(answer(sent[0]!.request, ['x'], { times_s: [1], values: [{ name: 'x', unit: 'm', low: [3], high: [4] }] }));
    expect(got && 'curves' in got && got.curves.get('x')).toEqual({ unit: 'm', times: [0, 0.5, 1], low: [1, 2, 3], high: [1, 2, 4] });
  });
  it('asks one thing after another, large ones in parts', () => {
    const { sent, desk: one } = desk();
    const names = Array.from({ length: 100 }, (_, i) => `c${i}`);
    let got: SeriesAnswer | undefined;
    let other: SeriesAnswer | undefined;
    one.ask('a', question(names), (all) => (got = all));
    one.ask('b', question(['x']), (all) => (other = all));
    expect(sent.map(({ channels }) => channels.length)).toEqual([65]);
    one.take(answer(sent[0]!.request, sent[0]!.channels));
    expect(sent.map(({ channels }) => channels.length)).toEqual([65, 35]);
    for (const ask of sent) expect(ask.channels.length * ask.points).toBeLessThanOrEqual(65_536);
    one.take(answer(sent[1]!.request, sent[1]!.channels));
    expect(got && 'curves' in got && got.curves.size).toBe(100);
    expect(other).toBeUndefined();
    one.take(answer(sent[2]!.request, ['x']));
    expect(other && 'curves' in other && other.curves.size).toBe(1);
  });
  it('drops what is asked anew, and goes on after a refusal', () => {
    const { sent, desk: one } = desk();
    const got: string[] = [];
    one.ask('a', question(['old']), () => got.push('old'));
    one.ask('b', question(['b']), (all) => got.push('refusal' in all ? 'refused' : 'b'));
    one.ask('a', question(['new']), () => got.push('new'));
    one.take(answer(sent[0]!.request, ['old']));
    expect(sent.map(({ channels }) => channels[0])).toEqual(['old', 'b']);
    one.take(answer(sent[1]!.request, [], { refusal: { code: 126, body: 0, name: 'b', most: 0, got: 0, others: 0, nav: 0, detail: '' } }));
    one.take(answer(sent[2]!.request, ['new']));
    expect(got).toEqual(['refused', 'new']);
  });
  it('forgets what another connection was asked', () => {
    const { sent, desk: one } = desk();
    let called = false;
    one.ask('a', question(['x']), () => (called = true));
    one.begin();
    one.take(answer(sent[0]!.request, ['x']));
    expect(called).toBe(false);
    one.ask('a', question(['x']), () => (called = true));
    one.take(answer(sent[1]!.request, ['x']));
    expect(called).toBe(true);
  });
});

describe('curves', () => {
  const curve: Curve = { unit: 'm', times: [0, 1, 2], low: [0, -1, 2], high: [0, 3, 2] };
  it('go through the least and the largest of what a point stands for', () => {
    expect(outline(curve)).toEqual({ times: [0, 1, 1.5, 2], values: [0, -1, 3, 2] });
    expect(outline({ ...curve, low: [3, -1, 0], high: [3, 3, 0] }).values).toEqual([3, 3, -1, 0]);
    expect(outline({ ...curve, low: [NaN, 1, 1], high: [NaN, 1, 1] }).values).toEqual([null, 1, 1]);
  });
  it('are joined into one table', () => {
    expect(joined([{ times: [0, 2], values: [1, null] }, { times: [0, 1], values: [5, 6] }])).toEqual([[0, 1, 2], [1, undefined, null], [5, 6, undefined]]);
  });
  it('of a run are asked for once, and anew where another stretch is seen', () => {
    const run = new RunSeries();
    const wanted = { names: ['x'], begin: 0, end: 100, at: 50, spanS: Infinity, course: 1, grows: false };
    expect(run.question(wanted, 0)).toMatchObject({ beginS: 0, endS: 100, channels: ['x'] });
    expect(run.question({ ...wanted, at: 60 }, 10)).toBeUndefined();
    expect(run.question({ ...wanted, course: 2 }, 20)).toBeDefined();
    expect(run.question({ ...wanted, course: 2, spanS: 10 }, 30)).toMatchObject({ beginS: 45, endS: 55 });
    expect(run.question({ ...wanted, course: 2, spanS: 10, at: 52 }, 40)).toBeUndefined();
    expect(run.question({ ...wanted, course: 2, spanS: 10, at: 54.9 }, 50)).toMatchObject({ beginS: 49.9 });
    expect(run.question({ ...wanted, names: [] }, 60)).toBeUndefined();
  });
  it('of a run that goes on are renewed now and then', () => {
    const run = new RunSeries();
    const wanted = { names: ['x'], begin: 0, end: 10, at: 10, spanS: Infinity, course: 1, grows: true };
    expect(run.question(wanted, 0)).toBeDefined();
    expect(run.question({ ...wanted, end: 11, at: 11 }, 1000)).toBeUndefined();
    expect(run.question({ ...wanted, end: 16, at: 16 }, 6000)).toMatchObject({ endS: 16 });
  });
});

describe('ghosts', () => {
  const scene = robotScene([]);
  const body: Body = { ...scene.bodies[0]!.source, kind: BodyKind.ROBOT, name: 'g' };
  const ghost = (number: number, more: Partial<Ghost> = {}): Ghost =>
    ({ number, name: `${number}.mcap`, kind: GhostKind.RECORDING, begin_s: 10, end_s: 40, shift_s: 0, bodies: [body], channels: ['robot.g.x', 'robot.g.y', 'robot.g.heading'], timed: true, ...more });
  const curve = (low: number[]): Curve => ({ unit: 'm', times: [10, 11, 12], low, high: low });

  it('keep what was chosen for them, and have tints of their own', () => {
    const table = new GhostTable();
    table.take({ ghosts: [ghost(1), ghost(2)] });
    const [first, second] = table.all;
    expect(first!.tint).not.toBe(second!.tint);
    expect(TINTS).toContain(first!.tint);
    first!.visible = false;
    const own = table.addPath('p.txt', { times: [0, 1], x: [0, 1], y: [0, 0], z: [0, 0], timed: false }, 0.01);
    expect(own.courses[0]!.length).toBe(1);
    table.take({ ghosts: [ghost(1), ghost(3)] });
    expect(table.all.map(({ key, visible }) => [key, visible])).toEqual([['1', false], ['3', true], ['path-1', true]]);
    expect(table.all[0]).toBe(first);
    table.removeOwn('path-1');
    table.begin();
    expect(table.all).toEqual([]);
  });
  it('are where they were, between what is known', () => {
    const table = new GhostTable();
    table.take({ ghosts: [ghost(1)] });
    const motion = new GhostMotion(table.all[0]!, scene);
    const shown = new Shown(1);
    expect(motion.put(shown, 11)).toBe(false);
    expect(motion.question(11, 1, 1)).toMatchObject({ channels: ['robot.g.x', 'robot.g.y', 'robot.g.heading'], source: 1, beginS: 10 });
    expect(motion.question(11, 1, 1)).toBeUndefined();
    motion.take(new Map([['robot.g.x', curve([0, 2, 4])], ['robot.g.y', curve([1, 1, 1])], ['robot.g.heading', curve([3, -3, -3])]]));
    expect(motion.put(shown, 10.5)).toBe(true);
    expect([shown.x[0], shown.y[0]]).toEqual([1, 1]);
    // The short way round.
    expect(Math.abs(shown.heading[0]!)).toBeCloseTo(Math.PI, 1);
    expect(motion.put(shown, 9)).toBe(false);
    expect(motion.put(shown, 100)).toBe(true);
    expect(shown.x[0]).toBe(4);
  });
  it('are asked for ahead of where time goes, as far as there is anything', () => {
    const table = new GhostTable();
    table.take({ ghosts: [ghost(1, { begin_s: 0, end_s: 1000 })] });
    const motion = new GhostMotion(table.all[0]!, scene);
    const first = motion.question(100, 1, 1)!;
    expect([first.beginS, first.endS]).toEqual([97, 109]);
    motion.take(new Map());
    expect(motion.question(105, 1, 1)).toBeUndefined();
    expect(motion.question(107, 1, 1)).toBeDefined();
    motion.giveUp();
    expect(motion.question(98, -1, 1)!.beginS).toBeLessThan(90);
    motion.take(new Map());
    // Fast playing needs more of it.
    const fast = motion.question(500, 1, 50)!;
    expect(fast.endS - fast.beginS).toBeCloseTo(600);
  });
  it('on rough ground lie as they lay', () => {
    const table = new GhostTable();
    table.take({ ghosts: [ghost(1, { channels: ['x', 'y', 'heading', 'z', 'roll', 'pitch'].map((part) => `robot.g.${part}`) })] });
    const motion = new GhostMotion(table.all[0]!, spatialScene([vehicle('one')]));
    const question = motion.question(11, 1, 1)!;
    expect(question.channels).toContain('robot.g.roll');
    const values = { x: 1, y: 2, heading: 0.7, z: 3, roll: 0.2, pitch: -0.4 };
    motion.take(new Map(Object.entries(values).map(([part, value]) => [`robot.g.${part}`, curve([value, value, value])])));
    const shown = new Shown(1, Space.for(motion.scene));
    expect(motion.put(shown, 11)).toBe(true);
    expect(shown.space!.z[0]).toBe(3);
    const { roll, pitch } = attitude(shown.space!.rotation(0));
    expect([roll, pitch]).toEqual([expect.closeTo(0.2, 5), expect.closeTo(-0.4, 5)]);
    const [x, y] = rotate(shown.space!.rotation(0), [1, 0, 0]);
    expect(Math.atan2(y, x)).toBeCloseTo(0.7, 5);
  });
  it('have ways', () => {
    const curves = new Map([['robot.g.x', curve([0, 1, 2])], ['robot.g.y', curve([0, 0, 0])]]);
    expect(coursesOf(curves, ['robot.g.', 'robot.h.'], 0.01).map(({ length }) => length)).toEqual([2]);
  });
});
