// What is looked at first on rough ground. No browser needed.

import type { Playback } from './playback';
import type { Bounds, SceneInfo } from './scene';

/** How much of the land is seen at first each way from the middle, in reaches of the usual robot, and at least around the
 * outermost ones, in reaches of the largest. */
const NEAR_REACHES = 9;
const LEAST_REACHES = 3;

/** What is looked at first on rough ground: robots and what is around them, not all of a wide land. */
export function nearView({ bodies, robots }: SceneInfo, { shown }: Playback): Bounds | undefined {
  const seen = (robots.length > 0 ? robots : bodies.map(({ number }) => number)).map((n) => bodies[n]!);
  if (seen.length === 0) return undefined;
  const reaches = seen.map(({ reach }) => reach).sort((a, b) => a - b);
  const [usual, largest] = [reaches[Math.floor(reaches.length / 2)]!, reaches.at(-1)!];
  const around = (places: number[]): [number, number] => {
    const [low, high] = [Math.min(...places), Math.max(...places)];
    const room = Math.max(LEAST_REACHES * largest, NEAR_REACHES * usual - (high - low) / 2);
    return [low - room, high + room];
  };
  const xs = seen.map(({ number: n }) => shown.x[n]!);
  const ys = seen.map(({ number: n }) => shown.y[n]!);
  const [[minX, maxX], [minY, maxY]] = [around(xs), around(ys)];
  return { minX, maxX, minY, maxY };
}
