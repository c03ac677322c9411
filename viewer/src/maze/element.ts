// What a maze is made of, in the map's own frame: metres and radians, x up, y to the left.

/** x and y, m. */
export type Point = readonly [number, number];

export interface Stroke {
  readonly kind: 'wall' | 'line';
  readonly from: Point;
  readonly to: Point;
}
/** A block of one metre. */
export interface Cell {
  readonly kind: 'cell';
  readonly at: Point;
}
export interface Ball {
  readonly kind: 'ball';
  readonly at: Point;
  /** Diameter, m. */
  readonly size: number;
}
export interface Cube {
  readonly kind: 'cube';
  readonly at: Point;
  readonly size: number;
  readonly height: number;
}
export interface Robot {
  readonly kind: 'robot';
  readonly at: Point;
  /** rad, counter-clockwise from x. */
  readonly heading: number;
}
/** A thing from an OBJ file; kept and moved, not drawn in its form. */
export interface Mesh {
  readonly kind: 'mesh';
  readonly at: Point;
  readonly file: string;
  readonly rotation: number;
  readonly scale: readonly [number, number, number];
}

export type Element = Stroke | Cell | Ball | Cube | Robot | Mesh;
export type Kind = Element['kind'];

export const WALL_THICKNESS = 0.2;
export const CELL_SIDE = 1;
export const DEFAULT_SIZE = 1;
/** How long a robot is drawn, m, where there is room: a map does not say. */
export const ROBOT_LENGTH = 1;
/** Largest coordinate and size that a map may have. */
export const FARTHEST = 1e6;

export function isStroke(element: Element): element is Stroke {
  return element.kind === 'wall' || element.kind === 'line';
}

/** Points of it, each with how far it reaches around, m. */
export function extent(element: Element, robotLength = ROBOT_LENGTH): [Point, number][] {
  switch (element.kind) {
    case 'wall': return [[element.from, WALL_THICKNESS / 2], [element.to, WALL_THICKNESS / 2]];
    case 'line': return [[element.from, 0], [element.to, 0]];
    case 'cell': return [[element.at, CELL_SIDE / 2]];
    case 'ball': case 'cube': return [[element.at, element.size / 2]];
    case 'robot': return [[element.at, robotLength / 2]];
    case 'mesh': return [[element.at, 0.5]];
  }
}

export interface Box {
  low: Point;
  high: Point;
}

/** What encloses all of them; undefined around nothing. */
export function bounds(elements: Iterable<Element>): Box | undefined {
  let box: Box | undefined;
  for (const element of elements) {
    for (const [[x, y], r] of extent(element)) {
      const { low, high } = box ?? { low: [x, y], high: [x, y] };
      box = {
        low: [Math.min(low[0], x - r), Math.min(low[1], y - r)],
        high: [Math.max(high[0], x + r), Math.max(high[1], y + r)],
      };
    }
  }
  return box;
}

export function moved<E extends Element>(element: E, dx: number, dy: number): E {
  const by = ([x, y]: Point): Point => [tidy(x + dx), tidy(y + dy)];
  if (isStroke(element)) return { ...element, from: by(element.from), to: by(element.to) };
  return { ...element, at: by(element.at) };
}

/** How far a point is from an element, m; 0 inside. */
export function distance(element: Element, [px, py]: Point, robotLength = ROBOT_LENGTH): number {
  if (isStroke(element)) {
    const [ax, ay] = element.from;
    const [dx, dy] = [element.to[0] - ax, element.to[1] - ay];
    const along = Math.max(0, Math.min(1, ((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy || 1)));
    const off = Math.hypot(px - ax - along * dx, py - ay - along * dy);
    return element.kind === 'wall' ? Math.max(0, off - WALL_THICKNESS / 2) : off;
  }
  const [dx, dy] = [px - element.at[0], py - element.at[1]];
  const half = extent(element, robotLength)[0]![1];
  if (element.kind === 'ball') return Math.max(0, Math.hypot(dx, dy) - half);
  return Math.hypot(Math.max(0, Math.abs(dx) - half), Math.max(0, Math.abs(dy) - half));
}

/** Whether all of it is in the box. */
export function isWithin(element: Element, { low, high }: Box): boolean {
  return extent(element).every(([[x, y]]) => x >= low[0] && x <= high[0] && y >= low[1] && y <= high[1]);
}

/** A wall or line without length is none, and numbers have bounds. */
export function isGood(element: Element): boolean {
  const isPlace = (x: number) => Math.abs(x) <= FARTHEST;
  const isSize = (x: number) => x > 0 && x <= FARTHEST;
  const isPoint = (point: Point) => point.every(isPlace);
  switch (element.kind) {
    case 'wall': case 'line':
      return isPoint(element.from) && isPoint(element.to)
        && (element.from[0] !== element.to[0] || element.from[1] !== element.to[1]);
    case 'cell': return isPoint(element.at);
    case 'ball': return isPoint(element.at) && isSize(element.size);
    case 'cube': return isPoint(element.at) && isSize(element.size) && isSize(element.height);
    case 'robot': return isPoint(element.at) && isPlace(element.heading);
    case 'mesh': return isPoint(element.at) && isPlace(element.rotation) && element.scale.every(isSize);
  }
}

/** A micrometre is finer than anybody draws: sums lose their tails, and -0 its sign. */
export function tidy(x: number): number {
  return Math.round(x * 1e6) / 1e6 + 0;
}
