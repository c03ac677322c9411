// The simulator's folder for recordings: what is in it, how to get it, and how to add to it.

export interface Recorded {
  readonly name: string;
  readonly bytes: number;
  readonly kind: 'recording' | 'path';
}

/** How long a list is waited for, ms. */
const LIST_MS = 5000;

export class Recordings {
  constructor(private readonly page: URL) {}

  /** Where a file of the folder is had. */
  address(name: string): string {
    return this.beside(`recordings/${encodeURIComponent(name)}`);
  }

  /** The newest first; undefined where the simulator has no such folder. */
  async list(): Promise<readonly Recorded[] | undefined> {
    try {
      const answer = await fetch(this.beside('recordings'), { cache: 'no-store', signal: AbortSignal.timeout(LIST_MS) });
      if (!answer.ok) return undefined;
      return readList(await answer.json());
    } catch {
      return undefined;
    }
  }

  /** Sends a file there; what the simulator says where it does not take it. */
  async send(file: File): Promise<string | undefined> {
    try {
      const answer = await fetch(this.address(file.name), { method: 'PUT', body: file });
      return answer.ok ? undefined : (await answer.text()).trim().slice(0, 300) || `${answer.status}`;
    } catch (error) {
      return String(error);
    }
  }

  private beside(path: string): string {
    const address = new URL(path, this.page);
    for (const key of ['token', 'role']) {
      const value = this.page.searchParams.get(key);
      if (value !== null) address.searchParams.set(key, value);
    }
    return address.href;
  }
}

/** A list as the simulator tells it; what this page does not understand of it is left out. */
export function readList(list: unknown): readonly Recorded[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((one: Partial<Recorded>) =>
    (typeof one?.name === 'string' && typeof one.bytes === 'number' ? [{ name: one.name, bytes: one.bytes, kind: one.kind === 'path' ? 'path' as const : 'recording' as const }] : []));
}
