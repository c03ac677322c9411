// How much detail the picture has: as the page's address or the person says, else as much as is drawn quickly enough.

import type { App } from './app';
import { DetailGovernor, LEVELS, type DetailName } from './state/detail';

export class Detailing {
  private governor: DetailGovernor;

  /** `wished`: by the page's address; nothing changes it then. */
  constructor(
    private readonly app: App,
    private readonly wished: DetailName | undefined,
  ) {
    this.governor = new DetailGovernor(app.settings.foundDetail);
    app.on('settings', () => this.apply());
    // Other worlds take time to build, and are as heavy as they are.
    app.on('scene', () => this.pause());
    document.addEventListener('visibilitychange', () => this.pause());
    app.detail = this.now;
    app.detailIsAutomatic = this.automatic;
    this.tellStyle();
  }

  get now(): DetailName {
    const { detail } = this.app.settings;
    return this.wished ?? (detail === 'auto' ? this.governor.detail : detail);
  }

  get automatic(): boolean {
    return this.wished === undefined && this.app.settings.detail === 'auto';
  }

  /** A picture was drawn, at `now`, ms. */
  drew(now: number): void {
    if (!this.automatic || !this.governor.drew(now)) return;
    this.app.change({ foundDetail: this.governor.detail });
  }

  /** No pictures are asked for. */
  pause(): void {
    this.governor.pause();
  }

  /** Glass and shadows of controls are drawn, too. */
  private tellStyle(): void {
    document.body.classList.toggle('plain', !LEVELS[this.app.detail].fine);
  }

  private apply(): void {
    const { app, now } = this;
    app.detailIsAutomatic = this.automatic;
    if (now === app.detail) return;
    app.detail = now;
    this.pause();
    app.view?.setDetail(LEVELS[now]);
    this.tellStyle();
    app.emit('detail', now);
  }
}
