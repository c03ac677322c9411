// Robots that were sent to poses: what the simulator tells of them, and what this page asked meanwhile.
// No browser needed.

import { GoalPhase, GoalState as StateCode, type Goal, type Goals, type Refusal } from '../proto/live.js';
import type { Pose } from './sketch';

export type GoalState = 'driving' | 'searching' | 'arrived' | 'blocked' | 'lost' | 'unplanned' | 'refused';

const STATES: Record<number, GoalState> = {
  [StateCode.DRIVING]: 'driving', [StateCode.SEARCHING]: 'searching', [StateCode.ARRIVED]: 'arrived',
  [StateCode.BLOCKED]: 'blocked', [StateCode.LOST]: 'lost', [StateCode.REFUSED]: 'refused',
  [StateCode.UNPLANNED]: 'unplanned',
};

const MEETS: Record<number, GoalNow['meets']> = {
  [GoalPhase.APPROACHING]: 'approaching', [GoalPhase.STRIKING]: 'striking',
};

/** A robot that goes to a goal: somebody sent it, or its driver does. */
export interface GoalNow {
  readonly body: number;
  readonly goal: Pose;
  readonly state: GoalState;
  /** Why it was refused, or has no plan: as a code, and in the simulator's words. */
  readonly refusal: Refusal | undefined;
  readonly reason: string;
  /** Where it should be now. */
  readonly reference: Pose;
  /** Which goal of its route that is, from 1, and how many there are. */
  readonly number: number;
  readonly count: number;
  /** What it does with a ball that it is to meet. */
  readonly meets: 'approaching' | 'striking' | undefined;
  /** Standard error of where it takes itself to be, m; 0 where it sees true poses. */
  readonly errorM: number;
  /** Way that is left, m. */
  readonly leftM: number;
  /** Time since the plan began, s, when that was told. */
  readonly clockS: number;
  readonly plan: number;
  readonly path: GoalPathNow | undefined;
}

export interface GoalPathNow {
  /** x0, y0, x1, y1, ... */
  readonly points: readonly number[];
  /** How many of the points are references; the rest are corners. */
  readonly references: number;
  readonly everyS: number;
}

/** An answer that has not come by then, ms, never will. */
const ANSWER_MS = 1500;

export class GoalTable {
  private readonly known = new Map<number, GoalNow>();
  /** Sent by this page, and not yet told of. */
  private readonly asked = new Map<number, number>();
  /** Driven by hand since: the goal is over, though it may still be told of. */
  private readonly taken = new Set<number>();
  /** Called back by this page: they brake by themselves. */
  private readonly calledBack = new Set<number>();

  get all(): readonly GoalNow[] {
    return [...this.known.values()];
  }

  get(body: number | undefined): GoalNow | undefined {
    return body === undefined ? undefined : this.known.get(body);
  }

  /** Whether a robot drives by itself: it stays on its way when others are selected. */
  drives(body: number, now: number): boolean {
    const at = this.asked.get(body);
    if (at !== undefined && now - at < ANSWER_MS) return true;
    const goal = this.known.get(body);
    return goal !== undefined && goal.state !== 'refused' && !this.taken.has(body);
  }

  /**
   * Whether a robot is not to be told by hand to stand still: it drives or brakes by itself, or it was refused, which a
   * command would end before anybody has read why.
   */
  isLeftAlone(body: number, now: number): boolean {
    const isRefused = this.known.get(body)?.state === 'refused' && !this.taken.has(body);
    return isRefused || this.calledBack.has(body) || this.drives(body, now);
  }

  /** This page has sent a robot somewhere. */
  ask(body: number, now: number): void {
    this.asked.set(body, now);
    this.taken.delete(body);
    this.calledBack.delete(body);
  }

  /** This page drives a robot by hand, or gives it back. */
  take(body: number): void {
    this.asked.delete(body);
    this.calledBack.delete(body);
    if (this.known.has(body)) this.taken.add(body);
  }

  /** This page has taken a robot's goal away. */
  callBack(body: number): void {
    this.take(body);
    this.calledBack.add(body);
  }

  /** A new connection or a new scene. */
  clear(): void {
    this.known.clear();
    this.asked.clear();
    this.taken.clear();
    this.calledBack.clear();
  }

  /** What the simulator tells: all goals there are. Returns false for those of another scene. */
  hear(message: Goals, generation: number | undefined): boolean {
    if (message.generation !== generation) return false;
    const before = new Map(this.known);
    this.known.clear();
    for (const goal of message.goals) {
      this.known.set(goal.body, read(goal, before.get(goal.body)));
      this.asked.delete(goal.body);
    }
    for (const body of this.taken) if (!this.known.has(body)) this.taken.delete(body);
    return true;
  }
}

function read(goal: Goal, before: GoalNow | undefined): GoalNow {
  const { path } = goal;
  const told = path && {
    points: path.x.flatMap((x, i) => [x, path.y[i] ?? 0]), references: Math.min(path.references, path.x.length), everyS: path.every_s,
  };
  return {
    body: goal.body,
    goal: { x: goal.x, y: goal.y, heading: goal.heading },
    state: STATES[goal.state] ?? 'driving',
    refusal: goal.refusal, reason: goal.reason,
    reference: { x: goal.reference_x, y: goal.reference_y, heading: goal.reference_heading },
    number: goal.number, count: goal.count, meets: MEETS[goal.phase], errorM: goal.predicted_error,
    leftM: goal.left_m, clockS: goal.clock_s, plan: goal.plan,
    // A plan is told once.
    path: told ?? (before?.plan === goal.plan ? before.path : undefined),
  };
}

/** The heading that a drag gives: along it, or where it is too short, as the robot would come. */
export function headingOf(from: { x: number; y: number }, to: { x: number; y: number }, robot: { x: number; y: number }, least: number): number {
  const drag = Math.hypot(to.x - from.x, to.y - from.y);
  if (drag >= least) return Math.atan2(to.y - from.y, to.x - from.x);
  const way = Math.hypot(from.x - robot.x, from.y - robot.y);
  return way > 1e-6 ? Math.atan2(from.y - robot.y, from.x - robot.x) : 0;
}
