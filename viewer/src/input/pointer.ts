// Mouse and touch on the picture: camera, selecting, pulling, putting and pushing bodies, sending robots.

import type { App } from '../app';
import type { GoalRequests } from '../goal-requests';
import { headingOf } from '../state/goals';
import { t } from '../text';

/** A press that moved less, CSS pixels, was a click. */
const CLICK_PX = 5;
const TURN_PER_PX = 0.006;
/** How often a held body's hand is told again, ms. */
export const GRAB_EVERY_MS = 30;
/** A timer is never exact: what comes this early, ms, is on time. */
const EARLY_MS = 5;
/** A push of this length, m, gives a body this speed, m/s for each m. */
const PUSH_SPEED = 3;
const FASTEST_PUSH = 3;

type Mode = 'turn' | 'pan' | 'pull' | 'put' | 'push' | 'goal';

interface Press {
  id: number;
  mode: Mode;
  body: number | undefined;
  startX: number;
  startY: number;
  x: number;
  y: number;
  moved: boolean;
  /** Whether the robot goes there after the goals that it has. */
  appends: boolean;
  /** Where the body is held, in its own frame. */
  ownX: number;
  ownY: number;
}

export class Pointer {
  private press: Press | undefined;
  /** Second finger, for zooming. */
  private readonly fingers = new Map<number, [number, number]>();
  private grabbedAt = 0;

  constructor(
    private readonly app: App,
    /** What the picture lies in. */
    private readonly surface: HTMLElement,
    private readonly goalRequests: GoalRequests,
  ) {
    surface.addEventListener('pointerdown', (event) => this.down(event));
    surface.addEventListener('pointermove', (event) => this.move(event));
    surface.addEventListener('pointerup', (event) => this.up(event));
    surface.addEventListener('pointercancel', (event) => this.up(event));
    surface.addEventListener('pointerleave', () => (app.hovered = undefined));
    surface.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    surface.addEventListener('contextmenu', (event) => event.preventDefault());
    surface.addEventListener('dblclick', () => {
      if (app.hovered !== undefined && app.cameraMode !== 'chase') app.setCamera('chase');
    });
    app.on('scene', () => this.drop());
  }

  /** A held body is pulled on while the mouse rests: the body moves, and the hand is told again. */
  update(now: number): void {
    const press = this.press;
    if (press?.mode !== 'pull' || !press.moved || now - this.grabbedAt < GRAB_EVERY_MS - EARLY_MS) return;
    this.pull(press, now);
  }

  private down(event: PointerEvent): void {
    const [x, y] = [event.offsetX, event.offsetY];
    this.fingers.set(event.pointerId, [x, y]);
    // The keyboard belongs to the picture again.
    (document.activeElement as HTMLElement | null)?.blur?.();
    if (this.fingers.size > 1) {
      this.letGo();
      this.press = undefined;
      return;
    }
    this.surface.setPointerCapture(event.pointerId);
    const body = this.app.playback && this.app.view?.pick(x, y, this.app.playback);
    const mode = this.modeOf(event, body);
    const appends = event.ctrlKey || event.metaKey;
    this.press = { id: event.pointerId, mode, body, startX: x, startY: y, x, y, moved: false, appends, ownX: 0, ownY: 0 };
    if (mode === 'goal') this.aim(this.press);
    else if (body !== undefined) this.hold(this.press, body);
  }

  private modeOf(event: PointerEvent, body: number | undefined): Mode {
    // Every press may be a goal, so the camera turns by the other button.
    if (this.app.tool === 'goal' && !event.shiftKey && !event.altKey) {
      if (event.button === 0) return 'goal';
      return event.button === 2 && this.app.cameraMode !== 'top' ? 'turn' : 'pan';
    }
    if (body === undefined || !this.app.mayControl) {
      return event.button === 0 && this.app.cameraMode !== 'top' ? 'turn' : 'pan';
    }
    if (event.shiftKey) return 'put';
    if (event.button === 2 || event.altKey) return 'push';
    return this.app.tool === 'goal' ? 'pull' : this.app.tool;
  }

