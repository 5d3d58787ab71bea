import { isStale } from './failure.ts';
import type { Typed } from './numbers.ts';

/** What is needed of a connection of pg's pool, and of the pool. */
export interface PooledClient extends Typed {
  once(event: 'end', listener: () => void): unknown;
  query: (text: unknown, values?: unknown, ...rest: unknown[]) => unknown;
  release: Release;
}
export interface Pool {
  on(event: 'connect', listener: (client: PooledClient) => void): unknown;
  connect: () => Promise<PooledClient>;
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

export type Release = (destroy?: boolean) => void;

/**
 * Gives the place of a connection that was cut back to the pool. A transaction whose rollback fails, as it must on such a connection,
 * is never released by the query builder: without this every cut costs a place, until the pool has none and waits for ever.
 */
export function releaseLostConnections(pool: Pool): void {
  pool.on('connect', (client) => {
    let release: Release = () => undefined;
    // The pool sets it at every checkout, and throws at a second call of one.
    Object.defineProperty(client, 'release', {
      get: () => release,
      set: (give: Release) => {
        release = once(give);
      },
    });
    client.once('end', () => release(true));
  });
}

function once(release: Release): Release {
  let done = false;
  return (destroy) => {
    if (done) return;
    done = true;
    release(destroy);
  };
}

/** Statements longer than this, or beyond so many on a connection, are not kept: they are mass inserts of one size or another. */
const LONGEST_KEPT = 4000;
const MOST_KEPT = 400;

/**
 * Has the server keep each statement with parameters under a name, so that a connection parses and plans it once. A migration may
 * change what a kept statement answers; the server then refuses it, and it is kept anew under another name.
 */
export function nameStatements(pool: Pool): void {
  pool.on('connect', (client) => {
    const names = new Map<string, string>();
    let given = 0;
    const query = client.query.bind(client);
    client.query = (text, values, ...rest) => {
      const isKept =
        typeof text === 'string' && Array.isArray(values) && values.length > 0 && text.length <= LONGEST_KEPT;
      if (!isKept) return query(text, values, ...rest);
      const name = names.get(text) ?? (names.size < MOST_KEPT ? `s${given++}` : null);
      if (name === null) return query(text, values, ...rest);
      names.set(text, name);
      return forgetting(query({ name, text, values }), () => names.delete(text));
    };
  });
}

async function forgetting(answer: unknown, forget: () => void): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    if (isStale(error)) forget();
    throw error;
  }
}
