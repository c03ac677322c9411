// From frames that arrive to what is shown at any instant.

import type { Frame } from '../proto/live.js';
import { turnBetween } from './angle';
import type { SceneInfo } from './scene';
import { Snapshot } from './snapshot';
import { Space } from './space';
import { Timeline } from './timeline';

/** Snapshots kept for showing: enough for the longest delay at 60 frames a second, and some. */
const KEPT = 24;
/** How long movement is continued without news, ms. */
const EXTRAPOLATE_MS = 50;
/** A body that went this much farther than its speeds allow was put there: it is not shown gliding. */
const TELEPORT_M = 0.03;
const TELEPORT_FACTOR = 2.5;

/** The poses that are on the screen; columns by body number. */
export class Shown {
  timeS = 0;
  /** Time of the run, s. */
  runTimeS = 0;
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly heading: Float32Array;
  /** Turn of each robot's wheels since the scene began, rad. */
  readonly wheelTurnLeft: Float32Array;
  readonly wheelTurnRight: Float32Array;

  /** `space`: of scenes with rough ground. Angles of wheels in it go on from turn to turn. */
  constructor(
    readonly count: number,
    readonly space?: Space,
  ) {
    this.x = new Float32Array(count);
    this.y = new Float32Array(count);
    this.heading = new Float32Array(count);
    this.wheelTurnLeft = new Float32Array(count);
    this.wheelTurnRight = new Float32Array(count);
  }
}

interface Kept {
  place: number;
  snapshot: Snapshot;
}

/** `restarted`: the world began anew; `back`: an earlier instant of the run than the one before. */
export type Outcome = 'shown' | 'ignored' | 'restarted' | 'back';

export class Playback {
  readonly timeline = new Timeline();
  /** The newest state, not interpolated. */
  readonly latest: Snapshot;
  readonly shown: Shown;
  private readonly kept: Kept[] = [];
  private readonly spare: Snapshot[] = [];
  private hasKey = false;
  private fresh = true;
  /** Simulated time that went by in whatever direction, s: what frames are spaced by. */
  private way = 0;
  /** -1 while the run is shown backwards. */
  private direction: -1 | 1 = 1;
  /** Whether some other instant than the newest is shown, and time stands there: what comes is shown at once. */
  standing = false;

  constructor(readonly scene: SceneInfo) {
    this.latest = Snapshot.for(scene);
    this.shown = new Shown(scene.bodies.length, Space.for(scene));
  }

  /** Whether there is anything to show. */
  get started(): boolean {
    return this.hasKey;
  }

  /** Takes a frame that arrived at `now`, ms. Frames of another scene, and changes to a state that was
   * never told, are ignored. */
  take(frame: Frame, now: number): Outcome {
    if (frame.generation !== this.scene.generation) return 'ignored';
    if (!frame.key && !this.hasKey) return 'ignored';
    const { step, runTimeS } = this.latest;
    if (!this.latest.apply(frame, this.scene)) return 'ignored';
    const moved = this.latest.runTimeS - runTimeS;
    // Simulators that know of no runs tell by the step alone.
    const outcome = !this.hasKey || (frame.step < step && (moved >= 0 || (frame.run_time_s === 0 && !this.standing))) ? 'restarted' : moved < 0 ? 'back' : 'shown';
    this.hasKey = true;
    if (outcome === 'restarted' || (this.standing && moved !== 0)) {
      this.forget(outcome === 'restarted');
      this.fresh = true;
    }
    if (outcome !== 'restarted' && moved !== 0) this.direction = moved < 0 ? -1 : 1;
    this.way += Math.abs(moved);
    if (frame.status) {
      this.timeline.hint = frame.status.paused ? 0 : frame.status.real_time_factor;
    }
    const place = this.timeline.place(this.way, now);
    const snapshot = this.spare.pop() ?? Snapshot.for(this.scene);
    snapshot.copyFrom(this.latest);
    this.kept.push({ place, snapshot });
    if (this.kept.length > KEPT) this.spare.push(this.kept.shift()!.snapshot);
    return outcome;
  }

  /** Brings `shown` to the instant `now`, ms. */
  advance(now: number): Shown {
    const head = this.timeline.playhead(now);
    if (this.kept.length === 0) return this.shown;
    while (this.kept.length > 2 && this.kept[1]!.place <= head) {
      this.spare.push(this.kept.shift()!.snapshot);
    }
    const before = this.kept[0]!;
    const after = this.kept[1];
    const lastTime = this.shown.timeS;
    if (!after) {
      this.hold(before.snapshot, Math.max(0, head - before.place));
    } else if (head >= after.place) {
      this.hold(after.snapshot, head - after.place, before.snapshot);
    } else {
      const span = after.place - before.place;
      const share = span > 0 ? Math.max(0, (head - before.place) / span) : 1;
      this.blend(before.snapshot, after.snapshot, share);
    }
    const elapsed = this.fresh ? 0 : this.shown.timeS - lastTime;
    this.fresh = false;
    if (elapsed * this.direction > 0) this.turnWheels((after ?? before).snapshot, elapsed);
    return this.shown;
  }

