// Saves the picture as a film while somebody wants it.

import type { App } from './app';
import { filmName, filmRate, filmType } from './state/film';
import { t } from './text';

/** Pictures a second at most. */
const RATE = 30;
/** Pieces of the film come this often, ms. */
const PIECE_MS = 1000;
/** A film of this size, bytes, ends by itself: it lies in the browser's memory until it is saved. */
const MOST_BYTES = 1024 ** 3;

export class Filming {
  private recorder: MediaRecorder | undefined;
  private pieces: Blob[] = [];
  private bytes = 0;
  private begunAt = 0;
  private name = '';
  private canvas: HTMLCanvasElement | undefined;

  constructor(private readonly app: App) {}

  get isOn(): boolean {
    return this.recorder !== undefined;
  }

  /** s. */
  get length(): number {
    return this.recorder ? (performance.now() - this.begunAt) / 1000 : 0;
  }

  toggle(): void {
    if (this.recorder) this.recorder.stop();
    else this.begin();
  }

  /** After each picture. Another canvas in the place of the one that is filmed ends the film. */
  watch(): void {
    if (this.recorder && (this.app.view?.canvas !== this.canvas || this.bytes > MOST_BYTES)) this.recorder.stop();
  }

  private begin(): void {
    const { app } = this;
    const canvas = app.view?.canvas;
    const type = typeof MediaRecorder === 'undefined' ? undefined : filmType((one) => MediaRecorder.isTypeSupported(one));
    if (!canvas || type === undefined || typeof canvas.captureStream !== 'function') {
      return app.emit('notice', { level: 'warning', text: t('filmNone') });
    }
    try {
      const stream = canvas.captureStream(RATE);
      const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: filmRate(canvas.width, canvas.height) });
      recorder.addEventListener('dataavailable', ({ data }) => {
        this.pieces.push(data);
        this.bytes += data.size;
      });
      recorder.addEventListener('stop', () => this.end(type));
      recorder.addEventListener('error', () => app.emit('notice', { level: 'error', text: t('filmFailed') }));
      this.pieces = [];
      this.bytes = 0;
      recorder.start(PIECE_MS);
      this.recorder = recorder;
    } catch {
      return app.emit('notice', { level: 'error', text: t('filmFailed') });
    }
    this.canvas = canvas;
    this.name = filmName(app.scene?.name, app.travelling.shownS, type);
    this.begunAt = performance.now();
    app.emit('film', true);
  }

  private end(type: string): void {
    const { recorder } = this;
    this.recorder = this.canvas = undefined;
    for (const track of recorder?.stream.getTracks() ?? []) track.stop();
    this.app.emit('film', false);
    if (this.bytes === 0) return this.app.emit('notice', { level: 'error', text: t('filmFailed') });
    const file = URL.createObjectURL(new Blob(this.pieces, { type: type.split(';')[0]! }));
    this.pieces = [];
    const link = document.createElement('a');
    [link.href, link.download] = [file, this.name];
    link.click();
    setTimeout(() => URL.revokeObjectURL(file), 60_000);
    this.app.emit('notice', { level: 'info', text: t('filmSaved', { file: this.name }) });
  }
}
