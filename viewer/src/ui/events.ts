// The log of events.

import type { App } from '../app';
import type { Event } from '../proto/live.js';
import { number, t, type TextKey } from '../text';
import { eventText } from '../text/server';
import { h, iconButton, setText } from './dom';
import { icon } from './icons';

const SHOWN = 200;
const REFRESH_MS = 200;
const KINDS = [
  'goal', 'impact', 'slip', 'rolled_over', 'righted', 'left_terrain', 'refused', 'quarantine', 'energy_cap',
] as const;
/** Told only where there are vehicles. */
const OF_VEHICLES: ReadonlySet<string> = new Set(['rolled_over', 'righted', 'left_terrain']);

export class EventLog {
  readonly element: HTMLElement;
  private readonly list = h('ol', { class: 'event-list', attributes: { role: 'log' } });
  private readonly empty = h('p', { class: 'empty', text: 'eventsEmpty' });
  private readonly dropped = h('p', { class: 'dropped' });
  private readonly hiddenKinds = new Set<string>();
  private stale = true;
  private shownAt = 0;

  constructor(private readonly app: App) {
    const kinds = h('div', { class: 'chips' }, ...KINDS.map((kind) => this.kindButton(kind)));
    app.on('scene', ({ ground }) => {
      for (const chip of kinds.querySelectorAll<HTMLElement>('.of-vehicles')) chip.hidden = !ground;
    });
    const clear = iconButton(icon('clear'), 'eventsClear', () => app.clearEvents());
    this.element = h('section', { class: 'panel events' },
      h('div', { class: 'panel-bar' }, kinds, clear), this.dropped, this.empty, this.list);
    app.on('events', () => (this.stale = true));
    app.on('settings', () => (this.stale = true));
  }

  refresh(): void {
    const now = performance.now();
    if (!this.stale || now - this.shownAt < REFRESH_MS || this.element.hidden) return;
    this.stale = false;
    this.shownAt = now;
    const wanted = this.app.events.filter(({ kind }) => !this.hiddenKinds.has(kind)).slice(-SHOWN).reverse();
    this.empty.hidden = wanted.length > 0;
    this.dropped.hidden = this.app.eventsDropped === 0;
    setText(this.dropped, t('eventsDropped', { count: this.app.eventsDropped }));
    this.list.replaceChildren(...wanted.map((event) => this.row(event)));
  }

  private kindButton(kind: (typeof KINDS)[number]): HTMLElement {
    const button = h('button', {
      class: `chip kind-${kind} ${OF_VEHICLES.has(kind) ? 'of-vehicles' : ''}`, text: `kind_${kind}` as TextKey, attributes: { type: 'button', 'aria-pressed': 'true' },
      on: { click: () => {
        const hidden = !this.hiddenKinds.has(kind);
        if (hidden) this.hiddenKinds.add(kind);
        else this.hiddenKinds.delete(kind);
        button.setAttribute('aria-pressed', String(!hidden));
        this.stale = true;
      } },
    });
    return button;
  }

  private row(event: Event): HTMLElement {
    const item = h('li', { class: `event kind-${event.kind}` },
      h('time', {}, `${number(event.time_s, 2)} s`), h('span', {}, eventText(event, (body) => this.app.body(body)?.name, this.app.scene?.source.zones ?? [])));
    const body = event.bodies[0];
    if (body !== undefined) item.addEventListener('click', () => this.app.select(body));
    return item;
  }
}
