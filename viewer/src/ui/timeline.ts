// The bar with the timeline: what can be gone to, and what is done with it.

import type { App } from '../app';
import type { Filming } from '../filming';
import { number, t, type TextKey } from '../text';
import { sizeText, timeText } from '../text/time';
import { en } from '../text/en';
import { allow, h, iconButton, setText } from './dom';
import { icon, type IconName } from './icons';
import { markInk, timeTexts, Track } from './track';

export interface TimelineActions {
  takeOver(): void;
  compare(): void;
}

export class TimelineBar {
  readonly element: HTMLElement;
  private readonly track: Track;
  private readonly now = h('b', { id: 'time-now' });
  private readonly within = h('span', { class: 'time-within' });
  private readonly transport: HTMLButtonElement[];
  private readonly back: HTMLButtonElement;
  private readonly play: HTMLButtonElement;
  private readonly live: HTMLButtonElement;
  private readonly filter: HTMLButtonElement;
  private readonly kinds = h('div', { class: 'time-kinds', id: 'time-kinds' });
  private readonly record: HTMLButtonElement;
  private readonly recordText = h('span', { class: 'record-text', id: 'record-text' });
  private readonly film: HTMLButtonElement;
  private readonly filmText = h('span', { class: 'record-text', id: 'film-text' });
  private readonly strip: Strip;
  private kindsShown = '';

  constructor(private readonly app: App, private readonly filming: Filming, actions: TimelineActions) {
    const { travelling } = app;
    const button = (name: IconName, label: TextKey, id: string, click: () => void, more = '') => {
      const made = iconButton(icon(name), label, click, `time-button ${more}`);
      made.id = id;
      return made;
    };
    this.track = new Track(app);
    this.strip = new Strip(app, actions.takeOver);
    this.back = button('playBack', 'timeBack', 'time-back', () => travelling.toggle(-1));
    this.play = button('play', 'timePlay', 'time-play', () => travelling.toggle(1));
    this.transport = [
      button('markPrevious', 'markPrevious', 'mark-previous', () => travelling.toMark(-1)),
      button('stepBack', 'timeStepBack', 'time-step-back', () => travelling.step(-1)),
      this.back, this.play,
      button('step', 'timeStepOn', 'time-step-on', () => travelling.step(1)),
      button('markNext', 'markNext', 'mark-next', () => travelling.toMark(1)),
    ];
    this.live = h('button', { class: 'time-live', id: 'time-live', label: 'timeToLive', attributes: { type: 'button' }, on: { click: (event) => {
      if (event.detail > 0) (event.currentTarget as HTMLElement).blur();
      travelling.toLive();
    } } }, h('i', { class: 'live-dot' }), h('span', { text: 'timeLive' }));
    this.filter = button('filter', 'markKinds', 'mark-kinds', () => this.toggleKinds());
    this.kinds.hidden = true;
    this.record = button('record', 'recordStart', 'record', () => travelling.setRecording(travelling.record?.on !== true), 'record-button');
    this.film = button('film', 'filmStart', 'film', () => filming.toggle());
    const compare = button('ghost', 'compare', 'compare', actions.compare);
    const side = h('div', { class: 'time-side' }, this.live, this.filter, this.record, this.recordText, this.film, this.filmText, compare);
    this.element = h('section', { class: 'timeline', id: 'timeline', label: 'timeline' }, this.kinds, this.strip.element,
      h('div', { class: 'time-row' }, h('div', { class: 'time-buttons' }, ...this.transport), h('div', { class: 'time-now' }, this.now, this.within), this.track.element, side));
    this.element.removeAttribute('title');
    for (const topic of ['timeline', 'link', 'welcome', 'settings', 'record', 'film', 'status'] as const) app.on(topic, () => this.show());
    app.on('marks', () => this.showKinds());
    document.addEventListener('pointerdown', ({ target }) => {
      if (!this.kinds.contains(target as Node) && !this.filter.contains(target as Node)) this.kinds.hidden = true;
    });
    this.show();
  }

