// What programs of Robot One want people to see, in a real browser: against the mock, or a simulator (ROLIMA).

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PNG } from 'pngjs';
import { FOREIGN, Session, type Viewer } from './browser';
import { program, type Program } from './program';

let session: Session;
let running: Program | undefined;
// What programs want outlives them and the scene: each test has a simulator that has not been asked for anything.
beforeEach(async () => {
  session = await Session.start();
});
afterEach(async () => {
  await running?.end();
  running = undefined;
  await session?.stop();
});

/** The maze, with nothing on the picture but the world, and a program on its robot. */
async function openMaze(options: Parameters<Session['open']>[0] = {}): Promise<{ viewer: Viewer; robot: Program; name: string }> {
  const viewer = await session.openMatch(options);
  await viewer.page.evaluate(() => {
    window.rolima.app.change({ dock: false, eye: false, rays: false, traces: 'off' });
    window.rolima.app.control({ load: 'maze' });
  });
  await viewer.until((s) => s.scene === 'maze' && s.timeS > 0);
  const name = await viewer.page.evaluate(() => window.rolima.app.body(0)!.name);
  running = await program(session.server!);
  return { viewer, robot: running, name };
}

/** Pixels of the picture that are another colour than in the picture before. */
function different(a: PNG, b: PNG): number {
  let count = 0;
  for (let i = 0; i < a.data.length; i += 4) {
    const off = [0, 1, 2].map((c) => Math.abs(a.data[i + c]! - b.data[i + c]!));
    if (Math.max(...off) > 12) count++;
  }
  return count;
}

async function world(viewer: Viewer): Promise<PNG> {
  await viewer.pictures(2);
  const { x, y, width, height } = (await viewer.page.locator('.stage').boundingBox())!;
  return PNG.sync.read(await viewer.page.screenshot({ clip: { x: x + 10, y: y + 110, width: width - 20, height: height - 170 } }));
}

const distance = (viewer: Viewer) => viewer.page.evaluate(() => window.rolima.app.view!.rig.metresPerPixel(400));

describe.skipIf(FOREIGN)('a program of Robot One', () => {
  it('looks at its robot from where it wants, until a person takes the view in hand', async () => {
    const { viewer, robot, name } = await openMaze();
    expect((await viewer.state()).program.view).toBeUndefined();
    await expect.poll(() => viewer.page.locator('#program-view').isVisible()).toBe(false);
    await robot.look('third', 0.5);
    await viewer.until((s) => s.camera === 'chase' && s.selected === name && s.program.view === true && s.program.zoom === 0.5);
    await viewer.pictures(2);
    const usual = await distance(viewer);
    await robot.look('third', 0);
    await expect.poll(() => distance(viewer)).toBeLessThan(usual / 3);
    await robot.look('top', 1);
    await viewer.until((s) => s.camera === 'top' && s.program.zoom === 1);
    await viewer.pictures(2);
    const far = await distance(viewer);
    await robot.look('top', 0);
    await expect.poll(() => distance(viewer)).toBeLessThan(far / 5);
    await robot.look('first', 0.5);
    await viewer.until((s) => s.camera === 'first');
    // A person presses a key for another view: what the program wants is kept for later.
    await viewer.page.keyboard.press('4');
    await viewer.until((s) => s.camera === 'orbit' && s.program.view === false);
    await robot.look('top', 0.5);
    await viewer.until((s) => s.program.zoom === 0.5);
    await viewer.pictures(5);
    expect((await viewer.state()).camera).toBe('orbit');
    await viewer.page.locator('#program-view').click();
    await viewer.until((s) => s.camera === 'top' && s.program.view === true);
    // The wheel takes it too, and the view stays what it is.
    const box = (await viewer.page.locator('.stage').boundingBox())!;
    await viewer.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await viewer.page.mouse.wheel(0, 300);
    await viewer.until((s) => s.camera === 'top' && s.program.view === false);
    // Whoever comes later sees what the program wants.
    const late = await session.open();
    await late.until((s) => s.camera === 'top' && s.program.view === true);
    await late.close();
    await viewer.close();
  });

  it.each([['in three dimensions', {}], ['from above', { view: 'flat' }]])('leaves a trace %s', async (_, query) => {
    const { viewer, robot, name } = await openMaze({ query: query as Record<string, string> });
    await robot.put(0, 0, 0);
    await robot.look('top', 0.35);
    await viewer.until((s) => s.camera === 'top');
    await robot.trace(true);
    await viewer.until((s) => s.program.traced.join() === name);
    await robot.drive(1.5, 0.8);
    await viewer.until((s) => s.program.pieces > 60);
    await robot.drive(0, 0);
    await viewer.untilBody(name, ({ speed }) => speed < 1e-3);
    await viewer.pause();
    const traced = await world(viewer);
    // Switched off it is gone, and switched on it begins anew.
    await robot.trace(false);
    await viewer.until((s) => s.program.traced.length === 0 && s.program.pieces === 0);
    const gone = await world(viewer);
    expect(different(traced, gone)).toBeGreaterThan(150);
    await viewer.page.evaluate(() => window.rolima.app.control({ play: true }));
    await robot.trace(true);
    await robot.drive(1.5, 0.8);
    await viewer.until((s) => s.program.pieces > 10);
    const late = await session.open({ query: query as Record<string, string> });
    await late.until((s) => s.program.traced.join() === name && s.program.pieces > 10);
    await late.close();
    // Put elsewhere, it leaves no line behind it.
    await robot.drive(0, 0);
    await viewer.untilBody(name, ({ speed }) => speed < 1e-3);
    await robot.put(3, 2, 0);
    await viewer.until((s) => s.program.pieces === 0);
    await viewer.close();
  });
});
