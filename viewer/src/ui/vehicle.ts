// The selected vehicle: how fast and how tilted it is, and what each of its wheels does.

import type { App } from '../app';
import type { BodyInfo } from '../state/scene';
import { reportOf, slipChannel, travelOf, type VehicleReport } from '../state/vehicle';
import { number, t, type TextKey } from '../text';
import { eventText } from '../text/server';
import { allow, h, setText } from './dom';
import { icon } from './icons';

const REFRESH_MS = 80;
const DEGREES = 180 / Math.PI;
/** A load of so many even shares fills its bar. */
const FULL_LOAD = 2.5;

interface Bar {
  element: HTMLElement;
  fill: HTMLElement;
  value: HTMLElement;
}

interface WheelCard {
  element: HTMLElement;
  load: Bar;
  raised: Bar;
  slip: Bar;
}

export class VehiclePanel {
  readonly element: HTMLElement;
  private readonly speed = h('b', { class: 'vehicle-speed' });
  private readonly dial: Dial = makeDial();
  private readonly values: Record<'roll' | 'pitch' | 'height', HTMLElement> = { roll: h('dd'), pitch: h('dd'), height: h('dd') };
  private readonly name = h('h3');
  private readonly lies = h('span', { class: 'badge bad', text: 'vehicleLies' });
  private readonly grid = h('div', { class: 'wheel-grid' });
  private readonly button: HTMLButtonElement;
  private wheels: WheelCard[] = [];
  private body: BodyInfo | undefined;
  private built = '';
  private refreshedAt = 0;

  constructor(private readonly app: App) {
    this.button = h('button', {
      class: 'small vehicle-right', text: 'vehicleRight', attributes: { type: 'button' },
      on: { click: (event) => {
        if (event.detail > 0) (event.currentTarget as HTMLElement).blur();
        this.putBack();
      } },
    });
    const value = (text: TextKey, element: HTMLElement) => h('div', {}, h('dt', { text }), element);
    this.element = h('section', { class: 'vehicle', label: 'vehicle' },
      h('div', { class: 'vehicle-head' }, this.name, this.lies, this.button),
      h('div', { class: 'vehicle-now' }, this.dial.element, h('div', {}, this.speed, h('dl', { class: 'vehicle-values' },
        value('vehicleRoll', this.values.roll), value('vehiclePitch', this.values.pitch), value('vehicleHeight', this.values.height)))),
      this.grid);
    this.element.removeAttribute('title');
    for (const topic of ['selection', 'scene', 'settings', 'link', 'welcome'] as const) app.on(topic, () => this.build());
    app.on('frame', (frame) => {
      for (const event of frame.events) {
        if (event.kind !== 'rolled_over' && event.kind !== 'left_terrain') continue;
        const body = app.body(event.bodies[0] ?? -1);
        const ended = event.kind === 'left_terrain' && body?.vehicle;
        const text = ended ? t('vehicleRunEnded', { name: body.name }) : eventText(event, (n) => app.body(n)?.name, app.scene?.source.zones ?? []);
        app.emit('notice', { level: 'warning', text });
      }
    });
    this.build();
  }

  refresh(): void {
    const now = performance.now();
    const { playback } = this.app;
    if (!this.body || !playback?.started || now - this.refreshedAt < REFRESH_MS || this.element.offsetParent === null) return;
    this.refreshedAt = now;
    const report = reportOf(this.body, playback.latest, (name) => this.app.channels.value(name));
    if (report) this.show(report);
  }

  private show(report: VehicleReport): void {
    setText(this.speed, `${number(report.speed, 2)} m/s`);
    setText(this.values.roll, `${number(report.roll * DEGREES, 1)}°`);
    setText(this.values.pitch, `${number(report.pitch * DEGREES, 1)}°`);
    setText(this.values.height, `${number(report.height, 2)} m`);
    this.dial.show(report.roll, report.pitch);
    this.lies.hidden = !report.lies;
    this.button.classList.toggle('urgent', report.lies);
    report.wheels.forEach((wheel, k) => {
      const card = this.wheels[k];
      const info = this.body!.vehicle!.wheels[k];
      if (!card || !info) return;
      const air = wheel.load <= 0;
      card.element.classList.toggle('air', air);
      fill(card.load, 0, wheel.share / FULL_LOAD, air ? t('wheelAir') : `${number(wheel.load, 0)} N`);
      fill(card.raised, 0, wheel.raised / travelOf(info), `${number(1000 * wheel.raised, 0)} mm`);
      fill(card.slip, 0.5, 0.5 + 0.5 * wheel.slip, `${number(100 * wheel.slip, 0)} %`);
      card.slip.fill.classList.toggle('much', Math.abs(wheel.slip) > 0.25);
      card.load.fill.classList.toggle('much', wheel.share > 2);
    });
  }

