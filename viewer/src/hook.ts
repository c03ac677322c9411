// `window.rolima`: a small interface for the browser's console and for tests.

import type { App } from './app';
import type { MazeEditor } from './maze/editor';
import { attitude } from './state/quaternion';
import type { BodyInfo } from './state/scene';
import type { Space } from './state/space';
import { CAMERA_MODES, type CameraMode } from './view3d/rig';
import { WORLD, type Owner } from './state/sensors';

export interface RolimaHook {
  /** Everything that is known; not to be changed. */
  readonly app: App;
  /** Names of all bodies, by number. */
  bodies(): string[];
  /** A body as it was last told: pose, speed, colour (0xRRGGBB), and who drives it. */
  body(name: string): BodyReport | undefined;
  /** Where the free middle of a body's top is on the page, CSS pixels; undefined behind the camera. */
  project(name: string): [number, number] | undefined;
  /** Chooses a camera. */
  camera(mode: CameraMode): void;
  select(name: string | undefined): void;
  /** What the sensors of a watched robot read last, by the sensors' names; undefined where nothing was told. */
  sensed(name: string): Record<string, number[]> | undefined;
  /** The same of the sensors of the world. */
  sensedByWorld(): Record<string, number[]> | undefined;
  /** How a robot gets on with its goal; undefined where it has none. */
  goal(name: string): GoalReport | undefined;
  /** Where a point of the ground is on the page, CSS pixels; undefined behind the camera. */
  place(x: number, y: number): [number, number] | undefined;
  /** How the run goes and what the page shows. */
  state(): StateReport;
  /** The maze in the editor. */
  maze(): MazeReport;
  /** Which instant of the run is shown, and what is compared with it. */
  time(): TimeReport;
}

export interface TimeReport {
  mode: string;
  /** Run time, s. */
  begin: number;
  end: number;
  at: number;
  step: number;
  speed: number;
  playing: boolean;
  mayTakeOver: boolean;
  /** Whether the picture is of the very instant that the simulator says is shown. */
  settled: boolean;
  origin: { file: string; timeS: number; atS: number } | undefined;
  marks: { timeS: number; kind: string }[];
  /** `x` and `y`: where its first body is drawn, m; NaN where it is not. `way`: m. */
  ghosts: { key: string; name: string; kind: string; visible: boolean; x: number; y: number; way: number }[];
  /** Length of the ways of the run that are drawn, m. */
  way: number;
  record: { on: boolean; file: string; bytes: number } | undefined;
}

export interface MazeReport {
  /** The text map. */
  text: string;
  /** Opens the editor with another one. */
  open(text: string, name: string): void;
  /** Where a point of the map is on the page, CSS pixels. */
  place(point: [number, number]): [number, number];
}

export interface GoalReport {
  state: string;
  x: number;
  y: number;
  heading: number;
  leftM: number;
  /** Points of the path that is drawn. */
  points: number;
}

export interface BodyReport {
  x: number;
  y: number;
  heading: number;
  speed: number;
  voltsLeft: number;
  voltsRight: number;
  colour: number;
  kind: string;
  driver: string;
  /** The pose on the screen. */
  shown: { x: number; y: number; heading: number };
  /** On rough ground: height and how it lies, m and rad; its wheels as shown (angle, rad; way raised, m; load, N; steered to
   * the left, rad). */
  space?: { z: number; roll: number; pitch: number; tilt: number; wheels: { angle: number; raised: number; load: number; spin: number; steer: number }[] };
}

export interface StateReport {
  link: string;
  scene: string | undefined;
  generation: number | undefined;
  timeS: number;
  shownTimeS: number;
  step: number;
  paused: boolean | undefined;
  speed: number | undefined;
  seed: number | undefined;
  camera: string;
  selected: string | undefined;
  frames: number;
  view: string | undefined;
  /** How much detail pictures have. */
  detail: string;
  /** Pictures drawn since the page was loaded. */
  pictures: number;
  /** Pictures of the selected robot's camera that were shown, and the number of the last one. */
  eye: { shown: number; last: number };
  /** What programs want: whether the view follows them and how near it is to be (undefined where none wants anything),
   * robots whose ways are drawn for them, and pieces of these ways. */
  program: { view: boolean | undefined; zoom: number | undefined; traced: string[]; pieces: number };
}

declare global {
  interface Window {
    rolima: RolimaHook;
  }
}

function spaceOf({ number: n, vehicle }: BodyInfo, latest: Space, shown: Space): NonNullable<BodyReport['space']> {
  const wheels = vehicle?.wheels.map((_, k) => vehicle.firstWheel + k) ?? [];
  return {
    z: latest.z[n]!, ...attitude(latest.rotation(n)),
    wheels: wheels.map((k) => ({ angle: shown.angle[k]!, raised: shown.raised[k]!, load: latest.load[k]!, spin: latest.spin[k]!, steer: shown.steer[k]! })),
  };
}

