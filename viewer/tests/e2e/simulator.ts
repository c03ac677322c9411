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

  constructor(private readonly program: string) {}

  /** Its process. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Starts it; gives the address that it prints. */
  async start(): Promise<string> {
    const place = `127.0.0.1:${this.port}`;
    const child = spawn(this.program, ['run', 'soccer', '--listen', place, '--no-browser', '--robotone-listen', '127.0.0.1:0', '--recordings', this.recordings], { stdio: ['ignore', 'ignore', 'pipe'] });
    this.child = child;
    const said: string[] = [];
    let address: string | undefined;
    for await (const line of createInterface({ input: child.stderr! })) {
      said.push(line);
      address ??= /http:\/\/\S+/.exec(line)?.[0];
      // Told after the page's address.
      const programs = /programs: \S+?:(\d+) \(thesis\)/.exec(line)?.[1];
      if (address && programs) {
        this.port = Number(new URL(address).port);
        this.programsPort = Number(programs);
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
