import { describe, expect, it } from 'vitest';
import { colourNamed, readObj } from '../../src/state/obj';

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

  it('pass over what is wrong', () => {
    expect(readObj('v 1 2\nv a b c\nf 1 2 3\nf 7 8 9\nf\nnonsense').colours).toEqual([]);
    expect(colourNamed('light_red')).toBe(0xff342e);
    expect(colourNamed('dark-')).toBeUndefined();
    expect(colourNamed('constructor')).toBeUndefined();
  });
});
