// Where the camera is. Only numbers: the drawing takes them from here.

import type { Ground } from '../state/ground';
import type { Quat } from '../state/quaternion';
import type { Bounds } from '../state/scene';
import { overGround } from './heights';

export const CAMERA_MODES = ['chase', 'top', 'first', 'orbit'] as const;
export type CameraMode = (typeof CAMERA_MODES)[number];

type Vec3 = [number, number, number];

export interface CameraPose {
  eye: Vec3;
  target: Vec3;
  up: Vec3;
  /** Vertical field of view, degrees. */
  fov: number;
}

export interface Followed {
  x: number;
  y: number;
  heading: number;
  height: number;
  reach: number;
  /** Height of its own eye, m; above its top where it has none. */
  eye?: number;
  /** Place of its camera and where it looks, in its own frame, m and rad. */
  lens?: [number, number, number];
  /** On rough ground: height of its origin, m, and how it lies. */
  standing?: { z: number; rotation: Quat };
}

const FOV = 38;
/** How quickly the camera reaches its place, 1/s: slow enough to be calm, fast enough to drive by. */
const EASE = 9;
const EASE_HEADING = 5;
/** Share of the view around the middle in which a followed robot moves without moving the view. */
const LEASH = 0.7;
/** How far behind a robot the camera chases it, in the robot's reaches. */
const CHASE_REACHES = 10.4;
/** How far down the camera looks at a chased robot, rad; on rough ground less, so that hills stand before the sky. */
const CHASE_PITCH = 0.62;
const ROUGH_PITCH = 0.42;
/** On rough ground the first look is from the flattest of these from which no hill hides the middle, rad. */
const FIRST_PITCHES = [ROUGH_PITCH, 0.6, 0.8, 1.0, 1.2, 1.4];
const SIGHT_LOOKS = 64;
/** The nearest that the camera comes, m, and in reaches of a chased robot. */
const NEAREST_M = 0.15;
const NEAREST_REACHES = 2.8;

/** From 0.5 to 1 a program's zoom takes the camera so many times farther behind, and from 0.5 to 0 nearer. */
const WISH_CHASE = CHASE_REACHES / NEAREST_REACHES;
/** The nearest that a program's zoom shows a robot from above, in its reaches. */
const WISH_TOP_REACHES = 6;
/** Height of what a robot's camera sees, degrees: as it sees the world itself at a zoom of 0.5. */
const WISH_FOV = 47;
/** How far down the eyes of a robot look, rad. */
const LOOK_DOWN = 0.16;

/** What the controls on the picture cover, CSS pixels. */
const COVERED_TOP_PX = 60;
const COVERED_BOTTOM_PX = 100;

export interface Axes {
  readonly right: readonly [number, number];
  readonly away: readonly [number, number];
}
export const Y_UP: Axes = { right: [1, 0], away: [0, 1] };
/** As pictures that are maps: x up, y to the left. */
export const X_UP: Axes = { right: [0, -1], away: [1, 0] };

const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value));

export class CameraRig {
  mode: CameraMode = 'orbit';
  /** Whether the views from above and around keep the selected body in sight. */
  following = false;
  /** Without easing every change is there at once: for slow machines and tests. */
  eased = true;
  /** How far a program wants the camera to be, 0 near to 1 far; undefined where the person looks as they like. */
  wish: number | undefined;
  /** Rough ground, which cameras stay above. */
  ground: Ground | undefined;
  /** Told when somebody moves the camera. */
  onHand: (() => void) | undefined;

