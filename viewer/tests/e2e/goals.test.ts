// Robots that are sent to poses by dragging on the ground. Needs a real simulator: the mock plans nothing.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FOREIGN, Session, type Viewer } from './browser';

const REAL = FOREIGN !== undefined || process.env.ROLIMA !== undefined;

let session: Session;
beforeAll(async () => {
  if (REAL) session = await Session.start();
});
afterAll(() => session?.stop());

/** Loads a scene, seen from above, and waits until it is drawn. */
async function load(viewer: Viewer, scene: string): Promise<void> {
  const { generation = 0 } = await viewer.state();
  await viewer.page.evaluate((name) => window.rolima.app.control({ load: name }), scene);
  await viewer.until((s) => s.scene === scene && (s.generation ?? 0) > generation);
  await viewer.page.evaluate(() => {
    window.rolima.app.control({ play: true });
    window.rolima.camera('top');
  });
  await viewer.until((s) => s.timeS > 0 && s.camera === 'top');
  await viewer.pictures(3);
}

/** Where a point of the ground is on the page. */
async function place(viewer: Viewer, x: number, y: number): Promise<[number, number]> {
  const at = await viewer.page.evaluate(([a, b]) => window.rolima.place(a!, b!), [x, y]);
  if (!at) throw new Error('behind the camera');
  return at;
}

/** Presses at a point of the ground and drags in a direction, so far, m; lets go unless told not to. */
async function drag(viewer: Viewer, x: number, y: number, heading: number, far: number, up = true): Promise<void> {
  const from = await place(viewer, x, y);
  const to = await place(viewer, x + far * Math.cos(heading), y + far * Math.sin(heading));
  const { mouse } = viewer.page;
  await mouse.move(...from);
  await mouse.down();
  await mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2);
  await mouse.move(...to);
  if (up) await mouse.up();
}

const goalOf = (viewer: Viewer, name: string) => viewer.page.evaluate((n) => window.rolima.goal(n), name);

async function untilGoal(viewer: Viewer, name: string, state: string): Promise<void> {
  await expect.poll(async () => (await goalOf(viewer, name))?.state).toBe(state);
}

function turned(a: number, b: number): number {
  return Math.abs(Math.atan2(Math.sin(a - b), Math.cos(a - b)));
}