export function installHook(
  app: App, pictures: () => number, editor: () => MazeEditor,
  eye: () => { shown: number; last: number },
): void {
  const box = () => app.view!.canvas.getBoundingClientRect();
  const find = (name: string) => app.scene?.bodies.find((body) => body.name === name);
  window.rolima = {
    app,
    bodies: () => app.scene?.bodies.map((body) => body.name) ?? [],
    body(name) {
      const body = find(name);
      const playback = app.playback;
      if (!body || !playback?.started) return undefined;
      const { latest, shown } = playback;
      const n = body.number;
      return {
        x: latest.x[n]!, y: latest.y[n]!, heading: latest.heading[n]!, speed: latest.speed(n),
        voltsLeft: latest.voltsLeft[n]!, voltsRight: latest.voltsRight[n]!,
        colour: body.colour, kind: body.kind, driver: app.driverOf(n)?.name ?? '',
        shown: { x: shown.x[n]!, y: shown.y[n]!, heading: shown.heading[n]! },
        ...(latest.space && { space: spaceOf(body, latest.space, shown.space!) }),
      };
    },
    project(name) {
      const body = find(name);
      const at = body && app.playback && app.view?.project(body.number, app.playback);
      if (!at) return undefined;
      return [box().left + at[0], box().top + at[1]];
    },
    camera(mode) {
      if (CAMERA_MODES.includes(mode)) app.setCamera(mode);
    },
    select: (name) => app.select(name === undefined ? undefined : find(name)?.number),
    sensed(name) {
      const body = find(name);
      const reading = body && app.senses.latest(body.number);
      if (!reading) return undefined;
      return byName(body, reading.values);
    },
    sensedByWorld() {
      const reading = app.senses.latest(WORLD);
      return reading && app.scene && byName(app.scene.world, reading.values);
    },
    goal(name) {
      const body = find(name);
      const goal = body && app.goals.get(body.number);
      return goal && { state: goal.state, ...goal.goal, leftM: goal.leftM, points: (goal.path?.points.length ?? 0) / 2 };
    },
    place(x, y) {
      const at = app.view?.screen(x, y, 0);
      return at && [box().left + at[0], box().top + at[1]];
    },
    state: () => ({
      link: app.connection.link.state, scene: app.scene?.name, generation: app.scene?.generation,
      timeS: app.playback?.latest.timeS ?? 0, shownTimeS: app.playback?.shown.timeS ?? 0,
      step: app.playback?.latest.step ?? 0, paused: app.status?.paused, speed: app.status?.speed,
      seed: app.status?.seed, camera: app.cameraMode, selected: app.body(app.selected)?.name,
      frames: app.framesReceived, view: app.view?.kind, detail: app.detail, pictures: pictures(), eye: eye(),
      program: {
        view: app.programs.look && app.programs.follows, zoom: app.programs.look?.zoom,
        traced: app.programs.traced.map((n) => app.body(n)?.name ?? ''), pieces: app.programs.pieces,
      },
    }),
    time: () => timeOf(app),
    maze: () => ({
      text: editor().document.text,
      open: (text, name) => editor().openMap(text, name),
      place(point) {
        const { element, drawing } = editor();
        const box = element.getBoundingClientRect();
        const [x, y] = drawing.frame.place(point);
        return [box.left + x, box.top + y];
      },
    }),
  };
}

function timeOf({ travelling, ghosting }: App): TimeReport {
  const { travel, marks, record } = travelling;
  const { now } = travel;
  const length = (ghost: string | undefined) => ghosting.courses.filter((look) => look.ghost === ghost).reduce((sum, { course }) => sum + course.length, 0);
  return {
    mode: travel.mode, begin: now?.begin_s ?? 0, end: now?.end_s ?? 0, at: travelling.shownS, step: now?.step ?? 0,
    speed: now?.speed ?? 0, playing: travel.isPlaying, mayTakeOver: now?.may_take_over ?? false,
    settled: now !== undefined && travel.seekingS === undefined && Math.abs(travelling.shownS - now.at_s) < 1e-6,
    origin: now?.origin && { file: now.origin.file, timeS: now.origin.time_s, atS: now.origin.at_s },
    marks: marks.shown.map(({ timeS, kind }) => ({ timeS, kind })),
    ghosts: ghosting.table.all.map(({ key, name, kind, visible }) => {
      const look = ghosting.looks.find((one) => one.key === key);
      const [x, y] = look?.visible ? [look.shown.x[0]!, look.shown.y[0]!] : [NaN, NaN];
      return { key, name, kind, visible, x, y, way: length(key) };
    }),
    way: length(undefined),
    record: record && { on: record.on, file: record.file, bytes: record.bytes },
  };
}

/** The numbers of each sensor by its name. */
function byName({ sensors }: Owner, values: readonly number[]): Record<string, number[]> {
  return Object.fromEntries(sensors.map((sensor) => [sensor.name, values.slice(sensor.first, sensor.first + sensor.count)]));
}
