// Stands in for the simulator while the page is made and tested: serves the built page as the simulator
// does (same content security policy), and speaks live.proto. Whatever it shows is made up.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join, normalize } from 'node:path';
import type { AddressInfo } from 'node:net';
import { PbfReader, PbfWriter } from 'pbf';
import { WebSocketServer, type WebSocket } from 'ws';
import {
  BodyKind, DriveBy, Role, readClientMessage, writeServerMessage, type ClientMessage, type Control, RefusalCode,
} from '../../src/proto/live.js';
import { MockPast } from './past';
import { SCENES } from './scenes';
import { MockWorld } from './world';

const FRAME_MS = 33;
/** A driven robot without commands is stopped after this, ms. */
const SILENCE_MS = 500;
/** A full frame this often; changes between. */
const KEY_EVERY = 15;
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css',
  '.svg': 'image/svg+xml', '.png': 'image/png', '.ico': 'image/x-icon',
};
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

interface Client {
  socket: WebSocket;
  number: number;
  name: string;
  needsKey: boolean;
  watched: number[];
  pictures: boolean;
  timeline: boolean;
  /** Numbers of channels that it wants; which of them it was told last, and of which scene the list. */
  channels: number[];
  told: string;
  listed: number;
}

type Message = Parameters<typeof writeServerMessage>[0];

export class MockServer {
  world = new MockWorld('soccer');
  paused = false;
  speed = 1;
  seed = 1;
  ended = false;
  mayControl = true;
  /** What viewers may do, and the robots that they may drive; empty: all. */
  role: number = Role.CONTROL;
  driveRobots: string[] = [];
  /** Robots that programs may drive, by number; undefined: all. */
  forPrograms: number[] | undefined;
  /** Where set, only those who bring it are let in. */
  token: string | undefined;
  /** All that was ever asked to be watched. */
  readonly watches: { bodies: number[]; pictures: boolean }[] = [];
  /** What programs have asked for: the view, the ways. */
  private readonly asked = new Map<'look' | 'traces', Message>();
  readonly past = new MockPast(() => this.world, (message) => {
    for (const client of this.clients.filter(({ timeline }) => timeline)) this.send(client, message);
  });
  private generation = 1;
  private clients: Client[] = [];
  private drivers = new Map<number, { client: number; until: number }>();
  private http: Server | undefined;
  private timer: ReturnType<typeof setInterval> | undefined;
  private count = 0;
  private port = 0;
  private frames = 0;
  private stepsLeft = 0;

  constructor(private readonly dist: string) {}

  /** Starts on a free port, or on the one it had before. */
  async start(port = this.port): Promise<string> {
    this.http = createServer((request, response) => this.answer(request, response));
    const sockets = new WebSocketServer({
      server: this.http, path: '/ws', verifyClient: ({ req }: { req: IncomingMessage }) => this.lets(req),
    });
    sockets.on('connection', (socket) => this.welcome(socket));
    await new Promise<void>((resolve) => this.http!.listen(port, '127.0.0.1', resolve));
    this.port = (this.http.address() as AddressInfo).port;
    this.timer = setInterval(() => this.tick(), FRAME_MS);
    return `http://127.0.0.1:${this.port}/`;
  }

  /** Vanishes as a killed process does. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    for (const { socket } of this.clients) socket.terminate();
    this.clients = [];
    this.drivers.clear();
    this.http?.closeAllConnections();
    await new Promise<void>((resolve) => (this.http ? this.http.close(() => resolve()) : resolve()));
  }

  /** Closes all connections in good order. */
  sayGoodbye(): void {
    for (const { socket } of this.clients) socket.close(1001);
  }

  private lets(request: IncomingMessage): boolean {
    const { searchParams } = new URL(request.url ?? '/', 'http://mock');
    return this.token === undefined || searchParams.get('token') === this.token;
  }

  /** A program wants something to be seen, by those who come later too. */
  ask(message: Message & ({ look: object } | { traces: object })): void {
    this.asked.set('look' in message ? 'look' : 'traces', message);
    for (const client of this.clients) this.send(client, message);
  }

