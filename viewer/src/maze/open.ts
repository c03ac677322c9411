// Opening a map: a file that is dropped on the page or chosen, its real size, and what is in it.

import type { App } from '../app';
import type { MapAnswer } from '../proto/live.js';
import { number, t, type TextKey } from '../text';
import { mapErrorLines, mapNote } from '../text/map';
import { h, iconButton, setText } from '../ui/dom';
import { icon } from '../ui/icons';
import { MOST_MAP_BYTES, type MapClient } from './client';
import { FARTHEST, type Kind } from './element';
import { drawPreview } from './preview';
import { elementsOf, parse } from './text';

const KINDS: Kind[] = ['robot', 'wall', 'cell', 'line', 'ball', 'cube', 'mesh'];
export const MAP_ENDINGS = '.txt,.map,.png,.jpg,.jpeg,.gif,.webp,.bmp,text/plain,image/png,image/jpeg,image/gif,image/webp,image/bmp';

/** The simulator turns a picture as its camera says. */
const AS_READ: ImageBitmapOptions = { imageOrientation: 'from-image' };

interface Opened {
  name: string;
  data: Uint8Array;
  picture: ImageBitmap | undefined;
  answer: MapAnswer;
}

export class MapOpener {
  readonly element: HTMLDialogElement;
  private readonly picker = h('input', { attributes: { type: 'file', accept: MAP_ENDINGS, hidden: '' } });
  private readonly zone = h('div', { class: 'drop-zone' }, h('div', { class: 'drop-card' }, icon('open'), h('b', { text: 'mapDrop' })));
  private readonly message = h('p', { class: 'map-message', attributes: { role: 'status' } });
  private readonly errors = h('ul', { class: 'map-errors', id: 'map-errors' });
  private readonly preview = h('canvas', { class: 'map-preview', label: 'mapPreview' });
  private readonly counts = h('p', { class: 'map-counts' });
  private readonly notes = h('ul', { class: 'map-notes' });
  private readonly sizes: HTMLElement;
  private readonly width = sizeField('mapWidth', 'map-width', () => this.typed('width'));
  private readonly height = sizeField('mapHeightDown', 'map-height', () => this.typed('height'));
  private readonly shape = h('input', { id: 'map-shape', attributes: { type: 'checkbox' }, on: { change: () => this.typed('width') } });
  private readonly pixel = h('span', { class: 'note' });
  private readonly load = h('button', { class: 'main-button', id: 'map-load', text: 'mapLoad', attributes: { type: 'button' }, on: { click: () => void this.loadNow() } });
  private readonly edit = h('button', { class: 'small', id: 'map-edit', text: 'mapEdit', attributes: { type: 'button' }, on: { click: () => void this.editNow() } });
  private opened: Opened | undefined;
  /** Counts the files, so that a slow one does not overtake the next. */
  private files = 0;
  private dragged = 0;

  constructor(
    private readonly app: App,
    private readonly client: MapClient,
    private readonly editMap: (text: string, name: string) => void,
    /** Takes files that are no maps; false where it may be one. */
    private readonly takeOther: (file: File) => Promise<boolean>,
  ) {
    this.shape.checked = true;
    this.sizes = h('fieldset', { class: 'map-sizes' }, h('legend', { text: 'mapSize' }),
      this.width.element, h('span', {}, '×'), this.height.element,
      h('label', { class: 'map-check' }, this.shape, h('span', { text: 'mapKeepShape' })), this.pixel);
    const close = iconButton(icon('close'), 'close', () => this.element.close());
    const other = h('button', { class: 'small', id: 'map-other', text: 'mapOther', attributes: { type: 'button' }, on: { click: () => this.pick() } });
    const cancel = h('button', { class: 'small', text: 'mapCancel', attributes: { type: 'button' }, on: { click: () => this.element.close() } });
    this.element = h('dialog', { id: 'map', attributes: { 'aria-labelledby': 'map-title' } },
      h('div', { class: 'dialog-head' }, h('h2', { id: 'map-title', text: 'mapTitle' }), close),
      h('div', { class: 'dialog-body' }, this.message, this.errors, this.preview, this.counts, this.notes, this.sizes,
        h('div', { class: 'map-buttons' }, this.load, this.edit, other, cancel)));
    this.element.addEventListener('close', () => this.forget());
    this.picker.addEventListener('change', () => {
      const file = this.picker.files?.[0];
      this.picker.value = '';
      if (file) void this.open(file);
    });
    this.zone.hidden = true;
    document.body.append(this.picker, this.zone);
    this.listen();
    app.on('settings', () => this.show());
  }

