// Other instants of a run, taking over, ghosts, recording and filming. Against the mock, or a simulator.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Download } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TimeReport } from '../../src/hook';
import { FOREIGN, Session, type Viewer } from './browser';
import { Simulator } from './simulator';

let session: Session;
beforeAll(async () => {
  session = await Session.start();
});
afterAll(() => session?.stop());

const time = ({ page }: Viewer): Promise<TimeReport> => page.evaluate(() => window.rolima.time());

async function until(viewer: Viewer, condition: (time: TimeReport) => boolean): Promise<TimeReport> {
  await expect.poll(async () => time(viewer).then((now) => (condition(now) ? 'as expected' : JSON.stringify(now)))).toBe('as expected');
  return time(viewer);
}

/** Presses the track at an instant, as a hand does. */
async function press(viewer: Viewer, timeS: number): Promise<void> {
  const at = await viewer.page.evaluate((seconds) => {
    const box = document.querySelector('#track')!.getBoundingClientRect();
    const { end } = window.rolima.time();
    const [from] = window.rolima.app.travelling.travel.span;
    return [box.left + ((seconds - from) / (end - from)) * box.width, box.top + 6] as const;
  }, timeS);
  await viewer.page.mouse.click(...at);
}

describe('the timeline', () => {
  it('goes back in a live run, plays it both ways, and goes on live as if nothing had been', async () => {
    const viewer = await session.openMatch({ width: 900, height: 560 });
    const { page } = viewer;
    await until(viewer, ({ mode, begin, end }) => mode === 'live' && end - begin > 2);
    const { end } = await time(viewer);
    await press(viewer, end - 1.5);
    const past = await until(viewer, ({ mode, at, end: last, settled }) => mode === 'past' && settled && Math.abs(at - (last - 1.5)) < 0.9);
    // The run stands, and says so.
    expect(await page.textContent('#strip-text')).toContain('The run stands at');
    expect(await page.isVisible('#take-over')).toBe(true);
    const { x, y } = await viewer.body('blue-1');
    await page.keyboard.press('<');
    const back = await until(viewer, ({ step, settled }) => settled && step === past.step - 1);
    await page.keyboard.press('.');
    await until(viewer, ({ step, settled }) => settled && step === back.step + 1);
    // The same instant is the same place.
    await viewer.untilBody('blue-1', (body) => body.x === x && body.y === y);
    await page.keyboard.press('Backspace');
    await until(viewer, ({ at, speed }) => speed < 0 && at < past.at - 0.2);
    await page.keyboard.press('Backspace');
    const stood = await until(viewer, ({ playing, settled }) => !playing && settled);
    await page.keyboard.press(' ');
    await until(viewer, ({ at, speed }) => speed > 0 && at > stood.at + 0.2);
    // Traces over all of it.
    await page.evaluate(() => window.rolima.app.change({ traces: 'line' }));
    await until(viewer, ({ way }) => way > 0);
    expect((await time(viewer)).end).toBeCloseTo(past.end, 6);
    await page.keyboard.press('End');
    await until(viewer, ({ mode, end: last }) => mode === 'live' && last > past.end + 0.2);
    await viewer.close();
    expect(session.errors).toEqual([]);
  });

  it('takes over at an instant, and shows the other future as a ghost over the run and beside it', async () => {
    const viewer = await session.openMatch({ width: 900, height: 560 });
    const { page } = viewer;
    await until(viewer, ({ begin, end }) => end - begin > 2);
    await page.keyboard.press('Backspace');
    await until(viewer, ({ mode, at, end }) => mode === 'past' && at < end - 0.6);
    await page.click('#take-over');
    await page.fill('#take-over-set', 'no value');
    await page.click('#take-over-now');
    expect(await page.textContent('#take-over-error')).toBe('Line 1: expected key = value, got no value');
    await page.fill('#take-over-set', '');
    await page.click('#take-over-now');
    const taken = await until(viewer, ({ mode, origin, ghosts }) => mode === 'live' && origin !== undefined && ghosts.some(({ kind, way, x }) => kind === 'future' && way > 0 && Number.isFinite(x)));
    expect(taken.origin!.timeS).toBeLessThan(taken.origin!.atS - 0.5);
    const { pictures } = await viewer.state();
    const key = taken.ghosts.find(({ kind }) => kind === 'future')!.key;
    await page.click('#compare');
    await page.click(`[data-ghost="${key}"] .ghost-beside`);
    await viewer.until((s) => s.pictures > pictures + 1);
    expect(await page.isVisible('.beside-labels')).toBe(true);
    await page.keyboard.press('\\');
    await until(viewer, ({ ghosts }) => ghosts.every(({ way }) => way === 0));
    await viewer.close();
    expect(session.errors).toEqual([]);
  });

  it('lays a measured path over the run, and tells what is wrong with one', async () => {
    const viewer = await session.openMatch();
    const { page } = viewer;
    const drop = (name: string, text: string) => page.evaluate(([file, content]) => {
      const data = new DataTransfer();
      data.items.add(new File([content!], file!));
      window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
    }, [name, text]);
    await drop('measured.txt', '# t x y z\n0 0 0 0\n1 0.3 0 0\n2 0.3 0.4 0\n');
    await until(viewer, ({ ghosts }) => ghosts.some(({ name, way }) => name === 'measured.txt' && Math.abs(way - 0.7) < 1e-6));
    await drop('bad.txt', '0 0 0 0\n1 2 3\n');
    await page.getByText('bad.txt, line 2: expected t x y z, got 1 2 3').waitFor();
    await viewer.close();
    expect(session.errors).toEqual([]);
  });

  it('films what is shown, on a phone in Portuguese too', async () => {
    const viewer = await session.openMatch({ width: 390, height: 844, touch: true, locale: 'pt-BR' });
    const { page } = viewer;
    // Nothing sticks out, and the picture has room.
    const box = (await page.locator('#timeline').boundingBox())!;
    expect([box.x, box.width]).toEqual([0, 390]);
    for (const id of ['#compare', '#film', '#track']) {
      const part = (await page.locator(id).boundingBox())!;
      expect(part.x + part.width, id).toBeLessThanOrEqual(390);
    }
    expect((await page.locator('.stage').boundingBox())!.height).toBeGreaterThan(450);
    expect(await page.getAttribute('#film', 'title')).toBe('Filmar o que é mostrado');
    await page.click('#film');
    await viewer.pictures(4);
    await expect.poll(() => page.textContent('#film-text')).toMatch(/^[1-9]/);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#film')]);
    expect(download.suggestedFilename()).toMatch(/^rolima-soccer-[\d.]+s\.(mp4|webm)$/);
    expect(await size(download)).toBeGreaterThan(1000);
    await viewer.close();
    expect(session.errors).toEqual([]);
  });

  it.skipIf(FOREIGN)('records, offers the file, and lays it over the run', async () => {
    const viewer = await session.openMatch({ width: 900, height: 560 });
    const { page } = viewer;
    await until(viewer, ({ record }) => record !== undefined);
    await page.click('#record');
    await until(viewer, ({ record }) => record!.on && record!.bytes > 0);
    const { end } = await time(viewer);
    await until(viewer, (now) => now.end > end + 1.2);
    await page.click('#record');
    const { record } = await until(viewer, (now) => !now.record!.on && now.record!.file !== '');
    await page.click('#compare');
    const row = page.locator(`[data-file="${record!.file}"]`);
    await row.waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), row.locator('a').click()]);
    expect(await size(download)).toBeGreaterThan(1000);
    await row.locator('.recording-add').click();
    await until(viewer, ({ ghosts }) => ghosts.some(({ name, way }) => name === record!.file && way > 0));
    await viewer.close();
    expect(session.errors).toEqual([]);
  });
});

