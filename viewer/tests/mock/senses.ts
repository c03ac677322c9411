// Sensors of the mock: rays that meet walls, a drifting odometry, a noisy GPS, and a camera that draws walls as
// columns. Enough to try the page on.

import type { Body, Sensor } from '../../src/proto/live.js';
import { png } from './png';
import type { MockWorld } from './world';

const EMPTY: Omit<Sensor, 'kind' | 'name' | 'count'> = {
  rays: [], range: 0, height: 0, cone: 0, picture_width: 0, picture_height: 0, first_bearing: 0, span: 0, sectors: 0, opening_x: 0, opening_y: 0,
};
const RAD = Math.PI / 180;

export function sensor(kind: string, count: number, more: Partial<Sensor> = {}): Sensor {
  return { ...EMPTY, kind, name: kind, count, ...more };
}

export function lidar(x: number, height: number, range: number): Sensor {
  const rays = Array.from({ length: 36 }, (_, i) => [x, 0, (-87.5 + 5 * i) * RAD]).flat();
  return sensor('lidar', 36, { rays, range, height });
}

export function sonar(): Sensor {
  const bearings = [90, 50, 30, 10, -10, -30, -50, -90, -90, -130, -150, -170, 170, 150, 130, 90];
  const rays = bearings.flatMap((a) => [0.16 * Math.cos(a * RAD) - (Math.abs(a) > 90 ? 0.1 : 0), 0.13 * Math.sin(a * RAD), a * RAD]);
  return sensor('sonar', 16, { rays, range: 5, height: 0.2, cone: 15 * RAD });
}

const CAMERA_SIZE = [160, 120] as const;

export function camera(name: string, x: number, height: number, heading = 0): Sensor {
  return sensor('camera', 1, { name, height, picture_width: CAMERA_SIZE[0], picture_height: CAMERA_SIZE[1], rays: [x, 0, heading] });
}

/** Standard deviations that a kind of sensor has at first, by axis. */
const SIGMAS: Record<string, number[]> = { gps: [0, 0, 0], odometry: [0, 0], imu: [4e-3, 1e-4, 2e-4, 2e-5], lidar: [0], sonar: [0], camera: [0] };

export class MockSenses {
  readonly sigmas: number[][];
  private believed: { x: number; y: number; heading: number } | undefined;
  private step = 0;
  private turned = [0, 0];
  pictures = 0;

  constructor(private readonly world: MockWorld, private readonly n: number) {
    this.sigmas = this.body.sensors.map(({ kind }) => [...(SIGMAS[kind] ?? [])]);
  }

  private get body(): Body {
    return this.world.scene.scene.bodies[this.n]!;
  }

  /** The numbers of all sensors, in their order. */
  values(): number[] {
    this.count();
    return this.body.sensors.flatMap((one, i) => this.read(one, this.sigmas[i]!));
  }

  /** Odometry believes in wheels that are two per cent too small on the right, so that it drifts. */
  private count(): void {
    const mover = this.world.bodies[this.n]!;
    const elapsed = (this.world.step - this.step) * this.world.scene.scene.step_s;
    if (!this.believed || elapsed < 0) {
      this.believed = { x: mover.x, y: mover.y, heading: mover.heading };
      this.turned = [0, 0];
    } else if (elapsed > 0) {
      const [left, right] = [mover.speedLeft, 0.98 * mover.speedRight];
      const { wheel_distance, wheel_radius } = this.body;
      this.believed.heading += ((right - left) / wheel_distance) * elapsed;
      this.believed.x += 0.5 * (left + right) * Math.cos(this.believed.heading) * elapsed;
      this.believed.y += 0.5 * (left + right) * Math.sin(this.believed.heading) * elapsed;
      this.turned[0]! += (mover.speedRight / wheel_radius) * elapsed;
      this.turned[1]! += (mover.speedLeft / wheel_radius) * elapsed;
    }
    this.step = this.world.step;
  }