  private build(): void {
    const { app } = this;
    const body = app.body(app.selected);
    const built = JSON.stringify([body?.number, app.scene?.generation, document.documentElement.lang]);
    allow(this.button, app.isConnected, app.whyNot('control'));
    if (built === this.built) return;
    this.built = built;
    this.body = body?.vehicle ? body : undefined;
    this.element.hidden = this.body === undefined;
    this.refreshedAt = 0;
    const { body: shown } = this;
    app.channels.want('vehicle', shown?.vehicle?.wheels.map((_, k) => slipChannel(shown, k)) ?? []);
    app.askChannels();
    if (!this.body) return;
    setText(this.name, this.body.name);
    this.wheels = this.body.vehicle!.wheels.map((_, k) => wheelCard(wheelName(this.body!, k)));
    // As seen from above, front on top.
    const order = this.body.vehicle!.wheels.map((wheel, k) => ({ wheel, k }));
    order.sort((a, b) => b.wheel.x - a.wheel.x || b.wheel.y - a.wheel.y);
    this.grid.replaceChildren(...order.map(({ k }) => this.wheels[k]!.element));
  }

  /** Puts it where it is, as the ground lies there. */
  private putBack(): void {
    const { app, body } = this;
    const latest = app.playback?.latest;
    if (!body || !latest) return;
    const n = body.number;
    app.send({ place: { body: n, x: latest.x[n]!, y: latest.y[n]!, heading: latest.heading[n]! } });
  }
}

/** What a wheel is called by its place. */
export function wheelName(body: BodyInfo, k: number): string {
  const { wheels } = body.vehicle!;
  const { x, y } = wheels[k]!;
  const [front, rear] = [Math.max(...wheels.map((w) => w.x)), Math.min(...wheels.map((w) => w.x))];
  const near = 0.15 * (front - rear);
  const along: TextKey = front - rear < 1e-6 || (x < front - near && x > rear + near) ? 'wheelMiddle' : x >= front - near ? 'wheelFront' : 'wheelRear';
  if (Math.abs(y) < 1e-3) return t(along);
  return `${t(along)} ${t(y > 0 ? 'wheelLeftSide' : 'wheelRightSide')}`;
}

function wheelCard(name: string): WheelCard {
  const bar = (text: TextKey): Bar => {
    const fill = h('i');
    const value = h('span', { class: 'bar-value' });
    return { fill, value, element: h('div', { class: `bar bar-${text}` }, h('span', { text }), h('div', { class: 'bar-track' }, fill), value) };
  };
  const [load, raised, slip] = [bar('wheelLoad'), bar('wheelRaised'), bar('wheelSlip')];
  const element = h('div', { class: 'wheel-card' }, h('small', {}, name), load.element, raised.element, slip.element);
  return { element, load, raised, slip };
}

/** A bar from one share of its track to another. */
function fill(bar: Bar, from: number, to: number, text: string): void {
  const [low, high] = [from, to].map((share) => Math.max(0, Math.min(1, share))).sort((a, b) => a - b) as [number, number];
  bar.fill.style.left = `${(100 * low).toFixed(1)}%`;
  bar.fill.style.width = `${(100 * (high - low)).toFixed(1)}%`;
  setText(bar.value, text);
}

interface Dial {
  element: SVGSVGElement;
  show(roll: number, pitch: number): void;
}

/** An artificial horizon: the land behind the vehicle as one would see it from behind. */
function makeDial(): Dial {
  const make = (tag: string, attributes: Record<string, string>, ...children: SVGElement[]) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };
  const land = make('g', {},
    make('rect', { x: '-90', y: '-90', width: '180', height: '90', class: 'dial-sky' }),
    make('rect', { x: '-90', y: '0', width: '180', height: '90', class: 'dial-land' }),
    make('path', { d: 'M-90 0H90M-12 -15H12M-12 15H12M-7 -7.5H7M-7 7.5H7', class: 'dial-line' }));
  const own = make('path', { d: 'M-24 0H-9L0 7 9 0H24', class: 'dial-own' });
  const clip = make('clipPath', { id: 'dial-round' }, make('circle', { r: '34' }));
  const element = make('svg', { viewBox: '-36 -36 72 72', class: 'dial', 'aria-hidden': 'true' },
    clip, make('g', { 'clip-path': 'url(#dial-round)' }, land), make('circle', { r: '34', class: 'dial-rim' }), own) as SVGSVGElement;
  return {
    element,
    show(roll, pitch) {
      const up = Math.max(-30, Math.min(30, pitch * DEGREES * 0.75));
      land.setAttribute('transform', `rotate(${(-roll * DEGREES).toFixed(1)}) translate(0 ${up.toFixed(1)})`);
    },
  };
}

/** The switch for arrows at the wheels; only where there are vehicles. */
export function loadsButton(app: App): HTMLElement {
  const button = h('button', {
    class: 'floating pill sense-switch', id: 'switch-loads', label: 'loadsHint', attributes: { type: 'button' },
    on: { click: (event) => {
      if (event.detail > 0) (event.currentTarget as HTMLElement).blur();
      toggleLoads(app);
    } },
  }, icon('wheel'), h('span', { text: 'loads' }));
  const refresh = () => {
    button.hidden = !hasVehicles(app);
    button.setAttribute('aria-pressed', String(app.settings.loads));
  };
  app.on('scene', refresh);
  app.on('settings', refresh);
  refresh();
  return button;
}

export function toggleLoads(app: App): void {
  const loads = !app.settings.loads;
  if (loads && !app.body(app.selected)?.vehicle) app.select(app.scene?.bodies.find(({ vehicle }) => vehicle)?.number, false);
  app.change({ loads });
}

function hasVehicles(app: App): boolean {
  return app.scene?.bodies.some(({ vehicle }) => vehicle) ?? false;
}
