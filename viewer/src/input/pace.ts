// How evenly the page gets to send: pictures that are drawn slowly, by software, keep it from that.

/** The simulator stops a robot after this silence, ms, unless a command holds longer. */
const SILENCE_MS = 500;
/** Longest that a command may hold, ms. */
const MOST_HOLD_MS = 3000;
/** A command outlasts the longest gap of late by this factor: the next one may be longer. */
const SPARE = 2.5;
/** How long a gap is remembered, ms. */
const MEMORY_MS = 10_000;

export class Pace {
  private last: number | undefined;
  private gaps: { at: number; ms: number }[] = [];

  /** The page gets to send, at `now`, ms. */
  take(now: number): void {
    this.gaps = this.gaps.filter(({ at }) => now - at < MEMORY_MS);
    if (this.last !== undefined) {
      const ms = now - this.last;
      // Of gaps that a longer one followed, nobody needs to know.
      this.gaps = this.gaps.filter((gap) => gap.ms > ms);
      this.gaps.push({ at: now, ms });
    }
    this.last = now;
  }

  /** The page slept, hidden or stopped: that says nothing about pictures. */
  forget(): void {
    this.last = undefined;
    this.gaps = [];
  }

  /** How long a command is to hold by itself, ms; 0: no longer than usual. */
  get holdMs(): number {
    const wanted = SPARE * (this.gaps[0]?.ms ?? 0);
    return wanted > SILENCE_MS ? Math.round(Math.min(MOST_HOLD_MS, wanted)) : 0;
  }
}
