import { setTimeout as pause } from 'node:timers/promises';
import { isRetryable } from './failure.ts';
import type { EntityManager } from './orm.ts';
import { withAccount } from './tenant.ts';

const TRIES = 5;

/**
 * Runs `work`, and runs it again from the start after a deadlock or serialization failure. `work` must do nothing that such a failure does
 * not undo.
 */
export async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= TRIES || !isRetryable(error)) throw error;
    }
  }
}

/** Runs `work` in a transaction of a fresh fork, which ends by writing what `work` changed and appended. Use only the `em` it is given. */
export function transactionOnce<T>(em: EntityManager, work: (em: EntityManager) => Promise<T>): Promise<T> {
  return em.fork({ clear: true }).transactional(async (inner) => {
    inner.allowAppending();
    const result = await work(inner);
    await inner.sendWrites();
    inner.clear(); // the ORM flushes again before it commits, and would compare all entities once more
    return result;
  });
}

/** Ends a dry run: takes its result out of the transaction, which is rolled back. */
class RolledBack<T> extends Error {
  override readonly name = 'RolledBack';
  readonly result: T;

  constructor(result: T) {
    super('a dry run is rolled back');
    this.result = result;
  }
}

/**
 * Runs `work` like `inTransaction`, but does not call `write` at the end: changes that `work` has not written by then are never sent. Rolls
 * the transaction back and returns the result of `work`.
 */
export function inDryRun<T>(em: EntityManager, work: (em: EntityManager) => Promise<T>): Promise<T> {
  return retrying(async () => {
    try {
      return await em.fork({ clear: true }).transactional(async (inner): Promise<T> => {
        inner.allowAppending();
        inner.startDryRun();
        throw new RolledBack(await work(inner));
      });
    } catch (error) {
      if (error instanceof RolledBack) return error.result;
      throw error;
    }
  });
}

/**
 * Reads in one snapshot. A statement may take `statement` milliseconds, and the reader may pause between two of them for `pause` milliseconds;
 * `limits` null: as long as elsewhere. `pid`: the process of the server, for `whileWanted`.
 */
export function inSnapshot<T>(
  em: EntityManager,
  limits: { statement: number; pause: number } | null,
  work: (em: EntityManager, pid: number) => Promise<T>,
): Promise<T> {
  return em.fork({ clear: true }).transactional(async (inner) => {
    if (limits !== null) {
      await inner.execute(`set local statement_timeout = ${limits.statement}`);
      await inner.execute(`set local idle_in_transaction_session_timeout = ${limits.pause}`);
    }
    await inner.execute('set transaction isolation level repeatable read, read only');
    const [own] = await inner.execute<{ pid: number }[]>('select pg_backend_pid() as pid');
    return work(inner, own?.pid ?? 0);
  });
}

/** Work that can become unwanted. `em`: for another connection. */
interface Wanted {
  em: EntityManager;
  accountId: number;
  signal: AbortSignal;
}

/** How often the statement of unwanted work is ended, milliseconds: work can be between two of them. */
const CANCEL_EVERY = 100;

/** Runs work over the connection of a process of the server. When it is not wanted any more, ends its statement, or the next one (`isCanceled`). */
export async function whileWanted<T>(
  { em, accountId, signal }: Wanted,
  pid: number,
  work: () => Promise<T>,
): Promise<T> {
  let isOver = false;
  let canceling: Promise<void> | null = null;
  const end = () => em.fork().execute('select pg_cancel_backend(?::int)', [pid]);
  const endAll = async () => {
    for (; !isOver; await pause(CANCEL_EVERY)) await withAccount(accountId, end).catch(() => undefined);
  };
  const cancel = () => {
    canceling = endAll();
  };
  signal.throwIfAborted();
  signal.addEventListener('abort', cancel);
  try {
    return await work();
  } finally {
    isOver = true;
    signal.removeEventListener('abort', cancel);
    await canceling; // or it would end a later statement of the connection
  }
}

/**
 * Runs `work` like `transactionOnce`, and again from the start after a deadlock or serialization failure: `work` must do nothing outside the
 * transaction.
 */
export function inTransaction<T>(em: EntityManager, work: (em: EntityManager) => Promise<T>): Promise<T> {
  return retrying(() => transactionOnce(em, work));
}
