import type { PostgresPool } from 'kysely';
import pg from 'pg';
import type { ConcurrencyLimit } from './fairness/concurrencyLimit.ts';
import type { Leave, UnusualWait } from './fairness/places.ts';
import { createShares, type Shares } from './fairness/shares.ts';
import { type GiveBack, PooledConnection } from './pooledConnection.ts';
import { STATEMENT_MILLISECONDS } from './sessions.ts';
import { isTimeout, Silence, Unanswered } from './silence.ts';
import { currentOwner, currentPayer, currentTenant, type Tenant } from './tenant.ts';

/** Numbers for monitoring. */
export interface PoolCounts {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

export interface AccountPoolOptions {
  /** The tenant if none is set. */
  otherwise: Tenant;
  /** How connections over all accounts are opened; null: all connections of this pool may see all accounts. */
  system: pg.PoolConfig | null;
  /** Called for each request that got its connection late, and for each that was refused. */
  onWait?: ((end: UnusualWait) => void) | undefined;
  /** Slows down accounts on a busy machine. Unset: no account rests. */
  concurrencyLimit?: ConcurrencyLimit<Tenant> | undefined;
}

/** A connection in use. `reusesLeft`: how often its account may reuse it before others that wait for it have their turn. */
interface Loan {
  connection: PooledConnection;
  giveBack: GiveBack;
  reusesLeft: number;
}

const MOST_REUSES = 8;

/**
 * Lends connections that show the rows of the account that `withAccount` names, or of the customers of a member (`withOwner`). An account gets no more of them than its share, and rests
 * while `concurrencyLimit` says so. Work that continues at once reuses its connection. Work over all accounts gets a connection of the
 * other login, which may see them. Connections of this login never can, unless `system` is null.
 */
export class AccountPool implements PostgresPool, PoolCounts {
  /** The query builder would use them to cancel statements. */
  readonly options = {};
  readonly #otherwise: Tenant;
  readonly #pool: pg.Pool;
  readonly #system: pg.Pool | null;
  readonly #shares: Shares;
  readonly #systemShares: Shares;
  readonly #silence: Silence;
  readonly #connections = new WeakMap<pg.PoolClient, PooledConnection>();
  /** Connections that were just released, kept for the next work of the same account in this tick. */
  readonly #kept = new Map<Tenant, Loan>();

  constructor(own: pg.PoolConfig, { otherwise, system, onWait, concurrencyLimit }: AccountPoolOptions) {
    this.#otherwise = otherwise;
    this.#pool = openPool(own);
    this.#silence = new Silence(own);
    this.#system = system && openPool(system);
    this.#shares = createShares(this.#pool.options.max, { note: onWait, concurrencyLimit });
    this.#systemShares = createShares(this.#system?.options.max ?? 0, { note: onWait });
  }

  async connect(): Promise<PooledConnection> {
    const tenant = currentTenant() ?? this.#otherwise;
    if (tenant === 'system') return this.#connectSystem();
    const ownerId = typeof tenant === 'number' ? currentOwner() : null;
    const kept = this.#kept.get(tenant);
    if (kept) {
      this.#kept.delete(tenant);
      const again = this.#lend({ ...kept, reusesLeft: kept.reusesLeft - 1 });
      again.confine(tenant, ownerId);
      return again;
    }
    const connection = this.#lend(await this.#take(this.#pool, await this.#shares.take(tenant)));
    connection.confine(tenant, ownerId);
    return connection;
  }

  async end(): Promise<void> {
    this.#silence.end();
    await Promise.all([this.#pool.end(), this.#system?.end()]);
  }

  get totalCount(): number {
    return this.#pool.totalCount;
  }

  get idleCount(): number {
    return this.#pool.idleCount;
  }

  /** Requests that wait for a connection or for a share. */
  get waitingCount(): number {
    return this.#pool.waitingCount + this.#shares.waiting;
  }

  async #connectSystem(): Promise<PooledConnection> {
    const payer = currentPayer();
    const isShared = this.#system !== null && payer !== undefined;
    const leave = isShared ? await this.#systemShares.take(payer) : () => undefined;
    const { connection, giveBack } = await this.#take(this.#system ?? this.#pool, leave);
    connection.lend(giveBack);
    return connection;
  }

  /** Takes a connection from a pool. Giving it back also gives the place back. Throws Unanswered while the database hangs. */
  async #take(pool: pg.Pool, leave: Leave): Promise<Loan> {
    try {
      const client = await this.#connectTo(pool);
      const { release } = client;
      const connection =
        this.#connections.get(client) ?? new PooledConnection(client, this.#silence, this.#longestOf(pool));
      this.#connections.set(client, connection);
      const giveBack = (destroy: boolean) => {
        try {
          release(destroy);
        } finally {
          leave();
        }
      };
      return { connection, giveBack, reusesLeft: MOST_REUSES };
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Gets a connection of a pool. A connection that comes after the database turned out to hang goes back to the pool. */
  async #connectTo(pool: pg.Pool): Promise<pg.PoolClient> {
    if (this.#silence.isSilent) throw new Unanswered();
    return new Promise((resolve, reject) => {
      let hasGivenUp = false;
      const waiting = this.#silence.wait(() => {
        hasGivenUp = true;
        reject(new Unanswered());
      });
      const got = (client: pg.PoolClient) => {
        waiting.end();
        if (hasGivenUp) client.release();
        else resolve(client);
      };
      const failed = (error: unknown) => {
        waiting.end();
        if (isTimeout(error)) waiting.late();
        reject(error);
      };
      pool.connect().then(got, failed);
    });
  }

  /** Milliseconds that a statement on a connection of a pool may take: at least as long as an attempt to connect. */
  #longestOf(pool: pg.Pool): number {
    const isSystem = pool === this.#system || this.#otherwise === 'system';
    return Math.max(pool.options.connectionTimeoutMillis ?? 0, isSystem ? STATEMENT_MILLISECONDS.system : 0);
  }

  #lend(loan: Loan): PooledConnection {
    const { connection, giveBack, reusesLeft } = loan;
    connection.lend((destroy) => {
      const { tenant } = connection;
      if (destroy || tenant === undefined || reusesLeft === 0 || this.#kept.has(tenant)) return giveBack(destroy);
      this.#kept.set(tenant, loan);
      // After all work that follows without waiting: an authenticated request asks for its rows.
      process.nextTick(() => {
        if (this.#kept.get(tenant) !== loan) return;
        this.#kept.delete(tenant);
        giveBack(false);
      });
    });
    return connection;
  }
}

function openPool(options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ ...options, pipeline: true });
  // A failed statement reports a lost connection; without a listener the process would end.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  pool.on('error', () => undefined);
  return pool;
}
