// Drives the selected robot by whatever is held: keys or gamepad.

import type { App } from '../app';
import { t } from '../text';
import { STOPPED, type Steering } from './steer';

/** How often voltages are repeated, ms: well within the half second after which a robot is stopped. */
const REPEAT_MS = 50;
const IDLE_REPEAT_MS = 200;
/** How often one is told again that somebody else drives. */
const TELL_MS = 3000;

export class Driving {
  private claimed: number | undefined;
  private sentAt = 0;
  private sent: Steering = STOPPED;
  private toldAt = -Infinity;

  constructor(private readonly app: App) {
    // Whoever drives another robot leaves the one before to its own driver.
    app.on('selection', (selected) => {
      if (this.claimed !== undefined && this.claimed !== selected) this.release();
    });
    app.on('welcome', () => (this.claimed = undefined));
    app.on('scene', () => (this.claimed = undefined));
  }

  /** Takes the wheel of the selected robot, standing still. */
  claim(): void {
    const robot = this.robot();
    if (robot === undefined || this.claimed === robot) return;
    const other = this.app.driverOf(robot);
    if (other && !this.app.isMine(robot)) {
      this.app.emit('notice', { level: 'warning', text: t('someoneDrives', { name: other.name }) });
      return;
    }
    if (this.app.send({ claim: { body: robot, release: false } })) this.claimed = robot;
  }

  release(): void {
    if (this.claimed === undefined) return;
    this.app.send({ claim: { body: this.claimed, release: true } });
    this.claimed = undefined;
    this.sent = STOPPED;
  }

  /** Called for every picture with what is asked now. */
  update(asked: Steering, now: number): void {
    const moving = asked.left !== 0 || asked.right !== 0;
    if (moving && this.robot() === undefined) this.app.select(this.app.scene?.robots[0], false);
    const robot = this.robot();
    if (robot === undefined) return;
    if (this.claimed !== robot) {
      if (!moving || !this.app.mayControl) return;
      if (this.app.driverOf(robot) && !this.app.isMine(robot)) {
        if (now - this.toldAt > TELL_MS) {
          this.toldAt = now;
          this.claim();
        }
        return;
      }
      this.claim();
    }
    const changed = asked.left !== this.sent.left || asked.right !== this.sent.right;
    const due = now - this.sentAt >= (moving ? REPEAT_MS : IDLE_REPEAT_MS);
    // A change of keys goes at once; a stick changes all the time and is sent at its own pace.
    const starts = changed && (this.sent.left === 0 && this.sent.right === 0 || !moving);
    if (!due && !starts) return;
    const supply = this.app.body(robot)?.supply ?? 0;
    this.app.send({ drive: { body: robot, left: asked.left * supply, right: asked.right * supply } });
    this.sent = asked;
    this.sentAt = now;
  }

  private robot(): number | undefined {
    const body = this.app.body(this.app.selected);
    return body?.kind === 'robot' ? body.number : undefined;
  }
}
