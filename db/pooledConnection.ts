import { AsyncLocalStorage } from 'node:async_hooks';
import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { noteCommit } from './commits.ts';
import { isCut, isEnded } from './failure.ts';
import { BEYOND_MILLISECONDS, type Silence, Unanswered } from './silence.ts';
import { StatementNames } from './statementNames.ts';
import { CONFINE, CONFINE_TO_OWNER, CONFINED_TO, LIMITED_ROLE, type Tenant } from './tenant.ts';
import { inStatement } from './tracing.ts';

/** The part of a pg connection that sets how types are read. */
export interface Typed {
  setTypeParser(oid: number, read: (text: string) => unknown): unknown;
}

/** PostgreSQL's type ids of bigint and bigint[]. */
const BIGINT = 20;
const BIGINTS = 1016;

/**
 * Makes a connection return 64-bit integers as numbers instead of text. Ids and counts are far below 2^53; a larger value throws an Error.
 */
export function readNumbers(client: Typed): void {
  client.setTypeParser(BIGINT, exactNumber);
  client.setTypeParser(BIGINTS, (list) => (list === '{}' ? [] : list.slice(1, -1).split(',').map(exactNumber)));
}

function exactNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`no number of ours: ${text}`);
  return value;
}

const unawaited = new AsyncLocalStorage<boolean>();

/** Runs work whose writes are sent without waiting for their answers. The next statement after it throws their error. */
export function withoutWaiting<T>(work: () => T): T {
  return unawaited.run(true, work);
}

/** Gives a connection back to its pool, or ends it. */
export type GiveBack = (destroy: boolean) => void;

