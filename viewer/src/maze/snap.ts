// Where a hand's point goes: to an end of a wall nearby, to the grid, or to the millimetre.

import { isStroke, tidy, type Element, type Point } from './element';
import type { Item } from './text';

export function toGrid(value: number, grid: number | undefined): number {
  const step = grid ?? 1e-3;
  return tidy(Math.round(value / step) * step);
}

export interface Snapping {
  /** Metres between lines of the grid; none: free. */
  grid: number | undefined;
  /** Ends of walls and lines within so many metres catch the point. */
  reach: number;
}

/** The point for an end of a wall or line; ends of the items left out do not catch it. */
export function snapEnd(point: Point, items: readonly Item[], { grid, reach }: Snapping, without?: number): Point {
  let best: Point | undefined;
  let nearest = reach;
  for (const { id, element } of items) {
    if (!element || !isStroke(element) || id === without) continue;
    for (const end of [element.from, element.to]) {
      const off = Math.hypot(end[0] - point[0], end[1] - point[1]);
      if (off <= nearest) [best, nearest] = [end, off];
    }
  }
  return best ?? snapPoint(point, grid);
}

export function snapPoint([x, y]: Point, grid: number | undefined): Point {
  return [toGrid(x, grid), toGrid(y, grid)];
}

/** The point of an element by which it is moved: the end that is nearest to the hand, or its middle. */
export function anchor(element: Element, [x, y]: Point): Point {
  if (!isStroke(element)) return element.at;
  const off = (end: Point) => Math.hypot(end[0] - x, end[1] - y);
  return off(element.from) <= off(element.to) ? element.from : element.to;
}

/** Headings come in steps of 15 degrees where there is a grid. */
export function snapHeading(heading: number, grid: number | undefined): number {
  const turn = Math.atan2(Math.sin(heading), Math.cos(heading));
  if (grid === undefined) return Math.round(turn * 1e3) / 1e3 + 0;
  const steps = Math.round(turn / (Math.PI / 12));
  return steps === 0 ? 0 : (steps * Math.PI) / 12;
}