  private hold(press: Press, n: number): void {
    const { playback, view } = this.app;
    const at = view?.ground(press.x, press.y, (this.app.body(n)?.height ?? 0) / 2);
    if (!playback || !at) return;
    const { shown } = playback;
    const dx = at[0] - shown.x[n]!;
    const dy = at[1] - shown.y[n]!;
    const c = Math.cos(shown.heading[n]!);
    const s = Math.sin(shown.heading[n]!);
    // Beside the body by a finger's width: held at its rim.
    const reach = this.app.body(n)?.reach ?? 0;
    const shrink = Math.min(1, (0.9 * reach) / (Math.hypot(dx, dy) || 1));
    press.ownX = (c * dx + s * dy) * shrink;
    press.ownY = (-s * dx + c * dy) * shrink;
  }

  private move(event: PointerEvent): void {
    const [x, y] = [event.offsetX, event.offsetY];
    if (this.fingers.size > 1 && this.fingers.has(event.pointerId)) {
      this.pinch(event.pointerId, x, y);
      return;
    }
    if (this.fingers.has(event.pointerId)) this.fingers.set(event.pointerId, [x, y]);
    const press = this.press;
    if (!press || press.id !== event.pointerId) {
      if (event.pointerType === 'mouse') this.hover(x, y);
      return;
    }
    const dx = x - press.x;
    const dy = y - press.y;
    press.x = x;
    press.y = y;
    if (Math.hypot(x - press.startX, y - press.startY) > CLICK_PX) press.moved = true;
    if (!press.moved) return;
    const rig = this.app.view?.rig;
    if (press.mode === 'turn') rig?.rotate(-dx * TURN_PER_PX, dy * TURN_PER_PX);
    else if (press.mode === 'pan') this.pan(dx, dy);
    else if (press.mode === 'pull') this.pull(press, performance.now());
    else if (press.mode === 'goal') this.aim(press);
    else this.show(press);
  }

  private up(event: PointerEvent): void {
    this.fingers.delete(event.pointerId);
    const press = this.press;
    if (!press || press.id !== event.pointerId) return;
    this.press = undefined;
    const cancelled = event.type === 'pointercancel';
    if (press.mode === 'goal') {
      if (!cancelled) this.send(press);
    } else if (!press.moved && !cancelled) {
      if (event.button === 0 && press.body !== undefined) this.app.select(press.body);
    } else if (!cancelled) {
      this.finish(press);
    }
    if (press.mode === 'pull' && press.body !== undefined && press.moved) {
      this.app.send({ let_go: { body: press.body } });
    }
    this.app.gesture = undefined;
  }

  /** Gives up what the hand is at; false where it is at nothing. */
  cancel(): boolean {
    if (!this.press || this.press.mode === 'turn' || this.press.mode === 'pan') return false;
    this.letGo();
    this.press = undefined;
    return true;
  }

  /** Where the press was, and the heading that the drag gives, for the robot that a goal would be for. */
  private aim(press: Press): void {
    const { app } = this;
    const n = this.goalRequests.robot;
    const body = app.body(n);
    const from = app.view?.ground(press.startX, press.startY, 0);
    const to = app.view?.ground(press.x, press.y, 0);
    // A press on a robot chooses it, unless it becomes a drag.
    const chooses = !press.moved && app.body(press.body)?.kind === 'robot';
    if (!app.playback || !body || !from || !to || chooses || !app.mayDrive(n)) {
      app.gesture = undefined;
      return;
    }
    const { shown } = app.playback;
    const robot = { x: shown.x[body.number]!, y: shown.y[body.number]! };
    const least = press.moved ? 0 : Infinity;
    const heading = headingOf({ x: from[0], y: from[1] }, { x: to[0], y: to[1] }, robot, least);
    app.gesture = { kind: 'goal', body: body.number, fromX: from[0], fromY: from[1], toX: to[0], toY: to[1], heading };
  }

  private send(press: Press): void {
    const { app } = this;
    this.aim(press);
    const { gesture } = app;
    if (gesture?.kind === 'goal') {
      const { body, fromX, fromY, toX, toY, heading } = gesture;
      const { appends } = press;
      // A drag that begins at a ball says where to send it.
      const ball = press.moved && app.body(press.body)?.kind === 'ball' ? press.body : undefined;
      if (ball === undefined) this.goalRequests.send(body, fromX, fromY, heading, { appends });
      else this.goalRequests.send(body, toX, toY, 0, { appends, ball });
      if (app.selected !== gesture.body) app.select(gesture.body, false);
    } else if (!press.moved && press.body !== undefined) {
      app.select(press.body, false);
    } else if (app.refuses('drive', this.goalRequests.robot)) {
      return;
    } else if (this.goalRequests.robot === undefined) {
      app.emit('notice', { level: 'info', text: t('goalSelect') });
    }
  }

