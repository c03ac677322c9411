// The track of the timeline: the stretch that can be gone to, marks, ghosts' stretches, and the instant that is shown.

import type { App } from '../app';
import { clamp, TimeAxis } from '../state/axis';
import { rankOf, type MarkInfo } from '../state/marks';
import { number, t } from '../text';
import { timeText } from '../text/time';
import { markText } from '../text/server';
import { css, h } from './dom';

/** A mark is meant within so many CSS pixels. */
const NEAR_PX = 6;
/** So many lines are told of the marks in one place. */
const MOST_TOLD = 5;
const WHEEL_ZOOM = 1.0016;
/** Arrow keys go so far, s; PageUp and PageDown are of the page. */
const KEY_S = 1;
const MARK_HEIGHT: Record<string, number> = { goal: 1, foul: 0.85, impact: 0.45, slip: 0.35 };
const USUAL_HEIGHT = 0.7;
/** So many of them that a press beside one of them does not mean it. */
const OFTEN = new Set(['impact', 'slip']);

export class Track {
  readonly element: HTMLElement;
  readonly axis = new TimeAxis();
  private readonly canvas = h('canvas', { class: 'track-canvas' });
  private readonly head = h('i', { class: 'track-head' });
  private readonly tip = h('div', { class: 'track-tip' });
  private readonly context: CanvasRenderingContext2D;
  private readonly fingers = new Map<number, number>();
  private dragging: number | undefined;
  private pinched = 0;
  private drawn = '';
  private course: number | undefined;

  constructor(private readonly app: App) {
    this.context = this.canvas.getContext('2d')!;
    this.tip.hidden = true;
    this.element = h('div', { class: 'track', id: 'track', label: 'timeline', attributes: { role: 'slider', tabindex: '0' } }, this.canvas, this.head, this.tip);
    this.element.removeAttribute('title');
    const { element } = this;
    element.addEventListener('pointerdown', (event) => this.down(event));
    element.addEventListener('pointermove', (event) => this.move(event));
    element.addEventListener('pointerup', (event) => this.up(event));
    element.addEventListener('pointercancel', (event) => this.up(event));
    element.addEventListener('pointerleave', () => this.hover(undefined));
    element.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    element.addEventListener('dblclick', () => this.axis.whole());
    element.addEventListener('keydown', (event) => this.key(event));
    app.on('timeline', () => this.span());
    new ResizeObserver(() => this.draw()).observe(element);
  }

  /** Every picture: where the instant is that is shown. */
  refresh(): void {
    const { travelling } = this.app;
    const { travel } = travelling;
    if (!travel.isOffered || this.width === 0) return;
    const at = travel.isPlaying ? travelling.shownS : travelling.atS;
    if (travel.isPlaying) this.axis.follow(at);
    const share = this.axis.share(at);
    this.head.hidden = share < -0.001 || share > 1.001;
    this.head.style.transform = `translateX(${(clamp(share, 0, 1) * this.width).toFixed(1)}px)`;
    this.draw();
    this.tell(at);
  }

  private get width(): number {
    return this.element.clientWidth;
  }

  private span(): void {
    const { travel } = this.app.travelling;
    if (travel.now?.course !== this.course) {
      this.course = travel.now?.course;
      this.axis.whole();
    }
    this.axis.setSpan(...travel.span);
  }

  private tell(at: number): void {
    const [begin, end] = this.app.travelling.travel.span;
    const { element } = this;
    const text = timeText(at, 2);
    if (element.getAttribute('aria-valuetext') === text) return;
    element.setAttribute('aria-valuemin', begin.toFixed(2));
    element.setAttribute('aria-valuemax', end.toFixed(2));
    element.setAttribute('aria-valuenow', at.toFixed(2));
    element.setAttribute('aria-valuetext', text);
  }

  // ---- hands

