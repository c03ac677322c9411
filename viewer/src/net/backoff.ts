// How long to wait before the next attempt to connect.

const FIRST_MS = 250;
const LONGEST_MS = 5000;

/** Doubles from a quarter of a second to five; up to a fifth is random, so that many pages that lost
 * the same server do not come back in the same instant. */
export class Backoff {
  private attempts = 0;

  constructor(private readonly random: () => number = Math.random) {}

  next(): number {
    const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** this.attempts);
    this.attempts = Math.min(this.attempts + 1, 16);
    return full * (1 - 0.2 * this.random());
  }

  reset(): void {
    this.attempts = 0;
  }
}
