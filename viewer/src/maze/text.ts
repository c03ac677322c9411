// Text maps, one element a line: the same format as the simulator's. Lines that are not touched stay
// as they were written, comments and all.

import type { Element, Point } from './element';
import { DEFAULT_SIZE } from './element';

/** One line of a map. */
export interface Item {
  /** Tells items apart as long as the page lives. */
  readonly id: number;
  /** None: a comment, or an empty line. */
  readonly element?: Element | undefined;
  /** The line as it was written; none once the element was changed. */
  readonly line?: string | undefined;
  /** What followed the element: ` # the north gate`. */
  readonly comment: string;
}

let ids = 0;

export function itemOf(element: Element): Item {
  return { id: ++ids, element, comment: '' };
}

/** The same line with another element. */
export function withElement(item: Item, element: Element): Item {
  return { id: item.id, element, comment: item.comment };
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Reads a map. The simulator has found it good, or will say what is wrong: a line that makes no sense
 * here is kept as it is. */
export function parse(text: string): Item[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line): Item => {
    const hash = line.indexOf('#');
    const content = hash < 0 ? line : line.slice(0, hash);
    const comment = hash < 0 ? '' : line.slice(content.trimEnd().length);
    return { id: ++ids, element: elementOf(content.split(/[\s,]+/).filter(Boolean)), line, comment };
  });
}

function elementOf(words: string[]): Element | undefined {
  const [letter, ...fields] = words;
  if (letter === 'O') return meshOf(fields);
  if (!fields.every((field) => NUMBER.test(field))) return undefined;
  const n = fields.map((field) => Number(field) + 0);
  const count = n.length;
  const at: Point = [n[0]!, n[1]!];
  if (count < 2) return undefined;
  switch (letter) {
    case 'R': return count > 3 ? undefined : { kind: 'robot', at, heading: n[2] ?? 0 };
    case 'B': return count > 3 ? undefined : { kind: 'ball', at, size: n[2] ?? DEFAULT_SIZE };
    case 'C': {
      const size = n[2] ?? DEFAULT_SIZE;
      return count > 4 ? undefined : { kind: 'cube', at, size, height: n[3] ?? size };
    }
    case 'W': case 'L': {
      if (letter === 'W' && count === 2) return { kind: 'cell', at };
      if (count !== 4) return undefined;
      return { kind: letter === 'W' ? 'wall' : 'line', from: at, to: [n[2]!, n[3]!] };
    }
    default: return undefined;
  }
}

function meshOf([x, y, file, ...rest]: string[]): Element | undefined {
  const numbers = [x, y, ...rest];
  if (file === undefined || rest.length > 4 || rest.length === 3) return undefined;
  if (!numbers.every((field) => field !== undefined && NUMBER.test(field))) return undefined;
  const [rotation = 0, a = 1, b = a, c = a] = rest.map(Number);
  return { kind: 'mesh', at: [Number(x), Number(y)], file, rotation, scale: [a, b, c] };
}

/** One line of a map, what is default left out. */
export function elementText(element: Element): string {
  switch (element.kind) {
    case 'wall': case 'line':
      return [element.kind === 'wall' ? 'W' : 'L', ...element.from, ...element.to].join(' ');
    case 'cell': return ['W', ...element.at].join(' ');
    case 'robot': return ['R', ...element.at, ...(element.heading === 0 ? [] : [element.heading])].join(' ');
    case 'ball': return ['B', ...element.at, ...(element.size === DEFAULT_SIZE ? [] : [element.size])].join(' ');
    case 'cube': {
      const { size, height } = element;
      const sizes = size !== height ? [size, height] : size === DEFAULT_SIZE ? [] : [size];
      return ['C', ...element.at, ...sizes].join(' ');
    }
    case 'mesh': {
      const [a, b, c] = element.scale;
      const scales = a !== b || b !== c ? [a, b, c] : a !== 1 ? [a] : [];
      const rest = scales.length > 0 ? [element.rotation, ...scales] : element.rotation !== 0 ? [element.rotation] : [];
      return ['O', ...element.at, element.file, ...rest].join(' ');
    }
  }
}

export function lineOf(item: Item): string {
  return item.line ?? (item.element ? elementText(item.element) : '') + item.comment;
}

/** The map as the simulator and its command line read it. */
export function write(items: readonly Item[]): string {
  return items.map((item) => `${lineOf(item)}\n`).join('');
}

export function elementsOf(items: readonly Item[]): Element[] {
  return items.flatMap((item) => item.element ?? []);
}
