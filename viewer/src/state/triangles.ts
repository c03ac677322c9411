// Rough ground as triangles that are nowhere farther from its surface than they may be: large ones where it is even, small
// ones where it bends, and within cells where these are saddles. No browser needed.
//
// Squares of cells are split along a diagonal into two right triangles, each of which can be split at the middle of its
// longest side, again and again: down to cells, and below. A triangle is split if the vertex in the middle of its longest
// side is wanted. That is a matter of the vertex alone, so both triangles at that side agree and leave no gap; and what a
// vertex may be off includes all that its descendants may be off, so that whoever wants a vertex has its ancestors already.
// The renderer of cameras does the same (crates/core/rolima-render/src/land/mesh.rs).

import type { Ground } from './ground';

/** Cells are split into this many parts each way at most, as a power of two. */
const PARTS_BITS = 5;
const UNIT = 1 << PARTS_BITS;
/** Cells along the side of a square at most. */
const MOST_SIDE = 64;
/** Levels below the halves of cells. */
const LEVELS_BELOW = 2 * PARTS_BITS - 1;

/** Squares of cells, in how many groups along a side at most: groups out of sight are not drawn. */
const MOST_GROUPS = 12;

export interface Triangles {
  /** x, y, z of each vertex, m. */
  readonly positions: Float32Array;
  /** Triangles, counter-clockwise from above, by where they are. */
  readonly groups: readonly Uint32Array[];
  /** Vertices along the borders: of the smallest and the largest x by y, of the smallest and the largest y by x. */
  readonly borders: readonly [Uint32Array, Uint32Array, Uint32Array, Uint32Array];
  readonly count: number;
  /** How far they are off the ground's surface at most, m. */
  readonly tolerance: number;
}

/** Triangles within `tolerance`, m, of the surface; if these were more than `most`, within twice as much, and so on. */
export function triangulate(ground: Ground, tolerance: number, most: number): Triangles {
  const tree = new Tree(ground);
  let reached = Math.max(tolerance, tree.finest);
  while (tree.count(reached, most) > most) reached *= 2;
  return tree.triangles(reached);
}

class Tree {
  /** Cells along x and y. */
  private readonly cellsX: number;
  private readonly cellsY: number;
  /** Cells along the side of a square, and squares along x and y; they may stick out of the terrain. */
  private readonly side: number;
  private readonly squaresX: number;
  private readonly squaresY: number;
  /** Level of the triangles that are halves of cells. */
  private readonly cellLevel: number;
  /** By node of the squares: how far triangles that it splits, and all parts of these, are off, m. */
  private readonly errors: Float32Array;
  /** By cell of the squares: how much it is bent, or a quarter of its neighbours' bend, m. */
  private readonly bends: Float32Array;
  private readonly acrossCells: number;
  private readonly downCells: number;

  constructor(private readonly ground: Ground) {
    [this.cellsX, this.cellsY] = [ground.nx - 1, ground.ny - 1];
    this.side = 1;
    while (this.side < MOST_SIDE && this.side < Math.min(this.cellsX, this.cellsY)) this.side *= 2;
    this.squaresX = Math.ceil(this.cellsX / this.side);
    this.squaresY = Math.ceil(this.cellsY / this.side);
    this.acrossCells = this.squaresX * this.side;
    this.downCells = this.squaresY * this.side;
    this.cellLevel = 2 * Math.round(Math.log2(this.side));
    this.bends = this.allBends();
    this.errors = new Float32Array((this.acrossCells + 1) * (this.downCells + 1));
    // What is finer is known before what is coarser takes it on.
    for (let level = this.cellLevel; level >= 0; level--) {
      this.each(level, (ai, aj, li, lj, ri, rj) => this.measure(ai, aj, li, lj, ri, rj));
      this.each(level, (ai, aj, li, lj, ri, rj) => this.handOn(ai, aj, li, lj, ri, rj));
    }
  }

  /** How far the smallest triangles are off at most, m. */
  get finest(): number {
    return this.bends.reduce((most, bend) => Math.max(most, bend), 0) / 4 ** (PARTS_BITS + 1);
  }

