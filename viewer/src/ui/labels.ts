// Names over robots: of the selected one, the one under the mouse, and those that people drive.

import type { App } from '../app';
import { t } from '../text';
import { h, setText } from './dom';

const MOST = 16;

export class Labels {
  readonly element = h('div', { class: 'labels', attributes: { 'aria-hidden': 'true' } });
  private readonly pool: { label: HTMLElement; name: HTMLElement; driver: HTMLElement }[] = [];

  constructor(private readonly app: App) {}

  refresh(): void {
    const { app } = this;
    const { view, playback } = app;
    if (!view || !playback?.started) return;
    const wanted = new Set<number>();
    for (const { body } of app.drivers) wanted.add(body);
    if (app.selected !== undefined && app.cameraMode !== 'first') wanted.add(app.selected);
    if (app.hovered !== undefined) wanted.add(app.hovered);
    let used = 0;
    for (const n of wanted) {
      const body = app.body(n);
      const at = view.project(n, playback, 0.27 * (body?.height ?? 0));
      if (!body || !at || used >= MOST || (app.cameraMode === 'first' && n === app.selected)) continue;
      const entry = (this.pool[used] ??= this.make());
      used++;
      setText(entry.name, body.name);
      const driver = app.driverOf(n);
      setText(entry.driver, driver ? (app.isMine(n) ? t('drivenByYou') : driver.name) : '');
      entry.driver.hidden = !driver;
      entry.label.hidden = false;
      // Above a robot, clear of its top, whatever the zoom.
      const below = view.project(n, playback, -body.height);
      const lift = 14 + (below ? Math.abs(below[1] - at[1]) * 0.3 : 0);
      entry.label.style.transform = `translate(${at[0].toFixed(1)}px, ${(at[1] - lift - this.reachPx(n, at)).toFixed(1)}px) translate(-50%, -100%)`;
    }
    for (let i = used; i < this.pool.length; i++) this.pool[i]!.label.hidden = true;
  }

  private reachPx(n: number, at: [number, number]): number {
    const { view } = this.app;
    const reach = this.app.body(n)?.reach ?? 0;
    const a = view!.ground(at[0], at[1], 0);
    const b = view!.ground(at[0], at[1] - 10, 0);
    if (!a || !b) return 0;
    const metres = Math.hypot(a[0] - b[0], a[1] - b[1]);
    return metres > 0 ? Math.min(80, (10 * reach) / metres) : 0;
  }

  private make() {
    const name = h('b');
    const driver = h('span', { class: 'label-driver' });
    const label = h('div', { class: 'label' }, name, driver);
    this.element.append(label);
    return { label, name, driver };
  }
}
