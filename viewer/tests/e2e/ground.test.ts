// Vehicles on rough ground, in a real browser against a simulator (ROLIMA): the mock knows planes only.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PNG } from 'pngjs';
import { Session, type Viewer } from './browser';

let session: Session;
beforeAll(async () => {
  session = await Session.start();
});
afterAll(() => session?.stop());

/** A scene from its start, with nothing on the picture but the world; its first robot is selected. */
async function openGround(scene: string, options: Parameters<Session['open']>[0] = {}): Promise<{ viewer: Viewer; name: string }> {
  const viewer = await session.openMatch(options);
  await viewer.page.evaluate((wanted) => {
    const { app } = window.rolima;
    app.change({ dock: false, eye: false, rays: false, traces: 'off', loads: false });
    app.control({ load: wanted });
  }, scene);
  await viewer.until((s) => s.scene === scene && s.timeS > 0.2 && s.pictures > 0);
  const name = await viewer.page.evaluate(() => {
    window.rolima.select(window.rolima.bodies()[0]);
    return window.rolima.bodies()[0]!;
  });
  return { viewer, name };
}

const place = (viewer: Viewer, name: string, x: number, y: number, heading: number) =>
  viewer.page.evaluate((to) => {
    const { app } = window.rolima;
    const body = app.scene!.bodies.find((known) => known.name === to.name)!.number;
    app.send({ place: { body, x: to.x, y: to.y, heading: to.heading } });
  }, { name, x, y, heading });

/** The picture of the world, without what lies on it. */
async function world(viewer: Viewer): Promise<PNG> {
  await viewer.pictures(2);
  const { x, y, width, height } = (await viewer.page.locator('.stage').boundingBox())!;
  return PNG.sync.read(await viewer.page.screenshot({ clip: { x: x + 10, y: y + 110, width: width - 20, height: height - 170 } }));
}

/** What the picture shows of the ground at places away from all that stands on it: how bright it is there (the middle of
 * many pixels: lines and grains do not count), and how the light falls on it by the scene's heights. */
async function litGround(viewer: Viewer): Promise<{ brightness: number; slope: number; light: number }[]> {
  await viewer.pictures(2);
  const places = await viewer.page.evaluate(() => {
    const { app } = window.rolima;
    const { ground, source } = app.scene!;
    const { shown } = app.playback!;
    const things = [
      ...app.scene!.bodies.map(({ number: n }) => [shown.x[n]!, shown.y[n]!]),
      ...source.mesh_places.map(({ x, y }) => [x, y]),
      ...source.walls.flatMap(({ points }) => [[points[0]!, points[1]!], [points[4]!, points[5]!], [points[2]!, points[3]!]]),
    ];
    const stage = document.querySelector('.stage')!.getBoundingClientRect();
    // Both pictures have their light from the upper left.
    const [lx, ly, lz] = [-0.62, 0.45, 0.72];
    return Array.from({ length: 65 * 65 }, (_, n) => [((n % 65) - 32) / 2, (Math.floor(n / 65) - 32) / 2] as const).flatMap(([x, y]) => {
      const at = window.rolima.place(x, y);
      const free = things.every(([tx, ty]) => Math.hypot(tx! - x, ty! - y) > 3);
      if (!at || !free || at[0] < stage.left + 8 || at[0] > stage.right - 8 || at[1] < stage.top + 8 || at[1] > stage.bottom - 8) return [];
      const [gx, gy] = ground!.gradient(x, y);
      return [{ px: at[0], py: at[1], slope: Math.hypot(gx, gy), light: (lz - gx * lx - gy * ly) / Math.hypot(1, gx, gy) }];
    });
  });
  // Only the picture itself: labels, buttons and hints lie over it.
  const style = await viewer.page.addStyleTag({ content: 'body * { visibility: hidden !important } .stage canvas { visibility: visible !important }' });
  const picture = PNG.sync.read(await viewer.page.screenshot());
  await style.evaluate((element) => (element as Element).remove());
  return places.map(({ px, py, slope, light }) => {
    const around: number[] = [];
    for (let dy = -6; dy <= 6; dy++) {
      for (let dx = -6; dx <= 6; dx++) {
        const at = 4 * ((Math.round(py) + dy) * picture.width + Math.round(px) + dx);
        around.push(0.3 * picture.data[at]! + 0.59 * picture.data[at + 1]! + 0.11 * picture.data[at + 2]!);
      }
    }
    around.sort((a, b) => a - b);
    return { brightness: around[around.length >> 1]!, slope, light };
  });
}

