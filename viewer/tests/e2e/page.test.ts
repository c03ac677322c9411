// The page in a real browser. Runs against the mock, or against a simulator (ROLIMA, ROLIMA_URL).

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MockServer } from '../mock/server';
import { FOREIGN, pixel, Session, type Viewer } from './browser';

const ROBOTS = ['blue-1', 'blue-2', 'blue-3', 'yellow-1', 'yellow-2', 'yellow-3'];

let session: Session;
beforeAll(async () => {
  session = await Session.start();
});
afterAll(() => session?.stop());

describe('the page', () => {
  it('loads without errors and shows robots that move', async () => {
    const viewer = await session.openMatch();
    expect(await viewer.page.evaluate(() => window.rolima.bodies())).toEqual([...ROBOTS, 'ball']);
    const before = await viewer.body('blue-2');
    await viewer.untilBody('blue-2', (b) => Math.hypot(b.shown.x - before.shown.x, b.shown.y - before.shown.y) > 0.03);
    expect(await viewer.page.textContent('.scene-title')).toContain('Soccer');
    expect(await viewer.page.locator('.robot-row:visible').count()).toBe(0); // narrow: the panel is closed
    await viewer.close();
    expect(session.errors).toEqual([]);
  });

  it('drives a robot with the keyboard, and gives it back', async () => {
    const viewer = await session.openMatch();
    await viewer.page.evaluate(() => window.rolima.select('blue-1'));
    // Backwards: its own driver never does that, so it must be us.
    await viewer.page.keyboard.down('ArrowDown');
    await viewer.untilBody('blue-1', (b) => b.driver !== '' && b.voltsLeft < -1 && b.voltsRight < -1);
    const from = await viewer.body('blue-1');
    await viewer.untilBody('blue-1', (b) => Math.hypot(b.x - from.x, b.y - from.y) > 0.02 || b.speed > 0.1);
    await viewer.page.keyboard.up('ArrowDown');
    await viewer.untilBody('blue-1', (b) => Math.abs(b.voltsLeft) < 0.01 && Math.abs(b.voltsRight) < 0.01);
    expect((await viewer.body('blue-1')).driver).not.toBe('');
    await viewer.page.keyboard.press('x');
    await viewer.untilBody('blue-1', (b) => b.driver === '' && Math.abs(b.voltsLeft) + Math.abs(b.voltsRight) > 0.1);
    await viewer.close();
  });

  it('drives a robot with a gamepad', async () => {
    const viewer = await session.openMatch({
      before: () => {
        const pad = { connected: true, id: 'test pad', axes: [0, 0, 0, 0], buttons: [] };
        Object.assign(window, { pad });
        navigator.getGamepads = () => [pad as unknown as Gamepad];
      },
    });
    await viewer.page.evaluate(() => window.rolima.select('yellow-1'));
    await viewer.page.evaluate(() => ((window as unknown as { pad: { axes: number[] } }).pad.axes = [0, 1, 0, 0]));
    await viewer.untilBody('yellow-1', (b) => b.driver !== '' && b.voltsLeft < -8 && b.voltsRight < -8);
    await viewer.close();
  });

  it('drives a robot with the stick on a touch screen', async () => {
    const viewer = await session.openMatch({ width: 400, height: 760, touch: true });
    expect(await viewer.page.isVisible('#stick')).toBe(false);
    await viewer.page.evaluate(() => window.rolima.select('yellow-3'));
    expect(await viewer.page.textContent('.hint')).toBe('The stick drives yellow-3');
    const box = (await viewer.page.locator('#stick').boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const touch = async (type: string, dy: number) => viewer.page.dispatchEvent('#stick', type, {
      pointerId: 1, pointerType: 'touch', isPrimary: true, button: 0, clientX: x, clientY: y + dy, bubbles: true,
    });
    // Events made by hand have no pointer that could be captured.
    await viewer.page.evaluate(() => (Element.prototype.setPointerCapture = () => undefined));
    await touch('pointerdown', 0);
    await touch('pointermove', 60);
    await viewer.untilBody('yellow-3', (b) => b.driver !== '' && b.voltsLeft < -8 && b.voltsRight < -8);
    await touch('pointerup', 60);
    await viewer.untilBody('yellow-3', (b) => Math.abs(b.voltsLeft) < 0.01 && Math.abs(b.voltsRight) < 0.01);
    await viewer.page.click('.stick button');
    await viewer.untilBody('yellow-3', (b) => b.driver === '');
    await viewer.close();
  });

  it('keeps sending voltages while no picture is drawn', async () => {
    const viewer = await session.openMatch({ before: () => {
      const draw = window.requestAnimationFrame.bind(window);
      Object.assign(window, { frozen: false });
      window.requestAnimationFrame = (picture) => {
        if (!(window as unknown as { frozen: boolean }).frozen) return draw(picture);
        return window.setTimeout(() => window.requestAnimationFrame(picture), 100);
      };
    } });
    await viewer.page.evaluate(() => window.rolima.select('blue-1'));
    await viewer.page.evaluate(() => Object.assign(window, { frozen: true }));
    await viewer.page.keyboard.down('ArrowDown');
    await viewer.untilBody('blue-1', (b) => b.driver !== '' && b.voltsLeft < -1);
    // Longer than the silence after which a robot is stopped, seen at every frame that comes.
    const weakest = await viewer.page.evaluate(() => new Promise<number>((done) => {
      const { app } = window.rolima;
      let volts = -Infinity;
      const until = app.playback!.latest.timeS + 1.5;
      app.on('frame', () => {
        volts = Math.max(volts, window.rolima.body('blue-1')!.voltsLeft);
        if (app.playback!.latest.timeS > until) done(volts);
      });
    }));
    expect(weakest).toBeLessThan(-1);
    await viewer.page.keyboard.up('ArrowDown');
    await viewer.page.evaluate(() => Object.assign(window, { frozen: false }));
    await viewer.close();
  });

  it('pauses, steps, changes speed and seed, and resets', async () => {
    const viewer = await session.openMatch();
    await viewer.page.keyboard.press('Space');
    const paused = await viewer.until((s) => s.paused === true);
    await viewer.page.click('#step');
    const stepped = await viewer.until((s) => s.step > paused.step);
    expect(stepped.step).toBe(paused.step + 1);
    await viewer.page.selectOption('#speed', '5');
    await viewer.until((s) => s.speed === 5);
    await viewer.page.fill('#seed', '42');
    await viewer.page.press('#seed', 'Enter');
    await viewer.until((s) => s.seed === 42 && s.step < paused.step);
    await viewer.page.click('#play');
    await viewer.until((s) => s.paused === false && s.timeS > 1);
    await viewer.page.click('#reset');
    await viewer.until((s) => s.timeS < 1);
    await viewer.close();
  });

  it('changes the scene from the chooser', async () => {
    const viewer = await session.openMatch();
    await viewer.page.click('#scene-button');
    await viewer.page.click('[data-scene="playground"]');
    await viewer.until((s) => s.scene === 'playground' && s.pictures > 0);
    expect(await viewer.page.textContent('.scene-title')).toContain('Playground');
    expect(await viewer.page.evaluate(() => window.rolima.bodies())).toContain('square');
    await viewer.page.evaluate(() => window.rolima.app.control({ load: 'soccer' }));
    await viewer.until((s) => s.scene === 'soccer');
    await viewer.close();
  });

  it('puts a body elsewhere with the mouse, and pulls one', async () => {
    const viewer = await session.openMatch();
    await viewer.pause();
    await viewer.page.evaluate(() => window.rolima.camera('top'));
    await viewer.pictures(2);
    const { mouse, keyboard } = viewer.page;
    const ball = (await viewer.page.evaluate(() => window.rolima.project('ball')))!;
    const before = await viewer.body('ball');
    await keyboard.down('Shift');
    await mouse.move(...ball);
    await mouse.down();
    await mouse.move(ball[0] + 40, ball[1] + 30, { steps: 4 });
    await viewer.pictures(1);
    await mouse.up();
    await keyboard.up('Shift');
    const put = await viewer.untilBody('ball', (b) => Math.hypot(b.x - before.x, b.y - before.y) > 0.03);
    expect(put.x).toBeGreaterThan(before.x);
    expect(put.y).toBeLessThan(before.y);
    const robot = (await viewer.page.evaluate(() => window.rolima.project('blue-1')))!;
    const start = await viewer.body('blue-1');
    await mouse.move(...robot);
    await mouse.down();
    await mouse.move(robot[0], robot[1] - 60, { steps: 4 });
    await viewer.page.evaluate(() => window.rolima.app.control({ play: true }));
    await viewer.untilBody('blue-1', (b) => b.y > start.y + 0.04);
    await mouse.up();
    expect(await viewer.page.evaluate(() => window.rolima.app.gesture)).toBeUndefined();
    await viewer.close();
  });

  it('selects and follows a robot by a click', async () => {
    const viewer = await session.openMatch();
    await viewer.pause();
    await viewer.page.evaluate(() => window.rolima.camera('top'));
    await viewer.pictures(2);
    const at = (await viewer.page.evaluate(() => window.rolima.project('yellow-2')))!;
    await viewer.page.mouse.click(...at);
    await viewer.until((s) => s.selected === 'yellow-2');
    expect(await viewer.page.evaluate(() => window.rolima.app.view!.rig.following)).toBe(true);
    // A click on the ground changes neither what is selected nor what F chose.
    await viewer.page.keyboard.press('f');
    const ground = (await viewer.page.evaluate(() => {
      const { app } = window.rolima;
      const box = document.querySelector('canvas')!.getBoundingClientRect();
      const free = [0.3, 0.4, 0.5, 0.6, 0.7].map((share) => [box.width * share, box.height / 2] as [number, number])
        .find(([x, y]) => app.view!.pick(x, y, app.playback!) === undefined)!;
      return [box.left + free[0], box.top + free[1]] as [number, number];
    }));
    await viewer.page.mouse.click(...ground);
    await viewer.pictures(1);
    expect(await viewer.page.evaluate(() => window.rolima.app.view!.rig.following)).toBe(false);
    expect((await viewer.state()).selected).toBe('yellow-2');
    await viewer.close();
  });

  it('shows the one viewer who drives to the other', async () => {
    const driver = await session.openMatch();
    const watcher = await session.open({ width: 900, height: 520 });
    await watcher.until((s) => s.scene === 'soccer' && s.pictures > 0);
    await driver.page.evaluate(() => window.rolima.app.send({ new_name: { name: 'Ana' } }));
    await driver.page.evaluate(() => window.rolima.select('blue-3'));
    await driver.page.keyboard.down('KeyW');
    await watcher.untilBody('blue-3', (b) => b.driver === 'Ana');
    await watcher.page.locator('[data-robot="blue-3"] .badge', { hasText: 'Ana' }).waitFor();
    // A second hand on the same wheel is refused.
    await watcher.page.evaluate(() => window.rolima.select('blue-3'));
    await watcher.page.keyboard.press('KeyS');
    await watcher.page.locator('.notice').first().waitFor();
    expect((await watcher.body('blue-3')).driver).toBe('Ana');
    await driver.close();
    await watcher.untilBody('blue-3', (b) => b.driver === '');
    await watcher.close();
  });

  it('records signals and exports them', async () => {
    const viewer = await session.openMatch({ width: 900, height: 520 });
    await viewer.page.click('#tab-plots');
    await viewer.page.click('.plots .empty button');
    await viewer.page.locator('.plot-area canvas').nth(1).waitFor();
    const saving = viewer.page.waitForEvent('download');
    await expect.poll(() => viewer.page.evaluate(() => window.rolima.app.recorder.times.length)).toBeGreaterThan(5);
    await viewer.page.click('.export-csv');
    const stream = await (await saving).createReadStream();
    let text = '';
    for await (const part of stream) text += String(part);
    const lines = text.trim().split('\r\n');
    expect(lines[0]).toBe('time (s),robot.blue-1.speed.forward (m/s),robot.blue-1.actuator.left.voltage (V),robot.blue-1.actuator.right.voltage (V)');
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.at(-1)!.split(',').map(Number).every(Number.isFinite)).toBe(true);
    await viewer.close();
  });

  it('finds every quantity by words and plots it', async () => {
    const viewer = await session.openMatch({ width: 900, height: 520 });
    await viewer.page.click('#tab-plots');
    await viewer.page.fill('#channel-search', 'ball velocity');
    const found = viewer.page.locator('[data-channel="ball.ball.velocity.x"]');
    await found.click();
    expect(await found.getAttribute('aria-pressed')).toBe('true');
    await viewer.page.locator('.plot-area canvas').waitFor();
    await expect.poll(() => viewer.page.evaluate(() => window.rolima.app.recorder.columns[0]?.at(-1) ?? null)).not.toBeNull();
    await viewer.close();
  });

  it('lists the robots with live numbers', async () => {
    const viewer = await session.openMatch({ width: 900, height: 700 });
    const row = viewer.page.locator('[data-robot="blue-2"] .position');
    const before = await row.textContent();
    await expect.poll(() => row.textContent()).not.toBe(before);
    expect(await viewer.page.locator('.robot-row:visible').count()).toBe(6);
    await viewer.close();
  });

  it('speaks Portuguese to browsers that do', async () => {
    const viewer = await session.openMatch({ locale: 'pt-BR', width: 900 });
    expect(await viewer.page.textContent('#tab-robots')).toBe('Robôs');
    await viewer.page.keyboard.press('h');
    await viewer.page.locator('#help[open]', { hasText: 'Teclas e gestos' }).waitFor();
    await viewer.page.keyboard.press('Escape');
    await viewer.page.locator('#help:not([open])').waitFor({ state: 'attached' });
    await viewer.close();
  });
});