  /** Every picture. */
  refresh(): void {
    this.track.refresh();
    const [now, within] = timeTexts(this.app);
    setText(this.now, now);
    setText(this.within, within);
    this.strip.refresh();
    if (this.filming.isOn) setText(this.filmText, timeText(this.filming.length, 0));
  }

  /** Closes what lies over the picture; false where nothing does. */
  close(): boolean {
    const open = !this.kinds.hidden;
    this.kinds.hidden = true;
    return open;
  }

  private show(): void {
    const { app } = this;
    const { travel, record } = app.travelling;
    const why = app.whyNot('control');
    const offered = travel.isOffered;
    this.element.classList.toggle('without-track', !offered);
    this.element.dataset.mode = travel.mode;
    for (const control of this.transport) allow(control, app.isConnected && offered, why);
    swap(this.back, travel.isPlaying && travel.direction < 0 ? 'pause' : 'playBack', travel.isPlaying && travel.direction < 0 ? 'timePause' : 'timeBack');
    const goes = app.isPaused === false && travel.direction > 0;
    swap(this.play, goes ? 'pause' : 'play', goes ? 'timePause' : 'timePlay');
    this.live.hidden = !offered || (travel.isAway && !travel.comesFromLive);
    allow(this.live, app.isConnected && travel.isAway, why);
    this.live.setAttribute('aria-pressed', String(!travel.isAway));
    this.filter.hidden = !offered;
    this.showRecord(why, record);
    const filming = this.filming.isOn;
    swap(this.film, filming ? 'stop' : 'film', filming ? 'filmStop' : 'filmStart');
    this.film.classList.toggle('is-on', filming);
    this.filmText.hidden = !filming;
    this.strip.show();
  }

  private showRecord(why: string | undefined, state: App['travelling']['record']): void {
    const { record, recordText } = this;
    record.hidden = state === undefined;
    recordText.hidden = state?.on !== true;
    if (!state) return;
    swap(record, state.on ? 'stop' : 'record', state.on ? 'recordStop' : 'recordStart');
    record.classList.toggle('is-on', state.on);
    allow(record, this.app.isConnected, why ?? (state.may_record || state.on ? undefined : t('recordNo')));
    const lost = state.lost > 0 ? ` · ${t('recordLost', { count: state.lost })}` : '';
    setText(recordText, t('recordState', { file: state.file, size: sizeText(state.bytes) }) + lost);
    recordText.classList.toggle('bad', state.lost > 0);
    recordText.title = recordText.textContent ?? '';
  }

  private toggleKinds(): void {
    this.kinds.hidden = !this.kinds.hidden;
    this.showKinds();
  }

  private showKinds(): void {
    if (this.kinds.hidden) return;
    const { marks } = this.app.travelling;
    const { kinds } = marks;
    const shown = JSON.stringify([kinds, [...marks.hidden], document.documentElement.lang]);
    if (shown === this.kindsShown && this.kinds.childElementCount > 0) return;
    this.kindsShown = shown;
    const style = getComputedStyle(document.documentElement);
    const chips = kinds.map(({ kind, count }) => {
      const dot = h('i', { class: 'swatch' });
      dot.style.background = markInk(kind, (name) => style.getPropertyValue(name).trim());
      const hidden = marks.hidden.has(kind);
      return h('button', { class: 'chip', attributes: { type: 'button', 'data-kind': kind, 'aria-pressed': String(!hidden) }, on: { click: () => {
        marks.hide(kind, !hidden);
        this.app.emit('marks', marks);
      } } }, dot, kindText(kind), h('small', {}, String(count)));
    });
    const leftOut = [...marks.leftOut.values()].reduce((sum, count) => sum + count, 0);
    const notes = leftOut > 0 ? [h('p', { class: 'note' }, t('marksLeftOut', { count: leftOut }))] : [];
    this.kinds.replaceChildren(...(chips.length > 0 ? [h('div', { class: 'chips' }, ...chips)] : [h('p', { class: 'note' }, t('marksNone'))]), ...notes);
  }
}

/** Kinds that this page does not know are called as the simulator calls them. */
function kindText(kind: string): string {
  const key = `kind_${kind}`;
  return key in en ? t(key as TextKey) : kind;
}

