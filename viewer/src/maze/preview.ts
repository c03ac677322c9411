// What was recognised in a map, over its picture where it has one.

import { drawElement, inOrder, LIGHT } from './draw';
import { bounds, type Element } from './element';
import { MapFrame } from './frame';

const SIDE_PX = 360;
const MARGIN_PX = 12;

/** `paper` is the size of a picture in the map's own units. Pictures are white paper, in any theme. */
export function drawPreview(
  canvas: HTMLCanvasElement, elements: readonly Element[], picture: ImageBitmap | undefined, paper: [number, number] | undefined,
): void {
  const dense = window.devicePixelRatio || 1;
  const box = paper ? { low: [-paper[1] / 2, -paper[0] / 2] as const, high: [paper[1] / 2, paper[0] / 2] as const }
    : bounds(elements) ?? { low: [-1, -1] as const, high: [1, 1] as const };
  const [wide, tall] = [box.high[1] - box.low[1] || 1, box.high[0] - box.low[0] || 1];
  const pad = paper ? 0 : MARGIN_PX;
  const scale = Math.min((1.6 * SIDE_PX - 2 * pad) / wide, (SIDE_PX - 2 * pad) / tall);
  const frame = new MapFrame(Math.max(40, Math.round(wide * scale + 2 * pad)), Math.max(40, Math.round(tall * scale + 2 * pad)));
  frame.fit({ low: box.low, high: box.high }, [pad, pad, pad, pad]);
  canvas.width = frame.width * dense;
  canvas.height = frame.height * dense;
  canvas.style.aspectRatio = `${frame.width} / ${frame.height}`;
  canvas.style.width = `${frame.width}px`;
  const context = canvas.getContext('2d');
  if (!context) return;
  context.setTransform(dense, 0, 0, dense, 0, 0);
  context.fillStyle = LIGHT.paper;
  context.fillRect(0, 0, frame.width, frame.height);
  if (picture) {
    context.globalAlpha = 0.25;
    context.drawImage(picture, 0, 0, frame.width, frame.height);
    context.globalAlpha = 1;
  }
  // Of a picture only the middle lines are known: thin, so that the ink shows below.
  const colours = paper ? { ...LIGHT, kinds: { ...LIGHT.kinds, wall: LIGHT.marked } } : LIGHT;
  for (const element of inOrder(elements)) {
    if (paper && element.kind === 'wall') thin(context, frame, element.from, element.to, colours.kinds.wall);
    else drawElement(context, frame, element, colours, { wall: 1.5, line: 2, robot: 18 });
  }
}

function thin(
  context: CanvasRenderingContext2D, frame: MapFrame, from: readonly [number, number], to: readonly [number, number], colour: string,
): void {
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.lineCap = 'round';
  context.beginPath();
  context.moveTo(...frame.place(from));
  context.lineTo(...frame.place(to));
  context.stroke();
}
