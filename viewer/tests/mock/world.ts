// Not physics: just enough movement to try the page on. Robots follow their voltages with a lag, chase
// the ball when nobody drives them, and push one another apart.

import { BodyKind, type Body } from '../../src/proto/live.js';
import { SCENES, type MockScene } from './scenes';
import { MockSenses } from './senses';

/** Speed at full supply, m/s, and how fast it is reached, 1/s. */
const TOP_SPEED = 0.9;
const PICK_UP = 9;

interface Mover {
  x: number;
  y: number;
  heading: number;
  vx: number;
  vy: number;
  omega: number;
  left: number;
  right: number;
  speedLeft: number;
  speedRight: number;
  driven: boolean;
  /** Of robots that are driven by speeds: m/s and rad/s. */
  speeds: [number, number] | undefined;
  hand: [number, number] | undefined;
}

export interface MockEvent {
  step: number;
  kind: string;
  text: string;
  bodies: number[];
  value: number;
}

export class MockWorld {
  step = 0;
  bodies: Mover[] = [];
  contacts: { x: number; y: number; impulse: number }[] = [];
  events: MockEvent[] = [];
  scores: number[] = [];
  readonly scene: MockScene;
  readonly radius: number[];
  /** Of robots with sensors, by number. */
  readonly senses = new Map<number, MockSenses>();

  constructor(readonly name: string) {
    this.scene = SCENES[name]!();
    this.radius = this.scene.scene.bodies.map((body) => {
      const part = body.outlines[0]!;
      return part.radius || Math.max(...part.points.map(Math.abs));
    });
    this.scene.scene.bodies.forEach(({ sensors }, n) => {
      if (sensors.length > 0) this.senses.set(n, new MockSenses(this, n));
    });
    this.reset();
  }

  reset(): void {
    this.step = 0;
    this.events = [];
    this.scores = this.scene.scene.zones.map(() => 0);
    this.kickOff();
  }

  advance(dt: number): void {
    this.step += Math.round(dt / this.scene.scene.step_s);
    this.contacts = [];
    this.bodies.forEach((body, n) => this.move(body, n, dt));
    if (this.bodies.length < 100) this.collide();
    this.bodies.forEach((body, n) => this.keepInside(body, n));
  }

  private kickOff(): void {
    this.bodies = this.scene.poses.map(([x, y, heading]) => ({
      x, y, heading, vx: 0, vy: 0, omega: 0, left: 0, right: 0, speedLeft: 0, speedRight: 0,
      driven: false, speeds: undefined, hand: undefined,
    }));
  }

  private move(body: Mover, n: number, dt: number): void {
    const info = this.scene.scene.bodies[n]!;
    if (body.hand) {
      body.vx += (body.hand[0] - body.x) * 60 * dt - body.vx * 6 * dt;
      body.vy += (body.hand[1] - body.y) * 60 * dt - body.vy * 6 * dt;
    }
    if (info.kind === BodyKind.ROBOT && !body.hand) {
      if (!body.driven) this.chase(body, n);
      const target = (volts: number) => (volts / info.supply) * TOP_SPEED;
      if (info.max_speed > 0) this.bySpeeds(body, info);
      body.speedLeft += (target(body.left) - body.speedLeft) * Math.min(1, PICK_UP * dt);
      body.speedRight += (target(body.right) - body.speedRight) * Math.min(1, PICK_UP * dt);
      const forward = 0.5 * (body.speedLeft + body.speedRight);
      body.omega = (body.speedRight - body.speedLeft) / info.wheel_distance;
      body.vx = forward * Math.cos(body.heading);
      body.vy = forward * Math.sin(body.heading);
    } else if (!body.hand) {
      const keep = Math.exp(-0.6 * dt);
      body.vx *= keep;
      body.vy *= keep;
    }
    body.x += body.vx * dt;
    body.y += body.vy * dt;
    body.heading += body.omega * dt;
  }

  /** Voltages that make the wheels turn as asked. */
  private bySpeeds(body: Mover, { supply, wheel_distance }: Body): void {
    const [speed, turning] = body.driven ? (body.speeds ?? [0, 0]) : [0, 0];
    const volts = (rim: number) => (rim / TOP_SPEED) * supply;
    body.left = volts(speed - 0.5 * turning * wheel_distance);
    body.right = volts(speed + 0.5 * turning * wheel_distance);
  }

  private chase(body: Mover, n: number): void {
    const ball = this.bodies.at(-1)!;
    // A crowd wanders: without collisions all would meet in one point.
    const aim = this.bodies.length > 100 ? 0.7 * n + this.step / 900
      : Math.atan2(ball.y - body.y, ball.x - body.x) + 0.4 * Math.sin(this.step / 700 + n);
    const off = Math.atan2(Math.sin(aim - body.heading), Math.cos(aim - body.heading));
    const ahead = 3.6 * Math.max(0, Math.cos(off));
    const aside = Math.max(-1.2, Math.min(1.2, 1.6 * off));
    body.left = ahead - aside;
    body.right = ahead + aside;
  }

  private collide(): void {
    for (let a = 0; a < this.bodies.length; a++) {
      for (let b = a + 1; b < this.bodies.length; b++) {
        const one = this.bodies[a]!;
        const two = this.bodies[b]!;
        const dx = two.x - one.x;
        const dy = two.y - one.y;
        const distance = Math.hypot(dx, dy) || 1e-6;
        const overlap = this.radius[a]! + this.radius[b]! - distance;
        if (overlap <= 0) continue;
        const nx = dx / distance;
        const ny = dy / distance;
        const approach = (one.vx - two.vx) * nx + (one.vy - two.vy) * ny;
        const light = this.scene.scene.bodies[b]!.kind === BodyKind.BALL ? 1 : 0.5;
        one.x -= nx * overlap * (1 - light);
        one.y -= ny * overlap * (1 - light);
        two.x += nx * overlap * light;
        two.y += ny * overlap * light;
        if (approach <= 0) continue;
        two.vx += 1.6 * approach * nx * light;
        two.vy += 1.6 * approach * ny * light;
        const mass = this.scene.scene.bodies[b]!.mass;
        this.contacts.push({
          x: one.x + nx * this.radius[a]!, y: one.y + ny * this.radius[a]!, impulse: mass * approach,
        });
        if (approach > 0.25) this.impact(a, b, approach);
      }
    }
  }

  private impact(a: number, b: number, approach: number): void {
    const name = (n: number) => this.scene.scene.bodies[n]!.name;
    this.events.push({
      step: this.step, kind: 'impact', bodies: [a, b], value: approach,
      text: `${name(a)} hit ${name(b)} at ${approach.toFixed(2)} m/s`,
    });
  }

  private keepInside(body: Mover, n: number): void {
    const r = this.radius[n]!;
    const { halfX, halfY } = this.scene;
    const ball = this.scene.scene.bodies[n]!.kind === BodyKind.BALL;
    if (ball && Math.abs(body.x) > halfX - r && Math.abs(body.y) < 0.18 && this.scores.length === 2) {
      const side = body.x < 0 ? 0 : 1;
      this.scores[side]!++;
      this.events.push({
        step: this.step, kind: 'goal', bodies: [n], value: 0,
        text: `goal in ${this.scene.scene.zones[side]!.name}`,
      });
      this.kickOff();
      return;
    }
    if (Math.abs(body.x) > halfX - r) {
      body.x = Math.sign(body.x) * (halfX - r);
      body.vx *= -0.7;
    }
    if (Math.abs(body.y) > halfY - r) {
      body.y = Math.sign(body.y) * (halfY - r);
      body.vy *= -0.7;
    }
  }
}
