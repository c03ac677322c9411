// The picture in three dimensions.

import * as THREE from 'three';
import type { Playback } from '../state/playback';
import { rotate } from '../state/quaternion';
import { nearView } from '../state/near';
import { usualBody, type BodyInfo, type SceneInfo } from '../state/scene';
import type { Level } from '../state/detail';
import type { Step } from '../state/trace';
import type { Marks, View } from '../view';
import { Bodies, deckOf, type Detail } from './bodies';
import { Courses } from './courses';
import { MOST_SEEN } from './cutaway';
import { Field } from './field';
import { Flashes } from './flashes';
import { Ghosts } from './ghosts';
import { DARK_LAND, LIGHT_LAND } from './land';
import { Landscape } from './landscape';
import { Loads } from './loads';
import { Overlay } from './overlay';
import { DARK, LIGHT, type Palette } from './palette';
import { CameraRig, type Followed } from './rig';
import { Screen } from './screen';
import { Sky } from './sky';
import { Strokes } from './strokes';
import { Traces, type TraceStyle } from './traces';

/** With more bodies than this, shadows cost more than they show. */
const MOST_SHADOWED = 600;
const TRACE_PIXELS = 2.5;
/** A ring around a body is at least so large on the screen. */
const LEAST_RING_PIXELS = 13;

export class View3d implements View {
  readonly kind = '3d';
  readonly rig = new CameraRig();
  private readonly display: Screen;
  private readonly scene = new THREE.Scene();
  private readonly camera = new THREE.PerspectiveCamera(38, 1, 0.01, 100);
  private readonly sky = new THREE.HemisphereLight();
  private readonly sun = new THREE.DirectionalLight();
  private readonly raycaster = new THREE.Raycaster();
  private palette: Palette = LIGHT;
  private info: SceneInfo | undefined;
  private field: Field | Landscape | undefined;
  /** Whether nothing of the scene was drawn yet. */
  private fresh = true;
  private heavens: Sky | undefined;
  private readonly loads = new Loads();
  private bodies: Bodies | undefined;
  private flashes = new Flashes(LIGHT.flash);
  private traces = new Traces(LIGHT.odometry);
  /** Those that programs want to be seen. */
  private asked = new Traces(LIGHT.odometry);
  private overlay = new Overlay(LIGHT.accent);
  private readonly strokes = new Strokes();
  private readonly ghosts = new Ghosts();
  private readonly courses = new Courses();
  /** Whether a second picture lies beside this one. */
  private split = false;
  private decks = new Map<number, { x: number; y: number }>();

  /** Throws where the browser offers no WebGL. */
  constructor(
    host: HTMLElement,
    private level: Level,
  ) {
    this.display = new Screen(host, level);
    this.camera.up.set(0, 0, 1);
    this.rig.eased = level.fine;
    this.scene.add(this.sky, this.sun, this.sun.target);
    this.scene.add(this.flashes.points, this.traces.group, this.asked.group, this.overlay.group, this.strokes.mesh, this.loads.group, this.ghosts.group, this.courses.group);
    this.setTraceStyle('off');
    this.setDark(false);
  }

  get canvas(): HTMLCanvasElement {
    return this.display.canvas;
  }

  get busy(): boolean {
    return this.display.busy;
  }

  setDetail(level: Level): void {
    const before = this.level;
    this.level = level;
    this.rig.eased = level.fine;
    this.display.setLevel(level);
    if (this.info && (level.shadows !== before.shadows || level.fine !== before.fine || level.smooth !== before.smooth)) this.build();
  }

  get groundOff(): number {
    return this.field instanceof Landscape ? this.field.off : 0;
  }

  setScene(scene: SceneInfo): void {
    this.info = scene;
    const tallest = Math.max(0, ...scene.robots.slice(0, 100).map((n) => topOf(scene.bodies[n]!)));
    this.rig.ground = this.overlay.ground = scene.ground;
    this.rig.setBounds(scene.bounds, scene.axes, tallest);
    this.fresh = true;
    for (const traces of [this.traces, this.asked, this.courses]) traces.setGround(scene.ground);
    this.decks.clear();
    this.flashes.clear();
    this.traces.clear();
    this.asked.clear();
    this.setScale(scene);
    this.build();
  }

  setDark(dark: boolean): void {
    this.palette = dark ? DARK : LIGHT;
    const { palette } = this;
    this.scene.background = new THREE.Color(palette.background);
    this.sky.color.set(palette.sky);
    this.sky.groundColor.set(palette.edge);
    this.sky.intensity = palette.skyStrength;
    this.sky.position.set(0, 0, 1);
    this.sun.color.set(palette.sun);
    this.sun.intensity = palette.sunStrength;
    this.scene.remove(this.overlay.group, this.flashes.points);
    this.overlay.dispose();
    this.flashes.dispose();
    this.overlay = new Overlay(palette.accent);
    this.overlay.ground = this.info?.ground;
    this.flashes = new Flashes(palette.flash);
    this.scene.add(this.overlay.group, this.flashes.points);
    this.strokes.setPalette(palette);
    if (this.info) {
      this.setScale(this.info);
      this.build();
    }
  }

