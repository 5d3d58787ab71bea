import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { isStale } from './failure.ts';
import { readNumbers } from './numbers.ts';
import { CONFINE, CONFINED_TO, type Tenant } from './tenant.ts';

/** Gives a connection back to its pool, or ends it. */
export type GiveBack = (destroy: boolean) => void;

/** Limits of prepared statements: characters of one, and number per connection. Longer statements are mass inserts of varying size. */
const LONGEST_KEPT = 4000;
const MOST_KEPT = 400;

type Callback = ConstructorParameters<typeof pg.Query>[2];

/** A `Query` with the name of its prepared statement. pg 8.23.1 copies a configuration object, which takes 6 µs. It does not copy a `Query`. */
class NamedQuery extends pg.Query {
  readonly name: string | undefined;

  constructor(name: string | undefined, { text, values, done }: { text: string; values: unknown[]; done: Callback }) {
    super(text, values, done);
    this.name = name;
  }
}

/** A connection as the query builder uses it: one object for as long as the connection lives. */
export class PooledConnection implements PostgresPoolClient {
  readonly #client: pg.PoolClient;
  readonly #names = new Map<string, string>();
  #named = 0;
  #tenant: Tenant | undefined;
  #giveBack: GiveBack | undefined;

  constructor(client: pg.PoolClient) {
    this.#client = client;
    readNumbers(client);
    // Gives a lost connection back: the query builder does not, because its rollback fails. Each would cost a place of the pool.
    client.once('end', () => this.release(true));
  }

  /** The tenant whose rows it shows; undefined while that is not known. */
  get tenant(): Tenant | undefined {
    return this.#tenant;
  }

  /** Shows the rows of a tenant from now on, and no others. For `unknown`, the statement that finds the account does this itself. */
  async confine(tenant: Tenant): Promise<void> {
    if (this.#tenant === tenant) return;
    this.#tenant = undefined;
    if (tenant === 'unknown') return;
    await this.query(CONFINE, [typeof tenant === 'number' ? String(tenant) : '']);
    this.#tenant = tenant;
  }

  /** Lends it until the next `release`, which gives it back. */
  lend(giveBack: GiveBack): void {
    this.#giveBack = giveBack;
  }

  release(destroy = false): void {
    const giveBack = this.#giveBack;
    this.#giveBack = undefined;
    giveBack?.(destroy);
  }

  query<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  query(text: unknown, values: unknown = []): unknown {
    if (typeof text !== 'string' || !Array.isArray(values)) throw new Error('rows are not read through cursors here');
    return this.#send(text, values);
  }

  /**
   * Prepares each statement with parameters under a name, so that the connection parses and plans it once. A migration may change the result
   * columns of a prepared statement. The server then refuses it, and it is prepared anew under another name.
   */
  async #send(text: string, values: unknown[]): Promise<pg.QueryResult> {
    const name = this.#nameOf(text, values);
    try {
      const found = await new Promise<pg.QueryResult>((resolve, reject) => {
        const done: Callback = (error, result) => (error ? reject(error) : resolve(result));
        this.#client.query(new NamedQuery(name, { text, values, done }));
      });
      // A rollback also undoes an account that a statement of its transaction has set.
      this.#tenant = found.command === 'ROLLBACK' ? undefined : (confinedBy(found) ?? this.#tenant);
      return found;
    } catch (error) {
      if (isStale(error)) this.#names.delete(text);
      throw error;
    }
  }

  #nameOf(text: string, values: readonly unknown[]): string | undefined {
    if (values.length === 0 || text.length > LONGEST_KEPT) return undefined;
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size >= MOST_KEPT) return known;
    const name = `s${this.#named++}`;
    this.#names.set(text, name);
    return name;
  }
}

/** The account to which a statement has confined its connection. A query of several statements returns an array, which has no `rows`. */
function confinedBy(found: Partial<pg.QueryResult>): number | undefined {
  const accountId: unknown = found.rows?.[0]?.[CONFINED_TO];
  return typeof accountId === 'number' ? accountId : undefined;
}