/** Robots whose colours the picture must show: those in sight and not behind a panel or another robot. */
async function expectColours(viewer: Viewer, least: number): Promise<void> {
  const points = await viewer.page.evaluate((names) => names.map((name) => {
    const at = window.rolima.project(name);
    const onPicture = at !== undefined && document.elementFromPoint(at[0], at[1])?.tagName === 'CANVAS';
    const canvas = document.querySelector('canvas')!.getBoundingClientRect();
    // What the picture's own search for the nearest body finds there is what is seen there.
    const app = window.rolima.app;
    const seen = at && app.view!.pick(at[0] - canvas.left, at[1] - canvas.top, app.playback!);
    return { name, at, clear: onPicture && app.body(seen)?.name === name, colour: window.rolima.body(name)!.colour };
  }), ROBOTS);
  const checked = points.filter(({ clear }) => clear);
  expect(checked.length).toBeGreaterThanOrEqual(least);
  const wrong = async () => {
    const picture = await viewer.picture();
    return checked.flatMap(({ name, at, colour }) => {
      const wanted = [(colour >> 16) & 255, (colour >> 8) & 255, colour & 255];
      const found = pixel(picture, at![0], at![1]);
      const off = Math.max(...found.map((value, i) => Math.abs(value - wanted[i]!)));
      return off < 12 ? [] : [`${name} at ${at!.map(Math.round).join(', ')}: ${found.join()} instead of ${wanted.join()}`];
    });
  };
  // The flash of a last hit may still lie upon a robot: it fades within some pictures.
  let left = await wrong();
  for (let tries = 0; left.length > 0 && tries < 20; tries++) {
    await viewer.pictures(2);
    left = await wrong();
  }
  expect(left).toEqual([]);
}

