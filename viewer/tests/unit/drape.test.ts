import { BufferGeometry, Float32BufferAttribute } from 'three';
import { describe, expect, it } from 'vitest';
import { Ground } from '../../src/state/ground';
import { drape } from '../../src/view3d/drape';
import { terrain } from './ground';

describe('what is painted on rough ground', () => {
  it('lies on it over crests and steps, neither below it nor far above', () => {
    // A step within a cell of 5 cm, and a crest between two slopes.
    const ground = Ground.of(terrain((x, y) => (x > 2.02 ? 0.4 : 0) + 0.3 * Math.max(0, 1 - Math.abs(x + 4 + 0.2 * y)), {}, 401, 201))!;
    const lift = 0.008;
    const flat = new BufferGeometry();
    flat.setAttribute('position', new Float32BufferAttribute([-6, -1, lift, 5, -1, lift, 5, 1, lift, -6, -1, lift, 5, 1, lift, -6, 1, lift], 3));
    const position = drape(flat, ground).getAttribute('position');
    expect(position.count).toBeGreaterThan(300);
    expect(position.count).toBeLessThan(180_000);
    let [area, lowest, highest] = [0, Infinity, -Infinity];
    for (let i = 0; i < position.count; i += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => [position.getX(i + k), position.getY(i + k), position.getZ(i + k)] as const) as unknown as [number[], number[], number[]];
      area += Math.abs((b[0]! - a[0]!) * (c[1]! - a[1]!) - (c[0]! - a[0]!) * (b[1]! - a[1]!)) / 2;
      for (const [u, v] of [[0.4, 0.3], [0.1, 0.1], [0.7, 0.2], [0.5, 0]] as const) {
        const at = (axis: number) => a[axis]! * (1 - u - v) + b[axis]! * u + c[axis]! * v;
        // Square to the ground: the step is steep.
        const over = (at(2) - ground.height(at(0), at(1))) / Math.hypot(1, ...ground.gradient(at(0), at(1)));
        [lowest, highest] = [Math.min(lowest, over), Math.max(highest, over)];
      }
    }
    expect(area).toBeCloseTo(22, 3);
    expect(lowest).toBeGreaterThan(0);
    expect(highest).toBeLessThan(2.5 * lift);
  });
});
