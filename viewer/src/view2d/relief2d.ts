// Rough ground on the flat picture: shaded relief with lines of equal height, drawn once a scene.

import type { Ground } from '../state/ground';
import { contours, contourStep, reliefPixels } from '../state/relief';
import type { Land } from '../view3d/land';

/** Pixels along the longer side of the terrain. */
const MOST_PIXELS = 640;

export class Relief2d {
  private readonly picture: HTMLCanvasElement;
  private readonly lines: Path2D;

  constructor(
    private readonly ground: Ground,
    private readonly land: Land,
  ) {
    const { minX, minY, maxX, maxY, size } = ground;
    const side = (length: number) => Math.max(2, Math.round((MOST_PIXELS * length) / size));
    this.picture = document.createElement('canvas');
    this.picture.width = side(maxX - minX);
    this.picture.height = side(maxY - minY);
    const { width, height } = this.picture;
    this.picture.getContext('2d')?.putImageData(new ImageData(reliefPixels(ground, width, height, land), width, height), 0, 0);
    this.lines = new Path2D();
    const pieces = contours(ground, contourStep(ground.highest - ground.lowest));
    for (let i = 0; i + 3 < pieces.length; i += 4) {
      this.lines.moveTo(pieces[i]!, pieces[i + 1]!);
      this.lines.lineTo(pieces[i + 2]!, pieces[i + 3]!);
    }
  }

  /** The context's units are metres; `pixel` of them make a CSS pixel. */
  draw(context: CanvasRenderingContext2D, pixel: number): void {
    const { minX, minY, maxX, maxY } = this.ground;
    context.save();
    context.imageSmoothingEnabled = true;
    // Its first row is that of the largest y.
    context.translate(minX, maxY);
    context.scale(1, -1);
    context.drawImage(this.picture, 0, 0, maxX - minX, maxY - minY);
    context.restore();
    context.globalAlpha = Math.min(1, 2.2 * this.land.lineOpacity);
    context.strokeStyle = `#${this.land.line.toString(16).padStart(6, '0')}`;
    context.lineWidth = pixel;
    context.stroke(this.lines);
    context.globalAlpha = 1;
  }
}
