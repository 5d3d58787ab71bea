import { isRetryable } from './failure.ts';
import type { EntityManager } from './orm.ts';

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

/**
 * Runs one unit of work in a transaction of a fresh fork and commits it. After a deadlock or serialization failure it runs again from the
 * start, so `work` must do nothing outside the transaction. Use only the `em` it is given.
 */
export function inTransaction<T>(em: EntityManager, work: (em: EntityManager) => Promise<T>): Promise<T> {
  return retrying(() => em.fork({ clear: true }).transactional((inner) => work(inner)));
}
