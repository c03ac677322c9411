// Which instant of the run is shown, and which can be gone to, as the simulator tells it. No browser needed.

import { TimelineFidelity, TimelineMode, type Timeline } from '../proto/live.js';

/** How fast what was is played, either way. */
export const RATES = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

/** The shortest run that fills a track, s. */
const LEAST_S = 10;

export type Mode = 'live' | 'past' | 'replay';

/** What a new message changed. */
export interface Change {
  mode: boolean;
  /** Whether all that is known of what was is of another run. */
  course: boolean;
  /** Whether the run was taken over. */
  origin: boolean;
}

export class Travel {
  now: Timeline | undefined;
  /** How fast time is to go when it goes, simulated seconds a second; above 0. */
  rate = 1;

  /** Another connection. */
  begin(): void {
    this.now = undefined;
    this.rate = 1;
  }

  take(timeline: Timeline): Change {
    const before = this.now;
    this.now = timeline;
    if (this.isAway && timeline.playing && timeline.speed !== 0) this.rate = Math.abs(timeline.speed);
    return {
      mode: before?.mode !== timeline.mode,
      course: before?.course !== timeline.course,
      origin: before !== undefined && (before.origin?.at_s !== timeline.origin?.at_s || before.origin?.time_s !== timeline.origin?.time_s),
    };
  }

  get mode(): Mode {
    if (this.now?.mode === TimelineMode.PAST) return 'past';
    return this.now?.mode === TimelineMode.REPLAY ? 'replay' : 'live';
  }

  /** Whether something else than the newest instant of a run is shown. */
  get isAway(): boolean {
    return this.mode !== 'live';
  }

  /** Whether what is shown is the past of something that goes on: of a run, or of the replay of a log. */
  get comesFromLive(): boolean {
    // A recording has a name, and nothing that goes on beside it.
    return this.mode === 'past' || (this.mode === 'replay' && this.now!.kept_s > 0 && this.now!.file === '');
  }

  /** Whether there are instants to go to. */
  get isOffered(): boolean {
    const { now } = this;
    return now !== undefined && (now.mode !== TimelineMode.LIVE || now.kept_s > 0);
  }

  /** Whether what is shown goes on by itself, backwards or forwards. */
  get isPlaying(): boolean {
    return this.isAway && this.now!.playing;
  }

  /** The instant that is being gone to, run time, s. */
  get seekingS(): number | undefined {
    return this.now?.has_seeking_s && this.now.seeking_s;
  }

  /** -1 while it is shown backwards, else 1. */
  get direction(): -1 | 1 {
    return this.isPlaying && this.now!.speed < 0 ? -1 : 1;
  }

  /** All that a track shows. A run that has just begun does not fill it. */
  get span(): readonly [number, number] {
    const { now } = this;
    if (!now) return [0, 1];
    if (now.mode === TimelineMode.REPLAY) return [now.begin_s, now.end_s];
    return [Math.min(now.begin_s, now.end_s - LEAST_S), now.end_s];
  }

  /** Why what is shown is not the run itself, to the bit. */
  get fidelity(): 'exact' | 'differs' | 'recorded' {
    const fidelity = this.now?.fidelity;
    if (fidelity === TimelineFidelity.DIFFERS) return 'differs';
    return fidelity === TimelineFidelity.RECORDED ? 'recorded' : 'exact';
  }

  /** The next rate up or down the list. */
  nextRate(by: number): number {
    const nearest = RATES.reduce((best, value, i) => (Math.abs(Math.log(value / this.rate)) < Math.abs(Math.log(RATES[best]! / this.rate)) ? i : best), 0);
    return RATES[Math.max(0, Math.min(RATES.length - 1, nearest + by))]!;
  }
}

/** What was typed for a run that is taken over: settings of the scene, or what is wrong with them. */
export type Settings = { set: string[] } | { line: number; got: string };

/** As many settings as the simulator takes. */
export const MOST_SETTINGS = 64;

/** Lines of `key = value`; empty ones and comments (#) say nothing. Too many are told as the first line that is too much. */
export function readSettings(text: string): Settings {
  const set: string[] = [];
  for (const [i, whole] of text.split('\n').entries()) {
    const line = whole.trim();
    if (line === '' || line.startsWith('#')) continue;
    const [, key, value] = /^([^=\s]+)\s*=\s*(.+)$/.exec(line) ?? [];
    if (key === undefined || value === undefined || set.length === MOST_SETTINGS) return { line: i + 1, got: line };
    set.push(`${key}=${value}`);
  }
  return { set };
}

/** A seed that was typed: none; or undefined where it is no whole number that this page can tell. */
export function readSeed(text: string): { seed: number | undefined } | undefined {
  const typed = text.trim();
  if (typed === '') return { seed: undefined };
  const seed = Number(typed);
  return /^\d+$/.test(typed) && Number.isSafeInteger(seed) ? { seed } : undefined;
}
