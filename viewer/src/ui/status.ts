// The line at the bottom: how the run goes.

import type { App } from '../app';
import { BehindWindow } from '../state/behind';
import { DETAIL_TEXTS } from '../text/detail';
import { number, t, type TextKey } from '../text';
import { h, setText } from './dom';

export class StatusLine {
  readonly element: HTMLElement;
  private readonly cells = new Map<string, HTMLElement>();
  private readonly behind = new BehindWindow();
  private behindLately = 0;
  private pictures = 0;
  private frames = 0;
  private since = performance.now();
  /** Pictures a second over the last second. */
  frameRate = 0;

  constructor(private readonly app: App, openProfile: () => void) {
    this.element = h('footer', { class: 'status', attributes: { 'aria-live': 'off' } },
      h('span', { class: 'link-dot' }),
      this.cell('time', 'time'), this.cell('realTime', 'realTime', 'realTimeHint'),
      this.cell('lateness', 'lateness', 'latenessHint'), this.cell('missed', 'missed', 'missedHint'),
      this.cell('behind', 'behind'), this.cell('frameRate', 'frameRate', 'frameRateHint'),
      this.cell('detail', 'detail', 'detailHint'),
      this.cell('viewers', 'viewers'), h('button', {
        id: 'open-profile', class: 'status-button', text: 'profile', label: 'profileHint', attributes: { type: 'button' },
        on: { click: (event) => {
          if (event.detail > 0) (event.currentTarget as HTMLElement).blur();
          openProfile();
        } },
      }), h('span', { class: 'status-note' }));
    app.on('link', (link) => (this.element.dataset.link = link.state));
    app.on('welcome', () => this.behind.clear());
    app.on('status', (status) => {
      this.behindLately = this.behind.take(status.behind_s, performance.now());
      this.showStatus();
    });
    app.on('settings', () => {
      this.showStatus();
      this.showDetail();
    });
    app.on('detail', () => this.showDetail());
    this.showDetail();
  }

  /** Called for every picture of the screen, with whether the world was drawn anew for it. */
  tick(now: number, drawn: boolean): void {
    if (drawn) this.pictures++;
    if (now - this.since < 1000) return;
    this.frameRate = (this.pictures * 1000) / (now - this.since);
    const frames = ((this.app.framesReceived - this.frames) * 1000) / (now - this.since);
    this.set('frameRate', `${number(this.frameRate, 0)} / ${number(frames, 0)} s⁻¹`);
    this.pictures = 0;
    this.frames = this.app.framesReceived;
    this.since = now;
  }

  refresh(): void {
    this.set('time', `${number(this.app.playback?.latest.timeS ?? 0, 2)} s`);
  }

  private showDetail(): void {
    const detail = t(DETAIL_TEXTS[this.app.detail]);
    this.set('detail', this.app.detailIsAutomatic ? t('detailByItself', { detail }) : detail);
  }

  private cell(name: string, text: TextKey, label?: TextKey): HTMLElement {
    const value = h('b', { id: `status-${name}` }, '–');
    this.cells.set(name, value);
    return h('span', { class: `status-cell ${name}`, ...(label ? { label } : {}) }, h('span', { text }), value);
  }

  private set(name: string, text: string): void {
    setText(this.cells.get(name)!, text);
  }

  private showStatus(): void {
    const { status } = this.app;
    if (!status) return;
    const asked = status.speed === 0 ? t('speedMax') : `${number(status.speed, status.speed < 1 ? 1 : 0)}×`;
    this.set('realTime', status.paused ? t('paused') : `${number(status.real_time_factor, 2)}× / ${asked}`);
    const { tick_lateness: tick, frame_lateness: frame } = status;
    this.set('lateness', `${duration(tick?.p99)} / ${duration(frame?.p99)}`);
    this.set('missed', `${status.missed_ticks} / ${status.missed_frames}`);
    this.set('behind', `${number(this.behindLately, 1)} s`);
    const behindHint = t('behindHint', { total: number(status.behind_s, 1) });
    this.element.querySelector<HTMLElement>('.status-cell.behind')!.title = behindHint;
    this.set('viewers', String(status.viewers));
    const slow = !status.paused && status.speed > 0 && status.real_time_factor > 0 && status.real_time_factor < 0.9 * status.speed;
    this.element.classList.toggle('slow', slow);
    this.element.classList.toggle('behind', this.behindLately > 0.05);
    const notes = [
      status.ended && t('ended'),
      status.lock_step && t('waitsFor', { awaited: status.awaited, controllers: status.controllers }),
      this.app.rights?.role === 'watch' && t('watchOnly'),
      this.app.rights?.role === 'drive' && t('driveOnly'),
    ].filter(Boolean);
    setText(this.element.querySelector<HTMLElement>('.status-note')!, notes.join(' · '));
  }
}

/** Seconds in the unit that fits. */
function duration(seconds: number | undefined): string {
  if (seconds === undefined) return '–';
  return seconds < 1e-3 ? `${number(seconds * 1e6, 0)} µs` : `${number(seconds * 1e3, seconds < 1e-2 ? 1 : 0)} ms`;
}
