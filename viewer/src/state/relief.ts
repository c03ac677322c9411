// Rough ground as a shaded picture from above, and its lines of equal height. No browser needed.

import { groundColour, mix, withFriction, type Land } from '../view3d/land';
import type { Ground } from './ground';

/** Where the light of a relief comes from by old custom: the upper left. Components of a unit vector. */
const LIGHT = [-0.5, 0.5, Math.SQRT1_2] as const;
/** Lines of equal height across a terrain, about. */
const LINES = 14;

/** Pixels (red, green, blue, alpha) of the terrain; the first row is that of the largest y. */
export function reliefPixels(ground: Ground, width: number, height: number, land: Land): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(4 * width * height);
  for (let row = 0; row < height; row++) {
    const y = ground.maxY - ((row + 0.5) / height) * (ground.maxY - ground.minY);
    for (let column = 0; column < width; column++) {
      const x = ground.minX + ((column + 0.5) / width) * (ground.maxX - ground.minX);
      const [gx, gy] = ground.gradient(x, y);
      const slope = Math.hypot(gx, gy);
      const lit = (LIGHT[2] - gx * LIGHT[0] - gy * LIGHT[1]) / Math.sqrt(1 + slope * slope);
      const colour = withFriction(groundColour(ground, land, ground.height(x, y), slope), land, ground.friction(x, y) / ground.usualFriction);
      // A level place keeps its colour; light and shade go from there.
      const shade = lit / LIGHT[2] - 1;
      const shaded = shade < 0 ? mix(colour, [0, 0, 0], Math.min(0.6, -0.75 * shade)) : mix(colour, [255, 255, 255], Math.min(0.45, 0.8 * shade));
      pixels.set([...shaded, 255], 4 * (row * width + column));
    }
  }
  return pixels;
}

/** A round distance between lines of equal height, m; 0 where the ground is level. */
export function contourStep(span: number): number {
  if (!(span > 1e-4)) return 0;
  const wanted = span / LINES;
  const ten = 10 ** Math.floor(Math.log10(wanted));
  return [1, 2, 5, 10].map((k) => k * ten).find((step) => step >= wanted * 0.999)!;
}

/** Pieces of lines of equal height (x0, y0, x1, y1, ...), every `step` m; at most `most` cells along each side are looked
 * at. */
export function contours(ground: Ground, step: number, most = 160): number[] {
  const pieces: number[] = [];
  if (!(step > 0)) return pieces;
  const nx = Math.min(most, ground.nx - 1);
  const ny = Math.min(most, ground.ny - 1);
  const dx = (ground.maxX - ground.minX) / nx;
  const dy = (ground.maxY - ground.minY) / ny;
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      const [x0, y0] = [ground.minX + i * dx, ground.minY + j * dy];
      const corners: [number, number, number][] = [[0, 0], [1, 0], [1, 1], [0, 1]].map(([u, v]) => {
        const [x, y] = [x0 + u! * dx, y0 + v! * dy];
        return [x, y, ground.height(x, y)];
      });
      const heights = corners.map(([, , z]) => z);
      const first = Math.ceil(Math.min(...heights) / step);
      const last = Math.floor(Math.max(...heights) / step);
      for (let k = first; k <= last; k++) cut(corners, k * step, pieces);
    }
  }
  return pieces;
}

/** Where a cell's edges cross a height: two points are a piece of a line; four, on a saddle, are two. */
function cut(corners: readonly [number, number, number][], height: number, pieces: number[]): void {
  const crossings: number[] = [];
  corners.forEach((a, n) => {
    const b = corners[(n + 1) % 4]!;
    if (a[2] < height === b[2] < height) return;
    const share = (height - a[2]) / (b[2] - a[2]);
    crossings.push(a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]));
  });
  pieces.push(...crossings.slice(0, 4 * Math.floor(crossings.length / 4)));
}
