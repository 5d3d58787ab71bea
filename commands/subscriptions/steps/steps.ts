import { amountText } from '../../../billing/money/money.ts';
import {
  isNotice,
  noticeInWords,
  type SubscriptionNotice,
} from '../../../billing/subscriptions/subscriptionNotices.ts';
import { inWords, reasonFor, type SubscriptionStep } from '../../../billing/subscriptions/subscriptionSteps.ts';
import { failpoint } from '../../../db/failpoint.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { NO_FACTS, type ProcessFacts } from '../../../db/queries/processes/facts.ts';
import { USAGE_RULE } from '../../../db/queries/usage/recording.ts';
import { waitInWords } from '../../../present/processes/process.ts';
import {
  type LockedSubscription,
  lockSubscriptionOf,
  nextOf,
  replanSubscription,
  wakeupsOfSubscription,
} from '../../aggregates/subscription.ts';
import { numberBill, type WrittenBill } from '../../bills/bills.ts';
import { lockOwnerAsSystem, retryOnOwnerChange } from '../../kernel/lockedCustomer.ts';
import { type ProcessKey, type StepOutcome, tellClock } from '../../kernel/stepOutcome.ts';
import { ifDue } from '../../kernel/waking.ts';
import { endBackfillOfInactive } from '../changes/pausing.ts';
import { collectUsage } from '../usage/usageCollecting.ts';
import { tellThresholds } from '../usage/usageThresholds.ts';
import { takeStep } from './billing.ts';
import { sendNotice } from './mails.ts';

/**
 * Takes the due step of a subscription, if any: begins its trial or a period, bills a period, resumes it, renews its contract, finishes or
 * cancels it, mails a notice, or compares its usage with its thresholds. One step per transaction.
 */
export function advanceSubscription(em: EntityManager, key: ProcessKey, systemNow: Date): Promise<StepOutcome> {
  return ifDue(em, { ...key, process: 'subscription', systemNow }, () => takeDueStep(em, key, systemNow));
}

async function takeDueStep(em: EntityManager, { accountId, id }: ProcessKey, systemNow: Date): Promise<StepOutcome> {
  const owner = await retryOnOwnerChange(() =>
    lockOwnerAsSystem(em, { table: 'subscription', accountId, id }, systemNow),
  );
  const locked = await lockSubscriptionOf(em, owner, id);
  const isStopped = endBackfillOfInactive(em, locked);
  const { due } = nextOf(locked);
  const existing = await wakeupsOfSubscription(em, locked.subscription);
  const collected = due && !isNotice(due) && (await collectUsage(em, locked, due));
  if (collected) {
    const planned = await replanSubscription(em, locked, { existing, inside: true });
    await failpoint('usage.collected');
    return { did: `collected ${collected} usage records`, ...planned, call: null };
  }
  const isCompared = existing.some((row) => row.rule === USAGE_RULE && row.at <= locked.moment.now);
  const told = isCompared ? await tellThresholds(em, locked) : null;
  const taken = due && (isNotice(due) ? await notify(em, locked, due) : await take(em, locked, due));
  const planned = await replanSubscription(em, locked, {
    existing,
    inside: true,
    thresholdsTold: isCompared && !taken,
  });
  if (!taken) {
    const did = isStopped ? 'stopped the backfill: its customer is inactive' : told && `announced usage of ${told}`;
    if (did) tellClock(em, locked, { type: 'subscription', id, did });
    return { did, ...planned, call: null };
  }
  const did = taken.written ? `${taken.did}: ${await issue(em, locked, taken.written)}` : taken.did;
  await failpoint('renewal.before_commit');
  tellClock(em, locked, { type: 'subscription', id, did });
  return { did, ...planned, call: null, facts: factsOf(locked) };
}

function factsOf({ subscription, clockId }: LockedSubscription): ProcessFacts {
  const { recurringTotal: amount, plan, status, paused, cyclesBilled } = subscription;
  return { ...NO_FACTS, amount, currency: plan.currency, status, paused, cyclesBilled, onClock: clockId !== null };
}

/** A step that was taken, in words, and the bill that it wrote. */
interface Taken {
  did: string;
  written: WrittenBill | null;
}

async function take(em: EntityManager, locked: LockedSubscription, step: SubscriptionStep): Promise<Taken> {
  const did = waitInWords({ step: inWords(step), reason: reasonFor(step) });
  return { did, written: await takeStep(em, locked, step) };
}

async function notify(em: EntityManager, locked: LockedSubscription, notice: SubscriptionNotice): Promise<Taken> {
  const did = noticeInWords(notice);
  const obstacle = await sendNotice(em, locked, notice);
  return { did: obstacle ? `${did}: ${obstacle}` : did, written: null };
}

/** Numbers a bill, which locks the number series until the commit. Returns the result in words. */
async function issue(em: EntityManager, locked: LockedSubscription, written: WrittenBill): Promise<string> {
  const { number, total, currency } = await numberBill(em, locked, written);
  return `${number ? `issued ${number}` : 'not issued yet, a draft'} for ${amountText(total, currency)}`;
}
