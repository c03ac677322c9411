// A flat picture from above, for browsers without WebGL.

import type { Outline } from '../proto/live.js';
import type { Level } from '../state/detail';
import type { Playback } from '../state/playback';
import { groundColour, materialOf } from '../state/materials';
import { usualBody, type BodyInfo, type SceneInfo } from '../state/scene';
import type { Step } from '../state/trace';
import type { CourseLook, GhostLook, Marks, View } from '../view';
import { nearView } from '../state/near';
import { CameraRig } from '../view3d/rig';
import { DARK, LIGHT, type Palette } from '../view3d/palette';
import type { TraceStyle } from '../view3d/traces';
import { DARK_LAND, LIGHT_LAND } from '../view3d/land';
import { Relief2d } from './relief2d';
import { drawSketch } from './sketch2d';

const MOST_TRACE = 4000;

function css(colour: number): string {
  return `#${colour.toString(16).padStart(6, '0')}`;
}

export class View2d implements View {
  readonly kind = 'flat';
  readonly rig = new CameraRig();
  readonly canvas = document.createElement('canvas');
  readonly busy = false;
  private readonly context: CanvasRenderingContext2D;
  private palette: Palette = LIGHT;
  private info: SceneInfo | undefined;
  private relief: Relief2d | undefined;
  /** Whether nothing of the scene was drawn yet. */
  private fresh = true;
  private traceStyle: TraceStyle = 'off';
  private traces: Step[] = [];
  private asked: Step[] = [];
  private flashes: { x: number; y: number; age: number; strength: number }[] = [];
  private scale = 100;
  /** A robot of the scene against a minirobot: in size, and in mass. */
  private large = 1;
  private heavy = 1;
  private middle: [number, number] = [0, 0];
  /** Whether a second picture lies beside this one. */
  private split = false;

  constructor(
    host: HTMLElement,
    private level: Level,
  ) {
    const context = this.canvas.getContext('2d');
    if (!context) throw new Error('no canvas');
    this.context = context;
    this.canvas.tabIndex = -1;
    host.replaceChildren(this.canvas);
    this.rig.setMode('top');
  }

  get groundOff(): number {
    return this.info?.ground?.off ?? 0;
  }

  setScene(scene: SceneInfo): void {
    this.info = scene;
    this.rig.setBounds(scene.bounds, scene.axes);
    this.fresh = true;
    this.shade();
    const { reach, mass } = usualBody(scene);
    [this.large, this.heavy] = [reach / 0.053, mass / 0.352];
    this.traces = [];
    this.asked = [];
    this.flashes = [];
  }

  setDark(dark: boolean): void {
    this.palette = dark ? DARK : LIGHT;
    this.shade();
  }

  private shade(): void {
    const ground = this.info?.ground;
    this.relief = ground && new Relief2d(ground, this.palette === DARK ? DARK_LAND : LIGHT_LAND);
  }

  setDetail(level: Level): void {
    this.level = level;
    this.resize();
  }

  setTraceStyle(style: TraceStyle): void {
    this.traceStyle = style;
  }

  addTrace(step: Step, asked = false): void {
    const traces = asked ? this.asked : this.traces;
    traces.push(step);
    if (traces.length > MOST_TRACE) traces.splice(0, MOST_TRACE / 4);
  }

  clearAskedTraces(): void {
    this.asked = [];
  }

  clearTraces(): void {
    this.traces = [];
  }

  flash(x: number, y: number, impulse: number): void {
    const near = this.flashes.some((flash) => Math.hypot(flash.x - x, flash.y - y) < 0.03 * this.large);
    if (!(impulse > 2e-3 * this.heavy) || near) return;
    this.flashes.push({ x, y, age: 0, strength: Math.min(1, Math.sqrt(impulse / (0.15 * this.heavy))) });
  }