  /** How many triangles there are within a tolerance; more than `most` are not counted to their end. */
  count(tolerance: number, most: number): number {
    let count = 0;
    const split = (ai: number, aj: number, li: number, lj: number, ri: number, rj: number, level: number): void => {
      if (count > most) return;
      const [mi, mj] = [(li + ri) / 2, (lj + rj) / 2];
      if (!(this.error(level, mi, mj) > tolerance)) {
        if (this.isInside(ai, aj, li, lj, ri, rj)) count++;
        return;
      }
      split(mi, mj, ai, aj, li, lj, level + 1);
      split(mi, mj, ri, rj, ai, aj, level + 1);
    };
    this.eachRoot((ai, aj, li, lj, ri, rj) => split(ai, aj, li, lj, ri, rj, 0));
    return count;
  }

  triangles(tolerance: number): Triangles {
    const { ground } = this;
    const positions: number[] = [];
    const row = this.acrossCells + 1;
    // Numbers of vertices, one more: nodes by place, those within cells apart.
    const nodes = new Uint32Array(row * (this.downCells + 1));
    const between = new Map<number, number>();
    const [right, top] = [this.cellsX * UNIT, this.cellsY * UNIT];
    const borders: [number, number][][] = [[], [], [], []];
    const add = (i: number, j: number): number => {
      const number = positions.length / 3;
      const [x, y] = [ground.minX + (i / UNIT) * ground.cellX, ground.minY + (j / UNIT) * ground.cellY];
      positions.push(x, y, this.height(i, j));
      if (i === 0) borders[0]!.push([j, number]);
      if (i === right) borders[1]!.push([j, number]);
      if (j === 0) borders[2]!.push([i, number]);
      if (j === top) borders[3]!.push([i, number]);
      return number;
    };
    const vertex = (i: number, j: number): number => {
      if (i % UNIT === 0 && j % UNIT === 0) {
        const at = (j / UNIT) * row + i / UNIT;
        if (nodes[at] === 0) nodes[at] = add(i, j) + 1;
        return nodes[at]! - 1;
      }
      const key = j * (row * UNIT) + i;
      let known = between.get(key);
      if (known === undefined) between.set(key, (known = add(i, j)));
      return known;
    };
    const groups = new Map<number, number[]>();
    let index: number[] = [];
    let count = 0;
    const split = (ai: number, aj: number, li: number, lj: number, ri: number, rj: number, level: number): void => {
      const [mi, mj] = [(li + ri) / 2, (lj + rj) / 2];
      if (!(this.error(level, mi, mj) > tolerance)) {
        if (!this.isInside(ai, aj, li, lj, ri, rj)) return;
        index.push(vertex(ai, aj), vertex(li, lj), vertex(ri, rj));
        count++;
        return;
      }
      split(mi, mj, ai, aj, li, lj, level + 1);
      split(mi, mj, ri, rj, ai, aj, level + 1);
    };
    const wide = Math.ceil(Math.max(this.squaresX, this.squaresY) / MOST_GROUPS);
    this.eachRoot((ai, aj, li, lj, ri, rj, squareI, squareJ) => {
      const key = Math.floor(squareJ / wide) * this.squaresX + Math.floor(squareI / wide);
      index = groups.get(key) ?? [];
      groups.set(key, index);
      split(ai, aj, li, lj, ri, rj, 0);
    });
    const sorted = borders.map((list) => Uint32Array.from(list.sort((a, b) => a[0] - b[0]), ([, number]) => number));
    return {
      positions: Float32Array.from(positions), count, tolerance, borders: sorted as unknown as Triangles['borders'],
      groups: [...groups.values()].filter(({ length }) => length > 0).map((list) => Uint32Array.from(list)),
    };
  }

  /** Height at a place in units; beyond the border that of the nearest point on it. */
  private height(i: number, j: number): number {
    const { heights, nx, ny } = this.ground;
    const x = Math.min(i, this.cellsX * UNIT) / UNIT;
    const y = Math.min(j, this.cellsY * UNIT) / UNIT;
    const [ci, cj] = [Math.min(Math.floor(x), nx - 2), Math.min(Math.floor(y), ny - 2)];
    const [u, v] = [x - ci, y - cj];
    const at = cj * nx + ci;
    const low = heights[at]! + (heights[at + 1]! - heights[at]!) * u;
    const high = heights[at + nx]! + (heights[at + nx + 1]! - heights[at + nx]!) * u;
    return low + (high - low) * v;
  }

