// Signals that can be plotted: which there are, and a table of those chosen.

import type { Snapshot } from './snapshot';
import { wrap } from './angle';
import { attitude } from './quaternion';
import { PART_UNITS, type Part } from './sensor-signals';

export const QUANTITIES = [
  'x', 'y', 'heading', 'speed', 'omega',
  'voltsLeft', 'voltsRight', 'currentLeft', 'currentRight', 'wheelLeft', 'wheelRight', 'z', 'roll', 'pitch',
] as const;
export type Quantity = (typeof QUANTITIES)[number];

export const UNITS: Record<Quantity, string> = {
  x: 'm', y: 'm', heading: 'rad', speed: 'm/s', omega: 'rad/s',
  voltsLeft: 'V', voltsRight: 'V', currentLeft: 'A', currentRight: 'A',
  wheelLeft: 'rad/s', wheelRight: 'rad/s', z: 'm', roll: 'rad', pitch: 'rad',
};

/** Those that only robots have. */
export const OF_MOTORS: ReadonlySet<Quantity> = new Set([
  'voltsLeft', 'voltsRight', 'currentLeft', 'currentRight', 'wheelLeft', 'wheelRight',
]);

/** Those that only bodies on rough ground have. */
export const OF_SPACE: ReadonlySet<Quantity> = new Set(['z', 'roll', 'pitch']);

export interface Signal {
  body: number;
  /** One of QUANTITIES, or of a sensor: "gps.x". */
  quantity: string;
}

export function isQuantity(name: string): name is Quantity {
  return name in UNITS;
}

export function unitOf(quantity: string): string {
  if (isQuantity(quantity)) return UNITS[quantity];
  return PART_UNITS[quantity.slice(quantity.lastIndexOf('.') + 1) as Part] ?? '1';
}

export function keyOf(signal: Signal): string {
  return `${signal.body}:${signal.quantity}`;
}

/** Tells what a sensor reads; undefined where that is not known. */
export type Sensed = (signal: Signal) => number | undefined;

export function valueOf(snapshot: Snapshot, signal: Signal, sensed?: Sensed): number | null {
  const { body, quantity } = signal;
  if (body >= snapshot.count) return NaN;
  if (!isQuantity(quantity)) return sensed?.(signal) ?? null;
  if (quantity === 'speed') return snapshot.speed(body);
  if (quantity === 'heading') return wrap(snapshot.heading[body]!);
  if (quantity === 'z') return snapshot.space?.z[body] ?? null;
  if (quantity === 'roll' || quantity === 'pitch') return snapshot.space ? attitude(snapshot.space.rotation(body))[quantity] : null;
  return snapshot[quantity][body]!;
}

/** The longest history kept, rows: ten minutes at 30 frames a second. */
const MOST_ROWS = 18_000;

/** One row a frame, one column a signal. A signal chosen later has gaps before. */
export class Recorder {
  readonly signals: Signal[] = [];
  readonly times: number[] = [];
  readonly columns: (number | null)[][] = [];

  add(signal: Signal): void {
    if (this.signals.some((known) => keyOf(known) === keyOf(signal))) return;
    this.signals.push(signal);
    this.columns.push(new Array<number | null>(this.times.length).fill(null));
  }

  remove(signal: Signal): void {
    const at = this.signals.findIndex((known) => keyOf(known) === keyOf(signal));
    if (at < 0) return;
    this.signals.splice(at, 1);
    this.columns.splice(at, 1);
  }

  has(signal: Signal): boolean {
    return this.signals.some((known) => keyOf(known) === keyOf(signal));
  }

  clear(): void {
    this.times.length = 0;
    for (const column of this.columns) column.length = 0;
  }

  take(snapshot: Snapshot, sensed?: Sensed): void {
    if (this.signals.length === 0) return;
    const last = this.times.at(-1);
    if (last !== undefined && snapshot.timeS < last) this.clear();
    // Standing still: the newest row is renewed, not repeated.
    if (last !== undefined && snapshot.timeS === last) {
      this.signals.forEach((signal, i) => {
        const column = this.columns[i]!;
        column[column.length - 1] = valueOf(snapshot, signal, sensed);
      });
      return;
    }
    this.times.push(snapshot.timeS);
    this.signals.forEach((signal, i) => this.columns[i]!.push(valueOf(snapshot, signal, sensed)));
    if (this.times.length > MOST_ROWS) {
      const surplus = this.times.length - MOST_ROWS + MOST_ROWS / 10;
      this.times.splice(0, surplus);
      for (const column of this.columns) column.splice(0, surplus);
    }
  }
}

/** A table by RFC 4180: names with units in the first line, empty fields for gaps. */
export function toCsv(recorder: Recorder, nameOf: (body: number) => string): string {
  const quote = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const head = ['time (s)'].concat(
    recorder.signals.map(({ body, quantity }) =>
      quote(`${nameOf(body)} ${quantity} (${unitOf(quantity)})`),
    ),
  );
  const lines = [head.join(',')];
  recorder.times.forEach((time, row) => {
    const cells = recorder.columns.map((column) => {
      const value = column[row];
      return value === null || value === undefined || !Number.isFinite(value) ? '' : String(value);
    });
    lines.push([Number(time.toFixed(9)), ...cells].join(','));
  });
  return lines.join('\r\n') + '\r\n';
}