  load(name: string): void {
    this.world = new MockWorld(name);
    this.generation++;
    this.drivers.clear();
    for (const client of this.clients) {
      this.sendScene(client);
      client.needsKey = true;
    }
    this.tellDrivers();
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const path = new URL(request.url ?? '/', 'http://mock').pathname;
    const picture = /^\/pictures\/([\w-]+)\.svg$/.exec(path)?.[1];
    response.setHeader('Content-Security-Policy', POLICY);
    if (path === '/access') {
      response.writeHead(this.lets(request) ? 204 : 403).end();
      return;
    }
    if (picture && picture in SCENES) {
      response.writeHead(200, { 'Content-Type': 'image/svg+xml' }).end(pictureOf(picture));
      return;
    }
    if (path.startsWith('/recordings')) return this.answerRecordings(request, response, decodeURIComponent(path.slice('/recordings/'.length)));
    const file = join(this.dist, normalize(path === '/' ? '/index.html' : path));
    if (!file.startsWith(this.dist) || !existsSync(file)) {
      response.writeHead(404).end('not found');
      return;
    }
    response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' });
    response.end(readFileSync(file));
  }

  private answerRecordings(request: IncomingMessage, response: ServerResponse, name: string): void {
    const { folder } = this.past;
    if (request.method === 'PUT') {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        folder.set(name, Buffer.concat(pieces));
        response.writeHead(201).end();
      });
      return;
    }
    if (name === '') {
      const list = [...folder].reverse().map(([file, data]) => ({ name: file, bytes: data.length, kind: file.endsWith('.mcap') ? 'recording' : 'path' }));
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(list));
      return;
    }
    const data = folder.get(name);
    response.writeHead(data ? 200 : 404, { 'Content-Type': 'application/octet-stream' }).end(data);
  }

  private welcome(socket: WebSocket): void {
    const number = ++this.count;
    const client: Client = { socket, number, name: `guest ${number}`, needsKey: true, watched: [], pictures: false, timeline: false, channels: [], told: '', listed: 0 };
    this.clients.push(client);
    this.send(client, {
      welcome: { protocol: 1, version: 'mock', client: number, name: client.name, may_control: this.mayControl, role: this.role, drive_robots: this.driveRobots },
    });
    this.send(client, {
      scenes: {
        entries: Object.keys(SCENES).map((name) => ({
          name, title: SCENES[name]!().scene.title, picture: `pictures/${name}.svg`,
        })),
      },
    });
    this.sendScene(client);
    this.tellDrivers();
    socket.on('message', (data: Buffer) => {
      try {
        this.take(client, readClientMessage(new PbfReader(new Uint8Array(data))));
      } catch {
        socket.terminate();
      }
    });
    socket.on('close', () => {
      this.clients = this.clients.filter((other) => other !== client);
      for (const [body, driver] of this.drivers) if (driver.client === number) this.release(body);
      this.tellDrivers();
    });
  }

  private take(client: Client, message: ClientMessage): void {
    if (message.control && this.past.away) this.past.control(message.control);
    else if (message.control) this.control(message.control);
    if (message.watch_timeline) {
      client.timeline = message.watch_timeline.on;
      for (const hello of this.past.hello()) this.send(client, hello);
    }
    this.past.take(message, (answer) => this.send(client, answer));
    if (message.load_map) {
      this.send(client, { map_answer: { request: message.load_map.request, error: 'The mock reads no maps.' } });
    }
    if (message.new_name) {
      client.name = message.new_name.name.slice(0, 40) || client.name;
      this.tellDrivers();
    }
    const { for_programs } = message;
    if (for_programs && this.forPrograms) {
      const others = this.forPrograms.filter((body) => body !== for_programs.body);
      this.forPrograms = for_programs.on ? [...others, for_programs.body] : others;
      this.tellDrivers();
    }
    if (message.claim) this.claim(client, message.claim.body, message.claim.release);
    const drive = message.drive;
    if (drive && this.drivers.get(drive.body)?.client === client.number) {
      this.drivers.get(drive.body)!.until = Date.now() + Math.max(SILENCE_MS, drive.hold_ms);
      Object.assign(this.world.bodies[drive.body]!, { left: drive.left, right: drive.right, driven: true });
      if (drive.by === DriveBy.VELOCITY) this.world.bodies[drive.body]!.speeds = [drive.speed, drive.turning];
    }
    if (message.watch_channels) {
      client.channels = message.watch_channels.channels;
      if (message.watch_channels.list && client.listed !== this.generation) {
        client.listed = this.generation;
        const channels = channelsOf(this.world).map(({ name, unit }) => ({ name, unit, meaning: name, low: -Infinity, high: Infinity }));
        this.send(client, { channels: { generation: this.generation, channels, left_out: 0 } });
      }
    }
    if (message.watch) {
      client.watched = message.watch.bodies.slice(0, 8);
      client.pictures = message.watch.pictures;
      this.watches.push(message.watch);
    }
    const { sigma } = message;
    if (sigma) {
      const axes = this.world.senses.get(sigma.body)?.sigmas[sigma.sensor];
      if (axes && sigma.axis < axes.length) axes[sigma.axis] = sigma.sigma;
    }
    const { place, push, grab, let_go } = message;
    const body = this.world.bodies[(place ?? push ?? grab ?? let_go)?.body ?? -1];
    if (!body) return;
    if (place) Object.assign(body, { x: place.x, y: place.y, heading: place.heading, vx: 0, vy: 0, omega: 0 });
    if (push) {
      const mass = this.world.scene.scene.bodies[push.body]!.mass;
      body.vx += push.impulse_x / mass;
      body.vy += push.impulse_y / mass;
    }
    if (grab) body.hand = [grab.x, grab.y];
    if (let_go) body.hand = undefined;
  }

  private control(control: Control): void {
    switch (control.kind) {
      case 'play': this.paused = false; break;
      case 'pause': this.paused = true; break;
      case 'step': this.paused = true; this.stepsLeft += control.step ?? 1; break;
      case 'speed': this.speed = control.speed ?? 1; break;
      case 'reset': this.world.reset(); this.needKeys(); break;
      case 'seed': this.seed = control.seed ?? 0; this.world.reset(); this.needKeys(); break;
      case 'load':
        if (control.load && control.load in SCENES) this.load(control.load);
        break;
    }
  }

  private claim(client: Client, body: number, release: boolean): void {
    const holder = this.drivers.get(body);
    if (release) {
      if (holder?.client === client.number) this.release(body);
    } else if (holder && holder.client !== client.number) {
      const name = this.clients.find((other) => other.number === holder.client)?.name ?? '';
      const refusal = { code: RefusalCode.HELD, body, name: this.world.scene.scene.bodies[body]?.name ?? '', holder: { body, client: holder.client, name } };
      this.send(client, { notice: { level: 1, text: `${name} drives this robot`, refusal } });
    } else if (this.world.scene.scene.bodies[body]?.kind === BodyKind.ROBOT) {
      this.drivers.set(body, { client: client.number, until: Date.now() + SILENCE_MS });
    }
    this.tellDrivers();
  }

  private release(body: number): void {
    this.drivers.delete(body);
    const mover = this.world.bodies[body];
    if (mover) mover.driven = false;
  }

  private tick(): void {
    for (const [body, driver] of this.drivers) {
      const mover = this.world.bodies[body]!;
      mover.driven = true;
      if (Date.now() > driver.until) {
        mover.left = mover.right = 0;
        mover.speeds = undefined;
      }
    }
    const before = this.world.bodies.map(({ x, y, heading }) => [x, y, heading] as const);
    const stepBefore = this.world.step;
    if (this.past.away) this.past.advance(FRAME_MS / 1000);
    else if (!this.paused) {
      const pace = this.speed || 10;
      let left = Math.min(1, (FRAME_MS / 1000) * pace);
      for (; left > 1e-9; left -= 0.011) this.world.advance(Math.min(left, 0.011));
    }
    for (; this.stepsLeft > 0; this.stepsLeft--) this.world.advance(this.world.scene.scene.step_s);
    if (!this.past.away) this.past.keep((this.world.step - stepBefore) * this.world.scene.scene.step_s);
    this.frames++;
    if (this.frames % 3 === 0) {
      for (const message of [this.past.timeline(), this.past.recordState()]) {
        if (message) for (const client of this.clients.filter(({ timeline }) => timeline)) this.send(client, message);
      }
    }
    const periodic = this.frames % KEY_EVERY === 0;
    const moved = this.world.bodies.flatMap(({ x, y, heading }, n) => {
      const old = before[n];
      return !old || old[0] !== x || old[1] !== y || old[2] !== heading ? [n] : [];
    });
    const delta = this.frame(false, moved);
    const full = periodic || this.clients.some((client) => client.needsKey)
      ? this.frame(true, this.world.bodies.map((_, n) => n)) : undefined;
    for (const client of this.clients) {
      this.send(client, { frame: full && (client.needsKey || periodic) ? full : delta });
      client.needsKey = false;
    }
    this.tellSenses();
    this.tellChannels();
    this.world.events = [];
  }

  private tellSenses(): void {
    const wanted = new Set(this.clients.flatMap(({ watched }) => watched).filter((n) => this.world.senses.has(n)));
    for (const n of wanted) {
      const senses = this.world.senses.get(n)!;
      const at = { generation: this.generation, step: this.world.step, body: n };
      const sigmas = this.frames % 6 === 0 ? senses.sigmas.map((values, sensor) => ({ sensor, values })) : [];
      const readings = { ...at, values: senses.values(), sigmas };
      const seen = this.clients.some(({ watched, pictures }) => pictures && watched.includes(n));
      const cameras = [...this.world.scene.scene.bodies[n]!.sensors.entries()].filter(([, { kind }]) => seen && kind === 'camera');
      if (seen) senses.pictures++;
      const pictures = cameras.map(([sensor, one]) => ({ ...at, sensor, png: senses.picture(one), number: senses.pictures }));
      for (const client of this.clients.filter(({ watched }) => watched.includes(n))) {
        this.send(client, { readings });
        if (client.pictures) for (const picture of pictures) this.send(client, { picture });
      }
    }
  }

  private tellChannels(): void {
    const { world, generation } = this;
    for (const client of this.clients.filter(({ channels }) => channels.length > 0)) {
      const all = channelsOf(world);
      const key = JSON.stringify([generation, client.channels]);
      const channels = key === client.told ? [] : client.channels;
      client.told = key;
      const values = client.channels.map((number) => all[number]?.value ?? NaN);
      const time_s = world.step * world.scene.scene.step_s;
      this.send(client, { channel_values: { generation, step: world.step, time_s, channels, values, left_out: 0 } });
    }
  }

  private frame(key: boolean, numbers: number[]) {
    const { world } = this;
    const bodies = numbers.map((n) => world.bodies[n]!);
    const robots = numbers.filter((n) => world.scene.scene.bodies[n]!.kind === BodyKind.ROBOT);
    const motors = robots.map((n) => world.bodies[n]!);
    const late = { p50: 4e-5, p99: 2.1e-4, p999: 9e-4, max: 1.9e-3 };
    return {
      generation: this.generation, step: world.step, time_s: world.step * world.scene.scene.step_s, key, run_time_s: this.past.shownS,
      body: key ? [] : numbers,
      x: bodies.map((b) => b.x), y: bodies.map((b) => b.y), heading: bodies.map((b) => b.heading),
      vx: bodies.map((b) => b.vx), vy: bodies.map((b) => b.vy), omega: bodies.map((b) => b.omega),
      flags: bodies.map((b) => (b.driven ? 4 : 0)),
      volts_left: motors.map((b) => b.left), volts_right: motors.map((b) => b.right),
      current_left: motors.map((b) => b.left * 0.03), current_right: motors.map((b) => b.right * 0.03),
      wheel_left: robots.map((n) => world.bodies[n]!.speedLeft / world.scene.scene.bodies[n]!.wheel_radius),
      wheel_right: robots.map((n) => world.bodies[n]!.speedRight / world.scene.scene.bodies[n]!.wheel_radius),
      contact_x: world.contacts.map((c) => c.x), contact_y: world.contacts.map((c) => c.y),
      contact_impulse: world.contacts.map((c) => c.impulse),
      scores: world.scores,
      events: world.events.map((event) => ({ ...event, time_s: event.step * world.scene.scene.step_s })),
      status: {
        paused: this.paused, speed: this.speed, real_time_factor: this.paused ? 0 : this.speed || 10,
        seed: this.seed, missed_ticks: 3, missed_frames: 0, behind_s: 0, tick_lateness: late,
        frame_lateness: late, viewers: this.clients.length, ended: this.ended,
      },
    };
  }

  private needKeys(): void {
    for (const client of this.clients) client.needsKey = true;
  }

  private sendScene(client: Client): void {
    this.send(client, { scene: { ...this.world.scene.scene, generation: this.generation } });
    for (const message of this.asked.values()) this.send(client, message);
  }

  private tellDrivers(): void {
    const drivers = [...this.drivers].map(([body, { client }]) => ({
      body, client, name: this.clients.find((other) => other.number === client)?.name ?? '',
    }));
    for (const client of this.clients) {
      const { forPrograms } = this;
      this.send(client, { drivers: { drivers, programs_come: true, all_for_programs: !forPrograms, for_programs: forPrograms ?? [] } });
    }
  }

  private send(client: Client, message: Message): void {
    const writer = new PbfWriter();
    writeServerMessage(message, writer);
    if (client.socket.readyState === 1) client.socket.send(writer.finish());
  }
}