// The mock replays nothing.
describe.skipIf(!process.env.ROLIMA || FOREIGN)('a recording', () => {
  it('is shown whole, at any instant, and taken over', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rolima-replayed-'));
    const file = join(folder, 'match.mcap');
    execFileSync(process.env.ROLIMA!, ['run', 'soccer', '--headless', '--for', '6', '--seed', '7', '--record', file], { stdio: 'ignore' });
    const replay = await Session.start(new Simulator(process.env.ROLIMA!, ['replay', file]));
    try {
      const viewer = await replay.open({ width: 1000, height: 640 });
      const { page } = viewer;
      const shown = await until(viewer, ({ mode, begin, end, marks }) => mode === 'replay' && begin === 0 && Math.abs(end - 6) < 0.01 && marks.length > 0);
      expect(await page.textContent('#strip-text')).toContain('match.mcap');
      // Several things may happen at one instant.
      const times = [...new Set(shown.marks.map(({ timeS }) => timeS))].filter((timeS) => timeS > 0.5).slice(0, 4);
      expect(times.length).toBe(4);
      await page.evaluate(() => window.rolima.app.travelling.seek(0.5));
      await until(viewer, ({ at, settled }) => settled && Math.abs(at - 0.5) < 0.002);
      // From mark to mark: the first one after 0.5 s, and on.
      for (const timeS of times) {
        await page.keyboard.press('PageDown');
        await until(viewer, ({ at, settled }) => settled && Math.abs(at - timeS) < 0.0005);
      }
      // Plots and traces over all of it; a press in a plot goes there.
      await page.evaluate(() => window.rolima.app.change({ traces: 'line', dock: true, tab: 'plots' }));
      await page.click('.plots .empty button');
      await page.locator('.plots select').selectOption('Infinity');
      await page.locator('.plot-now:visible').first().waitFor();
      await until(viewer, ({ way }) => way > 1);
      const plot = page.locator('.u-over').first();
      // Plots find their width once their numbers are there.
      await expect.poll(async () => {
        const { width } = (await plot.boundingBox())!;
        await plot.click({ position: { x: 0.75 * width, y: 20 } });
        return Math.abs((await time(viewer)).at - 4.5);
      }).toBeLessThan(0.2);
      await until(viewer, ({ at, mayTakeOver, settled }) => settled && mayTakeOver && Math.abs(at - 4.5) < 0.2);
      await page.click('#take-over');
      await page.fill('#take-over-seed', '11');
      await page.click('#take-over-now');
      const taken = await until(viewer, ({ mode, origin, ghosts }) => mode === 'live' && origin !== undefined && ghosts.length > 0);
      expect(taken.origin!.file).toBe('match.mcap');
      expect(taken.origin!.timeS).toBeCloseTo(4.5, 0);
      await page.evaluate(() => window.rolima.app.control({ play: true }));
      await until(viewer, ({ at }) => at > taken.at + 0.3);
      await viewer.close();
      expect(replay.errors).toEqual([]);
    } finally {
      await replay.stop();
      rmSync(folder, { recursive: true });
    }
  });
});

async function size(download: Download): Promise<number> {
  let sum = 0;
  for await (const piece of await download.createReadStream()) sum += (piece as Buffer).length;
  return sum;
}
