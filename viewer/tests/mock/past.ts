// The past of the mock's run: what was is kept for a minute and can be gone to, taken over and laid over the run as a ghost.

import { GhostKind, TimelineMode, type ClientMessage, type Control, type writeServerMessage } from '../../src/proto/live.js';
import type { MockWorld } from './world';

type Message = Parameters<typeof writeServerMessage>[0];
type Bodies = MockWorld['bodies'];
interface Kept {
  timeS: number;
  step: number;
  bodies: Bodies;
}
interface GhostData {
  number: number;
  name: string;
  kind: number;
  shift: number;
  kept: Kept[];
}

const KEPT_S = 60;

export class MockPast {
  mode: number = TimelineMode.LIVE;
  /** Run time of the live run, s. */
  runS = 0;
  private kept: Kept[] = [];
  private live: { bodies: Bodies; step: number } | undefined;
  private atS = 0;
  private speed = 1;
  private playing = false;
  private course = 1;
  private origin: { file: string; time_s: number; step: number; at_s: number } | undefined;
  private marks: { time_s: number; kind: string; text: string; bodies: number[]; value: number }[] = [];
  private ghosts: GhostData[] = [];
  private count = 0;
  private record = { on: false, file: '', bytes: 0, lost: 0, begin_s: 0, may_record: true, in_folder: true };
  readonly folder = new Map<string, Uint8Array>();

  constructor(private readonly world: () => MockWorld, private readonly tell: (message: Message) => void) {}

  get away(): boolean {
    return this.mode !== TimelineMode.LIVE;
  }

  /** Run time of what is shown, s. */
  get shownS(): number {
    return this.away ? this.atS : this.runS;
  }

  /** The live run went on by so much, s. */
  keep(elapsed: number): void {
    if (elapsed <= 0) return;
    this.runS += elapsed;
    const { bodies, step, events } = this.world();
    this.kept.push({ timeS: this.runS, step, bodies: bodies.map((body) => ({ ...body })) });
    while (this.kept[0]!.timeS < this.runS - KEPT_S) this.kept.shift();
    for (const { kind, text, bodies: numbers, value } of events) this.marks.push({ time_s: this.runS, kind, text, bodies: numbers, value });
    if (this.record.on) this.record.bytes += 1300;
  }

  /** What is shown of the past goes on; false where it stands. */
  advance(elapsed: number): boolean {
    if (!this.playing) return false;
    this.show(this.atS + this.speed * elapsed);
    if (this.atS <= this.begin || this.atS >= this.runS) this.playing = false;
    return true;
  }

  hello(): Message[] {
    return [this.timeline(), this.ghostList(), { record_state: this.record }, ...(this.away ? [this.markList()] : [])];
  }

  timeline(): Message {
    const { away, begin, runS, atS, playing, speed, course, origin, mode } = this;
    const at_s = away ? atS : runS;
    return { timeline: { mode, begin_s: begin, end_s: runS, at_s, step: Math.round(at_s / this.world().scene.scene.step_s), speed, playing: away ? playing : true, may_take_over: away, course, kept_s: KEPT_S, ...(origin ? { origin } : {}) } };
  }

  recordState(): Message | undefined {
    return this.record.on ? { record_state: this.record } : undefined;
  }

  take(message: ClientMessage, answer: (message: Message) => void): void {
    const { time_travel: travel, ask_series: series, change_ghosts: change, record } = message;
    if (travel) this.travel(travel);
    if (series) answer(this.series(series));
    if (record) {
      if (record.start) this.record = { ...this.record, on: true, file: `soccer-${++this.count}.mcap`, bytes: 900, begin_s: this.runS };
      else {
        this.record.on = false;
        this.folder.set(this.record.file, new Uint8Array(this.record.bytes));
      }
      this.tell({ record_state: this.record });
    }
    if (change?.kind === 'add') this.addGhost(change.add!, GhostKind.RECORDING, change.shift_s, this.kept.map((kept) => ({ ...kept, bodies: kept.bodies.map((body) => ({ ...body, y: body.y + 0.08 })) })));
    if (change?.kind === 'remove') this.ghosts = this.ghosts.filter(({ number }) => number !== change.remove);
    if (change) this.tell(this.ghostList());
  }

  /** What is asked of a run that goes on means what is shown. */
  control({ kind, step, speed }: Control): void {
    if (kind === 'play') [this.playing, this.speed] = [true, Math.abs(this.speed)];
    if (kind === 'pause' || kind === 'step') this.playing = false;
    if (kind === 'speed') this.speed = Math.sign(this.speed) * speed!;
    if (kind === 'step') this.show(this.atS + step! * this.world().scene.scene.step_s);
    this.tell(this.timeline());
  }