  setTraceStyle(style: TraceStyle): void {
    this.traces.setStyle(style);
    this.asked.setStyle(style === 'off' ? 'line' : style);
  }

  addTrace(step: Step, asked = false): void {
    const body = this.info?.bodies[step.body];
    if (body) (asked ? this.asked : this.traces).add(step, body.colour);
  }

  clearAskedTraces(): void {
    this.asked.clear();
  }

  clearTraces(): void {
    this.traces.clear();
  }

  flash(x: number, y: number, impulse: number): void {
    this.flashes.add(x, y, impulse, this.info?.ground?.height(x, y));
  }

  draw(playback: Playback, marks: Marks, elapsed: number): void {
    const { shown, latest } = playback;
    if (this.fresh && this.info?.ground) this.rig.approach(nearView(this.info, playback));
    this.fresh = false;
    this.bodies?.update(shown, latest);
    this.divide(marks.beside !== undefined);
    this.aim(playback, marks.selected, elapsed);
    const at = (n: number | undefined) => (n === undefined ? undefined : this.info?.bodies[n]);
    const { height, ratio } = this.display;
    const width = this.width;
    const metres = this.rig.metresPerPixel(height);
    const ring = (which: 'selected' | 'hovered', n: number | undefined) =>
      this.overlay.ringAround(which, at(n), shown.x[n ?? 0] ?? 0, shown.y[n ?? 0] ?? 0, LEAST_RING_PIXELS * metres);
    ring('selected', this.rig.mode === 'first' ? undefined : marks.selected);
    ring('hovered', marks.hovered === marks.selected ? undefined : marks.hovered);
    this.overlay.show(marks.gesture, at(marks.gesture?.body));
    this.loads.update(marks.loads && this.rig.mode !== 'first' ? at(marks.selected) : undefined, shown, this.info?.ground);
    this.lookThroughWalls(playback, marks.selected);
    this.strokes.update(marks.sketch, width * ratio, height * ratio, ratio, this.camera.near);
    this.flashes.update(elapsed, height * ratio, this.camera.fov);
    for (const traces of [this.traces, this.asked]) traces.setWidth(TRACE_PIXELS * metres);
    this.ghosts.update(marks.ghosts, marks.beside);
    this.courses.update(marks.courses, shown.runTimeS, TRACE_PIXELS * metres);
    this.renderAll(marks.beside);
  }

  /** The run, and beside it that ghost in the same place, seen from the same point. */
  private renderAll(beside: string | undefined): void {
    this.ghosts.show(null);
    this.courses.show(null);
    this.display.render(this.scene, this.camera, beside === undefined ? undefined : 'left');
    if (beside === undefined) return;
    const others = [this.bodies?.group, this.flashes.points, this.traces.group, this.asked.group, this.overlay.group, this.strokes.mesh, this.loads.group];
    const hidden = others.filter((part) => part?.visible);
    for (const part of hidden) part!.visible = false;
    this.ghosts.show(beside);
    this.courses.show(beside);
    this.display.render(this.scene, this.camera, 'right');
    for (const part of hidden) part!.visible = true;
  }

  private divide(split: boolean): void {
    if (split === this.split) return;
    this.split = split;
    this.resize();
  }

  /** Of one picture, CSS pixels. */
  private get width(): number {
    return this.split ? this.display.width / 2 : this.display.width;
  }

  resize(): void {
    if (!this.display.resize()) return;
    const { height } = this.display;
    const { width } = this;
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.rig.resize(width, height);
  }

  pick(px: number, py: number, playback: Playback): number | undefined {
    const ray = this.ray(px, py);
    let best: number | undefined;
    let nearest = Infinity;
    const middle = new THREE.Vector3();
    for (const body of this.info?.bodies ?? []) {
      middle.set(playback.shown.x[body.number]!, playback.shown.y[body.number]!, middleOf(body, playback));
      const along = middle.clone().sub(ray.origin).dot(ray.direction);
      if (along <= 0) continue;
      const off = Math.sqrt(ray.distanceSqToPoint(middle));
      // Small bodies seen from afar may be missed by a finger's width.
      const room = Math.max(0.9 * body.reach, along * 0.008);
      if (off <= room && along + off < nearest) {
        nearest = along + off;
        best = body.number;
      }
    }
    return best;
  }

