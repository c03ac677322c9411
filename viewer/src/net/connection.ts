// One WebSocket to the simulator that comes back by itself.

import { Backoff } from './backoff';
import { decode, encode, type Outgoing, type ServerMessage } from './codec';

export type Link =
  /** The first attempt is under way. */
  | { state: 'connecting' }
  | { state: 'open' }
  /** Open, but nothing has come for a while. */
  | { state: 'silent'; sinceMs: number }
  /** Lost; the next attempt begins at this instant of performance.now(). `goodbye`: closed in good order. */
  | { state: 'lost'; retryAt: number; goodbye: boolean }
  /** The simulator is there but wants an access token that this page does not have. */
  | { state: 'refused'; retryAt: number }
  /** The simulator speaks another version of the protocol: trying again is of no use. */
  | { state: 'incompatible'; theirs: number };

/** The version of live.proto that this page understands. */
export const PROTOCOL = 1;

/** Silence that is shown, and silence after which the connection is given up, ms. The simulator sends
 * its status a few times a second, also in a pause. */
const SILENT_MS = 3000;
const DEAD_MS = 10_000;
const WATCH_MS = 500;
const LATE_MS = 100;
/** How often the page says that it still reads. */
const PONG_MS = 1000;
/** A connection that stood this long was a good one: the next loss is retried at once. */
const GOOD_MS = 2000;
/** A page without the token is not let in by asking often. */
const REFUSED_RETRY_MS = 10_000;
/** How long to wait for the word whether this page may connect. */
const ACCESS_MS = 3000;
/** Codes of closing in good order: done, going away, and no code given. */
const GOODBYE = [1000, 1001, 1005];

export interface ConnectionHandler {
  message(message: ServerMessage): void;
  link(link: Link): void;
}

export class Connection {
  private socket: WebSocket | undefined;
  private readonly backoff = new Backoff();
  private retry: ReturnType<typeof setTimeout> | undefined;
  private openedAt = 0;
  private heardAt = 0;
  private pongAt = 0;
  private watchedAt = 0;
  private lastStep = 0;
  private current: Link = { state: 'connecting' };
  /** Bytes received, for the status line. */
  received = 0;

  constructor(
    private readonly addresses: { socket: string; access: string },
    private readonly handler: ConnectionHandler,
  ) {
    setInterval(() => this.watch(), WATCH_MS);
  }

  get link(): Link {
    return this.current;
  }

  connect(): void {
    clearTimeout(this.retry);
    this.drop();
    this.openedAt = 0;
    const socket = new WebSocket(this.addresses.socket);
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    socket.onopen = () => {
      this.openedAt = this.heardAt = performance.now();
      this.become({ state: 'open' });
    };
    socket.onmessage = (event) => this.receive(event.data);
    socket.onclose = ({ code }) => {
      if (this.openedAt > 0) this.lost(GOODBYE.includes(code));
      else void this.failed(socket);
    };
  }

  /** Sends if it can; false where there is no connection. */
  send(message: Outgoing): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(encode(message));
    return true;
  }

  /** Closes without coming back. */
  stop(reason: Link): void {
    clearTimeout(this.retry);
    this.drop();
    this.become(reason);
  }

  private receive(data: unknown): void {
    if (!(data instanceof ArrayBuffer)) return;
    this.heardAt = performance.now();
    this.received += data.byteLength;
    if (this.current.state === 'silent') this.become({ state: 'open' });
    const message = decode(data);
    if (message === undefined) return;
    if (message.welcome && message.welcome.protocol !== PROTOCOL) {
      this.stop({ state: 'incompatible', theirs: message.welcome.protocol });
      return;
    }
    if (message.frame) this.lastStep = message.frame.step;
    this.handler.message(message);
  }

  /** The attempt led to nothing: is nobody there, or are we not let in? */
  private async failed(socket: WebSocket): Promise<void> {
    const refused = await isRefused(this.addresses.access);
    if (this.socket !== socket) return; // another attempt has begun
    if (!refused) return this.lost(false);
    this.drop();
    this.become({ state: 'refused', retryAt: performance.now() + REFUSED_RETRY_MS });
    this.retry = setTimeout(() => this.connect(), REFUSED_RETRY_MS);
  }

  private lost(goodbye: boolean): void {
    this.drop();
    if (performance.now() - this.openedAt > GOOD_MS && this.openedAt > 0) this.backoff.reset();
    this.openedAt = 0;
    const wait = this.backoff.next();
    this.become({ state: 'lost', retryAt: performance.now() + wait, goodbye });
    this.retry = setTimeout(() => this.connect(), wait);
  }

  private drop(): void {
    if (!this.socket) return;
    this.socket.onopen = this.socket.onmessage = this.socket.onclose = null;
    this.socket.close();
    this.socket = undefined;
  }

  private watch(): void {
    const now = performance.now();
    const late = now - this.watchedAt > 2 * WATCH_MS;
    this.watchedAt = now;
    // A page that was kept from reading, as by a slow picture, first reads what waits.
    if (late) setTimeout(() => this.check(), LATE_MS);
    else this.check();
  }

  private check(): void {
    const now = performance.now();
    if (this.current.state !== 'open' && this.current.state !== 'silent') return;
    const silence = now - this.heardAt;
    if (silence > SILENT_MS) {
      if (silence > DEAD_MS) this.lost(false);
      else this.become({ state: 'silent', sinceMs: silence });
    }
    if (now - this.pongAt > PONG_MS && this.lastStep > 0) {
      this.pongAt = now;
      this.send({ pong: { step: this.lastStep } });
    }
  }

  private become(link: Link): void {
    this.current = link;
    this.handler.link(link);
  }
}

async function isRefused(address: string): Promise<boolean> {
  try {
    const answer = await fetch(address, { cache: 'no-store', signal: AbortSignal.timeout(ACCESS_MS) });
    return answer.status === 403;
  } catch {
    return false; // nobody is there
  }
}