  private aspect = 1.6;
  /** Shares of the height that controls cover at the top and at the bottom. */
  private insets = { top: 0, bottom: 0 };
  /** Whether somebody moved the camera: then another size of the window does not undo it. */
  private touched = false;
  /** Directions of the ground that go to the right and away at first, and always in the view from above. */
  axes: Axes = Y_UP;
  private bounds: Bounds = { minX: -1, minY: -1, maxX: 1, maxY: 1 };
  /** What one looks at first, where that is not everything. */
  private near: Bounds | undefined;
  private middle: [number, number] = [0, 0];
  private yaw = -Math.PI / 2;
  private pitch = 0.85;
  private orbitDistance = 3;
  private topDistance = 3;
  /** From where everything is seen from above. */
  private homeTop = 3;
  private chaseReaches = CHASE_REACHES;
  /** Of the body that was followed last, m. */
  private followedReach = 0.053;
  private tallest = 0;
  private chaseYaw = 0;
  private chasePitch = 0.62;
  private chaseHeading: number | undefined;
  private lookYaw = 0;
  private lookPitch = 0;
  private firstFov = 70;
  private pose: CameraPose | undefined;

  /** The size of the scene, for what "near" and "far" mean. */
  get size(): number {
    return Math.max(this.bounds.maxX - this.bounds.minX, this.bounds.maxY - this.bounds.minY);
  }

  /** `tallest`: height of the tallest body, which the camera stays above, m. */
  setBounds(bounds: Bounds, axes: Axes = Y_UP, tallest = 0): void {
    this.bounds = bounds;
    this.axes = axes;
    this.tallest = tallest;
    this.near = undefined;
    this.home();
    this.pose = undefined;
  }

  setMode(mode: CameraMode): void {
    this.mode = mode;
    this.chaseHeading = undefined;
  }

  /** The picture's size, CSS pixels. */
  resize(width: number, height: number): void {
    this.aspect = width / height;
    this.insets = { top: Math.min(0.15, COVERED_TOP_PX / height), bottom: Math.min(0.18, COVERED_BOTTOM_PX / height) };
    if (!this.touched) this.approach(this.near);
  }

  /** Looks at a part of the scene, from where one sees all of it; at everything where none is said. */
  approach(part: Bounds | undefined): void {
    const all = this.bounds;
    this.near = part;
    this.bounds = part ?? all;
    this.home();
    this.bounds = all;
    this.pose = undefined;
  }

  /** Back to seeing everything. */
  home(): void {
    const { minX, minY, maxX, maxY } = this.bounds;
    const { right, away } = this.axes;
    this.touched = false;
    this.yaw = Math.atan2(-away[1], -away[0]);
    const slope = Math.tan((FOV * Math.PI) / 360);
    const half = ([x, y]: readonly [number, number]) => 1.04 * (Math.abs(x) * (maxX - minX) + Math.abs(y) * (maxY - minY)) / 2;
    const [halfWide, halfAway] = [half(right), half(away)];
    const free = 1 - this.insets.top - this.insets.bottom;
    this.topDistance = this.homeTop = Math.max(halfAway / (slope * free), halfWide / (slope * this.aspect));
    // Seen at a slant the near edge is wider and the height shorter.
    this.orbitDistance = Math.max(halfAway / (slope * free), halfWide / (slope * this.aspect) + halfAway * 0.6);
    // What is covered at the bottom counts for more than what is covered at the top.
    const lift = (this.insets.top - this.insets.bottom) * slope * this.topDistance;
    this.middle = [(minX + maxX) / 2 + lift * away[0], (minY + maxY) / 2 + lift * away[1]];
    this.pitch = this.ground ? this.clearPitch(this.ground) : 0.85;
    this.chaseReaches = CHASE_REACHES;
    this.chaseYaw = this.lookYaw = this.lookPitch = 0;
    this.chasePitch = this.ground ? ROUGH_PITCH : CHASE_PITCH;
    this.firstFov = 70;
    this.following = false;
  }

  private clearPitch(ground: Ground): number {
    const [x, y] = this.middle;
    const foot = ground.height(x, y);
    const clear = (pitch: number) => {
      for (let look = 1; look <= SIGHT_LOOKS; look++) {
        const far = (look / SIGHT_LOOKS) * this.orbitDistance * Math.cos(pitch);
        const below = ground.height(x + far * Math.cos(this.yaw), y + far * Math.sin(this.yaw));
        if (below > foot + far * Math.tan(pitch)) return false;
      }
      return true;
    };
    return FIRST_PITCHES.find(clear) ?? FIRST_PITCHES.at(-1)!;
  }

