// Shapes from OBJ text: vertices, faces, and materials that are called after colours. No browser needed.

export interface Shape {
  /** Corners of triangles: x, y, z each. */
  positions: Float32Array;
  /** Normals at those corners, where all of a triangle's have one, else zeros. */
  normals: Float32Array;
  /** Colour of each triangle, 0xRRGGBB; TEAM and TAG: those of the body that wears the shape. */
  colours: number[];
}

export const TEAM = -1;
export const TAG = -2;
const OWN: Record<string, number> = { team: TEAM, tag: TAG };

/** As cameras in the simulator see them. */
const COLOURS: Record<string, [number, number, number]> = {
  black: [28, 28, 30], white: [244, 244, 240], grey: [140, 140, 144], gray: [140, 140, 144], red: [200, 40, 36],
  green: [46, 150, 60], blue: [36, 84, 200], yellow: [240, 204, 44], orange: [236, 134, 32], brown: [126, 80, 44],
  purple: [128, 60, 170],
};
export const PLAIN = 0xb07d4f;
const MOST_TRIANGLES = 100_000;

/** A colour by its plain English name, perhaps with `dark-` or `light-` before it, or as `0xrrggbb`. */
export function colourNamed(name: string): number | undefined {
  if (/^0x[0-9a-f]{6}$/i.test(name)) return parseInt(name, 16);
  const [, shade, plain] = /^(?:(dark|light)[-_])?(\w+)$/.exec(name.toLowerCase()) ?? [];
  const colour = plain !== undefined && Object.hasOwn(COLOURS, plain) ? COLOURS[plain] : undefined;
  if (!colour) return undefined;
  const factor = shade === 'dark' ? 0.6 : shade === 'light' ? 1.3 : 1;
  return colour.reduce((sum, part) => sum * 256 + Math.min(255, Math.floor(part * factor)), 0);
}

/** What is wrong in the text is passed over: nothing depends on it. */
export function readObj(text: string): Shape {
  type Triple = [number, number, number];
  const lists: { v: Triple[]; vn: Triple[] } = { v: [], vn: [] };
  const positions: number[] = [];
  const normals: number[] = [];
  const colours: number[] = [];
  let colour = PLAIN;
  const pick = (list: Triple[], word: string | undefined) => {
    const number = parseInt(word ?? '', 10);
    return list[number > 0 ? number - 1 : list.length + number];
  };
  for (const line of text.split('\n')) {
    const [kind, ...words] = line.split('#')[0]!.trim().split(/\s+/);
    if (kind === 'v' || kind === 'vn') {
      const [x = NaN, y = NaN, z = NaN] = words.map(Number);
      lists[kind].push([x, y, z]);
    } else if (kind === 'usemtl') {
      const name = words[0] ?? '';
      colour = Object.hasOwn(OWN, name) ? OWN[name]! : colourNamed(name) ?? PLAIN;
    } else if (kind === 'f') {
      const corners = words.map((word) => pick(lists.v, word));
      if (corners.some((corner) => !corner?.every(Number.isFinite))) continue;
      const upright = words.map((word) => pick(lists.vn, word.split('/')[2]));
      const smooth = upright.every((normal) => normal?.every(Number.isFinite));
      for (let i = 1; i + 1 < corners.length && colours.length < MOST_TRIANGLES; i++) {
        for (const k of [0, i, i + 1]) {
          positions.push(...corners[k]!);
          normals.push(...(smooth ? upright[k]! : [0, 0, 0]));
        }
        colours.push(colour);
      }
    }
  }
  return { positions: Float32Array.from(positions), normals: Float32Array.from(normals), colours };
}
