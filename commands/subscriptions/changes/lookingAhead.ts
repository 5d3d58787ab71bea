import { Refusal } from '../../../billing/refusal.ts';
import { nextSubscriptionStep } from '../../../billing/subscriptions/subscriptionSteps.ts';
import { breather } from '../../../db/fairness/breather.ts';
import { reserveIds } from '../../../db/ids.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { inDryRun } from '../../../db/transaction.ts';
import { type LockedSubscription, lockSubscriptionOf, stateOf } from '../../aggregates/subscription.ts';
import { lockOwnerAsSystem, retryOnOwnerChange } from '../../kernel/lockedCustomer.ts';
import { takeStep } from '../steps/billing.ts';

/** Subscriptions of one customer whose steps are to be foreseen. `until`: the first instant that is not. `most`: steps that it may take. */
export interface LookAhead {
  accountId: number;
  ids: readonly [number, ...number[]];
  until: Date;
  most: number;
}

/** What the steps have written: events and invoices of the customer whose ids are higher than these. */
export interface WrittenAhead {
  customerId: number;
  afterEvent: number;
  afterInvoice: number;
}

/** The subscriptions of a customer take more steps than they may. */
export class TooManySteps extends Refusal {
  constructor(customerId: number, most: number) {
    super(
      'limit_exceeded',
      `The subscriptions of customer ${customerId} take more than ${most} steps until the last day: choose an earlier one`,
      'end',
    );
  }
}

/**
 * Takes the steps of subscriptions, each at its time, until an instant, in a transaction that is rolled back. Nothing else happens meanwhile:
 * nothing is paid, used or changed, and no test clock moves. `read` reads in that transaction what they have written. Throws TooManySteps:
 * the customer is locked meanwhile.
 */
export function lookAhead<Result>(
  em: EntityManager,
  { accountId, ids, until, most }: LookAhead,
  systemNow: Date,
  read: (em: EntityManager, written: WrittenAhead) => Promise<Result>,
): Promise<{ found: Result; steps: number }> {
  return inDryRun(em, async (inner) => {
    const about = { table: 'subscription', accountId, id: ids[0] } as const;
    const owner = await retryOnOwnerChange(() => lockOwnerAsSystem(inner, about, systemNow));
    const { event: afterEvent, invoice: afterInvoice } = await reserveIds(inner, 'event', 'invoice');
    const locked: LockedSubscription[] = [];
    for (const id of ids) locked.push(await lockSubscriptionOf(inner, owner, id));
    const steps = await takeStepsUntil(inner, locked, { until: until.getTime(), most });
    return { found: await read(inner, { customerId: owner.customer.id, afterEvent, afterInvoice }), steps };
  });
}

/**
 * Takes the earliest step of all subscriptions, again and again: their bills share the pending lines and the credit of the customer. Returns
 * how many it took.
 */
async function takeStepsUntil(
  em: EntityManager,
  all: readonly LockedSubscription[],
  { until, most }: { until: number; most: number },
): Promise<number> {
  const breathe = breather();
  for (let steps = 0; ; steps++) {
    const [next] = all.flatMap((locked) => nextStepOf(locked, until)).sort((one, other) => one.at - other.at);
    if (!next) return steps;
    if (steps === most) throw new TooManySteps(next.locked.customer.id, most);
    const { locked, at } = next;
    const then = { ...locked, moment: { ...locked.moment, now: new Date(at) } };
    const { due } = nextSubscriptionStep(stateOf(then), at);
    if (due) await takeStep(em, then, due);
    // A step can change the plan and the add-ons.
    Object.assign(locked, { plan: then.plan, addons: then.addons, moment: then.moment });
    await em.write();
    await breathe();
  }
}

/** When the next step of a subscription is taken, if it is before an instant: not before the time of its customer. */
function nextStepOf(locked: LockedSubscription, until: number): { locked: LockedSubscription; at: number }[] {
  const now = locked.moment.now.getTime();
  const { due, waits } = nextSubscriptionStep(stateOf(locked), now);
  const at = due ? now : Math.min(...waits.map((wait) => wait.at));
  return at < until ? [{ locked, at }] : [];
}