  /** Turns around what is looked at, rad. */
  rotate(around: number, up: number): void {
    this.touch();
    if (this.mode === 'first') {
      this.lookYaw = clamp(this.lookYaw + around, -2.6, 2.6);
      this.lookPitch = clamp(this.lookPitch + up, -0.6, 0.5);
    } else if (this.mode === 'chase') {
      this.chaseYaw += around;
      this.chasePitch = clamp(this.chasePitch + up, 0.08, 1.5);
    } else if (this.mode === 'orbit') {
      this.yaw += around;
      this.pitch = clamp(this.pitch + up, 0.05, 1.54);
    } else {
      this.pan(-around * 0.25 * this.topDistance, up * 0.25 * this.topDistance);
    }
  }

  /** Moves what is looked at, m of the ground as seen: to the right, and away. */
  pan(right: number, away: number): void {
    this.touch();
    this.following = false;
    const facing = this.mode === 'top' ? Math.atan2(this.axes.away[1], this.axes.away[0]) : this.yaw + Math.PI;
    this.middle[0] += right * Math.sin(facing) + away * Math.cos(facing);
    this.middle[1] += -right * Math.cos(facing) + away * Math.sin(facing);
    const reach = this.size * 2;
    this.middle[0] = clamp(this.middle[0], this.bounds.minX - reach, this.bounds.maxX + reach);
    this.middle[1] = clamp(this.middle[1], this.bounds.minY - reach, this.bounds.maxY + reach);
  }

  /** Below one: closer. */
  zoom(factor: number): void {
    this.touch();
    const farthest = this.size * 6;
    const nearest = Math.max(NEAREST_M, 2 * this.tallest);
    if (this.mode === 'first') this.firstFov = clamp(this.firstFov * factor, 20, 110);
    else if (this.mode === 'chase') {
      this.chaseReaches = clamp(this.chaseReaches * factor, NEAREST_REACHES, farthest / this.followedReach);
    }
    else if (this.mode === 'top') this.topDistance = clamp(this.topDistance * factor, nearest, farthest);
    else this.orbitDistance = clamp(this.orbitDistance * factor, nearest, farthest);
  }

  private touch(): void {
    this.touched = true;
    this.onHand?.();
  }

  /** As near and as far as a program wants. */
  private grant(wish: number): void {
    const farthest = this.size * 6;
    const nearest = Math.max(NEAREST_M, 2 * this.tallest, WISH_TOP_REACHES * this.followedReach);
    this.chaseReaches = Math.min(CHASE_REACHES * WISH_CHASE ** (2 * wish - 1), Math.max(NEAREST_REACHES, farthest / this.followedReach));
    this.topDistance = nearest * Math.max(1, this.homeTop / nearest) ** wish;
    this.firstFov = WISH_FOV * 2 ** (2 * wish - 1);
    this.chaseYaw = this.lookYaw = 0;
    this.chasePitch = 0.62;
    this.lookPitch = LOOK_DOWN;
    this.following = true;
  }

  private get chaseDistance(): number {
    return this.chaseReaches * this.followedReach;
  }

  /** Metres of ground for one pixel of a view this high, about the middle of the picture. */
  metresPerPixel(height: number): number {
    const distance = this.mode === 'top' ? this.topDistance : this.mode === 'orbit' ? this.orbitDistance : this.chaseDistance;
    return (2 * distance * Math.tan((FOV * Math.PI) / 360)) / Math.max(1, height);
  }

