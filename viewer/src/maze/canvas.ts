// The editor's drawing: shows the maze, and takes mouse and touch on it.

import { drawElement, drawGrid, inOrder, polygon, robotPixels, type Colours } from './draw';
import { MazeDocument } from './document';
import {
  bounds, DEFAULT_SIZE, distance, extent, isGood, isStroke, isWithin, moved,
  type Box, type Element, type Kind, type Point,
} from './element';
import { MapFrame } from './frame';
import { anchor, snapEnd, snapHeading, snapPoint, toGrid } from './snap';
import type { Item } from './text';

export type MazeTool = 'select' | Exclude<Kind, 'mesh'>;

/** How near a hand must come, CSS pixels: a mouse, and a finger. */
const NEAR_PX = { mouse: 7, touch: 18 };
/** A press that moved less was a click. */
const CLICK_PX = 4;
const HANDLE_PX = 5;
const LEAST_SCALE = 0.02;
const MOST_SCALE = 2000;

type Handle = 'from' | 'to' | 'heading' | 'size';

type Gesture =
  | { kind: 'pan' }
  | { kind: 'draw'; element: Element }
  | { kind: 'move'; anchor: Point; from: Point; originals: readonly Item[] }
  | { kind: 'handle'; handle: Handle; item: Item }
  | { kind: 'frame'; from: Point; to: Point; before: readonly number[] };

interface Press {
  id: number;
  startX: number;
  startY: number;
  x: number;
  y: number;
  moved: boolean;
  gesture: Gesture;
}