  ground(px: number, py: number, height: number): [number, number] | undefined {
    const { origin, direction } = this.ray(px, py);
    if (this.info?.ground) {
      const met = this.info.ground.meet(origin.toArray(), direction.toArray(), height);
      return met && [met[0], met[1]];
    }
    const along = (height - origin.z) / direction.z;
    if (!(along > 0) || along > 1000) return undefined;
    return [origin.x + along * direction.x, origin.y + along * direction.y];
  }

  project(n: number, { shown }: Playback, lift = 0): [number, number] | undefined {
    const body = this.info?.bodies[n];
    if (!body) return undefined;
    let deck = this.decks.get(n);
    if (!deck) this.decks.set(n, (deck = deckOf(body)));
    return this.onScreen(this.place(shown, n, deck.x, deck.y, body.height, lift));
  }

  screen(x: number, y: number, z: number): [number, number] | undefined {
    return this.onScreen(new THREE.Vector3(x, y, (this.info?.ground?.height(x, y) ?? 0) + z));
  }

  private onScreen(place: THREE.Vector3): [number, number] | undefined {
    const point = place.project(this.camera);
    if (point.z > 1 || point.z < -1) return undefined;
    return [((point.x + 1) / 2) * this.width, ((1 - point.y) / 2) * this.display.height];
  }

  /** A point of a body's own frame in the world, so much higher. */
  private place({ x, y, heading, space }: Playback['shown'], n: number, ownX: number, ownY: number, ownZ: number, lift: number): THREE.Vector3 {
    if (space) {
      const middle = space && this.info!.bodies[n]!.kind === 'ball' ? 0 : ownZ;
      const [dx, dy, dz] = rotate(space.rotation(n), [ownX, ownY, middle]);
      return new THREE.Vector3(x[n]! + dx, y[n]! + dy, space.z[n]! + dz + lift);
    }
    const c = Math.cos(heading[n]!);
    const s = Math.sin(heading[n]!);
    return new THREE.Vector3(x[n]! + c * ownX - s * ownY, y[n]! + s * ownX + c * ownY, ownZ + lift);
  }

  dispose(): void {
    this.heavens?.dispose();
    this.loads.dispose();
    this.field?.dispose();
    this.bodies?.dispose();
    this.flashes.dispose();
    this.traces.dispose();
    this.asked.dispose();
    this.overlay.dispose();
    this.strokes.dispose();
    this.ghosts.dispose();
    this.courses.dispose();
    this.display.dispose();
  }

  private ray(px: number, py: number): THREE.Ray {
    const x = (2 * (px % this.width)) / this.width - 1;
    const y = 1 - (2 * py) / this.display.height;
    this.raycaster.setFromCamera(new THREE.Vector2(x, y), this.camera);
    return this.raycaster.ray;
  }

  private aim(playback: Playback, selected: number | undefined, elapsed: number): void {
    const { shown } = playback;
    const n = selected ?? this.info?.robots[0];
    const body = n === undefined ? undefined : this.info?.bodies[n];
    const followed: Followed | undefined = body && {
      x: shown.x[body.number]!, y: shown.y[body.number]!, heading: shown.heading[body.number]!,
      height: body.height, reach: body.reach, ...eyeOf(body),
      ...(shown.space && { standing: { z: shown.space.z[body.number]!, rotation: shown.space.rotation(body.number) } }),
    };
    const pose = this.rig.update(followed, elapsed);
    this.camera.position.set(...pose.eye);
    this.camera.up.set(...pose.up).normalize();
    this.camera.lookAt(...pose.target);
    const distance = Math.hypot(
      pose.eye[0] - pose.target[0], pose.eye[1] - pose.target[1], pose.eye[2] - pose.target[2],
    );
    this.lightUp(pose.target, distance);
    // The nearer the nearest thing, the coarser the depths far away.
    const near = this.rig.mode === 'first' ? 0.15 * (body?.reach ?? 0.053) : Math.max(0.01, 0.03 * distance);
    this.camera.near = near;
    this.camera.far = Math.max(20, this.rig.size * 14 + distance * 2);
    this.camera.fov = pose.fov;
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
  }

  private setScale(scene: SceneInfo): void {
    const { reach, mass } = usualBody(scene);
    this.flashes.setScale(reach, mass);
    this.traces.setReach(reach);
    this.asked.setReach(reach);
    this.courses.setReach(reach);
  }

  /** The selected robot first, then the others as far as there is room. */
  private lookThroughWalls({ shown }: Playback, selected: number | undefined): void {
    const robots = this.rig.mode === 'first' ? [] : (this.info?.robots ?? []).slice(0, MOST_SEEN);
    if (selected !== undefined && this.rig.mode !== 'first' && !robots.includes(selected)) robots.unshift(selected);
    this.field?.look(robots.map((n) => {
      const { height, reach } = this.info!.bodies[n]!;
      return { x: shown.x[n]!, y: shown.y[n]!, z: shown.space?.z[n] ?? 0, height, reach };
    }));
  }

