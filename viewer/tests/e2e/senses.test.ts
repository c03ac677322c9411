// What robots sense, in a real browser: against the mock, or against a simulator (ROLIMA, ROLIMA_URL).

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PNG } from 'pngjs';
import { FOREIGN, Session, type Viewer } from './browser';

let session: Session;
beforeAll(async () => {
  session = await Session.start();
});
afterAll(() => session?.stop());

/** The maze from its start, with its robot selected. */
async function openMaze(options: Parameters<Session['open']>[0] = {}): Promise<{ viewer: Viewer; name: string }> {
  const viewer = await session.openMatch(options);
  await viewer.page.evaluate(() => window.rolima.app.control({ load: 'maze' }));
  await viewer.until((s) => s.scene === 'maze' && s.timeS > 0);
  const name = await viewer.page.evaluate(() => {
    const { app } = window.rolima;
    app.change({ dock: false, eye: false, rays: true, traces: 'off' });
    const { name } = app.body(app.scene!.robots[0])!;
    window.rolima.select(name);
    return name;
  });
  return { viewer, name };
}

async function untilSensed(viewer: Viewer, name: string, condition: (sensed: Record<string, number[]>) => boolean) {
  const read = () => viewer.page.evaluate((n) => window.rolima.sensed(n), name);
  await expect.poll(async () => read().then((s) => (s && condition(s) ? 'as expected' : JSON.stringify(s)))).toBe('as expected');
  return (await read())!;
}

/** The picture of the world, without what lies on it and below it. */
async function middle(viewer: Viewer): Promise<PNG> {
  const { x, y, width, height } = (await viewer.page.locator('.stage').boundingBox())!;
  return PNG.sync.read(await viewer.page.screenshot({ clip: { x: x + 20, y: y + 110, width: width - 40, height: height - 170 } }));
}

function countPixels({ data }: PNG, which: (r: number, g: number, b: number, at: number) => boolean): number {
  let count = 0;
  for (let i = 0; i < data.length; i += 4) if (which(data[i]!, data[i + 1]!, data[i + 2]!, i)) count++;
  return count;
}

function different(a: PNG, b: PNG): number {
  return countPixels(a, (r, g, blue, at) =>
    Math.max(Math.abs(r - b.data[at]!), Math.abs(g - b.data[at + 1]!), Math.abs(blue - b.data[at + 2]!)) > 12);
}

