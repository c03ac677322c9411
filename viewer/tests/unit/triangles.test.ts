import { describe, expect, it } from 'vitest';
import { Ground } from '../../src/state/ground';
import { triangulate, type Triangles } from '../../src/state/triangles';
import { terrain } from './ground';

/** Numbers in [0, 1) that are the same in every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Lopsided lands, so that a swapped or mirrored axis shows. */
const noise = random(3);
const LANDS: Record<string, Ground> = {
  // A ramp, a step, washboard: straight edges and level ground between.
  'proving ground': Ground.of(terrain((x, y) => {
    if (y > 2) return x > -6 && x < 2 ? Math.min(1.4, 0.35 * (x + 6)) : 0;
    if (y > -1) return x > 3.02 && x < 5 ? 0.4 : 0;
    return x < 0 ? 0.025 * (1 - Math.cos(12.566 * x)) : 0;
  }, {}, 401, 203))!,
  hills: Ground.of(terrain((x, y) => Math.sin(0.9 * x + 0.2) * Math.cos(0.6 * y) + 0.2 * Math.sin(3 * x + 2 * y) + 0.05 * x, {}, 161, 97))!,
  // No two neighbours alike, and cells that are steep saddles.
  rough: Ground.of(terrain(() => 0.3 * noise(), {}, 70, 45))!,
  coarse: Ground.of(terrain((x, y) => 0.02 * x * y + 0.3 * noise(), {}, 5, 3))!,
  level: Ground.of(terrain(() => 0.7, { extended: false }, 2, 2))!,
};

/** How far the triangles are off the ground at most, m: at points within each. */
function farthest(ground: Ground, { positions, groups }: Triangles): number {
  const draw = random(7);
  let most = 0;
  for (const index of groups) {
    for (let t = 0; t < index.length; t += 3) {
      const corners = [0, 1, 2].map((k) => positions.subarray(3 * index[t + k]!, 3 * index[t + k]! + 3));
      for (let n = 0; n < 12; n++) {
        let [u, v] = n === 0 ? [1 / 3, 1 / 3] : n < 4 ? ([[0.5, 0], [0, 0.5], [0.5, 0.5]][n - 1] as [number, number]) : [draw(), draw()];
        if (u + v > 1) [u, v] = [1 - u, 1 - v];
        const at = (axis: number) => corners[0]![axis]! * (1 - u - v) + corners[1]![axis]! * u + corners[2]![axis]! * v;
        most = Math.max(most, Math.abs(at(2) - ground.height(at(0), at(1))));
      }
    }
  }
  return most;
}

describe.each(Object.entries(LANDS))('triangles of %s', (name, ground) => {
  const drawn = triangulate(ground, 0.004, 1e6);

  it('are nowhere farther from the surface than said', () => {
    expect(drawn.tolerance).toBe(0.004);
    expect(farthest(ground, drawn)).toBeLessThan(0.004 + 1e-5);
    // What is measured can tell: coarser ones are farther off.
    const coarse = triangulate(ground, 0.2, 1e6);
    expect(farthest(ground, coarse)).toBeLessThan(0.2 + 1e-5);
    if (name !== 'level') expect(farthest(ground, coarse)).toBeGreaterThan(0.02);
    expect(coarse.count).toBeLessThanOrEqual(drawn.count);
  });

  it('cover all of it once, from above, without gaps', () => {
    const sides = new Map<string, number>();
    let [area, turned] = [0, 0];
    const { positions, groups } = drawn;
    for (const index of groups) {
      for (let t = 0; t < index.length; t += 3) {
        const [a, b, c] = [index[t]!, index[t + 1]!, index[t + 2]!];
        const [ax, ay] = [positions[3 * a]!, positions[3 * a + 1]!];
        const own = ((positions[3 * b]! - ax) * (positions[3 * c + 1]! - ay) - (positions[3 * c]! - ax) * (positions[3 * b + 1]! - ay)) / 2;
        if (own <= 0) turned++;
        area += own;
        for (const [from, to] of [[a, b], [b, c], [c, a]]) {
          const key = `${Math.min(from!, to!)} ${Math.max(from!, to!)}`;
          sides.set(key, (sides.get(key) ?? 0) + 1);
        }
      }
    }
    expect(turned).toBe(0);
    expect(area).toBeCloseTo(200, 2);
    // A side belongs to two triangles, or lies on the border.
    const onBorder = new Set(drawn.borders.flatMap((line) => [...line].slice(1).map((n, k) => [line[k]!, n].sort((a, b) => a - b).join(' '))));
    expect([...sides].filter(([side, count]) => count !== (onBorder.has(side) ? 1 : 2))).toEqual([]);
    expect([...onBorder].filter((side) => !sides.has(side))).toEqual([]);
  });
});

describe('triangles', () => {
  it('are few where the ground is even', () => {
    expect(triangulate(LANDS.level!, 0.004, 1e6).count).toBe(2);
    const tilted = Ground.of(terrain((x, y) => 0.5 * x - 0.25 * y, {}, 257, 129))!;
    expect(triangulate(tilted, 0.004, 1e6).count).toBe(16);
  });

  it('are never more than they may be; then it is said how far they are off', () => {
    const few = triangulate(LANDS.rough!, 0.004, 2000);
    expect(few.count).toBeLessThanOrEqual(2000);
    expect(few.tolerance).toBeGreaterThan(0.02);
    expect(farthest(LANDS.rough!, few)).toBeLessThan(few.tolerance + 1e-5);
  });
});
