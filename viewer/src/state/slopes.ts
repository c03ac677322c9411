// Slopes of rough ground at its nodes, as a picture with smaller copies of itself for the distance. No browser needed.

import type { Ground } from './ground';

/** Most nodes along a side: what every graphics card takes. Longer sides are sampled. */
export const MOST_SIDE = 4096;
/** Steeper slopes, as rise over run, are shown as this. */
const STEEPEST = 1000;

export interface Level {
  /** Slopes along x and y, two numbers a node, rows along x. */
  readonly data: Float32Array;
  readonly width: number;
  readonly height: number;
}

/** Nodes of a picture of the ground's grid along x and y. */
export function pictureNodes(ground: Ground): [number, number] {
  return [Math.min(ground.nx, MOST_SIDE), Math.min(ground.ny, MOST_SIDE)];
}

/** Heights of these nodes, m. */
export function pictureHeights(ground: Ground): Float32Array<ArrayBuffer> {
  const [width, height] = pictureNodes(ground);
  if (width === ground.nx && height === ground.ny) return ground.heights;
  const node = (at: number, most: number, count: number) => Math.round((at * (count - 1)) / (most - 1));
  return Float32Array.from({ length: width * height }, (_, at) =>
    ground.heights[node(Math.floor(at / width), height, ground.ny) * ground.nx + node(at % width, width, ground.nx)]!);
}

/** The slopes, and copies half as large each, down to one number. */
export function slopeLevels(ground: Ground): Level[] {
  const [width, height] = pictureNodes(ground);
  const data = new Float32Array(2 * width * height);
  const bounded = (slope: number) => Math.max(-STEEPEST, Math.min(STEEPEST, slope));
  for (let j = 0; j < height; j++) {
    const row = Math.round((j * (ground.ny - 1)) / (height - 1));
    for (let i = 0; i < width; i++) {
      const [x, y] = ground.nodeGradient(Math.round((i * (ground.nx - 1)) / (width - 1)), row);
      data[2 * (j * width + i)] = bounded(x);
      data[2 * (j * width + i) + 1] = bounded(y);
    }
  }
  const levels: Level[] = [{ data, width, height }];
  for (let last = levels[0]!; last.width > 1 || last.height > 1; last = levels.at(-1)!) levels.push(halved(last));
  return levels;
}

function halved({ data, width, height }: Level): Level {
  const [w, h] = [Math.max(1, width >> 1), Math.max(1, height >> 1)];
  const out = new Float32Array(2 * w * h);
  for (let j = 0; j < h; j++) {
    const rows = [Math.min(2 * j, height - 1), Math.min(2 * j + 1, height - 1)];
    for (let i = 0; i < w; i++) {
      const columns = [Math.min(2 * i, width - 1), Math.min(2 * i + 1, width - 1)];
      for (let k = 0; k < 2; k++) {
        const at = (a: number, b: number) => data[2 * (rows[b]! * width + columns[a]!) + k]!;
        out[2 * (j * w + i) + k] = (at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1)) / 4;
      }
    }
  }
  return { data: out, width: w, height: h };
}