describe('the senses of the selected robot', () => {
  it.each([['in three dimensions', {}], ['from above', { view: 'flat' }]])('are drawn around it %s, and can be switched off', async (_, query) => {
    const { viewer, name } = await openMaze({ query });
    // In front of a wall, so that there is something to meet.
    await viewer.page.evaluate((n) => {
      const { app } = window.rolima;
      const body = app.scene!.bodies.find((known) => known.name === n)!.number;
      app.send({ place: { body, x: 16, y: 0, heading: 0 } });
      window.rolima.camera('top');
    }, name);
    const { lidar } = await untilSensed(viewer, name, (s) => s.lidar!.some((distance) => distance < 5));
    expect(lidar!.length).toBe(36);
    // The wall at x = 20 stands some 3.7 m before the lidar.
    expect(Math.min(...lidar!)).toBeGreaterThan(3.3);
    expect(Math.min(...lidar!)).toBeLessThan(4);
    await viewer.pause();
    await viewer.page.evaluate(() => {
      const { rig } = window.rolima.app.view!;
      rig.eased = false;
      rig.zoom(0.5);
      // The robot into the middle, whichever way is up.
      rig.pan(16 * rig.axes.right[0], 16 * rig.axes.away[0]);
    });
    await viewer.pictures(2);
    const drawn = await middle(viewer);
    await viewer.page.keyboard.press('u');
    await viewer.pictures(2);
    const without = await middle(viewer);
    expect(await viewer.page.getAttribute('#switch-rays', 'aria-pressed')).toBe('false');
    await viewer.page.click('#switch-rays');
    await viewer.page.mouse.move(1, 1);
    await viewer.pictures(2);
    const again = await middle(viewer);
    expect(different(drawn, without)).toBeGreaterThan(300);
    expect(different(drawn, again)).toBeLessThan(30);
    await viewer.close();
    expect(session.errors).toEqual([]);
  });

  it('are told only of robots that are watched, with pictures only while they are shown', async () => {
    const { viewer, name } = await openMaze();
    await untilSensed(viewer, name, () => true);
    expect((await viewer.state()).eye.shown).toBe(0);
    await viewer.page.keyboard.press('y');
    await viewer.until((s) => s.eye.shown > 3);
    const picture = await viewer.page.evaluate(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('.eye-picture')!;
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      const colours = new Set<number>();
      for (let i = 0; i < data.length; i += 4) colours.add((data[i]! << 16) | (data[i + 1]! << 8) | data[i + 2]!);
      return { width: canvas.width, height: canvas.height, colours: colours.size };
    });
    const size = await viewer.page.evaluate((n) => {
      const camera = window.rolima.app.scene!.bodies.find((body) => body.name === n)!.sensors.find(({ kind }) => kind === 'camera')!;
      return [camera.picture_width, camera.picture_height];
    }, name);
    expect([picture.width, picture.height]).toEqual(size);
    expect(picture.colours).toBeGreaterThan(2); // ground, sky, walls
    const { last } = (await viewer.state()).eye;
    await viewer.until((s) => s.eye.last > last);
    // Closed: after what was under way, none comes any more, while readings go on.
    await viewer.page.click('.eye-close');
    expect(await viewer.page.isVisible('#eye')).toBe(false);
    const late = await viewer.page.evaluate((n) => new Promise<number>((done) => {
      const { app } = window.rolima;
      let [frames, pictures, readings] = [0, 0, 0];
      app.on('picture', () => frames > 20 && pictures++);
      app.on('readings', () => readings++);
      app.on('frame', () => ++frames > 60 && readings > 20 && window.rolima.sensed(n) && done(pictures));
    }), name);
    expect(late).toBe(0);
    await viewer.page.evaluate(() => window.rolima.select(undefined));
    await expect.poll(() => viewer.page.evaluate((n) => window.rolima.sensed(n), name)).toBeUndefined();
    await viewer.close();
  });

  it('err as the panel says, and are told with their errors', async () => {
    const { viewer, name } = await openMaze({ width: 1000, height: 700 });
    await viewer.page.keyboard.press('q');
    const gps = viewer.page.locator('[data-sensor="gps"]');
    const exact = await untilSensed(viewer, name, (s) => Math.abs(s.gps![0]!) < 100);
    const truth = await viewer.body(name);
    expect(exact.gps![0]).toBeCloseTo(truth.x, 4);
    await gps.locator('.sigma input[type="number"]').nth(1).fill('0.5');
    await gps.locator('.sigma input[type="number"]').nth(1).press('Enter');
    await untilSensed(viewer, name, (s) => Math.abs(s.gps![1]! - truth.y) > 0.15 && Math.abs(s.gps![0]! - truth.x) < 1e-3);
    // What the simulator says comes back into the field, and another page sees it, too.
    const other = await session.open({ width: 1000, height: 700 });
    await other.until((s) => s.scene === 'maze' && s.pictures > 0);
    await other.page.evaluate((n) => {
      window.rolima.select(n);
      window.rolima.app.change({ dock: true, tab: 'sensors', eye: false });
    }, name);
    const told = other.page.locator('[data-sensor="gps"] .sigma input[type="number"]').nth(1);
    await expect.poll(() => told.inputValue()).toBe('0.5');
    await expect.poll(() => gps.locator('.sigma input[type="number"]').nth(1).inputValue()).toBe('0.5');
    await other.close();
    const error = gps.locator('.sensor-values dd').nth(2);
    await expect.poll(() => error.textContent()).toMatch(/^0\.[1-9]|^[1-9]/);
    // A sensor's own plot.
    await viewer.page.locator('[data-sensor="lidar"] [data-label="sensorPlot"]').click();
    await viewer.page.locator('.chip', { hasText: 'lidar.ahead' }).waitFor();
    await expect.poll(() => viewer.page.evaluate(() => window.rolima.app.recorder.columns[0]?.at(-1))).toBeGreaterThan(1);
    await viewer.page.evaluate(() => window.rolima.app.control({ reset: true }));
    await viewer.close();
  });

  it('tell a robot where it believes to be, drawn beside its trace', async () => {
    const { viewer, name } = await openMaze();
    await viewer.page.evaluate(() => {
      window.rolima.app.change({ traces: 'line', odometry: 'auto', rays: false });
      window.rolima.camera('chase');
    });
    // Odometry that is wrong by a metre: it does not know of being put elsewhere.
    const start = await viewer.body(name);
    await untilSensed(viewer, name, (s) => Math.abs(s.odometry![0]! - start.x) < 0.01);
    await viewer.page.evaluate(({ n, x, y }) => {
      const { app } = window.rolima;
      app.send({ place: { body: app.scene!.bodies.find((body) => body.name === n)!.number, x, y: y + 1.4, heading: 0 } });
    }, { n: name, x: start.x, y: start.y });
    await viewer.untilBody(name, (b) => Math.abs(b.y - start.y - 1.4) < 0.05);
    const sensed = await untilSensed(viewer, name, () => true);
    expect(Math.abs(sensed.odometry![1]! - start.y)).toBeLessThan(0.3);
    await viewer.pause();
    await viewer.pictures(2);
    const pink = (r: number, g: number, b: number) => r > 190 && b > 140 && g < 130;
    expect(countPixels(await viewer.picture(), pink)).toBeGreaterThan(60);
    await viewer.page.keyboard.press('o');
    await viewer.pictures(2);
    expect(countPixels(await viewer.picture(), pink)).toBeLessThan(10);
    await viewer.close();
  });
});

