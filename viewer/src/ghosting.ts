// What is compared with the run: ghosts and measured paths, and the whole ways of the run itself.

import type { App } from './app';
import type { Ghosts } from './proto/live.js';
import { coursesOf, GhostMotion, GhostTable, prefixOf, type GhostInfo, type WayStyle } from './state/ghosts';
import { looksLikePath, MOST_PATH_BYTES, readPath } from './state/paths';
import { Shown } from './state/playback';
import { usualBody, type SceneInfo } from './state/scene';
import { Space } from './state/space';
import { leastDistance } from './state/trace';
import { t } from './text';
import { refusalText } from './text/server';
import type { CourseLook, GhostLook } from './view';

/** Points of a way over a whole run. */
const WAY_POINTS = 3000;
/** Ways of more robots than this are a carpet: then only that of the selected one is drawn. */
const MOST_WAYS = 60;
/** A run's own ways are paler than its bodies, as traces are. */
const PALE = 0.3;

interface Held {
  motion: GhostMotion;
  look: GhostLook;
}

export class Ghosting {
  readonly table = new GhostTable();
  /** The ghost that is shown beside the run, by its key. */
  beside: string | undefined;
  /** Whether ghosts are shown at all. */
  on = true;
  looks: readonly GhostLook[] = [];
  courses: readonly CourseLook[] = [];
  private held = new Map<string, Held>();
  /** The run's own ways; undefined: not known. */
  private own: CourseLook[] = [];
  private ownFor = '';

  constructor(private readonly app: App) {
    app.on('timeline', ({ mode, course }) => {
      if (course) this.ownFor = '';
      if (mode || course) this.askOwn();
    });
    for (const topic of ['settings', 'selection'] as const) app.on(topic, () => this.askOwn());
    app.on('scene', () => this.rescale());
  }

  /** Another connection. */
  begin(): void {
    this.table.begin();
    this.ownFor = '';
    this.changed();
  }

  take(ghosts: Ghosts): void {
    const before = this.table.all;
    this.table.take(ghosts);
    for (const ghost of this.table.all) if (ghost.number !== undefined && !before.includes(ghost)) this.askWays(ghost);
    this.changed();
  }

  // ---- what people do

  setVisible(ghost: GhostInfo, visible: boolean): void {
    ghost.visible = visible;
    this.changed();
  }

  setWay(ghost: GhostInfo, way: WayStyle): void {
    ghost.way = way;
    this.changed();
  }

  setBeside(key: string | undefined): void {
    this.beside = key;
    const ghost = this.table.get(key);
    if (ghost) ghost.visible = true;
    this.changed();
  }

  setOn(on: boolean): void {
    this.on = on;
    this.changed();
  }

  remove(ghost: GhostInfo): void {
    if (ghost.number === undefined) this.table.removeOwn(ghost.key);
    else if (!this.app.refuses('control')) this.app.send({ change_ghosts: { remove: ghost.number } });
    this.changed();
  }

  /** A recording, or a path, in the folder for recordings. */
  add(file: string): void {
    if (!this.app.refuses('control')) this.app.send({ change_ghosts: { add: file } });
  }

  /** Shows a file: a recording, or a measured path. False where it is neither: then it is something else. */
  async open(file: File): Promise<boolean> {
    const { app } = this;
    if (await isRecording(file)) {
      await this.upload(file);
      return true;
    }
    if (!looksLikePath(await file.slice(0, 65_536).text())) return false;
    const error = (text: string) => app.emit('notice', { level: 'error', text });
    if (file.size > MOST_PATH_BYTES) error(t('pathLarge', { name: file.name, most: MOST_PATH_BYTES / 1024 / 1024 }));
    else {
      const path = readPath(await file.text());
      if ('line' in path) {
        const expected = path.expected === 'order' ? t('pathOrder') : path.expected === 0 ? t('pathThreeOrFour') : path.expected === 3 ? 'x y z' : 't x y z';
        error(t('pathBad', { name: file.name, line: path.line, expected, got: path.got }));
      } else {
        this.table.addPath(file.name, path, app.scene ? this.least(app.scene) : 0.01);
        this.on = true;
        this.changed();
      }
    }
    return true;
  }

  /** Only the simulator reads recordings. */
  private async upload(file: File): Promise<void> {
    const { app } = this;
    if (app.refuses('control')) return;
    app.emit('notice', { level: 'info', text: t('uploading', { name: file.name }) });
    const why = await app.recordings.send(file);
    if (why === undefined) this.add(file.name);
    else app.emit('notice', { level: 'error', text: t('uploadFailed', { name: file.name, why }) });
  }

  // ---- what is drawn

  /** Before each picture: bodies where they are at the instant that is shown. */
  update(timeS: number): void {
    const { travel, desk } = this.app.travelling;
    const rate = travel.isAway ? (travel.isPlaying ? Math.abs(travel.now!.speed) : 1) : (this.app.status?.real_time_factor ?? 1);
    for (const [key, { motion, look }] of this.held) {
      const ghost = this.table.get(key);
      const wanted = this.on && ghost?.visible === true;
      const question = wanted && this.app.isConnected ? motion.question(timeS, travel.direction, rate) : undefined;
      if (question) {
        desk.ask(`motion ${key}`, question, (answer) => {
          if ('curves' in answer) motion.take(answer.curves);
          else motion.giveUp();
        });
      }
      look.visible = wanted && motion.put(look.shown, timeS);
    }
  }

