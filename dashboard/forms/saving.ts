import { ApiError, type Client } from '../../client/index.ts';
import type { Row } from '../kinds/kind.ts';
import { hasEnded } from '../session.ts';

/** A client for one write of a form, and the same one each time that this write is repeated. */
export type Writer = (write: unknown) => Client;

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

/** Something that the form itself refuses, at one of its fields. */
export class FieldError extends Error {
  override readonly name = 'FieldError';
  readonly param: string;

  constructor(param: string, message: string) {
    super(message);
    this.param = param;
  }
}

/** How a save ended. */
export type Outcome =
  | { kind: 'saved'; answer: unknown }
  /** Somebody changed the object meanwhile. `current`: as it is now. */
  | { kind: 'stale'; current: Row; etag: string }
  /** The session has ended, or the act needs a sign-in of the last minutes. */
  | { kind: 'sign_in'; error: ApiError }
  | { kind: 'refused'; error: unknown };

export async function outcomeOf(save: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { kind: 'saved', answer: await save() };
  } catch (error) {
    if (error instanceof ApiError) {
      if (hasEnded(error) || error.code === 'sign_in_again') return { kind: 'sign_in', error };
      const { current, etag } = error.body ?? {};
      if (error.code === 'stale' && typeof current === 'object' && current !== null && typeof etag === 'string')
        return { kind: 'stale', current: { ...current }, etag };
    }
    return { kind: 'refused', error };
  }
}