/** Points of the field, and what lies there: a place on the ground, m, and the colour of its material. */
const FIELD: readonly [string, number, number, number][] = [
  ['ground', 0.3, 0.5, 0x151618], ['ground in a corner', -0.66, -0.5, 0x151618], ['ground before a goal', 0.7, 0.1, 0x151618],
  ['centre line', 0, 0.45, 0xf4f5f6], ['centre circle', 0.14142, -0.14142, 0xf4f5f6], ['goal area', -0.6, 0.2, 0xf4f5f6],
];

describe('the picture', () => {
  it('shows the field in its materials, as cameras do, by day and by night', async () => {
    const viewer = await session.openMatch({ width: 1000, height: 760 });
    await viewer.page.keyboard.press('b'); // the panel away
    await viewer.pause();
    await viewer.page.evaluate((names) => {
      names.forEach((name, i) => {
        const body = window.rolima.bodies().indexOf(name);
        window.rolima.app.send({ place: { body, x: -0.3 + 0.12 * i, y: -0.35, heading: 0 } });
      });
      window.rolima.app.change({ traces: 'off' });
      window.rolima.camera('top');
    }, ROBOTS);
    for (const [i, robot] of ROBOTS.entries()) await viewer.untilBody(robot, (b) => Math.hypot(b.x + 0.3 - 0.12 * i, b.y + 0.35) < 1e-3);
    for (const theme of ['light', 'dark'] as const) {
      await viewer.page.evaluate((wanted) => window.rolima.app.change({ theme: wanted }), theme);
      await viewer.pictures(3);
      const picture = await viewer.picture();
      for (const [name, x, y, colour] of FIELD) {
        const [px, py] = (await viewer.page.evaluate(([u, v]) => window.rolima.place(u!, v!), [x, y]))!;
        const wanted = [(colour >> 16) & 255, (colour >> 8) & 255, colour & 255];
        // A line is a pixel wide or two: the brightest of its neighbours is on it.
        const around = [-1, 0, 1].flatMap((i) => [-1, 0, 1].map((j) => pixel(picture, px + i, py + j)));
        const found = around.reduce((best, one) => (one[1] > best[1] === wanted[1]! > 128 ? one : best));
        const off = Math.max(...found.map((value, i) => Math.abs(value - wanted[i]!)));
        expect(off, `${name} by ${theme}: ${found.join()}`).toBeLessThan(40);
      }
    }
    await viewer.close();
  });

  it('shows each robot in the colour of its team, from above and from behind', async () => {
    const viewer = await session.openMatch({ width: 900, height: 640 });
    await viewer.page.keyboard.press('b'); // the panel away
    await viewer.pause();
    // Each on its own, so that none is pressed: what presses flashes, upon the robot.
    await viewer.page.evaluate((names) => {
      const places = [[-0.6, -0.1], [0, -0.35], [0, 0.35], [-0.6, 0.15], [0.3, -0.15], [0.3, 0.2]];
      names.forEach((name, i) => {
        const body = window.rolima.bodies().indexOf(name);
        window.rolima.app.send({ place: { body, x: places[i]![0]!, y: places[i]![1]!, heading: 0 } });
      });
    }, ROBOTS);
    for (const robot of ROBOTS) await viewer.untilBody(robot, (b) => Math.abs(b.heading) < 1e-3);
    await viewer.page.evaluate(() => window.rolima.camera('top'));
    await viewer.pictures(2);
    await expectColours(viewer, 6);
    for (const robot of ['blue-1', 'yellow-1']) {
      await viewer.page.evaluate((name) => {
        window.rolima.select(name);
        window.rolima.camera('chase');
      }, robot);
      await viewer.pictures(2);
      await expectColours(viewer, 3);
    }
    await viewer.close();
  });

  it('has no horizontal scroll at 400 pixels, with and without the panel', async () => {
    const viewer = await session.openMatch({ width: 400, height: 760 });
    const overflow = () => viewer.page.evaluate(() => {
      const wide = [...document.querySelectorAll('body *')].filter((element) => {
        const box = element.getBoundingClientRect();
        return box.width > 0 && box.right > innerWidth + 1 && !element.closest('.labels');
      });
      return { scroll: document.documentElement.scrollWidth - innerWidth, wide: wide.map((element) => element.className || element.tagName) };
    });
    expect(await overflow()).toEqual({ scroll: 0, wide: [] });
    await viewer.page.click('[data-label="panel"]');
    await viewer.page.locator('.dock').waitFor();
    expect(await overflow()).toEqual({ scroll: 0, wide: [] });
    await viewer.close();
  });
});

