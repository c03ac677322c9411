// What a camera of the selected robot or of the world sees: a small window on the picture that can be moved, enlarged and closed.

import type { App } from '../app';
import type { Picture } from '../proto/live.js';
import { ownerOf, WORLD, type SensorInfo } from '../state/sensors';
import { number, t } from '../text';
import { h, iconButton, setText } from './dom';
import { icon } from './icons';

const RATE_WINDOW_MS = 2000;

/** A camera and whose it is. */
interface Camera {
  readonly owner: number;
  readonly sensor: SensorInfo;
}

export class CameraWindow {
  readonly element: HTMLElement;
  private readonly canvas = h('canvas', { class: 'eye-picture', attributes: { width: '320', height: '240' } });
  private readonly name = h('b', { class: 'eye-name' });
  private readonly rate = h('span', { class: 'eye-rate' });
  private readonly wait = h('p', { class: 'eye-wait', text: 'eyeWait' });
  private readonly choice: HTMLSelectElement;
  private readonly head: HTMLElement;
  private cameras: readonly Camera[] = [];
  private chosen: Camera | undefined;
  private decoding = false;
  private next: Picture | undefined;
  /** When pictures came lately, ms. */
  private came: number[] = [];
  /** Pictures drawn, and the number of the last one. */
  shown = 0;
  last = 0;
  private large = false;
  /** Moved by hand: left and top, CSS pixels. Else it lies in its corner. */
  private place: [number, number] | undefined;

  constructor(private readonly app: App) {
    this.choice = h('select', { label: 'eyeChoose', on: { change: () => this.choose(this.cameras[Number(this.choice.value)]) } });
    const size = iconButton(icon('enlarge'), 'eyeSize', () => this.setLarge(!this.large), 'eye-size');
    const close = iconButton(icon('close'), 'close', () => app.change({ eye: false }), 'eye-close');
    this.head = h('div', { class: 'eye-head', label: 'eyeMove' }, this.name, this.choice, this.rate, size, close);
    this.head.removeAttribute('aria-label');
    this.canvas.addEventListener('dblclick', () => this.setLarge(!this.large));
    this.element = h('section', { class: 'eye', id: 'eye', label: 'eye' }, this.head, h('div', { class: 'eye-frame' }, this.canvas, this.wait));
    this.element.removeAttribute('title');
    this.head.addEventListener('pointerdown', (event) => this.grab(event));
    this.head.addEventListener('dblclick', (event) => {
      if (!(event.target as Element).closest('button, select')) this.dock();
    });
    app.on('picture', (picture) => this.take(picture));
    for (const topic of ['selection', 'settings', 'scene'] as const) app.on(topic, () => this.show());
    app.on('restart', () => (this.came = []));
    window.addEventListener('resize', () => this.put());
    new ResizeObserver(() => this.sharpen()).observe(this.canvas);
    this.show();
  }

  private show(): void {
    const { app } = this;
    const cameras = this.all();
    const visible = app.settings.eye && cameras.length > 0;
    this.element.hidden = !visible;
    document.body.classList.toggle('with-eye', visible);
    if (!visible) {
      [this.cameras, this.chosen] = [[], undefined];
      this.put();
      return;
    }
    if (cameras.length !== this.cameras.length || cameras.some(({ sensor }, i) => sensor !== this.cameras[i]!.sensor)) {
      this.cameras = cameras;
      const names = cameras.map(({ owner, sensor }) => (owner === WORLD && cameras[0]!.owner !== WORLD ? `${t('world')}: ${sensor.name}` : sensor.name));
      this.choice.replaceChildren(...names.map((name, i) => new Option(name, String(i))));
      this.choice.hidden = cameras.length < 2;
      this.choose(cameras[0]);
    }
    this.tell();
    this.put();
  }

  /** Those of the selected robot, then those of the world. */
  private all(): Camera[] {
    const { app } = this;
    const body = app.body(app.selected);
    const owners = app.scene ? [...(body ? [body] : []), app.scene.world] : [];
    return owners.flatMap(({ number: owner, sensors }) =>
      sensors.filter(({ kind }) => kind === 'camera').map((sensor) => ({ owner, sensor })));
  }

  /** Says whose picture it is. */
  private tell(): void {
    const owner = this.chosen?.owner;
    setText(this.name, owner === WORLD ? t('world') : this.app.body(owner)?.name ?? '');
  }