describe('a large world', () => {
  it('does not hide a robot behind high walls in the view from the start', async () => {
    const { viewer, name } = await openMaze({ width: 900, height: 694 });
    // Close behind the wall that stands between it and the camera, along it.
    const [x0, y0] = await viewer.page.evaluate((n) => {
      const { app } = window.rolima;
      app.change({ rays: false });
      const [ax, ay] = app.view!.rig.axes.away;
      const place = { x: -19.52 * ax, y: -19.52 * ay, heading: Math.atan2(ay, ax) + Math.PI / 2 };
      app.send({ place: { body: app.scene!.bodies.find((body) => body.name === n)!.number, ...place } });
      return [place.x, place.y] as const;
    }, name);
    await viewer.untilBody(name, (b) => Math.hypot(b.x - x0, b.y - y0) < 0.05);
    await viewer.pause();
    await viewer.pictures(2);
    const { colour } = await viewer.body(name);
    const [x, y] = (await viewer.page.evaluate((n) => window.rolima.project(n), name))!;
    const picture = await viewer.picture();
    const own = countPixels(picture, (r, g, b, at) => {
      const [px, py] = [(at / 4) % picture.width, Math.floor(at / 4 / picture.width)];
      const off = Math.max(Math.abs(r - (colour >> 16)), Math.abs(g - ((colour >> 8) & 255)), Math.abs(b - (colour & 255)));
      return Math.hypot(px - x, py - y) < 12 && off < 12;
    });
    expect(own).toBeGreaterThan(15);
    await viewer.close();
  });

  it('lets the mouse pull a heavy robot', async () => {
    const { viewer, name } = await openMaze();
    await viewer.page.evaluate(() => window.rolima.camera('chase'));
    await viewer.pictures(3);
    const at = (await viewer.page.evaluate((n) => window.rolima.project(n), name))!;
    const before = await viewer.body(name);
    await viewer.page.mouse.move(...at);
    await viewer.page.mouse.down();
    await viewer.page.mouse.move(at[0], at[1] - 60, { steps: 4 });
    await viewer.untilBody(name, (b) => b.x > before.x + 0.5);
    await viewer.page.mouse.up();
    await viewer.close();
  });
});

describe.skipIf(FOREIGN || process.env.ROLIMA)('of several cameras', () => {
  it('one is chosen', async () => {
    const { viewer } = await openMaze();
    await viewer.page.evaluate(() => {
      window.rolima.select('pioneer');
      window.rolima.app.change({ eye: true });
    });
    await viewer.until((s) => s.eye.shown > 0);
    const picture = () => viewer.page.evaluate(() => document.querySelector<HTMLCanvasElement>('.eye-picture')!.toDataURL());
    const front = await picture();
    const { shown } = (await viewer.state()).eye;
    await viewer.page.selectOption('.eye-head select', { label: 'rear' });
    await viewer.until((s) => s.eye.shown > shown + 2);
    expect(await picture()).not.toBe(front);
    await viewer.page.evaluate(() => window.rolima.app.change({ eye: false }));
    await viewer.close();
  });
});

describe('a robot with a speed controller', () => {
  it('is driven by speeds with the keys', async () => {
    const { viewer, name } = await openMaze();
    const start = await viewer.body(name);
    await viewer.page.keyboard.down('ArrowUp');
    // Four fifths of two metres a second, however fast the robot could go.
    const moving = await viewer.untilBody(name, (b) => b.driver !== '' && b.speed > 1.2);
    expect(moving.speed).toBeLessThan(2.1);
    await viewer.untilBody(name, (b) => Math.hypot(b.x - start.x, b.y - start.y) > 0.5);
    await viewer.page.keyboard.up('ArrowUp');
    await viewer.untilBody(name, (b) => b.speed < 0.05);
    const { heading } = await viewer.body(name);
    await viewer.page.keyboard.down('ArrowLeft');
    await viewer.untilBody(name, (b) => b.heading - heading > 0.3);
    await viewer.page.keyboard.up('ArrowLeft');
    await viewer.page.keyboard.press('x');
    await viewer.untilBody(name, (b) => b.driver === '');
    await viewer.close();
  });
});