  update(followed: Followed | undefined, elapsed: number): CameraPose {
    if (followed) this.followedReach = followed.reach;
    if (this.wish !== undefined) this.grant(this.wish);
    if (followed && this.following) this.keepInSight(followed);
    const level = this.wanted(followed, elapsed);
    const wanted = this.ground ? overGround(level, this.mode, followed?.standing && { ...followed, ...followed.standing }, this.ground) : level;
    if (!this.pose || !this.eased) {
      this.pose = wanted;
      return wanted;
    }
    // Eyes of a robot must not lag behind it.
    const share = 1 - Math.exp(-(this.mode === 'first' ? 3 * EASE : EASE) * elapsed);
    const ease = (a: Vec3, b: Vec3): Vec3 => [
      a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2]),
    ];
    this.pose = {
      eye: ease(this.pose.eye, wanted.eye),
      target: ease(this.pose.target, wanted.target),
      up: ease(this.pose.up, wanted.up),
      fov: this.pose.fov + share * (wanted.fov - this.pose.fov),
    };
    return this.pose;
  }

  private keepInSight(followed: Followed): void {
    // The nearer a program wants it, the nearer to the middle.
    const half = this.metresPerPixel(2) * LEASH * (this.wish ?? 1);
    const leash = (at: number, middle: number, room: number) =>
      clamp(middle, at - room, at + room);
    const wide = (axis: 0 | 1) => (this.axes.right[axis] === 0 ? half : half * this.aspect);
    this.middle[0] = leash(followed.x, this.middle[0], wide(0));
    this.middle[1] = leash(followed.y, this.middle[1], wide(1));
  }

  private wanted(followed: Followed | undefined, elapsed: number): CameraPose {
    const [mx, my] = this.middle;
    if (this.mode === 'chase' && followed) return this.chase(followed, elapsed);
    if (this.mode === 'first' && followed) return this.first(followed);
    if (this.mode === 'top') {
      return { eye: [mx, my, this.topDistance], target: [mx, my, 0], up: [...this.axes.away, 0], fov: FOV };
    }
    const flat = Math.cos(this.pitch) * this.orbitDistance;
    return {
      eye: [mx + flat * Math.cos(this.yaw), my + flat * Math.sin(this.yaw), Math.sin(this.pitch) * this.orbitDistance],
      target: [mx, my, 0], up: [0, 0, 1], fov: FOV,
    };
  }

  private chase(robot: Followed, elapsed: number): CameraPose {
    if (this.chaseHeading === undefined || !this.eased) this.chaseHeading = robot.heading;
    const off = robot.heading - this.chaseHeading;
    const turn = Math.atan2(Math.sin(off), Math.cos(off));
    this.chaseHeading += turn * (1 - Math.exp(-EASE_HEADING * elapsed));
    const heading = this.chaseHeading + this.chaseYaw;
    const flat = Math.cos(this.chasePitch) * this.chaseDistance;
    const ahead = 0.18 * this.chaseDistance;
    return {
      eye: [
        robot.x - flat * Math.cos(heading), robot.y - flat * Math.sin(heading),
        robot.height + Math.sin(this.chasePitch) * this.chaseDistance,
      ],
      target: [robot.x + ahead * Math.cos(heading), robot.y + ahead * Math.sin(heading), robot.height * 0.5],
      up: [0, 0, 1], fov: 50,
    };
  }

  private first(robot: Followed): CameraPose {
    // A program that wants to see as the robot does sees what its camera sees.
    const [x, y, bearing] = (this.wish !== undefined && robot.lens) || [0.8 * robot.reach, 0, 0];
    const heading = robot.heading + bearing - this.lookYaw;
    const c = Math.cos(robot.heading);
    const s = Math.sin(robot.heading);
    const eye: Vec3 = [
      robot.x + c * x - s * y, robot.y + s * x + c * y, robot.eye ?? robot.height + 0.23 * robot.reach,
    ];
    const down = Math.tan(this.lookPitch - LOOK_DOWN);
    return {
      eye, target: [eye[0] + Math.cos(heading), eye[1] + Math.sin(heading), eye[2] + down],
      up: [0, 0, 1], fov: this.firstFov,
    };
  }
}
