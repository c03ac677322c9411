// A program of Robot One: over a socket where there is a simulator, else what the mock makes of it.

import { connect, type Socket } from 'node:net';
import { LookFrom } from '../../src/proto/live.js';
import { MockServer } from '../mock/server';
import { Simulator } from './simulator';

export type From = 'third' | 'top' | 'first';
const FROM: readonly From[] = ['third', 'top', 'first'];

export interface Program {
  look(from: From, zoom: number): Promise<void>;
  trace(on: boolean): Promise<void>;
  drive(speed: number, turning: number): Promise<void>;
  put(x: number, y: number, heading: number): Promise<void>;
  end(): Promise<void>;
}

export async function program(server: MockServer | Simulator): Promise<Program> {
  return server instanceof MockServer ? new Played(server) : Speaking.connect(server.programsPort);
}

/** Speaks the thesis's dialect. */
class Speaking implements Program {
  private readonly answers: (() => void)[] = [];
  private heard = Buffer.alloc(0);

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.on('data', (data: Buffer) => {
      this.heard = Buffer.concat([this.heard, data]);
      for (; this.heard.length >= 6; this.heard = this.heard.subarray(6)) {
        if (this.heard[1] !== 1) throw new Error('the simulator refused');
        this.answers.shift()?.();
      }
    });
  }

  static async connect(port: number): Promise<Speaking> {
    const socket = connect(port, '127.0.0.1');
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    return new Speaking(socket);
  }

  private set(name: string, value: number): Promise<void> {
    const request = Buffer.alloc(9 + name.length);
    request.writeUInt8(1, 0);
    request.writeInt32LE(name.length, 1);
    request.write(name, 5);
    request.writeFloatLE(value, 5 + name.length);
    return new Promise((resolve) => {
      this.answers.push(resolve);
      this.socket.write(request);
    });
  }

  async look(from: From, zoom: number): Promise<void> {
    await this.set('World.Camera.Mode', FROM.indexOf(from));
    await this.set('World.Camera.Zoom', zoom);
  }

  trace(on: boolean): Promise<void> {
    return this.set('Trace', Number(on));
  }

  async drive(speed: number, turning: number): Promise<void> {
    await this.set('Velocity.Linear', speed);
    await this.set('Velocity.Angular', turning);
  }

  async put(x: number, y: number, heading: number): Promise<void> {
    await this.set('Pose.X', x);
    await this.set('Pose.Y', y);
    await this.set('Pose.Theta', heading);
  }

  async end(): Promise<void> {
    await new Promise<void>((resolve) => this.socket.end(resolve));
  }
}

class Played implements Program {
  constructor(private readonly mock: MockServer) {}

  async look(from: From, zoom: number): Promise<void> {
    const kinds = { third: LookFrom.THIRD_PERSON, top: LookFrom.TOP, first: LookFrom.FIRST_PERSON };
    this.mock.ask({ look: { from: kinds[from], zoom, body: 0 } });
  }

  async trace(on: boolean): Promise<void> {
    const { x, y } = this.mock.world.bodies[0]!;
    this.mock.ask({ traces: { traces: on ? [{ body: 0, true_way: [{ points: [x, y] }], believed: [] }] : [] } });
  }

  async drive(speed: number, turning: number): Promise<void> {
    Object.assign(this.mock.world.bodies[0]!, { speeds: [speed, turning], driven: true });
  }

  async put(x: number, y: number, heading: number): Promise<void> {
    Object.assign(this.mock.world.bodies[0]!, { x, y, heading, vx: 0, vy: 0, omega: 0 });
    await this.trace(true);
  }

  async end(): Promise<void> {
    await this.drive(0, 0);
  }
}
