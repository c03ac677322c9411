// Rough ground: heights on a regular grid, bilinear in between. One surface for drawing, picking and cameras. No browser
// needed.

import type { Terrain, Texture } from '../proto/live.js';
import { readHeights } from './heights';
import type { Vec3 } from './quaternion';

const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value));
/** How far a look goes before it meets nothing, in sizes of the terrain. */
const FARTHEST = 6;
/** Halvings of the piece in which a ray meets the ground. */
const HALVINGS = 24;

export interface GroundTexture {
  readonly width: number;
  readonly height: number;
  /** Three bytes a pixel, rows from the top. */
  readonly rgb: Uint8Array;
  /** Real size of one copy, m. */
  readonly sizeX: number;
  readonly sizeY: number;
}

/** Undefined where there is none, or where its numbers contradict one another. */
export function textureOf(told: Texture | undefined): GroundTexture | undefined {
  if (!told) return undefined;
  const { width, height, rgb, size_x: sizeX, size_y: sizeY } = told;
  const whole = width > 0 && height > 0 && rgb.length === 3 * width * height && sizeX > 0 && sizeY > 0 && sizeX + sizeY < Infinity;
  return whole ? { width, height, rgb, sizeX, sizeY } : undefined;
}

export function meanOf({ rgb }: GroundTexture): number {
  const sums = [0, 0, 0];
  rgb.forEach((byte, i) => (sums[i % 3]! += byte));
  return sums.reduce((colour, sum) => colour * 256 + Math.round(sum / (rgb.length / 3)), 0);
}

/** A colour on another. */
export function dyed(a: number, b: number): number {
  return [16, 8, 0].reduce((colour, shift) => colour * 256 + Math.round((((a >> shift) & 255) * ((b >> shift) & 255)) / 255), 0);
}

/** How far drawn ground may be from the one that wheels feel, m. */
export const GROUND_TOLERANCE = 0.005;

export class Ground {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
  readonly nx: number;
  readonly ny: number;
  readonly heights: Float32Array<ArrayBuffer>;
  /** How far heights are from those that wheels feel at most, m. */
  readonly off: number;
  /** Whether the heights of the border go on outwards. */
  readonly extended: boolean;
  readonly colour: number | undefined;
  readonly frictionNx: number;
  readonly frictionNy: number;
  /** Factors on the tyres' friction by patch; empty: 1 everywhere. */
  readonly frictions: Float32Array;
  /** What covers it, copy beside copy: columns along x, rows along -y, a corner of a copy at the origin. */
  readonly texture: GroundTexture | undefined;
  /** Its colour as seen from afar, where the scene says one or covers it with a texture. */
  readonly tone: number | undefined;
  /** The friction that most of it has. */
  readonly usualFriction: number;
  readonly lowest: number;
  readonly highest: number;

  private constructor(terrain: Terrain, heights: Float32Array<ArrayBuffer>) {
    this.minX = terrain.min_x;
    this.minY = terrain.min_y;
    this.maxX = terrain.max_x;
    this.maxY = terrain.max_y;
    this.nx = terrain.nx;
    this.ny = terrain.ny;
    this.heights = heights;
    this.off = 0.5 * terrain.quantum;
    this.extended = terrain.extended;
    this.colour = terrain.colour !== undefined && terrain.colour > 0 ? terrain.colour & 0xffffff : undefined;
    this.texture = textureOf(terrain.texture);
    this.tone = this.texture ? dyed(meanOf(this.texture), this.colour ?? 0xffffff) : this.colour;
    const patches = terrain.friction_nx * terrain.friction_ny;
    const whole = patches > 0 && terrain.friction.length === patches;
    this.frictionNx = whole ? terrain.friction_nx : 0;
    this.frictionNy = whole ? terrain.friction_ny : 0;
    this.frictions = whole ? Float32Array.from(terrain.friction) : new Float32Array();
    this.usualFriction = [...this.frictions].sort((a, b) => a - b)[Math.floor(patches / 2)] || 1;
    let [low, high] = [Infinity, -Infinity];
    for (const z of this.heights) [low, high] = [Math.min(low, z), Math.max(high, z)];
    this.lowest = low;
    this.highest = high;
  }

  /** Undefined where there is none, or where its numbers contradict one another. */
  static of(terrain: Terrain | undefined): Ground | undefined {
    if (!terrain) return undefined;
    const { min_x, min_y, max_x, max_y } = terrain;
    const heights = max_x > min_x && max_y > min_y ? readHeights(terrain) : undefined;
    return heights && new Ground(terrain, heights);
  }

  /** Size of a cell, m. */
  get cellX(): number {
    return (this.maxX - this.minX) / (this.nx - 1);
  }

  get cellY(): number {
    return (this.maxY - this.minY) / (this.ny - 1);
  }

