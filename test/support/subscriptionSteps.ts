import { advanceSubscription } from '../../commands/subscriptions/steps/steps.ts';
import type { EntityManager } from '../../db/orm.ts';
import { inTransaction } from '../../db/transaction.ts';

/** Takes the due steps of a subscription until none is left, as its process does. */
export async function takeSubscriptionSteps(
  em: EntityManager,
  key: { accountId: number; id: number },
  now: Date = new Date(),
): Promise<void> {
  for (let more = true; more; ) ({ more } = await inTransaction(em, (inner) => advanceSubscription(inner, key, now)));
}

/** A start 40 days ago: the first period of a monthly plan has ended since then. */
export const fortyDaysAgo = () => Math.floor(Date.now() / 1000) - 40 * 86_400;
