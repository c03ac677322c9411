// Signals over a stretch of the run that is over: which stretch plots show, and what is known of it. No browser needed.

import { clamp } from './axis';
import { outline, type Curve, type SeriesQuestion } from './series';

/** Points across a diagram: as many as it has pixels, or fewer. */
const POINTS = 700;
/** While a live run goes on, its plots are this old at most, ms: the simulator simulates all of it again for them. */
const RENEW_MS = 5000;

export interface Wanted {
  readonly names: readonly string[];
  /** All that can be gone to, run time, s. */
  readonly begin: number;
  readonly end: number;
  /** The instant that is shown. */
  readonly at: number;
  /** How much is seen, s; infinite: all of it. */
  readonly spanS: number;
  /** Counts up where the same stretch has other values than before. */
  readonly course: number;
  /** Whether the run still goes on. */
  readonly grows: boolean;
}

export class RunSeries {
  /** What is shown, run time, s. */
  stretch: readonly [number, number] = [0, 1];
  /** Counts up with all that comes. */
  version = 0;
  private curves: ReadonlyMap<string, Curve> = new Map();
  private lines = new Map<string, { times: number[]; values: (number | null)[] }>();
  private asked = '';
  private askedAt = -Infinity;

  clear(): void {
    this.curves = new Map();
    this.lines.clear();
    this.asked = '';
    this.version++;
  }

  /** What is to be asked for now, ms; undefined while all of it is there or under way. */
  question({ names, begin, end, at, spanS, course, grows }: Wanted, now: number): SeriesQuestion | undefined {
    let [from, to] = [begin, end];
    if (Number.isFinite(spanS)) {
      const [known, last] = this.stretch;
      const length = Math.min(spanS, end - begin);
      // A stretch stays until the instant comes near one of its ends.
      const fits = Math.abs(last - known - length) < 1e-6 && at >= known + 0.08 * length && at <= last - 0.08 * length && known >= begin - 1e-6 && last <= end + 1e-6;
      from = fits ? known : clamp(at - length / 2, begin, end - length);
      to = from + length;
    }
    if (to - from < 1e-6 || names.length === 0) return undefined;
    const key = JSON.stringify([names, course, grows && !Number.isFinite(spanS) ? 'all' : [from, to]]);
    const stale = grows && now - this.askedAt > RENEW_MS;
    if (key === this.asked && !stale) return undefined;
    this.asked = key;
    this.askedAt = now;
    this.stretch = [from, to];
    return { channels: names, beginS: from, endS: to, points: POINTS, source: 0 };
  }

  take(curves: ReadonlyMap<string, Curve>): void {
    this.curves = curves;
    this.lines.clear();
    this.version++;
  }

  /** The line to be drawn for a signal, as columns; empty where nothing is known. */
  line(name: string): { times: number[]; values: (number | null)[] } {
    let line = this.lines.get(name);
    if (!line) {
      const curve = this.curves.get(name);
      this.lines.set(name, (line = curve ? outline(curve) : { times: [], values: [] }));
    }
    return line;
  }
}

/** Lines with instants of their own as a table: one column of instants, and for each line what it is then; undefined where
 * it has no point. */
export function joined(lines: readonly { times: readonly number[]; values: readonly (number | null)[] }[]): [number[], ...(number | null | undefined)[][]] {
  const times = [...new Set(lines.flatMap((line) => line.times))].sort((a, b) => a - b);
  const place = new Map(times.map((time, i) => [time, i]));
  const columns = lines.map((line) => {
    const column = new Array<number | null | undefined>(times.length).fill(undefined);
    line.times.forEach((time, i) => (column[place.get(time)!] = line.values[i]!));
    return column;
  });
  return [times, ...columns];
}
