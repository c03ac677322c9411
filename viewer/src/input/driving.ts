// Drives the selected robot by whatever is held: keys, gamepad, or the stick on the screen.

import type { App } from '../app';
import type { Outgoing } from '../net/codec';
import { holderText } from '../text/server';
import { Claims, type Holder } from './claims';
import { DriveBy } from '../proto/live.js';
import { Pace } from './pace';
import { STOPPED, carSpeedsOf, speedsOf, type Steering } from './steer';

/** How often commands are repeated, ms: well within the half second after which a robot is stopped. */
export const REPEAT_MS = 50;
const IDLE_REPEAT_MS = 200;
/** A timer is never exact: what comes this early, ms, is on time. */
const EARLY_MS = 15;
/** How often one is told again why nothing is driven. */
const TELL_MS = 4000;
/** A vehicle that nothing is asked of coasts so long, ms; then its brakes go on, so that it stays on a slope. */
const COAST_MS = 700;

export class Driving {
  private readonly claims = new Claims();
  private readonly pace = new Pace();
  private sentAt = 0;
  private sent: Steering = STOPPED;
  private toldAt = -Infinity;
  private movedAt = -Infinity;

  constructor(private readonly app: App) {
    // Whoever drives another robot leaves the one before to its own driver, or to its goal.
    app.on('selection', (selected) => this.giveBack(selected));
    app.on('drivers', () => this.claims.heard((robot) => this.holder(robot)));
    app.on('welcome', () => this.claims.forget());
    app.on('scene', () => this.claims.forget());
  }

  /** Takes the wheel of the selected robot, standing still. */
  claim(): void {
    const robot = this.robot();
    if (robot === undefined || this.app.refuses('drive', robot)) return;
    const now = performance.now();
    const turn = this.claims.turn(robot, this.holder(robot), true, now);
    if (turn === 'claim') this.ask(robot, now);
    else if (turn === 'blocked') this.tellDriver(robot);
  }

  /** Gives back what is driven by hand, and the selected robot even if it has a goal. */
  release(): void {
    const robot = this.robot();
    if (robot !== undefined) this.app.goals.take(robot);
    this.giveBack(undefined);
  }

  /** Gives back what is driven by hand; robots that have goals go on. */
  letGo(): void {
    this.giveBack(undefined);
  }

  /** The page was hidden, where timers are slow on purpose. */
  wake(): void {
    this.pace.forget();
  }

  /** Called many times a second with what is asked now. */
  update(asked: Steering, now: number): void {
    this.pace.take(now);
    const moving = asked.left !== 0 || asked.right !== 0;
    if (this.app.whyNot('drive') !== undefined) {
      if (moving && this.mayTell(now)) this.app.refuses('drive');
      return;
    }
    if (!this.app.mayDrive()) return;
    if (moving) this.movedAt = now;
    if (moving && this.robot() === undefined) this.app.select(this.first(), false);
    const robot = this.robot();
    if (robot === undefined) return;
    if (!this.app.mayDrive(robot)) {
      if (moving && this.mayTell(now)) this.app.refuses('drive', robot);
      return;
    }
    const turn = this.claims.turn(robot, this.holder(robot), moving, now);
    // A robot that was sent somewhere is left alone until somebody takes the wheel.
    if (turn === 'drive' && !moving && this.app.goals.isLeftAlone(robot, now)) return;
    if (turn === 'drive') this.drive(robot, asked, now);
    else if (turn === 'claim') this.ask(robot, now);
    else if (turn === 'blocked' && this.mayTell(now)) this.tellDriver(robot);
  }

  private drive(robot: number, asked: Steering, now: number): void {
    const moving = asked.left !== 0 || asked.right !== 0;
    const changed = asked.left !== this.sent.left || asked.right !== this.sent.right || asked.brake !== this.sent.brake;
    const due = now - this.sentAt >= (moving ? REPEAT_MS : IDLE_REPEAT_MS) - EARLY_MS;
    // A change of keys goes at once; a stick changes all the time and is sent at its own pace.
    const starts = changed && (this.sent.left === 0 && this.sent.right === 0 || !moving);
    if (!due && !starts) return;
    if (moving) this.app.goals.take(robot);
    // What stands may as well be stopped by silence.
    const hold_ms = moving ? this.pace.holdMs : 0;
    this.app.send({ drive: { ...this.command(robot, asked, now), hold_ms } });
    this.sent = asked;
    this.sentAt = now;
  }

  private command(robot: number, asked: Steering, now: number): NonNullable<Outgoing['drive']> {
    const { supply = 0, maxSpeed = 0, maxTurning = 0, maxCurvature = 0, vehicle } = this.app.body(robot) ?? {};
    if (vehicle && (asked.brake || now - this.movedAt > COAST_MS)) return { body: robot, by: DriveBy.STOP };
    if (maxCurvature > 0 && maxSpeed > 0) return { body: robot, by: DriveBy.VELOCITY, ...carSpeedsOf(asked, maxSpeed, maxCurvature) };
    if (maxSpeed > 0) return { body: robot, by: DriveBy.VELOCITY, ...speedsOf(asked, maxSpeed, maxTurning) };
    return { body: robot, by: DriveBy.VOLTS, left: asked.left * supply, right: asked.right * supply };
  }

  private ask(robot: number, now: number): void {
    if (!this.app.send({ claim: { body: robot, release: false } })) return;
    this.claims.ask(robot, now);
    this.sent = STOPPED;
  }

  private giveBack(except: number | undefined): void {
    const now = performance.now();
    const byHand = (robot: number) => this.app.isMine(robot) && !this.app.goals.drives(robot, now);
    const mine = this.app.drivers.map(({ body }) => body).filter(byHand);
    for (const robot of this.claims.giveBack(mine, except)) this.app.send({ claim: { body: robot, release: true } });
  }

  private tellDriver(robot: number): void {
    const text = holderText(this.app.driverOf(robot), this.app.body(robot)?.name ?? '');
    this.app.emit('notice', { level: 'warning', text });
  }

  private mayTell(now: number): boolean {
    if (now - this.toldAt < TELL_MS) return false;
    this.toldAt = now;
    return true;
  }

  private holder(robot: number): Holder {
    return this.app.isMine(robot) ? 'me' : this.app.driverOf(robot) ? 'other' : 'nobody';
  }

  /** The first robot that this page may drive. */
  private first(): number | undefined {
    const robots = this.app.scene?.robots ?? [];
    return robots.find((robot) => this.app.mayDrive(robot)) ?? robots[0];
  }

  private robot(): number | undefined {
    const body = this.app.body(this.app.selected);
    return body?.kind === 'robot' ? body.number : undefined;
  }
}