export class MazeCanvas {
  readonly frame = new MapFrame();
  tool: MazeTool = 'select';
  /** Metres between lines of the grid; none: free. */
  grid: number | undefined = 1;
  /** What the controls cover, CSS pixels: top, right, bottom, left. */
  margins: [number, number, number, number] = [20, 20, 20, 20];
  /** Where the hand is, m. */
  hand: Point | undefined;
  private press: Press | undefined;
  private readonly fingers = new Map<number, [number, number]>();
  private near = NEAR_PX.mouse;
  private asked = false;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly document: MazeDocument,
    private readonly look: { colours(): Colours; moved(): void },
  ) {
    canvas.addEventListener('pointerdown', (event) => this.down(event));
    canvas.addEventListener('pointermove', (event) => this.move(event));
    canvas.addEventListener('pointerup', (event) => this.up(event));
    canvas.addEventListener('pointercancel', (event) => this.up(event));
    canvas.addEventListener('pointerleave', () => {
      this.hand = undefined;
      look.moved();
    });
    canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    document.on('change', () => this.redraw());
  }

  /** m. */
  private get robotLength(): number {
    return robotPixels(this.frame) / this.frame.scale;
  }

  resize(): void {
    const { clientWidth, clientHeight } = this.canvas;
    if (clientWidth === 0 || clientHeight === 0) return;
    const dense = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(clientWidth * dense);
    this.canvas.height = Math.round(clientHeight * dense);
    this.frame.width = clientWidth;
    this.frame.height = clientHeight;
    this.draw();
  }

  /** Shows everything, or some metres around the origin. */
  home(): void {
    const box = bounds(this.document.items.flatMap((item) => item.element ?? [])) ?? { low: [-5, -5], high: [5, 5] };
    const pad = 0.5;
    this.frame.fit({ low: [box.low[0] - pad, box.low[1] - pad], high: [box.high[0] + pad, box.high[1] + pad] }, this.margins);
    this.redraw();
  }

  zoom(factor: number): void {
    this.frame.zoom(factor, this.frame.width / 2, this.frame.height / 2, LEAST_SCALE, MOST_SCALE);
    this.redraw();
  }

  /** Ends what the hand is doing, without a trace; false where it did nothing. */
  cancel(): boolean {
    if (!this.press) return false;
    this.press = undefined;
    this.document.cancelDrag();
    return true;
  }

  redraw(): void {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => this.draw());
  }

  // ---- the hand

  private down(event: PointerEvent): void {
    const [x, y] = [event.offsetX, event.offsetY];
    (window.document.activeElement as HTMLElement | null)?.blur?.();
    this.near = event.pointerType === 'mouse' ? NEAR_PX.mouse : NEAR_PX.touch;
    this.fingers.set(event.pointerId, [x, y]);
    if (this.fingers.size > 1) {
      // Two fingers move the paper, whatever the first one had begun.
      this.cancel();
      return;
    }
    this.canvas.setPointerCapture(event.pointerId);
    const gesture = this.begin(event, this.frame.point(x, y));
    this.press = { id: event.pointerId, startX: x, startY: y, x, y, moved: false, gesture };
    this.redraw();
  }

  private begin(event: PointerEvent, at: Point): Gesture {
    if (event.button !== 0) return { kind: 'pan' };
    if (this.tool !== 'select') return { kind: 'draw', element: this.newElement(this.tool, at) };
    const handle = this.handleAt(at);
    if (handle) {
      this.document.beginDrag();
      return { kind: 'handle', ...handle };
    }
    const item = this.itemAt(at);
    if (!item) {
      if (event.pointerType !== 'mouse') return { kind: 'pan' };
      const before = event.shiftKey ? this.document.selected.map(({ id }) => id) : [];
      this.document.select(before);
      return { kind: 'frame', from: at, to: at, before };
    }
    if (event.shiftKey) {
      this.document.toggle(item.id);
      return { kind: 'pan' };
    }
    if (!this.document.isSelected(item)) this.document.select([item.id]);
    this.document.beginDrag();
    return { kind: 'move', anchor: anchor(item.element!, at), from: at, originals: this.document.selected };
  }

  private newElement(kind: Exclude<Kind, 'mesh'>, at: Point): Element {
    if (kind === 'wall' || kind === 'line') {
      const from = this.end(at);
      return { kind, from, to: from };
    }
    const place = snapPoint(at, this.grid);
    switch (kind) {
      case 'cell': return { kind, at: place };
      case 'ball': return { kind, at: place, size: DEFAULT_SIZE };
      case 'cube': return { kind, at: place, size: DEFAULT_SIZE, height: DEFAULT_SIZE };
      case 'robot': return { kind, at: place, heading: 0 };
    }
  }

  private end(at: Point, without?: number): Point {
    return snapEnd(at, this.document.items, { grid: this.grid, reach: (1.4 * this.near) / this.frame.scale }, without);
  }

  private move(event: PointerEvent): void {
    const [x, y] = [event.offsetX, event.offsetY];
    this.hand = this.frame.point(x, y);
    this.look.moved();
    if (this.fingers.size > 1 && this.fingers.has(event.pointerId)) return this.pinch(event.pointerId, x, y);
    if (this.fingers.has(event.pointerId)) this.fingers.set(event.pointerId, [x, y]);
    const press = this.press;
    if (!press || press.id !== event.pointerId) {
      this.showCursor(this.hand);
      return;
    }
    const [dx, dy] = [x - press.x, y - press.y];
    [press.x, press.y] = [x, y];
    if (Math.hypot(x - press.startX, y - press.startY) > CLICK_PX) press.moved = true;
    if (!press.moved) return;
    const { gesture } = press;
    if (gesture.kind === 'pan') this.frame.pan(dx, dy);
    else this.drag(gesture, this.hand);
    this.redraw();
  }

  private drag(gesture: Exclude<Gesture, { kind: 'pan' }>, at: Point): void {
    switch (gesture.kind) {
      case 'draw': {
        const { element } = gesture;
        if (isStroke(element)) gesture.element = { ...element, to: this.end(at) };
        else if (element.kind === 'robot') gesture.element = { ...element, heading: this.headingTo(element.at, at) };
        else if (element.kind !== 'mesh') gesture.element = { ...element, at: snapPoint(at, this.grid) };
        return;
      }
      case 'move': {
        const target: Point = [gesture.anchor[0] + at[0] - gesture.from[0], gesture.anchor[1] + at[1] - gesture.from[1]];
        const [x, y] = snapPoint(target, this.grid);
        const by = [x - gesture.anchor[0], y - gesture.anchor[1]] as const;
        this.document.changeAll(new Map(gesture.originals.flatMap(({ id, element }) =>
          element ? [[id, moved(element, ...by)] as const] : [])));
        return;
      }
      case 'handle': {
        const element = this.pulled(gesture.item.element!, gesture.handle, at, gesture.item.id);
        this.document.change(gesture.item.id, element);
        return;
      }
      case 'frame': {
        gesture.to = at;
        const box = boxOf(gesture.from, at);
        const inside = this.document.items.filter(({ element }) => element && isWithin(element, box));
        this.document.select([...gesture.before, ...inside.map(({ id }) => id)]);
      }
    }
  }

  private pulled(element: Element, handle: Handle, at: Point, id: number): Element {
    if (isStroke(element)) return { ...element, [handle]: this.end(at, id) };
    if (element.kind === 'robot') return { ...element, heading: this.headingTo(element.at, at) };
    if (element.kind !== 'ball' && element.kind !== 'cube') return element;
    const reach = Math.max(Math.abs(at[0] - element.at[0]), Math.abs(at[1] - element.at[1]));
    const size = Math.max(this.grid ?? 0.01, toGrid(2 * reach, this.grid));
    if (element.kind === 'ball') return { ...element, size };
    return { ...element, size, height: element.height === element.size ? size : element.height };
  }

  private headingTo(from: Point, at: Point): number {
    const [dx, dy] = [at[0] - from[0], at[1] - from[1]];
    return dx === 0 && dy === 0 ? 0 : snapHeading(Math.atan2(dy, dx), this.grid);
  }

  private up(event: PointerEvent): void {
    this.fingers.delete(event.pointerId);
    const press = this.press;
    if (!press || press.id !== event.pointerId) return;
    this.press = undefined;
    const { gesture } = press;
    if (event.type === 'pointercancel') {
      this.document.cancelDrag();
    } else if (gesture.kind === 'move' || gesture.kind === 'handle') {
      this.document.endDrag();
    } else if (gesture.kind === 'draw') {
      this.add(gesture.element, this.frame.point(press.x, press.y));
    } else if (gesture.kind === 'pan' && event.button === 0 && !press.moved && !event.shiftKey) {
      this.document.select([]);
    }
    this.redraw();
  }

  /** Adds what was drawn. A wall that was only pointed at is none: the hand wanted what lies there. */
  private add(element: Element, at: Point): void {
    if (this.document.add(element)) return;
    const there = this.itemAt(at);
    this.document.select(there ? [there.id] : []);
  }

  private pinch(id: number, x: number, y: number): void {
    const before = [...this.fingers.values()];
    this.fingers.set(id, [x, y]);
    const after = [...this.fingers.values()];
    const spread = (points: [number, number][]) => Math.hypot(points[0]![0] - points[1]![0], points[0]![1] - points[1]![1]);
    const middle = (points: [number, number][]) => [(points[0]![0] + points[1]![0]) / 2, (points[0]![1] + points[1]![1]) / 2] as const;
    const [m0, m1] = [middle(before), middle(after)];
    this.frame.pan(m1[0] - m0[0], m1[1] - m0[1]);
    if (spread(before) > 1) this.frame.zoom(spread(after) / spread(before), ...m1, LEAST_SCALE, MOST_SCALE);
    this.redraw();
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const amount = Math.max(-120, Math.min(120, event.deltaY * (event.deltaMode === 1 ? 30 : 1)));
    this.frame.zoom(Math.exp(-amount * 0.0016), event.offsetX, event.offsetY, LEAST_SCALE, MOST_SCALE);
    this.redraw();
  }

  private showCursor(at: Point): void {
    const near = this.tool === 'select' && (this.handleAt(at) || this.itemAt(at));
    this.canvas.style.cursor = this.tool !== 'select' ? 'crosshair' : near ? 'move' : '';
  }

  // ---- what lies where

  private itemAt(at: Point): Item | undefined {
    const reach = this.near / this.frame.scale;
    let best: Item | undefined;
    let nearest = Infinity;
    // The last one drawn lies on top; what is small wins over what it lies in.
    for (const item of this.document.items) {
      if (!item.element) continue;
      const off = distance(item.element, at, this.robotLength);
      if (off > reach) continue;
      const weight = off + (isStroke(item.element) ? 0 : 1e-6 * extent(item.element)[0]![1]);
      if (weight <= nearest) [best, nearest] = [item, weight];
    }
    return best;
  }

  private handles(): { handle: Handle; item: Item; at: Point }[] {
    const [item, ...more] = this.document.selected;
    const element = item?.element;
    if (!item || !element || more.length > 0) return [];
    if (isStroke(element)) return [{ handle: 'from', item, at: element.from }, { handle: 'to', item, at: element.to }];
    if (element.kind === 'robot') {
      const ahead = this.robotLength + 20 / this.frame.scale;
      const { at, heading } = element;
      return [{ handle: 'heading', item, at: [at[0] + ahead * Math.cos(heading), at[1] + ahead * Math.sin(heading)] }];
    }
    if (element.kind !== 'ball' && element.kind !== 'cube') return [];
    return [{ handle: 'size', item, at: [element.at[0], element.at[1] - element.size / 2] }];
  }

  private handleAt(at: Point): { handle: Handle; item: Item } | undefined {
    const reach = (1.3 * this.near) / this.frame.scale;
    return this.handles().find((handle) => {
      const { element } = handle.item;
      // A small thing can still be taken by its middle.
      const own = element && isStroke(element) ? Math.hypot(element.to[0] - element.from[0], element.to[1] - element.from[1])
        : element?.kind === 'ball' || element?.kind === 'cube' ? element.size : Infinity;
      return Math.hypot(handle.at[0] - at[0], handle.at[1] - at[1]) <= Math.min(reach, 0.3 * own);
    });
  }

  // ---- the picture

  private draw(): void {
    this.asked = false;
    const context = this.canvas.getContext('2d');
    if (!context) return;
    const { frame } = this;
    const colours = this.look.colours();
    context.setTransform(this.canvas.width / frame.width, 0, 0, this.canvas.height / frame.height, 0, 0);
    context.fillStyle = colours.paper;
    context.fillRect(0, 0, frame.width, frame.height);
    drawGrid(context, frame, colours, this.grid);
    const elements = this.document.items.flatMap((item) => (item.element ? [{ kind: item.element.kind, item }] : []));
    const marked = new Set(this.document.selected);
    for (const { item } of inOrder(elements)) {
      if (marked.has(item)) this.drawHalo(context, item.element!, colours);
      drawElement(context, frame, item.element!, colours);
    }
    const gesture = this.press?.gesture;
    if (gesture?.kind === 'draw' && isGood(gesture.element)) drawElement(context, frame, gesture.element, colours);
    if (gesture?.kind === 'frame') this.drawBox(context, boxOf(gesture.from, gesture.to), colours);
    this.drawHandles(context, colours);
  }

  private drawHalo(context: CanvasRenderingContext2D, element: Element, colours: Colours): void {
    const wide = { ...colours, kinds: { ...colours.kinds, [element.kind]: colours.marked } };
    context.globalAlpha = 0.35;
    const pad = 5 / this.frame.scale;
    if (isStroke(element)) {
      context.strokeStyle = colours.marked;
      context.lineWidth = 12 + (element.kind === 'wall' ? 0.2 * this.frame.scale : 0);
      context.lineCap = 'round';
      context.beginPath();
      context.moveTo(...this.frame.place(element.from));
      context.lineTo(...this.frame.place(element.to));
      context.stroke();
    } else if (element.kind === 'ball' || element.kind === 'cube') {
      drawElement(context, this.frame, { ...element, size: element.size + 2 * pad }, wide);
    } else {
      const half = extent(element, this.robotLength)[0]![1] + pad;
      const { at: [x, y] } = element;
      this.drawBox(context, { low: [x - half, y - half], high: [x + half, y + half] }, colours);
    }
    context.globalAlpha = 1;
  }

  private drawBox(context: CanvasRenderingContext2D, { low, high }: Box, colours: Colours): void {
    polygon(context, this.frame, [low, [low[0], high[1]], high, [high[0], low[1]]]);
    context.strokeStyle = context.fillStyle = colours.marked;
    context.lineWidth = 1.5;
    context.stroke();
    const alpha = context.globalAlpha;
    context.globalAlpha = 0.5 * alpha;
    context.fill();
    context.globalAlpha = alpha;
  }

  private drawHandles(context: CanvasRenderingContext2D, colours: Colours): void {
    for (const { handle, item, at } of this.handles()) {
      const place = this.frame.place(at);
      context.strokeStyle = colours.marked;
      context.lineWidth = 2;
      if (handle === 'heading' && item.element?.kind === 'robot') {
        context.beginPath();
        context.moveTo(...this.frame.place(item.element.at));
        context.lineTo(...place);
        context.stroke();
      }
      context.fillStyle = colours.paper;
      context.beginPath();
      context.arc(...place, HANDLE_PX, 0, 2 * Math.PI);
      context.fill();
      context.stroke();
    }
  }
}

function boxOf(a: Point, b: Point): Box {
  return { low: [Math.min(a[0], b[0]), Math.min(a[1], b[1])], high: [Math.max(a[0], b[0]), Math.max(a[1], b[1])] };
}