function swap(button: HTMLButtonElement, name: IconName, label: TextKey): void {
  if (button.dataset.label === label && button.dataset.icon === name) return;
  button.dataset.icon = name;
  button.dataset.label = label;
  button.replaceChildren(icon(name));
  button.title = t(label);
  button.setAttribute('aria-label', t(label));
}

/** What is shown where it is not simply the live run, in words, and what can be done about it. */
class Strip {
  readonly element: HTMLElement;
  private readonly text = h('span', { class: 'strip-text', id: 'strip-text' });
  private readonly warning = h('span', { class: 'strip-warning', id: 'strip-warning' });
  private readonly takeOver: HTMLButtonElement;
  private readonly toLive: HTMLButtonElement;
  private readonly close: HTMLButtonElement;
  /** The take-over that was told and need not be told any longer. */
  private dismissed: number | undefined;

  constructor(private readonly app: App, takeOver: () => void) {
    this.takeOver = h('button', { class: 'small', id: 'take-over', text: 'takeOver', attributes: { type: 'button' }, on: { click: takeOver } });
    this.toLive = h('button', { class: 'small strong', id: 'to-live', text: 'timeToLive', attributes: { type: 'button' }, on: { click: (event) => {
      if (event.detail > 0) (event.currentTarget as HTMLElement).blur();
      app.travelling.toLive();
    } } });
    this.close = iconButton(icon('close'), 'dismiss', () => {
      this.dismissed = app.travelling.travel.now?.origin?.at_s;
      this.show();
    });
    this.element = h('div', { class: 'time-strip', id: 'time-strip', attributes: { role: 'status' } }, this.text, this.warning,
      h('div', { class: 'strip-buttons' }, this.takeOver, this.toLive, this.close));
    this.element.hidden = true;
  }

  show(): void {
    const { app } = this;
    const { travel } = app.travelling;
    const { now } = travel;
    const { origin } = now ?? {};
    const tellOrigin = travel.mode === 'live' && origin !== undefined && origin.at_s !== this.dismissed;
    this.element.hidden = !now || (!travel.isAway && !tellOrigin);
    this.element.dataset.mode = travel.mode;
    document.body.classList.toggle('in-past', travel.mode === 'past');
    if (!now) return;
    const why = app.whyNot('control') ?? (now.may_take_over ? undefined : t('fidelityNoTakeOver'));
    this.takeOver.hidden = !travel.isAway;
    allow(this.takeOver, app.isConnected, why);
    this.toLive.hidden = travel.mode !== 'past';
    allow(this.toLive, app.isConnected, app.whyNot('control'));
    this.close.hidden = !tellOrigin;
    const words = { why: now.fidelity_reason };
    const fidelity = travel.fidelity === 'differs' ? t('fidelityDiffers', words) : travel.fidelity === 'recorded' ? t('fidelityRecorded', words) : now.fidelity_reason;
    setText(this.warning, travel.isAway ? fidelity : '');
    this.warning.hidden = this.warning.textContent === '';
    this.refresh();
  }

  refresh(): void {
    if (this.element.hidden) return;
    const { travelling } = this.app;
    const { travel } = travelling;
    const now = travel.now!;
    const words = { time: timeText(now.origin?.time_s ?? 0, 2), file: now.origin?.file ?? '' };
    const from = now.origin ? t(words.file ? 'originFile' : 'originRun', words) : '';
    const rate = travel.isPlaying ? ` · ${number(now.speed, Math.abs(now.speed) < 1 ? 1 : 0)}×` : '';
    const seeking = travel.seekingS === undefined ? '' : ` · ${t('timeSeeking', { time: timeText(travel.seekingS, 2) })}`;
    if (travel.mode === 'past') setText(this.text, t('pastShown', { end: timeText(now.end_s, 2), at: timeText(travelling.shownS, 2) }) + rate + seeking);
    else if (travel.mode === 'replay') setText(this.text, (now.file ? t('replayShown', { file: now.file }) : t('replayLog')) + rate + seeking + (from ? ` · ${from}` : ''));
    else setText(this.text, `${from}. ${this.app.ghosting.table.all.some(({ kind }) => kind === 'future') ? t('originGhost') : ''}`);
  }
}