describe.skipIf(!REAL)('a robot that is sent', () => {
  it('drives to the pose that was dragged, and shows its path', async () => {
    const viewer = await session.openMatch();
    await load(viewer, 'navigation');
    await viewer.page.keyboard.press('g');
    expect(await viewer.page.getAttribute('#tools [data-value=goal]', 'aria-pressed')).toBe('true');
    await drag(viewer, 0.4, 0.35, 2, 0.2);
    await viewer.untilBody('robot', (b) => b.driver !== '');
    // Sent while it is under way: seen with a path before it is there.
    await expect.poll(async () => (await goalOf(viewer, 'robot'))?.points ?? 0, { interval: 20 }).toBeGreaterThan(4);
    const goal = (await goalOf(viewer, 'robot'))!;
    expect(Math.hypot(goal.x - 0.4, goal.y - 0.35)).toBeLessThan(0.01);
    expect(turned(goal.heading, 2)).toBeLessThan(0.06);
    await untilGoal(viewer, 'robot', 'arrived');
    const there = await viewer.body('robot');
    expect(Math.hypot(there.x - goal.x, there.y - goal.y)).toBeLessThan(0.012);
    expect(turned(there.heading, goal.heading)).toBeLessThan(0.06);
    expect(await viewer.page.textContent('#goal-text')).toBe('is there');
    // Longer than the silence after which a robot that is driven by hand is stopped: it holds its place.
    const { timeS } = await viewer.state();
    await viewer.until((s) => s.timeS > timeS + 1);
    expect((await goalOf(viewer, 'robot'))?.state).toBe('arrived');
    // Keys take the wheel, and the goal is gone.
    await viewer.page.keyboard.down('ArrowUp');
    await expect.poll(() => goalOf(viewer, 'robot')).toBeUndefined();
    await viewer.page.keyboard.up('ArrowUp');
    await viewer.untilBody('robot', (b) => Math.abs(b.voltsLeft) < 0.01 && Math.abs(b.voltsRight) < 0.01);
    await viewer.close();
    expect(session.errors).toEqual([]);
  });

  it('avoids another in its way, and goes on when somebody else is selected', async () => {
    const viewer = await session.openMatch();
    await load(viewer, 'soccer');
    // Each is put somewhere and sent to where it is, so that it stays: one in the way of another, the rest aside.
    await viewer.page.evaluate(() => {
      const { app } = window.rolima;
      const put = (name: string, x: number, y: number, stays: boolean) => {
        const body = window.rolima.bodies().indexOf(name);
        if (stays) app.send({ set_goal: { body, x, y, heading: 0, cancel: false, ball: 0, append: false, repeat: false } });
        app.send({ place: { body, x, y, heading: 0 } });
      };
      ['blue-2', 'blue-3', 'yellow-2', 'yellow-3'].forEach((name, i) => put(name, -0.4 + 0.25 * i, -0.5, true));
      put('ball', 0.6, -0.3, false);
      put('blue-1', -0.5, 0.1, true);
      put('yellow-1', 0, 0.1, true);
    });
    await untilGoal(viewer, 'yellow-1', 'arrived');
    await untilGoal(viewer, 'blue-1', 'arrived');
    await viewer.untilBody('blue-1', (b) => Math.hypot(b.x + 0.5, b.y - 0.1) < 0.01);
    await viewer.page.evaluate(() => window.rolima.select('blue-1'));
    await viewer.page.click('#tools [data-value=goal]');
    await drag(viewer, 0.5, 0.1, 0, 0.15);
    // The new goal is there, not the one that it has reached.
    await expect.poll(async () => (await goalOf(viewer, 'blue-1'))?.x ?? -1, { interval: 20 }).toBeGreaterThan(0.4);
    await viewer.page.evaluate(() => window.rolima.select('blue-3'));
    await untilGoal(viewer, 'blue-1', 'arrived');
    const there = await viewer.body('blue-1');
    expect(Math.hypot(there.x - 0.5, there.y - 0.1)).toBeLessThan(0.02);
    // The other one was not moved.
    const other = await viewer.body('yellow-1');
    expect(Math.hypot(other.x, other.y - 0.1)).toBeLessThan(0.005);
    // Given back: its own driver goes on, and the goal is gone.
    await viewer.page.evaluate(() => window.rolima.select('blue-1'));
    await viewer.page.keyboard.press('x');
    await viewer.untilBody('blue-1', (b) => b.driver === '');
    expect(await goalOf(viewer, 'blue-1')).toBeUndefined();
    await viewer.close();
    expect(session.errors).toEqual([]);
  });

  it('is not sent by a drag that Escape ends, and not into a wall', async () => {
    const viewer = await session.openMatch();
    await load(viewer, 'maze');
    await viewer.page.keyboard.press('g');
    await drag(viewer, 5, 5, 0, 4, false);
    expect(await viewer.page.evaluate(() => window.rolima.app.gesture?.kind)).toBe('goal');
    await viewer.page.keyboard.press('Escape');
    expect(await viewer.page.evaluate(() => window.rolima.app.gesture)).toBeUndefined();
    await viewer.page.mouse.up();
    await viewer.pictures(2);
    const name = (await viewer.page.evaluate(() => window.rolima.bodies()))[0]!;
    expect(await goalOf(viewer, name)).toBeUndefined();
    // The tool is still in the hand; a second Escape puts it away.
    await drag(viewer, 20, 0, 0, 1);
    await untilGoal(viewer, name, 'refused');
    // Long enough to be read: longer than idle commands wait (0.2 s), and than silence is borne (0.5 s).
    const { timeS } = await viewer.state();
    await viewer.until((s) => s.timeS > timeS + 1.5);
    expect((await goalOf(viewer, name))?.state).toBe('refused');
    expect(await viewer.page.isVisible('#goal-text')).toBe(true);
    expect(await viewer.page.textContent('#goal-text')).toBe('the goal is in a wall, or too near to one');
    await drag(viewer, 5, 4, Math.PI / 2, 4);
    await untilGoal(viewer, name, 'arrived');
    const there = await viewer.body(name);
    const goal = (await goalOf(viewer, name))!;
    expect(Math.hypot(there.x - goal.x, there.y - goal.y)).toBeLessThan(0.06);
    expect(turned(there.heading, Math.PI / 2)).toBeLessThan(0.1);
    // Called back under way: it brakes by itself, so nothing is sent that would end that.
    await drag(viewer, -5, -5, Math.PI, 4);
    await untilGoal(viewer, name, 'driving');
    await viewer.untilBody(name, (b) => b.speed > 0.5);
    await viewer.page.evaluate(() => {
      const { app } = window.rolima;
      const send = app.send.bind(app);
      app.send = (message) => {
        if (message.drive) document.body.dataset.drives = String(Number(document.body.dataset.drives ?? 0) + 1);
        return send(message);
      };
    });
    await viewer.page.click('#goal-cancel');
    await expect.poll(() => goalOf(viewer, name)).toBeUndefined();
    const called = await viewer.state();
    await viewer.until((s) => s.timeS > called.timeS + 3);
    const stands = await viewer.body(name);
    expect(stands.speed).toBeLessThan(0.02);
    expect(Math.hypot(stands.x + 5, stands.y + 5)).toBeGreaterThan(1);
    expect(await viewer.page.evaluate(() => document.body.dataset.drives)).toBeUndefined();
    await viewer.page.keyboard.press('Escape');
    expect(await viewer.page.getAttribute('#tools [data-value=pull]', 'aria-pressed')).toBe('true');
    await viewer.close();
    expect(session.errors).toEqual([]);
  });

  it('is sent by a finger, too', async () => {
    const viewer = await session.openMatch({ width: 400, height: 760, touch: true });
    await load(viewer, 'navigation');
    await viewer.page.evaluate(() => {
      Element.prototype.setPointerCapture = () => undefined;
      window.rolima.app.setTool('goal');
    });
    const [x, y] = await place(viewer, -0.3, 0.2);
    const touch = (type: string, dx: number) => viewer.page.dispatchEvent('canvas', type, {
      pointerId: 5, pointerType: 'touch', isPrimary: true, button: 0, clientX: x + dx, clientY: y, bubbles: true,
    });
    await touch('pointerdown', 0);
    await touch('pointermove', 20);
    await touch('pointermove', 40);
    await touch('pointerup', 40);
    await untilGoal(viewer, 'robot', 'arrived');
    const there = await viewer.body('robot');
    expect(Math.hypot(there.x + 0.3, there.y - 0.2)).toBeLessThan(0.03);
    expect(turned(there.heading, 0)).toBeLessThan(0.1);
    await viewer.close();
    expect(session.errors).toEqual([]);
  });
});
