import type { UnusualWait } from './places.ts';
import type { Pool, PooledClient, Release } from './pool.ts';
import { createShares, type Shares } from './shares.ts';
import { CONFINE, CONFINED_TO, currentPayer, currentTenant, type Tenant } from './tenant.ts';

/** A connection that was given back in this very moment, for whoever goes on with the work of the same account. */
interface Resting {
  client: PooledClient;
  giveBack: Release;
  turns: number;
}

/** How often in a row a connection goes on within one account's work before those who wait for it have their turn. */
const MOST_TURNS = 8;

/**
 * Confines a connection, whenever it leaves the pool, to the rows of the account whose work is about to be done. It is told so only
 * when it served another one before, and rarely has to be: what goes on at once gets the connection that it had. Work over all accounts
 * gets a connection of `system`, whose login may see them: no session of this pool ever can. `otherwise`: whose work it is where nothing
 * says it. `size`: how many connections the pool has; one account has no more of them than its share. `onWait` is told of each that got its
 * connection late, and of each that was refused.
 */
export function confineSessions(
  pool: Pool,
  options: {
    otherwise: Tenant;
    system: Pool;
    size: number;
    systemSize: number;
    onWait?: ((end: UnusualWait) => void) | undefined;
  },
): void {
  const { otherwise, system, size, systemSize, onWait } = options;
  const shares = createShares(size, { note: onWait });
  const systemShares = createShares(systemSize, { note: onWait });
  const confined = new WeakMap<PooledClient, Tenant>();
  const resting = new Map<Tenant, Resting>();
  const connect = pool.connect.bind(pool);

  const lend = (client: PooledClient, giveBack: Release, turns: number): PooledClient => {
    client.release = (destroy) => {
      const tenant = confined.get(client);
      if (destroy || tenant === undefined || turns === 0 || resting.has(tenant)) return giveBack(destroy);
      const rest = { client, giveBack, turns };
      resting.set(tenant, rest);
      // After all that follows without waiting for anything: a request that has been authenticated asks for its rows.
      process.nextTick(() => {
        if (resting.get(tenant) !== rest) return;
        resting.delete(tenant);
        giveBack();
      });
    };
    return client;
  };
  const goOn = (tenant: Tenant): PooledClient | undefined => {
    const rest = resting.get(tenant);
    if (!rest) return undefined;
    resting.delete(tenant);
    return lend(rest.client, rest.giveBack, rest.turns - 1);
  };

  countWaiting(pool, shares);
  noteConfined(pool, (client, accountId) => confined.set(client, accountId));
  pool.connect = async () => {
    const tenant = currentTenant() ?? otherwise;
    if (tenant === 'system') {
      if (system === pool) return connect();
      const payer = currentPayer();
      const connectSystem = () => system.connect();
      return payer === undefined
        ? connectSystem()
        : connectFor(payer, { shares: systemShares, connect: connectSystem });
    }
    const known = goOn(tenant);
    if (known) return known;
    const client = await connectFor(tenant, { shares, connect });
    lend(client, client.release, MOST_TURNS);
    if (confined.get(client) === tenant) return client;
    confined.delete(client);
    if (tenant !== 'unknown') await confine(client, tenant, () => confined.set(client, tenant));
    return client;
  };
}

/** A connection within the share of whose work it is; releasing it gives the place back. */
async function connectFor(
  tenant: Tenant,
  { shares, connect }: { shares: Shares; connect: () => Promise<PooledClient> },
): Promise<PooledClient> {
  const leave = await shares.take(tenant);
  try {
    const client = await connect();
    const { release } = client;
    client.release = (destroy) => {
      release(destroy);
      leave();
    };
    return client;
  } catch (error) {
    leave();
    throw error;
  }
}

/** Whoever waits for a share waits for a connection, too. */
function countWaiting(pool: Pool, shares: Shares): void {
  const counts = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(pool), 'waitingCount');
  Object.defineProperty(pool, 'waitingCount', {
    get: () => Number(counts?.get?.call(pool) ?? 0) + shares.waiting,
  });
}

async function confine(client: PooledClient, tenant: Tenant, done: () => void): Promise<void> {
  try {
    await client.query(CONFINE, [typeof tenant === 'number' ? String(tenant) : '']);
    done();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** While it is found out whose work it is, a statement may confine its session itself: known before anybody else has the connection. */
function noteConfined(pool: Pool, note: (client: PooledClient, accountId: number) => void): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client);
    client.query = (text, values, ...rest) => {
      const answer = query(text, values, ...rest);
      return currentTenant() === 'unknown' ? noted(answer, (accountId) => note(client, accountId)) : answer;
    };
  });
}

async function noted(answer: unknown, note: (accountId: number) => void): Promise<unknown> {
  const found = await answer;
  const rows: unknown = typeof found === 'object' && found !== null ? Reflect.get(found, 'rows') : null;
  const [row]: unknown[] = Array.isArray(rows) ? rows : [];
  const accountId: unknown = typeof row === 'object' && row !== null ? Reflect.get(row, CONFINED_TO) : undefined;
  if (typeof accountId === 'number') note(accountId);
  return found;
}
