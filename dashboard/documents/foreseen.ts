import { useSyncExternalStore } from 'react';

/** What the latest dry run tells about the document that is being edited. */
export interface Foreseen {
  /** Amounts of the lines by their keys. */
  amounts: ReadonlyMap<string, number>;
  currency: string | null;
}

const NOTHING: Foreseen = { amounts: new Map(), currency: null };

/** A page edits one document. Its lines and its totals are far from each other in the form. */
let latest = NOTHING;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Tells the lines what they cost; null: nothing is known. */
export function tellForeseen(foreseen: Foreseen | null): void {
  latest = foreseen ?? NOTHING;
  for (const listener of listeners) listener();
}

export const useForeseen = (): Foreseen => useSyncExternalStore(subscribe, () => latest);
