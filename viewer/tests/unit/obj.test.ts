import { describe, expect, it } from 'vitest';
import { colourNamed, readObj, TAG, TEAM } from '../../src/state/obj';

describe('shapes from OBJ text', () => {
  it('are triangles in the colours that their materials are called after', () => {
    const { positions, colours } = readObj([
      '# a square and a triangle', 'v 0 0 0', 'v 1 0 0', 'v 1 1 0', 'v 0 1 2 # up', 'usemtl dark-green', 'f 1/1 2/2/3 3 4', 'usemtl steel', 'f -1 -2 -3',
    ].join('\n'));
    expect(colours).toEqual([0x1b5a24, 0x1b5a24, 0xb07d4f]);
    expect([...positions.slice(0, 9)]).toEqual([0, 0, 0, 1, 0, 0, 1, 1, 0]);
    expect([...positions.slice(9, 18)]).toEqual([0, 0, 0, 1, 1, 0, 0, 1, 2]);
    expect([...positions.slice(18)]).toEqual([0, 1, 2, 1, 1, 0, 1, 0, 0]);
  });

  it('know colours by number, those of the body that wears them, and normals', () => {
    const { colours, normals } = readObj([
      'v 0 0 0', 'v 1 0 0', 'v 0 1 0', 'vn 0 0.6 0.8', 'usemtl 0x2f6bff', 'f 1//1 2//1 3//1', 'usemtl team', 'f 1 2 3', 'usemtl tag', 'f 1//1 2 3',
    ].join('\n'));
    expect(colours).toEqual([0x2f6bff, TEAM, TAG]);
    expect([...normals.slice(0, 3)].map((x) => Number(x.toFixed(3)))).toEqual([0, 0.6, 0.8]);
    expect(normals.slice(9).every((x) => x === 0)).toBe(true);
  });

  it('pass over what is wrong', () => {
    expect(readObj('v 1 2\nv a b c\nf 1 2 3\nf 7 8 9\nf\nnonsense').colours).toEqual([]);
    expect(colourNamed('light_red')).toBe(0xff342e);
    expect(colourNamed('dark-')).toBeUndefined();
    expect(colourNamed('constructor')).toBeUndefined();
  });
});