describe.skipIf(FOREIGN)('with a server that vanishes', () => {
  it('says so, and comes back by itself', async () => {
    const viewer = await session.openMatch();
    const { frames } = await viewer.state();
    await session.server!.stop();
    await viewer.page.locator('#link-card[data-state="lost"]').waitFor();
    // A simulator that is ended as by Ctrl-C may say goodbye; the mock vanishes as a killed process does.
    const told = await viewer.page.textContent('#link-card h2');
    expect(process.env.ROLIMA ? ['The simulator is gone', 'The run has ended'] : ['The simulator is gone']).toContain(told);
    expect(await viewer.page.isDisabled('#play')).toBe(true);
    await session.server!.start();
    await viewer.until((s) => s.link === 'open' && s.frames > frames + 5);
    await viewer.page.locator('#link-card').waitFor({ state: 'hidden' });
    const before = await viewer.body('ball');
    await viewer.page.keyboard.press('Space');
    await viewer.until((s) => s.paused === true);
    expect(before).toBeDefined();
    await viewer.close();
  });
});

describe.skipIf(FOREIGN)('on a phone with its panel open', () => {
  it('shows all of the card that tells of a loss, above everything', async () => {
    const viewer = await session.openMatch({ width: 400, height: 640 });
    await viewer.page.click('[data-label="panel"]');
    await viewer.page.locator('.dock').waitFor();
    await session.server!.stop();
    await viewer.page.locator('#link-card[data-state="lost"]').waitFor();
    const covered = await viewer.page.evaluate(() => {
      const card = document.querySelector('#link-card')!;
      return [...card.children].filter((part) => {
        const box = part.getBoundingClientRect();
        const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
        return box.height > 0 && !card.contains(top);
      }).map((part) => part.tagName);
    });
    expect(covered).toEqual([]);
    await session.server!.start();
    await viewer.until((s) => s.link === 'open');
    await viewer.close();
  });
});

