import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';

/** Maximum number of concurrent gateway calls of one account in this process. A money queue has 200 places. */
const MOST = 40;
/** The retry delay grows with the number of waiting calls of an account, so that together they make about 20 tries a second. */
const DELAY_MILLISECONDS = { least: 250, each: 50, most: 30_000 };

/** Shares the places of the money queues among accounts, so that slow gateways of one account leave places for others. */
export interface GatewayShare {
  /**
   * Makes the call if the account has a free slot. Otherwise fails the activity at once with a retry delay, so that a waiting call neither
   * occupies a slot nor times out.
   */
  take<Result>(accountId: number, call: () => Promise<Result>): Promise<Result>;
}

export function createGatewayShare(most = MOST): GatewayShare {
  const running = new Map<number, number>();
  const waiting = new Map<number, number>();
  const retryLater = (accountId: number): ApplicationFailure => {
    const { least, each, most: longest } = DELAY_MILLISECONDS;
    const delay = Math.min(Math.max(add(waiting, accountId, 1) * each, least), longest);
    setTimeout(() => add(waiting, accountId, -1), delay).unref();
    return ApplicationFailure.create({
      message: `${most} gateway calls of this account are running`,
      type: 'NoPlace',
      nextRetryDelay: delay,
      category: ApplicationFailureCategory.BENIGN,
    });
  };
  return {
    async take(accountId, call) {
      if ((running.get(accountId) ?? 0) >= most) throw retryLater(accountId);
      add(running, accountId, 1);
      try {
        return await call();
      } finally {
        add(running, accountId, -1);
      }
    },
  };
}

/** Changes an account's count and returns it. Removes a count of zero. */
function add(counts: Map<number, number>, accountId: number, change: number): number {
  const count = (counts.get(accountId) ?? 0) + change;
  if (count === 0) counts.delete(accountId);
  else counts.set(accountId, count);
  return count;
}