  get size(): number {
    return Math.max(this.maxX - this.minX, this.maxY - this.minY);
  }

  contains(x: number, y: number): boolean {
    return x >= this.minX && x <= this.maxX && y >= this.minY && y <= this.maxY;
  }

  /** Height at a point, m; beyond the border that of the nearest point on it. */
  height(x: number, y: number): number {
    const { i, j, u, v } = this.cell(x, y);
    const at = j * this.nx + i;
    const low = this.heights[at]! + (this.heights[at + 1]! - this.heights[at]!) * u;
    const next = at + this.nx;
    const high = this.heights[next]! + (this.heights[next + 1]! - this.heights[next]!) * u;
    return low + (high - low) * v;
  }

  /** Slopes along x and y, of the cell that the point is in. */
  gradient(x: number, y: number): [number, number] {
    const { i, j, u, v } = this.cell(x, y);
    const at = j * this.nx + i;
    const [a, b, c, d] = [this.heights[at]!, this.heights[at + 1]!, this.heights[at + this.nx]!, this.heights[at + this.nx + 1]!];
    const inX = x >= this.minX && x <= this.maxX;
    const inY = y >= this.minY && y <= this.maxY;
    return [
      inX ? ((b - a) * (1 - v) + (d - c) * v) / this.cellX : 0,
      inY ? ((c - a) * (1 - u) + (d - b) * u) / this.cellY : 0,
    ];
  }

  /** Slopes at a node, from its neighbours on both sides. */
  nodeGradient(i: number, j: number): [number, number] {
    const z = (ii: number, jj: number) => this.heights[jj * this.nx + ii]!;
    const [i0, i1] = [Math.max(0, i - 1), Math.min(this.nx - 1, i + 1)];
    const [j0, j1] = [Math.max(0, j - 1), Math.min(this.ny - 1, j + 1)];
    return [(z(i1, j) - z(i0, j)) / ((i1 - i0) * this.cellX), (z(i, j1) - z(i, j0)) / ((j1 - j0) * this.cellY)];
  }

  /** Factor on the tyres' friction. */
  friction(x: number, y: number): number {
    if (this.frictions.length === 0) return 1;
    const i = clamp(Math.floor(((x - this.minX) / (this.maxX - this.minX)) * this.frictionNx), 0, this.frictionNx - 1);
    const j = clamp(Math.floor(((y - this.minY) / (this.maxY - this.minY)) * this.frictionNy), 0, this.frictionNy - 1);
    return this.frictions[j * this.frictionNx + i]!;
  }

  /** Where a ray meets the surface that lies `above` the ground by so much, m; undefined where it does not. */
  meet(origin: Vec3, direction: Vec3, above = 0): Vec3 | undefined {
    const [ox, oy, oz] = origin;
    const [dx, dy, dz] = direction;
    const clear = (t: number) => oz + t * dz - above - this.height(ox + t * dx, oy + t * dy);
    const farthest = FARTHEST * this.size + Math.abs(oz);
    const flat = Math.hypot(dx, dy);
    // Half a cell at a time finds every hill; on the way to the highest one there is nothing to find.
    const stride = flat > 1e-9 ? (0.5 * Math.min(this.cellX, this.cellY)) / flat : farthest;
    let from = dz < 0 ? Math.max(0, (this.highest + above - oz) / dz) : 0;
    if (clear(from) < 0) return undefined;
    // Steeply downwards the end of the way is near.
    const end = dz < 0 ? Math.min(farthest, (this.lowest + above - oz) / dz + 1e-3) : farthest;
    // A far look over a fine grid goes in longer strides.
    const longest = Math.max(stride, (end - from) / 4000);
    while (from < end) {
      const to = Math.min(end, from + longest);
      if (clear(to) <= 0) return this.close(origin, direction, from, to, clear);
      if (dz >= 0 && oz + to * dz - above > this.highest) return undefined;
      from = to;
    }
    return undefined;
  }

  private close(origin: Vec3, direction: Vec3, from: number, to: number, clear: (t: number) => number): Vec3 {
    for (let k = 0; k < HALVINGS; k++) {
      const middle = 0.5 * (from + to);
      if (clear(middle) > 0) from = middle;
      else to = middle;
    }
    const at = 0.5 * (from + to);
    return [origin[0] + at * direction[0], origin[1] + at * direction[1], origin[2] + at * direction[2]];
  }

  private cell(x: number, y: number): { i: number; j: number; u: number; v: number } {
    const fx = clamp((x - this.minX) / this.cellX, 0, this.nx - 1);
    const fy = clamp((y - this.minY) / this.cellY, 0, this.ny - 1);
    const i = Math.min(Math.floor(fx), this.nx - 2);
    const j = Math.min(Math.floor(fy), this.ny - 2);
    return { i, j, u: fx - i, v: fy - j };
  }
}
