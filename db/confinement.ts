import type { UnusualWait } from './places.ts';
import type { Pool, PooledClient, Release } from './pool.ts';
import { createShares, type Shares } from './shares.ts';
import { CONFINE, CONFINED_TO, currentPayer, currentTenant, type Tenant } from './tenant.ts';
import type { Throttle } from './throttle.ts';

/** A connection that was just released, kept for the next work of the same account in this tick. */
interface Resting {
  client: PooledClient;
  giveBack: Release;
  reuses: number;
}

/** How often in a row a connection is reused for one account before others that wait for it have their turn. */
const MOST_REUSES = 8;

/**
 * Confines each connection that leaves the pool to the rows of the current account. Work that continues at once reuses its connection. The
 * account is set only when the connection served another one before. Work over all accounts gets a connection of `system`, whose login may
 * see them; sessions of this pool never can. `otherwise`: the tenant if none is set. `size`: number of connections in the pool; an account
 * gets no more of them than its share, and rests while `throttle` says so. `onWait` is called for each request that got its connection late, and for each that was refused.
 */
export function confineSessions(
  pool: Pool,
  options: {
    otherwise: Tenant;
    system: Pool;
    size: number;
    systemSize: number;
    onWait?: ((end: UnusualWait) => void) | undefined;
    throttle?: Throttle<Tenant> | undefined;
  },
): void {
  const { otherwise, system, size, systemSize, onWait, throttle } = options;
  const shares = createShares(size, { note: onWait, throttle });
  const systemShares = createShares(systemSize, { note: onWait });
  const confined = new WeakMap<PooledClient, Tenant>();
  const resting = new Map<Tenant, Resting>();
  const connect = pool.connect.bind(pool);

  const lend = (client: PooledClient, giveBack: Release, reuses: number): PooledClient => {
    client.release = (destroy) => {
      const tenant = confined.get(client);
      if (destroy || tenant === undefined || reuses === 0 || resting.has(tenant)) return giveBack(destroy);
      const rest = { client, giveBack, reuses };
      resting.set(tenant, rest);
      // After all work that follows without waiting: an authenticated request asks for its rows.
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
    return lend(rest.client, rest.giveBack, rest.reuses - 1);
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
    lend(client, client.release, MOST_REUSES);
    if (confined.get(client) === tenant) return client;
    confined.delete(client);
    if (tenant !== 'unknown') await confine(client, tenant, () => confined.set(client, tenant));
    return client;
  };
}

/** Connects within the tenant's share. Releasing the connection gives the place back. */
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

/** Adds the requests that wait for a share to the pool's number of waiting requests. */
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

/** While the tenant is unknown, a statement may confine its session itself. Notes the account before anybody else gets the connection. */
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