  private read(one: Sensor, sigma: number[]): number[] {
    const mover = this.world.bodies[this.n]!;
    const noisy = (value: number, axis: number) => value + (sigma[axis] ?? 0) * normal();
    switch (one.kind) {
      case 'gps': return [noisy(mover.x, 0), noisy(mover.y, 1), noisy(mover.heading, 2)];
      case 'odometry': return [this.believed!.x, this.believed!.y, this.believed!.heading];
      case 'encoders': return this.turned.map((angle) => Math.floor((angle / (2 * Math.PI)) * 76_600));
      case 'imu': return [noisy(0, 0), noisy(mover.omega * Math.hypot(mover.vx, mover.vy), 0), noisy(mover.omega, 1)];
      case 'bumper': return [this.pressed(one)];
      case 'camera': return [this.pictures];
      default: return Array.from({ length: one.count }, (_, i) => this.distance(one, i, noisy));
    }
  }

  private distance(one: Sensor, i: number, noisy: (value: number, axis: number) => number): number {
    const mover = this.world.bodies[this.n]!;
    const [c, s] = [Math.cos(mover.heading), Math.sin(mover.heading)];
    const [x, y, bearing] = one.rays.slice(3 * i, 3 * i + 3) as [number, number, number];
    const free = this.cast(mover.x + c * x - s * y, mover.y + s * x + c * y, mover.heading + bearing, one.range);
    return free < one.range ? Math.max(0, Math.min(one.range, noisy(free, 0))) : one.range;
  }

  /** The nearest wall or body along a ray. */
  private cast(x: number, y: number, bearing: number, range: number): number {
    const [ux, uy] = [Math.cos(bearing), Math.sin(bearing)];
    let least = range;
    for (const { points } of this.world.scene.scene.walls) {
      for (let i = 0; i < points.length; i += 2) {
        const j = (i + 2) % points.length;
        const [ax, ay, bx, by] = [points[i]! - x, points[i + 1]! - y, points[j]! - x, points[j + 1]! - y];
        const across = ux * (by - ay) - uy * (bx - ax);
        const share = (uy * ax - ux * ay) / across;
        const along = (ax * (by - ay) - ay * (bx - ax)) / across;
        if (share >= 0 && share <= 1 && along > 0) least = Math.min(least, along);
      }
    }
    this.world.bodies.forEach((other, n) => {
      if (n === this.n) return;
      const [dx, dy] = [other.x - x, other.y - y];
      const along = dx * ux + dy * uy;
      const radius = this.world.radius[n]!;
      const off = Math.abs(dx * uy - dy * ux);
      if (along > 0 && off < radius) least = Math.min(least, along - Math.sqrt(radius ** 2 - off ** 2));
    });
    return Math.max(0, least);
  }

  /** Sectors that face the edge of the room when the robot stands at it. */
  private pressed(one: Sensor): number {
    const mover = this.world.bodies[this.n]!;
    const { halfX, halfY } = this.world.scene;
    const room = this.world.radius[this.n]! + 1e-6;
    let bits = 0;
    const press = (bearing: number) => {
      const turned = (((bearing - mover.heading - one.first_bearing) % (2 * Math.PI)) + 2 * Math.PI) % (2 * Math.PI);
      const sector = Math.floor((turned / one.span) * one.sectors);
      if (sector < one.sectors) bits |= 1 << sector;
    };
    if (Math.abs(mover.x) > halfX - room) press(mover.x > 0 ? 0 : Math.PI);
    if (Math.abs(mover.y) > halfY - room) press(mover.y > 0 ? Math.PI / 2 : -Math.PI / 2);
    return bits;
  }

  /** What a camera sees: a column for each ray, sky above, ground below. */
  picture(one: Sensor): Uint8Array {
    const mover = this.world.bodies[this.n]!;
    const [width, height] = CAMERA_SIZE;
    const rgb = new Uint8Array(3 * width * height);
    for (let px = 0; px < width; px++) {
      const bearing = mover.heading + one.rays[2]! + Math.atan((0.5 - (px + 0.5) / width) * 1.155);
      const distance = this.cast(mover.x, mover.y, bearing, 100);
      const high = (height * 1.4) / Math.max(0.4, distance);
      for (let py = 0; py < height; py++) {
        const up = height / 2 - py;
        const wall = up < high && up > -0.4 * high;
        const shade = Math.max(40, 230 - 7 * distance);
        rgb.set(wall ? [shade, shade, shade] : up > 0 ? [120, 170, 220] : [90, 100, 84], 3 * (py * width + px));
      }
    }
    return png(width, height, rgb);
  }
}

function normal(): number {
  return Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
}
