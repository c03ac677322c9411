// The quantities of the scene by name, as the simulator tells them: which there are, which of them the page wants, and
// their newest values. No browser needed.

import type { Channel, Channels, ChannelValues } from '../proto/live.js';

/** As many as the simulator tells one client. */
export const MOST_CHANNELS = 256;

export interface ChannelInfo extends Channel {
  readonly number: number;
  /** What it is a quantity of: "robot.blue-1"; empty: the world. */
  readonly group: string;
  /** Its name within that. */
  readonly own: string;
}

/** What is sent to the simulator. */
export interface Question {
  list: boolean;
  patterns: string;
  channels: number[];
}

const SUBJECTS: ReadonlySet<string> = new Set(['robot', 'ball', 'object', 'zone']);

/** What a channel is a quantity of, where bodies may have dots in their names. */
export function groupOf(name: string, bodies: readonly string[]): string {
  const [kind] = name.split('.', 1);
  if (!SUBJECTS.has(kind!)) return '';
  const rest = name.slice(kind!.length + 1);
  const body = bodies.filter((known) => rest.startsWith(`${known}.`)).sort((a, b) => b.length - a.length)[0];
  return `${kind}.${body ?? rest.split('.', 1)[0]}`;
}

export class ChannelTable {
  list: readonly ChannelInfo[] = [];
  /** How many the scene has beyond those that are told. */
  leftOut = 0;
  /** How many of the wanted ones this page does not get. */
  tooMany = 0;
  timeS = 0;
  private generation: number | undefined;
  private byName = new Map<string, ChannelInfo>();
  private readonly wanted = new Map<string, readonly string[]>();
  private listed = false;
  private places = new Map<number, number>();
  private values: readonly number[] = [];
  private asked = '';

  /** Another scene, or another connection: what was asked is forgotten, what is wanted is not. */
  begin(): void {
    this.list = [];
    this.byName.clear();
    this.places.clear();
    this.values = [];
    this.generation = undefined;
    this.asked = '';
    [this.leftOut, this.tooMany] = [0, 0];
  }

  /** Whether somebody looks through the list. */
  browse(on: boolean): void {
    this.listed = on;
  }

  /** What a part of the page wants to know, by names, in place of what it wanted before. */
  want(who: string, names: readonly string[]): void {
    if (names.length === 0) this.wanted.delete(who);
    else this.wanted.set(who, names);
  }

  find(name: string): ChannelInfo | undefined {
    return this.byName.get(name);
  }

  /** What is to be asked of the simulator now; undefined where that was asked already. */
  question(): Question | undefined {
    const names = [...this.wanted.values()].flat();
    const numbers = names.flatMap((name) => this.byName.get(name)?.number ?? []);
    const channels = [...new Set(numbers)].sort((a, b) => a - b);
    this.tooMany = Math.max(0, channels.length - MOST_CHANNELS);
    channels.length = Math.min(channels.length, MOST_CHANNELS);
    // Numbers are known by the list only.
    const list = this.listed || names.length > 0;
    const question: Question = { list, patterns: '', channels };
    const key = JSON.stringify(question);
    if (key === this.asked || (this.asked === '' && !list)) return undefined;
    this.asked = key;
    return question;
  }

  takeList({ generation, channels, left_out }: Channels, bodies: readonly string[]): void {
    this.generation = generation;
    this.leftOut = left_out;
    this.list = channels.map((channel, number) => {
      const group = groupOf(channel.name, bodies);
      return { ...channel, number, group, own: group ? channel.name.slice(group.length + 1) : channel.name };
    });
    this.byName = new Map(this.list.map((channel) => [channel.name, channel]));
  }

  /** False where it is of another scene. */
  takeValues({ generation, time_s, channels, values }: ChannelValues): boolean {
    if (generation !== this.generation) return false;
    if (channels.length > 0) this.places = new Map(channels.map((number, i) => [number, i]));
    if (values.length === 0) this.places.clear();
    this.values = values;
    this.timeS = time_s;
    return true;
  }

  /** The newest value of a channel; undefined where none was told. */
  value(name: string): number | undefined {
    const channel = this.byName.get(name);
    const place = channel && this.places.get(channel.number);
    const value = place === undefined ? undefined : this.values[place];
    return value === undefined || Number.isNaN(value) ? undefined : value;
  }
}

/** The channels in whose name or meaning all words occur; without words, those of a group. */
export function search(list: readonly ChannelInfo[], text: string, group: string | undefined): readonly ChannelInfo[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return group === undefined ? list : list.filter((channel) => channel.group === group);
  return list.filter(({ name, meaning, unit }) => {
    const said = `${name} ${meaning} ${unit}`.toLowerCase();
    return words.every((word) => said.includes(word));
  });
}