/** How much of the brightness goes with the light: 1 all of it. */
function correlation(places: readonly { brightness: number; light: number }[]): number {
  const mean = (of: (place: (typeof places)[number]) => number) => places.reduce((sum, place) => sum + of(place), 0) / places.length;
  const [b, l] = [mean(({ brightness }) => brightness), mean(({ light }) => light)];
  const product = mean(({ brightness, light }) => (brightness - b) * (light - l));
  return product / Math.sqrt(mean(({ brightness }) => (brightness - b) ** 2) * mean(({ light }) => (light - l) ** 2));
}

/** From the darkest to the brightest, but for a twentieth each. */
function spread(places: readonly { brightness: number }[]): number {
  const sorted = places.map(({ brightness }) => brightness).sort((a, b) => a - b);
  return sorted[Math.floor(0.95 * (sorted.length - 1))]! - sorted[Math.floor(0.05 * (sorted.length - 1))]!;
}

describe.skipIf(!process.env.ROLIMA)('rough ground', () => {
  it.each([['in three dimensions', {}], ['as a relief from above', { view: 'flat' }]])('is shown %s: light and shade are those of its slopes', async (_, query) => {
    const { viewer } = await openGround('flat', { query });
    const look = () => viewer.page.evaluate(() => {
      window.rolima.select(undefined);
      window.rolima.app.view!.rig.eased = false;
      window.rolima.camera('top');
    });
    await look();
    await expect.poll(async () => {
      const flat = await litGround(viewer);
      return flat.length > 60 && spread(flat) < 6 ? 'even' : `${flat.length} places, ${spread(flat)}`;
    }).toBe('even');
    await viewer.page.evaluate(() => window.rolima.app.control({ load: 'hills' }));
    await viewer.until((s) => s.scene === 'hills' && s.timeS > 0);
    await look();
    await expect.poll(async () => {
      const hills = await litGround(viewer);
      // On level ground there is no light and shade to go by, only grains of the texture.
      const slopes = hills.filter(({ slope }) => slope > 0.1);
      const shows = slopes.length > 60 && spread(slopes) > 8 && correlation(slopes) > 0.35;
      return shows ? 'lit by its slopes' : `${slopes.length} places, ${spread(slopes)}, ${correlation(slopes)}`;
    }).toBe('lit by its slopes');
    expect(session.errors).toEqual([]);
    await viewer.close();
  });

  it('is driven over by keys: height, pitch, wheels and springs change, and the brake holds on the slope', async () => {
    const { viewer, name } = await openGround('proving-ground');
    await viewer.page.evaluate(() => window.rolima.camera('chase'));
    const before = await viewer.body(name);
    expect(Math.abs(before.space!.pitch)).toBeLessThan(0.02);
    expect(before.space!.wheels.length).toBe(4);
    expect(before.space!.wheels.every(({ load }) => load > 20)).toBe(true);
    await viewer.page.keyboard.down('ArrowUp');
    const climbing = await viewer.untilBody(name, (b) => b.space!.z > 0.3 && b.space!.pitch > 0.15);
    expect(climbing.driver).not.toBe('');
    expect(climbing.space!.wheels.some(({ angle }, k) => Math.abs(angle - before.space!.wheels[k]!.angle) > 0.2)).toBe(true);
    expect(climbing.space!.wheels.some(({ raised }, k) => Math.abs(raised - before.space!.wheels[k]!.raised) > 1e-4)).toBe(true);
    await viewer.page.keyboard.up('ArrowUp');
    await viewer.page.keyboard.press('Space');
    // It still runs: the key brakes, and does not pause, while one drives.
    const held = await viewer.untilBody(name, (b) => b.speed < 0.01);
    expect((await viewer.state()).paused).toBe(false);
    const at = await viewer.state();
    await viewer.until((s) => s.timeS > at.timeS + 1);
    const later = await viewer.body(name);
    expect(Math.hypot(later.x - held.x, later.y - held.y)).toBeLessThan(0.02);
    // The picture follows: the camera is over the ramp, not in it.
    const over = await viewer.page.evaluate(() => {
      const { app } = window.rolima;
      const { eye } = app.view!.rig.update(undefined, 0);
      return eye[2] - app.scene!.ground!.height(eye[0], eye[1]);
    });
    expect(over).toBeGreaterThan(0.05);
    await viewer.close();
  });

  it('is driven over by a gamepad, a stick for each side', async () => {
    const { viewer, name } = await openGround('flat', {
      before: () => {
        const pad = { connected: true, id: 'test pad', axes: [0, 0, 0, 0], buttons: [] };
        Object.assign(window, { pad });
        navigator.getGamepads = () => [pad as unknown as Gamepad];
      },
    });
    const push = (...axes: number[]) => viewer.page.evaluate((to) => {
      (window as unknown as { pad: { axes: number[] } }).pad.axes = to;
    }, axes);
    await viewer.page.evaluate(() => window.rolima.app.change({ steering: 'tank' }));
    await push(0, -1, 0, -1);
    await viewer.untilBody(name, (b) => b.speed > 0.5 && b.space!.wheels.every(({ spin }) => spin > 1));
    // Left back, right ahead: it turns to the left on the spot.
    await push(0, 0.9, 0, -0.9);
    const { heading } = await viewer.body(name);
    await viewer.untilBody(name, (b) => Math.cos(b.heading - heading) < 0.7);
    await push(0, 0, 0, 0);
    await viewer.untilBody(name, (b) => b.speed < 0.02);
    await viewer.close();
  });

  it('is driven over by a car with wheel and throttle: keys, gamepad and stick', async () => {
    const { viewer, name } = await openGround('car', {
      width: 400, height: 760, touch: true,
      before: () => {
        const pad = { connected: true, id: 'test pad', axes: [0, 0, 0, 0], buttons: [] };
        Object.assign(window, { pad });
        navigator.getGamepads = () => [pad as unknown as Gamepad];
      },
    });
    const push = (...axes: number[]) => viewer.page.evaluate((to) => {
      (window as unknown as { pad: { axes: number[] } }).pad.axes = to;
    }, axes);
    const stands = () => viewer.untilBody(name, (b) => b.speed < 0.02);
    type Report = Awaited<ReturnType<Viewer['body']>>;
    const front = (b: Report) => b.space!.wheels[0]!.steer;
    /** Until it moves, has turned to a side, and has its wheels at the given one; 1 left, -1 right. */
    const turns = async (side: number, wheels: number) => {
      const { heading } = await viewer.body(name);
      return viewer.untilBody(name, (b) => b.speed > 0.2 && side * Math.sin(b.heading - heading) > 0.15 && wheels * front(b) > 0.1);
    };
    // Keys: the wheel to the left, the car with it, and only its front wheels are turned.
    await viewer.page.keyboard.down('ArrowUp');
    await viewer.page.keyboard.down('ArrowLeft');
    const turning = await turns(1, 1);
    expect(turning.space!.wheels.map(({ steer }) => steer).slice(2)).toEqual([0, 0]);
    // The inner wheel farther: both point to the middle of the circle.
    expect(turning.space!.wheels[0]!.steer).toBeGreaterThan(turning.space!.wheels[1]!.steer);
    await viewer.page.keyboard.up('ArrowUp');
    await viewer.page.keyboard.up('ArrowLeft');
    await stands();
    // Gamepad: backwards with the wheel to the left, it turns to the right.
    await push(-0.8, 0.8, 0, 0);
    await turns(-1, 1);
    await push(0, 0, 0, 0);
    await stands();
    // The stick on the screen, to the right.
    const box = (await viewer.page.locator('#stick').boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const touch = async (type: string, dx: number, dy: number) => viewer.page.dispatchEvent('#stick', type, {
      pointerId: 1, pointerType: 'touch', isPrimary: true, button: 0, clientX: x + dx, clientY: y + dy, bubbles: true,
    });
    await viewer.page.evaluate(() => (Element.prototype.setPointerCapture = () => undefined));
    await touch('pointerdown', 0, 0);
    await touch('pointermove', 40, -40);
    await turns(-1, -1);
    await touch('pointerup', 40, -40);
    await stands();
    expect(session.errors).toEqual([]);
    await viewer.close();
  });

  it('lets vehicles roll over; that is told, and they are put back on their wheels', async () => {
    const { viewer, name } = await openGround('proving-ground', { width: 1000, height: 700 });
    await viewer.page.evaluate(() => window.rolima.app.change({ dock: true, tab: 'robots' }));
    // Half over the edge of the high block.
    await place(viewer, name, 6, 6.42, 0);
    const lying = await viewer.untilBody(name, (b) => b.space!.tilt > 1.3);
    await expect.poll(() => viewer.page.locator('.notice.warning').allTextContents())
      .toEqual(expect.arrayContaining([expect.stringContaining('rolled over')]));
    expect(lying.space!.tilt).toBeGreaterThan(1.3);
    await viewer.page.click('.vehicle-right.urgent');
    await viewer.untilBody(name, (b) => b.space!.tilt < 0.9);
    await viewer.close();
  });

  it('shows what each wheel of the selected vehicle does, in a panel and by arrows', async () => {
    const { viewer, name } = await openGround('flat', { width: 1000, height: 700 });
    await viewer.page.evaluate(() => window.rolima.app.change({ dock: true, tab: 'robots' }));
    const wheels = (await viewer.body(name)).space!.wheels;
    await expect.poll(() => viewer.page.locator('.wheel-card').count()).toBe(wheels.length);
    const loads = async () => (await viewer.page.locator('.bar-wheelLoad .bar-value').allTextContents()).map(parseFloat);
    await expect.poll(async () => (await loads()).every((load) => load > 10)).toBe(true);
    const told = (await loads()).reduce((sum, load) => sum + load, 0);
    const mass = await viewer.page.evaluate((n) => window.rolima.app.scene!.bodies.find((b) => b.name === n)!.mass, name);
    expect(told / (9.81 * mass)).toBeGreaterThan(0.95);
    expect(told / (9.81 * mass)).toBeLessThan(1.05);
    await viewer.pause();
    await viewer.page.evaluate(() => {
      window.rolima.app.view!.rig.eased = false;
      window.rolima.camera('chase');
    });
    const without = await world(viewer);
    await viewer.page.keyboard.press(',');
    const drawn = await world(viewer);
    let different = 0;
    for (let i = 0; i < drawn.data.length; i += 4) {
      const off = [0, 1, 2].map((c) => Math.abs(drawn.data[i + c]! - without.data[i + c]!));
      if (Math.max(...off) > 24) different++;
    }
    expect(different).toBeGreaterThan(150);
    await viewer.close();
  });

  it('ends where the scene says so: that is told, the run stands still, and goes on when it is reset', async () => {
    const { viewer, name } = await openGround('pipe', { width: 1000, height: 700 });
    await place(viewer, name, 35.7, 0, 0);
    await viewer.untilBody(name, (b) => b.x > 35);
    await viewer.page.keyboard.down('ArrowUp');
    await viewer.until((s) => s.paused === true);
    await viewer.page.keyboard.up('ArrowUp');
    await expect.poll(() => viewer.page.locator('.notice.warning').allTextContents())
      .toEqual(expect.arrayContaining([expect.stringContaining('the run has ended')]));
    const { timeS } = await viewer.state();
    expect((await viewer.body(name)).x).toBeGreaterThan(35.9);
    await viewer.page.evaluate(() => window.rolima.app.control({ reset: true }));
    await viewer.until((s) => s.paused === false && s.timeS > 0 && s.timeS < timeS);
    expect((await viewer.body(name)).x).toBeLessThan(1);
    await viewer.close();
  });

  it('shows vehicles as they were drawn, in their own colours and in those of their teams', async () => {
    const { viewer } = await openGround('flat');
    const drawn = await viewer.page.evaluate(() => {
      const { app } = window.rolima;
      return app.scene!.bodies.filter((b) => b.vehicle?.drawn.chassis !== undefined)
        .map((b) => ({ name: b.name, wheels: b.vehicle!.drawn.wheels.filter((obj) => obj?.startsWith('v ')).length }));
    });
    expect(drawn).toEqual([{ name: 'vivi', wheels: 4 }]);
    // A chassis that only it has: the orange of its cable drum, near to its own middle.
    await viewer.page.evaluate(() => {
      const { app } = window.rolima;
      app.view!.rig.eased = false;
      window.rolima.select('vivi');
      window.rolima.camera('chase');
      app.view!.rig.zoom(0.1);
    });
    await viewer.pause();
    const picture = await world(viewer);
    let orange = 0;
    for (let i = 0; i < picture.data.length; i += 4) {
      const [r, g, b] = picture.data.subarray(i, i + 3);
      if (r! > 150 && g! > 0.35 * r! && g! < 0.75 * r! && b! < 0.3 * r!) orange++;
    }
    expect(orange).toBeGreaterThan(40);
    await viewer.close();
  });

  it('is put and picked on: a body goes to the place of the slope that the mouse shows', async () => {
    const { viewer, name } = await openGround('proving-ground', { width: 900, height: 640 });
    await place(viewer, name, 4.5, 0, 0);
    await viewer.untilBody(name, (b) => b.space!.z > 0.2 && b.speed < 0.05);
    await viewer.page.evaluate(() => {
      window.rolima.app.view!.rig.eased = false;
      window.rolima.camera('chase');
    });
    await viewer.pause();
    const at = await viewer.page.evaluate((n) => window.rolima.project(n), name);
    const under = await viewer.page.evaluate(([px, py]) => {
      const { app } = window.rolima;
      const box = document.querySelector('.stage canvas')!.getBoundingClientRect();
      const met = app.view!.ground(px! - box.left, py! - box.top, 0.25)!;
      return { body: app.view!.pick(px! - box.left, py! - box.top, app.playback!), x: met[0], y: met[1] };
    }, at!);
    expect(under.body).toBe(0);
    const body = await viewer.body(name);
    // Where one points at it is where it is, on the slope too.
    expect(Math.hypot(under.x - body.x, under.y - body.y)).toBeLessThan(0.25);
    await viewer.page.evaluate(() => window.rolima.app.control({ play: true }));
    await viewer.close();
  });
});
