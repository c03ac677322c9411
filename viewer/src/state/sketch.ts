// What robots sense as strokes in the world, for any picture to draw: rays, cones, pressed bumpers, and
// where a robot believes to be. No browser needed.

import type { BodyInfo } from './scene';
import type { Ground } from './ground';
import { rotate, type Quat } from './quaternion';
import { hasRays, isHit, pressedSectors, type SensorInfo } from './sensors';

/** Whose colours pictures choose. */
export const INKS = ['ray', 'sonar', 'bumper', 'odometry', 'gps', 'path', 'goal'] as const;
export type Ink = (typeof INKS)[number];

/** Numbers of a stroke: from x, y, z; to x, y, z; opacity at both ends; width, CSS pixels; ink. */
export const STRIDE = 10;

export interface Pose {
  x: number;
  y: number;
  heading: number;
}

export class Sketch {
  data = new Float32Array(64 * STRIDE);
  count = 0;

  clear(): void {
    this.count = 0;
  }

  add(
    ax: number, ay: number, az: number, bx: number, by: number, bz: number,
    ink: Ink, width: number, alphaA: number, alphaB = alphaA,
  ): void {
    if ((this.count + 1) * STRIDE > this.data.length) {
      const larger = new Float32Array(2 * this.data.length);
      larger.set(this.data);
      this.data = larger;
    }
    this.data.set([ax, ay, az, bx, by, bz, alphaA, alphaB, width, INKS.indexOf(ink)], this.count * STRIDE);
    this.count++;
  }

  /** Strokes from number `from` on were drawn in a body's own frame: puts them where the body is in space. */
  carry(from: number, x: number, y: number, z: number, rotation: Quat): void {
    this.eachPoint(from, (point) => {
      const [dx, dy, dz] = rotate(rotation, point);
      return [x + dx, y + dy, z + dz];
    });
  }

  /** Strokes from number `from` on were drawn over a plane: lays them over the ground. */
  lift(from: number, ground: Ground): void {
    this.eachPoint(from, ([x, y, z]) => [x, y, z + ground.height(x, y)]);
  }

  private eachPoint(from: number, move: (point: [number, number, number]) => [number, number, number]): void {
    for (let i = from; i < this.count; i++) {
      for (const at of [i * STRIDE, i * STRIDE + 3]) {
        this.data.set(move([this.data[at]!, this.data[at + 1]!, this.data[at + 2]!]), at);
      }
    }
  }

  /** A line through points of a body's own frame (x0, y0, x1, y1, ...), at a pose. */
  path(points: readonly number[], pose: Pose, z: number, ink: Ink, width: number, alpha: number): void {
    const c = Math.cos(pose.heading);
    const s = Math.sin(pose.heading);
    for (let i = 0; i + 3 < points.length; i += 2) {
      const [x0, y0, x1, y1] = [points[i]!, points[i + 1]!, points[i + 2]!, points[i + 3]!];
      this.add(
        pose.x + c * x0 - s * y0, pose.y + s * x0 + c * y0, z, pose.x + c * x1 - s * y1, pose.y + s * x1 + c * y1, z,
        ink, width, alpha,
      );
    }
  }
}

/** From this many rays on, each is drawn fainter: together they are as light as before. */
const FEW_RAYS = 45;
const ARC_PIECES = 6;

/** How far the view of a camera of the world is drawn, m: to the ground that it looks at, or so far. */
const VIEW_M = { usual: 1, most: 30 };
const AT_ORIGIN: Pose = { x: 0, y: 0, heading: 0 };

/** What the sensors of the world measure, and what its cameras look at; a dot where each stands. */
export function sketchWorld(sketch: Sketch, sensors: readonly SensorInfo[], values: readonly number[]): void {
  for (const sensor of sensors) {
    const { pose } = sensor;
    if (!pose) continue;
    const rotation: Quat = [pose.qw, pose.qx, pose.qy, pose.qz];
    const from = sketch.count;
    const own = values.slice(sensor.first, sensor.first + sensor.count);
    if (hasRays(sensor)) (sensor.kind === 'lidar' ? sketchLidar : sketchSonar)(sketch, sensor, own, AT_ORIGIN);
    if (sensor.kind === 'camera') sketchView(sketch, sensor, pose.z, rotation);
    sketch.add(0, 0, 0, 0, 0, 0, sensor.kind === 'sonar' ? 'sonar' : 'ray', 9, 1);
    sketch.carry(from, pose.x, pose.y, pose.z, rotation);
  }
}