/** What the world has by name: less than the simulator, of every kind some. */
function channelsOf({ scene, bodies, step }: MockWorld): { name: string; unit: string; value: number }[] {
  const of = scene.scene.bodies.flatMap(({ name, kind }, n) => {
    const body = bodies[n]!;
    const prefix = `${kind === BodyKind.ROBOT ? 'robot' : kind === BodyKind.BALL ? 'ball' : 'object'}.${name}`;
    const own: [string, string, number][] = [['x', 'm', body.x], ['y', 'm', body.y], ['velocity.x', 'm/s', body.vx], ['velocity.y', 'm/s', body.vy]];
    const robot: [string, string, number][] = [
      ['speed.forward', 'm/s', body.vx * Math.cos(body.heading) + body.vy * Math.sin(body.heading)],
      ['actuator.right.voltage', 'V', body.right], ['actuator.left.voltage', 'V', body.left],
    ];
    return [...own, ...(kind === BodyKind.ROBOT ? robot : [])].map(([channel, unit, value]) => ({ name: `${prefix}.${channel}`, unit, value }));
  });
  return [{ name: 'time', unit: 's', value: step * scene.scene.step_s }, ...of];
}

function pictureOf(name: string): string {
  const { scene, poses } = SCENES[name]!();
  const [minX, minY, maxX, maxY] = scene.bounds as [number, number, number, number];
  const hex = (colour: number) => `#${colour.toString(16).padStart(6, '0')}`;
  const polygon = (points: number[], colour: number) => `<polygon points="${points.join(' ')}" fill="${hex(colour)}"/>`;
  const size = poses.length > 100 ? 0.07 : 0.0375;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${minX} ${minY} ${maxX - minX} ${maxY - minY}">
<rect x="${minX}" y="${minY}" width="100%" height="100%" fill="#2f5d4a"/>
${scene.walls.map((wall) => polygon(wall.points, wall.colour)).join('')}
${poses.map(([x, y], n) => `<circle cx="${x}" cy="${y}" r="${size}" fill="${hex(scene.bodies[n]!.colour)}"/>`).join('')}
</svg>`;
}
