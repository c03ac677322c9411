// Detail falls until enough pictures a second are drawn, and rises again.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Session } from './browser';

let session: Session;
beforeAll(async () => {
  session = await Session.start();
});
afterAll(() => session?.stop());

/** A renderer that takes so long for a million pixels, ms, on top of what it takes. */
function slowRenderer(): void {
  const slow = { msPerMegapixel: 0 };
  Object.assign(window, { slow });
  const draw = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (picture) => draw((at) => {
    picture(at);
    const canvas = document.querySelector<HTMLCanvasElement>('.surface canvas');
    const end = performance.now() + (slow.msPerMegapixel * (canvas?.width ?? 0) * (canvas?.height ?? 0)) / 1e6;
    while (performance.now() < end);
  });
}

const ORDER = ['full', 'high', 'medium', 'low', 'lower', 'lowest'];

describe('detail', () => {
  it('falls by itself where pictures are slow, says so, and is kept', async () => {
    const viewer = await session.openMatch({ query: { detail: 'auto' }, before: slowRenderer });
    await viewer.page.evaluate(() => Object.assign((window as unknown as { slow: object }).slow, { msPerMegapixel: 600 }));
    // Of 640 x 440 pixels at most: 600 ms a megapixel leave 20 pictures a second only far below.
    await viewer.until((s) => ORDER.indexOf(s.detail) >= ORDER.indexOf('lower'));
    await expect.poll(() => viewer.page.evaluate(() => document.querySelector('#status-detail')!.textContent === `${window.rolima.state().detail}, automatic`)).toBe(true);
    const kept = await viewer.page.evaluate(() => JSON.parse(localStorage.getItem('rolima.settings')!) as { foundDetail: string });
    expect(ORDER.indexOf(kept.foundDetail)).toBeGreaterThanOrEqual(ORDER.indexOf('lower'));
    // What was being done goes on: the picture is another one, the world the same.
    const { pictures } = await viewer.state();
    await viewer.until((s) => s.pictures > pictures + 5 && s.view === '3d');
    expect(session.errors).toEqual([]);
  });

  it('is what the person says, whatever it costs, and draws the same world', async () => {
    const viewer = await session.openMatch({ query: { detail: 'auto' }, before: slowRenderer });
    // At the kick-off, where no robot stands before another.
    await viewer.pause();
    const choose = (detail: string) => viewer.page.evaluate((value) => {
      const select = [...document.querySelectorAll('#settings select')].find((one) => [...(one as HTMLSelectElement).options].some((o) => o.value === 'lowest')) as HTMLSelectElement;
      select.value = value;
      select.dispatchEvent(new Event('change'));
    }, detail);
    const size = () => viewer.page.evaluate(() => {
      const { width, clientWidth } = document.querySelector<HTMLCanvasElement>('.surface canvas')!;
      return width / clientWidth;
    });
    for (const [detail, ratio] of [['lowest', 0.35], ['high', 1], ['lower', 0.6], ['low', 1]] as const) {
      await choose(detail);
      await viewer.until((s) => s.detail === detail);
      await viewer.pictures(3);
      expect(await viewer.page.textContent('#status-detail')).toBe(detail);
      expect(await size()).toBeCloseTo(ratio, 1);
      expect(await viewer.page.locator('.surface canvas').count()).toBe(1);
      // Nothing of the page shines through: mixing costs more than drawing where there is no graphics card.
      expect(await viewer.page.evaluate(() => document.querySelector<HTMLCanvasElement>('.surface canvas')!.getContext('webgl2')!.getContextAttributes()!.alpha)).toBe(false);
      // A click still meets the robot that is seen.
      const met = await viewer.page.evaluate(() => {
        const { app } = window.rolima;
        const [x, y] = window.rolima.project('blue-3')!;
        const box = app.view!.canvas.getBoundingClientRect();
        return app.body(app.view!.pick(x - box.left, y - box.top, app.playback!))?.name;
      });
      expect(met).toBe('blue-3');
    }
    await viewer.page.evaluate(() => Object.assign((window as unknown as { slow: object }).slow, { msPerMegapixel: 600 }));
    await viewer.pictures(15);
    expect((await viewer.state()).detail).toBe('low');
    expect(session.errors).toEqual([]);
  });
});
