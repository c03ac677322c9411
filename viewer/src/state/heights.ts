// Heights of a terrain as the simulator tells them: see Terrain.heights in live.proto.

import type { Terrain } from '../proto/live.js';

/** Most bytes of one height, and most steps between the lowest and the highest one. */
const MOST_BYTES = 3;
const MOST_STEPS = 524_287;

/** Heights, m, node (i, j) at j nx + i; undefined where the message contradicts itself. */
export function readHeights({ nx, ny, lowest, quantum, heights: bytes }: Terrain): Float32Array<ArrayBuffer> | undefined {
  // A node has a byte at least, so no message takes memory without having it.
  if (!(nx >= 2 && ny >= 2 && nx * ny <= bytes.length && Number.isFinite(lowest) && Number.isFinite(quantum))) return undefined;
  const out = new Float32Array(nx * ny);
  let below = new Int32Array(nx);
  let row = new Int32Array(nx);
  let at = 0;
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      let number = 0;
      for (let k = 0; ; k++) {
        if (k === MOST_BYTES || at === bytes.length) return undefined;
        const byte = bytes[at++]!;
        number |= (byte & 0x7f) << (7 * k);
        if (byte < 0x80) break;
      }
      const guess = i === 0 ? below[0]! : j === 0 ? row[i - 1]! : row[i - 1]! + below[i]! - below[i - 1]!;
      const steps = guess + ((number >>> 1) ^ -(number & 1));
      if (steps < 0 || steps > MOST_STEPS) return undefined;
      row[i] = steps;
      out[j * nx + i] = lowest + quantum * steps;
    }
    [below, row] = [row, below];
  }
  return at === bytes.length ? out : undefined;
}