describe.skipIf(FOREIGN || process.env.ROLIMA)('with a server that', () => {
  it('wants a token that the page does not have, the page says so, and comes back by itself', async () => {
    const viewer = await session.openMatch();
    const server = session.server as MockServer;
    await server.stop();
    server.token = 'another';
    await server.start();
    await viewer.page.locator('#link-card[data-state="refused"]').waitFor();
    expect(await viewer.page.textContent('#link-card h2')).toContain('access token');
    // A simulator that refuses is asked seldom, but it is asked.
    server.token = undefined;
    await viewer.until((s) => s.link === 'open');
    await viewer.close();
  });

  it('lets nobody drive, the page says so to whoever tries', async () => {
    const server = session.server as MockServer;
    server.mayControl = false;
    const viewer = await session.open();
    await viewer.until((s) => s.link === 'open' && s.pictures > 0);
    server.mayControl = true;
    await viewer.page.keyboard.press('ArrowUp');
    await viewer.page.locator('.notice', { hasText: 'only watches' }).waitFor();
    await viewer.page.click('#scene-button');
    await viewer.page.locator('.watching', { hasText: 'only watches' }).waitFor();
    expect(await viewer.page.isDisabled('[data-scene="playground"]')).toBe(true);
    await viewer.close();
  });

  it('ends its run, the page tells that from a loss', async () => {
    const viewer = await session.openMatch();
    const server = session.server as MockServer;
    server.ended = true;
    await viewer.page.locator('.status-note', { hasText: 'ended' }).waitFor();
    server.sayGoodbye();
    await server.stop();
    await viewer.page.locator('#link-card[data-state="lost"]').waitFor();
    expect(await viewer.page.textContent('#link-card h2')).toBe('The run has ended');
    server.ended = false;
    await server.start();
    await viewer.until((s) => s.link === 'open');
    await viewer.close();
  });
});

describe('without WebGL', () => {
  it('shows the flat view by itself, and says so', async () => {
    const viewer = await session.open({
      before: () => {
        const original = HTMLCanvasElement.prototype.getContext;
        HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
          return kind.startsWith('webgl') ? null : (original as (...all: unknown[]) => unknown).call(this, kind, ...rest);
        } as typeof original;
      },
    });
    await viewer.page.locator('.notice', { hasText: 'WebGL' }).waitFor();
    await viewer.until((s) => s.view === 'flat' && s.pictures > 2);
    await viewer.close();
  });
});
