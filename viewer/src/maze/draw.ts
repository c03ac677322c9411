// Draws a maze on a flat canvas: for the editor, for previews, and as the picture that is a map.

import { CELL_SIDE, ROBOT_LENGTH, WALL_THICKNESS, type Element, type Kind, type Point } from './element';
import type { MapFrame } from './frame';

export interface Colours {
  paper: string;
  grid: string;
  axis: string;
  label: string;
  marked: string;
  kinds: Record<Kind, string>;
}

export const LIGHT: Colours = {
  paper: '#ffffff', grid: '#e7ebef', axis: '#9fb7ae', label: '#7a8591', marked: '#0f7a55',
  kinds: { wall: '#161b22', cell: '#3b444f', line: '#e3b500', ball: '#2457d6', cube: '#1f8f45', robot: '#d92b2b', mesh: '#8a3fa0' },
};
export const DARK: Colours = {
  paper: '#12161c', grid: '#222932', axis: '#47705f', label: '#8895a3', marked: '#4fcf9f',
  kinds: { wall: '#e6ebf0', cell: '#a8b3bf', line: '#f0c93a', ball: '#6f9bff', cube: '#4cc574', robot: '#ff6b6b', mesh: '#cf8be6' },
};

/** What lies on the ground is drawn first, robots last. */
const ORDER: Kind[] = ['line', 'cell', 'wall', 'cube', 'ball', 'mesh', 'robot'];

export function inOrder<T extends { kind: Kind }>(elements: readonly T[]): T[] {
  const layers = new Map<Kind, T[]>(ORDER.map((kind) => [kind, []]));
  for (const element of elements) layers.get(element.kind)?.push(element);
  return [...layers.values()].flat();
}

/** Corners of an arrow head that points along the heading, its middle of area at the point. Longer than
 * wide, so that its tip tells the heading. */
export function arrowHead([x, y]: Point, heading: number, length: number): Point[] {
  const c = Math.cos(heading);
  const s = Math.sin(heading);
  const at = (ahead: number, left: number): Point => [x + length * (c * ahead - s * left), y + length * (s * ahead + c * left)];
  return [at(2 / 3, 0), at(-1 / 3, 0.35), at(-1 / 3, -0.35)];
}

/** How long robots are drawn, pixels: true to scale, but never too small to be seen, nor as large as a
 * small maze. */
export function robotPixels(frame: MapFrame): number {
  return Math.max(14, Math.min(ROBOT_LENGTH * frame.scale, 72));
}

export function drawElement(
  context: CanvasRenderingContext2D, frame: MapFrame, element: Element, colours: Colours,
  /** Least widths of walls and lines, and how long robots are, pixels. */
  pens = { wall: 2, line: 2.5, robot: robotPixels(frame) },
): void {
  const colour = colours.kinds[element.kind];
  context.fillStyle = context.strokeStyle = colour;
  switch (element.kind) {
    case 'wall': case 'line': {
      const wall = element.kind === 'wall';
      context.lineWidth = wall ? Math.max(WALL_THICKNESS * frame.scale, pens.wall) : Math.max(0.1 * frame.scale, pens.line);
      context.lineCap = 'round';
      context.beginPath();
      context.moveTo(...frame.place(element.from));
      context.lineTo(...frame.place(element.to));
      context.stroke();
      return;
    }
    case 'cell': return square(context, frame, element.at, CELL_SIDE);
    case 'cube': return square(context, frame, element.at, element.size);
    case 'ball':
      context.beginPath();
      context.arc(...frame.place(element.at), (element.size / 2) * frame.scale, 0, 2 * Math.PI);
      context.fill();
      return;
    case 'robot': {
      polygon(context, frame, arrowHead(element.at, element.heading, pens.robot / frame.scale));
      context.fill();
      return;
    }
    case 'mesh': {
      const [px, py] = frame.place(element.at);
      context.lineWidth = 1.5;
      context.strokeRect(px - frame.scale / 2, py - frame.scale / 2, frame.scale, frame.scale);
      context.font = '12px sans-serif';
      context.textAlign = 'center';
      context.fillText(element.file, px, py + frame.scale / 2 + 13);
    }
  }
}

function square(context: CanvasRenderingContext2D, frame: MapFrame, at: Point, side: number): void {
  const [px, py] = frame.place(at);
  const size = side * frame.scale;
  context.fillRect(px - size / 2, py - size / 2, size, size);
}

export function polygon(context: CanvasRenderingContext2D, frame: MapFrame, corners: readonly Point[]): void {
  context.beginPath();
  corners.forEach((corner, i) => (i === 0 ? context.moveTo(...frame.place(corner)) : context.lineTo(...frame.place(corner))));
  context.closePath();
}

/** The step of 1, 2 or 5 times a power of ten that is nearest above. */
export function roundStep(least: number): number {
  const unit = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * unit).find((step) => step >= least * 0.999) ?? unit;
}

/** Lines of the grid, the axes, and how long a step is. */
export function drawGrid(context: CanvasRenderingContext2D, frame: MapFrame, colours: Colours, wanted: number | undefined): void {
  const least = 12 / frame.scale;
  const step = wanted !== undefined && wanted >= least ? wanted : roundStep(Math.max(least, wanted ?? 0));
  const [high, low] = [frame.point(0, 0), frame.point(frame.width, frame.height)];
  const stroke = (from: Point, to: Point, isAxis: boolean) => {
    context.strokeStyle = isAxis ? colours.axis : colours.grid;
    context.lineWidth = isAxis ? 1.5 : 1;
    context.beginPath();
    context.moveTo(...frame.place(from));
    context.lineTo(...frame.place(to));
    context.stroke();
  };
  const ticks = (from: number, to: number) => {
    const all = [];
    for (let k = Math.ceil(from / step); k <= to / step && all.length < 2000; k++) all.push(k);
    return all;
  };
  for (const k of ticks(low[0], high[0])) stroke([k * step, low[1]], [k * step, high[1]], k === 0);
  for (const k of ticks(low[1], high[1])) stroke([low[0], k * step], [high[0], k * step], k === 0);
}
