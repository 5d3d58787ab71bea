import { createRecent } from '../db/recent.ts';

/** Maximum number of concurrent steps of one account in this process, while others have work. A billing queue has 64 places. */
const MOST = 16;
/** An account counts as having work for this time after its last step. */
const LATELY_MILLISECONDS = 5000;

/** Limits of the wakes in a relay's batch. */
export interface WakeShare {
  /** Maximum number of wakes of one account. Null: no limit. */
  most: number | null;
  /** Accounts that get no wakes, because they already have the maximum number of concurrent steps. */
  except: number[];
}

/**
 * Shares the places of the billing queues among accounts. A step that waits for its account's share of the database connections holds a
 * place, so one account could take all places. Its processes stay in the outbox instead, where the relay takes accounts in turn.
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
