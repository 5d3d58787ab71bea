import { ApiError, type Client } from '../../client/index.ts';
import type { Row } from '../kinds/kind.ts';
import { hasEnded } from '../session.ts';

/** A client for one write of a form, and the same one each time that this write is repeated. */
export type Writer = (write: unknown) => Client;

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
