import { roundMoney } from '../billing/money.ts';
import { inWords, nextSubscriptionStep, type SubscriptionStep } from '../billing/subscription.ts';
import { failpoint } from '../db/failpoint.ts';
import type { EntityManager } from '../db/orm.ts';
import type { Advance, ProcessKey } from './advance.ts';
import { systemCallerFor } from './caller.ts';
import { numberInvoice, type WrittenInvoice, writeInvoice } from './issuing.ts';
import {
  changeRecorded,
  forEvent,
  lockSubscription,
  replan,
  type SubscriptionMoment,
  stateOf,
  wakeupsOfSubscription,
} from './subscriptionMoment.ts';
import { endSubscription } from './subscriptions.ts';
import { asleep } from './waking.ts';

/** Takes the step of a subscription that is due, if any: bill a period, finish, cancel. One step, one transaction. */
export async function advanceSubscription(em: EntityManager, key: ProcessKey, systemNow: Date): Promise<Advance> {
  const sleeping = await asleep(em, { ...key, process: 'subscription' }, systemNow);
  if (sleeping) return sleeping;
  const { accountId, id } = key;
  const who = await systemCallerFor(em, { table: 'subscription', accountId, id });
  const at = await lockSubscription(em, { ...who, id }, systemNow);
  const { due } = nextSubscriptionStep(stateOf(at), at.moment.now.getTime());
  const existing = await wakeupsOfSubscription(em, at.subscription);
  const written = due ? await take(em, at, due) : null;
  const planned = await replan(em, at, { existing, inside: true });
  if (!due) return { did: null, ...planned, call: null };
  const invoice = written && (await numberInvoice(em, at, written));
  await failpoint('renewal.before_commit');
  const issued = invoice
    ? `: issued ${invoice.number} for ${roundMoney(invoice.total, invoice.currency)} ${invoice.currency}`
    : '';
  return { did: `${inWords(due)}${issued}`, ...planned, call: null };
}

/** Takes a step; a bill's invoice still has to be given its number, as the last thing. */
async function take(em: EntityManager, at: SubscriptionMoment, step: SubscriptionStep): Promise<WrittenInvoice | null> {
  if (step.kind === 'bill') return bill(em, at, step);
  await endSubscription(em, at, { status: step.kind === 'cancel' ? 'canceled' : 'finished', at: new Date(step.at) });
  return null;
}

async function bill(
  em: EntityManager,
  at: SubscriptionMoment,
  step: SubscriptionStep & { kind: 'bill' },
): Promise<WrittenInvoice> {
  const { subscription, plan } = at;
  const before = forEvent(at);
  const period = { periodStartAt: new Date(step.startAt), periodEndAt: new Date(step.endAt) };
  const backfilled = step.startAt < subscription.createdAt.getTime();
  const written = await writeInvoice(em, at, {
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
  return written;
}
