// Wall time that was given up lately, from the sum since the start that the simulator tells.

export const WINDOW_MS = 10_000;

export class BehindWindow {
  private samples: { at: number; sum: number }[] = [];

  /** Takes the sum told at this instant, and tells what was given up in the window before it, s. */
  take(sum: number, at: number): number {
    // The sum starts anew with another run.
    if (sum < (this.samples.at(-1)?.sum ?? 0)) this.samples = [];
    this.samples.push({ at, sum });
    // The last sample before the window stays: what has grown since then was given up inside it.
    const first = this.samples.findIndex((sample) => sample.at > at - WINDOW_MS);
    if (first > 1) this.samples.splice(0, first - 1);
    return sum - this.samples[0]!.sum;
  }

  /** Nobody listened for a while, so nobody knows when time was given up. */
  clear(): void {
    this.samples = [];
  }
}