  /** Other ghosts, or others of them are seen. */
  private changed(): void {
    const { app, table } = this;
    if (!table.all.some(({ key, bodies }) => key === this.beside && bodies.length > 0)) this.beside = undefined;
    const { scene } = app;
    const wanted = scene ? table.all.filter(({ bodies }) => bodies.length > 0) : [];
    const before = this.held;
    this.held = new Map(wanted.map((ghost) => {
      const known = before.get(ghost.key);
      return [ghost.key, known?.motion.ghost === ghost ? known : this.hold(ghost, scene!)];
    }));
    const looks = [...this.held.values()].map(({ look }) => look);
    if (looks.length !== this.looks.length || looks.some((look, i) => look !== this.looks[i])) this.looks = looks;
    this.lay();
    app.emit('ghosts', table.all);
  }

  private hold(ghost: GhostInfo, scene: SceneInfo): Held {
    const motion = new GhostMotion(ghost, scene);
    const shown = new Shown(motion.scene.bodies.length, Space.for(motion.scene));
    return { motion, look: { key: ghost.key, scene: motion.scene, tint: ghost.tint, shown, visible: false } };
  }

  /** The ways that are drawn, anew. */
  private lay(): void {
    const ghosts = this.table.all.filter(({ visible, way }) => this.on && visible && way !== 'off').flatMap(({ key, courses, tint, way }) =>
      courses.map((course) => ({ course, colour: tint, style: way as 'line' | 'arrows', ghost: key, beside: key === this.beside })));
    const { traces } = this.app.settings;
    const own = traces === 'off' || !this.app.travelling.travel.isAway ? [] : this.own.map((look) => ({ ...look, style: traces }));
    this.courses = [...own, ...ghosts];
  }

  private least(scene: SceneInfo): number {
    return 0.15 * usualBody(scene).reach;
  }

  private rescale(): void {
    this.held.clear();
    this.ownFor = '';
    for (const ghost of this.table.all) if (ghost.number !== undefined && ghost.courses.length === 0) this.askWays(ghost);
    this.askOwn();
    this.changed();
  }

  private askWays(ghost: GhostInfo): void {
    const { scene } = this.app;
    if (!scene) return;
    const robots = new GhostMotion(ghost, scene).scene.bodies.filter(({ kind }) => kind === 'robot').slice(0, MOST_WAYS);
    const prefixes = ghost.kind === 'path' ? [''] : robots.map(prefixOf);
    const question = { channels: prefixes.flatMap((prefix) => [`${prefix}x`, `${prefix}y`]), beginS: ghost.beginS, endS: ghost.endS, points: WAY_POINTS, source: ghost.number! };
    this.app.travelling.desk.ask(`ways ${ghost.key}`, question, (answer) => {
      if (!('curves' in answer)) return this.tell(answer.refusal && refusalText(answer.refusal, ''));
      ghost.courses = coursesOf(answer.curves, prefixes, this.least(scene));
      this.changed();
    });
  }

  /** The ways of the run itself, where another instant than its newest is shown and traces are wanted. */
  private askOwn(): void {
    const { app } = this;
    const { scene, travelling: { travel, desk }, settings } = app;
    const few = (scene?.robots.length ?? 0) <= MOST_WAYS;
    const robots = few ? (scene?.robots ?? []) : app.body(app.selected)?.kind === 'robot' ? [app.selected!] : [];
    const wanted = scene && travel.isAway && settings.traces !== 'off' && robots.length > 0;
    const key = wanted ? JSON.stringify([scene.generation, travel.now!.course, travel.mode, travel.now!.begin_s, travel.now!.end_s, robots]) : this.ownFor;
    if (!wanted || key === this.ownFor) return this.lay();
    this.ownFor = key;
    this.own = [];
    this.lay();
    const bodies = robots.map((n) => scene.bodies[n]!);
    const channels = bodies.flatMap((body) => [`${prefixOf(body)}x`, `${prefixOf(body)}y`]);
    const { begin_s: beginS, end_s: endS } = travel.now!;
    desk.ask('ways', { channels, beginS, endS, points: WAY_POINTS, source: 0 }, (answer) => {
      if (key !== this.ownFor || !('curves' in answer)) return;
      this.own = bodies.flatMap((body) => coursesOf(answer.curves, [prefixOf(body)], leastDistance(body))
        .map((course) => ({ course, colour: pale(body.colour), style: 'line' as const, ghost: undefined, beside: false })));
      this.lay();
    });
  }

  private tell(text: string | undefined): void {
    if (text) this.app.emit('notice', { level: 'warning', text });
  }
}

/** As MCAP files begin. */
const MCAP = [0x89, 0x4d, 0x43, 0x41, 0x50];

async function isRecording(file: File): Promise<boolean> {
  const first = new Uint8Array(await file.slice(0, MCAP.length).arrayBuffer());
  return MCAP.every((byte, i) => first[i] === byte);
}

function pale(colour: number): number {
  const part = (shift: number) => {
    const value = (colour >> shift) & 0xff;
    return Math.round(value + PALE * (255 - value)) << shift;
  };
  return part(16) | part(8) | part(0);
}
