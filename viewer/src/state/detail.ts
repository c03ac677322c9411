// How much detail pictures have: as much as leaves enough of them a second.

/** From all that there is to what any machine can draw. */
export const DETAILS = ['full', 'high', 'medium', 'low', 'lower', 'lowest'] as const;
export type DetailName = (typeof DETAILS)[number];

export interface Level {
  /** Pixels of a picture for each one of the page, along an edge, at most. */
  ratio: number;
  /** Edges are smoothed. */
  smooth: boolean;
  /** Size of the map of shadows, pixels along an edge; 0: no shadows. */
  shadows: number;
  /** Round things are round, and the camera moves gently. */
  fine: boolean;
  /** How often numbers beside the picture are renewed at most, ms: where graphics are slow, so is writing. */
  panelsMs: number;
}

export const LEVELS: Record<DetailName, Level> = {
  full: { ratio: 2, smooth: true, shadows: 2048, fine: true, panelsMs: 0 },
  high: { ratio: 1, smooth: true, shadows: 1024, fine: true, panelsMs: 0 },
  medium: { ratio: 1, smooth: false, shadows: 512, fine: true, panelsMs: 0 },
  low: { ratio: 1, smooth: false, shadows: 0, fine: false, panelsMs: 250 },
  lower: { ratio: 0.6, smooth: false, shadows: 0, fine: false, panelsMs: 500 },
  lowest: { ratio: 0.35, smooth: false, shadows: 0, fine: false, panelsMs: 1000 },
};

/** A picture may take so long, ms: 20 a second hold. */
export const MOST_MS = 50;
/** Where pictures take less, ms, there is room for more detail. */
const ROOM_MS = 25;
/** A judgement needs so many pictures, or so much time, ms. */
const PICTURES = 12;
const WINDOW_MS = 1000;
/** Pictures after a change that count for nothing: shaders are made anew. */
const SETTLING = 1;
/** There has to be room for so long, ms, before detail rises. Each time that it was too much, twice as long, up to the
 * longest; a rise that lasts is forgiven what was before. */
const FIRST_PATIENCE_MS = 5000;
const LONGEST_PATIENCE_MS = 300_000;
const LASTING_MS = 60_000;

/** Detail that goes down at once where pictures are slow, and up with patience. */
export class DetailGovernor {
  private place: number;
  private last: number | undefined;
  private settling = SETTLING;
  private count = 0;
  private sumMs = 0;
  private roomSince: number | undefined;
  private roseAt = -Infinity;
  private patienceMs = FIRST_PATIENCE_MS;

  constructor(start: DetailName) {
    this.place = DETAILS.indexOf(start);
  }

  get detail(): DetailName {
    return DETAILS[this.place]!;
  }

  /** Pictures are not asked for, or something else took the time: what comes next is no measure. */
  pause(): void {
    this.last = undefined;
    this.roomSince = undefined;
    this.settle();
  }

  /** A picture was drawn, at `now`, ms. True where the detail changes by that. */
  drew(now: number): boolean {
    const took = this.last === undefined ? undefined : now - this.last;
    this.last = now;
    if (took === undefined) return false;
    if (this.settling > 0) {
      this.settling--;
      return false;
    }
    this.count++;
    this.sumMs += took;
    if (this.count < PICTURES && this.sumMs < WINDOW_MS) return false;
    const mean = this.sumMs / this.count;
    [this.count, this.sumMs] = [0, 0];
    return mean > MOST_MS ? this.fall(mean, now) : this.rise(mean, now);
  }

  private fall(mean: number, now: number): boolean {
    this.roomSince = undefined;
    const lowest = DETAILS.length - 1;
    if (this.place === lowest) return false;
    if (now - this.roseAt < LASTING_MS) this.patienceMs = Math.min(LONGEST_PATIENCE_MS, 2 * this.patienceMs);
    this.roseAt = -Infinity;
    // A step saves about two thirds: the farther off, the farther down.
    const steps = mean > 8 * MOST_MS ? 3 : mean > 2.8 * MOST_MS ? 2 : 1;
    this.place = Math.min(lowest, this.place + steps);
    this.settle();
    return true;
  }

  private rise(mean: number, now: number): boolean {
    if (now - this.roseAt >= LASTING_MS && this.roseAt > -Infinity) {
      this.patienceMs = FIRST_PATIENCE_MS;
      this.roseAt = -Infinity;
    }
    if (mean > ROOM_MS || this.place === 0) {
      this.roomSince = undefined;
      return false;
    }
    this.roomSince ??= now;
    if (now - this.roomSince < this.patienceMs) return false;
    this.roomSince = undefined;
    this.roseAt = now;
    this.place--;
    this.settle();
    return true;
  }

  private settle(): void {
    this.settling = SETTLING;
    [this.count, this.sumMs] = [0, 0];
  }
}
