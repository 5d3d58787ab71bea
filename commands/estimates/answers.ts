import { nextEstimateStep } from '../../billing/documents/estimate.ts';
import { visible } from '../../billing/look/visibleText.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Account } from '../../db/schema/account.ts';
import type { Estimate, EstimateAnswer } from '../../db/schema/estimate.ts';
import {
  estimateEventObject,
  expiryOf,
  lockEstimate,
  recordEstimate,
  replanEstimate,
  updateEstimateStatus,
} from '../aggregates/estimate.ts';
import { contentHash, initialsIn, userAgentIn } from '../documents/pdfs.ts';
import { findPrintable } from '../documents/printing.ts';
import { logActOfCustomer } from '../kernel/auditLog.ts';
import { systemCallerOf } from '../kernel/caller.ts';
import { refuseAnonymous } from '../kernel/lockedCustomer.ts';

export interface NewEstimateAnswer {
  account: Account;
  id: number;
  isApproved: boolean;
  /** Initials as typed. */
  initials: string;
  /** Why it is declined, as typed; empty: no reason is given. */
  reason: string;
  ip: string;
  userAgent: string | null;
  /** `contentHash` of the content that the customer saw when answering. */
  seen: string;
}

/**
 * Records that the customer approves or declines an estimate. The first answer is final; repeating it changes nothing. Refuses an estimate
 * that cannot be answered any more or whose content has changed since it was shown, and invalid initials. Throws Missing.
 */
export async function answerEstimate(em: EntityManager, input: NewEstimateAnswer, systemNow: Date): Promise<void> {
  const { account, id, isApproved } = input;
  const locked = await lockEstimate(em, { caller: systemCallerOf(account), id }, systemNow);
  const { estimate, moment } = locked;
  if (isApproved ? estimate.approvedAt : estimate.declinedAt) return;
  refuseUnanswerable(estimate, moment.now);
  refuseAnonymous(locked.customer);
  const shown = await findPrintable(em, { account, type: 'estimate', id }, systemNow);
  if (!shown || contentHash(shown.facts) !== input.seen)
    throw new Refusal('precondition_failed', 'Estimate has changed since it was shown', 'seen');
  const before = estimateEventObject(locked);
  const answer: EstimateAnswer = {
    initials: initialsIn(input.initials),
    ip: input.ip,
    userAgent: userAgentIn(input.userAgent),
    contentHash: input.seen,
    reason: isApproved ? null : reasonIn(input.reason),
  };
  const { now } = moment;
  Object.assign(estimate, { answer, ...(isApproved ? { approvedAt: now } : { declinedAt: now, closed: true }) });
  updateEstimateStatus(estimate, now);
  recordEstimate(em, locked, {
    type: isApproved ? 'estimate.approved' : 'estimate.updated',
    before,
    reason: 'on_page',
  });
  const operation = isApproved ? 'approveEstimateOnPage' : 'declineEstimateOnPage';
  const act = { operation, object: { type: 'estimate', id } };
  logActOfCustomer(em, { accountId: account.id, customerId: locked.customer.id, ...act }, systemNow);
  await replanEstimate(em, locked);
}

const MOST_REASON = 1000;

/** The reason that a customer typed, without hidden characters. Null: it typed none. */
function reasonIn(typed: string): string | null {
  const reason = visible(typed).trim().slice(0, MOST_REASON);
  return reason === '' ? null : reason;
}

/** Refuses an estimate that is not open or has expired. */
function refuseUnanswerable(estimate: Estimate, now: Date): void {
  const { status } = estimate;
  if (status !== 'not_sent' && status !== 'sent') {
    throw new Refusal(
      'state_conflict',
      `Estimate is ${status === 'draft' ? 'a draft' : status} and cannot be answered`,
    );
  }
  if (nextEstimateStep(expiryOf(estimate), now.getTime()).due) {
    throw new Refusal('state_conflict', 'Estimate has expired and cannot be answered');
  }
}
