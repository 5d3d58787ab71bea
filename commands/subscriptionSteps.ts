import { inWords, nextSubscriptionStep, type SubscriptionStep } from '../billing/subscription.ts';
import { failpoint } from '../db/failpoint.ts';
import type { EntityManager } from '../db/orm.ts';
import type { Advance, ProcessKey } from './advance.ts';
import { systemCaller } from './caller.ts';
import { issueInvoice } from './issuing.ts';
import {
  changeRecorded,
  forEvent,
  lockSubscription,
  replan,
  type SubscriptionMoment,
  stateOf,
} from './subscriptionMoment.ts';
import { endSubscription } from './subscriptions.ts';

/** Takes the step of a subscription that is due, if any: bill a period, finish, cancel. One step, one transaction. */
export async function advanceSubscription(em: EntityManager, key: ProcessKey, systemNow: Date): Promise<Advance> {
  const at = await lockSubscription(em, { caller: await systemCaller(em, key.accountId), id: key.id }, systemNow);
  const { due } = nextSubscriptionStep(stateOf(at), at.moment.now.getTime());
  const did = due ? await take(em, at, due) : null;
  const planned = await replan(em, at, { inside: true });
  if (did) await failpoint('renewal.before_commit');
  return { did, ...planned, call: null };
}

async function take(em: EntityManager, at: SubscriptionMoment, step: SubscriptionStep): Promise<string> {
  if (step.kind === 'bill') return bill(em, at, step);
  await endSubscription(em, at, { status: step.kind === 'cancel' ? 'canceled' : 'finished', at: new Date(step.at) });
  return inWords(step);
}

async function bill(
  em: EntityManager,
  at: SubscriptionMoment,
  step: SubscriptionStep & { kind: 'bill' },
): Promise<string> {
  const { subscription, plan } = at;
  const before = forEvent(at);
  const period = { periodStartAt: new Date(step.startAt), periodEndAt: new Date(step.endAt) };
  const backfilled = step.startAt < subscription.createdAt.getTime();
  const invoice = await issueInvoice(em, at, {
    currency: plan.currency,
    date: new Date(step.startAt),
    name: plan.name,
    lines: [
      {
        type: 'plan',
        planCode: plan.code,
        itemCode: plan.item?.code ?? null,
        name: plan.name,
        quantity: String(subscription.quantity),
        unitCost: plan.amount,
        glAccount: plan.item?.glAccount ?? null,
        ...period,
      },
    ],
    // Backfilled periods are collected at most one a day.
    billing: {
      subscription,
      segment: subscription.segment,
      period: step.period,
      collectLaterDays: backfilled ? step.period : 0,
    },
  });
  Object.assign(subscription, period);
  if (subscription.status === 'not_started') subscription.status = 'active';
  subscription.nextPeriod = step.period + 1;
  subscription.cyclesBilled += 1;
  await changeRecorded(em, at, { type: 'subscription.updated', before });
  return `${inWords(step)}: issued ${invoice.number} for ${invoice.total} ${invoice.currency}`;
}
