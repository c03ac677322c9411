// Ways over the ground, of a whole run or as they were measured: pieces from point to point. No browser needed.

import type { Curve } from './series';

export interface Course {
  readonly count: number;
  /** From x, y to x, y of each piece, m. */
  readonly pieces: Float32Array;
  /** When each piece is done, s after `startS`. */
  readonly times: Float32Array;
  /** Run time, s. */
  readonly startS: number;
  /** m. */
  readonly length: number;
}

/** A piece so many times as long as the usual one, and longer than so many of the least ones, is no way: something was put
 * elsewhere, or a run began anew. */
const JUMP_USUAL = 12;
const JUMP_LEAST = 40;

/** The way through points; those that are nearer to one another than `least`, m, are left out. */
export function courseOf(times: readonly number[], x: readonly number[], y: readonly number[], least: number): Course {
  const lengths = steps(x, y).filter((length) => length > 0).sort((a, b) => a - b);
  const usual = lengths[Math.floor(lengths.length / 2)] ?? 0;
  const longest = Math.max(JUMP_USUAL * usual, JUMP_LEAST * least);
  const pieces: number[] = [];
  const done: number[] = [];
  const startS = times[0] ?? 0;
  let length = 0;
  let from: number | undefined;
  for (let i = 0; i < times.length; i++) {
    if (!Number.isFinite(x[i]!) || !Number.isFinite(y[i]!)) {
      from = undefined;
      continue;
    }
    const jumps = i > 0 && Math.hypot(x[i]! - x[i - 1]!, y[i]! - y[i - 1]!) > longest;
    if (from === undefined || jumps) {
      from = i;
      continue;
    }
    const way = Math.hypot(x[i]! - x[from]!, y[i]! - y[from]!);
    if (way < least && !(i === times.length - 1 && way > 0)) continue;
    pieces.push(x[from]!, y[from]!, x[i]!, y[i]!);
    done.push(times[i]! - startS);
    length += way;
    from = i;
  }
  return { count: done.length, pieces: new Float32Array(pieces), times: new Float32Array(done), startS, length };
}

function steps(x: readonly number[], y: readonly number[]): number[] {
  return x.slice(1).map((value, i) => Math.hypot(value - x[i]!, y[i + 1]! - y[i]!));
}

/** The middles of a curve's points: of one value, or of all that a point stands for. */
export function middles({ times, low, high }: Curve): { times: number[]; values: number[] } {
  return {
    times: times.map((time, i) => (low[i] === high[i] ? time : 0.5 * (time + (times[i + 1] ?? time)))),
    values: low.map((value, i) => 0.5 * (value + high[i]!)),
  };
}
