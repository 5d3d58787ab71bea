import { createRecent } from '../db/recent.ts';

/** Steps of one account at work at a time in this process, while others have work, of the 64 places of a billing queue. */
const MOST = 16;
/** An account counts as working for so long after its last step. */
const LATELY_MILLISECONDS = 5000;

/** The wakes that a relay sends. */
export interface WakeShare {
  /** Most wakes of one account in a batch. Null: no limit. */
  most: number | null;
  /** Accounts that get none: as many of their steps as they may have are at work. */
  except: number[];
}

/**
 * Shares the places of the billing queues among accounts. A step that waits for its account's turn at the database holds a place, so that
 * one account could fill them all. Its processes stay in the outbox instead, where the relay takes accounts in turn.
 */
export interface StepShare {
  run<Result>(accountId: number, step: () => Promise<Result>): Promise<Result>;
  wakes(): WakeShare;
}

export function createStepShare(): StepShare {
  const recent = createRecent<number>(LATELY_MILLISECONDS);
  const atWork = new Map<number, number>();
  let last = 0;
  const change = (accountId: number, by: number) => {
    const count = (atWork.get(accountId) ?? 0) + by;
    if (count === 0) atWork.delete(accountId);
    else atWork.set(accountId, count);
  };
  return {
    async run(accountId, step) {
      recent.note(accountId);
      last = accountId;
      change(accountId, 1);
      try {
        return await step();
      } finally {
        change(accountId, -1);
      }
    },
    wakes() {
      if (recent.isAlone(last)) return { most: null, except: [] };
      return { most: MOST, except: [...atWork].filter(([, count]) => count >= MOST).map(([accountId]) => accountId) };
    },
  };
}
