// The list of robots, with live numbers. Only rows in sight exist, so that ten thousand are no burden.

import type { App } from '../app';
import type { Driving } from '../input/driving';
import { wrap } from '../state/angle';
import type { BodyInfo } from '../state/scene';
import { DRIVEN, QUARANTINED, SLIPS } from '../state/snapshot';
import { number, t } from '../text';
import { allow, css, h, setText } from './dom';
import { goalBadge, goalText } from '../text/goals';
import { heldText, holderText } from '../text/server';

const ROW_PX = 86;
const SPARE_ROWS = 2;
const REFRESH_MS = 120;
/** A field to search in appears from this many robots on. */
const MANY = 12;

interface Row {
  element: HTMLElement;
  swatch: HTMLElement;
  name: HTMLElement;
  badge: HTMLElement;
  pose: HTMLElement;
  speed: HTMLElement;
  volts: HTMLElement;
  amps: HTMLElement;
  button: HTMLButtonElement;
  /** Whether programs may drive it. */
  programs: HTMLButtonElement;
  robot: number;
  /** Whose name and colours are shown. */
  body: BodyInfo | undefined;
}

export class RobotList {
  readonly element: HTMLElement;
  private readonly scroller: HTMLElement;
  private readonly spacer: HTMLElement;
  private readonly search: HTMLInputElement;
  private readonly empty: HTMLElement;
  private readonly rows: Row[] = [];
  private robots: readonly number[] = [];
  private refreshedAt = 0;

  constructor(
    private readonly app: App,
    private readonly driving: Driving,
  ) {
    this.search = h('input', {
      class: 'search', placeholder: 'find', label: 'find', attributes: { type: 'search' }, on: { input: () => this.filter() },
    });
    this.spacer = h('div', { class: 'robot-rows', attributes: { role: 'list' } });
    this.empty = h('p', { class: 'empty' });
    this.scroller = h('div', { class: 'robot-scroller', on: { scroll: () => this.refresh(true) } }, this.spacer, this.empty);
    this.element = h('section', { class: 'panel robots', label: 'robots' }, this.search, this.scroller);
    this.element.removeAttribute('title');
    app.on('scene', () => this.filter());
    app.on('drivers', () => this.refresh(true));
    app.on('welcome', () => this.refresh(true));
    app.on('goals', () => this.refresh());
    app.on('settings', () => this.refresh(true));
    app.on('selection', (selected) => this.reveal(selected));
    new ResizeObserver(() => this.refresh(true)).observe(this.scroller);
  }

