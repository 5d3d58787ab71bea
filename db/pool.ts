import { isStale } from './failure.ts';
import type { Typed } from './numbers.ts';

/** The parts of pg's connection and pool that are used here. */
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
 * Gives the place of a lost connection back to the pool. The query builder never releases a transaction whose rollback fails, as it does on
 * a lost connection. Otherwise each lost connection would cost a place, until the pool has none left.
 */
export function releaseLostConnections(pool: Pool): void {
  pool.on('connect', (client) => {
    let release: Release = () => undefined;
    // The pool sets a new `release` at every checkout, which throws when called twice.
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

/** Limits of prepared statements: characters of one, and number per connection. Longer statements are mass inserts of varying size. */
const LONGEST_KEPT = 4000;
const MOST_KEPT = 400;

/**
 * Prepares each statement with parameters under a name, so that a connection parses and plans it once. A migration may change the result
 * columns of a prepared statement. The server then refuses it, and it is prepared anew under another name.
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