  /** Asks for a file. */
  pick(): void {
    if (this.isAllowed()) this.picker.click();
  }

  /** Reads a file and shows what is in it. */
  async open(file: File): Promise<void> {
    if (await this.takeOther(file)) return;
    if (!this.isAllowed()) return;
    const turn = ++this.files;
    this.opened = undefined;
    if (!this.element.open) this.element.showModal();
    this.say(t('mapReading', { name: file.name }));
    const failed = (error: string): MapAnswer => ({ request: 0, error, loaded: false, text: '', width: 0, height: 0, notes: [], needs: 0 });
    let data = new Uint8Array();
    let answer = failed(t('mapTooLarge', { name: file.name }));
    if (file.size <= MOST_MAP_BYTES) {
      try {
        data = new Uint8Array(await file.arrayBuffer());
        answer = await this.client.send({ name: file.name, data }, true);
      } catch {
        answer = failed(t('mapUnreadable', { name: file.name }));
      }
    }
    // A picture that this browser cannot show may still be one that the simulator can read.
    const isPicture = answer.width > 0;
    const picture = isPicture ? await createImageBitmap(new Blob([data]), AS_READ).catch(() => undefined) : undefined;
    if (turn !== this.files || !this.element.open) return;
    this.opened = { name: file.name, data, picture, answer };
    if (isPicture) this.propose(answer);
    this.show();
  }

  /** Of many files those that are no maps, and one map. */
  private async openAll(files: readonly File[]): Promise<void> {
    for (const file of files) await this.open(file);
  }

  // ---- dropping

  private listen(): void {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    const shows = (is: boolean) => (this.zone.hidden = !is);
    window.addEventListener('dragenter', (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      this.dragged++;
      shows(true);
    });
    window.addEventListener('dragleave', (event) => {
      if (!hasFiles(event)) return;
      this.dragged = Math.max(0, this.dragged - 1);
      if (this.dragged === 0) shows(false);
    });
    window.addEventListener('dragover', (event) => {
      // Without this the browser would leave the page for the file.
      if (hasFiles(event)) event.preventDefault();
    });
    window.addEventListener('drop', (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      this.dragged = 0;
      shows(false);
      void this.openAll([...(event.dataTransfer?.files ?? [])]);
    });
  }

  private isAllowed(): boolean {
    if (this.app.mayControl) return true;
    const text = this.app.whyNot('control') ?? t('mapNoAnswer');
    this.app.emit('notice', { level: 'warning', text });
    return false;
  }

  // ---- the real size

  /** The simulator proposes a size where none is sent. */
  private propose({ width, height }: MapAnswer): void {
    const { picture } = this.opened ?? {};
    this.shape.checked = !picture || Math.abs(width * picture.height - height * picture.width) <= 0.01 * width * picture.height;
    this.width.input.value = rounded(width);
    this.height.input.value = rounded(height);
  }

  /** Keeps the picture's shape while one side is typed. */
  private typed(side: 'width' | 'height'): void {
    const answer = this.opened?.answer;
    if (!answer) return;
    const [own, other] = side === 'width' ? [this.width, this.height] : [this.height, this.width];
    const { width, height } = this.opened?.picture ?? answer;
    const ratio = side === 'width' ? height / width : width / height;
    const value = Number(own.input.value);
    if (this.shape.checked && value > 0) other.input.value = rounded(value * ratio);
    this.showSize();
  }

  private get size(): [number, number] | undefined {
    const size: [number, number] = [Number(this.width.input.value), Number(this.height.input.value)];
    return size.every((side) => side > 0 && side <= FARTHEST) ? size : undefined;
  }