  /** Renews the numbers now and then; at once where asked. */
  refresh(force = false): void {
    const now = performance.now();
    if (!force && now - this.refreshedAt < REFRESH_MS) return;
    const height = this.scroller.clientHeight;
    if (height === 0) return; // not in sight
    this.refreshedAt = now;
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / ROW_PX) - SPARE_ROWS);
    const last = Math.min(this.robots.length, Math.ceil((this.scroller.scrollTop + height) / ROW_PX) + SPARE_ROWS);
    while (this.rows.length < last - first) this.rows.push(this.makeRow());
    this.rows.forEach((row, i) => {
      const robot = this.robots[first + i];
      row.element.hidden = robot === undefined || first + i >= last;
      if (row.element.hidden || robot === undefined) return;
      row.element.style.transform = `translateY(${(first + i) * ROW_PX}px)`;
      this.fill(row, robot);
    });
  }

  private filter(): void {
    const { scene } = this.app;
    const wanted = this.search.value.trim().toLowerCase();
    const all = scene?.robots ?? [];
    this.search.hidden = all.length < MANY;
    this.robots = wanted && !this.search.hidden
      ? all.filter((n) => scene!.bodies[n]!.name.toLowerCase().includes(wanted)) : all;
    this.spacer.style.height = `${this.robots.length * ROW_PX}px`;
    this.empty.hidden = this.robots.length > 0;
    setText(this.empty, t(all.length === 0 ? 'noRobots' : 'noneFound'));
    this.refresh(true);
  }

  private reveal(selected: number | undefined): void {
    const at = selected === undefined ? -1 : this.robots.indexOf(selected);
    if (at >= 0) {
      const top = at * ROW_PX;
      const { scrollTop, clientHeight } = this.scroller;
      if (top < scrollTop) this.scroller.scrollTop = top;
      else if (top + ROW_PX > scrollTop + clientHeight) this.scroller.scrollTop = top + ROW_PX - clientHeight;
    }
    this.refresh(true);
  }

  private makeRow(): Row {
    const cell = (label: 'position' | 'speedSignal' | 'voltage' | 'current') => h('span', { class: `cell ${label}`, label });
    const row: Row = {
      swatch: h('i', { class: 'robot-swatch' }), name: h('span', { class: 'robot-name' }), badge: h('span', { class: 'badge' }),
      pose: cell('position'), speed: cell('speedSignal'), volts: cell('voltage'), amps: cell('current'),
      button: h('button', { class: 'small', attributes: { type: 'button' } }),
      programs: h('button', { class: 'small for-programs', text: 'forPrograms', label: 'forProgramsHint', attributes: { type: 'button' } }), element: h('div'), robot: -1, body: undefined,
    };
    row.button.addEventListener('click', (event) => {
      event.stopPropagation();
      if (event.detail > 0) row.button.blur();
      const mine = this.app.isMine(row.robot);
      this.app.select(row.robot);
      if (mine) this.driving.release();
      else this.driving.claim();
    });
    row.programs.addEventListener('click', (event) => {
      event.stopPropagation();
      if (event.detail > 0) row.programs.blur();
      this.app.send({ for_programs: { body: row.robot, on: row.programs.getAttribute('aria-pressed') !== 'true' } });
    });
    const choose = h('button', {
      class: 'robot-choose', attributes: { type: 'button' },
      on: { click: (event) => {
        if (event.detail > 0) (event.currentTarget as HTMLElement).blur();
        this.app.select(row.robot);
      } },
    }, row.swatch, row.name, row.badge);
    row.element = h('div', { class: 'robot-row', attributes: { role: 'listitem' }, on: { click: () => this.app.select(row.robot) } },
      h('div', { class: 'robot-head' }, choose, row.programs, row.button),
      h('div', { class: 'robot-cells' }, row.pose, row.speed, row.volts, row.amps));
    this.spacer.append(row.element);
    return row;
  }

  private fill(row: Row, n: number): void {
    const { app } = this;
    const body = app.body(n)!;
    const latest = app.playback!.latest;
    // Another scene may have a robot of the same number and name.
    if (row.body !== body) {
      row.body = body;
      row.robot = n;
      row.element.dataset.robot = body.name;
      setText(row.name, body.name);
      row.swatch.style.background = `linear-gradient(135deg, ${css(body.colour)} 55%, ${css(body.tagColour)} 55%)`;
    }
    row.element.classList.toggle('selected', app.selected === n);
    const mine = app.isMine(n);
    const driver = app.driverOf(n);
    const flags = latest.flags[n]!;
    const goal = app.goals.get(n);
    const badge = goal ? goalBadge(goal) : mine ? t('drivenByYou') : driver ? driver.name
      : flags & QUARANTINED ? t('quarantined') : flags & DRIVEN ? t('drivenOutside') : flags & SLIPS ? t('slips') : '';
    setText(row.badge, badge);
    row.badge.title = goal ? goalText(goal) : driver && !mine ? `${holderText(driver, body.name)} ${heldText(app.heldFor(driver))}` : badge;
    row.badge.className = `badge ${goal ? (goal.state === 'arrived' ? 'mine' : goal.state === 'driving' ? 'going' : 'bad') : mine ? 'mine' : driver ? 'other' : flags & QUARANTINED ? 'bad' : ''}`;
    row.badge.hidden = badge === '';
    setText(row.button, t(mine ? 'release' : 'drive'));
    row.button.dataset.label = mine ? 'releaseHint' : 'driveHint';
    row.button.setAttribute('aria-label', `${t(mine ? 'release' : 'drive')}: ${body.name}`);
    allow(row.button, app.isConnected && (driver === undefined || mine), mine ? undefined : app.whyNot('drive', n));
    // Where they may drive all of them, nobody has to choose.
    row.programs.hidden = app.forPrograms === undefined;
    row.programs.setAttribute('aria-pressed', String(app.forPrograms?.includes(n) === true));
    allow(row.programs, app.isConnected, app.whyNot('control'));
    const degrees = (wrap(latest.heading[n]!) * 180) / Math.PI;
    setText(row.pose, `${number(latest.x[n]!, 2)}, ${number(latest.y[n]!, 2)} m  ${number(degrees, 0)}°`);
    setText(row.speed, `${number(latest.speed(n), 2)} m/s`);
    setText(row.volts, `${number(latest.voltsLeft[n]!, 1)} ${number(latest.voltsRight[n]!, 1)} V`);
    setText(row.amps, `${number(latest.currentLeft[n]!, 2)} ${number(latest.currentRight[n]!, 2)} A`);
  }
}
