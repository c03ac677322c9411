// Work that is not saved outlives the page.

const KEY = 'rolima.maze';

export interface Draft {
  name: string;
  text: string;
}

export function loadDraft(): Draft | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Partial<Draft> | null;
    if (typeof kept?.text === 'string' && typeof kept.name === 'string') return { name: kept.name, text: kept.text };
  } catch {
    // Broken, or storage is forbidden.
  }
  return undefined;
}

/** Keeps a draft, or forgets it; false where there was no room for it. */
export function keepDraft(draft: Draft | undefined): boolean {
  try {
    if (draft) localStorage.setItem(KEY, JSON.stringify(draft));
    else localStorage.removeItem(KEY);
    return true;
  } catch {
    return false;
  }
}