  toLive(): void {
    if (!this.live) return;
    Object.assign(this.world(), this.live);
    this.live = undefined;
    this.mode = TimelineMode.LIVE;
  }

  private get begin(): number {
    return this.kept[0]?.timeS ?? 0;
  }

  private at(timeS: number): Kept | undefined {
    return this.kept.findLast((kept) => kept.timeS <= timeS + 1e-9) ?? this.kept[0];
  }

  private show(timeS: number): void {
    // To the nearest step.
    const { step_s } = this.world().scene.scene;
    this.atS = Math.max(this.begin, Math.min(this.runS, Math.round(timeS / step_s!) * step_s!));
    const { bodies, step } = this.at(this.atS)!;
    Object.assign(this.world(), { bodies: bodies.map((body) => ({ ...body })), step });
  }

  private travel(travel: NonNullable<ClientMessage['time_travel']>): void {
    const entered = !this.away;
    if (travel.take_over) this.takeOver();
    else if (travel.to_live) this.toLive();
    else {
      if (entered) {
        const { bodies, step } = this.world();
        this.live = { bodies, step };
        this.mode = TimelineMode.PAST;
        this.atS = this.runS;
      }
      this.playing = travel.kind === 'play';
      if (this.playing) this.speed = travel.play!;
      const stepS = this.world().scene.scene.step_s;
      this.show(travel.kind === 'seek_s' ? travel.seek_s! : this.atS + (travel.step ?? 0) * stepS);
    }
    this.tell(this.timeline());
    if (entered && this.away) this.tell(this.markList());
  }

  private takeOver(): void {
    const { atS, runS } = this;
    this.ghosts = this.ghosts.filter(({ kind }) => kind !== GhostKind.FUTURE);
    this.addGhost('', GhostKind.FUTURE, runS - atS, this.kept.filter(({ timeS }) => timeS >= atS));
    this.origin = { file: '', time_s: atS, step: this.world().step, at_s: runS };
    this.live = undefined;
    this.mode = TimelineMode.LIVE;
    this.course++;
    this.tell(this.ghostList());
  }

  private addGhost(name: string, kind: number, shift: number, kept: Kept[]): void {
    if (kept.length > 0) this.ghosts.push({ number: ++this.count, name, kind, shift, kept });
  }

  private ghostList(): Message {
    const { bodies } = this.world().scene.scene;
    const channels = bodies.flatMap((body) => ['x', 'y', 'heading'].map((quantity) => `${prefixOf(body.kind)}.${body.name}.${quantity}`));
    return { ghosts: { ghosts: this.ghosts.map(({ number, name, kind, shift, kept }) => ({
      number, name, kind, begin_s: kept[0]!.timeS + shift, end_s: kept.at(-1)!.timeS + shift, shift_s: shift, bodies, channels, timed: true,
    })) } };
  }

  private markList(): Message {
    return { marks: { course: this.course, marks: this.marks.filter(({ time_s }) => time_s >= this.begin), left_out: [] } };
  }

  private series({ request, channels, begin_s, end_s, points, source }: NonNullable<ClientMessage['ask_series']>): Message {
    const ghost = this.ghosts.find(({ number }) => number === source);
    const shift = ghost?.shift ?? 0;
    const all = (ghost?.kept ?? this.kept).filter(({ timeS }) => timeS + shift >= begin_s - 0.04 && timeS + shift <= end_s + 0.04);
    const every = Math.max(1, Math.ceil(all.length / points));
    const bins = Array.from({ length: Math.ceil(all.length / every) }, (_, i) => all.slice(i * every, (i + 1) * every));
    const { scene } = this.world().scene;
    const values = channels.map((name) => {
      const n = scene.bodies.findIndex((body) => name.startsWith(`${prefixOf(body.kind)}.${body.name}.`));
      const body = scene.bodies[n];
      const quantity = name.slice(body ? prefixOf(body.kind).length + body.name.length + 2 : 0);
      const value = ({ bodies }: Kept) => {
        const one = bodies[n];
        if (!one) return NaN;
        if (quantity === 'speed.forward') return one.vx * Math.cos(one.heading) + one.vy * Math.sin(one.heading);
        if (quantity === 'actuator.left.voltage') return one.left;
        if (quantity === 'actuator.right.voltage') return one.right;
        return (one as unknown as Record<string, number>)[quantity] ?? NaN;
      };
      const low = bins.map((bin) => Math.min(...bin.map(value)));
      return { name, unit: '', low, high: every > 1 ? bins.map((bin) => Math.max(...bin.map(value))) : [] };
    });
    return { series: { request, times_s: bins.map((bin) => bin[0]!.timeS + shift), values, last: true } };
  }
}

function prefixOf(kind: number | undefined): string {
  return ['robot', 'ball', 'object'][kind ?? 0]!;
}
