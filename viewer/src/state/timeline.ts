// When to show which frame.
//
// Frames are published evenly by the simulator but arrive unevenly. Each gets a place on a smoothed
// time axis: the one before plus the simulated time between them divided by the pace, drawn gently
// towards the instant at which it really came. The picture runs behind that axis by a delay that is
// just long enough for the unevenness seen lately, and both the axis and the delay change slowly, so
// that what is shown moves steadily and never backwards.

/** Weight of a frame's real arrival in its place on the axis. */
const PULL = 0.04;
/** A frame this far from its expected place, ms, starts the axis anew: a pause, a stall, a new speed. */
const BREAK_MS = 300;
/** Frames over which the pace is measured. */
const WINDOW = 64;
const FEW = 10;
/** Bounds of the delay, ms: one picture, and what still feels immediate when driving. */
const LEAST_DELAY_MS = 20;
const LONGEST_DELAY_MS = 220;
/** How fast the delay may change, ms per ms: unnoticeable. */
const DELAY_SLEW = 0.04;
/** How much of the measured unevenness is forgotten per frame. */
const FORGET = 0.01;

export class Timeline {
  private arrivals: number[] = [];
  private times: number[] = [];
  private lastPlace = 0;
  private lastTime = 0;
  private started = false;
  private interval = 33;
  private lateness = 0;
  private delay = 60;
  private shownAt = -Infinity;
  private askedAt = -Infinity;
  /** Simulated seconds a second that the simulator says it reaches; used until enough frames came. */
  hint = 0;

  /** Forgets all: another run. */
  reset(): void {
    this.arrivals = [];
    this.times = [];
    this.started = false;
  }

  /** Simulated seconds a millisecond, as frames came lately; 0 where unknown or standing still. */
  get pace(): number {
    const n = this.times.length;
    if (n < FEW && this.hint > 0) return this.hint / 1000;
    if (n < 2) return 0;
    const wall = this.arrivals[n - 1]! - this.arrivals[0]!;
    return wall > 0 ? (this.times[n - 1]! - this.times[0]!) / wall : 0;
  }

  get delayMs(): number {
    return this.delay;
  }

  /** The place of a frame of simulated time `timeS` that arrived at `now`, ms. Places never go back. */
  place(timeS: number, now: number): number {
    if (!this.started) return this.begin(timeS, now);
    const simulated = timeS - this.lastTime;
    const pace = this.pace;
    let place: number;
    if (simulated <= 0) {
      // Standing still: what changes now (a body put elsewhere) is shown as it comes.
      this.restartWindow(timeS, now);
      place = now;
    } else if (pace <= 0) {
      this.note(timeS, now);
      place = now;
    } else {
      const expected = this.lastPlace + simulated / pace;
      const error = now - expected;
      if (Math.abs(error) > BREAK_MS) {
        this.restartWindow(timeS, now);
        place = now;
      } else {
        this.note(timeS, now);
        place = expected + PULL * error;
        const late = Math.max(0, now - place);
        this.lateness = Math.max(late, this.lateness * (1 - FORGET));
        this.interval += 0.1 * (Math.min(BREAK_MS, place - this.lastPlace) - this.interval);
      }
    }
    this.lastPlace = Math.max(this.lastPlace, place);
    this.lastTime = timeS;
    return this.lastPlace;
  }

  /** Where on the axis the picture is at `now`, ms; never goes back unless the run was reset. */
  playhead(now: number): number {
    const wanted = Math.min(
      LONGEST_DELAY_MS,
      Math.max(LEAST_DELAY_MS, this.interval + this.lateness + 4),
    );
    const elapsed = Math.min(100, Math.max(0, now - this.askedAt));
    this.askedAt = now;
    const slack = DELAY_SLEW * elapsed;
    this.delay += Math.min(slack, Math.max(-slack, wanted - this.delay));
    this.shownAt = Math.max(this.shownAt, now - this.delay);
    return this.shownAt;
  }

  private begin(timeS: number, now: number): number {
    this.started = true;
    this.restartWindow(timeS, now);
    this.lastTime = timeS;
    this.lastPlace = Math.max(this.lastPlace, now);
    return this.lastPlace;
  }

  private restartWindow(timeS: number, now: number): void {
    this.arrivals = [now];
    this.times = [timeS];
  }

  private note(timeS: number, now: number): void {
    this.arrivals.push(now);
    this.times.push(timeS);
    if (this.arrivals.length > WINDOW) {
      this.arrivals.shift();
      this.times.shift();
    }
  }
}