/** The pyramid that a camera sees, in its own frame. */
function sketchView(sketch: Sketch, sensor: SensorInfo, z: number, rotation: Quat): void {
  const down = -rotate(rotation, [1, 0, 0])[2];
  const far = down > 0.2 ? Math.min(z / down, VIEW_M.most) : VIEW_M.usual;
  const [y, up] = [far * Math.tan(sensor.opening_x / 2), far * Math.tan(sensor.opening_y / 2)];
  const corners = [[y, up], [-y, up], [-y, -up], [y, -up]] as const;
  corners.forEach(([ay, az], i) => {
    const [by, bz] = corners[(i + 1) % 4]!;
    sketch.add(0, 0, 0, far, ay, az, 'ray', 1, 0.5, 0.15);
    sketch.add(far, ay, az, far, by, bz, 'ray', 1, 0.35);
  });
}

/** Distances, pressed sectors: all that a robot feels around it. */
export function sketchAround(sketch: Sketch, body: BodyInfo, values: readonly number[], pose: Pose): void {
  for (const sensor of body.sensors) {
    const own = values.slice(sensor.first, sensor.first + sensor.count);
    if (sensor.kind === 'bumper') sketchBumper(sketch, body, sensor, own[0] ?? 0, pose);
    else if (hasRays(sensor)) (sensor.kind === 'lidar' ? sketchLidar : sketchSonar)(sketch, sensor, own, pose);
  }
}

function sketchLidar(sketch: Sketch, sensor: SensorInfo, distances: readonly number[], pose: Pose): void {
  const light = Math.max(0.2, Math.min(1, FEW_RAYS / sensor.count));
  const z = sensor.height;
  eachRay(sensor, pose, (i, x, y, bearing) => {
    const distance = distances[i]!;
    if (!(distance >= 0)) return;
    const hit = isHit(distance, sensor.range);
    const toX = x + distance * Math.cos(bearing);
    const toY = y + distance * Math.sin(bearing);
    // Brightest where something is; rays into the void only hint at how far one would see.
    sketch.add(x, y, z, toX, toY, z, 'ray', 1.5, (hit ? 0.12 : 0.05) * light, (hit ? 0.6 : 0.16) * light);
    if (hit) sketch.add(toX, toY, z, toX, toY, z, 'ray', 5, 0.95);
  });
}

function sketchSonar(sketch: Sketch, sensor: SensorInfo, distances: readonly number[], pose: Pose): void {
  const half = 0.5 * sensor.cone;
  const z = sensor.height;
  eachRay(sensor, pose, (i, x, y, bearing) => {
    const distance = distances[i]!;
    if (!(distance >= 0)) return;
    const hit = isHit(distance, sensor.range);
    const at = (angle: number) => [x + distance * Math.cos(angle), y + distance * Math.sin(angle)] as const;
    for (const edge of [bearing - half, bearing + half]) {
      sketch.add(x, y, z, ...at(edge), z, 'sonar', 1, 0.05, hit ? 0.4 : 0.12);
    }
    for (let k = 0; k < ARC_PIECES; k++) {
      const angle = bearing - half + (sensor.cone * k) / ARC_PIECES;
      sketch.add(...at(angle), z, ...at(angle + sensor.cone / ARC_PIECES), z, 'sonar', hit ? 3 : 1.5, hit ? 0.95 : 0.2);
    }
  });
}

