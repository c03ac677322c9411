import { describe, expect, it } from 'vitest';
import { Recorder, toCsv } from '../../src/state/signals';
import { Snapshot } from '../../src/state/snapshot';

function snapshot(timeS: number, x: number): Snapshot {
  const made = new Snapshot(2);
  made.timeS = timeS;
  made.x[0] = x;
  made.vx[0] = 3;
  made.vy[0] = 4;
  return made;
}

describe('the recorder of signals', () => {
  it('keeps one row a frame, and gaps before a signal was chosen', () => {
    const recorder = new Recorder();
    recorder.add({ body: 0, quantity: 'x' });
    recorder.take(snapshot(0, 1));
    recorder.add({ body: 0, quantity: 'speed' });
    recorder.take(snapshot(0.5, 2));
    expect(recorder.times).toEqual([0, 0.5]);
    expect(recorder.columns).toEqual([[1, 2], [null, 5]]);
  });

  it('renews the newest row while time stands still', () => {
    const recorder = new Recorder();
    recorder.add({ body: 0, quantity: 'x' });
    recorder.take(snapshot(1, 1));
    recorder.take(snapshot(1, 2));
    expect(recorder.columns).toEqual([[2]]);
  });

  it('begins anew when time goes back', () => {
    const recorder = new Recorder();
    recorder.add({ body: 0, quantity: 'x' });
    recorder.take(snapshot(5, 1));
    recorder.take(snapshot(0, 2));
    expect(recorder.times).toEqual([0]);
  });

  it('stays bounded', () => {
    const recorder = new Recorder();
    recorder.add({ body: 0, quantity: 'x' });
    for (let i = 0; i < 40_000; i++) recorder.take(snapshot(i, i));
    expect(recorder.times.length).toBeLessThanOrEqual(18_000);
    expect(recorder.times.at(-1)).toBe(39_999);
    expect(recorder.columns[0]!.length).toBe(recorder.times.length);
  });

  it('writes tables that spreadsheets read, also with odd names', () => {
    const recorder = new Recorder();
    recorder.add({ body: 0, quantity: 'x' });
    recorder.take(snapshot(0, 1));
    recorder.add({ body: 0, quantity: 'voltsLeft' });
    recorder.take(snapshot(0.033, 0.5));
    expect(toCsv(recorder, () => 'a "b", c')).toBe(
      'time (s),"a ""b"", c x (m)","a ""b"", c voltsLeft (V)"\r\n0,1,\r\n0.033,0.5,0\r\n',
    );
  });
});
