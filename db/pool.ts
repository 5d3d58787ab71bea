/** What is needed of a connection of pg's pool, and of the pool. */
interface PooledClient {
  once(event: 'end', listener: () => void): unknown;
}
export interface Pool {
  on(event: 'connect', listener: (client: PooledClient) => void): unknown;
}

type Release = (destroy?: boolean) => void;

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
