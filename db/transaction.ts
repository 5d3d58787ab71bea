import { isRetryable } from './failure.ts';
import type { EntityManager } from './orm.ts';

const TRIES = 5;

/**
 * Runs one unit of work in a transaction of a fresh fork and commits it. A deadlock or serialization failure is run again from
 * the start, so `work` must do nothing outside the transaction. Use only the `em` it is given.
 */
export async function inTransaction<T>(em: EntityManager, work: (em: EntityManager) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await em.fork({ clear: true }).transactional((inner) => work(inner));
    } catch (error) {
      if (attempt >= TRIES || !isRetryable(error)) throw error;
    }
  }
}
