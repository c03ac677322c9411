// What programs of Robot One want the page to show: from where to look, and the ways of robots.

import type { App } from './app';
import { LookFrom, type Look, type Trace } from './proto/live.js';
import { AskedTraces } from './state/asked';
import type { SceneInfo } from './state/scene';
import type { Snapshot } from './state/snapshot';
import type { Step } from './state/trace';
import type { CameraMode } from './view3d/rig';

const MODES: Record<number, CameraMode> = {
  [LookFrom.THIRD_PERSON]: 'chase', [LookFrom.TOP]: 'top', [LookFrom.FIRST_PERSON]: 'first',
};

export class Programs {
  /** What a program wants of the view; undefined where none has said anything. */
  look: Look | undefined;
  /** Whether the view follows it: until the person takes it in hand, and again when they give it back. */
  follows = true;
  /** Pieces of ways that were drawn since the last ones were told. */
  pieces = 0;
  private traces: AskedTraces | undefined;

  constructor(private readonly app: App) {}

  /** A simulator, maybe another one than before. */
  begin(): void {
    this.look = undefined;
    this.traces = undefined;
    this.app.view?.clearAskedTraces();
    this.app.emit('look', undefined);
  }

  /** What programs want of the scene is told after it. */
  beginScene(scene: SceneInfo): void {
    this.traces = new AskedTraces(scene);
  }

  takeLook(look: Look): void {
    this.look = look;
    this.apply();
    this.app.emit('look', look);
  }

  /** The person looks as they like. */
  hold(): void {
    if (!this.follows || !this.look) return;
    this.follows = false;
    if (this.app.view) this.app.view.rig.wish = undefined;
    this.app.emit('look', this.look);
  }

  /** The person gives the view back. */
  giveBack(): void {
    this.follows = true;
    this.apply();
    this.app.emit('look', this.look);
  }

  /** Looks from where a program wants. */
  apply(): void {
    const { app, look } = this;
    if (!this.follows || !look || !app.view) return;
    // A robot of a scene before may be gone.
    app.select(app.body(look.body)?.kind === 'robot' ? look.body : app.scene?.robots[0], true, false);
    app.setCamera(MODES[look.from] ?? 'chase', false);
    app.view.rig.wish = look.zoom;
  }

  takeTraces(traces: readonly Trace[]): void {
    if (!this.traces) return;
    this.app.view?.clearAskedTraces();
    this.pieces = 0;
    this.draw(this.traces.set(traces));
    this.app.emit('traces', this.traces.bodies);
  }

  /** Robots whose ways are wanted. */
  get traced(): readonly number[] {
    return this.traces?.bodies ?? [];
  }

  takeFrame(latest: Snapshot, restarted: boolean): void {
    if (restarted) {
      this.traces?.restart();
      this.app.view?.clearAskedTraces();
      this.pieces = 0;
    }
    this.draw(this.traces?.take(latest) ?? []);
  }

  /** A robot believes to have gone this way. */
  takeBelieved(step: Step): void {
    if (this.traces?.has(step.body)) this.draw([step]);
  }

  private draw(steps: readonly Step[]): void {
    for (const step of steps) this.app.view?.addTrace(step, true);
    this.pieces += steps.length;
  }
}