  private down(event: PointerEvent): void {
    if (event.button !== 0) return;
    event.preventDefault();
    this.element.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, event.offsetX);
    if (this.fingers.size > 1) {
      // Two fingers zoom.
      this.dragging = undefined;
      this.pinched = this.gap;
      return;
    }
    this.dragging = event.pointerId;
    const [mark] = this.marksAt(event.offsetX).filter(({ kind }) => !OFTEN.has(kind));
    this.app.travelling.seek(mark?.timeS ?? this.axis.time(event.offsetX / this.width));
  }

  private move(event: PointerEvent): void {
    if (this.fingers.has(event.pointerId)) this.fingers.set(event.pointerId, event.offsetX);
    if (this.fingers.size > 1) {
      const [a, b] = [...this.fingers.values()] as [number, number];
      if (this.pinched > 0 && this.gap > 0) this.axis.zoom((a + b) / 2 / this.width, this.pinched / this.gap);
      this.pinched = this.gap;
      return;
    }
    if (this.dragging === event.pointerId) this.app.travelling.seek(this.axis.time(event.offsetX / this.width));
    this.hover(event.offsetX);
  }

  private up(event: PointerEvent): void {
    this.fingers.delete(event.pointerId);
    if (this.dragging === event.pointerId) this.dragging = undefined;
    if (event.pointerType !== 'mouse') this.hover(undefined);
    // Keys belong to the picture again.
    this.element.blur();
  }

  private get gap(): number {
    const [a, b] = [...this.fingers.values()];
    return a === undefined || b === undefined ? 0 : Math.abs(a - b);
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey) this.axis.pan((event.deltaX || event.deltaY) / this.width);
    else this.axis.zoom(event.offsetX / this.width, WHEEL_ZOOM ** event.deltaY);
  }

  private key(event: KeyboardEvent): void {
    const by = { ArrowLeft: -KEY_S, ArrowDown: -KEY_S, ArrowRight: KEY_S, ArrowUp: KEY_S }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const { travelling } = this.app;
    travelling.seek(travelling.atS + by);
  }

  private hover(x: number | undefined): void {
    this.tip.hidden = x === undefined;
    if (x === undefined) return;
    const marks = this.marksAt(x);
    const time = marks[0]?.timeS ?? this.axis.time(x / this.width);
    const more = marks.length > MOST_TOLD ? [t('marksMore', { count: marks.length - MOST_TOLD })] : [];
    const lines = [...marks.slice(0, MOST_TOLD).map((mark) => this.say(mark)), ...more];
    this.tip.replaceChildren(h('b', {}, timeText(time, 2)), ...lines.map((line) => h('span', {}, line)));
    const half = this.tip.offsetWidth / 2;
    const { left } = this.element.getBoundingClientRect();
    this.tip.style.left = `${clamp(x, half - left + 8, window.innerWidth - left - half - 8)}px`;
  }

  private say(mark: MarkInfo): string {
    return markText(mark, (body) => this.app.body(body)?.name, this.app.scene?.source.zones ?? []);
  }

  private marksAt(x: number): MarkInfo[] {
    const [from, to] = this.axis.shown;
    const within = (NEAR_PX / Math.max(1, this.width)) * (to - from);
    return this.app.travelling.marks.near(from + (x / Math.max(1, this.width)) * (to - from), within);
  }

  // ---- picture

  private draw(): void {
    const { width, canvas, context, app } = this;
    const height = this.element.clientHeight;
    if (width === 0 || height === 0) return;
    const { travel, marks } = app.travelling;
    const ghosts = app.ghosting.on ? app.ghosting.table.all.filter(({ visible }) => visible) : [];
    const { theme } = document.documentElement.dataset;
    const ratio = Math.max(1, window.devicePixelRatio);
    const key = JSON.stringify([width, height, ratio, theme, document.documentElement.lang, this.axis.shown, travel.now?.begin_s, travel.now?.end_s, marks.version, travel.mode,
      ghosts.map(({ tint, beginS, endS }) => [tint, beginS, endS])]);
    if (key === this.drawn) return;
    this.drawn = key;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const style = getComputedStyle(document.documentElement);
    const ink = (name: string) => style.getPropertyValue(name).trim();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const rail = height - 17;
    const x = (timeS: number) => this.axis.share(timeS) * width;
    const { begin_s = 0, end_s = 0 } = travel.now ?? {};
    // What is kept, within what could be.
    context.fillStyle = ink('--raised');
    context.beginPath();
    context.roundRect(0, 4, width, rail - 4, 6);
    context.fill();
    context.save();
    context.clip();
    context.fillStyle = ink(travel.mode === 'past' ? '--warn-soft' : '--accent-soft');
    context.fillRect(x(begin_s), 4, x(end_s) - x(begin_s), rail - 4);
    for (const mark of [...marks.shown].sort((a, b) => rankOf(b.kind) - rankOf(a.kind))) this.drawMark(mark, x(mark.timeS), rail, ink);
    ghosts.forEach(({ tint, beginS, endS }, i) => {
      context.fillStyle = css(tint);
      context.fillRect(x(beginS), rail - 3 - 4 * i, Math.max(2, x(endS) - x(beginS)), 2.5);
    });
    context.restore();
    this.drawTicks(rail, begin_s, ink);
  }

  private drawMark({ kind }: MarkInfo, x: number, rail: number, ink: (name: string) => string): void {
    const { context } = this;
    if (x < -4 || x > this.width + 4) return;
    const tall = (rail - 8) * (MARK_HEIGHT[kind] ?? USUAL_HEIGHT);
    context.fillStyle = markInk(kind, ink);
    context.globalAlpha = kind === 'impact' || kind === 'slip' ? 0.75 : 1;
    context.fillRect(x - 1, rail - 2 - tall, 2, tall);
    if ((MARK_HEIGHT[kind] ?? USUAL_HEIGHT) >= USUAL_HEIGHT) {
      context.beginPath();
      context.arc(x, rail - 2 - tall + 1, 3.5, 0, 2 * Math.PI);
      context.fill();
    }
    context.globalAlpha = 1;
  }

  private drawTicks(rail: number, begin: number, ink: (name: string) => string): void {
    const { context, width } = this;
    const { times, everyS } = this.axis.ticks(width);
    const decimals = everyS >= 1 ? 0 : Math.min(3, Math.ceil(-Math.log10(everyS) - 1e-9));
    context.fillStyle = ink('--muted');
    context.font = '10.5px system-ui, sans-serif';
    context.textBaseline = 'top';
    for (const time of times) {
      // Before a run began there was nothing.
      if (time < begin - everyS) continue;
      const x = this.axis.share(time) * width;
      context.fillRect(x - 0.5, rail + 1, 1, 3);
      const text = timeText(time, decimals);
      const half = context.measureText(text).width / 2;
      context.fillText(text, clamp(x - half, 0, width - 2 * half), rail + 5);
    }
  }
}

export function markInk(kind: string, ink: (name: string) => string): string {
  if (kind === 'goal' || kind === 'taken_over') return ink('--accent');
  if (kind === 'foul' || kind === 'refused' || kind === 'quarantine' || kind === 'rolled_over' || kind === 'left_terrain') return ink('--bad');
  if (kind === 'slip' || kind === 'energy_cap') return ink('--warn');
  return ink(kind === 'impact' ? '--contact' : '--muted');
}

/** What is written beside a track: the instant, and how it lies in what there is. */
export function timeTexts({ travelling }: App): [string, string] {
  const { travel } = travelling;
  if (!travel.isOffered) return ['', ''];
  const end = travel.now!.end_s;
  const ago = () => `(${t('timeAgo', { time: number(Math.max(0, end - travelling.shownS), 2) })})`;
  return [timeText(travelling.shownS, 2), travel.mode === 'replay' ? `/ ${timeText(end, 2)}` : travel.mode === 'past' ? ago() : ''];
}
