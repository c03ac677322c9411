// What happened in a run, for the timeline: kinds, the next and the previous one, the one under the mouse. No browser needed.

import type { Event, Mark, Marks } from '../proto/live.js';

/** Events that happened in a live run are kept as far as they can be gone to, and no more than so many. */
const MOST = 4000;
/** An instant this near is the one that is shown, s: going to the next mark leaves it. */
const HERE_S = 1e-4;

/** From the most to the least important: that is the one drawn above the others. */
export const MARK_KINDS = [
  'goal', 'foul', 'taken_over', 'reset', 'scene', 'rolled_over', 'left_terrain', 'quarantine', 'righted', 'refused', 'energy_cap', 'impact', 'slip',
] as const;
/** Told by the thousand: not shown until somebody wants to see them. */
const HIDDEN_AT_FIRST = ['slip', 'energy_cap', 'refused'];

export interface MarkInfo {
  /** Run time, s. */
  readonly timeS: number;
  readonly kind: string;
  readonly text: string;
  readonly bodies: readonly number[];
  readonly value: number;
  readonly zone: number;
}

export function rankOf(kind: string): number {
  const at = (MARK_KINDS as readonly string[]).indexOf(kind);
  return at < 0 ? MARK_KINDS.indexOf('righted') : at;
}

export class MarkTable {
  private all: MarkInfo[] = [];
  readonly hidden = new Set<string>(HIDDEN_AT_FIRST);
  /** How many there were beyond those that are told, by kind. */
  leftOut = new Map<string, number>();
  /** Counts changes. */
  version = 0;
  private shownNow: readonly MarkInfo[] | undefined;

  /** Those of kinds that are not hidden, in order of time. */
  get shown(): readonly MarkInfo[] {
    return (this.shownNow ??= this.all.filter(({ kind }) => !this.hidden.has(kind)));
  }

  /** All kinds that there are, the most important first, with how many there are of each. */
  get kinds(): { kind: string; count: number }[] {
    const counts = new Map(this.leftOut);
    for (const { kind } of this.all) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return [...counts].map(([kind, count]) => ({ kind, count })).sort((a, b) => rankOf(a.kind) - rankOf(b.kind) || (a.kind < b.kind ? -1 : 1));
  }

  clear(): void {
    this.all = [];
    this.leftOut.clear();
    this.changed();
  }

  /** All that the simulator knows of what can be gone to. */
  take({ marks, left_out }: Marks): void {
    const info = ({ time_s, kind, text, bodies, value, zone }: Mark): MarkInfo => ({ timeS: time_s, kind, text, bodies, value, zone });
    this.all = marks.map(info).sort((a, b) => a.timeS - b.timeS);
    this.leftOut = new Map(left_out.map(({ kind, count }) => [kind, count]));
    this.changed();
  }

  /** An event of a live run; `timeS` is run time. */
  hear({ kind, text, bodies, value, zone }: Event, timeS: number): void {
    const mark = { timeS, kind, text, bodies, value, zone };
    // Events come in order but for those of one frame.
    let at = this.all.length;
    while (at > 0 && this.all[at - 1]!.timeS > timeS) at--;
    this.all.splice(at, 0, mark);
    if (this.all.length > MOST) this.all.splice(0, this.all.length - MOST);
    this.changed();
  }

  /** Forgets what cannot be gone to any more. */
  forgetBefore(timeS: number): void {
    let old = 0;
    while (old < this.all.length && this.all[old]!.timeS < timeS) old++;
    if (old === 0) return;
    this.all.splice(0, old);
    this.changed();
  }

  hide(kind: string, hidden: boolean): void {
    if (hidden) this.hidden.add(kind);
    else this.hidden.delete(kind);
    this.changed();
  }

  next(timeS: number): MarkInfo | undefined {
    return this.shown.find((mark) => mark.timeS > timeS + HERE_S);
  }

  previous(timeS: number): MarkInfo | undefined {
    return this.shown.findLast((mark) => mark.timeS < timeS - HERE_S);
  }

  /** The marks within so many seconds, the most important and nearest first. */
  near(timeS: number, within: number): MarkInfo[] {
    const off = (mark: MarkInfo) => Math.abs(mark.timeS - timeS);
    return this.shown.filter((mark) => off(mark) <= within).sort((a, b) => rankOf(a.kind) - rankOf(b.kind) || off(a) - off(b));
  }

  private changed(): void {
    this.shownNow = undefined;
    this.version++;
  }
}