  private node(i: number, j: number): number {
    const { heights, nx, ny } = this.ground;
    return heights[Math.min(j, ny - 1) * nx + Math.min(i, nx - 1)]!;
  }

  /** None lies across the border: those that would are split. */
  private isInside(ai: number, aj: number, li: number, lj: number, ri: number, rj: number): boolean {
    return ai + li + ri < 3 * this.cellsX * UNIT && aj + lj + rj < 3 * this.cellsY * UNIT;
  }

  private eachRoot(
    work: (ai: number, aj: number, li: number, lj: number, ri: number, rj: number, squareI: number, squareJ: number) => void,
  ): void {
    const size = this.side * UNIT;
    for (let sj = 0; sj < this.squaresY; sj++) {
      for (let si = 0; si < this.squaresX; si++) {
        const [i, j, right, top] = [si * size, sj * size, (si + 1) * size, (sj + 1) * size];
        work(right, j, right, top, i, j, si, sj);
        work(i, top, i, j, right, top, si, sj);
      }
    }
  }

  /** Calls `work` for all triangles of a level: apex, left and right end of the longest side. */
  private each(level: number, work: (ai: number, aj: number, li: number, lj: number, ri: number, rj: number) => void): void {
    const descend = (ai: number, aj: number, li: number, lj: number, ri: number, rj: number, left: number): void => {
      if (left === 0) return work(ai, aj, li, lj, ri, rj);
      const [mi, mj] = [(li + ri) / 2, (lj + rj) / 2];
      descend(mi, mj, ai, aj, li, lj, left - 1);
      descend(mi, mj, ri, rj, ai, aj, left - 1);
    };
    this.eachRoot((ai, aj, li, lj, ri, rj) => descend(ai, aj, li, lj, ri, rj, level));
  }

  /** How far a triangle of a level, which this place splits, and all parts of it may be off, m; -1: it has no parts. */
  private error(level: number, i: number, j: number): number {
    if (level < this.cellLevel) return this.errors[(j / UNIT) * (this.acrossCells + 1) + i / UNIT]!;
    const below = level - this.cellLevel;
    if (below > LEVELS_BELOW) return -1;
    const [ci, cj] = [Math.floor(i / UNIT), Math.floor(j / UNIT)];
    let bend = this.bendOf(ci, cj);
    // Where a vertex lies on the side of a cell, both cells at that side have a say.
    if (i % UNIT === 0) bend = Math.max(bend, this.bendOf(ci - 1, cj));
    if (j % UNIT === 0) bend = Math.max(bend, this.bendOf(ci, cj - 1));
    // A half of a cell is off by a quarter of the bend; parts half as large by a quarter of it.
    return bend / 4 ** (Math.ceil(below / 2) + 1);
  }

  private bendOf(i: number, j: number): number {
    return i >= 0 && j >= 0 && i < this.acrossCells && j < this.downCells ? this.bends[j * this.acrossCells + i]! : 0;
  }

  private rawBend(i: number, j: number): number {
    return Math.abs(this.node(i, j) - this.node(i + 1, j) - this.node(i, j + 1) + this.node(i + 1, j + 1));
  }

  /** A cell counts at least a quarter of what its neighbours count: vertices on a side have to be ancestors in both. */
  private allBends(): Float32Array {
    const [across, down] = [this.acrossCells, this.downCells];
    const bends = new Float32Array(across * down);
    for (let j = 0; j < Math.min(down, this.cellsY); j++) {
      for (let i = 0; i < Math.min(across, this.cellsX); i++) bends[j * across + i] = this.rawBend(i, j);
    }
    const take = (at: number, from: number) => {
      if (0.25 * bends[from]! > bends[at]!) bends[at] = 0.25 * bends[from]!;
    };
    for (let at = 0; at < bends.length; at++) {
      if (at % across > 0) take(at, at - 1);
      if (at >= across) take(at, at - across);
    }
    for (let at = bends.length - 1; at >= 0; at--) {
      if ((at % across) + 1 < across) take(at, at + 1);
      if (at + across < bends.length) take(at, at + across);
    }
    return bends;
  }

