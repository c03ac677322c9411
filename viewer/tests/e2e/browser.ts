// A page in this worker's Chromium (chromium.ts), and a server: a real simulator where there is one, else
// the mock.
//
// ROLIMA       path of a simulator's program, which is started
// ROLIMA_URL   address of a simulator (with its token) that runs already and plays the soccer scene

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { expect, inject, onTestFinished } from 'vitest';
import type { BodyReport, StateReport } from '../../src/hook';
import { MockServer } from '../mock/server';
import { Simulator } from './simulator';

/** A simulator that cannot be started again. */
export const FOREIGN = process.env.ROLIMA_URL;
/** Bounds of waiting for the browser, ms; those of polling are in vite.config.ts. */
const PATIENCE = 90_000;

export class Session {
  readonly errors: string[] = [];
  private matches = 1000;

  private constructor(
    readonly browser: Browser,
    readonly address: string,
    readonly server: MockServer | Simulator | undefined,
  ) {}

  /** `other`: a server in place of the usual one. */
  static async start(other?: Simulator): Promise<Session> {
    const server = other ?? (FOREIGN ? undefined : process.env.ROLIMA ? new Simulator(process.env.ROLIMA) : mock());
    const address = await (server?.start() ?? FOREIGN!);
    // Workers are numbered from 1.
    const browsers = inject('browsers');
    const browser = await chromium.connect(browsers[(Number(process.env.VITEST_POOL_ID) - 1) % browsers.length]!);
    return new Session(browser, address, server);
  }

  /** Ends the server, and leaves the browser, which closes the pages of this session. */
  async stop(): Promise<void> {
    await this.browser.close();
    await this.server?.stop();
  }

  /** Opens the page and waits until it shows a running soccer match. */
  async open(options: { width?: number; height?: number; query?: Record<string, string>; locale?: string; touch?: boolean; before?: () => void; page?: (page: Page) => void } = {}): Promise<Viewer> {
    const { width = 640, height = 440, query = {}, locale = 'en-US', touch = false } = options;
    const context = await this.browser.newContext({ viewport: { width, height }, locale, hasTouch: touch, isMobile: touch });
    // A test that fails does not come to close its page, which would go on drawing beside all tests after it.
    onTestFinished(() => context.close());
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.errors.push(message.text());
    });
    page.on('pageerror', (error) => this.errors.push(String(error)));
    options.page?.(page);
    if (options.before) await page.addInitScript(options.before);
    const address = new URL(this.address);
    // As few pictures as show what happens: software draws them on the cores that everything else needs.
    // Where the page is to choose its detail it has to draw as fast as it can.
    const plain = { detail: 'low', pictures: '12' };
    const asked = query.detail === undefined ? { ...plain, ...query } : query;
    for (const [key, value] of Object.entries(asked)) address.searchParams.set(key, value);
    await page.goto(address.href);
    const viewer = new Viewer(page);
    return viewer;
  }

  /** A match under way from its start, whatever a test before left. */
  async openMatch(options: Parameters<Session['open']>[0] = {}): Promise<Viewer> {
    const viewer = await this.open(options);
    await viewer.until((s) => s.link === 'open' && s.scene !== undefined && s.pictures > 0);
    if ((await viewer.state()).scene !== 'soccer') {
      await viewer.page.evaluate(() => window.rolima.app.control({ load: 'soccer' }));
      await viewer.until((s) => s.scene === 'soccer' && s.pictures > 0);
    }
    // A seed of its own tells this match from the one before.
    const seed = ++this.matches;
    await viewer.page.evaluate((own) => {
      // Where a test before left an earlier instant.
      window.rolima.app.travelling.toLive();
      window.rolima.app.control({ speed: 1 });
      window.rolima.app.control({ seed: own });
      window.rolima.app.control({ play: true });
    }, seed);
    await viewer.until((s) => s.seed === seed && s.paused === false && s.speed === 1 && s.timeS > 0 && s.timeS < 60);
    return viewer;
  }
}

function mock(): MockServer {
  const dist = join(import.meta.dirname, '../../dist');
  if (!existsSync(join(dist, 'index.html'))) throw new Error('build the page first: npm run build');
  return new MockServer(dist);
}

export class Viewer {
  constructor(readonly page: Page) {}

  state(): Promise<StateReport> {
    return this.page.evaluate(() => window.rolima.state());
  }

  async body(name: string): Promise<BodyReport> {
    const report = await this.page.evaluate((n) => window.rolima.body(n), name);
    if (!report) throw new Error(`no body ${name}`);
    return report;
  }

  /** Waits until the page's state is as said. */
  async until(condition: (state: StateReport) => boolean): Promise<StateReport> {
    await expect
      .poll(async () => this.page.evaluate(() => window.rolima?.state()).then((s) => (s && condition(s) ? 'as expected' : JSON.stringify(s))))
      .toBe('as expected');
    return this.state();
  }

  /** Waits until a body is as said. */
  async untilBody(name: string, condition: (body: BodyReport) => boolean): Promise<BodyReport> {
    await expect
      .poll(async () => this.page.evaluate((n) => window.rolima.body(n), name).then((b) => (b && condition(b) ? 'as expected' : JSON.stringify(b))))
      .toBe('as expected');
    return this.body(name);
  }

  /** Stands still, and shows exactly the last frame. */
  async pause(): Promise<void> {
    await this.page.evaluate(() => window.rolima.app.control({ pause: true }));
    await this.until((s) => s.paused === true && Math.abs(s.shownTimeS - s.timeS) < 1e-6);
    await this.pictures(2);
  }

  /** Waits for so many more pictures. */
  async pictures(count: number): Promise<void> {
    const { pictures } = await this.state();
    await this.until((s) => s.pictures >= pictures + count);
  }

  async picture(): Promise<PNG> {
    return PNG.sync.read(await this.page.screenshot());
  }

  close(): Promise<void> {
    return this.page.context().close();
  }
}

export function pixel(picture: PNG, x: number, y: number): [number, number, number] {
  const at = 4 * (Math.floor(y) * picture.width + Math.floor(x));
  return [picture.data[at]!, picture.data[at + 1]!, picture.data[at + 2]!];
}
