// A real simulator as the page's server: started, ended and started again at the same address.

import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export class Simulator {
  private child: ChildProcess | undefined;
  private port = 0;
  /** Where recordings of the page are. */
  private readonly recordings = mkdtempSync(join(tmpdir(), 'rolima-recordings-'));
  /** Where programs of Robot One connect to, in the thesis's dialect. */
  programsPort = 0;

  /** `shows`: what it is to do. Programs of Robot One come to runs only. */
  constructor(private readonly program: string, private readonly shows: readonly string[] = ['run', 'soccer', '--robotone-listen', '127.0.0.1:0']) {}

  /** Its process. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Starts it; gives the address that it prints. */
  async start(): Promise<string> {
    const place = `127.0.0.1:${this.port}`;
    const child = spawn(this.program, [...this.shows, '--listen', place, '--no-browser', '--recordings', this.recordings], { stdio: ['ignore', 'ignore', 'pipe'] });
    this.child = child;
    const said: string[] = [];
    let address: string | undefined;
    for await (const line of createInterface({ input: child.stderr! })) {
      said.push(line);
      address ??= /http:\/\/\S+/.exec(line)?.[0];
      // Told after the page's address.
      const programs = /programs: \S+?:(\d+) \(thesis\)/.exec(line)?.[1];
      if (address && (programs || this.shows[0] !== 'run')) {
        this.port = Number(new URL(address).port);
        this.programsPort = Number(programs ?? 0);
        child.stderr!.resume();
        return address;
      }
    }
    throw new Error(`no address from ${this.program}: ${said.join('\n')}`);
  }

  /** Ends it, as Ctrl-C does. */
  async stop(): Promise<void> {
    const child = this.child;
    this.child = undefined;
    if (child && child.exitCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGINT');
      await ended;
    }
    rmSync(this.recordings, { recursive: true, force: true });
  }
}