  private showSize(): void {
    const answer = this.opened?.answer;
    if (!answer || answer.width === 0) return;
    const { size } = this;
    const { picture } = this.opened!;
    const pixel = size && picture && Math.sqrt((size[0] / picture.width) * (size[1] / picture.height));
    const said = pixel ? t('mapPixel', { size: number(pixel, pixel < 0.01 ? 4 : pixel < 1 ? 3 : 2) }) : '';
    setText(this.pixel, size ? said : t('mapSizeBad'));
    this.load.disabled = this.edit.disabled = !size;
  }

  // ---- what is shown

  private say(text: string): void {
    setText(this.message, text);
    this.message.hidden = text === '';
    for (const part of [this.errors, this.preview, this.counts, this.notes, this.sizes]) part.hidden = true;
    this.load.disabled = this.edit.disabled = true;
  }

  private show(): void {
    const { opened } = this;
    if (!opened || !this.element.open) return;
    const { answer, name, picture } = opened;
    if (answer.error) {
      this.say(t('mapBad', { name }));
      this.list(this.errors, mapErrorLines(answer.error));
      return;
    }
    this.say('');
    const elements = elementsOf(parse(answer.text));
    const isPicture = answer.width > 0;
    this.sizes.hidden = !isPicture;
    this.counts.hidden = this.preview.hidden = false;
    const counted = KINDS.map((kind) => [kind, elements.filter((element) => element.kind === kind).length] as const);
    const text = counted.filter(([, count]) => count > 0).map(([kind, count]) => t(`count_${kind}` as TextKey, { count })).join('  ·  ');
    setText(this.counts, `${name}: ${text || t('mapNothing')}`);
    if (answer.notes.length > 0) this.list(this.notes, answer.notes.map(mapNote));
    this.load.disabled = this.edit.disabled = false;
    this.showSize();
    drawPreview(this.preview, elements, picture, isPicture ? [answer.width, answer.height] : undefined);
    // The dialog gives the focus to its first button, which closes it.
    if (!document.activeElement?.matches('#map input')) this.load.focus();
  }

  private list(element: HTMLElement, lines: string[]): void {
    element.hidden = false;
    element.replaceChildren(...lines.map((line) => h('li', {}, line)));
  }

  private async loadNow(): Promise<void> {
    const answer = await this.send(false);
    if (!answer) return;
    if (answer.error) return this.show();
    this.element.close();
  }

  private async editNow(): Promise<void> {
    const { opened } = this;
    const answer = opened?.answer.width === 0 ? opened.answer : await this.send(true);
    if (!opened || !answer) return;
    if (answer.error) return this.show();
    this.element.close();
    this.editMap(answer.text, opened.name);
  }

  /** Sends the file with its size; nothing comes back where another file came between. */
  private async send(onlyRead: boolean): Promise<MapAnswer | undefined> {
    const { opened } = this;
    if (!opened) return undefined;
    this.load.disabled = this.edit.disabled = true;
    const size = opened.answer.width > 0 ? this.size : undefined;
    const answer = await this.client.send({ name: opened.name, data: opened.data, size }, onlyRead);
    if (this.opened !== opened) return undefined;
    if (answer.error) opened.answer = { ...opened.answer, error: answer.error };
    return answer;
  }

  private forget(): void {
    this.files++;
    this.opened?.picture?.close();
    this.opened = undefined;
  }
}

function sizeField(label: TextKey, id: string, typed: () => void): { element: HTMLElement; input: HTMLInputElement } {
  const input = h('input', { id, attributes: { type: 'number', step: 'any', min: '0', inputmode: 'decimal', autocomplete: 'off' }, on: { input: typed } });
  return { element: h('label', { class: 'map-size' }, h('span', { text: label }), input, 'm'), input };
}

/** Centimetres are enough for a proposal. */
function rounded(metres: number): string {
  return String(metres >= 1 ? Math.round(metres * 100) / 100 : Number(metres.toPrecision(3)));
}
