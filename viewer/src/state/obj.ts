// Shapes from OBJ text: vertices, faces, and materials that are called after colours. No browser needed.

export interface Shape {
  /** Corners of triangles: x, y, z each. */
  positions: Float32Array;
  /** Colour of each triangle, 0xRRGGBB. */
  colours: number[];
}

/** As cameras in the simulator see them. */
const COLOURS: Record<string, [number, number, number]> = {
  black: [28, 28, 30], white: [244, 244, 240], grey: [140, 140, 144], gray: [140, 140, 144], red: [200, 40, 36],
  green: [46, 150, 60], blue: [36, 84, 200], yellow: [240, 204, 44], orange: [236, 134, 32], brown: [126, 80, 44],
  purple: [128, 60, 170],
};
const PLAIN = 0xb07d4f;
const MOST_TRIANGLES = 100_000;

/** A colour by its plain English name, perhaps with `dark-` or `light-` before it. */
export function colourNamed(name: string): number | undefined {
  const [, shade, plain] = /^(?:(dark|light)[-_])?(\w+)$/.exec(name.toLowerCase()) ?? [];
  const colour = plain !== undefined && Object.hasOwn(COLOURS, plain) ? COLOURS[plain] : undefined;
  if (!colour) return undefined;
  const factor = shade === 'dark' ? 0.6 : shade === 'light' ? 1.3 : 1;
  return colour.reduce((sum, part) => sum * 256 + Math.min(255, Math.floor(part * factor)), 0);
}

/** What is wrong in the text is passed over: nothing depends on it. */
export function readObj(text: string): Shape {
  const vertices: [number, number, number][] = [];
  const positions: number[] = [];
  const colours: number[] = [];
  let colour = PLAIN;
  for (const line of text.split('\n')) {
    const [kind, ...words] = line.split('#')[0]!.trim().split(/\s+/);
    if (kind === 'v') {
      const [x = NaN, y = NaN, z = NaN] = words.map(Number);
      vertices.push([x, y, z]);
    } else if (kind === 'usemtl') {
      colour = colourNamed(words[0] ?? '') ?? PLAIN;
    } else if (kind === 'f') {
      const corners = words.map((word) => {
        const number = parseInt(word, 10);
        return vertices[number > 0 ? number - 1 : vertices.length + number];
      });
      if (corners.some((corner) => !corner?.every(Number.isFinite))) continue;
      for (let i = 1; i + 1 < corners.length && colours.length < MOST_TRIANGLES; i++) {
        positions.push(...corners[0]!, ...corners[i]!, ...corners[i + 1]!);
        colours.push(colour);
      }
    }
  }
  return { positions: Float32Array.from(positions), colours };
}
