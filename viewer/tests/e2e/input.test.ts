// What hands do reaches the simulator, whatever becomes of pictures.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Session, type Viewer } from './browser';

let session: Session;
beforeAll(async () => {
  session = await Session.start();
});
afterAll(() => session?.stop());

interface Held {
  /** How long every picture keeps the page's one thread, ms. */
  pictureMs: number;
  pad: { connected: boolean; id: string; axes: number[]; buttons: { pressed: boolean }[] };
}

/** Holds the renderer: each picture takes as long as said, as one does that is drawn by software. */
function holdRenderer(): void {
  const held: Held = { pictureMs: 0, pad: { connected: false, id: 'test pad', axes: [0, 0, 0, 0], buttons: [] } };
  Object.assign(window, { held });
  const draw = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (picture) => draw((at) => {
    picture(at);
    const end = performance.now() + held.pictureMs;
    while (performance.now() < end);
  });
  navigator.getGamepads = () => [held.pad as unknown as Gamepad];
}

const hold = (viewer: Viewer, change: Partial<Held>) =>
  viewer.page.evaluate((with_) => void Object.assign((window as unknown as { held: Held }).held, with_), change);

/** The weakest voltage, backwards, over some time of the simulator, as another page sees it at every frame. */
const weakest = (witness: Viewer, robot: string, seconds: number) =>
  witness.page.evaluate(([name, span]) => new Promise<number>((done) => {
    const { app } = window.rolima;
    let volts = -Infinity;
    const until = app.playback!.latest.timeS + span;
    app.on('frame', () => {
      volts = Math.max(volts, window.rolima.body(name)!.voltsLeft);
      if (app.playback!.latest.timeS > until) done(volts);
    });
  }), [robot, seconds] as const);

describe('with less than a picture a second', () => {
  it('the keyboard drives on and on, and stops the robot', async () => {
    const witness = await session.openMatch();
    const viewer = await session.open({ before: holdRenderer });
    await viewer.until((s) => s.link === 'open' && s.pictures > 0);
    await viewer.page.evaluate(() => window.rolima.select('blue-1'));
    await hold(viewer, { pictureMs: 1100 });
    await viewer.pictures(2);
    // Backwards: its own driver never does that, so it must be us.
    await viewer.page.keyboard.down('ArrowDown');
    await witness.untilBody('blue-1', (b) => b.driver !== '' && b.voltsLeft < -1 && b.voltsRight < -1);
    expect(await weakest(witness, 'blue-1', 4)).toBeLessThan(-1);
    await viewer.page.keyboard.up('ArrowDown');
    await witness.untilBody('blue-1', (b) => Math.abs(b.voltsLeft) < 0.01 && Math.abs(b.voltsRight) < 0.01);
    await hold(viewer, { pictureMs: 0 });
  });

  it('a gamepad drives, and its buttons act', async () => {
    const witness = await session.openMatch();
    const viewer = await session.open({ before: holdRenderer });
    await viewer.until((s) => s.link === 'open' && s.pictures > 0);
    await viewer.page.evaluate(() => window.rolima.select('yellow-1'));
    await hold(viewer, { pictureMs: 1100 });
    await viewer.pictures(2);
    await hold(viewer, { pad: { connected: true, id: 'test pad', axes: [0, 1, 0, 0], buttons: [] } });
    await witness.untilBody('yellow-1', (b) => b.driver !== '' && b.voltsLeft < -8 && b.voltsRight < -8);
    expect(await weakest(witness, 'yellow-1', 4)).toBeLessThan(-8);
    const release = [{ pressed: false }, { pressed: true }];
    await hold(viewer, { pad: { connected: true, id: 'test pad', axes: [0, 0, 0, 0], buttons: release } });
    await witness.untilBody('yellow-1', (b) => b.driver === '');
    await hold(viewer, { pictureMs: 0 });
  });

  it('the stick on the screen drives', async () => {
    const witness = await session.openMatch();
    const viewer = await session.open({ width: 400, height: 760, touch: true, before: holdRenderer });
    await viewer.until((s) => s.link === 'open' && s.pictures > 0);
    await viewer.page.evaluate(() => window.rolima.select('yellow-3'));
    await viewer.page.evaluate(() => (Element.prototype.setPointerCapture = () => undefined));
    await hold(viewer, { pictureMs: 1100 });
    await viewer.pictures(2);
    const touch = (type: string, down: number) => viewer.page.evaluate(([kind, dy]) => {
      const stick = document.querySelector('#stick')!;
      const { left, top, width, height } = stick.getBoundingClientRect();
      stick.dispatchEvent(new PointerEvent(kind, {
        pointerId: 1, pointerType: 'touch', isPrimary: true, button: 0, bubbles: true,
        clientX: left + width / 2, clientY: top + height / 2 + dy,
      }));
    }, [type, down] as const);
    await touch('pointerdown', 0);
    await touch('pointermove', 60);
    await witness.untilBody('yellow-3', (b) => b.driver !== '' && b.voltsLeft < -8 && b.voltsRight < -8);
    expect(await weakest(witness, 'yellow-3', 4)).toBeLessThan(-8);
    await touch('pointerup', 60);
    await witness.untilBody('yellow-3', (b) => Math.abs(b.voltsLeft) < 0.01);
    await hold(viewer, { pictureMs: 0 });
  });
});

describe('a page that loses the focus', () => {
  it('lets go of keys and sticks at once', async () => {
    const viewer = await session.openMatch({ before: holdRenderer });
    await viewer.page.evaluate(() => window.rolima.select('blue-1'));
    await viewer.page.keyboard.down('ArrowDown');
    await viewer.untilBody('blue-1', (b) => b.voltsLeft < -1);
    await viewer.page.evaluate(() => window.dispatchEvent(new Event('blur')));
    await viewer.untilBody('blue-1', (b) => b.driver !== '' && Math.abs(b.voltsLeft) < 0.01);
    await hold(viewer, { pad: { connected: true, id: 'test pad', axes: [0, 1, 0, 0], buttons: [] } });
    await viewer.untilBody('blue-1', (b) => b.voltsLeft < -8);
    await viewer.page.evaluate(() => (document.hasFocus = () => false));
    await viewer.untilBody('blue-1', (b) => b.driver !== '' && Math.abs(b.voltsLeft) < 0.01);
  });
});
