// Maps and their editor in a real browser, against a real simulator.

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Download } from 'playwright-core';
import { elementsOf, parse } from '../../src/maze/text';
import { Session, type Viewer } from './browser';
import type { Simulator } from './simulator';

const ROLIMA = process.env.ROLIMA;

let session: Session;
let folder: string;
beforeAll(async () => {
  session = await Session.start();
  folder = mkdtempSync(join(tmpdir(), 'rolima-maze-'));
});
afterAll(async () => {
  await session?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The flat view is quick, and the editor is the same. */
const PLAIN = { width: 1000, height: 700, query: { view: 'flat' } };

const YARD = '# a yard\nW -3 -4 3 -4\nW -3 4 3 4 # west\nR 1 1 1.5707963267948966\nB 0 -2\nC -1 2 0.5\n';

/** Lets a file fall on the page. */
async function drop(viewer: Viewer, name: string, data: Buffer): Promise<void> {
  const transfer = await viewer.page.evaluateHandle(([file, bytes]) => {
    const all = new DataTransfer();
    all.items.add(new File([Uint8Array.from(atob(bytes!), (c) => c.charCodeAt(0))], file!));
    return all;
  }, [name, data.toString('base64')]);
  await viewer.page.dispatchEvent('body', 'dragenter', { dataTransfer: transfer });
  await viewer.page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
  await viewer.page.locator('#map[open]').waitFor();
}

/** White paper with two black strokes and a blue disc. */
function drawing(width: number, height: number): Buffer {
  const png = new PNG({ width, height });
  png.data.fill(255);
  const ink = (x: number, y: number, [r, g, b]: readonly [number, number, number]) => {
    png.data.set([r, g, b], 4 * (y * width + x));
  };
  for (let x = 20; x < width - 20; x++) for (let y = 18; y < 22; y++) ink(x, y, [0, 0, 0]);
  for (let y = 20; y < height - 20; y++) for (let x = 18; x < 22; x++) ink(x, y, [0, 0, 0]);
  for (let x = -12; x <= 12; x++) for (let y = -12; y <= 12; y++) if (x * x + y * y <= 144) ink(width / 2 + x, height / 2 + y, [0, 0, 255]);
  return PNG.sync.write(png);
}

async function openEditor(viewer: Viewer): Promise<void> {
  await viewer.page.click('#edit-maze');
  await viewer.page.locator('#maze-editor').waitFor();
}

/** The text in the editor. */
function textOf(viewer: Viewer): Promise<string> {
  return viewer.page.evaluate(() => window.rolima.maze().text);
}

/** Where a point of the map is on the page, CSS pixels. */
function placeOf(viewer: Viewer, point: [number, number]): Promise<[number, number]> {
  return viewer.page.evaluate((at) => window.rolima.maze().place(at), point);
}

async function drag(viewer: Viewer, from: [number, number], to: [number, number]): Promise<void> {
  const { mouse } = viewer.page;
  await mouse.move(...(await placeOf(viewer, from)));
  await mouse.down();
  const [x, y] = await placeOf(viewer, to);
  await mouse.move(x + 3, y + 3);
  await mouse.move(x, y);
  await mouse.up();
}

async function click(viewer: Viewer, at: [number, number]): Promise<void> {
  await viewer.page.mouse.click(...(await placeOf(viewer, at)));
}

async function saved(download: Download): Promise<Buffer> {
  const file = join(folder, download.suggestedFilename());
  await download.saveAs(file);
  return readFileSync(file);
}

/** An editor with nothing in it. */
async function openEmpty(options: Parameters<Session['open']>[0] = {}): Promise<Viewer> {
  const viewer = await session.openMatch({ ...PLAIN, ...options });
  await openEditor(viewer);
  await viewer.page.evaluate(() => window.rolima.maze().open('', 'maze'));
  return viewer;
}

describe.skipIf(!ROLIMA)('a map that falls on the page', () => {
  it('as a text becomes the world, without a question for its size', async () => {
    const viewer = await session.openMatch(PLAIN);
    const { generation } = await viewer.state();
    await drop(viewer, 'yard.txt', Buffer.from(YARD));
    await viewer.page.locator('.map-counts', { hasText: 'yard.txt: Robots: 1 · Walls: 2 · Balls: 1 · Cubes: 1' }).waitFor();
    expect(await viewer.page.isVisible('.map-sizes')).toBe(false);
    await viewer.page.click('#map-load');
    await viewer.until((s) => s.scene === 'yard.txt' && s.generation === generation! + 1);
    expect(await viewer.page.textContent('.scene-title')).toBe('yard.txt');
    expect(await viewer.page.evaluate(() => window.rolima.app.scene!.source.map!.text)).toBe(YARD);
    const robot = await viewer.body((await viewer.page.evaluate(() => window.rolima.bodies()))[0]!);
    expect([robot.x, robot.y, robot.heading].map((x) => Math.round(x * 100) / 100)).toEqual([1, 1, 1.57]);
    // A reset begins the same map anew.
    await viewer.until((s) => s.timeS > 0.3);
    await viewer.page.click('#reset');
    await viewer.until((s) => s.timeS < 0.3 && s.scene === 'yard.txt');
    await viewer.close();
  });

  it('as a picture asks for its real size, and shows what was recognised', async () => {
    const viewer = await session.openMatch(PLAIN);
    await drop(viewer, 'drawn.png', drawing(400, 200));
    await viewer.page.locator('.map-counts', { hasText: 'Walls: 2 · Balls: 1' }).waitFor();
    expect(await viewer.page.inputValue('#map-width')).toBe('40');
    expect(await viewer.page.inputValue('#map-height')).toBe('20');
    await viewer.page.fill('#map-width', '10');
    expect(await viewer.page.inputValue('#map-height')).toBe('5');
    await viewer.page.uncheck('#map-shape');
    await viewer.page.fill('#map-height', '-1');
    expect(await viewer.page.isDisabled('#map-load')).toBe(true);
    await viewer.page.fill('#map-height', '5');
    await viewer.page.click('#map-load');
    await viewer.until((s) => s.scene === 'drawn.png');
    const map = await viewer.page.evaluate(() => window.rolima.app.scene!.source.map!);
    expect([map.width, map.height]).toEqual([10, 5]);
    const elements = elementsOf(parse(map.text));
    expect(elements.map(({ kind }) => kind).sort()).toEqual(['ball', 'wall', 'wall']);
    const ball = elements.find(({ kind }) => kind === 'ball')!;
    expect(ball.kind === 'ball' && Math.abs(ball.size - 0.62) < 0.05).toBe(true);
    await viewer.close();
  });

  it('that is bad is told with line and column, and the world goes on', async () => {
    const viewer = await session.openMatch(PLAIN);
    const { generation } = await viewer.state();
    await drop(viewer, 'bad.txt', Buffer.from('W 1 2 3\nR 0 two\n'));
    await viewer.page.locator('#map-errors li', { hasText: 'Line 1, column 8: expected 4 fields or more' }).waitFor();
    await viewer.page.locator('#map-errors li', { hasText: 'Line 2, column 5: expected a number of metres, at most 1000000 from 0, got "two"' }).waitFor();
    expect(await viewer.page.isDisabled('#map-load')).toBe(true);
    await drop(viewer, 'cut.png', drawing(400, 200).subarray(0, 300));
    await viewer.page.locator('#map-errors li', { hasText: 'Expected a whole PNG picture' }).waitFor();
    await drop(viewer, 'bytes.bin', Buffer.from([0xff, 0xfe, 0, 1, 0x80]));
    await viewer.page.locator('#map-errors li', { hasText: 'got other bytes' }).waitFor();
    await viewer.page.keyboard.press('Escape');
    const before = (await viewer.state()).timeS;
    const state = await viewer.until((s) => s.timeS > before);
    expect([state.generation, state.scene]).toEqual([generation, 'soccer']);
    await viewer.close();
  });

  it('can be chosen by a button, and is told in Portuguese', async () => {
    const viewer = await session.openMatch({ ...PLAIN, locale: 'pt-BR' });
    const file = join(folder, 'mapa.txt');
    writeFileSync(file, 'R 0\n');
    await viewer.page.click('#scene-button');
    const choosing = viewer.page.waitForEvent('filechooser');
    await viewer.page.click('#open-map');
    await (await choosing).setFiles(file);
    await viewer.page.locator('#map-errors li', { hasText: 'Linha 1, coluna 4: esperava 2 campos ou mais' }).waitFor();
    await viewer.close();
  });
});

describe.skipIf(!ROLIMA)('the editor', () => {
  it('draws, moves, turns and deletes with the mouse, and takes it all back', async () => {
    const viewer = await openEmpty();
    const { page } = viewer;
    await page.keyboard.press('w');
    await drag(viewer, [-3, -3], [3, -3]);
    await drag(viewer, [3.2, -2.9], [3, 3]);
    await page.keyboard.press('l');
    await drag(viewer, [0, 0], [0, 2]);
    await page.click('#maze-tools [data-value="ball"]');
    await click(viewer, [1, 1]);
    await page.click('#maze-tools [data-value="cube"]');
    await click(viewer, [-2, 2]);
    await page.keyboard.press('r');
    await drag(viewer, [2, 0], [2, 3]);
    const drawn = 'W -3 -3 3 -3\nW 3 -3 3 3\nL 0 0 0 2\nB 1 1\nC -2 2\nR 2 0 1.5707963267948966\n';
    expect(await textOf(viewer)).toBe(drawn);

    await page.keyboard.press('v');
    await click(viewer, [-2, 2]);
    await drag(viewer, [-2, 2], [-2, -1]);
    expect(await textOf(viewer)).toBe(drawn.replace('C -2 2', 'C -2 -1'));
    // By its end.
    await click(viewer, [0, -3]);
    await drag(viewer, [-3, -3], [-1, -3]);
    expect(await textOf(viewer)).toContain('W -1 -3 3 -3\n');
    // By a number.
    await click(viewer, [1, 1]);
    await page.fill('#maze-numbers [data-field="mazeDiameter"]', '0.5');
    await page.press('#maze-numbers [data-field="mazeDiameter"]', 'Enter');
    expect(await textOf(viewer)).toContain('B 1 1 0.5\n');
    await page.fill('#maze-numbers [data-field="mazeDiameter"]', '0');
    await page.press('#maze-numbers [data-field="mazeDiameter"]', 'Enter');
    await page.locator('.notice', { hasText: 'makes no sense' }).waitFor();
    expect(await textOf(viewer)).toContain('B 1 1 0.5\n');
    await page.keyboard.press('Delete');
    expect(await textOf(viewer)).not.toContain('B 1 1');
    // Without the grid, and several at once.
    await page.keyboard.press('g');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('ArrowUp');
    expect(await textOf(viewer)).toContain('R 2.01 0 1.5');
    for (let i = 0; i < 5; i++) await page.keyboard.press('Control+z');
    expect(await textOf(viewer)).toBe(drawn);
    await page.keyboard.press('Control+Shift+z');
    expect(await textOf(viewer)).toBe(drawn.replace('C -2 2', 'C -2 -1'));
    await page.click('#maze-undo');
    await page.click('#maze-clear');
    expect(await textOf(viewer)).toBe('');
    await page.click('#maze-undo');
    expect(await textOf(viewer)).toBe(drawn);
    expect(session.errors).toEqual([]);
    await viewer.close();
  });

  it('makes the maze the running world, and goes on from there', async () => {
    const viewer = await openEmpty();
    const { page } = viewer;
    await page.evaluate((text) => window.rolima.maze().open(text, 'yard'), YARD);
    await page.click('#maze-apply');
    await viewer.until((s) => s.scene === 'yard.txt' && s.paused === false);
    await page.locator('#maze-editor').waitFor({ state: 'hidden' });
    expect(await page.evaluate(() => window.rolima.app.scene!.source.map!.text)).toBe(YARD);
    await viewer.until((s) => s.timeS > 0.2);
    // Another viewer sees the same, and edits it without losing a comment.
    const other = await session.open(PLAIN);
    await other.until((s) => s.scene === 'yard.txt');
    await openEditor(other);
    await other.page.keyboard.press('b');
    await click(other, [-2, -2]);
    expect(await textOf(other)).toBe(`${YARD}B -2 -2\n`);
    await other.page.click('#maze-apply');
    await viewer.until((s) => s.scene === 'yard.txt' && s.generation !== undefined);
    await viewer.page.waitForFunction(() => window.rolima.bodies().length === 4);
    await other.close();
    // What makes no world is told, and the world goes on.
    await openEditor(viewer);
    await page.evaluate(() => window.rolima.maze().open('W 0 0 0 1\nnonsense\n', 'bad'));
    await page.click('#maze-apply');
    await page.locator('.notice.error', { hasText: 'Line 2, column 1: expected an element' }).waitFor();
    expect((await viewer.state()).scene).toBe('yard.txt');
    await viewer.close();
  });

  it('begins with the walls of a scene that comes from no map, and with the map of one that does', async () => {
    const viewer = await session.openMatch(PLAIN);
    await viewer.page.evaluate(() => window.rolima.app.control({ load: 'maze' }));
    await viewer.until((s) => s.scene === 'maze' && s.pictures > 0);
    await openEditor(viewer);
    expect((await textOf(viewer)).split('\n').filter((line) => line.startsWith('W'))).toHaveLength(9);
    expect(await textOf(viewer)).toContain('W 20 10 10 20\n');
    // Straight walls become walls; rounded ones cannot be in a map.
    for (const [scene, walls] of [['pile', 1], ['soccer', 0]] as const) {
      await viewer.page.evaluate((name) => window.rolima.app.control({ load: name }), scene);
      await viewer.until((s) => s.scene === scene);
      await viewer.page.click('#maze-world');
      expect((await textOf(viewer)).split('\n').filter((line) => /^W( \S+){4}$/.test(line))).toHaveLength(walls);
    }
    // Nothing was lost by that.
    await viewer.page.click('#maze-undo');
    await viewer.page.click('#maze-undo');
    expect(await textOf(viewer)).toContain('W 20 10 10 20\n');
    await viewer.close();
  });

  it('keeps unsaved work over a reload of the page, and until it is saved', async () => {
    const viewer = await openEmpty();
    const { page } = viewer;
    await page.keyboard.press('w');
    await drag(viewer, [0, 0], [2, 2]);
    const text = await textOf(viewer);
    expect(text).toBe('W 0 0 2 2\n');
    await page.reload();
    await viewer.until((s) => s.link === 'open' && s.scene !== undefined && s.pictures > 0);
    await page.locator('#edit-maze.draft-dot').waitFor();
    await openEditor(viewer);
    expect(await textOf(viewer)).toBe(text);
    await page.locator('.notice', { hasText: 'unsaved work' }).waitFor();
    // Another map is opened over it: undoing brings it back.
    await drop(viewer, 'yard.txt', Buffer.from(YARD));
    await page.locator('.map-counts').waitFor();
    await page.click('#map-edit');
    await expect.poll(() => textOf(viewer)).toBe(YARD);
    await page.click('#maze-undo');
    expect(await textOf(viewer)).toBe(text);
    const saving = page.waitForEvent('download');
    await page.click('#maze-save-text');
    const download = await saving;
    expect(download.suggestedFilename()).toMatch(/\.txt$/);
    expect((await saved(download)).toString()).toBe(text);
    await page.locator('#edit-maze:not(.draft-dot)').waitFor();
    await viewer.close();
  });

  it('saves pictures and texts that the command line reads', async () => {
    const viewer = await openEmpty();
    const { page } = viewer;
    const thesis = 'W -20 -20 20 -20\nW -20 -20 -20 20\nW -20 20 20 20\nW 20 -20 20 20\nW -20 -12 -12 -12\nW -12 -20 -12 -12\n'
      + 'W 15 -20 15 -15\nW 15 -15 20 -15\nW 20 10 10 20\nR 0 0 0.7853981633974483\nR -5 5\nL -8 8 8 8\nB 3 -4 1.5\nC -6 -6 2\n';
    const tiny = 'W 0 0 0.5 0\nW 0.5 0 0.5 0.7\nR 0.2 0.3 -2.5\nB 0.1 0.5 0.1\n';
    const random = [1, 2, 3].map((seed) => [`random-${seed}`, randomMaze(seed)] as const);
    for (const [name, text] of [['thesis', thesis], ['tiny', tiny], ...random] as const) {
      await page.evaluate(([content, called]) => window.rolima.maze().open(content!, called!), [text, name]);
      let saving = page.waitForEvent('download');
      await page.click('#maze-save-image');
      const download = await saving;
      const size = / (\d+(?:\.\d+)?x\d+(?:\.\d+)?) m\.png$/.exec(download.suggestedFilename())?.[1];
      expect(size, download.suggestedFilename()).toBeDefined();
      await saved(download);
      const out = join(folder, 'out.txt');
      const ran = spawnSync(ROLIMA!, ['map', join(folder, download.suggestedFilename()), '--size', size!, '--out', out], { encoding: 'utf8' });
      expect(ran.status, ran.stderr).toBe(0);
      expectNear(readFileSync(out, 'utf8'), text, name === 'tiny' ? 0.011 : 0.05);

      saving = page.waitForEvent('download');
      await page.click('#maze-save-text');
      await saved(await saving);
      const read = spawnSync(ROLIMA!, ['map', join(folder, `${name}.txt`)], { encoding: 'utf8' });
      expect(read.stdout, read.stderr).toBe(text);
    }
    await viewer.close();
  });

  it('works with fingers at 400 pixels, in Portuguese and in the dark', async () => {
    const viewer = await openEmpty({ width: 400, height: 760, touch: true, locale: 'pt-BR' });
    const { page } = viewer;
    await page.evaluate(() => window.rolima.app.change({ theme: 'dark' }));
    expect(await page.textContent('#maze-apply')).toBe('Aplicar');
    const wide = await page.evaluate(() => [...document.querySelectorAll('.maze-editor *')]
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 1).map((element) => element.className));
    expect(wide).toEqual([]);
    await page.click('#maze-tools [data-value="ball"]');
    await page.touchscreen.tap(...(await placeOf(viewer, [1, 1])));
    expect(await textOf(viewer)).toBe('B 1 1\n');
    await page.click('#maze-tools [data-value="select"]');
    const touch = async (type: string, at: [number, number]) => {
      const [clientX, clientY] = await placeOf(viewer, at);
      await page.dispatchEvent('.maze-canvas', type, { pointerId: 5, pointerType: 'touch', isPrimary: true, button: 0, clientX, clientY, bubbles: true });
    };
    await page.evaluate(() => (Element.prototype.setPointerCapture = () => undefined));
    await touch('pointerdown', [1, 1]);
    await touch('pointermove', [-1, 2]);
    await touch('pointerup', [-1, 2]);
    expect(await textOf(viewer)).toBe('B -1 2\n');
    await page.click('#maze-delete');
    expect(await textOf(viewer)).toBe('');
    await viewer.close();
  });
});

describe.skipIf(!ROLIMA)('a page that only watches', () => {
  it('says why there is no editor, and takes no map', async () => {
    const pid = (session.server as Simulator).pid!;
    const view = spawn(ROLIMA!, ['view', String(pid), '--listen', '127.0.0.1:0', '--no-browser'], { stdio: ['ignore', 'ignore', 'pipe'] });
    try {
      let address = '';
      for await (const line of createInterface({ input: view.stderr })) {
        address = /http:\/\/\S+/.exec(line)?.[0] ?? '';
        if (address) break;
      }
      const page = await (await session.browser.newContext({ viewport: { width: 640, height: 440 } })).newPage();
      await page.goto(`${address}?view=flat`);
      await page.waitForFunction(() => window.rolima?.app.welcome?.may_control === false);
      expect(await page.isDisabled('#edit-maze')).toBe(true);
      expect(await page.getAttribute('#edit-maze', 'title')).toContain('only watches');
      await page.click('#scene-button');
      expect(await page.isDisabled('#open-map')).toBe(true);
      await page.keyboard.press('Escape');
      const transfer = await page.evaluateHandle(() => {
        const all = new DataTransfer();
        all.items.add(new File(['R 0 0'], 'a.txt'));
        return all;
      });
      await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
      await page.locator('.notice', { hasText: 'only watches' }).waitFor();
      expect(await page.locator('#map[open]').count()).toBe(0);
      await page.context().close();
    } finally {
      const ended = new Promise((resolve) => view.once('exit', resolve));
      view.kill('SIGINT');
      await ended;
    }
  });
});

/** Walls that do not touch, with things between them. */
function randomMaze(seed: number): string {
  let state = seed;
  const random = (below: number) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
  const lines = [];
  for (let x = -16; x <= 16; x += 4) {
    const from = random(14) - 15;
    const tilt = random(3) - 1;
    lines.push(`W ${x} ${from} ${x + tilt} ${from + 3 + random(14)}`);
    const [letter, size] = random(2) === 0 ? ['B', 0.5 + random(4) / 4] : ['C', 0.5 + random(4) / 4];
    lines.push(`${letter} ${x + 2.5} ${random(30) - 15}${size === 1 ? '' : ` ${size}`}`);
  }
  lines.push(`R -14.5 18 ${(random(600) - 300) / 100}`);
  return `${lines.join('\n')}\n`;
}

/** Each element of the one map is in the other, within so many metres, and nothing else is. */
function expectNear(text: string, wanted: string, within: number): void {
  const key = (map: string) => elementsOf(parse(map)).map((element) => {
    const { kind, ...rest }: { kind: string; [name: string]: unknown } = { ...element };
    if (kind !== 'wall' && kind !== 'line') return { kind, numbers: Object.values(rest).flat() as number[] };
    // Whichever end comes first.
    const ends = [rest.from, rest.to] as [number, number][];
    ends.sort(([a, b], [c, d]) => (Math.abs(a - c) > 2 * within ? a - c : b - d));
    return { kind, numbers: ends.flat() };
  });
  const found = key(text);
  const expected = key(wanted);
  expect(found.length, text).toBe(expected.length);
  for (const { kind, numbers } of expected) {
    const match = found.find((other) => other.kind === kind && other.numbers.every((x, i) => Math.abs(x - numbers[i]!) <= within));
    expect(match, `${kind} ${numbers.join(' ')} in\n${text}`).toBeDefined();
  }
}
