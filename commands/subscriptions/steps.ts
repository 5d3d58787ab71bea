import { roundMoney } from '../../billing/money.ts';
import { inWords, nextSubscriptionStep, reasonFor } from '../../billing/subscriptionSteps.ts';
import { failpoint } from '../../db/failpoint.ts';
import type { EntityManager } from '../../db/orm.ts';
import { waitInWords } from '../../present/processes/wait.ts';
import { lockSubscriptionOf, replanSubscription, stateOf, wakeupsOfSubscription } from '../aggregates/subscription.ts';
import { numberBill } from '../bills/bills.ts';
import type { Advance, ProcessKey } from '../kernel/advance.ts';
import { tellClock } from '../kernel/clockSteps.ts';
import { lockOwnerAsSystem, retryOnOwnerChange } from '../kernel/lockedCustomer.ts';
import { ifDue } from '../kernel/waking.ts';
import { takeStep } from './billing.ts';

/**
 * Takes the due step of a subscription, if any: begins its trial or a period, bills a period, resumes it, renews its contract, finishes or
 * cancels it. One step per transaction.
 */
export function advanceSubscription(em: EntityManager, key: ProcessKey, systemNow: Date): Promise<Advance> {
  return ifDue(em, { ...key, process: 'subscription', systemNow }, () => takeDueStep(em, key, systemNow));
}

async function takeDueStep(em: EntityManager, { accountId, id }: ProcessKey, systemNow: Date): Promise<Advance> {
  const owner = await retryOnOwnerChange(() =>
    lockOwnerAsSystem(em, { table: 'subscription', accountId, id }, systemNow),
  );
  const at = await lockSubscriptionOf(em, owner, id);
  const { due } = nextSubscriptionStep(stateOf(at), at.moment.now.getTime());
  const existing = await wakeupsOfSubscription(em, at.subscription);
  const written = due ? await takeStep(em, at, due) : null;
  const planned = await replanSubscription(em, at, { existing, inside: true });
  if (!due) return { did: null, ...planned, call: null };
  const invoice = written && (await numberBill(em, at, written));
  await failpoint('renewal.before_commit');
  const issued = invoice
    ? `: ${invoice.number ? `issued ${invoice.number}` : 'not issued yet, a draft'} for ${roundMoney(invoice.total, invoice.currency)} ${invoice.currency}`
    : '';
  const did = `${waitInWords({ step: inWords(due), reason: reasonFor(due) })}${issued}`;
  tellClock(em, at, { type: 'subscription', id, did });
  return { did, ...planned, call: null };
}