function eachRay(sensor: SensorInfo, pose: Pose, draw: (i: number, x: number, y: number, bearing: number) => void): void {
  const c = Math.cos(pose.heading);
  const s = Math.sin(pose.heading);
  for (let i = 0; i < sensor.count; i++) {
    const [x, y, bearing] = [sensor.rays[3 * i]!, sensor.rays[3 * i + 1]!, sensor.rays[3 * i + 2]!];
    draw(i, pose.x + c * x - s * y, pose.y + s * x + c * y, pose.heading + bearing);
  }
}

function sketchBumper(sketch: Sketch, body: BodyInfo, sensor: SensorInfo, bits: number, pose: Pose): void {
  const sector = sensor.span / Math.max(1, sensor.sectors);
  for (const k of pressedSectors(sensor, bits)) {
    const points: number[] = [];
    for (let i = 0; i <= 2 * ARC_PIECES; i++) {
      const bearing = sensor.first_bearing + sector * (k + i / (2 * ARC_PIECES));
      const far = 1.04 * edgeAt(body, bearing);
      points.push(far * Math.cos(bearing), far * Math.sin(bearing));
    }
    for (const share of [0.4, 1.03]) sketch.path(points, pose, share * body.height, 'bumper', 5, 0.95);
  }
}

/** How far a body reaches from its origin in a direction of its own frame, m. */
export function edgeAt(body: BodyInfo, bearing: number): number {
  const [ux, uy] = [Math.cos(bearing), Math.sin(bearing)];
  let far = 0;
  for (const part of body.source.outlines) {
    if (part.radius > 0) {
      const along = part.x * ux + part.y * uy;
      const off = part.x * uy - part.y * ux;
      if (Math.abs(off) < part.radius) far = Math.max(far, along + Math.sqrt(part.radius ** 2 - off ** 2));
      continue;
    }
    const count = part.points.length / 2;
    for (let i = 0; i < count; i++) {
      const j = (i + 1) % count;
      const [ax, ay, bx, by] = [part.points[2 * i]!, part.points[2 * i + 1]!, part.points[2 * j]!, part.points[2 * j + 1]!];
      const a = ux * ay - uy * ax;
      const b = ux * by - uy * bx;
      // The edge crosses the line of sight between its ends.
      if (a * b > 0 || a === b) continue;
      const share = a / (a - b);
      far = Math.max(far, (ax + share * (bx - ax)) * ux + (ay + share * (by - ay)) * uy);
    }
  }
  return far;
}

/** The outline of a robot where its odometry says it is. */
export function sketchBelieved(sketch: Sketch, body: BodyInfo, believed: Pose): void {
  for (const part of body.source.outlines) {
    const ring = part.radius > 0 ? circle(part.x, part.y, part.radius) : [...part.points, ...part.points.slice(0, 2)];
    sketch.path(ring, believed, 0.02 * body.height, 'odometry', 2, 0.9);
    sketch.path(ring, believed, body.height, 'odometry', 1.5, 0.6);
  }
  const front = edgeAt(body, 0);
  sketch.path([0.45 * front, 0.3 * front, 0.8 * front, 0, 0.45 * front, -0.3 * front], believed, body.height, 'odometry', 2, 0.9);
}

/** A cross where the GPS says the robot is, and a line where its compass points. On top of the robot, so that
 * a good fix is not hidden in it. */
export function sketchFix(sketch: Sketch, body: BodyInfo, fix: Pose, metresPerPixel: number): void {
  const arm = Math.max(0.3 * body.reach, 6 * metresPerPixel);
  const z = 1.04 * body.height;
  const level = { ...fix, heading: 0 };
  sketch.path([-arm, 0, arm, 0], level, z, 'gps', 2, 0.95);
  sketch.path([0, -arm, 0, arm], level, z, 'gps', 2, 0.95);
  const ahead = 1.6 * Math.max(arm, body.reach);
  sketch.path([0, 0, ahead, 0, 0.85 * ahead, 0.1 * ahead], fix, z, 'gps', 1.5, 0.95);
}

function circle(x: number, y: number, radius: number): number[] {
  return Array.from({ length: 33 }, (_, i) => (2 * Math.PI * i) / 32).flatMap((a) => [x + radius * Math.cos(a), y + radius * Math.sin(a)]);
}
