// What is shown over the run: other recordings, another future of it, measured paths. No browser needed.

import { GhostKind, type Body, type Ghost, type Ghosts } from '../proto/live.js';
import { wrap } from './angle';
import { clamp } from './axis';
import { courseOf, middles, type Course } from './course';
import type { MeasuredPath } from './paths';
import type { Shown } from './playback';
import { ofAttitude, slerp, unit } from './quaternion';
import { withBodies, type BodyInfo, type SceneInfo } from './scene';
import type { Curve, SeriesQuestion } from './series';

/** Told apart from one another, from teams' colours and on any ground. */
export const TINTS = [0xb26bff, 0x19c8d8, 0xffa02e, 0xff5fa8, 0xa4d82c, 0x5b8dff, 0xe8d24a, 0xf0705a];

export type WayStyle = 'line' | 'arrows' | 'off';

export interface GhostInfo {
  /** Unique: "3" as the simulator counts, or "path-1" of a file that only this page has. */
  readonly key: string;
  /** As the simulator counts; undefined of this page's own. */
  readonly number: number | undefined;
  readonly name: string;
  readonly kind: 'recording' | 'path' | 'future';
  readonly tint: number;
  readonly beginS: number;
  readonly endS: number;
  /** What it shows, m; of several bodies one each. */
  courses: readonly Course[];
  /** Its bodies; none of a path. */
  readonly bodies: readonly Body[];
  readonly channels: readonly string[];
  visible: boolean;
  way: WayStyle;
}

export class GhostTable {
  all: readonly GhostInfo[] = [];
  private own = 0;

  /** Another connection: what that one showed is told anew. */
  begin(): void {
    this.all = this.all.filter(({ number }) => number === undefined);
  }

  get(key: string | undefined): GhostInfo | undefined {
    return this.all.find((ghost) => ghost.key === key);
  }

  /** All that the simulator shows; what was chosen for those that were there stays. */
  take({ ghosts }: Ghosts): void {
    const told = ghosts.map((ghost) => {
      const known = this.all.find(({ number }) => number === ghost.number);
      const same = known && known.endS === ghost.end_s && known.beginS === ghost.begin_s && known.name === ghost.name;
      return same ? known : this.make(ghost, known);
    });
    this.all = [...told, ...this.all.filter(({ number }) => number === undefined)];
  }

  /** A measured path that only this page shows. */
  addPath(name: string, path: MeasuredPath, least: number): GhostInfo {
    const ghost: GhostInfo = {
      key: `path-${++this.own}`, number: undefined, name, kind: 'path', tint: this.freeTint(), beginS: path.times[0]!, endS: path.times.at(-1)!,
      courses: [courseOf(path.times, path.x, path.y, least)], bodies: [], channels: [], visible: true, way: 'line',
    };
    this.all = [...this.all, ghost];
    return ghost;
  }

  removeOwn(key: string): void {
    this.all = this.all.filter((ghost) => ghost.key !== key || ghost.number !== undefined);
  }

  private make(ghost: Ghost, known: GhostInfo | undefined): GhostInfo {
    const { number, name, begin_s, end_s, bodies, channels } = ghost;
    const kind = ghost.kind === GhostKind.PATH ? 'path' : ghost.kind === GhostKind.FUTURE ? 'future' : 'recording';
    return {
      key: String(number), number, name, kind, tint: known?.tint ?? this.freeTint(ghost), beginS: begin_s, endS: end_s,
      courses: known?.courses ?? [], bodies, channels, visible: known?.visible ?? true, way: known?.way ?? 'line',
    };
  }

  private freeTint(ghost?: Ghost): number {
    const taken = new Map<number, number>();
    for (const { tint } of this.all) taken.set(tint, (taken.get(tint) ?? 0) + 1);
    // Several that come at once, as on connecting, differ by their numbers.
    const first = ghost ? ghost.number - 1 : 0;
    const order = TINTS.map((_, i) => TINTS[(first + i) % TINTS.length]!);
    return order.reduce((best, tint) => ((taken.get(tint) ?? 0) < (taken.get(best) ?? 0) ? tint : best), order[0]!);
  }
}

/** The channels of a body's pose, as far as a ghost has them. */
const PLANE = ['x', 'y', 'heading'] as const;
const TURN = ['orientation.w', 'orientation.x', 'orientation.y', 'orientation.z'] as const;
const SPACE = ['z', 'roll', 'pitch', ...TURN] as const;
type Quantity = (typeof PLANE)[number] | (typeof SPACE)[number];

export function prefixOf({ kind, name }: Pick<BodyInfo, 'kind' | 'name'>): string {
  return `${kind}.${name}.`;
}

/** How much of a ghost's motion is held, s, at a rate of 1; and points of it, a second. */
const HELD_S = 12;
const POINTS = 720;
/** Another stretch is asked for when this share of what is held is left ahead. */
const AHEAD = 0.25;
/** A ghost is not shown before it began, s. */
const BEFORE_S = 0.05;

/** The motion of a ghost's bodies around the instant that is shown. */
export class GhostMotion {
  readonly scene: SceneInfo;
  private readonly wanted: string[];
  private held: readonly [number, number] | undefined;
  /** One value at a time. */
  private tracks = new Map<string, Track>();
  private asked: readonly [number, number] | undefined;

  constructor(readonly ghost: GhostInfo, scene: SceneInfo) {
    this.scene = withBodies(scene, ghost.bodies);
    const has = new Set(ghost.channels);
    const quantities = [...PLANE, ...(scene.ground ? SPACE : [])];
    this.wanted = this.scene.bodies.flatMap((body) => quantities.map((quantity) => prefixOf(body) + quantity)).filter((name) => has.size === 0 || has.has(name));
  }