  private build(): void {
    const info = this.info!;
    for (const part of [this.field, this.bodies]) {
      if (!part) continue;
      this.scene.remove(part.group);
      part.dispose();
    }
    const { fine, shadows } = this.level;
    const detail: Detail = { low: !fine, shadows: shadows > 0 && info.bodies.length <= MOST_SHADOWED };
    this.display.renderer.shadowMap.enabled = detail.shadows;
    const land = this.palette === DARK ? DARK_LAND : LIGHT_LAND;
    this.field = info.ground
      ? new Landscape(info, info.ground, this.palette, land, detail) : new Field(info, this.palette, detail.shadows);
    if (this.heavens) {
      this.scene.remove(this.heavens.mesh);
      this.heavens.dispose();
    }
    this.heavens = info.ground && new Sky(land, SUN, this.palette === DARK ? 0.12 : 1);
    if (this.heavens) this.scene.add(this.heavens.mesh);
    this.scene.fog = info.ground ? new THREE.Fog(land.horizon, 1, 100) : null;
    this.bodies = new Bodies(info, detail);
    this.ghosts.setDetail(detail);
    this.scene.add(this.field.group, this.bodies.group);
    this.placeSun(info, detail);
  }

  /** Over rough ground light and shadows go where one looks: over all of it they would be too coarse. */
  private lightUp(target: readonly [number, number, number], distance: number): void {
    const ground = this.info?.ground;
    if (!ground) return;
    const fog = this.scene.fog as THREE.Fog;
    fog.far = 5 * ground.size + 3 * distance;
    fog.near = 0.25 * fog.far;
    // In steps, so that edges of shadows stand still while one looks around.
    const half = 1.35 ** Math.ceil(Math.log(Math.min(0.75 * ground.size, Math.max(1, 1.1 * distance))) / Math.log(1.35));
    const grain = half / 16;
    const [x, y, z] = target.map((value) => Math.round(value / grain) * grain) as [number, number, number];
    this.sun.target.position.set(x, y, z);
    const far = half + (ground.highest - ground.lowest) + 1;
    this.sun.position.copy(SUN).normalize().multiplyScalar(2 * far).add(this.sun.target.position);
    const camera = this.sun.shadow.camera;
    camera.left = camera.bottom = -half;
    camera.right = camera.top = half;
    camera.near = 0.1;
    camera.far = 4 * far;
    camera.updateProjectionMatrix();
    this.sun.shadow.normalBias = 0.0016 * half;
  }

  private placeSun({ bounds }: SceneInfo, detail: Detail): void {
    const size = this.rig.size;
    const x = (bounds.minX + bounds.maxX) / 2;
    const y = (bounds.minY + bounds.maxY) / 2;
    this.sun.position.set(x - 0.5 * size, y + 0.35 * size, 1.3 * size);
    this.sun.target.position.set(x, y, 0);
    this.sun.castShadow = detail.shadows;
    const camera = this.sun.shadow.camera;
    camera.left = camera.bottom = -0.75 * size;
    camera.right = camera.top = 0.75 * size;
    camera.near = 0.1 * size;
    camera.far = 3 * size;
    camera.updateProjectionMatrix();
    this.sun.shadow.mapSize.setScalar(Math.max(1, this.level.shadows));
    // One of the size before, or of a renderer before, is of no use.
    this.sun.shadow.map?.dispose();
    this.sun.shadow.map = null;
    this.sun.shadow.bias = -0.0006;
    this.sun.shadow.normalBias = 0.0012 * size;
    this.sun.shadow.radius = 3;
  }
}

/** Where the sun stands over rough ground: low enough for hills to be seen. */
const SUN = new THREE.Vector3(-0.62, 0.42, 0.72);
/** Height of a body's middle over the ground level, m. */
function middleOf(body: BodyInfo, { shown: { space } }: Playback): number {
  if (!space) return body.height / 2;
  const z = space.z[body.number]!;
  return body.kind === 'ball' ? z : z + rotate(space.rotation(body.number), [0, 0, body.height / 2])[2];
}

/** Height of all that a body carries, m. */
function topOf(body: BodyInfo): number {
  return Math.max(body.height, ...body.sensors.map(({ height }) => height));
}

/** Robots with a camera see from where it is. */
function eyeOf(body: BodyInfo): { eye?: number; lens?: [number, number, number] } {
  const camera = body.sensors.find(({ kind, height }) => kind === 'camera' && height > 0);
  if (!camera) return {};
  const [x = 0, y = 0, bearing = 0] = camera.rays;
  return { eye: camera.height, lens: [x, y, bearing] };
}