  draw(playback: Playback, marks: Marks, elapsed: number): void {
    const { context, palette, info } = this;
    if (!info) return;
    this.rig.mode = 'top';
    if (this.split !== (marks.beside !== undefined)) {
      this.split = marks.beside !== undefined;
      this.rig.resize(this.width, this.canvas.clientHeight);
    }
    const selected = marks.selected;
    const body = selected === undefined ? undefined : info.bodies[selected];
    const { shown } = playback;
    if (this.fresh && info.ground) this.rig.approach(nearView(info, playback));
    this.fresh = false;
    const pose = this.rig.update(
      body && { x: shown.x[body.number]!, y: shown.y[body.number]!, heading: 0, height: 0, reach: body.reach }, elapsed,
    );
    this.middle = [pose.target[0], pose.target[1]];
    this.scale = 1 / this.rig.metresPerPixel(this.canvas.clientHeight);
    const ratio = this.canvas.width / Math.max(1, this.canvas.clientWidth);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = css(palette.background);
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    const courses = (mine: (look: CourseLook) => boolean) => this.drawCourses(marks.courses.filter(mine), shown.runTimeS);
    this.within(0, ratio, () => {
      this.drawField(info);
      this.drawTraces(info);
      courses(({ beside }) => !beside);
      for (const item of info.bodies) this.drawBody(item, shown.x[item.number]!, shown.y[item.number]!, shown.heading[item.number]!);
      for (const ghost of marks.ghosts) if (ghost.visible && ghost.key !== marks.beside) this.drawGhost(ghost);
      drawSketch(context, marks.sketch, palette, 1 / this.scale);
      this.drawMarks(info, marks, playback);
      this.drawFlashes(elapsed);
    });
    const other = marks.ghosts.find(({ key }) => key === marks.beside);
    if (!this.split) return;
    this.within(1, ratio, () => {
      this.drawField(info);
      courses(({ beside }) => beside);
      if (!other?.visible) return;
      const { x, y, heading } = other.shown;
      for (const item of other.scene.bodies) this.drawBody(item, x[item.number]!, y[item.number]!, heading[item.number]!);
    });
  }

  /** Draws one of the pictures that lie beside one another, in metres. */
  private within(which: number, ratio: number, draw: () => void): void {
    const { context } = this;
    const wide = this.width * ratio;
    const k = this.scale * ratio;
    const { right, away } = this.rig.axes;
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.beginPath();
    context.rect(which * wide, 0, wide, this.canvas.height);
    context.clip();
    context.setTransform(
      k * right[0], -k * away[0], k * right[1], -k * away[1],
      (which + 0.5) * wide - k * along(this.middle, right), this.canvas.height / 2 + k * along(this.middle, away),
    );
    draw();
    context.restore();
  }

  /** Of one picture, CSS pixels. */
  private get width(): number {
    return this.split ? this.canvas.clientWidth / 2 : this.canvas.clientWidth;
  }

  resize(): void {
    const ratio = Math.min(Math.max(1, window.devicePixelRatio), this.level.ratio);
    this.canvas.width = Math.max(1, Math.round(this.canvas.clientWidth * ratio));
    this.canvas.height = Math.max(1, Math.round(this.canvas.clientHeight * ratio));
    this.rig.resize(this.width, this.canvas.clientHeight);
  }

  pick(px: number, py: number, { shown }: Playback): number | undefined {
    const [x, y] = this.ground(px, py);
    let best: number | undefined;
    let nearest = Infinity;
    for (const body of this.info?.bodies ?? []) {
      const off = Math.hypot(shown.x[body.number]! - x, shown.y[body.number]! - y);
      if (off < Math.max(body.reach, 8 / this.scale) && off < nearest) {
        nearest = off;
        best = body.number;
      }
    }
    return best;
  }

  ground(px: number, py: number): [number, number] {
    const { right, away } = this.rig.axes;
    const wide = ((px % this.width) - this.width / 2) / this.scale;
    const far = (this.canvas.clientHeight / 2 - py) / this.scale;
    return [this.middle[0] + wide * right[0] + far * away[0], this.middle[1] + wide * right[1] + far * away[1]];
  }

  project(body: number, { shown }: Playback): [number, number] | undefined {
    return shown.x[body] === undefined ? undefined : this.screen(shown.x[body]!, shown.y[body]!);
  }

  screen(x: number, y: number): [number, number] {
    const { right, away } = this.rig.axes;
    const off: [number, number] = [x - this.middle[0], y - this.middle[1]];
    return [
      this.width / 2 + along(off, right) * this.scale,
      this.canvas.clientHeight / 2 - along(off, away) * this.scale,
    ];
  }

  dispose(): void {
    this.info = undefined;
  }

  private polygon(points: readonly number[], close = true): void {
    this.context.beginPath();
    for (let i = 0; i + 1 < points.length; i += 2) this.context.lineTo(points[i]!, points[i + 1]!);
    if (close) this.context.closePath();
  }

