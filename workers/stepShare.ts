import { createRecent } from '../db/fairness/concurrencyLimit.ts';
import type { CrowdedAccount } from './turns.ts';

/** Maximum number of concurrent steps of one account in this process, while others have work. A billing queue has 64 places. */
const MOST = 16;
/** Maximum number of wakes of one account in a batch, while others have work. */
const MOST_WAKES = 4;
/** An account counts as having work for this time after its last step or wake. */
const LATELY_MILLISECONDS = 5000;

/** Limits of the wakes in a relay's batch. */
export interface WakeShare {
  /** Maximum number of wakes of one account. Null: no limit. */
  most: number | null;
  /** Accounts that get no wakes, because they rest or already have the maximum number of concurrent steps. */
  except: number[];
  /** Accounts that get no wakes of a process, because enough of its processes wait for a place. */
  crowded: CrowdedAccount[];
}

/**
 * Shares the places of the billing queues among accounts. A step that waits for its account's share of the database connections holds a
 * place, so one account could take all places. Its processes stay in the outbox instead, where the relay takes accounts in turn.
 */
export interface StepShare {
  run<Result>(accountId: number, step: () => Promise<Result>): Promise<Result>;
  /** Call when a relay wakes a process of the account: it has work. */
  woke(accountId: number): void;
  wakes(): WakeShare;
}

interface StepShareOptions {
  /** The accounts that rest on a busy machine. */
  resting?: () => number[];
  /** The accounts for which enough processes wait for a place. */
  crowded?: () => CrowdedAccount[];
}

export function createStepShare({ resting = () => [], crowded = () => [] }: StepShareOptions = {}): StepShare {
  const recent = createRecent<number>(LATELY_MILLISECONDS);
  const atWork = new Map<number, number>();
  let last = 0;
  const change = (accountId: number, by: number) => {
    const count = (atWork.get(accountId) ?? 0) + by;
    if (count === 0) atWork.delete(accountId);
    else atWork.set(accountId, count);
  };
  const woke = (accountId: number) => {
    recent.note(accountId);
    last = accountId;
  };
  return {
    woke,
    async run(accountId, step) {
      woke(accountId);
      change(accountId, 1);
      try {
        return await step();
      } finally {
        change(accountId, -1);
      }
    },
    wakes() {
      if (recent.isAlone(last)) return { most: null, except: resting(), crowded: crowded() };
      const busy = [...atWork].filter(([, count]) => count >= MOST).map(([accountId]) => accountId);
      return { most: MOST_WAKES, except: [...new Set([...busy, ...resting()])], crowded: crowded() };
    },
  };
}
