import type { Place } from '../place.ts';
import type { Values } from './field.ts';

/** What a person typed and has not saved. */
export interface Draft {
  /** Tag of the object that was changed; null: a new one, or one without. */
  etag: string | null;
  /** The language in which its numbers were typed. */
  language?: string;
  /** What stood in the fields before. */
  base: Values;
  /** The fields that differ. */
  values: Values;
  /** Keys of the writes that were sent, so that none takes effect twice. */
  keys: Readonly<Record<string, string>>;
}

export interface Drafts {
  read(): Draft | null;
  write(draft: Draft): void;
  clear(): void;
}

const DRAFT = 'perennial-draft';
const KEPT_MILLISECONDS = 7 * 86_400_000;

/** Drops drafts that are older than seven days, and those of another person who used this browser. `person`: the address of its owner. */
export function dropDrafts(kept: Storage, { person, now }: { person: string; now: number }): void {
  const names = Array.from({ length: kept.length }, (_, place) => kept.key(place) ?? '');
  for (const name of names.filter((one) => one.startsWith(`${DRAFT}:`))) {
    const { at, by } = writingOf(kept.getItem(name));
    if (by !== person || now - at > KEPT_MILLISECONDS) kept.removeItem(name);
  }
}

/** When a draft was written and by whom; at 0: nothing says so. */
function writingOf(text: string | null): { at: number; by: string } {
  try {
    const { at, by }: { at?: unknown; by?: unknown } = JSON.parse(text ?? '{}');
    return { at: typeof at === 'number' ? at : 0, by: String(by) };
  } catch {
    return { at: 0, by: '' };
  }
}

/** Keeps the draft of one form in this browser: that of a person, in an account and environment, about one object. */
export function draftsOf({
  place,
  me,
  about,
}: {
  place: Place;
  me: { email: string | null; member?: { id: number } | null };
  about: string;
}): Drafts {
  const key = [DRAFT, place.account, place.environment, me.member?.id ?? 0, about].join(':');
  return {
    read: () => draftIn(localStorage.getItem(key)),
    write: (draft) => {
      try {
        localStorage.setItem(key, JSON.stringify({ ...draft, at: Date.now(), by: me.email ?? '' }));
      } catch {
        // The storage is full or closed: the form works, but a reload loses what was typed.
      }
    },
    clear: () => localStorage.removeItem(key),
  };
}

/** A form that keeps nothing. */
export const noDrafts: Drafts = { read: () => null, write: () => {}, clear: () => {} };

function draftIn(text: string | null): Draft | null {
  if (text === null) return null;
  try {
    const { etag, language, base, values, keys }: Draft = JSON.parse(text);
    return base && values && keys ? { etag, ...(language ? { language } : {}), base, values, keys } : null;
  } catch {
    return null;
  }
}
