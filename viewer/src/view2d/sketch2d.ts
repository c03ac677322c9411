// A sketch of what robots sense on the flat picture.

import { INKS, STRIDE, type Sketch } from '../state/sketch';
import type { Palette } from '../view3d/palette';

/** The context's units are metres; `pixel` of them make a CSS pixel. */
export function drawSketch(context: CanvasRenderingContext2D, sketch: Sketch, palette: Palette, pixel: number): void {
  const { data, count } = sketch;
  // Strokes that look alike are drawn in one go.
  let look = '';
  context.lineCap = 'round';
  for (let i = 0; i < count; i++) {
    const at = i * STRIDE;
    const [alphaA, alphaB, width, ink] = [data[at + 6]!, data[at + 7]!, data[at + 8]!, data[at + 9]!];
    const next = `${ink} ${width} ${alphaA} ${alphaB}`;
    if (next !== look) {
      if (look !== '') context.stroke();
      look = next;
      context.beginPath();
      context.globalAlpha = (alphaA + 2 * alphaB) / 3;
      context.lineWidth = width * pixel;
      context.strokeStyle = `#${palette[INKS[ink]!].toString(16).padStart(6, '0')}`;
    }
    context.moveTo(data[at]!, data[at + 1]!);
    context.lineTo(data[at + 3]!, data[at + 4]!);
  }
  if (look !== '') context.stroke();
  context.globalAlpha = 1;
  context.lineCap = 'butt';
}
