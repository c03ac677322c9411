// Where metres go on a drawing: x up and y to the left, as in a picture that is a map.

import type { Box, Point } from './element';

export class MapFrame {
  /** What is in the middle of the drawing, m. */
  middle: Point = [0, 0];
  /** Pixels a metre. */
  scale = 20;

  constructor(
    public width = 1,
    public height = 1,
  ) {}

  place([x, y]: Point): [number, number] {
    return [this.width / 2 + (this.middle[1] - y) * this.scale, this.height / 2 + (this.middle[0] - x) * this.scale];
  }

  point(px: number, py: number): Point {
    return [this.middle[0] - (py - this.height / 2) / this.scale, this.middle[1] - (px - this.width / 2) / this.scale];
  }

  /** Shows all of a box, within margins in pixels: top, right, bottom, left. */
  fit(box: Box, margins: readonly [number, number, number, number] = [0, 0, 0, 0]): void {
    const [top, right, bottom, left] = margins;
    const room = [Math.max(40, this.width - left - right), Math.max(40, this.height - top - bottom)] as const;
    const wide = Math.max(1e-6, box.high[1] - box.low[1]);
    const tall = Math.max(1e-6, box.high[0] - box.low[0]);
    this.scale = Math.min(room[0] / wide, room[1] / tall);
    this.middle = [
      (box.low[0] + box.high[0]) / 2 + (top - bottom) / 2 / this.scale,
      (box.low[1] + box.high[1]) / 2 + (left - right) / 2 / this.scale,
    ];
  }

  /** Zooms about a point of the drawing. */
  zoom(factor: number, px: number, py: number, least: number, most: number): void {
    const before = this.point(px, py);
    this.scale = Math.max(least, Math.min(most, this.scale * factor));
    const after = this.point(px, py);
    this.middle = [this.middle[0] + before[0] - after[0], this.middle[1] + before[1] - after[1]];
  }

  pan(dx: number, dy: number): void {
    this.middle = [this.middle[0] + dy / this.scale, this.middle[1] + dx / this.scale];
  }
}
