// Going to other instants of the run, recording it, and what is known of all of it.

import type { App } from './app';
import type { ServerMessage } from './net/codec';
import type { Frame, RecordState } from './proto/live.js';
import { MarkTable } from './state/marks';
import type { Playback } from './state/playback';
import { SeriesDesk } from './state/series';
import { Travel } from './state/travel';
import { t } from './text';

/** While somebody drags, instants are asked for this often, ms; the simulator goes to the last one. */
const SEEK_EVERY_MS = 40;
/** By then, ms, the simulator has said where it goes to. */
const SETTLED_MS = 400;
/** Losses of a recording are told again when they have become so many times as many. */
const TELL_FACTOR = 10;

export class Travelling {
  readonly travel = new Travel();
  readonly marks = new MarkTable();
  readonly desk: SeriesDesk;
  record: RecordState | undefined;
  /** The instant that is to be asked for, and the one that the page waits for. */
  private wanted: number | undefined;
  private target: number | undefined;
  private soughtAt = -Infinity;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private lostTold = 0;

  constructor(private readonly app: App) {
    this.desk = new SeriesDesk((ask) => app.send({ ask_series: ask }));
  }

  // ---- what comes from the simulator

  /** Another connection. */
  begin(): void {
    this.travel.begin();
    this.marks.clear();
    this.desk.begin();
    this.record = undefined;
    this.lostTold = 0;
    this.wanted = this.target = undefined;
    this.app.send({ watch_timeline: { on: true } });
    this.app.emit('timeline', { mode: true, course: true, origin: false });
    this.app.emit('record', undefined);
  }

  take({ timeline, marks, series, record_state }: ServerMessage): void {
    if (timeline) {
      const { mode } = this.travel;
      const change = this.travel.take(timeline);
      // They were of a recording.
      if (mode === 'replay' && !this.travel.isAway) this.marks.clear();
      this.arrive();
      this.tellPlayback(this.app.playback);
      this.app.emit('timeline', change);
    }
    if (marks) {
      this.marks.take(marks);
      this.app.emit('marks', this.marks);
    }
    if (series) this.desk.take(series);
    if (record_state) this.takeRecord(record_state);
  }

  /** Where time stands away from the newest instant, what comes is shown at once. */
  tellPlayback(playback: Playback | undefined): void {
    if (playback) playback.standing = this.travel.isAway && !this.travel.isPlaying;
  }

  /** Events of a live run are its marks. */
  hear(frame: Frame): void {
    const { travel, marks } = this;
    if (!travel.isOffered || travel.isAway) return;
    for (const event of frame.events) marks.hear(event, (frame.run_time_s || frame.time_s) - (frame.time_s - event.time_s));
    marks.forgetBefore(travel.now!.begin_s);
    if (frame.events.length > 0) this.app.emit('marks', marks);
  }

  private takeRecord(state: RecordState): void {
    const before = this.record;
    this.record = state;
    const { app } = this;
    if (state.lost === 0) this.lostTold = 0;
    if (state.lost > this.lostTold * TELL_FACTOR) {
      this.lostTold = state.lost;
      app.emit('notice', { level: 'warning', text: t('recordLostCount', { file: state.file, count: state.lost }) });
    }
    if (before?.on && !state.on && state.file) {
      const link = state.in_folder ? { text: t('recordDownload'), file: state.file } : undefined;
      app.emit('notice', { level: 'info', text: t('recordEnded', { file: state.file }), ...(link ? { link } : {}) });
    }
    app.emit('record', state);
  }

  // ---- what is asked of the simulator

  /** The instant that is shown or gone to, run time, s. */
  get atS(): number {
    return this.target ?? this.travel.seekingS ?? this.shownS;
  }

  /** The instant that is in the picture, run time, s. */
  get shownS(): number {
    const { playback } = this.app;
    return playback?.started ? playback.shown.runTimeS : (this.travel.now?.at_s ?? 0);
  }

  /** To an instant of the run, s. Of many that come quickly only some are asked for, and the last. */
  seek(timeS: number): void {
    if (!this.may()) return;
    const { begin_s, end_s } = this.travel.now!;
    this.wanted = this.target = Math.max(begin_s, Math.min(end_s, timeS));
    if (this.timer !== undefined) return;
    const wait = Math.max(0, this.soughtAt + SEEK_EVERY_MS - performance.now());
    this.timer = setTimeout(() => this.seekNow(), wait);
    if (wait === 0) this.seekNow();
  }

  /** Whether what the page waits for has come: the very instant, or another one that the simulator settled for. */
  private arrive(): void {
    const { travel, target } = this;
    if (target === undefined || this.wanted !== undefined || travel.seekingS !== undefined) return;
    const late = performance.now() - this.soughtAt > SETTLED_MS;
    if (late || Math.abs(travel.now!.at_s - target) <= (this.app.scene?.stepS ?? 0.001)) this.target = undefined;
  }

  private seekNow(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.wanted === undefined) return;
    this.soughtAt = performance.now();
    this.app.send({ time_travel: { seek_s: this.wanted } });
    this.wanted = undefined;
  }

  step(by: number): void {
    if (!this.may()) return;
    this.forget();
    if (by > 0) this.app.control({ step: by });
    else this.app.send({ time_travel: { step: by } });
  }

  /** Goes on from what is shown, backwards (-1) or forwards. */
  play(direction: -1 | 1): void {
    const { travel, app } = this;
    if (!this.may()) return;
    this.forget();
    if (direction < 0) {
      app.send({ time_travel: { play: -travel.rate } });
      return;
    }
    // Forwards goes whatever is shown: what was, a log, or the run itself.
    if (travel.isAway && Math.abs(travel.now!.speed) !== travel.rate) app.control({ speed: travel.rate });
    app.control({ play: true });
  }

  stop(): void {
    this.forget();
    this.app.control({ pause: true });
  }

  /** Plays this way, or stands where it does so already. */
  toggle(direction: -1 | 1): void {
    const { travel } = this;
    const goes = travel.isAway ? travel.isPlaying && travel.direction === direction : direction > 0 && this.app.status?.paused === false;
    if (goes) this.stop();
    else this.play(direction);
  }

  setRate(rate: number): void {
    const { travel } = this;
    if (!this.may()) return;
    travel.rate = rate;
    this.app.control({ speed: rate });
    this.app.emit('timeline', { mode: false, course: false, origin: false });
  }

  /** Nobody wants to go to an instant any more. */
  private forget(): void {
    clearTimeout(this.timer);
    this.timer = this.wanted = this.target = undefined;
  }

  /** Back to the live run, or to where the replay of a log is; in a recording, to its end. */
  toLive(): void {
    const { travel } = this;
    if (!this.may() || !travel.isAway) return;
    if (!travel.comesFromLive) return this.seek(travel.now!.end_s);
    this.forget();
    this.app.send({ time_travel: { to_live: true } });
  }

  toMark(by: -1 | 1): void {
    const mark = by > 0 ? this.marks.next(this.atS) : this.marks.previous(this.atS);
    if (mark) this.seek(mark.timeS);
  }

  takeOver(seed: number | undefined, set: string[]): void {
    if (this.may()) this.app.send({ time_travel: { take_over: { ...(seed === undefined ? {} : { seed }), set } } });
  }

  setRecording(on: boolean): void {
    if (!this.app.refuses('control')) this.app.send({ record: on ? { start: true } : { stop: true } });
  }

  private may(): boolean {
    return this.travel.isOffered && !this.app.refuses('control');
  }
}
