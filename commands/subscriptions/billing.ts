import { periodAt, shareOfPeriod } from '../../billing/periods.ts';
import { discountsAfterBill } from '../../billing/recurring.ts';
import { Refusal } from '../../billing/refusal.ts';
import { nextContract, nextSubscriptionStep, type SubscriptionStep } from '../../billing/subscription.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { EventReason } from '../../db/schema/event.ts';
import type { CancellationCause } from '../../present/emails/subscription.ts';
import {
  type LockedSubscription,
  recordSubscription,
  stateOf,
  subscriptionEventObject,
} from '../aggregates/subscription.ts';
import { numberBill, type WrittenBill, writeBill } from '../bills/bills.ts';
import { holdBill } from '../bills/heldBills.ts';
import { openTax } from '../catalog/adjustments.ts';
import { reanchor } from './anchor.ts';
import { contentOf, priceSubscription, prorated } from './content.ts';
import { mailCancellation } from './mails.ts';
import { resume } from './pausing.ts';

/** Maximum number of due steps that are taken in one transaction. */
const MOST_AT_ONCE = 24;

/**
 * Takes all due steps before a request changes the subscription, so that the result does not depend on whether worker or request comes
 * first. Refuses if not all of them can be taken in one transaction.
 */
export async function catchUp(em: EntityManager, at: LockedSubscription): Promise<void> {
  if (await takeDueSteps(em, at)) return;
  throw new Refusal('Subscription is being billed for many periods; try again in a moment');
}

/** Takes due steps, at most 24. Returns whether none is left. */
export async function takeDueSteps(em: EntityManager, at: LockedSubscription): Promise<boolean> {
  for (let steps = 0; steps < MOST_AT_ONCE; steps++) {
    const { due } = nextSubscriptionStep(stateOf(at), at.moment.now.getTime());
    if (!due) return true;
    const written = await takeStep(em, at, due);
    if (written) await numberBill(em, at, written);
  }
  return nextSubscriptionStep(stateOf(at), at.moment.now.getTime()).due === null;
}

/** Takes a step. Returns the bill that it wrote, whose documents the caller numbers at the end of the transaction; null: it wrote none. */
export async function takeStep(
  em: EntityManager,
  at: LockedSubscription,
  step: SubscriptionStep,
): Promise<WrittenBill | null> {
  switch (step.kind) {
    case 'bill':
      return bill(em, at, step);
    case 'resume':
      resumeAtEnd(em, at, new Date(step.at));
      break;
    case 'renew':
      renewContract(em, at, { cycles: null, anchorAt: null });
      break;
    case 'await_renewal':
      awaitRenewal(em, at);
      break;
    case 'cancel':
      await endSubscription(em, at, { status: 'canceled', at: new Date(step.at), cause: 'period_end' });
      break;
    case 'finish': {
      const reason = step.isLast ? 'latest_date' : 'cycles_billed';
      await endSubscription(em, at, { status: 'finished', at: new Date(step.at), reason });
    }
  }
  return null;
}

/**
 * Begins the contract that follows one whose cycles are billed. `cycles`: null: those agreed for renewals. `anchorAt`: its start; null: the
 * end of the contract before.
 */
export function renewContract(
  em: EntityManager,
  at: LockedSubscription,
  { cycles: chosen, anchorAt }: { cycles: number | null; anchorAt: Date | null },
): void {
  const { subscription } = at;
  const before = subscriptionEventObject(at);
  const { cycles, renewalCycles, renewalMode } = subscription;
  if (!cycles) throw new Error(`subscription ${subscription.id} has no contract to renew`);
  if (anchorAt) reanchor(at, anchorAt);
  Object.assign(subscription, nextContract({ cycles, renewalCycles: renewalCycles ?? null, renewalMode }, chosen));
  const { segment, nextPeriod } = subscription;
  const { startAt } = periodAt(stateOf(at).schedule, nextPeriod);
  Object.assign(subscription, {
    contractSegment: segment,
    contractPeriod: nextPeriod,
    contractStartAt: new Date(startAt),
  });
  subscription.cyclesBilled = 0;
  subscription.pendingRenewal = false;
  recordSubscription(em, at, { type: 'subscription.updated', before, reason: 'contract_renewed' });
}

/** Resumes a subscription at the end of its pause. */
function resumeAtEnd(em: EntityManager, at: LockedSubscription, now: Date): void {
  const before = subscriptionEventObject(at);
  resume(at, now);
  recordSubscription(em, at, { type: 'subscription.updated', before, reason: 'resumed' });
}

/** Ends a contract that has to be renewed by request, and a pause with it: it bills nothing before. */
function awaitRenewal(em: EntityManager, at: LockedSubscription): void {
  const { subscription } = at;
  const before = subscriptionEventObject(at);
  Object.assign(subscription, { periodStartAt: null, periodEndAt: null, pendingRenewal: true });
  Object.assign(subscription, { paused: false, resumeAt: null });
  recordSubscription(em, at, { type: 'subscription.updated', before, reason: 'renewal_pending' });
}

async function bill(
  em: EntityManager,
  at: LockedSubscription,
  step: SubscriptionStep & { kind: 'bill' },
): Promise<WrittenBill> {
  const { subscription, plan } = at;
  const before = subscriptionEventObject(at);
  const period = { periodStartAt: new Date(step.startAt), periodEndAt: new Date(step.endAt) };
  const backfilled = step.startAt < subscription.createdAt.getTime();
  const whole = await contentOf(em, at);
  const share = shareOfPeriod(stateOf(at).schedule, step.period);
  const content = prorated(at, whole, share);
  const written = await writeBill(em, at, {
    currency: plan.currency,
    date: new Date(step.startAt),
    name: plan.name,
    shipTo: subscription.shipTo ?? null,
    ...content,
    lines: content.lines.map((line) => ({ ...line, ...period })),
    // Bills of periods before the creation are charged at most one a day.
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
  if (!share) {
    subscription.cyclesBilled += 1;
    subscription.discounts = discountsAfterBill(subscription.discounts);
  }
  priceSubscription(at, { lines: whole.lines, taxes: written.invoice.taxes.map(openTax) });
  recordSubscription(em, at, { type: 'subscription.updated', before, reason: 'period_started' });
  await holdBill(em, at, written);
  return written;
}

type End =
  | { status: 'canceled'; at: Date; cause: CancellationCause }
  | { status: 'finished'; at: Date; reason: EventReason };

/** Ends a locked subscription, records the event and mails a cancellation. The caller replans its wake-ups. */
export async function endSubscription(em: EntityManager, at: LockedSubscription, end: End): Promise<void> {
  const { subscription } = at;
  const before = subscriptionEventObject(at);
  subscription.status = end.status;
  if (end.status === 'canceled') subscription.canceledAt = end.at;
  else subscription.finishedAt = end.at;
  Object.assign(subscription, { periodStartAt: null, periodEndAt: null, pendingRenewal: false, resumeAt: null });
  if (end.status === 'finished')
    return recordSubscription(em, at, { type: 'subscription.updated', before, reason: end.reason });
  recordSubscription(em, at, { type: 'subscription.deleted', before });
  await mailCancellation(em, at, { cause: end.cause, endedAt: end.at });
}