  /** Finds how far a triangle is off, for the node that splits it; halves of cells are known. */
  private measure(ai: number, aj: number, li: number, lj: number, ri: number, rj: number): void {
    const [mi, mj] = [(li + ri) / 2, (lj + rj) / 2];
    if (mi % UNIT !== 0 || mj % UNIT !== 0) return;
    this.raise(mi, mj, this.deviation(ai / UNIT, aj / UNIT, li / UNIT, lj / UNIT, ri / UNIT, rj / UNIT));
  }

  /** Lets the vertex above a triangle's know how far that is off. */
  private handOn(ai: number, aj: number, li: number, lj: number, ri: number, rj: number): void {
    const [mi, mj] = [(li + ri) / 2, (lj + rj) / 2];
    this.raise(ai, aj, this.error(mi % UNIT === 0 && mj % UNIT === 0 ? 0 : this.cellLevel, mi, mj));
  }

  private raise(i: number, j: number, error: number): void {
    const at = (j / UNIT) * (this.acrossCells + 1) + i / UNIT;
    if (error > this.errors[at]!) this.errors[at] = error;
  }

  /** How far the surface is off a flat triangle between three nodes at most, m; infinitely, if it lies across the border. */
  private deviation(i0: number, j0: number, i1: number, j1: number, i2: number, j2: number): number {
    const [lowI, highI] = [Math.min(i0, i1, i2), Math.max(i0, i1, i2)];
    const [lowJ, highJ] = [Math.min(j0, j1, j2), Math.max(j0, j1, j2)];
    if (lowI >= this.cellsX || lowJ >= this.cellsY) return 0;
    if (highI > this.cellsX || highJ > this.cellsY) return Infinity;
    const [z0, z1, z2] = [this.node(i0, j0), this.node(i1, j1), this.node(i2, j2)];
    const area = (i1 - i0) * (j2 - j0) - (i2 - i0) * (j1 - j0);
    const slopeI = ((z1 - z0) * (j2 - j0) - (z2 - z0) * (j1 - j0)) / area;
    const slopeJ = ((z2 - z0) * (i1 - i0) - (z1 - z0) * (i2 - i0)) / area;
    const { heights, nx } = this.ground;
    const corners = [i0, j0, i1, j1, i2, j2, i0, j0];
    let most = 0;
    let sag = 0;
    for (let j = lowJ; j <= highJ; j++) {
      let [first, last] = [Infinity, -Infinity];
      for (let k = 0; k < 6; k += 2) {
        const [a, aj, b, bj] = [corners[k]!, corners[k + 1]!, corners[k + 2]!, corners[k + 3]!];
        if (aj === bj || j < Math.min(aj, bj) || j > Math.max(aj, bj)) continue;
        const i = a + ((b - a) * (j - aj)) / (bj - aj);
        if (i < first) first = i;
        if (i > last) last = i;
      }
      for (let i = first; i <= last; i++) {
        const off = Math.abs(heights[j * nx + i]! - (z0 + slopeI * (i - i0) + slopeJ * (j - j0)));
        if (off > most) most = off;
      }
    }
    // Within whole cells the surface is nowhere farther off than at their corners. Cells that the triangle's sides cut from
    // corner to corner sag by a quarter of their bend.
    for (let k = 0; k < 6; k += 2) {
      const [a, aj, b, bj] = [corners[k]!, corners[k + 1]!, corners[k + 2]!, corners[k + 3]!];
      if (a === b || aj === bj) continue;
      const [di, dj] = [Math.sign(b - a), Math.sign(bj - aj)];
      for (let step = 0; step < Math.abs(b - a); step++) {
        sag = Math.max(sag, 0.25 * this.rawBend(a + di * step + Math.min(di, 0), aj + dj * step + Math.min(dj, 0)));
      }
    }
    return most + sag;
  }
}