  /** Another camera: until its first picture comes, nothing old stands there. */
  private choose(camera: Camera | undefined): void {
    if (!camera) return;
    this.chosen = camera;
    this.tell();
    this.came = [];
    this.next = undefined;
    this.canvas.width = Math.max(1, camera.sensor.picture_width);
    this.canvas.height = Math.max(1, camera.sensor.picture_height);
    this.wait.hidden = false;
    setText(this.rate, '');
    this.choice.blur();
  }

  private take(picture: Picture): void {
    if (this.element.hidden || !this.isChosen(picture)) return;
    this.next = picture;
    if (!this.decoding) void this.draw();
  }

  private isChosen(picture: Picture): boolean {
    return this.chosen?.owner === ownerOf(picture) && this.chosen.sensor.number === picture.sensor;
  }

  /** The newest picture that came; those that come while one is decoded are skipped but for the last. */
  private async draw(): Promise<void> {
    this.decoding = true;
    try {
      while (this.next) {
        const picture = this.next;
        this.next = undefined;
        const bitmap = await createImageBitmap(new Blob([picture.png as Uint8Array<ArrayBuffer>], { type: 'image/png' }));
        if (this.isChosen(picture)) this.paint(bitmap, picture);
        bitmap.close();
      }
    } catch {
      // No picture in these bytes: the one before stays.
    } finally {
      this.decoding = false;
    }
  }

  private paint(bitmap: ImageBitmap, picture: Picture): void {
    if (this.canvas.width !== bitmap.width || this.canvas.height !== bitmap.height) {
      [this.canvas.width, this.canvas.height] = [bitmap.width, bitmap.height];
    }
    this.canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
    this.wait.hidden = true;
    this.shown++;
    this.last = picture.number;
    const now = performance.now();
    this.came = [...this.came.filter((at) => now - at < RATE_WINDOW_MS), now];
    const span = now - this.came[0]!;
    setText(this.rate, span > 500 ? t('eyeRate', { rate: number((1000 * (this.came.length - 1)) / span, 0) }) : '');
    this.canvas.title = t('eyeNumber', { number: picture.number });
  }

  private setLarge(large: boolean): void {
    this.large = large;
    this.element.classList.toggle('large', large);
    this.put();
  }

  /** Enlarged, pixels are shown as they are; a picture that is made smaller is smoothed. */
  private sharpen(): void {
    this.canvas.classList.toggle('crisp', this.canvas.clientWidth * window.devicePixelRatio >= this.canvas.width);
  }

  /** Back into its corner. */
  private dock(): void {
    this.place = undefined;
    this.put();
  }

  private grab(event: PointerEvent): void {
    if (event.button !== 0 || (event.target as Element).closest('button, select')) return;
    event.preventDefault();
    const stage = this.element.parentElement!.getBoundingClientRect();
    const box = this.element.getBoundingClientRect();
    const hold = [event.clientX - box.left, event.clientY - box.top] as const;
    this.head.setPointerCapture(event.pointerId);
    const move = (moved: PointerEvent) => {
      this.place = [moved.clientX - hold[0] - stage.left, moved.clientY - hold[1] - stage.top];
      this.put();
    };
    const end = () => {
      this.head.removeEventListener('pointermove', move);
      this.head.removeEventListener('pointerup', end);
      this.head.removeEventListener('pointercancel', end);
    };
    this.head.addEventListener('pointermove', move);
    this.head.addEventListener('pointerup', end);
    this.head.addEventListener('pointercancel', end);
  }

  /** Where it was moved to, as far as it is on the picture; else where the style has it. */
  private put(): void {
    const { style } = this.element;
    document.body.classList.toggle('eye-docked', !this.element.hidden && !this.place && !this.large);
    const stage = this.element.parentElement;
    if (!this.place || !stage) {
      style.left = style.top = style.right = style.bottom = '';
      return;
    }
    const inside = (at: number, room: number) => `${Math.round(Math.max(0, Math.min(at, room)))}px`;
    style.left = inside(this.place[0], stage.clientWidth - this.element.offsetWidth);
    style.top = inside(this.place[1], stage.clientHeight - this.element.offsetHeight);
    style.right = style.bottom = 'auto';
  }
}
