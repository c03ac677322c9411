// What changes with the scene, and what is fetched only when somebody looks.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Session, type Viewer } from './browser';

let session: Session;
beforeAll(async () => {
  session = await Session.start();
});
afterAll(() => session?.stop());

/** Each robot in the list: its name, and whether its swatch has the colour that the scene gives it. */
const swatches = (viewer: Viewer) => viewer.page.evaluate(() => {
  const css = (colour: number) => `rgb(${colour >> 16}, ${(colour >> 8) & 255}, ${colour & 255})`;
  return [...document.querySelectorAll<HTMLElement>('.robot-row:not([hidden])')].map((row) => {
    const name = row.dataset.robot!;
    const shown = row.querySelector<HTMLElement>('.robot-swatch')!.style.background;
    return `${name} ${shown.includes(css(window.rolima.body(name)!.colour)) ? 'as in the scene' : shown}`;
  });
});

describe('another scene', () => {
  it('gives robots of the same name their own colours', async () => {
    const viewer = await session.openMatch({ width: 1100, height: 700 });
    const colours = new Set<number>();
    // Each has one robot, called "robot".
    for (const scene of ['figure-13', 'road', 'navigation']) {
      await viewer.page.evaluate((name) => window.rolima.app.control({ load: name }), scene);
      await viewer.until((s) => s.scene === scene && s.step >= 0 && s.pictures > 0);
      await expect.poll(() => swatches(viewer)).toEqual(['robot as in the scene']);
      colours.add((await viewer.body('robot')).colour);
    }
    expect(colours.size).toBeGreaterThan(1);
  });
});

describe('pictures of scenes', () => {
  it('are fetched when the chooser opens, each once, and not before', async () => {
    const asked: string[] = [];
    const viewer = await session.openMatch({
      width: 1100, height: 700,
      page: (page) => page.on('request', (request) => {
        if (request.url().includes('/pictures/')) asked.push(request.url());
      }),
    });
    // A scene that comes meanwhile asks for none, either.
    await viewer.page.evaluate(() => window.rolima.app.control({ load: 'playground' }));
    await viewer.until((s) => s.scene === 'playground' && s.pictures > 0);
    await viewer.pictures(5);
    expect(asked).toEqual([]);
    await viewer.page.click('#scene-button');
    const shown = () => viewer.page.evaluate(() => {
      const images = [...document.querySelectorAll<HTMLImageElement>('.scene-picture img')];
      return images.slice(0, 4).map((image) => image.complete && image.naturalWidth > 0);
    });
    await expect.poll(shown).not.toContain(false);
    expect(asked.length).toBeGreaterThan(1);
    expect(new Set(asked).size).toBe(asked.length);
    await viewer.page.keyboard.press('Escape');
    await viewer.page.evaluate(() => window.rolima.app.control({ load: 'soccer' }));
    await viewer.until((s) => s.scene === 'soccer');
    expect(session.errors).toEqual([]);
  });
});