describe('on a phone', () => {
  it('camera and sensors fit, in Portuguese, and the camera can be enlarged and moved', async () => {
    const { viewer } = await openMaze({ width: 400, height: 760, locale: 'pt-BR', touch: true });
    const { page } = viewer;
    await page.evaluate(() => window.rolima.app.change({ eye: true, dock: true, tab: 'sensors' }));
    await viewer.until((s) => s.eye.shown > 0);
    const overflow = () => page.evaluate(() => [...document.querySelectorAll('body *')].filter((element) => {
      const box = element.getBoundingClientRect();
      return box.width > 0 && box.right > innerWidth + 1 && !element.closest('.labels');
    }).map((element) => element.className || element.tagName).concat(innerWidth > 400 ? ['window'] : []));
    expect(await overflow()).toEqual([]);
    expect(await page.textContent('[data-sensor="gps"] h3')).toBe('GPS e bússola');
    const small = (await page.locator('#eye').boundingBox())!;
    await page.click('.eye-size');
    expect(await overflow()).toEqual([]);
    expect((await page.locator('#eye').boundingBox())!.width).toBeGreaterThan(1.5 * small.width);
    await page.click('.eye-size');
    const head = page.locator('.eye-name');
    await head.hover();
    await page.mouse.down();
    await page.mouse.move(small.x + 150, small.y + 400, { steps: 3 });
    await page.mouse.up();
    const moved = (await page.locator('#eye').boundingBox())!;
    const stage = (await page.locator('.stage').boundingBox())!;
    expect(moved.x).toBeGreaterThan(small.x + 20);
    expect(moved.y + moved.height).toBeLessThanOrEqual(stage.y + stage.height + 1); // it stays on the picture
    await page.evaluate(() => window.rolima.app.change({ eye: false }));
    await viewer.close();
  });
});

describe.skipIf(!process.env.ROLIMA)('sensors of the world', () => {
  it('are listed under the world, show their picture and their beams, and are set', async () => {
    const viewer = await session.openMatch({ width: 1000, height: 700 });
    const { page } = viewer;
    await page.evaluate(() => window.rolima.app.control({ load: 'watched' }));
    await viewer.until((s) => s.scene === 'watched' && s.timeS > 0);
    await page.evaluate(() => {
      const { app } = window.rolima;
      app.change({ dock: true, tab: 'sensors', eye: true, rays: true, traces: 'off' });
      app.select(undefined);
    });
    // The lidar inside of the lower wall sees the upper one, 1.29 m away, or somebody before it.
    const read = () => page.evaluate(() => window.rolima.sensedByWorld());
    await expect.poll(async () => (await read())?.wall?.length).toBe(61);
    expect(Math.max(...(await read())!.wall!)).toBeLessThanOrEqual(2);
    expect(await page.locator('.sensor-owner').allTextContents()).toEqual(['World']);
    expect(await page.locator('.sensor').evaluateAll((cards) => cards.map((card) => card.getAttribute('data-sensor')))).toEqual(['overhead', 'wall']);

    // The overhead camera's picture, in its size.
    await viewer.until((s) => s.eye.shown > 2);
    const size = await page.evaluate(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('.eye-picture')!;
      return [canvas.width, canvas.height, document.querySelector('.eye-name')!.textContent];
    });
    expect(size).toEqual([640, 480, 'World']);

    // Beams and what the camera looks at are drawn with nobody selected, and can be switched off.
    await page.evaluate(() => window.rolima.app.change({ eye: false }));
    await viewer.pause();
    await viewer.pictures(2);
    const drawn = await middle(viewer);
    await page.keyboard.press('u');
    await viewer.pictures(2);
    expect(different(drawn, await middle(viewer))).toBeGreaterThan(100);

    // Beside a robot's own sensors, and with a standard deviation of their own.
    await page.evaluate(() => window.rolima.app.send({ sigma: { body: 0, world: true, sensor: 1, axis: 0, sigma: 0.125 } }));
    await viewer.page.evaluate(() => window.rolima.app.control({ play: true }));
    await expect.poll(() => page.evaluate(() => window.rolima.app.senses.sigmas(-1, 1))).toEqual([0.125]);
    await viewer.close();
    expect(session.errors).toEqual([]);
  });
});
