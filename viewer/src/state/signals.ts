// Signals that are plotted: a table of those chosen.

/** Something that is plotted: a channel by its name, or what the page works out of a sensor. */
export interface Signal {
  /** Unique: "robot.blue-1.speed.forward", "blue-1 lidar.ahead". */
  readonly name: string;
  readonly unit: string;
  /** Of a sensor: which robot, or WORLD, and what of it ("lidar.ahead"). */
  readonly of?: { readonly body: number; readonly quantity: string };
}

/** Tells the present value of a signal; undefined where that is not known. */
export type Value = (signal: Signal) => number | undefined;

/** The longest history kept, rows: ten minutes at 30 frames a second. */
const MOST_ROWS = 18_000;

/** One row a frame, one column a signal. A signal chosen later has gaps before. */
export class Recorder {
  readonly signals: Signal[] = [];
  readonly times: number[] = [];
  readonly columns: (number | null)[][] = [];

  add(signal: Signal): void {
    if (this.has(signal)) return;
    this.signals.push(signal);
    this.columns.push(new Array<number | null>(this.times.length).fill(null));
  }

  remove(signal: Signal): void {
    const at = this.signals.findIndex(({ name }) => name === signal.name);
    if (at < 0) return;
    this.signals.splice(at, 1);
    this.columns.splice(at, 1);
  }

  has(signal: Signal): boolean {
    return this.signals.some(({ name }) => name === signal.name);
  }

  /** The channels among the signals, by name. */
  get channels(): readonly string[] {
    return this.signals.filter(({ of }) => of === undefined).map(({ name }) => name);
  }

  clear(): void {
    this.times.length = 0;
    for (const column of this.columns) column.length = 0;
  }

  take(timeS: number, value: Value): void {
    if (this.signals.length === 0) return;
    const last = this.times.at(-1);
    if (last !== undefined && timeS < last) this.clear();
    // Standing still: the newest row is renewed, not repeated.
    if (last !== undefined && timeS === last) {
      this.signals.forEach((signal, i) => {
        const column = this.columns[i]!;
        column[column.length - 1] = value(signal) ?? null;
      });
      return;
    }
    this.times.push(timeS);
    this.signals.forEach((signal, i) => this.columns[i]!.push(value(signal) ?? null));
    if (this.times.length > MOST_ROWS) {
      const surplus = this.times.length - MOST_ROWS + MOST_ROWS / 10;
      this.times.splice(0, surplus);
      for (const column of this.columns) column.splice(0, surplus);
    }
  }
}

/** A table by RFC 4180: names with units in the first line, empty fields for gaps. */
export function toCsv({ signals, times, columns }: Recorder): string {
  return tableCsv('time (s)', signals, times, columns);
}

/** `head` is that of the column of instants. */
export function tableCsv(
  head: string, signals: readonly Signal[], times: readonly number[], columns: readonly (readonly (number | null | undefined)[])[],
): string {
  const quote = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const heads = [head].concat(signals.map(({ name, unit }) => quote(unit ? `${name} (${unit})` : name)));
  const lines = [heads.join(',')];
  times.forEach((time, row) => {
    const cells = columns.map((column) => {
      const value = column[row];
      return value === null || value === undefined || !Number.isFinite(value) ? '' : String(value);
    });
    lines.push([Number(time.toFixed(9)), ...cells].join(','));
  });
  return lines.join('\r\n') + '\r\n';
}
