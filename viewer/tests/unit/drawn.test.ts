import { describe, expect, it } from 'vitest';
import { drawnPart } from '../../src/view3d/drawn';

const OBJ = ['v 0 0 0', 'v 1 0 0', 'v 0 1 1', 'usemtl 0xff0000', 'f 1 2 3', 'usemtl team', 'f 1 3 2', 'f 1 2 3'].join('\n');
const numbers = (part: { getAttribute(name: string): { array: ArrayLike<number> } } | undefined, name: string) =>
  Array.from(part!.getAttribute(name).array);

describe('a drawn part', () => {
  it('comes apart by whose colours it has', () => {
    const { own, team, tag } = drawnPart(OBJ);
    expect(numbers(own, 'position')).toHaveLength(9);
    expect(numbers(own, 'color').slice(0, 3)).toEqual([1, 0, 0]);
    expect(numbers(team, 'position')).toHaveLength(18);
    // White, as it is multiplied by the body's.
    expect(numbers(team, 'color').every((x) => x === 1)).toBe(true);
    expect(tag).toBeUndefined();
  });

  it('is mirrored for the right side, and still seen from outside', () => {
    const [plain, mirrored] = [drawnPart(OBJ).own, drawnPart(OBJ, true).own];
    expect(numbers(mirrored, 'position')).toEqual([0, -0, 0, 0, -1, 1, 1, -0, 0]);
    const [nx, ny, nz] = numbers(plain, 'normal');
    expect(numbers(mirrored, 'normal').slice(0, 3).map((x) => x + 0)).toEqual([nx, -ny!, nz].map((x) => x! + 0));
  });

  it('of nothing is nothing', () => {
    expect(drawnPart('nonsense')).toEqual({ own: undefined, team: undefined, tag: undefined });
  });
});