  private finish(press: Press): void {
    const { gesture } = this.app;
    const body = this.app.body(press.body);
    if (!gesture || !body) return;
    if (press.mode === 'put') {
      this.app.send({ place: { body: body.number, x: gesture.toX, y: gesture.toY, heading: gesture.heading } });
    } else if (press.mode === 'push') {
      const dx = gesture.toX - gesture.fromX;
      const dy = gesture.toY - gesture.fromY;
      const length = Math.hypot(dx, dy);
      const speed = Math.min(FASTEST_PUSH, PUSH_SPEED * length);
      if (length < 0.005) return;
      const impulse = (speed * body.mass) / length;
      this.app.send({
        push: { body: body.number, x: gesture.fromX, y: gesture.fromY, impulse_x: impulse * dx, impulse_y: impulse * dy },
      });
    }
  }

  /** Where the held point of the body is now, and where the hand is. */
  private show(press: Press): boolean {
    const n = press.body;
    const body = this.app.body(n);
    const { playback, view } = this.app;
    if (!body || !playback || !view) return false;
    const hand = view.ground(press.x, press.y, body.height / 2);
    if (!hand) return false;
    const heading = playback.shown.heading[body.number]!;
    const c = Math.cos(heading);
    const s = Math.sin(heading);
    const fromX = playback.shown.x[body.number]! + c * press.ownX - s * press.ownY;
    const fromY = playback.shown.y[body.number]! + s * press.ownX + c * press.ownY;
    const before = this.app.gesture;
    if (press.mode === 'put') {
      const turned = before?.kind === 'place' ? before.heading : heading;
      this.app.gesture = { kind: 'place', body: body.number, fromX, fromY, toX: hand[0], toY: hand[1], heading: turned };
    } else {
      const kind = press.mode === 'push' ? 'push' : 'grab';
      this.app.gesture = { kind, body: body.number, fromX, fromY, toX: hand[0], toY: hand[1], heading };
    }
    return true;
  }

  private pull(press: Press, now: number): void {
    if (!this.show(press) || now - this.grabbedAt < GRAB_EVERY_MS - EARLY_MS) return;
    this.grabbedAt = now;
    const { toX, toY, body } = this.app.gesture!;
    this.app.send({ grab: { body, own_x: press.ownX, own_y: press.ownY, x: toX, y: toY } });
  }

  private letGo(): void {
    const press = this.press;
    if (press?.mode === 'pull' && press.body !== undefined && press.moved) {
      this.app.send({ let_go: { body: press.body } });
    }
    this.app.gesture = undefined;
  }

  private drop(): void {
    this.press = undefined;
    this.app.gesture = undefined;
  }

  private pan(dx: number, dy: number): void {
    const rig = this.app.view?.rig;
    if (!rig) return;
    if (rig.mode === 'chase' || rig.mode === 'first') return rig.rotate(-dx * TURN_PER_PX, dy * TURN_PER_PX);
    const metres = rig.metresPerPixel(this.surface.clientHeight);
    rig.pan(-dx * metres, dy * metres);
  }

  private pinch(id: number, x: number, y: number): void {
    const before = [...this.fingers.values()];
    this.fingers.set(id, [x, y]);
    const after = [...this.fingers.values()];
    const spread = ([a, b]: [number, number][]) => Math.hypot(a![0] - b![0], a![1] - b![1]);
    const middle = ([a, b]: [number, number][]) => [(a![0] + b![0]) / 2, (a![1] + b![1]) / 2] as const;
    const [was, is] = [spread(before), spread(after)];
    if (was > 1 && is > 1) this.app.view?.rig.zoom(was / is);
    const [m0, m1] = [middle(before), middle(after)];
    this.pan(m1[0] - m0[0], m1[1] - m0[1]);
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 30 : 1;
    const amount = Math.max(-120, Math.min(120, event.deltaY * lines));
    if (this.app.gesture?.kind === 'place') {
      this.app.gesture.heading += amount * 0.003;
      return;
    }
    this.app.view?.rig.zoom(Math.exp(amount * 0.0016));
  }

  private hover(x: number, y: number): void {
    const { playback, view } = this.app;
    this.app.hovered = playback && view?.pick(x, y, playback);
    const aims = this.app.tool === 'goal' && this.app.body(this.app.hovered)?.kind !== 'robot';
    this.surface.style.cursor = aims ? 'crosshair' : this.app.hovered === undefined ? '' : 'pointer';
  }
}