  private drawField({ bounds, source, materials }: SceneInfo): void {
    const { context, palette } = this;
    if (this.relief) {
      this.relief.draw(context, 1 / this.scale);
    } else {
      context.fillStyle = css(groundColour(source) ?? palette.field);
      context.fillRect(bounds.minX, bounds.minY, bounds.maxX - bounds.minX, bounds.maxY - bounds.minY);
    }
    for (const floor of source.floors) {
      const known = materialOf(materials, floor.material);
      if (!known) continue;
      this.polygon(floor.points);
      context.fillStyle = css(known.tone);
      context.fill();
    }
    for (const zone of source.zones) {
      this.polygon(zone.points);
      context.fillStyle = `${css(zone.colour)}44`;
      context.fill();
    }
    for (const marking of source.markings) {
      this.polygon(marking.points, false);
      context.strokeStyle = css(marking.colour);
      context.lineWidth = marking.width || 0.006;
      context.stroke();
    }
    for (const wall of source.walls) {
      this.polygon(wall.points);
      // From above it is the top that is seen, and a little of the sides around it.
      const top = materialOf(materials, wall.top);
      context.fillStyle = css(top?.tone ?? wall.colour);
      context.strokeStyle = css(wall.colour);
      context.lineWidth = Math.max(0.003, 1.5 / this.scale);
      context.fill();
      // A thin one is seen at any distance, and so is one whose top is like the ground beside it.
      const edged = top !== undefined && top.tone !== wall.colour;
      if (edged || wall.points.length <= 4 || this.scale < 100) context.stroke();
    }
  }

  private drawTraces(info: SceneInfo): void {
    const { context } = this;
    context.lineWidth = 2 / this.scale;
    for (const step of this.traceStyle === 'off' ? this.asked : [...this.traces, ...this.asked]) {
      if (step.gap) continue;
      context.strokeStyle = step.odometry ? css(this.palette.odometry) : css(info.bodies[step.body]?.colour ?? 0);
      context.beginPath();
      context.moveTo(step.fromX, step.fromY);
      context.lineTo(step.toX, step.toY);
      if (this.traceStyle === 'arrows') {
        const back = 6 / this.scale;
        for (const side of [2.6, -2.6]) {
          context.moveTo(step.toX, step.toY);
          context.lineTo(step.toX + back * Math.cos(step.heading + side), step.toY + back * Math.sin(step.heading + side));
        }
      }
      context.stroke();
    }
  }

  /** What is to come fainter than what was. */
  private drawCourses(looks: readonly CourseLook[], runTimeS: number): void {
    const { context } = this;
    context.lineWidth = 2 / this.scale;
    for (const { course: { count, pieces, times, startS }, colour, style } of looks) {
      context.strokeStyle = css(colour);
      const back = 7 / this.scale;
      let way = 0;
      for (const later of [false, true]) {
        context.globalAlpha = later ? 0.35 : 0.95;
        context.beginPath();
        for (let i = 0; i < count; i++) {
          if (times[i]! > runTimeS - startS !== later) continue;
          const [ax, ay, bx, by] = [pieces[4 * i]!, pieces[4 * i + 1]!, pieces[4 * i + 2]!, pieces[4 * i + 3]!];
          context.moveTo(ax, ay);
          context.lineTo(bx, by);
          way += Math.hypot(bx - ax, by - ay);
          if (style !== 'arrows' || way < 3 * back) continue;
          way = 0;
          const heading = Math.atan2(by - ay, bx - ax);
          for (const side of [2.6, -2.6]) {
            context.moveTo(bx, by);
            context.lineTo(bx + back * Math.cos(heading + side), by + back * Math.sin(heading + side));
          }
        }
        context.stroke();
      }
    }
    context.globalAlpha = 1;
  }

  private drawGhost({ scene, shown, tint }: GhostLook): void {
    const { context } = this;
    context.globalAlpha = 0.5;
    for (const body of scene.bodies) {
      const [x, y] = [shown.x[body.number]!, shown.y[body.number]!];
      if (Number.isFinite(x) && Number.isFinite(y)) this.drawBody({ ...body, colour: tint, source: { ...body.source, material: 0, lid: 0 } }, x, y, shown.heading[body.number]!);
    }
    context.globalAlpha = 1;
  }

