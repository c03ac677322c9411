// Values of channels over a stretch of the run: asked for one after another, put together from pieces. No browser needed.

import type { Refusal, Series } from '../proto/live.js';

/** As much as the simulator gives at a time. */
const MOST_VALUES = 65_536;
const MOST_CHANNELS = 256;
const MOST_POINTS = 16_384;

export interface SeriesQuestion {
  readonly channels: readonly string[];
  readonly beginS: number;
  readonly endS: number;
  readonly points: number;
  /** 0 the run that is shown, else the number of a ghost. */
  readonly source: number;
}

/** Values at instants; where there were more, the least and the largest from each instant to the next. */
export interface Curve {
  readonly unit: string;
  readonly times: readonly number[];
  readonly low: readonly number[];
  /** The same as `low` where every point is one value. */
  readonly high: readonly number[];
}

export type SeriesAnswer = { curves: ReadonlyMap<string, Curve> } | { refusal: Refusal | undefined };

/** What is sent to the simulator. */
export interface AskSeries {
  request: number;
  channels: string[];
  begin_s: number;
  end_s: number;
  points: number;
  source: number;
}

interface Job {
  /** Who wants it: a newer question of the same takes its place. */
  who: string;
  question: SeriesQuestion;
  /** Channels of each of the questions that it takes. */
  parts: string[][];
  done: (answer: SeriesAnswer) => void;
  curves: Map<string, { unit: string; times: number[]; low: number[]; high: number[] }>;
}

export class SeriesDesk {
  private readonly waiting: Job[] = [];
  private current: Job | undefined;
  private request = 0;

  /** `send` gives false where there is no connection. */
  constructor(private readonly send: (ask: AskSeries) => boolean) {}

  /** Another connection, or another run: nothing that was asked will be answered. */
  begin(): void {
    this.waiting.length = 0;
    this.current = undefined;
    // What still comes is of no use.
    this.request++;
  }

  /** Asks; an older question of the same that was not answered yet is dropped. */
  ask(who: string, question: SeriesQuestion, done: (answer: SeriesAnswer) => void): void {
    this.drop(who);
    const points = Math.max(2, Math.min(MOST_POINTS, Math.floor(question.points)));
    const size = Math.max(1, Math.min(MOST_CHANNELS, Math.floor(MOST_VALUES / points)));
    const parts: string[][] = [];
    for (let i = 0; i < question.channels.length; i += size) parts.push(question.channels.slice(i, i + size));
    if (parts.length === 0) return done({ curves: new Map() });
    this.waiting.push({ who, question: { ...question, points }, parts, done, curves: new Map() });
    this.next();
  }

  /** Nobody wants that any more. */
  drop(who: string): void {
    const at = this.waiting.findIndex((job) => job.who === who);
    if (at >= 0) this.waiting.splice(at, 1);
    // The answer under way has to come before another question may be asked.
    if (this.current?.who === who) this.current = { ...this.current, parts: this.current.parts.slice(0, 1), done: () => undefined };
  }

  take({ request, times_s, values, last, refusal }: Series): void {
    const job = this.current;
    if (!job || request !== this.request) return;
    if (refusal) return this.finish({ refusal });
    for (const { name, unit, low, high } of values) {
      let curve = job.curves.get(name);
      if (!curve) job.curves.set(name, (curve = { unit, times: [], low: [], high: [] }));
      // Units come with the last piece.
      if (unit) curve.unit = unit;
      append(curve.times, times_s);
      append(curve.low, low);
      append(curve.high, high.length > 0 ? high : low);
    }
    if (!last) return;
    job.parts.shift();
    if (job.parts.length > 0) this.sendPart(job);
    else this.finish({ curves: job.curves });
  }

  private finish(answer: SeriesAnswer): void {
    const job = this.current!;
    this.current = undefined;
    job.done(answer);
    this.next();
  }

  private next(): void {
    if (this.current) return;
    this.current = this.waiting.shift();
    if (this.current) this.sendPart(this.current);
  }

  private sendPart({ question: { beginS, endS, points, source }, parts }: Job): void {
    const sent = this.send({ request: ++this.request, channels: parts[0]!, begin_s: beginS, end_s: endS, points, source });
    if (!sent) this.begin();
  }
}

function append(to: number[], from: readonly number[]): void {
  for (const value of from) to.push(value);
}

/** A line through a curve: where a point stands for many values, to the least and to the largest of them. */
export function outline({ times, low, high }: Curve): { times: number[]; values: (number | null)[] } {
  const line: { times: number[]; values: (number | null)[] } = { times: [], values: [] };
  const add = (time: number, value: number) => {
    line.times.push(time);
    line.values.push(Number.isFinite(value) ? value : null);
  };
  times.forEach((time, i) => {
    const [a, b] = [low[i]!, high[i]!];
    if (a === b || !Number.isFinite(a)) return add(time, a);
    const half = 0.5 * ((times[i + 1] ?? 2 * time - (times[i - 1] ?? time)) - time);
    // The nearer end first: no needles beside the curve.
    const before = line.values.at(-1);
    const rising = before === null || before === undefined || Math.abs(before - a) <= Math.abs(before - b);
    add(time, rising ? a : b);
    add(time + half, rising ? b : a);
  });
  return line;
}