  private forget(anew: boolean): void {
    for (const { snapshot } of this.kept) this.spare.push(snapshot);
    this.kept.length = 0;
    this.timeline.reset();
    if (!anew) return;
    this.direction = 1;
    this.shown.wheelTurnLeft.fill(0);
    this.shown.wheelTurnRight.fill(0);
  }

  /** `before`: the snapshot before, which tells how heights and tilts change. */
  private hold(snapshot: Snapshot, overdueMs: number, before?: Snapshot): void {
    const { shown } = this;
    const ahead = this.standing ? 0 : Math.min(overdueMs, EXTRAPOLATE_MS) * this.timeline.pace * this.direction;
    shown.timeS = snapshot.timeS + ahead;
    shown.runTimeS = snapshot.runTimeS + ahead;
    for (let n = 0; n < shown.count; n++) {
      shown.x[n] = snapshot.x[n]! + snapshot.vx[n]! * ahead;
      shown.y[n] = snapshot.y[n]! + snapshot.vy[n]! * ahead;
      shown.heading[n] = snapshot.heading[n]! + snapshot.omega[n]! * ahead;
    }
    if (!shown.space || !snapshot.space) return;
    const elapsed = before ? snapshot.timeS - before.timeS : 0;
    // Farther than one frame's change nobody knows.
    const share = elapsed * this.direction > 0 ? 1 + Math.min(1, ahead / elapsed) : 1;
    for (let n = 0; n < shown.count; n++) {
      const from = before?.space && !this.jumps(before, snapshot, n) ? before.space : snapshot.space;
      shown.space.blendBody(n, from, snapshot.space, share);
      this.blendWheelsOf(n, from, snapshot.space, share, from === snapshot.space ? 0 : elapsed);
    }
  }

  private blendWheelsOf(n: number, a: Space, b: Space, share: number, elapsed: number): void {
    const vehicle = this.scene.bodies[n]!.vehicle;
    if (vehicle) this.shown.space!.blendWheels(vehicle.firstWheel, vehicle.wheels.length, a, b, share, elapsed);
  }

  /** Whether a body was put elsewhere between two snapshots: a jump has no way between. */
  private jumps(a: Snapshot, b: Snapshot, n: number): boolean {
    const fastest = Math.max(a.speed(n), b.speed(n));
    const way = Math.hypot(b.x[n]! - a.x[n]!, b.y[n]! - a.y[n]!);
    return way > TELEPORT_M + TELEPORT_FACTOR * fastest * Math.abs(b.timeS - a.timeS);
  }

  private blend(a: Snapshot, b: Snapshot, share: number): void {
    const { shown } = this;
    const elapsed = b.timeS - a.timeS;
    shown.timeS = a.timeS + share * elapsed;
    shown.runTimeS = a.runTimeS + share * (b.runTimeS - a.runTimeS);
    for (let n = 0; n < shown.count; n++) {
      const dx = b.x[n]! - a.x[n]!;
      const dy = b.y[n]! - a.y[n]!;
      // The old place until the new frame's instant.
      const part = this.jumps(a, b, n) ? 0 : share;
      const turn = turnBetween(
        a.heading[n]!,
        b.heading[n]!,
        0.5 * (a.omega[n]! + b.omega[n]!) * elapsed,
      );
      shown.x[n] = a.x[n]! + part * dx;
      shown.y[n] = a.y[n]! + part * dy;
      shown.heading[n] = a.heading[n]! + part * turn;
      if (!shown.space || !a.space || !b.space) continue;
      shown.space.blendBody(n, a.space, b.space, part);
      this.blendWheelsOf(n, a.space, b.space, part, elapsed);
    }
  }

  private turnWheels(snapshot: Snapshot, elapsed: number): void {
    const { shown } = this;
    for (const n of this.scene.robots) {
      shown.wheelTurnLeft[n] = (shown.wheelTurnLeft[n]! + snapshot.wheelLeft[n]! * elapsed) % 6.283185307;
      shown.wheelTurnRight[n] = (shown.wheelTurnRight[n]! + snapshot.wheelRight[n]! * elapsed) % 6.283185307;
    }
  }
}
