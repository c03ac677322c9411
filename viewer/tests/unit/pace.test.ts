import { describe, expect, it } from 'vitest';
import { Pace } from '../../src/input/pace';

/** A page that gets to send at these instants, ms. */
function paceOf(instants: number[]): Pace {
  const pace = new Pace();
  for (const now of instants) pace.take(now);
  return pace;
}

const every = (ms: number, count: number, from = 0) => Array.from({ length: count }, (_, i) => from + i * ms);

describe('how long commands hold', () => {
  it('is as usual on a page that sends evenly', () => {
    expect(new Pace().holdMs).toBe(0);
    expect(paceOf(every(50, 300)).holdMs).toBe(0);
    expect(paceOf(every(200, 300)).holdMs).toBe(0);
  });

  it('outlasts the longest gap of the last ten seconds', () => {
    for (const gap of [250, 400, 900, 1100]) {
      const pace = paceOf([...every(50, 20), 950 + gap, ...every(50, 150, 1000 + gap)]);
      expect(pace.holdMs).toBeGreaterThan(2 * gap);
      for (const now of every(50, 100, 8600 + gap)) pace.take(now);
      expect(pace.holdMs).toBe(0);
    }
  });

  it('never is longer than the simulator allows', () => {
    expect(paceOf(every(5000, 5)).holdMs).toBe(3000);
  });

  it('forgets what happened before the page slept', () => {
    const pace = paceOf([0, 1000]);
    expect(pace.holdMs).toBe(2500);
    pace.forget();
    pace.take(100_000);
    pace.take(100_050);
    expect(pace.holdMs).toBe(0);
  });
});