  /** What is to be asked for so that this instant and those after it can be shown; undefined while all is there. */
  question(timeS: number, direction: number, rate: number): SeriesQuestion | undefined {
    const { ghost } = this;
    const length = HELD_S * Math.max(1, rate);
    const at = clamp(timeS, ghost.beginS, ghost.endS);
    const covers = (stretch: readonly [number, number] | undefined) => {
      if (!stretch) return false;
      const [from, to] = stretch;
      const ahead = AHEAD * (to - from);
      const later = direction > 0 ? Math.min(ghost.endS, at + ahead) : at;
      const earlier = direction > 0 ? at : Math.max(ghost.beginS, at - ahead);
      return from <= earlier + 1e-6 && later <= to + 1e-6 && to - from <= 2.5 * length;
    };
    if (covers(this.asked) || covers(this.held)) return undefined;
    const behind = direction > 0 ? 0.25 : 0.75;
    this.asked = [Math.max(ghost.beginS, at - behind * length), Math.min(ghost.endS, at + (1 - behind) * length)];
    const [beginS, endS] = this.asked;
    return { channels: this.wanted, beginS, endS, points: POINTS, source: ghost.number! };
  }

  take(curves: ReadonlyMap<string, Curve>): void {
    const all = [...curves];
    const thinned = all.some(([, { low, high }]) => low.some((value, i) => value !== high[i] && !Number.isNaN(value)));
    this.tracks = new Map(all.map(([name, curve]) => [name, trackOf(curve, thinned, name.endsWith('.heading'))]));
    this.held = this.asked;
    this.asked = undefined;
  }

  /** The question was not answered: it may be asked again. */
  giveUp(): void {
    this.asked = undefined;
  }

  /** Puts the bodies where they are at an instant; false where that is not known, or before it began. After its end it stands
   * there. */
  put(shown: Shown, timeS: number): boolean {
    const first = this.scene.bodies[0];
    const track = first && this.tracks.get(prefixOf(first) + 'x');
    if (!track || track.times.length === 0 || timeS < this.ghost.beginS - BEFORE_S) return false;
    const at = clamp(timeS, this.ghost.beginS, this.ghost.endS);
    for (const body of this.scene.bodies) {
      const prefix = prefixOf(body);
      const x = this.tracks.get(prefix + 'x');
      if (!x) continue;
      const i = place(x.times, at);
      const [a, b] = [x.times[i]!, x.times[i + 1] ?? x.times[i]!];
      const share = b > a ? clamp((at - a) / (b - a), 0, 1) : 0;
      const value = (quantity: Quantity) => this.between(prefix + quantity, i, share);
      shown.x[body.number] = value('x') ?? NaN;
      shown.y[body.number] = value('y') ?? NaN;
      shown.heading[body.number] = this.turned(prefix + 'heading', i, share);
      if (shown.space) this.tilt(shown, body, i, share);
    }
    shown.timeS = shown.runTimeS = at;
    return true;
  }

  private tilt({ space, heading }: Shown, { number: n }: BodyInfo, i: number, share: number): void {
    const prefix = prefixOf(this.scene.bodies[n]!);
    space!.z[n] = this.between(prefix + 'z', i, share) ?? 0;
    const at = (k: number) => {
      const [w, x, y, z] = TURN.map((part) => this.value(prefix + part, k)) as [number, number, number, number];
      return unit([w, x, y, z]);
    };
    if (this.tracks.has(prefix + TURN[0])) space!.setRotation(n, slerp(at(i), at(i + 1), share));
    else space!.setRotation(n, ofAttitude(heading[n]!, this.between(prefix + 'roll', i, share) ?? 0, this.between(prefix + 'pitch', i, share) ?? 0));
  }

  private value(name: string, i: number): number {
    const values = this.tracks.get(name)?.values ?? [];
    return values[Math.min(i, values.length - 1)] ?? NaN;
  }

  private between(name: string, i: number, share: number): number | undefined {
    const [a, b] = [this.value(name, i), this.value(name, i + 1)];
    if (Number.isNaN(a)) return Number.isNaN(b) ? undefined : b;
    return Number.isNaN(b) ? a : a + share * (b - a);
  }

  /** Headings go the short way round. */
  private turned(name: string, i: number, share: number): number {
    const a = this.value(name, i) || 0;
    return a + share * wrap((this.value(name, i + 1) || 0) - a);
  }
}

interface Track {
  readonly times: readonly number[];
  readonly values: readonly number[];
}

/** `thinned`: a point stands for all values up to the next one. Of what went round meanwhile the middle says nothing. */
function trackOf({ times, low, high }: Curve, thinned: boolean, isAngle: boolean): Track {
  return {
    times: thinned ? times.map((time, i) => 0.5 * (time + (times[i + 1] ?? time))) : times,
    values: low.map((value, i) => (isAngle && high[i]! - value > Math.PI ? high[i]! : 0.5 * (value + high[i]!))),
  };
}

/** The last instant that is not later; the first where all are. */
function place(times: readonly number[], at: number): number {
  let [low, high] = [0, times.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle]! <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The ways of bodies or of a path, out of curves of their x and y. */
export function coursesOf(curves: ReadonlyMap<string, Curve>, prefixes: readonly string[], least: number): Course[] {
  return prefixes.flatMap((prefix) => {
    const [x, y] = [curves.get(`${prefix}x`), curves.get(`${prefix}y`)];
    if (!x || !y || x.times.length !== y.times.length) return [];
    const { times, values } = middles(x);
    return [courseOf(times, values, middles(y).values, least)];
  });
}
