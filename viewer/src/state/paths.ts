// Measured paths as text: what `rolima compare` reads, too. No browser needed.

export interface MeasuredPath {
  readonly times: number[];
  readonly x: number[];
  readonly y: number[];
  readonly z: number[];
  /** Whether the lines have times; else points are one second apart. */
  readonly timed: boolean;
}

/** What is wrong with it: which line, what it says, and how many numbers were expected there; 0: three or four. `order`: its
 * time is before that of the line above. */
export interface PathError {
  readonly line: number;
  readonly got: string;
  readonly expected: 0 | 3 | 4 | 'order';
}

/** Larger ones are not read: a page has to go on. */
export const MOST_PATH_BYTES = 64 * 1024 * 1024;
const LONGEST_TOLD = 60;

function rowsOf(text: string): { line: number; said: string }[] {
  return text.split('\n').map((said, i) => ({ line: i + 1, said: said.trim() })).filter(({ said }) => said !== '' && !/^(#|%|\/\/)/.test(said));
}

function numbers(said: string): number[] {
  return said.split(/[ \t,;\r]+/).filter(Boolean).map(Number);
}

/** Whether this begins as a path does: its first line has numbers only, where maps begin with a letter. */
export function looksLikePath(text: string): boolean {
  const [first] = rowsOf(text.slice(0, 65_536));
  return first !== undefined && numbers(first.said).every(Number.isFinite);
}

/** Lines of `t x y z` or `x y z`, s and m. */
export function readPath(text: string): MeasuredPath | PathError {
  const rows = rowsOf(text);
  const count = numbers(rows[0]?.said ?? '').length;
  const path: MeasuredPath = { times: [], x: [], y: [], z: [], timed: count === 4 };
  if (count !== 3 && count !== 4) return { line: rows[0]?.line ?? 1, got: tell(rows[0]?.said ?? ''), expected: 0 };
  for (const { line, said } of rows) {
    const row = numbers(said);
    if (row.length !== count || !row.every(Number.isFinite)) return { line, got: tell(said), expected: count };
    const [t, x, y, z] = count === 4 ? (row as [number, number, number, number]) : [path.times.length, row[0]!, row[1]!, row[2]!];
    if (path.times.length > 0 && t < path.times.at(-1)!) return { line, got: tell(said), expected: 'order' };
    path.times.push(t);
    path.x.push(x);
    path.y.push(y);
    path.z.push(z);
  }
  return path;
}

function tell(said: string): string {
  return said.slice(0, LONGEST_TOLD);
}
