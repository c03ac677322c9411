// What is looked at first on rough ground. No browser needed.

import type { Playback } from './playback';
import type { Bounds, SceneInfo } from './scene';

/** How much of the land around robots is seen at first, in their reaches. */
const NEAR_REACHES = 9;

/** What is looked at first on rough ground: robots and what is around them, not all of a wide land. */
export function nearView({ bodies, robots }: SceneInfo, { shown }: Playback): Bounds | undefined {
  const seen = (robots.length > 0 ? robots : bodies.map(({ number }) => number)).map((n) => bodies[n]!);
  if (seen.length === 0) return undefined;
  const room = NEAR_REACHES * Math.max(...seen.map(({ reach }) => reach));
  const xs = seen.map(({ number: n }) => shown.x[n]!);
  const ys = seen.map(({ number: n }) => shown.y[n]!);
  return { minX: Math.min(...xs) - room, maxX: Math.max(...xs) + room, minY: Math.min(...ys) - room, maxY: Math.max(...ys) + room };
}
