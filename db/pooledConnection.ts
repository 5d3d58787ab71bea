import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { noteCommit } from './commits.ts';
import { isCut } from './failure.ts';
import { readNumbers } from './numbers.ts';
import { BEYOND_MILLISECONDS, type Silence, Unanswered } from './silence.ts';
import { StatementNames } from './statementNames.ts';
import { CONFINE, CONFINED_TO, type Tenant } from './tenant.ts';
import { inStatement } from './tracing.ts';

/** Gives a connection back to its pool, or ends it. */
export type GiveBack = (destroy: boolean) => void;

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
  readonly #names = new StatementNames();
  readonly #silence: Silence;
  /** Milliseconds after which a statement without an answer ends the connection. */
  #patience: number;
  #tenant: Tenant | undefined;
  #giveBack: GiveBack | undefined;

  constructor(client: pg.PoolClient, silence: Silence) {
    this.#client = client;
    this.#silence = silence;
    this.#patience = silence.patience;
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
    return text === 'commit' ? this.#commit() : this.#send(text, values);
  }

  async #commit(): Promise<pg.QueryResult> {
    try {
      const done = await this.#send('commit', []);
      if (done.command === 'COMMIT') noteCommit();
      return done;
    } catch (error) {
      if (isCut(error)) noteCommit();
      throw error;
    }
  }

  async #send(text: string, values: unknown[]): Promise<pg.QueryResult> {
    const isInTransaction = () => this.#client.getTransactionStatus() !== 'I';
    const found = await inStatement(text, () =>
      this.#names.send({ text, values }, isInTransaction, (name) => this.#sendNamed(name, text, values)),
    );
    // A rollback also undoes an account that a statement of its transaction has set.
    this.#tenant = found.command === 'ROLLBACK' ? undefined : (confinedBy(found) ?? this.#tenant);
    return found;
  }

  #sendNamed(name: string | undefined, text: string, values: unknown[]): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      let isOver = false;
      const giveUp = () => {
        if (isOver) return;
        reject(new Unanswered());
        this.release(true); // ends the connection
      };
      const waiting = this.#silence.wait(giveUp);
      const late = () => {
        if (!isOver) waiting.late();
        giveUp();
      };
      // An answer that has arrived while this process did not run is read before `late`.
      const timer = setTimeout(() => setImmediate(late), this.#patienceFor(text));
      const done: Callback = (error, result) => {
        isOver = true;
        waiting.end();
        clearTimeout(timer);
        if (!isCut(error)) this.#silence.answered();
        if (error) reject(error);
        else resolve(result);
      };
      this.#client.query(new NamedQuery(name, { text, values, done }));
    });
  }

  /** Milliseconds that a statement may take. A transaction that gives its statements more time says so in its first one. */
  #patienceFor(text: string): number {
    if (this.#client.getTransactionStatus() === 'I') this.#patience = this.#silence.patience;
    const [, own] = /^set local statement_timeout = (\d+)$/.exec(text) ?? [];
    if (own) this.#patience = Math.max(this.#silence.patience, Number(own) + BEYOND_MILLISECONDS);
    return this.#patience;
  }
}

/** The account to which a statement has confined its connection. A query of several statements returns an array, which has no `rows`. */
function confinedBy(found: Partial<pg.QueryResult>): number | undefined {
  const accountId: unknown = found.rows?.[0]?.[CONFINED_TO];
  return typeof accountId === 'number' ? accountId : undefined;
}
