import { describe, expect, it } from 'vitest';
import { Recorder, toCsv, type Signal } from '../../src/state/signals';

const X: Signal = { name: 'robot.one.x', unit: 'm' };
const SPEED: Signal = { name: 'robot.one.speed.forward', unit: 'm/s' };
const values = (known: Record<string, number>) => ({ name }: Signal) => known[name];

describe('the recorder of signals', () => {
  it('keeps one row a frame, and gaps before a signal was chosen', () => {
    const recorder = new Recorder();
    recorder.add(X);
    recorder.take(0, values({ [X.name]: 1 }));
    recorder.add(SPEED);
    recorder.take(0.5, values({ [X.name]: 2, [SPEED.name]: 5 }));
    expect(recorder.times).toEqual([0, 0.5]);
    expect(recorder.columns).toEqual([[1, 2], [null, 5]]);
  });

  it('keeps what sensors tell apart from channels', () => {
    const recorder = new Recorder();
    recorder.add(X);
    recorder.add({ name: 'one lidar.ahead', unit: 'm', of: { body: 0, quantity: 'lidar.ahead' } });
    expect(recorder.channels).toEqual([X.name]);
  });

  it('renews the newest row while time stands still', () => {
    const recorder = new Recorder();
    recorder.add(X);
    recorder.take(1, () => 1);
    recorder.take(1, () => 2);
    expect(recorder.columns).toEqual([[2]]);
  });

  it('begins anew when time goes back', () => {
    const recorder = new Recorder();
    recorder.add(X);
    recorder.take(5, () => 1);
    recorder.take(0, () => 2);
    expect(recorder.times).toEqual([0]);
  });

  it('stays bounded', () => {
    const recorder = new Recorder();
    recorder.add(X);
    for (let i = 0; i < 40_000; i++) recorder.take(i, () => i);
    expect(recorder.times.length).toBeLessThanOrEqual(18_000);
    expect(recorder.times.at(-1)).toBe(39_999);
    expect(recorder.columns[0]!.length).toBe(recorder.times.length);
  });

  it('writes tables that spreadsheets read, also with odd names', () => {
    const recorder = new Recorder();
    recorder.add({ name: 'robot.a "b", c.x', unit: 'm' });
    recorder.take(0, () => 1);
    recorder.add({ name: 'step', unit: '' });
    recorder.take(0.033, ({ name }) => (name === 'step' ? 33 : 0.5));
    expect(toCsv(recorder)).toBe('time (s),"robot.a ""b"", c.x (m)",step\r\n0,1,\r\n0.033,0.5,33\r\n');
  });
});
