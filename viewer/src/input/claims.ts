// Who holds the wheel: what the page asked for, against what the simulator says. The simulator's list
// of drivers is the truth; asking alone gives no wheel.

export type Holder = 'me' | 'other' | 'nobody';

/** What to do about a robot now. */
export type Turn =
  /** It is ours: send voltages. */
  | 'drive'
  /** Ask for it. */
  | 'claim'
  /** Asked; the answer is on its way. */
  | 'wait'
  /** Somebody else drives it. */
  | 'blocked'
  /** Nothing is asked of it. */
  | 'rest';

/** An answer that has not come by then, ms, never will: it is asked again. */
const ANSWER_MS = 1000;

export class Claims {
  private asked: { robot: number; at: number } | undefined;
  /** Given back, while the simulator's list still has them as ours. */
  private readonly given = new Set<number>();

  /** The simulator told who drives: `holder` answers for each robot. */
  heard(holder: (robot: number) => Holder): void {
    for (const robot of this.given) if (holder(robot) !== 'me') this.given.delete(robot);
    if (this.asked && holder(this.asked.robot) !== 'nobody') this.asked = undefined;
  }

  /** A new connection or a new scene: nothing that was asked counts any more. */
  forget(): void {
    this.asked = undefined;
    this.given.clear();
  }

  turn(robot: number, holder: Holder, wanted: boolean, now: number): Turn {
    if (holder === 'me' && !this.given.has(robot)) return 'drive';
    if (this.waits(robot, now)) return 'wait';
    if (!wanted) return 'rest';
    return holder === 'other' ? 'blocked' : 'claim';
  }

  /** The claim was sent. */
  ask(robot: number, now: number): void {
    this.asked = { robot, at: now };
    this.given.delete(robot);
  }

  /** The robots to give back but for one: those that are ours, and the one that was asked for. */
  giveBack(mine: readonly number[], except?: number): number[] {
    const all = new Set(mine.filter((robot) => !this.given.has(robot)));
    if (this.asked) all.add(this.asked.robot);
    if (except !== undefined) all.delete(except);
    for (const robot of all) this.given.add(robot);
    if (this.asked && all.has(this.asked.robot)) this.asked = undefined;
    return [...all];
  }

  private waits(robot: number, now: number): boolean {
    return this.asked?.robot === robot && now - this.asked.at < ANSWER_MS;
  }
}
