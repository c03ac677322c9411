// What of the running world goes into the editor.

import type { Scene } from '../proto/live.js';
import { CELL_SIDE, tidy, type Element, type Point } from './element';
import { elementText } from './text';

/** A wall at least so many times as long as thick is a stroke. */
const SLENDER = 2;

/** The map of a scene: its text where it comes from one; else its walls, if all of them are straight. */
export function mapOfScene(scene: Scene): string {
  if (scene.map) return scene.map.text;
  const walls = scene.walls.map((wall) => straightWall(wall.points));
  if (!walls.every((wall) => wall !== undefined)) return '';
  return walls.map((wall) => `${elementText(wall)}\n`).join('');
}

/** What a map is called, without folders and endings. */
export function stemOf(name: string): string {
  return name.replace(/^.*[\\/]/, '').replace(/\.\w{1,5}$/, '').trim() || 'maze';
}

/** The middle line of a rectangle, or a block; undefined for other forms. */
export function straightWall(points: readonly number[]): Element | undefined {
  if (points.length !== 8) return undefined;
  const corner = (i: number): Point => [points[(2 * i) % 8]!, points[(2 * i + 1) % 8]!];
  const side = (i: number): Point => [corner(i + 1)[0] - corner(i)[0], corner(i + 1)[1] - corner(i)[1]];
  const [a, b, c] = [side(0), side(1), side(2)];
  const [length, width] = [Math.hypot(...a), Math.hypot(...b)];
  const slack = 1e-3 * Math.max(length, width);
  const isSquare = Math.abs(a[0] * b[0] + a[1] * b[1]) <= slack * Math.min(length, width);
  if (!isSquare || Math.hypot(a[0] + c[0], a[1] + c[1]) > slack) return undefined;
  const middle = (i: number): Point => {
    const [p, q] = [corner(i), corner(i + 1)];
    return [metres((p[0] + q[0]) / 2), metres((p[1] + q[1]) / 2)];
  };
  if (Math.abs(length - CELL_SIDE) < 1e-3 && Math.abs(width - CELL_SIDE) < 1e-3) {
    const [p, q] = [corner(0), corner(2)];
    return { kind: 'cell', at: [metres((p[0] + q[0]) / 2), metres((p[1] + q[1]) / 2)] };
  }
  if (length >= SLENDER * width) return { kind: 'wall', from: middle(3), to: middle(1) };
  if (width >= SLENDER * length) return { kind: 'wall', from: middle(0), to: middle(2) };
  return undefined;
}

/** To the millimetre: scenes come in single precision. */
function metres(x: number): number {
  return tidy(Math.round(x * 1e3) / 1e3);
}