/** A write that returns nothing. */
const WRITE = /^(?:insert|update|delete|with) (?!.* returning )/s;

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
  /** Milliseconds after which a statement without an answer ends the connection: as a rule, and in this transaction. */
  readonly #usualPatience: number;
  #patience: number;
  #tenant: Tenant | undefined;
  /** The member whose customers alone it shows; null: it shows those of all. */
  #ownerId: number | null = null;
  /** Whether it may be in the role that sees a member's customers only. */
  #isLimited = false;
  /** Starts the time limit of each statement that was sent and is not answered, in order. */
  readonly #unanswered: (() => void)[] = [];
  /** The statements that were sent without waiting for their answers. */
  #behind: Promise<unknown> | undefined;
  /**
   * Whether one of them has failed. Then nothing more is sent: if `pg` refused a value before the server saw the statement, the server would
   * still carry out a commit.
   */
  #hasFailed = false;
  /** Whether a transaction was begun, perhaps without an answer yet. */
  #hasBegun = false;
  #giveBack: GiveBack | undefined;

  /** `longest`: milliseconds that a statement may take. */
  constructor(client: pg.PoolClient, silence: Silence, longest: number) {
    this.#client = client;
    this.#silence = silence;
    this.#usualPatience = longest + BEYOND_MILLISECONDS;
    this.#patience = this.#usualPatience;
    readNumbers(client);
    // Gives a lost connection back: the query builder does not, because its rollback fails. Each would cost a place of the pool.
    client.once('end', () => this.release(true));
  }

  /** The tenant whose rows it shows; undefined while that is not known. */
  get tenant(): Tenant | undefined {
    return this.#tenant;
  }

  /**
   * Shows the rows of a tenant from now on, or those of customers of one member, and no others. For `unknown`, the statement that finds the
   * account does this itself.
   */
  confine(tenant: Tenant, ownerId: number | null): void {
    if (this.#tenant === tenant && this.#ownerId === ownerId) return;
    this.#tenant = undefined;
    const account = typeof tenant === 'number' ? String(tenant) : '';
    if (ownerId !== null) this.#sendBehind(CONFINE_TO_OWNER, [account, String(ownerId), LIMITED_ROLE]);
    else if (this.#isLimited) this.#sendBehind(CONFINE_TO_OWNER, [account, '', 'none']);
    else if (tenant !== 'unknown') this.#sendBehind(CONFINE, [account]);
    this.#isLimited = ownerId !== null;
    this.#ownerId = ownerId;
    if (tenant !== 'unknown') this.#tenant = tenant;
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
    if (text === 'begin' || this.#canSendBehind(text)) {
      this.#sendBehind(text, values);
      return Promise.resolve({ command: 'UPDATE', rowCount: 0, rows: [] });
    }
    return text === 'commit' ? this.#commit() : this.#send(text, values);
  }

  /**
   * Whether nobody waits for the answer to this statement. A write is not sent before `begin` is answered: if `begin` failed, the write would
   * be a transaction of its own.
   */
  #canSendBehind(text: string): boolean {
    return unawaited.getStore() === true && WRITE.test(text) && this.#client.getTransactionStatus() === 'T';
  }

  /** Sends a statement without waiting for its answer: the next one that waits throws its error. */
  #sendBehind(text: string, values: unknown[]): void {
    this.#hasBegun ||= text === 'begin';
    this.#behind = inOrder(this.#behind, this.#deliver(text, values));
    this.#behind.catch(() => {
      this.#tenant = undefined;
      this.#isLimited = true; // not known: the next work confines it anew
      this.#hasFailed = true;
    });
  }

  async #commit(): Promise<pg.QueryResult> {
    const behind = this.#behind;
    try {
      const done = await this.#send('commit', []);
      if (done.command === 'COMMIT') noteCommit();
      return done;
    } catch (error) {
      const wasEnded = await behind?.then(() => false, isEnded); // then the server has not read the commit
      if (isCut(error) && !wasEnded) noteCommit();
      throw error;
    }
  }

  /** Sends a statement and waits for its answer. Throws the error of a statement that was sent before without waiting. */
  async #send(text: string, values: unknown[]): Promise<pg.QueryResult> {
    const behind = text === 'rollback' ? this.#behind?.catch(() => undefined) : this.#behind;
    const waits = this.#hasFailed || (this.#client.getTransactionStatus() === 'I' && !text.startsWith('select'));
    [this.#behind, this.#hasFailed] = [undefined, false];
    if (waits) await behind;
    const sent = this.#deliver(text, values);
    if (text === 'commit' || text === 'rollback') this.#hasBegun = false;
    return inOrder(behind, sent);
  }

  async #deliver(text: string, values: unknown[]): Promise<pg.QueryResult> {
    const hasBegun = this.#hasBegun;
    const isInTransaction = () => hasBegun || this.#client.getTransactionStatus() !== 'I';
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
        // `pg` would wait for the answers of a pipeline before it ends. This fails the statements behind this one too.
        this.#client.connection.stream.destroy();
        this.release(true);
      };
      const waiting = this.#silence.wait(giveUp);
      const late = () => {
        if (!isOver) waiting.late();
        giveUp();
      };
      const patience = this.#patienceFor(text);
      let timer: NodeJS.Timeout | undefined;
      // An answer that has arrived while this process did not run is read before `late`.
      this.#startNext(() => {
        timer = setTimeout(() => setImmediate(late), patience);
      });
      const done: Callback = (error, result) => {
        isOver = true;
        waiting.end();
        clearTimeout(timer);
        this.#unanswered.shift();
        this.#unanswered[0]?.();
        if (!isCut(error)) this.#silence.answered();
        if (error) reject(error);
        else resolve(result);
      };
      this.#client.query(new NamedQuery(name, { text, values, done }));
    });
  }

  /** Starts the time limit of a statement once the one before it is answered. */
  #startNext(start: () => void): void {
    if (this.#unanswered.push(start) === 1) start();
  }

  /** Milliseconds that a statement may take. A transaction that gives its statements more time says so in its first one. */
  #patienceFor(text: string): number {
    if (this.#client.getTransactionStatus() === 'I') this.#patience = this.#usualPatience;
    const [, own] = /^set local statement_timeout = (\d+)$/.exec(text) ?? [];
    if (own) this.#patience = Math.max(this.#usualPatience, Number(own) + BEYOND_MILLISECONDS);
    return this.#patience;
  }
}

/** The answer to the second of two statements. The error of the first, if both failed. */
async function inOrder<T>(first: Promise<unknown> | undefined, second: Promise<T>): Promise<T> {
  const [before, after] = await Promise.allSettled([first, second]);
  if (before.status === 'rejected') throw before.reason;
  if (after.status === 'rejected') throw after.reason;
  return after.value;
}

/** The account to which a statement has confined its connection. A query of several statements returns an array, which has no `rows`. */
function confinedBy(found: Partial<pg.QueryResult>): number | undefined {
  const accountId: unknown = found.rows?.[0]?.[CONFINED_TO];
  return typeof accountId === 'number' ? accountId : undefined;
}
