import { ApiError } from '../../client/index.ts';
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

/** A form in this browser: that of a person, in an account and environment, about one object. */
interface Owner {
  place: Place;
  me: { email: string | null; member?: { id: number } | null };
  about: string;
}

const nameOf = ({ place, me, about }: Owner): string =>
  [DRAFT, place.account, place.environment, me.member?.id ?? 0, about].join(':');

/** Keeps the draft of one form in this browser. */
export function draftsOf(owner: Owner): Drafts {
  const key = nameOf(owner);
  const { me } = owner;
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

/** Keeps the key of each write, so that a write whose answer was lost takes effect once. */
export interface Keys {
  of(write: unknown): string;
  all(): Readonly<Record<string, string>>;
}

export function keysFrom(known: Readonly<Record<string, string>>): Keys {
  const keys = new Map(Object.entries(known));
  return {
    of: (write) => {
      const text = digest(JSON.stringify(write));
      const key = keys.get(text) ?? crypto.randomUUID();
      keys.set(text, key);
      return key;
    },
    all: () => Object.fromEntries(keys),
  };
}

/** A short name of a text. Two texts of one form do not share it by chance. */
function digest(text: string): string {
  let [one, other] = [0x811c9dc5, 0x1000193];
  for (let place = 0; place < text.length; place += 1) {
    one = Math.imul(one ^ text.charCodeAt(place), 0x01000193) >>> 0;
    other = Math.imul(other + text.charCodeAt(place), 0x85ebca6b) >>> 0;
  }
  return `${one.toString(36)}.${other.toString(36)}.${text.length}`;
}

/** Whether the API has answered a write that it refused, and not with a failure of its own: then it is known that nothing took effect. */
export const isAnswer = (error: unknown): boolean =>
  error instanceof ApiError && error.status < 500 && error.status !== 429;

/** The keys of writes by what was written, as the keys of a form have them. */
type Sent = Readonly<Record<string, string>>;

/** The keys of the writes of a form that were sent and not answered. The same write is then repeated with its key, and takes effect once. */
export interface Unanswered {
  read(): Sent;
  /** Remembers writes before they are sent. */
  sent(writes: Sent): void;
  /** Forgets writes of which it is known whether they took effect. */
  answered(writes: Sent): void;
}

/** For a day: by then somebody who wants the same again wants it once more. */
const UNANSWERED_MILLISECONDS = 86_400_000;

/** Keeps the unanswered writes of one form in this browser, but not what was typed into it. */
export function unansweredOf(
  owner: Owner,
  { kept = localStorage, now = Date.now }: { kept?: Storage; now?: () => number } = {},
): Unanswered {
  const name = `${nameOf(owner)}:unanswered`;
  const read = (): Sent => {
    const text = kept.getItem(name);
    return now() - writingOf(text).at > UNANSWERED_MILLISECONDS ? {} : sentIn(text);
  };
  const write = (keys: Sent) => {
    try {
      if (Object.keys(keys).length === 0) kept.removeItem(name);
      else kept.setItem(name, JSON.stringify({ keys, at: now(), by: owner.me.email ?? '' }));
    } catch {
      // The storage is full or closed: the keys are those of the open dialog.
    }
  };
  return {
    read,
    sent: (writes) => write({ ...read(), ...writes }),
    answered: (writes) => write(Object.fromEntries(Object.entries(read()).filter(([what]) => !(what in writes)))),
  };
}

/** For a form whose draft keeps its keys, or that keeps nothing. */
export const noUnanswered: Unanswered = { read: () => ({}), sent: () => {}, answered: () => {} };

function sentIn(text: string | null): Sent {
  const { keys }: { keys?: Sent } = JSON.parse(text ?? '{}'); // `writingOf` has read it
  return keys ?? {};
}

function draftIn(text: string | null): Draft | null {
  if (text === null) return null;
  try {
    const { etag, language, base, values, keys }: Draft = JSON.parse(text);
    return base && values && keys ? { etag, ...(language ? { language } : {}), base, values, keys } : null;
  } catch {
    return null;
  }
}
