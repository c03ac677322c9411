// Sends maps to the simulator and waits for its answers.

import type { App } from '../app';
import type { MapAnswer } from '../proto/live.js';
import { t } from '../text';

/** Largest map that the simulator takes, bytes. */
export const MOST_MAP_BYTES = 16 * 1024 * 1024;
/** How long to wait for an answer, ms: a large picture on a busy machine takes seconds. */
const PATIENCE_MS = 60_000;
/** The simulator counts a message once for each so many bytes, and takes 200 a second. */
const COUNTED_BYTES = 64 * 1024;
const COUNTED_MS = 1000 / 150;

export interface MapFile {
  name: string;
  data: Uint8Array;
  /** Real size of a picture, m: across and down. */
  size?: [number, number] | undefined;
}

interface Waiting {
  answer(answer: MapAnswer): void;
  fail(why: string): void;
}

export class MapClient {
  private requests = 0;
  private readonly waiting = new Map<number, Waiting>();
  /** When the next large message may go, as performance.now(). */
  private free = 0;

  constructor(private readonly app: App) {
    app.on('map', (answer) => this.waiting.get(answer.request)?.answer(answer));
    app.on('link', ({ state }) => {
      if (state === 'open' || state === 'silent') return;
      for (const { fail } of this.waiting.values()) fail(t('mapNoAnswer'));
    });
  }

  /** What the simulator says of a map; an error is in the answer, whatever went wrong. */
  async send({ name, data, size }: MapFile, onlyRead: boolean): Promise<MapAnswer> {
    const request = ++this.requests;
    const failed = (error: string): MapAnswer => ({ request, error, loaded: false, text: '', width: 0, height: 0, notes: [], needs: 0 });
    if (!this.app.mayControl) return failed(this.app.whyNot('control') ?? t('mapNoAnswer'));
    if (data.length > MOST_MAP_BYTES) return failed(t('mapTooLarge', { name }));
    await this.turn(data.length);
    const [width, height] = size ?? [0, 0];
    const sent = this.app.send({ load_map: { request, name, data, width, height, only_read: onlyRead } });
    if (!sent) return failed(t('mapNoAnswer'));
    return new Promise((resolve) => {
      const finish = (answer: MapAnswer) => {
        clearTimeout(timer);
        this.waiting.delete(request);
        resolve(answer);
      };
      const timer = setTimeout(() => finish(failed(t('mapNoAnswer'))), PATIENCE_MS);
      this.waiting.set(request, { answer: finish, fail: (why) => finish(failed(why)) });
    });
  }

  /** Waits until a message of this length would not be dropped for coming too soon. */
  private async turn(bytes: number): Promise<void> {
    const now = performance.now();
    const wait = Math.max(0, this.free - now);
    const count = Math.floor(bytes / COUNTED_BYTES);
    this.free = Math.max(now, this.free) + count * COUNTED_MS;
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  }
}
