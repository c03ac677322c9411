// Which robots the page watches, and what of their senses the picture shows.

import type { App } from './app';
import { BelievedTracer } from './state/believed';
import { poseOf } from './state/sensor-signals';
import { hasRays, WORLD, type Owner } from './state/sensors';
import { Sketch, sketchAround, sketchBelieved, sketchFix, sketchWorld } from './state/sketch';

/** As many robots as the simulator tells of to one viewer. */
const MOST_WATCHED = 8;

export class Sensing {
  readonly sketch = new Sketch();
  private sent = '';
  /** Whether anything was asked on this connection. */
  private asked = false;
  private watched: readonly number[] = [];
  private tracer: BelievedTracer | undefined;

  constructor(private readonly app: App) {
    app.on('welcome', () => {
      this.sent = '';
      this.asked = false;
    });
    app.on('scene', (scene) => {
      this.sent = '';
      this.tracer = new BelievedTracer(scene);
      this.watch();
    });
    app.on('restart', () => this.tracer?.restart());
    app.on('readings', (n) => this.trace(n));
    app.on('selection', () => this.watch());
    app.on('settings', () => this.watch());
    app.on('traces', () => this.watch());
    // Nobody looks: no pictures, and no turn of drawing that would say so.
    document.addEventListener('visibilitychange', () => this.watch());
  }

  /** Robots whose way by odometry is shown, as far as they can be watched. */
  get traced(): readonly number[] {
    const { scene, settings, selected } = this.app;
    if (!scene || settings.traces === 'off' || settings.odometry === 'off') return [];
    const all = scene.robots.filter((n) => has(scene.bodies[n]!, 'odometry') || has(scene.bodies[n]!, 'gps'));
    const others = all.filter((n) => n !== selected);
    return (selected !== undefined && all.includes(selected) ? [selected, ...others] : others).slice(0, MOST_WATCHED);
  }

  /** Tells the simulator whose readings are wanted, where that has changed. */
  watch(): void {
    const { app } = this;
    if (!app.scene) return;
    const robot = app.body(app.selected);
    const senses = (n: number) => (app.body(n)?.sensors.length ?? 0) > 0;
    const plotted = app.recorder.signals.flatMap(({ of }) => of?.body ?? []);
    const believed = app.programs.traced.filter((n) => app.body(n) && has(app.body(n)!, 'odometry'));
    const wanted = [...(robot ? [robot.number] : []), ...plotted, ...believed, ...this.traced].filter(senses);
    const bodies = [...new Set(wanted)].slice(0, MOST_WATCHED);
    const world = app.scene.world.sensors.length > 0;
    const seen = [app.scene.world, ...(robot ? [robot] : [])];
    const pictures = app.settings.eye && !document.hidden && seen.some((owner) => has(owner, 'camera'));
    const key = JSON.stringify([app.scene.generation, bodies, pictures]);
    if (key === this.sent) return;
    // Who asks for nothing at first need not say so.
    if (!this.asked && bodies.length === 0 && !world) return;
    if (!app.send({ watch: { bodies, pictures, world } })) return;
    this.sent = key;
    this.asked = true;
    for (const n of bodies) if (!this.watched.includes(n)) this.tracer?.forget(n);
    this.watched = bodies;
    app.senses.watch(world ? [...bodies, WORLD] : bodies);
  }

  /** Before each picture: what is to be drawn of the senses. */
  update(): void {
    const { app, sketch } = this;
    this.watch();
    sketch.clear();
    const { playback, scene } = app;
    if (!playback?.started || !scene) return;
    const { shown } = playback;
    const step = Math.round(shown.timeS / scene.stepS);
    const robot = app.body(app.selected);
    const reading = robot && app.senses.at(robot.number, step);
    if (robot && reading && app.settings.rays) {
      const n = robot.number;
      if (shown.space) {
        // Rays leave the robot as it lies.
        sketchAround(sketch, robot, reading.values, { x: 0, y: 0, heading: 0 });
        sketch.carry(0, shown.x[n]!, shown.y[n]!, shown.space.z[n]!, shown.space.rotation(n));
      } else {
        sketchAround(sketch, robot, reading.values, { x: shown.x[n]!, y: shown.y[n]!, heading: shown.heading[n]! });
      }
    }
    const around = app.settings.rays ? app.senses.at(WORLD, step) : undefined;
    if (around) sketchWorld(sketch, scene.world.sensors, around.values);
    const metres = app.view?.rig.metresPerPixel(window.innerHeight) ?? 0;
    const told = sketch.count;
    for (const n of this.traced) {
      const reads = app.senses.at(n, step);
      const body = scene.bodies[n]!;
      if (!reads || !this.watched.includes(n)) continue;
      for (const sensor of body.sensors) {
        if (sensor.kind === 'odometry') sketchBelieved(sketch, body, poseOf(reads.values, sensor));
        if (sensor.kind === 'gps') sketchFix(sketch, body, poseOf(reads.values, sensor), metres);
      }
    }
    if (scene.ground) sketch.lift(told, scene.ground);
  }

  private trace(n: number): void {
    const { app } = this;
    if (n === WORLD || app.travelling.travel.isAway) return;
    const reading = app.senses.latest(n);
    const latest = app.playback?.latest;
    const step = reading && latest && this.tracer?.take(n, reading, latest);
    if (!step) return;
    app.programs.takeBelieved(step);
    if (app.settings.odometry !== 'off') app.view?.addTrace(step);
  }
}

export function has(owner: Owner, kind: string): boolean {
  return owner.sensors.some((sensor) => sensor.kind === kind);
}

/** Whether somebody feels anything around it that can be drawn. */
export function feels(owner: Owner): boolean {
  return owner.sensors.some((sensor) => hasRays(sensor) || sensor.kind === 'bumper');
}

/** Whether ways by odometry are drawn in this scene. */
export function odometryShown(app: App): boolean {
  return app.settings.odometry === 'on' || (app.settings.odometry === 'auto' && odometryFor(app) === 'auto');
}

/** What shows ways by odometry in this scene: the sensors that tell them, else what the wheels' turning tells. */
export function odometryFor(app: App): 'auto' | 'on' {
  return app.scene?.bodies.some((body) => has(body, 'odometry')) ? 'auto' : 'on';
}
