// Robots that this page sends to poses, and what the picture shows of all that were sent.

import type { App } from './app';
import { sketchGoal } from './state/goal-sketch';
import type { Sketch } from './state/sketch';
import { holderText } from './text/server';

export class GoalRequests {
  constructor(private readonly app: App) {
    app.on('welcome', () => app.send({ watch_goals: { on: true } }));
  }

  /** The robot that a goal would be for: the selected one, or the only one there is. */
  get robot(): number | undefined {
    const { app } = this;
    const body = app.body(app.selected);
    if (body?.kind === 'robot') return body.number;
    const robots = app.scene?.robots ?? [];
    return robots.length === 1 ? robots[0] : undefined;
  }

  /** Sends a robot to a pose, or to meet a ball and send it to a place. */
  send(body: number, x: number, y: number, heading: number, how: { appends?: boolean; ball?: number } = {}): void {
    const { app } = this;
    if (app.refuses('drive', body)) return;
    const driver = app.driverOf(body);
    if (driver && !app.isMine(body)) {
      app.emit('notice', { level: 'warning', text: holderText(driver, app.body(body)?.name ?? '') });
      return;
    }
    const { appends: append = false, ball = 0 } = how;
    const goal = { body, x, y, heading, cancel: false, ball, append, repeat: false };
    if (app.send({ set_goal: goal })) app.goals.ask(body, performance.now());
  }

  /** Takes a robot's goal away; it brakes and stands. */
  cancel(body: number): void {
    const goal = { body, x: 0, y: 0, heading: 0, cancel: true, ball: 0, append: false, repeat: false };
    if (this.app.send({ set_goal: goal })) this.app.goals.callBack(body);
  }

  /** Before each picture: what is to be drawn of goals. */
  draw(sketch: Sketch): void {
    const { app } = this;
    if (!app.settings.paths || !app.scene) return;
    const metres = app.view?.rig.metresPerPixel(window.innerHeight) ?? 0;
    for (const goal of app.goals.all) {
      const body = app.scene.bodies[goal.body];
      if (body) sketchGoal(sketch, body, goal, metres);
    }
  }
}