  private drawBody(body: BodyInfo, x: number, y: number, heading: number): void {
    const { context } = this;
    context.save();
    context.translate(x, y);
    context.rotate(heading);
    if (body.vehicle) {
      const { wheels, chassis: { min, max } } = body.vehicle;
      context.fillStyle = '#24282d';
      for (const { x: wx, y: wy, radius, width } of wheels) context.fillRect(wx - radius, wy - width / 2, 2 * radius, Math.max(width, 0.3 * radius));
      context.fillStyle = css(body.colour);
      context.beginPath();
      context.roundRect(min[0], min[1], max[0] - min[0], max[1] - min[1], 0.12 * (max[1] - min[1]));
      context.fill();
    }
    const { tag } = body.source;
    const lid = materialOf(this.info?.materials ?? [], body.source.lid)?.tone ?? (tag.length > 0 ? 0x1d2228 : body.colour);
    for (const part of body.vehicle ? [] : body.source.outlines) this.fillOutline(part, lid);
    for (const { outline, colour } of tag) if (outline) this.fillOutline(outline, colour);
    if (body.kind === 'robot' && tag.length === 0) {
      const r = 0.6 * body.reach;
      context.fillStyle = css(body.tagColour);
      context.fillRect(-0.85 * r, -0.6 * r, 0.4 * r, 1.2 * r);
      context.fillStyle = '#1d2228';
      this.polygon([0.45 * r, -0.5 * r, 0.9 * r, 0, 0.45 * r, 0.5 * r]);
      context.fill();
    }
    context.restore();
  }

  private fillOutline({ radius, x, y, points }: Outline, colour: number): void {
    const { context } = this;
    context.fillStyle = css(colour);
    if (radius > 0) {
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
    } else {
      this.polygon(points);
    }
    context.fill();
  }

  private drawMarks(info: SceneInfo, marks: Marks, { shown }: Playback): void {
    const { context } = this;
    const rings: [number | undefined, string][] = [[marks.hovered, '#ffffff99'], [marks.selected, css(this.palette.accent)]];
    context.lineWidth = 2.5 / this.scale;
    for (const [n, colour] of rings) {
      const body = n === undefined ? undefined : info.bodies[n];
      if (!body) continue;
      context.strokeStyle = colour;
      context.beginPath();
      context.arc(shown.x[body.number]!, shown.y[body.number]!, 1.25 * body.reach, 0, 2 * Math.PI);
      context.stroke();
    }
    const { gesture } = marks;
    const held = gesture && info.bodies[gesture.body];
    if (!gesture || !held) return;
    if (gesture.kind === 'place') {
      context.globalAlpha = 0.5;
      this.drawBody(held, gesture.toX, gesture.toY, gesture.heading);
      context.globalAlpha = 1;
      return;
    }
    if (gesture.kind === 'goal') {
      context.globalAlpha = 0.5;
      this.drawBody(held, gesture.fromX, gesture.fromY, gesture.heading);
      context.globalAlpha = 1;
    }
    context.strokeStyle = css(this.palette.accent);
    context.beginPath();
    context.moveTo(gesture.fromX, gesture.fromY);
    context.lineTo(gesture.toX, gesture.toY);
    if (gesture.kind === 'goal') {
      const back = 12 / this.scale;
      for (const side of [2.6, -2.6]) {
        context.moveTo(gesture.toX, gesture.toY);
        context.lineTo(gesture.toX + back * Math.cos(gesture.heading + side), gesture.toY + back * Math.sin(gesture.heading + side));
      }
    }
    context.stroke();
  }

  private drawFlashes(elapsed: number): void {
    const { context } = this;
    this.flashes = this.flashes.filter((flash) => (flash.age += elapsed) < 0.35);
    context.strokeStyle = css(this.palette.flash);
    for (const { x, y, age, strength } of this.flashes) {
      context.globalAlpha = 1 - age / 0.35;
      context.lineWidth = 3 / this.scale;
      context.beginPath();
      context.arc(x, y, this.large * (0.01 + 0.04 * strength) * (0.5 + 2 * age), 0, 2 * Math.PI);
      context.stroke();
    }
    context.globalAlpha = 1;
  }
}

/** How far a vector goes in a direction. */
function along(vector: readonly [number, number], direction: readonly [number, number]): number {
  return vector[0] * direction[0] + vector[1] * direction[1];
}
