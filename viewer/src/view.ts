// What the page asks of a picture of the world, whether in three dimensions or flat.

import type { Level } from './state/detail';
import type { Course } from './state/course';
import type { Playback, Shown } from './state/playback';
import type { SceneInfo } from './state/scene';
import type { Sketch } from './state/sketch';
import type { Step } from './state/trace';
import type { Gesture } from './view3d/overlay';
import type { CameraRig } from './view3d/rig';
import type { TraceStyle } from './view3d/traces';

/** A ghost as it is drawn: bodies of another run. */
export interface GhostLook {
  readonly key: string;
  readonly scene: SceneInfo;
  readonly tint: number;
  /** Where its bodies are. */
  readonly shown: Shown;
  visible: boolean;
}

/** A whole way as it is drawn. */
export interface CourseLook {
  readonly course: Course;
  readonly colour: number;
  readonly style: 'line' | 'arrows';
  /** Whose it is; undefined: the run's. */
  readonly ghost: string | undefined;
  /** Whether it is drawn beside the run, not over it. */
  readonly beside: boolean;
}

export interface Marks {
  selected: number | undefined;
  hovered: number | undefined;
  gesture: Gesture | undefined;
  /** What robots sense. */
  sketch: Sketch;
  /** Whether loads of the selected vehicle's wheels are shown. */
  loads: boolean;
  /** Other lists are other ghosts and ways; what they look like is in them. */
  ghosts: readonly GhostLook[];
  courses: readonly CourseLook[];
  /** The ghost that is shown in a second picture beside the run's. */
  beside: string | undefined;
}

export interface View {
  readonly kind: '3d' | 'flat';
  readonly canvas: HTMLCanvasElement;
  /** Whether pictures before are still being drawn, so that one more would only wait. */
  readonly busy: boolean;
  readonly rig: CameraRig;
  /** How far the drawn ground is from the one that wheels feel at most, m. */
  readonly groundOff: number;
  setScene(scene: SceneInfo): void;
  setDark(dark: boolean): void;
  setDetail(level: Level): void;
  setTraceStyle(style: TraceStyle): void;
  /** `asked`: a program wants it to be seen, whatever the style is. */
  addTrace(step: Step, asked?: boolean): void;
  clearTraces(): void;
  clearAskedTraces(): void;
  flash(x: number, y: number, impulse: number): void;
  /** Draws the playback's poses; `elapsed` is wall time since the last picture, s. */
  draw(playback: Playback, marks: Marks, elapsed: number): void;
  resize(): void;
  /** The body under a point of the canvas, CSS pixels. */
  pick(px: number, py: number, playback: Playback): number | undefined;
  /** The point of the plane (on rough ground: of the surface) at this height under a point of the canvas. */
  ground(px: number, py: number, height: number): [number, number] | undefined;
  /** Where a point of the world is on the canvas, CSS pixels; undefined behind the camera. */
  screen(x: number, y: number, z: number): [number, number] | undefined;
  /** Where the free middle of a body's top is on the canvas, CSS pixels; undefined behind the camera. */
  project(body: number, playback: Playback, lift?: number): [number, number] | undefined;
  dispose(): void;
}
