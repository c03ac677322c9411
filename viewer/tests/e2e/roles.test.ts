// What a page may do by its address. Runs against the mock, which has no tokens.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Role } from '../../src/proto/live.js';
import type { MockServer } from '../mock/server';
import { FOREIGN, Session } from './browser';

let session: Session;
beforeAll(async () => {
  session = await Session.start();
});
afterAll(() => session?.stop());

describe.skipIf(FOREIGN || process.env.ROLIMA)('a server that', () => {
  it('lets some robots be driven and nothing else, what the page may not do is disabled and says why', async () => {
    const server = session.server as MockServer;
    server.role = Role.DRIVE;
    server.driveRobots = ['blue-1'];
    server.forPrograms = [1];
    const flat = { width: 1100, height: 700, query: { view: 'flat' } };
    const viewer = await session.open(flat);
    await viewer.until((s) => s.link === 'open' && s.pictures > 0);
    const { page } = viewer;
    for (const control of ['#play', '#reset', '#step', '#speed', '#seed', '#edit-maze', '#tools [data-value="push"]']) {
      expect(await page.isDisabled(control), control).toBe(true);
      expect(await page.getAttribute(control, 'title'), control).toContain('address to control');
    }
    expect(await page.isDisabled('#tools [data-value="goal"]')).toBe(false);
    const button = (name: string) => page.locator(`.robot-row[data-robot="${name}"] .robot-head > button.small:last-child`);
    await button('blue-1').waitFor();
    expect(await button('blue-1').isDisabled()).toBe(false);
    expect(await button('blue-2').isDisabled()).toBe(true);
    expect(await button('blue-2').getAttribute('title')).toContain('drives blue-1');
    const programs = page.locator('.robot-row[data-robot="blue-2"] .for-programs');
    expect(await programs.getAttribute('aria-pressed')).toBe('true');
    expect(await programs.isDisabled()).toBe(true);
    await viewer.close();
    server.role = Role.CONTROL;
    const master = await session.open(flat);
    await master.page.locator('.robot-row[data-robot="blue-2"] .for-programs').click();
    await master.page.locator('.robot-row[data-robot="blue-2"] .for-programs[aria-pressed="false"]').waitFor();
    expect(server.forPrograms).toEqual([]);
    await master.close();
    server.driveRobots = [];
    server.forPrograms = undefined;
  });
});
