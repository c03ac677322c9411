import { describe, expect, it } from 'vitest';
import { DETAILS, DetailGovernor, MOST_MS, type DetailName } from '../../src/state/detail';

/** A machine that takes so long for a picture at each detail, ms, as measured at an instant, ms. */
type Machine = (detail: DetailName, now: number) => number;

const costs = (...ms: number[]): Machine => (detail) => ms[DETAILS.indexOf(detail)]!;

/** Draws for so long; gives the instants of changes, and the share of time at each detail in the last half. */
function run(governor: DetailGovernor, machine: Machine, forMs: number, from = 0) {
  const changes: number[] = [];
  const spent = new Map<DetailName, number>();
  let now = from;
  while (now < from + forMs) {
    // Pictures come with the screen, 60 a second at most.
    const took = Math.max(1000 / 60, machine(governor.detail, now));
    if (now > from + forMs / 2) spent.set(governor.detail, (spent.get(governor.detail) ?? 0) + took);
    now += took;
    if (governor.drew(now)) changes.push(now);
  }
  return { changes, spent, now };
}

/** Numbers between 0 and 1, the same every time. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('detail', () => {
  it('stays as it is on a machine that can draw all of it', () => {
    const governor = new DetailGovernor('full');
    expect(run(governor, costs(10, 8, 6, 4, 3, 2), 60_000).changes).toEqual([]);
    expect(governor.detail).toBe('full');
  });

  it('falls within seconds to what 20 pictures a second allow', () => {
    const governor = new DetailGovernor('full');
    const { changes } = run(governor, costs(1200, 700, 400, 120, 45, 20), 15_000);
    expect(governor.detail).toBe('lower');
    expect(changes.length).toBeLessThanOrEqual(4);
    expect(changes.at(-1)).toBeLessThan(10_000);
  });

  it('ends at the lowest where nothing is fast enough, and stays there', () => {
    const governor = new DetailGovernor('full');
    const { changes } = run(governor, costs(3000, 3000, 3000, 3000, 3000, 3000), 120_000);
    expect(governor.detail).toBe('lowest');
    expect(changes.length).toBeLessThanOrEqual(5);
  });

  it('rises again when there is room', () => {
    const governor = new DetailGovernor('full');
    const busy: Machine = (_, now) => (now < 20_000 ? 100 : 5);
    run(governor, busy, 20_000);
    expect(governor.detail).toBe('lowest');
    const { changes } = run(governor, busy, 60_000, 20_000);
    expect(governor.detail).toBe('full');
    expect(changes.length).toBe(DETAILS.length - 1);
  });

  it('does not go up and down where the next level is too much', () => {
    const governor = new DetailGovernor('full');
    // At `low` there seems to be room; `medium` takes too long.
    const { changes, spent } = run(governor, costs(300, 200, 80, 15, 10, 5), 600_000);
    expect(changes.length).toBeLessThan(18);
    const all = [...spent.values()].reduce((a, b) => a + b);
    expect(spent.get('low')! / all).toBeGreaterThan(0.95);
  });

  it('holds 20 pictures a second on any machine that can, and changes ever more rarely', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const random = numbers(seed);
      let ms = 3 + 40 * random();
      const table = DETAILS.map(() => (ms *= 1 + 2 * random())).reverse();
      const governor = new DetailGovernor(DETAILS[Math.floor(random() * DETAILS.length)]!);
      const { changes, spent } = run(governor, costs(...table), 600_000);
      const slow = [...spent].filter(([detail]) => table[DETAILS.indexOf(detail)]! > MOST_MS);
      const all = [...spent.values()].reduce((a, b) => a + b);
      const lost = slow.reduce((sum, [, time]) => sum + time, 0);
      if (table.at(-1)! <= MOST_MS) expect(lost / all, `seed ${seed}: ${table.map(Math.round)}`).toBeLessThan(0.05);
      expect(changes.length, `seed ${seed}: ${table.map(Math.round)}`).toBeLessThan(24);
    }
  });

  it('takes no notice of a single slow picture, nor of a pause', () => {
    const governor = new DetailGovernor('full');
    const hiccups: Machine = (_, now) => (now % 2000 < 17 ? 300 : 10);
    expect(run(governor, hiccups, 60_000).changes).toEqual([]);
    governor.pause();
    expect(governor.drew(200_000)).toBe(false);
    expect(run(governor, costs(10, 8, 6, 4, 3, 2), 5000, 200_000).changes).toEqual([]);
  });
});
