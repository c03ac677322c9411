// Which stretch of time a track shows: all of it, or a part that was zoomed into. No browser needed.

/** The shortest stretch that is shown, s. */
const SHORTEST_S = 0.05;
/** While time goes on, what is shown follows when the instant comes this near to an edge, as a share of the track. */
const EDGE = 0.04;
/** Ticks are at least so far apart, CSS pixels. */
const TICK_PX = 76;
const NICE = [1, 2, 5];
const NICE_MINUTES = [60, 120, 300, 600, 1800, 3600, 7200, 18_000, 36_000, 86_400];

export class TimeAxis {
  private all: [number, number] = [0, 1];
  private part: [number, number] | undefined;

  /** First and last instant that are shown, s. */
  get shown(): readonly [number, number] {
    return this.part ?? this.all;
  }

  get isZoomed(): boolean {
    return this.part !== undefined;
  }

  /** All that there is. A part keeps its length and stays within. */
  setSpan(begin: number, end: number): void {
    this.all = [begin, Math.max(end, begin + SHORTEST_S)];
    if (this.part) this.show(...this.part);
  }

  whole(): void {
    this.part = undefined;
  }

  /** Where an instant is, 0 at the left end to 1 at the right one; beyond where it is not shown. */
  share(timeS: number): number {
    const [from, to] = this.shown;
    return (timeS - from) / (to - from);
  }

  /** The instant at a share of the track, within all that there is. */
  time(share: number): number {
    const [from, to] = this.shown;
    return clamp(from + share * (to - from), ...this.all);
  }

  /** Shows a stretch `factor` times as long; what is at this share stays there. */
  zoom(share: number, factor: number): void {
    const [from, to] = this.shown;
    const length = Math.max(SHORTEST_S, (to - from) * factor);
    const at = from + share * (to - from);
    this.show(at - share * length, at + (1 - share) * length);
  }

  /** Moves what is shown by a share of its length. */
  pan(by: number): void {
    const [from, to] = this.shown;
    this.show(from + by * (to - from), to + by * (to - from));
  }

  /** Keeps an instant in sight while time goes on. */
  follow(timeS: number): void {
    if (!this.part) return;
    const share = this.share(timeS);
    if (share > 1 - EDGE) this.pan(share - (share > 1 ? 0.5 : 1 - EDGE));
    else if (share < EDGE) this.pan(share - (share < 0 ? 0.5 : EDGE));
  }

  /** Instants to be written below a track so many CSS pixels wide, and how far apart they are, s. */
  ticks(width: number): { times: number[]; everyS: number } {
    const [from, to] = this.shown;
    const everyS = niceStep(((to - from) * TICK_PX) / Math.max(TICK_PX, width));
    const times: number[] = [];
    // Adding 0 makes -0 a 0.
    for (let k = Math.ceil(from / everyS - 1e-9); k * everyS <= to + 1e-9 * everyS; k++) times.push(k * everyS + 0);
    return { times, everyS };
  }

  private show(from: number, to: number): void {
    const [begin, end] = this.all;
    const length = to - from;
    if (length >= end - begin) {
      this.part = undefined;
      return;
    }
    const start = clamp(from, begin, end - length);
    this.part = [start, start + length];
  }
}

/** The next round length of time that is not shorter, s. */
function niceStep(least: number): number {
  if (least > 30) return NICE_MINUTES.find((step) => step >= least) ?? 86_400 * Math.ceil(least / 86_400);
  if (least > 20) return 30;
  if (least > 10) return 20;
  const power = 10 ** Math.floor(Math.log10(least));
  return (NICE.find((step) => step * power >= least * (1 - 1e-9)) ?? 10) * power;
}

export function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}
