// A maze as a picture in the colours that the simulator recognises: yellow lines, black walls, red
// robots, blue balls, green cubes, on white; the middle of the picture is the origin.

import { drawElement, inOrder, type Colours } from './draw';
import { bounds, type Element } from './element';
import { MapFrame } from './frame';

const INKS: Colours = {
  paper: '#ffffff', grid: '#ffffff', axis: '#ffffff', label: '#ffffff', marked: '#ffffff',
  kinds: { wall: '#000000', cell: '#000000', line: '#ffff00', ball: '#0000ff', cube: '#00ff00', robot: '#ff0000', mesh: '#ffffff' },
};

/** Longer side of a picture, pixels; fine enough for a maze, and far below what the reader bears. */
const SIDE_PX = 2000;
/** Most pixels a metre: a small maze needs no more. */
const MOST_SCALE = 1000;
/** White around everything, pixels. */
const MARGIN_PX = 24;
/** The pens of walls and lines, pixels: within what recognition likes. A robot's size means nothing, so
 * that it can be small enough to touch little. */
const PEN_PX = { wall: 5, line: 5, robot: 36 };

export interface Paper {
  /** Pixels. */
  width: number;
  height: number;
  /** Pixels a metre. */
  scale: number;
  /** Metres: across, and down. */
  size: [number, number];
}

/** The smallest paper about the origin that holds everything, with sides of whole decimetres. */
export function paperFor(elements: readonly Element[]): Paper {
  const { low, high } = bounds(elements.filter(({ kind }) => kind !== 'mesh')) ?? { low: [-1, -1], high: [1, 1] };
  const reach = (axis: 0 | 1) => Math.max(-low[axis], high[axis], 0.5);
  const rough = Math.min(MOST_SCALE, (SIDE_PX - 2 * MARGIN_PX) / (2 * Math.max(reach(0), reach(1))));
  // Whole pixels a metre, and whole decimetres of paper, give a size that people can type.
  const unit = 10 ** Math.floor(Math.log10(rough));
  const scale = unit < 1 ? rough : unit * Math.floor(rough / unit);
  const decimetres = (axis: 0 | 1) => 2 * Math.ceil(10 * (reach(axis) + MARGIN_PX / scale)) / 10;
  const size: [number, number] = [decimetres(1), decimetres(0)];
  const [width, height] = size.map((side) => Math.max(8, Math.round(side * scale))) as [number, number];
  return { width, height, scale, size };
}

/** Draws the maze; 2D contexts smooth edges, which recognition likes. */
export function drawPicture(context: CanvasRenderingContext2D, elements: readonly Element[], paper: Paper): void {
  const frame = new MapFrame(paper.width, paper.height);
  frame.scale = paper.scale;
  context.fillStyle = INKS.paper;
  context.fillRect(0, 0, paper.width, paper.height);
  for (const element of inOrder(elements)) {
    if (element.kind === 'mesh') continue;
    if (element.kind === 'wall' || element.kind === 'line') {
      // A pen of the same width everywhere: a wall is not to be taken for a filled block.
      drawStroke(context, frame, element.kind, element.from, element.to);
    } else {
      drawElement(context, frame, element, INKS, PEN_PX);
    }
  }
}

function drawStroke(
  context: CanvasRenderingContext2D, frame: MapFrame, kind: 'wall' | 'line',
  from: readonly [number, number], to: readonly [number, number],
): void {
  context.strokeStyle = INKS.kinds[kind];
  context.lineWidth = PEN_PX[kind];
  context.lineCap = 'round';
  context.beginPath();
  context.moveTo(...frame.place(from));
  context.lineTo(...frame.place(to));
  context.stroke();
}

/** What a picture cannot tell and a text can. */
export function isLossy(elements: readonly Element[]): boolean {
  return elements.some((element) => element.kind === 'mesh' || element.kind === 'cell'
    || (element.kind === 'cube' && element.height !== element.size));
}

export function pictureOf(elements: readonly Element[]): Promise<{ blob: Blob; size: [number, number] }> {
  const paper = paperFor(elements);
  const canvas = document.createElement('canvas');
  canvas.width = paper.width;
  canvas.height = paper.height;
  drawPicture(canvas.getContext('2d')!, elements, paper);
  return new Promise((resolve, reject) => canvas.toBlob(
    (blob) => (blob ? resolve({ blob, size: paper.size }) : reject(new Error('no picture'))), 'image/png',
  ));
}

/** A name that tells the real size, `maze 44x42 m.png`: the simulator proposes it when the picture comes back. */
export function nameWithSize(name: string, [width, height]: [number, number]): string {
  return `${name.replace(/\s*\d+(\.\d+)?x\d+(\.\d+)? m$/, '')} ${width}x${height} m.png`;
}
