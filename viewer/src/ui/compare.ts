// The card with ghosts: what is compared with the run, and what could be.

import type { App } from '../app';
import type { Recorded } from '../net/recordings';
import type { GhostInfo, WayStyle } from '../state/ghosts';
import { t, type TextKey } from '../text';
import { sizeText, timeText } from '../text/time';
import { allow, css, h, iconButton, setText } from './dom';
import { icon, type IconName } from './icons';

const KINDS: Record<GhostInfo['kind'], TextKey> = { recording: 'ghostRecording', path: 'ghostPath', future: 'ghostFuture' };
const WAYS: WayStyle[] = ['line', 'arrows', 'off'];
const WAY_ICONS: Record<WayStyle, IconName> = { line: 'traces', arrows: 'arrows', off: 'noWay' };

export class CompareCard {
  readonly element: HTMLElement;
  private readonly list = h('div', { class: 'ghost-list', id: 'ghost-list' });
  private readonly hide = h('button', { class: 'small', id: 'ghosts-on', attributes: { type: 'button' }, on: { click: () => this.app.ghosting.setOn(!this.app.ghosting.on) } });
  private readonly files = h('div', { class: 'recording-list', id: 'recording-list' });
  private readonly folder = h('section', {}, h('h3', { text: 'recordings' }), this.files);
  private readonly picker = h('input', { attributes: { type: 'file', accept: '.mcap,.txt,.csv,.dat,.tsv,text/plain', multiple: '', hidden: '' } });
  private known: readonly Recorded[] | undefined;

  /** `take` opens files, whatever they are. */
  constructor(private readonly app: App, take: (file: File) => void) {
    this.picker.addEventListener('change', () => {
      for (const file of this.picker.files ?? []) take(file);
      this.picker.value = '';
    });
    const open = h('button', { class: 'small', id: 'ghost-open', attributes: { type: 'button' }, on: { click: () => this.picker.click() } }, icon('open'), h('span', { text: 'ghostOpen' }));
    this.element = h('section', { class: 'compare-card', id: 'compare-card', label: 'compareTitle' },
      h('div', { class: 'dialog-head' }, h('h2', { text: 'compareTitle' }), iconButton(icon('close'), 'close', () => this.toggle(false))),
      h('div', { class: 'compare-body' }, this.list, h('div', { class: 'compare-tools' }, open, this.hide), h('p', { class: 'note', text: 'ghostDrop' }), this.folder, this.picker));
    this.element.removeAttribute('title');
    this.element.hidden = true;
    for (const topic of ['ghosts', 'settings', 'welcome', 'timeline'] as const) {
      app.on(topic, () => {
        if (topic !== 'timeline') this.show();
      });
    }
    app.on('record', (state) => {
      // Another file is there.
      if (state && !state.on) void this.look();
    });
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  toggle(open = !this.isOpen): void {
    this.element.hidden = !open;
    if (!open) return;
    this.show();
    void this.look();
  }

  private async look(): Promise<void> {
    if (!this.isOpen) return;
    this.known = await this.app.recordings.list();
    this.showFiles();
  }

  private show(): void {
    if (!this.isOpen) return;
    const { ghosting } = this.app;
    const { all } = ghosting.table;
    this.hide.hidden = all.length === 0;
    setText(this.hide, t(ghosting.on ? 'ghostsHide' : 'ghostsShow'));
    this.list.classList.toggle('off', !ghosting.on);
    this.list.replaceChildren(...(all.length > 0 ? all.map((ghost) => this.row(ghost)) : [h('p', { class: 'note' }, t('ghostsNone'))]));
    this.showFiles();
  }

  private row(ghost: GhostInfo): HTMLElement {
    const { ghosting } = this.app;
    const dot = h('i', { class: 'swatch' });
    dot.style.background = css(ghost.tint);
    const shows = h('input', { label: 'ghostShow', attributes: { type: 'checkbox' }, on: { change: () => ghosting.setVisible(ghost, shows.checked) } });
    shows.checked = ghost.visible;
    const way = iconButton(icon(WAY_ICONS[ghost.way]), 'ghostWay', () => ghosting.setWay(ghost, WAYS[(WAYS.indexOf(ghost.way) + 1) % WAYS.length]!), 'ghost-way');
    way.dataset.way = ghost.way;
    const isBeside = ghosting.beside === ghost.key;
    const beside = iconButton(icon('beside'), 'ghostBeside', () => {
      ghosting.setBeside(isBeside ? undefined : ghost.key);
      // The card would lie on the other picture.
      if (!isBeside) this.toggle(false);
    }, 'ghost-beside');
    beside.setAttribute('aria-pressed', String(isBeside));
    beside.hidden = ghost.bodies.length === 0;
    const remove = iconButton(icon('close'), 'ghostRemove', () => ghosting.remove(ghost), 'ghost-remove');
    allow(remove, true, ghost.number === undefined ? undefined : this.app.whyNot('control'));
    const span = `${timeText(ghost.beginS, 1)} – ${timeText(ghost.endS, 1)}`;
    return h('div', { class: 'ghost-row', attributes: { 'data-ghost': ghost.key, 'data-kind': ghost.kind } },
      h('label', { class: 'ghost-name' }, shows, dot, h('span', {}, h('b', {}, ghost.name || t(KINDS[ghost.kind])), h('small', {}, `${t(KINDS[ghost.kind])} · ${span}`))), way, beside, remove);
  }

  private showFiles(): void {
    if (!this.isOpen) return;
    const { app, known } = this;
    this.folder.hidden = known === undefined;
    if (!known) return;
    const why = app.whyNot('control');
    const rows = known.map((file) => {
      const add = iconButton(icon('plus'), 'recordingAdd', () => app.ghosting.add(file.name), 'recording-add');
      allow(add, app.isConnected, why);
      const get = h('a', { class: 'icon-button', label: 'recordDownload', attributes: { href: app.recordings.address(file.name), download: file.name } }, icon('download'));
      return h('div', { class: 'ghost-row', attributes: { 'data-file': file.name } }, h('span', { class: 'ghost-name' }, h('span', {}, h('b', {}, file.name), h('small', {}, sizeText(file.bytes)))), get, add);
    });
    this.files.replaceChildren(...(rows.length > 0 ? rows : [h('p', { class: 'note' }, t('recordingsNone'))]));
  }
}

/** What the two pictures beside one another show. */
export function besideLabels(app: App): HTMLElement {
  const run = h('span', { text: 'besideRun' });
  const other = h('span');
  const close = iconButton(icon('close'), 'besideEnd', () => app.ghosting.setBeside(undefined));
  const element = h('div', { class: 'beside-labels' }, h('div', {}, run), h('div', {}, other, close));
  const show = () => {
    const ghost = app.ghosting.table.get(app.ghosting.beside);
    element.hidden = ghost === undefined;
    setText(other, ghost ? ghost.name || t(KINDS[ghost.kind]) : '');
  };
  app.on('ghosts', show);
  app.on('settings', show);
  show();
  return element;
}
